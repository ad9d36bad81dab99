//! Whose decision a game waits for.

use serde::Serialize;

use super::{Seat, SeatSet};

/// Who may act now. Nobody else has legal actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Awaiting {
    /// One seat moves.
    Turn(Seat),
    /// Every one of these seats must choose, in any order and without seeing the others' choices;
    /// the order in which they do makes no difference.
    Each(SeatSet),
    /// Any of these seats may act; whoever is first changes what the others find.
    Any(SeatSet),
    /// The game has an outcome.
    Over,
}

impl Awaiting {
    pub fn seats(self) -> SeatSet {
        match self {
            Self::Turn(seat) => SeatSet::one(seat),
            Self::Each(seats) | Self::Any(seats) => seats,
            Self::Over => SeatSet::EMPTY,
        }
    }

    pub fn includes(self, seat: Seat) -> bool {
        self.seats().contains(seat)
    }

    pub fn is_over(self) -> bool {
        self == Self::Over
    }
}
