//! How a game ended.

use std::borrow::Cow;

use serde::Serialize;

use super::{Seat, SeatSet};

/// The end of a game: everybody's rank and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// One rank a seat; 1 is best, and equal ranks share the place.
    pub ranks: Vec<u8>,
    /// A short phrase in plain words: "last player with particles".
    pub reason: Cow<'static, str>,
}

impl Outcome {
    pub fn new(ranks: Vec<u8>, reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            ranks,
            reason: reason.into(),
        }
    }

    /// One seat wins, all others share second place.
    pub fn win(winner: Seat, seats: u8, reason: impl Into<Cow<'static, str>>) -> Self {
        let ranks = Seat::all(seats).map(|seat| if seat == winner { 1 } else { 2 });
        Self::new(ranks.collect(), reason)
    }

    /// Everybody shares first place.
    pub fn draw(seats: u8, reason: impl Into<Cow<'static, str>>) -> Self {
        Self::new(vec![1; usize::from(seats)], reason)
    }

    /// The seats that share first place.
    pub fn winners(&self) -> SeatSet {
        Seat::all(self.ranks.len() as u8)
            .filter(|seat| self.ranks[seat.index()] == 1)
            .collect()
    }

    /// Whether the first place is shared.
    pub fn is_draw(&self) -> bool {
        self.winners().len() > 1
    }
}
