//! What a player can do on a turn.

use std::fmt;

use super::cell::Cell;
use super::piece::Piece;

/// One turn: a piece is placed on an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Action {
    pub at: Cell,
    pub piece: Piece,
}

/// The canonical notation.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.piece.kind().letter(), self.at)?;
        match self.piece.facing() {
            Some(facing) => write!(f, " {}", facing.letter()),
            None => Ok(()),
        }
    }
}
