//! Sockets by name, circuits, and the cells that Core sockets face.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cell::{Cell, Facing};
use crate::game::Seat;
use crate::text::names;

/// One of the three circuits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Circuit {
    I,
    #[allow(clippy::upper_case_acronyms, reason = "circuits have Roman numbers")]
    II,
    #[allow(clippy::upper_case_acronyms, reason = "circuits have Roman numbers")]
    III,
}

names! { Circuit { I = "I", II = "II", III = "III" } }

impl Circuit {
    /// The cell of the Core in which it lies.
    pub const fn cell(self) -> Cell {
        Cell::new(2 * (self as i8) - 2, 0)
    }
}

/// A socket of the Core; each player has these four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Port {
    /// On the player's side of a circuit.
    Over(Circuit),
    /// The west end for seat 1, the east end for seat 2.
    End,
}

impl Port {
    pub const ALL: [Self; 4] = [
        Self::Over(Circuit::I),
        Self::Over(Circuit::II),
        Self::Over(Circuit::III),
        Self::End,
    ];

    #[inline]
    pub const fn index(self) -> u8 {
        match self {
            Self::Over(circuit) => circuit as u8,
            Self::End => 3,
        }
    }

    /// The name by which its owner plays into it.
    pub fn name(self, owner: Seat) -> &'static str {
        match self {
            Self::Over(circuit) => circuit.name(),
            Self::End if owner.index() == 0 => "W",
            Self::End => "E",
        }
    }

    /// The circuit that it feeds: west belongs to I, east to III.
    #[inline]
    pub const fn circuit(self, owner: Seat) -> Circuit {
        match self {
            Self::Over(circuit) => circuit,
            Self::End if owner.index() == 0 => Circuit::I,
            Self::End => Circuit::III,
        }
    }

    /// The cell it faces, and the way it faces.
    #[inline]
    pub const fn faces(self, owner: Seat) -> (Cell, Facing) {
        let first = owner.index() == 0;
        match self {
            Self::Over(circuit) if first => (Cell::new(circuit.cell().x, 1), Facing::NORTH),
            Self::Over(circuit) => (Cell::new(circuit.cell().x, -1), Facing::SOUTH),
            Self::End if first => (Cell::new(-3, 0), Facing::WEST),
            Self::End => (Cell::new(3, 0), Facing::EAST),
        }
    }
}

/// A side of a block on which it may have a socket, seen from its parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    #[serde(rename = "L")]
    Left,
    #[serde(rename = "F")]
    Forward,
    #[serde(rename = "R")]
    Right,
}

impl Side {
    pub const ALL: [Self; 3] = [Self::Left, Self::Forward, Self::Right];

    /// Its bit in [`super::kind::Kind::sockets`].
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Forward => 'F',
            Self::Right => 'R',
        }
    }

    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'L' | 'l' => Some(Self::Left),
            'F' | 'f' => Some(Self::Forward),
            'R' | 'r' => Some(Self::Right),
            _ => None,
        }
    }
}

/// A socket as players write it: `II`, `W`, `7L`. Whose Core is meant follows from whose path it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Socket {
    Core(Port),
    /// A socket of the block with this number.
    Of(u16, Side),
}

impl Socket {
    /// Its name on the path of `owner`.
    pub fn named(self, owner: Seat) -> SocketName {
        SocketName { socket: self, owner }
    }
}

/// A socket with the path it belongs to, to be written out.
#[derive(Clone, Copy, Debug)]
pub struct SocketName {
    socket: Socket,
    owner: Seat,
}

impl fmt::Display for SocketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.socket {
            Socket::Core(port) => f.write_str(port.name(self.owner)),
            Socket::Of(number, side) => write!(f, "{number}{}", side.letter()),
        }
    }
}
