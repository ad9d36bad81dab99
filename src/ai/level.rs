//! How strong an opponent is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// From 1, who loses to a beginner, to 5, who thinks as long as is polite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Level(u8);

impl Level {
    pub const ALL: [Self; 5] = [Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The level of this number, 1 to 5.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=5 => Some(Self(number)),
            _ => None,
        }
    }

    pub const fn number(self) -> u8 {
        self.0
    }

    /// Who that is, in a sentence for players.
    pub const fn describe(self) -> &'static str {
        match self.0 {
            1 => "Has just learnt the rules and often plays the first thing that comes to mind.",
            2 => "Sees what is right in front of it, and now and then forgets to look.",
            3 => "Thinks a little ahead: a fair match once you know the game.",
            4 => "Thinks well ahead and rarely gives anything away.",
            _ => "Takes its time, up to ten seconds a turn, and plays as well as it can.",
        }
    }

    /// Its place in a list of all levels.
    pub(super) const fn index(self) -> usize {
        (self.0 as usize - 1) % Self::ALL.len()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// There is no such level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there's no level {0}; levels go from 1 to 5")]
pub struct UnknownLevel(pub u8);

impl TryFrom<u8> for Level {
    type Error = UnknownLevel;

    fn try_from(number: u8) -> Result<Self, UnknownLevel> {
        Self::new(number).ok_or(UnknownLevel(number))
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}
