//! What everybody sees: Phase-Fabric hides nothing, not even the energy.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::field::Owned;
use super::piece::{Facing, Piece};
use super::{End, Fabric, MOST_PLACEMENTS};
use crate::game::Seat;

/// A position of Phase-Fabric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Cells a side.
    pub size: u8,
    pub target: u16,
    pub scores: [u16; 2],
    /// Whose turn it is, until the end.
    pub to_move: Option<Seat>,
    /// Placements so far, and how many there can be.
    pub placed: u16,
    pub placed_limit: u16,
    pub pieces: Vec<PieceView>,
    /// The energy of every cell: a list a rank, from rank 1, each from file a.
    pub energy: Vec<Vec<u8>>,
    pub end: Option<End>,
}

/// A piece and what it does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    pub cell: Cell,
    pub seat: Seat,
    pub piece: Piece,
    /// What a Relay sends to each cell of its beam.
    pub sends: u8,
    /// What a Prism would score with the field as it is: north-south, east-west.
    pub resonance: [u8; 2],
}

impl View {
    pub fn energy_at(&self, cell: Cell) -> u8 {
        let rank = self.energy.get(usize::from(cell.rank()));
        let energy = rank.and_then(|rank| rank.get(usize::from(cell.file())));
        energy.copied().unwrap_or(0)
    }

    pub fn piece_at(&self, cell: Cell) -> Option<&PieceView> {
        self.pieces.iter().find(|piece| piece.cell == cell)
    }

    /// Every cell, in the order of names.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size).flat_map(move |file| (0..size).map(move |rank| Cell::at(file, rank)))
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Placed {
        seat: Seat,
        piece: Piece,
        at: Cell,
        /// What a Relay sends from the start.
        sends: u8,
        /// Relays that send more, now that an Anchor feeds them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fed: Vec<Beam>,
    },
    /// Cells went over the limit, or were over it already and hit what came near.
    Detonated {
        seat: Seat,
        cells: Vec<Hot>,
        wrecks: Vec<Wreck>,
        points: u16,
        /// Relays that send less, now that Anchors are gone.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        starved: Vec<Beam>,
    },
    /// Prisms found the field in balance.
    Resonated { chords: Vec<Chord> },
    /// The scores after a turn that changed them.
    Scored { gained: [u16; 2], scores: [u16; 2] },
    /// A player left.
    Left { seat: Seat },
}

/// What a Relay sends now, and where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beam {
    pub relay: Cell,
    pub facing: Facing,
    pub sends: u8,
}

/// An overloaded cell and the energy it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hot {
    pub cell: Cell,
    pub energy: u8,
}

/// A piece that was destroyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wreck {
    pub cell: Cell,
    pub seat: Seat,
    pub piece: Piece,
}

/// A Prism that scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chord {
    pub cell: Cell,
    pub seat: Seat,
    /// The points of each axis, 0 for one out of balance.
    pub north_south: u8,
    pub east_west: u8,
}

impl Chord {
    pub const fn points(self) -> u16 {
        self.north_south as u16 + self.east_west as u16
    }
}

impl Fabric {
    pub(super) fn look(&self) -> View {
        let piece = |(cell, Owned { seat, piece }): (Cell, Owned)| PieceView {
            cell,
            seat,
            piece,
            sends: piece
                .facing()
                .map_or(0, |facing| self.field.projection(cell, facing)),
            resonance: match piece {
                Piece::Prism => self.field.resonance(cell),
                Piece::Anchor | Piece::Relay(_) => [0; 2],
            },
        };
        let rank = |rank: u8| {
            let cells = (0..self.size).map(|file| Cell::at(file, rank));
            cells.map(|cell| self.field.energy(cell)).collect()
        };
        View {
            size: self.size,
            target: self.target,
            scores: self.scores,
            to_move: self.end.is_none().then(|| self.to_move()),
            placed: self.placed,
            placed_limit: MOST_PLACEMENTS,
            pieces: self.pieces().map(piece).collect(),
            energy: (0..self.size).map(rank).collect(),
            end: self.end,
        }
    }
}
