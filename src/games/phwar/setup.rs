//! A position written out: what saves keep, what tests build, and the opening.
//!
//! A [`Setup`] is untrusted; it becomes a [`Phwar`] only if it makes sense.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::field::{Field, Particle, SEATS};
use super::particle::{Kind, SLOTS};
use super::{End, Phwar};
use crate::board::hex::Hex;
use crate::game::Seat;

/// All there is to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub centre: bool,
    pub armies: Vec<Army>,
    pub to_move: Seat,
    /// Turns in a row without a capture.
    pub quiet: u16,
    /// Passes in a row.
    pub passes: u8,
    /// Keys of the positions since the last capture, this one included.
    pub seen: Vec<u64>,
    /// Who is out, in the order of leaving.
    pub out: Vec<Seat>,
    pub end: Option<End>,
}

/// The particles of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Army {
    /// Four electrons, four positrons, the neutron; `None` for one that is gone.
    pub cells: [Option<Cell>; SLOTS],
    /// How many of each kind were captured (those that left with their player don't count).
    pub lost: [u8; 3],
}

/// Why a saved position makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error("Phwar takes two or three players, not {0}")]
    Seats(usize),
    #[error("a player has too many particles of a kind; one of them stands on {0}")]
    Surplus(Cell),
    #[error("two particles stand on {0}")]
    Crowded(Cell),
    #[error("it is the move of a player who is out")]
    MoverOut,
    #[error("a position or a player is missing or counted twice")]
    Bookkeeping,
}

/// The opening of seat 1 for two; the others stand the same, turned about the centre.
const OPENING: [(i8, i8); SLOTS] = [
    // D2, F2, F3, H2
    (-2, -3),
    (0, -4),
    (0, -3),
    (2, -5),
    // E1, E2, G1, G2
    (-1, -4),
    (-1, -3),
    (1, -5),
    (1, -4),
    // F1
    (0, -5),
];

impl Setup {
    /// The opening for two or three.
    pub fn opening(seats: u8, centre: bool) -> Self {
        let sixths = 6 / seats.max(1);
        let army = |seat: Seat| Army {
            cells: OPENING.map(|(q, r)| {
                let turns = seat.index() as u8 * sixths;
                Some(Cell::at(Hex::new(q, r).turned_by(turns)))
            }),
            lost: [0; 3],
        };
        Self {
            centre,
            armies: Seat::all(seats).map(army).collect(),
            to_move: Seat::new(0),
            quiet: 0,
            passes: 0,
            seen: Vec::new(),
            out: Vec::new(),
            end: None,
        }
    }
}

impl TryFrom<Setup> for Phwar {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let seats = setup.armies.len();
        if !(2..=SEATS).contains(&seats) {
            return Err(SetupError::Seats(seats));
        }
        let mut field = Field::empty();
        let mut lost = [[0; 3]; SEATS];
        for (army, seat) in setup.armies.iter().zip(Seat::all(seats as u8)) {
            lost[seat.index()] = army.lost;
            for (slot, cell) in army.cells.iter().enumerate() {
                let Some(cell) = *cell else { continue };
                if !field.is_empty(cell) {
                    return Err(SetupError::Crowded(cell));
                }
                field.place(Particle {
                    seat,
                    slot: slot as u8,
                    cell,
                });
            }
        }
        let mut game = Self {
            field,
            seats: seats as u8,
            centre: setup.centre,
            to_move: setup.to_move,
            inside: Seat::all(seats as u8)
                .filter(|seat| !setup.out.contains(seat))
                .collect(),
            quiet: setup.quiet,
            passes: setup.passes,
            seen: setup.seen,
            out: setup.out,
            lost,
            end: setup.end,
        };
        let counted = game.out.len() + game.inside.len() == seats
            && game.quiet <= game.quiet_limit()
            && usize::from(game.passes) <= seats
            && game.seen.len() <= usize::from(game.quiet_limit()) + 1
            && lost.iter().flatten().all(|&lost| usize::from(lost) <= SLOTS);
        if !counted || matches!(game.end, Some(End::Centre(winner)) if !game.inside.contains(winner)) {
            return Err(SetupError::Bookkeeping);
        }
        if game.end.is_none() && !game.inside.contains(game.to_move) {
            return Err(SetupError::MoverOut);
        }
        // Whoever is alone has won.
        if game.end.is_none() && game.inside.len() < 2 {
            return Err(SetupError::Bookkeeping);
        }
        // A game that ended by a capture has met no position since.
        if game.seen.is_empty() && game.end.is_none() {
            game.seen.push(game.position_key());
        }
        Ok(game)
    }
}

impl Army {
    /// An army of these particles.
    pub fn of(particles: impl IntoIterator<Item = (Kind, Cell)>) -> Result<Self, SetupError> {
        let mut army = Self::default();
        for (kind, cell) in particles {
            let mut slots = (0..SLOTS).filter(|&slot| Kind::of_slot(slot as u8) == kind);
            let free = slots.find(|&slot| army.cells[slot].is_none());
            army.cells[free.ok_or(SetupError::Surplus(cell))?] = Some(cell);
        }
        Ok(army)
    }
}

impl From<Phwar> for Setup {
    fn from(game: Phwar) -> Self {
        let army = |seat: Seat| {
            let mut army = Army {
                cells: [None; SLOTS],
                lost: game.lost[seat.index()],
            };
            for particle in game.field.of(seat) {
                army.cells[usize::from(particle.slot)] = Some(particle.cell);
            }
            army
        };
        Self {
            centre: game.centre,
            armies: Seat::all(game.seats).map(army).collect(),
            to_move: game.to_move,
            quiet: game.quiet,
            passes: game.passes,
            seen: game.seen,
            out: game.out,
            end: game.end,
        }
    }
}
