//! Positions that show the rules of Phase-Fabric.

use crate::draw::Illustration;
use crate::game::Seat;
use crate::games::fabric::Fabric;
use crate::games::fabric::cell::Cell;
use crate::games::fabric::piece::Piece;
use crate::games::fabric::setup::{Setup, Standing};

pub(super) fn illustration(name: &str) -> Option<Illustration<Fabric>> {
    let (start, moves): (Fabric, &[&str]) = match name {
        // The cell behind the Relay has 2 from Anchors.
        "relay" => (anchors("c4", "c5")?, &["R e4 E"]),
        // Four Anchors leave d4 at 4.
        "overload" => (anchors("c3 e3", "c5 e5")?, &["A d3"]),
        "prism" => (anchors("c4 g2", "e4 b7")?, &["P d4"]),
        _ => return None,
    };
    Some(Illustration::Position { start, moves })
}

/// A board with as many Anchors of each player.
fn anchors(ann: &str, bea: &str) -> Option<Fabric> {
    let mut pieces = Vec::new();
    for (cells, seat) in [(ann, Seat::new(0)), (bea, Seat::new(1))] {
        for cell in cells.split_whitespace() {
            pieces.push(Standing {
                cell: Cell::named(cell)?,
                seat,
                piece: Piece::Anchor,
            });
        }
    }
    let setup = Setup {
        placed: pieces.len() as u16,
        pieces,
        ..Setup::opening(8, 500)
    };
    setup.try_into().ok()
}
