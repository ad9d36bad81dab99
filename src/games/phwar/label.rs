//! What a move does, in a few words.

use super::Phwar;
use super::action::Action;
use super::cell::Cell;
use crate::game::Seat;

/// What players also call it.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("take", "captures"),
    ("takes", "captures"),
    ("capture", "captures"),
    ("eat", "captures"),
    ("x", "captures"),
    ("move", "slides"),
    ("go", "slides"),
];

impl Phwar {
    /// "electron F2 slides to F5", "electron F2 captures the positron on F5".
    pub(super) fn in_words(&self, seat: Seat, action: Action) -> String {
        match action {
            Action::Pass => "pass: you can't move".to_owned(),
            Action::Slide { from, to } => format!("{} {from} slides to {to}", self.kind_on(from)),
            Action::Capture { from, to } => {
                let (own, victim) = (self.kind_on(from), self.kind_on(to));
                let owner = self.field.at(to).map(|particle| particle.seat);
                match owner.filter(|owner| self.seats > 2 && *owner != seat) {
                    Some(owner) => format!("{own} {from} captures player {owner}'s {victim} on {to}"),
                    None => format!("{own} {from} captures the {victim} on {to}"),
                }
            }
        }
    }

    fn kind_on(&self, cell: Cell) -> &'static str {
        self.field
            .at(cell)
            .map_or("particle", |particle| particle.kind().name())
    }
}
