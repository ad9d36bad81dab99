//! Positions that show the rules of GlyphGrid.

use crate::draw::Illustration;
use crate::games::glyphgrid::GlyphGrid;
use crate::games::glyphgrid::piece::Side;
use crate::games::glyphgrid::setup::{Army, Opening, Setup};
use crate::games::glyphgrid::square::GridSquare;

pub(super) fn illustration(name: &str) -> Option<Illustration<GlyphGrid>> {
    let (start, moves): (GlyphGrid, &[&str]) = match name {
        "lance" => (
            Setup::opening(Opening::Usual, false).try_into().ok()?,
            &["lance b2-d4"],
        ),
        "capture" => (
            board(("d3", "a2 c2 g2", "d1"), ("d7", "a6 c6 e4 g6", "d7"), Side::Sun)?,
            &["vector d3-e4"],
        ),
        // The Shard on f5 stands on a mark of its own.
        "push" => (
            board(
                ("d1", "a2 b3 e2 g2", "d1"),
                ("d7", "a6 b4 f5 g6", "d7 f5"),
                Side::Sun,
            )?,
            &["pulse b3-b4"],
        ),
        "marks" => (
            board(
                ("d1", "a2 b4 e3 g2", "d1 b4 c4 d4"),
                ("d7", "a6 c6 e6 g6", "d7"),
                Side::Moon,
            )?,
            &[],
        ),
        "inversion" => (
            board(
                ("d1", "a2 c2 e3 g2", "d1"),
                ("d7", "a6 c6 e6 g6", "d7 f4"),
                Side::Sun,
            )?,
            &["vector e3-f4"],
        ),
        "win" => (
            board(
                ("d1", "a2 b2 e4 g2", "d1 b4 c4 d4"),
                ("d7", "a6 c6 f6 g6", "d7"),
                Side::Sun,
            )?,
            &["anchor e4"],
        ),
        _ => return None,
    };
    Some(Illustration::Position { start, moves })
}

/// A board with both armies: the Core, the Shards and the marks of each.
fn board(sun: (&str, &str, &str), moon: (&str, &str, &str), to_move: Side) -> Option<GlyphGrid> {
    let setup = Setup {
        sun: army(sun)?,
        moon: army(moon)?,
        to_move,
        ..Setup::opening(Opening::Classic, false)
    };
    setup.try_into().ok()
}

fn army((core, shards, marks): (&str, &str, &str)) -> Option<Army> {
    let squares = |words: &str| {
        words
            .split_whitespace()
            .map(GridSquare::named)
            .collect::<Option<_>>()
    };
    Some(Army {
        core: Some(GridSquare::named(core)?),
        shards: squares(shards)?,
        marks: squares(marks)?,
    })
}
