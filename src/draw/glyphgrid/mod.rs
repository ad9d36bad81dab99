//! GlyphGrid as players see it.
//!
//! A piece's kind is its shape: Cores are discs, Shards are kites. Its side is its colour, its filling
//! and its sign: Sun is solid and its Core bears a sun, Moon is hollow and its Core bears a crescent.
//! Marks of Sun are rings, marks of Moon are frames. A shield says that a piece can't be pushed, a
//! turning arrow that the mark under it is about to change its owner.

mod picture;
mod pieces;
mod words;

use super::{ALT_LIMIT, Canvas, Prose, Scene, Show};
use crate::board::square::Square as Place;
use crate::game::Seat;
use crate::games::glyphgrid::GlyphGrid;
use crate::games::glyphgrid::piece::{Kind, Side};
use crate::games::glyphgrid::square::{BOARD, Square};
use crate::games::glyphgrid::view::{Event, View};

type GridScene<'a> = Scene<'a, GlyphGrid>;

impl Show for GlyphGrid {
    const RULES: &'static str = include_str!("../../../assets/glyphgrid/rules.md");

    fn picture(scene: &GridScene<'_>) -> Canvas {
        picture::picture(scene)
    }

    fn text(scene: &GridScene<'_>) -> String {
        let view = scene.view;
        let mut text = board_text(view, Turned::towards(scene.side, view));
        let name = |side: Side| words::name(scene, view.side(side).seat, 20);
        text.push_str(&format!("\nC S   Core, Shards of Sun: {}\n", name(Side::Sun)));
        text.push_str(&format!("c s   Core, Shards of Moon: {}\n", name(Side::Moon)));
        text.push_str("+ -   mark of Sun, of Moon\n");
        if view.pending.is_some() {
            text.push_str("!     this mark turns when the piece's turn comes\n");
        }
        text.push('\n');
        text.push_str(&words::wrapped(&words::status(scene, words::NAME), 60));
        text
    }

    fn alt(scene: &GridScene<'_>) -> String {
        let mut text = String::from("GlyphGrid, 7 by 7. ");
        for side in &scene.view.sides {
            let name = words::name(scene, side.seat, words::NAME);
            text.push_str(&format!("{name} ({}): {}. ", side.side, words::army(side)));
        }
        if let Some(square) = scene.view.pending {
            text.push_str(&format!(
                "The mark on {square} turns next turn unless the piece on it is driven off. "
            ));
        }
        let last = words::narrate_moves(scene.recent).plain(|seat| words::name(scene, seat, words::NAME));
        if !last.is_empty() {
            text.push_str(&format!("Last: {last} "));
        }
        text.push_str(&words::status(scene, words::NAME));
        words::cut(text, ALT_LIMIT)
    }

    fn narrate(events: &[Event]) -> Prose {
        words::narrate(events)
    }
}

/// The board as it lies before a player.
#[derive(Clone, Copy)]
struct Turned {
    half: bool,
}

impl Turned {
    /// The player's own side at the bottom.
    fn towards(seat: Seat, view: &View) -> Self {
        Self {
            half: view.side_of(seat) == Side::Moon,
        }
    }

    /// Column from the left and row from the top, both from 0.
    fn cell(self, square: Square) -> (i8, i8) {
        let Place { file, rank } = square.place();
        let last = BOARD.size - 1;
        if self.half {
            (last - file, rank)
        } else {
            (file, last - rank)
        }
    }

    /// The square in a column and row.
    fn square(self, column: i8, row: i8) -> Square {
        let last = BOARD.size - 1;
        Square::at(if self.half {
            Place::new(last - column, row)
        } else {
            Place::new(column, last - row)
        })
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
fn board_text(view: &View, board: Turned) -> String {
    let mut files = String::from("   ");
    for column in 0..BOARD.size {
        let name = board.square(column, 0).to_string();
        files.push_str(&format!(" {}  ", &name[..1]));
    }
    let files = files.trim_end();
    let mut text = format!("{files}\n");
    for row in 0..BOARD.size {
        let rank = board.square(0, row).place().rank + 1;
        text.push_str(&format!("{rank}  "));
        for column in 0..BOARD.size {
            let square = board.square(column, row);
            let piece = view.piece_at(square).map(|(side, kind)| letter(side, kind));
            let mark = view.mark_at(square).map(sign);
            let turns = if view.pending == Some(square) { '!' } else { ' ' };
            text.extend([' ', piece.unwrap_or('.'), mark.unwrap_or(' '), turns]);
        }
        text.push_str(&format!(" {rank}\n"));
    }
    text.push_str(files);
    text.push('\n');
    text
}
