//! The message on which a turn is shown.
//!
//! A turn is one message: it is posted when the turn passes to somebody, and written anew while they are still on turn.
//! When the turn passes on, the next message tells all that was done in it.

use serde::{Deserialize, Serialize};

use super::delivery::{Sheet, Writing};
use crate::draw::Prose;
use crate::game::SeatSet;

/// The sheet of the present turn, and what belongs on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnSheet {
    /// Which one, of all that the match has had.
    pub number: u32,
    /// Whose turn it shows.
    pub awaited: SeatSet,
    /// What it told when the turn came to them. Nothing, if it tells more than a turn, such as how the match began: then
    /// it stays as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Prose>,
    /// What has been done in this turn so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Prose>,
}

impl TurnSheet {
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    /// This sheet, to write on it.
    pub const fn sheet(&self, writing: Writing) -> Sheet {
        Sheet::Turn {
            number: self.number,
            writing,
        }
    }

    /// A fresh sheet. What is on it already stays as it is, until the turn passes.
    pub fn next(&mut self, writing: Writing) -> Sheet {
        self.number += 1;
        self.before = None;
        self.sheet(writing)
    }

    /// Whether whoever is awaited now has been shown that they are.
    pub fn goes_on(&self, awaited: SeatSet) -> bool {
        awaited.iter().all(|seat| self.awaited.contains(seat))
    }
}
