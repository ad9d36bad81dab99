//! GlyphGrid as players see it.
//!
//! A piece's kind is its shape: Cores are discs, Shards are kites. Its side is its colour, its filling
//! and its sign: Sun is solid and its Core bears a sun, Moon is hollow and its Core bears a crescent.
//! Marks of Sun are rings, marks of Moon are frames. A shield says that a piece can't be pushed, a
//! turning arrow that the mark under it is about to change its owner.

mod call;
mod illustrations;
mod marked;
mod picture;
mod pieces;
mod spots;
mod words;

use super::grid::BoardGrid;
use super::prose::lines;
use super::{ALT_LIMIT, Canvas, Illustration, Prose, Scene, Show, Spot, TEXT_COLUMNS};
use crate::games::glyphgrid::GlyphGrid;
use crate::games::glyphgrid::piece::{Kind, Side};
use crate::games::glyphgrid::square::GridSquare;
use crate::games::glyphgrid::view::{Event, View};
use crate::text;

type GridScene<'a> = Scene<'a, GlyphGrid>;

impl Show for GlyphGrid {
    const RULES: &'static str = include_str!("../../../assets/glyphgrid/rules.md");

    fn illustration(name: &str) -> Option<Illustration<Self>> {
        illustrations::illustration(name)
    }

    fn picture(scene: &GridScene<'_>) -> Canvas {
        picture::picture(scene)
    }

    fn text(scene: &GridScene<'_>) -> String {
        let view = scene.view;
        let mut text = board_text(view, picture::grid(scene));
        let name = |side: Side| scene.short_name(view.side(side).seat, 20);
        text.push_str(&format!("\nC S   Sun's Core, Shards: {}\n", name(Side::Sun)));
        text.push_str(&format!("c s   Moon's Core, Shards: {}\n", name(Side::Moon)));
        text.push_str("+ -   Sun's mark, Moon's mark\n");
        if view.pending.is_some() {
            text.push_str("!     this mark turns when the piece's turn comes\n");
        }
        text.push('\n');
        let said = format!("{}{}", scene.marks.sentence(), words::status(scene, words::NAME));
        text.push_str(&lines(&said, TEXT_COLUMNS, ""));
        text
    }

    fn alt(scene: &GridScene<'_>) -> String {
        let mut text = format!("GlyphGrid, 7 by 7. {}", scene.marks.sentence());
        for side in &scene.view.sides {
            let name = scene.short_name(side.seat, words::NAME);
            text.push_str(&format!("{name} ({}): {}. ", side.side, words::army(side)));
        }
        if let Some(square) = scene.view.pending {
            text.push_str(&format!(
                "The mark on {square} turns next turn unless the piece on it is driven off. "
            ));
        }
        let last = words::narrate_moves(scene.recent).plain(|seat| scene.short_name(seat, words::NAME));
        if !last.is_empty() {
            text.push_str(&format!("Last: {last} "));
        }
        text.push_str(&words::status(scene, words::NAME));
        text::cut(&text, ALT_LIMIT)
    }

    fn helpful_rules(scene: &GridScene<'_>) -> Option<&'static str> {
        let view = scene.view;
        if !view.alarm.attackers.is_empty() {
            return Some("Capturing");
        }
        if !view.alarm.completes.is_empty() {
            return Some("Marks");
        }
        view.pending.map(|_| "Inversion")
    }

    fn ask(scene: &GridScene<'_>) -> Prose {
        call::ask(scene)
    }

    fn result(scene: &GridScene<'_>) -> Prose {
        call::result(scene)
    }

    fn spots(scene: &GridScene<'_>) -> Vec<Spot> {
        spots::spots(scene)
    }

    fn narrate(events: &[Event]) -> Prose {
        words::narrate(events)
    }
}

/// The letter of a piece.
const fn letter(side: Side, kind: Kind) -> char {
    match (side, kind) {
        (Side::Sun, Kind::Core) => 'C',
        (Side::Sun, Kind::Shard) => 'S',
        (Side::Moon, Kind::Core) => 'c',
        (Side::Moon, Kind::Shard) => 's',
    }
}

/// The sign of a mark.
const fn sign(side: Side) -> char {
    match side {
        Side::Sun => '+',
        Side::Moon => '-',
    }
}

/// The board in fixed width: a letter for the piece, a sign for the mark.
fn board_text(view: &View, board: BoardGrid) -> String {
    board.text(|cell| {
        let square = GridSquare::at(cell);
        let piece = view.piece_at(square).map(|(side, kind)| letter(side, kind));
        let mark = view.mark_at(square).map(sign);
        let turns = if view.pending == Some(square) { '!' } else { ' ' };
        String::from_iter([' ', piece.unwrap_or('.'), mark.unwrap_or(' '), turns])
    })
}
