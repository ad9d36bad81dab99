//! The three kinds of piece, and the ways a Relay can face.

use serde::{Deserialize, Serialize};

use crate::text::{a, names};

/// A piece as it stands on the board. The order is the order of legal lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Warms the eight cells around it.
    Anchor,
    /// Scores where the field is in balance.
    Prism,
    /// Sends energy the way it faces.
    Relay(Facing),
}

impl Piece {
    /// Every piece that can be placed.
    pub const ALL: [Self; 6] = [
        Self::Anchor,
        Self::Prism,
        Self::Relay(Facing::North),
        Self::Relay(Facing::East),
        Self::Relay(Facing::South),
        Self::Relay(Facing::West),
    ];

    /// The piece's number in [`Piece::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Anchor => 0,
            Self::Prism => 1,
            Self::Relay(facing) => 2 + facing as usize,
        }
    }

    pub const fn kind(self) -> Kind {
        match self {
            Self::Anchor => Kind::Anchor,
            Self::Prism => Kind::Prism,
            Self::Relay(_) => Kind::Relay,
        }
    }

    pub const fn facing(self) -> Option<Facing> {
        match self {
            Self::Relay(facing) => Some(facing),
            Self::Anchor | Self::Prism => None,
        }
    }
}

/// What a piece is, whichever way it faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Anchor,
    Prism,
    Relay,
}

names! { Kind { Anchor = "Anchor", Prism = "Prism", Relay = "Relay" } }

impl Kind {
    /// With its article: "an Anchor".
    pub fn a_name(self) -> String {
        a(self.name())
    }

    /// What it is for, in a few words.
    pub const fn gist(self) -> &'static str {
        match self {
            Self::Anchor => "1 energy to each of the 8 cells around it",
            Self::Prism => "scores where opposite neighbours have equal energy",
            Self::Relay => "sends the energy behind it, and 1 more, 3 cells ahead",
        }
    }

    /// The letter that stands for it in notation.
    pub const fn letter(self) -> char {
        match self {
            Self::Anchor => 'A',
            Self::Prism => 'P',
            Self::Relay => 'R',
        }
    }
}

/// The way a Relay faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facing {
    North,
    East,
    South,
    West,
}

names! { Facing { North = "north", East = "east", South = "south", West = "west" } }

impl Facing {
    /// One cell further that way, as a step on the grid.
    #[inline]
    pub const fn step(self) -> i8 {
        match self {
            Self::North => 1,
            Self::East => 16,
            Self::South => -1,
            Self::West => -16,
        }
    }

    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    pub const fn arrow(self) -> char {
        match self {
            Self::North => '↑',
            Self::East => '→',
            Self::South => '↓',
            Self::West => '←',
        }
    }
}
