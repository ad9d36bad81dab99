//! What a move does, in a few words.

use super::GlyphGrid;
use super::action::Action;
use super::piece::Glyph;
use super::square::GridSquare;
use crate::board::square::way;

/// What players also call it.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("take", "captures"),
    ("takes", "captures"),
    ("capture", "captures"),
    ("move", "steps"),
    ("step", "steps"),
    ("jump", "leaps"),
    ("knight", "leaps"),
    ("leap", "leaps"),
    ("push", "pushes"),
    ("claim", "claims"),
    ("mark", "marks"),
    ("up", "north"),
    ("down", "south"),
    ("left", "west"),
    ("right", "east"),
];

impl GlyphGrid {
    /// "LANCE: Shard c2 goes northeast to e4", "PULSE: Shard c3 pushes the Shard on c4 north to c5".
    pub(super) fn in_words(&self, action: Action) -> String {
        let Some((glyph, from, to)) = action.parts() else {
            return "swap: take over the side that has just moved".to_owned();
        };
        let mut grid = self.grid.clone();
        let done = grid.cast(self.to_move, glyph, from, to);
        let piece = format!("{glyph}: {} {from}", done.kind);
        let enemy_mark = done.mark_before == Some(self.to_move.other());
        match (glyph, done.met, done.pushed_to) {
            (Glyph::Anchor, ..) if from == to && enemy_mark => {
                format!("{piece} stays and claims the enemy mark on {to}")
            }
            (Glyph::Anchor, ..) if from == to => format!("{piece} stays and marks {to}"),
            (Glyph::Anchor, ..) => format!(
                "{piece} steps{} to {to} and claims the enemy mark there",
                heading(from, to)
            ),
            (_, Some(met), Some(behind)) => {
                format!(
                    "{piece} pushes the {met} on {to}{} to {behind}",
                    heading(from, to)
                )
            }
            (Glyph::Pulse, Some(met), None) => format!("{piece} captures the {met} on {to} by pushing it"),
            (_, Some(met), None) => format!("{piece} captures the {met} on {to}"),
            (_, None, _) => {
                let goes = match glyph {
                    Glyph::Arc => "leaps",
                    Glyph::Lance => "goes",
                    Glyph::Vector | Glyph::Pulse | Glyph::Anchor => "steps",
                };
                let onto = if enemy_mark { ", onto an enemy mark" } else { "" };
                format!("{piece} {goes}{} to {to}{onto}", heading(from, to))
            }
        }
    }
}

/// " north", where that is the way; nothing for a leap.
fn heading(from: GridSquare, to: GridSquare) -> String {
    way(from.offset(to))
        .map(|way| format!(" {way}"))
        .unwrap_or_default()
}
