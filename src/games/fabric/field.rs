//! The pieces on the board and the energy they give, kept up to date piece by piece.
//!
//! Only cells of the board ever hold energy: whatever would fall on the border is dropped there.
//! So an intake off the board reads nothing, a beam ends at the edge, and a Prism at the edge finds
//! no balance, without a word about edges in the rules that ask.

use super::cell::{AROUND, Cell, CellSet, PLACES};
use super::piece::{Facing, Piece};
use crate::game::Seat;
use crate::game::rng::mix;

/// "Overloads": a cell with this much energy detonates.
pub const OVERLOAD: u8 = 5;

/// How many cells a Relay projects onto.
pub const REACH: usize = 3;

/// Which piece it is: 0 for none, else one more than seat times six plus the piece's number.
type Code = u8;

const fn code(seat: Seat, piece: Piece) -> Code {
    (1 + (seat.index() & 1) * Piece::ALL.len() + piece.index()) as u8
}

/// A piece with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned {
    pub seat: Seat,
    pub piece: Piece,
}

/// What stands where, and the energy of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    board: CellSet,
    codes: [Code; PLACES],
    /// The energy that Anchors give; what Relays read.
    warmth: [u8; PLACES],
    /// All energy. No cell can have more than 8 from Anchors and 12 times 9 from Relays.
    energy: [u8; PLACES],
    /// The facings, as bits, of the Relays whose intake a cell is.
    feeds: [u8; PLACES],
    taken: CellSet,
    prisms: [CellSet; 2],
    overloaded: CellSet,
}

impl Field {
    /// What stands where, as one word.
    pub fn key(&self) -> u64 {
        self.codes.chunks(8).fold(0, |key, codes| {
            mix(codes
                .iter()
                .fold(key, |key, &code| key.rotate_left(8) ^ u64::from(code)))
        })
    }

    /// An empty board.
    pub fn empty(size: u8) -> Self {
        Self {
            board: CellSet::board(size),
            codes: [0; PLACES],
            warmth: [0; PLACES],
            energy: [0; PLACES],
            feeds: [0; PLACES],
            taken: CellSet::EMPTY,
            prisms: [CellSet::EMPTY; 2],
            overloaded: CellSet::EMPTY,
        }
    }

    /// All cells.
    pub const fn board(&self) -> CellSet {
        self.board
    }

    /// The cells with a piece on them.
    pub const fn taken(&self) -> CellSet {
        self.taken
    }

    /// The cells without one.
    #[inline]
    pub fn free(&self) -> CellSet {
        self.board.without(self.taken)
    }

    pub const fn prisms(&self, seat: Seat) -> CellSet {
        self.prisms[seat.index() & 1]
    }

    /// The cells whose energy is at [`OVERLOAD`] or above.
    pub const fn overloaded(&self) -> CellSet {
        self.overloaded
    }

    /// The cells that lack one energy to detonate, near a piece of this seat.
    pub fn primed(&self, prey: Seat) -> CellSet {
        let first = code(prey, Piece::ALL[0]);
        let own = first..first + Piece::ALL.len() as u8;
        let pieces: CellSet = self
            .taken
            .iter()
            .filter(|cell| own.contains(&self.codes[cell.grid()]))
            .collect();
        let near = pieces.spread().and(self.board);
        near.iter()
            .filter(|&cell| self.energy(cell) == OVERLOAD - 1)
            .collect()
    }

    #[inline]
    pub const fn energy(&self, cell: Cell) -> u8 {
        self.energy[cell.grid()]
    }

    pub fn at(&self, cell: Cell) -> Option<Owned> {
        let number = usize::from(self.codes[cell.grid()]).checked_sub(1)?;
        Some(Owned {
            seat: Seat::new((number / Piece::ALL.len()) as u8),
            piece: Piece::ALL[number % Piece::ALL.len()],
        })
    }

    /// "Relay": what a Relay that stands on `cell` projects, if it faces that way.
    #[inline]
    pub const fn projection(&self, cell: Cell, facing: Facing) -> u8 {
        self.warmth[cell.step(-facing.step()).grid()] + 1
    }

    /// The cells that a Relay projects onto.
    pub fn beam(&self, cell: Cell, facing: Facing) -> impl Iterator<Item = Cell> + '_ {
        let beam = (0..REACH).scan(cell, move |place, _| {
            *place = place.step(facing.step());
            Some(*place)
        });
        beam.filter(|&place| self.board.contains(place))
    }

    /// "Prism": what a Prism on `cell` scores along its two axes, north-south and east-west. Each
    /// pair of opposite neighbours must have equal energy, and nothing equals nothing for 0 points.
    #[inline]
    pub fn resonance(&self, cell: Cell) -> [u8; 2] {
        [Facing::North, Facing::East].map(|facing| {
            let ahead = self.energy(cell.step(facing.step()));
            let behind = self.energy(cell.step(-facing.step()));
            if ahead == behind { ahead } else { 0 }
        })
    }

    /// Puts a piece on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: Cell, Owned { seat, piece }: Owned) {
        self.codes[cell.grid()] = code(seat, piece);
        self.taken.set(cell, true);
        match piece {
            Piece::Anchor => self.warm(cell, 1),
            Piece::Prism => self.prisms[seat.index() & 1].set(cell, true),
            Piece::Relay(facing) => {
                self.feeds[cell.step(-facing.step()).grid()] |= 1 << facing as u8;
                self.project(cell, facing, self.projection(cell, facing) as i8);
            }
        }
    }

    /// Takes a piece off the board.
    #[inline]
    pub fn remove(&mut self, cell: Cell, Owned { seat, piece }: Owned) {
        self.codes[cell.grid()] = 0;
        self.taken.set(cell, false);
        match piece {
            Piece::Anchor => self.warm(cell, -1),
            Piece::Prism => self.prisms[seat.index() & 1].set(cell, false),
            Piece::Relay(facing) => {
                self.project(cell, facing, -(self.projection(cell, facing) as i8));
                self.feeds[cell.step(-facing.step()).grid()] &= !(1 << facing as u8);
            }
        }
    }

    /// "Anchor": changes what the eight neighbours get, and with each what the Relays that read it
    /// send on.
    #[inline]
    fn warm(&mut self, anchor: Cell, change: i8) {
        for step in AROUND {
            let cell = anchor.step(step);
            if !self.board.contains(cell) {
                continue;
            }
            let warmth = &mut self.warmth[cell.grid()];
            *warmth = warmth.wrapping_add_signed(change);
            self.charge(cell, change);
            let feeds = self.feeds[cell.grid()];
            if feeds != 0 {
                for facing in Facing::ALL {
                    if feeds & (1 << facing as u8) != 0 {
                        self.project(cell.step(facing.step()), facing, change);
                    }
                }
            }
        }
    }

    /// "Relay": changes what falls on the cells in front of one.
    #[inline]
    fn project(&mut self, relay: Cell, facing: Facing, change: i8) {
        let mut cell = relay;
        for _ in 0..REACH {
            cell = cell.step(facing.step());
            if !self.board.contains(cell) {
                break;
            }
            self.charge(cell, change);
        }
    }

    #[inline]
    fn charge(&mut self, cell: Cell, change: i8) {
        let energy = &mut self.energy[cell.grid()];
        *energy = energy.wrapping_add_signed(change);
        let over = *energy >= OVERLOAD;
        self.overloaded.set(cell, over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameRng;

    /// Whatever comes and goes in whatever order, the field depends on what stands there alone.
    #[test]
    fn removal_undoes_placement() {
        let mut rng = GameRng::quick(7);
        for size in 7..=10 {
            let mut field = Field::empty(size);
            for _ in 0..3000 {
                let before = field.clone();
                let cells: Vec<Cell> = field.board().iter().collect();
                let cell = cells[rng.below(cells.len())];
                let owned = Owned {
                    seat: Seat::new(rng.below(2) as u8),
                    piece: Piece::ALL[rng.below(6)],
                };
                match field.at(cell) {
                    Some(there) => field.remove(cell, there),
                    None => {
                        field.place(cell, owned);
                        assert_eq!(field.at(cell), Some(owned));
                        let mut undone = field.clone();
                        undone.remove(cell, owned);
                        assert_eq!(undone, before);
                    }
                }
            }
            for cell in field.taken().iter() {
                if let Some(owned) = field.at(cell) {
                    field.remove(cell, owned);
                }
            }
            assert_eq!(field, Field::empty(size));
        }
    }
}
