//! A position written out: what saves keep, what tests build, and the opening.
//!
//! A [`Setup`] is untrusted; it becomes a [`Fabric`] only if it makes sense.

use serde::{Deserialize, Serialize};

use super::cell::{Cell, LARGEST, SMALLEST};
use super::field::{Field, Owned};
use super::piece::Piece;
use super::{End, Fabric, MOST_PLACEMENTS, TARGETS};
use crate::game::Seat;

/// All there is to a position. Whose turn it is follows from the number of placements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Cells a side.
    pub size: u8,
    pub target: u16,
    /// What stands on the board, in the order of cells.
    pub pieces: Vec<Standing>,
    pub scores: [u16; 2],
    /// Placements so far, of pieces long gone too.
    pub placed: u16,
    pub end: Option<End>,
}

/// A piece in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    pub cell: Cell,
    pub seat: Seat,
    pub piece: Piece,
}

/// Why a saved position makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error("a board has 7 to 10 cells a side, not {0}")]
    Size(u8),
    #[error("nobody plays to {0} points")]
    Target(u16),
    #[error("{0} is not on the board")]
    OffBoard(Cell),
    #[error("two pieces stand on {0}")]
    Crowded(Cell),
    #[error("Phase-Fabric takes two players; there is no seat {0}")]
    Seat(Seat),
    #[error("the piece on {0} stands in a blast and should be gone")]
    Blasted(Cell),
    #[error("there are more pieces on the board than were placed")]
    Unplaced,
    #[error("the game is over, or not over, against its own rules")]
    End,
}

impl Setup {
    /// An empty board.
    pub const fn opening(size: u8, target: u16) -> Self {
        Self {
            size,
            target,
            pieces: Vec::new(),
            scores: [0; 2],
            placed: 0,
            end: None,
        }
    }
}

impl TryFrom<Setup> for Fabric {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        if !(SMALLEST..=LARGEST).contains(&setup.size) {
            return Err(SetupError::Size(setup.size));
        }
        if !TARGETS.contains(&setup.target) {
            return Err(SetupError::Target(setup.target));
        }
        let mut field = Field::empty(setup.size);
        for &Standing { cell, seat, piece } in &setup.pieces {
            if !field.board().contains(cell) {
                return Err(SetupError::OffBoard(cell));
            }
            if field.taken().contains(cell) {
                return Err(SetupError::Crowded(cell));
            }
            if seat.index() > 1 {
                return Err(SetupError::Seat(seat));
            }
            field.place(cell, Owned { seat, piece });
        }
        let blasted = field.overloaded().spread().and(field.taken());
        if let Some(cell) = blasted.nth(0) {
            return Err(SetupError::Blasted(cell));
        }
        if setup.pieces.len() > usize::from(setup.placed) || setup.placed > MOST_PLACEMENTS {
            return Err(SetupError::Unplaced);
        }
        let game = Self {
            field,
            size: setup.size,
            target: setup.target,
            scores: setup.scores,
            placed: setup.placed,
            end: setup.end,
        };
        // A player may leave at any time before the end; all other endings follow from the position.
        match setup.end {
            Some(End::Left(seat)) if seat.index() > 1 => Err(SetupError::Seat(seat)),
            Some(End::Left(_)) if game.due_end().is_none() => Ok(game),
            end if end == game.due_end() => Ok(game),
            _ => Err(SetupError::End),
        }
    }
}

impl From<Fabric> for Setup {
    fn from(game: Fabric) -> Self {
        Self {
            size: game.size,
            target: game.target,
            pieces: game.standing().collect(),
            scores: game.scores,
            placed: game.placed,
            end: game.end,
        }
    }
}
