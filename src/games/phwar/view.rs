//! What everybody sees: Phwar hides nothing.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::particle::Kind;
use super::{End, Phwar};
use crate::game::Seat;

/// A position of Phwar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub centre: bool,
    pub armies: Vec<ArmyView>,
    /// Whose move it is, until the end.
    pub to_move: Option<Seat>,
    /// Turns in a row without a capture, and how many of them make a draw.
    pub quiet: u16,
    pub quiet_limit: u16,
    /// How often this position has been on the board; the third time is a draw.
    pub occurrences: usize,
    /// Enemies that the player to move can, and so must, capture.
    pub capturable: Vec<Cell>,
    pub end: Option<End>,
}

/// One player's side of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArmyView {
    pub seat: Seat,
    pub inside: bool,
    pub electrons: Vec<Cell>,
    pub positrons: Vec<Cell>,
    pub neutrons: Vec<Cell>,
    /// Captured by others: electrons, positrons, neutrons.
    pub lost: [u8; 3],
}

impl ArmyView {
    pub fn cells(&self, kind: Kind) -> &[Cell] {
        match kind {
            Kind::Electron => &self.electrons,
            Kind::Positron => &self.positrons,
            Kind::Neutron => &self.neutrons,
        }
    }

    /// Every particle with its kind.
    pub fn particles(&self) -> impl Iterator<Item = (Kind, Cell)> + '_ {
        Kind::ALL
            .into_iter()
            .flat_map(|kind| self.cells(kind).iter().map(move |&cell| (kind, cell)))
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Slid {
        seat: Seat,
        kind: Kind,
        from: Cell,
        to: Cell,
    },
    Captured {
        seat: Seat,
        kind: Kind,
        from: Cell,
        to: Cell,
        victim: Seat,
        taken: Kind,
    },
    Passed {
        seat: Seat,
    },
    /// A player lacks a kind of particle and is out; the rest of the army is taken off the board.
    Eliminated {
        seat: Seat,
        lacks: Vec<Kind>,
    },
    /// A player left, with all particles.
    Left {
        seat: Seat,
    },
}

impl Phwar {
    pub(super) fn look(&self) -> View {
        let army = |seat: Seat| {
            let cells = |kind: Kind| {
                let own = self.field.of(seat).filter(|particle| particle.kind() == kind);
                let mut cells: Vec<Cell> = own.map(|particle| particle.cell).collect();
                cells.sort_unstable();
                cells
            };
            ArmyView {
                seat,
                inside: self.inside.contains(seat),
                electrons: cells(Kind::Electron),
                positrons: cells(Kind::Positron),
                neutrons: cells(Kind::Neutron),
                lost: self.lost[seat.index()],
            }
        };
        let to_move = self.end.is_none().then_some(self.to_move);
        let mut capturable: Vec<Cell> = match to_move {
            Some(seat) => self.victims(seat).map(|victim| victim.cell).collect(),
            None => Vec::new(),
        };
        capturable.sort_unstable();
        let key = self.position_key();
        View {
            centre: self.centre,
            armies: Seat::all(self.seats).map(army).collect(),
            to_move,
            quiet: self.quiet,
            quiet_limit: self.quiet_limit(),
            occurrences: self.seen.iter().filter(|&&seen| seen == key).count(),
            capturable,
            end: self.end,
        }
    }
}
