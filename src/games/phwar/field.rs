//! The particles on the board, laid out for speed.

use super::cell::{CENTRE, CENTRE_PLACE, Cell, EMPTY_LINES, LINES};
use super::particle::{Kind, SLOTS};
use crate::game::Seat;
use crate::game::rng::mix;

/// The most players.
pub const SEATS: usize = 3;

/// Which particle it is: 0 for none, else one more than seat times nine plus slot.
type Code = u8;

const fn code(seat: Seat, slot: u8) -> Code {
    1 + seat.index() as u8 * SLOTS as u8 + slot
}

/// What each particle adds, as `seat` sees it, to the sum over a line of sight: its charge, and 8 if
/// it is the seat's own. Six particles can't sum to a charge of 8, so the two never mix: a victim
/// can be captured if the sum is at least 16 and divisible by 8.
static WEIGHT: [[i8; 32]; SEATS] = {
    let mut weights = [[0; 32]; SEATS];
    let mut viewer = 0;
    while viewer < SEATS {
        let mut owner = 0;
        while owner < SEATS {
            let mut slot = 0;
            while slot < SLOTS {
                let own = if owner == viewer { 8 } else { 0 };
                weights[viewer][1 + owner * SLOTS + slot] = Kind::of_slot(slot as u8).charge() + own;
                slot += 1;
            }
            owner += 1;
        }
        viewer += 1;
    }
    weights
};

/// The least sum of weights of a victim: two own particles.
const TWO_OWN: i8 = 16;

/// A random word for each kind and owner on each cell, for position keys.
static KEYS: [[[u64; 256]; 3]; SEATS] = {
    let mut keys = [[[0; 256]; 3]; SEATS];
    let mut seat = 0;
    while seat < SEATS {
        let mut kind = 0;
        while kind < 3 {
            let mut cell = 0;
            while cell < 256 {
                let number = ((seat * 3 + kind) * 256 + cell) as u64;
                keys[seat][kind][cell] = mix((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                cell += 1;
            }
            kind += 1;
        }
        seat += 1;
    }
    keys
};

/// Where everything stands.
#[derive(Clone, Debug)]
pub struct Field {
    codes: [Code; 256],
    lines: [u16; LINES],
    /// The cell of each particle; meaningful while its bit in `alive` is set.
    places: [[u8; 16]; SEATS],
    alive: [u16; SEATS],
    key: u64,
}

/// A particle with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Particle {
    pub seat: Seat,
    pub slot: u8,
    pub cell: Cell,
}

impl Particle {
    pub const fn kind(self) -> Kind {
        Kind::of_slot(self.slot)
    }
}

/// The nearest occupied places below and above on a line; the edge counts as occupied.
#[derive(Clone, Copy)]
struct Gap {
    low: u32,
    high: u32,
}

impl Field {
    pub fn empty() -> Self {
        Self {
            codes: [0; 256],
            lines: EMPTY_LINES,
            places: [[0; 16]; SEATS],
            alive: [0; SEATS],
            key: 0,
        }
    }

    /// A word that is the same for the same kinds and owners on the same cells.
    pub const fn key(&self) -> u64 {
        self.key
    }

    pub fn place(&mut self, particle: Particle) {
        let Particle { seat, slot, cell } = particle;
        self.codes[cell.grid()] = code(seat, slot);
        self.places[seat.index()][usize::from(slot & 15)] = cell.raw();
        self.alive[seat.index()] |= 1 << slot;
        self.toggle(particle);
    }

    pub fn remove(&mut self, particle: Particle) {
        self.codes[particle.cell.grid()] = 0;
        self.alive[particle.seat.index()] &= !(1 << particle.slot);
        self.toggle(particle);
    }

    /// Moves a particle onto an empty cell.
    #[inline]
    pub fn shift(&mut self, particle: Particle, to: Cell) {
        self.remove(particle);
        self.place(Particle { cell: to, ..particle });
    }

    #[inline]
    fn toggle(&mut self, particle: Particle) {
        for spot in particle.cell.spots() {
            self.lines[usize::from(spot.line) % LINES] ^= 1 << spot.place;
        }
        self.key ^= KEYS[particle.seat.index()][particle.kind() as usize][particle.cell.grid()];
    }

    pub fn at(&self, cell: Cell) -> Option<Particle> {
        let number = self.codes[cell.grid()].checked_sub(1)?;
        Some(Particle {
            seat: Seat::new(number / SLOTS as u8),
            slot: number % SLOTS as u8,
            cell,
        })
    }

    pub fn is_empty(&self, cell: Cell) -> bool {
        self.codes[cell.grid()] == 0
    }

    /// The particles of a seat, in slot order: electrons, positrons, neutron.
    #[inline]
    pub fn of(&self, seat: Seat) -> impl Iterator<Item = Particle> + '_ {
        let mut left = self.alive[seat.index()];
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let slot = left.trailing_zeros() as u8;
                left &= left - 1;
                let cell = Cell::from_grid(self.places[seat.index()][usize::from(slot & 15)]);
                Particle { seat, slot, cell }
            })
        })
    }

    pub fn count(&self, seat: Seat, kind: Kind) -> u32 {
        (self.alive[seat.index()] & kind.slots()).count_ones()
    }

    /// Whether a seat still has an electron, a positron and a neutron.
    pub fn is_whole(&self, seat: Seat) -> bool {
        Kind::ALL.iter().all(|&kind| self.count(seat, kind) > 0)
    }

    #[inline]
    fn gap(&self, line: u8, place: u8) -> Gap {
        let bits = u32::from(self.lines[usize::from(line) % LINES]);
        let place = u32::from(place);
        let below = bits & ((1 << place) - 1);
        let above = bits & (!1 << place);
        Gap {
            low: 31 ^ below.leading_zeros(),
            high: above.trailing_zeros(),
        }
    }

    /// The particles in the line of sight of a cell, at most one in each direction.
    pub fn in_sight(&self, cell: Cell) -> impl Iterator<Item = Particle> + '_ {
        (0..3)
            .flat_map(move |axis| self.ends(cell, axis))
            .filter_map(|end| self.at(end))
    }

    /// The nearest particles, or the border, on either side of a cell along an axis.
    #[inline]
    fn ends(&self, cell: Cell, axis: usize) -> [Cell; 2] {
        let spot = cell.spots()[axis];
        let Gap { low, high } = self.gap(spot.line, spot.place);
        let place = i16::from(spot.place);
        [
            cell.along(axis, low as i16 - place),
            cell.along(axis, high as i16 - place),
        ]
    }

    /// The sum of weights over the line of sight of `cell`, as `seat` sees it.
    #[inline]
    fn weight_at(&self, seat: Seat, cell: Cell) -> i8 {
        let weights = &WEIGHT[seat.index()];
        let mut sum = 0;
        for axis in 0..3 {
            for end in self.ends(cell, axis) {
                sum += weights[usize::from(self.codes[end.grid()] & 31)];
            }
        }
        sum
    }

    /// How many captures of the particle on `cell` are open to `seat`: one for each own particle in
    /// its line of sight if there are two or more and all charges in sight cancel out, else none.
    #[inline]
    pub fn captors(&self, seat: Seat, cell: Cell) -> usize {
        let sum = self.weight_at(seat, cell);
        if sum >= TWO_OWN && sum & 7 == 0 {
            sum as usize / 8
        } else {
            0
        }
    }

    /// The slides of a particle along one axis: the first and the last cell beside its own place, as
    /// distances. Where `centre` is guarded, no slide crosses the empty centre.
    #[inline]
    pub fn reach(&self, cell: Cell, axis: usize, centre_guarded: bool) -> Reach {
        let spot = cell.spots()[axis];
        let Gap { mut low, mut high } = self.gap(spot.line, spot.place);
        let place = u32::from(spot.place);
        let through_centre = spot.line % 11 == 5;
        if centre_guarded && through_centre && self.is_empty(CENTRE) {
            if place < CENTRE_PLACE {
                high = high.min(CENTRE_PLACE + 1);
            } else {
                low = low.max(CENTRE_PLACE - 1);
            }
        }
        Reach {
            back: (place - low - 1) as u8,
            forth: (high - place - 1) as u8,
        }
    }
}

/// How many empty cells a particle can slide over, in both directions of an axis.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub back: u8,
    pub forth: u8,
}

impl Reach {
    /// How many cells that is.
    #[inline]
    pub const fn count(self) -> usize {
        (self.back + self.forth) as usize
    }

    /// The slides as signed distances along the axis.
    pub fn steps(self) -> impl Iterator<Item = i16> {
        let back = (1..=i16::from(self.back)).map(|step| -step);
        back.chain(1..=i16::from(self.forth))
    }

    /// The slide with this number, in the order of [`Reach::steps`].
    #[inline]
    pub const fn nth(self, number: usize) -> i16 {
        if number < self.back as usize {
            -(number as i16) - 1
        } else {
            number as i16 - self.back as i16 + 1
        }
    }
}
