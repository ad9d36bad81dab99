//! What a placement does, in a few words.

use super::Fabric;
use super::action::Action;
use crate::game::{Game, GameRng, Seat, Silent};
use crate::text::counted;

/// What players also call it.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("blow", "destroys"),
    ("boom", "destroys"),
    ("explode", "destroys"),
    ("explosion", "destroys"),
    ("overload", "destroys"),
    ("capture", "destroys"),
    ("project", "sends"),
    ("projects", "sends"),
    ("send", "sends"),
    ("points", "score"),
    ("scores", "score"),
    ("up", "north"),
    ("right", "east"),
    ("down", "south"),
    ("left", "west"),
];

impl Fabric {
    /// "Relay on b5, facing north: sends 2, destroys 3 pieces, you score 4".
    pub(super) fn in_words(&self, seat: Seat, action: Action) -> String {
        let Action { at, piece } = action;
        let mut after = self.clone();
        after.play(seat, &action, &mut GameRng::quick(0), &mut Silent);
        let mut does = Vec::new();
        let mut label = format!("{} on {at}", piece.kind());
        if let Some(facing) = piece.facing() {
            label.push_str(&format!(", facing {facing}"));
            does.push(format!("sends {}", self.field.projection(at, facing)));
        }
        let destroyed = (self.field.taken().len() + 1).saturating_sub(after.field.taken().len());
        if destroyed > 0 {
            does.push(format!(
                "destroys {}",
                counted(destroyed as u32, "piece", "pieces")
            ));
        }
        let own = seat.index() & 1;
        let gained = after.scores[own].saturating_sub(self.scores[own]);
        if gained > 0 {
            does.push(format!("you score {gained}"));
        }
        if !does.is_empty() {
            label.push_str(&format!(": {}", does.join(", ")));
        }
        label
    }
}
