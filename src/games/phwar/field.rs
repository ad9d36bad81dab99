//! The particles on the board, laid out for speed.
//!
//! Search asks one question over and over: how many moves has this player, and which? Looking around
//! from each particle to answer it takes a hundred scans along lines. A step, however, changes what is
//! seen by a dozen particles only. So every particle keeps its [`Sight`], steps keep it up to date, and
//! to count is to add up a few words.

use super::cell::{CENTRE, CENTRE_PLACE, Cell, EMPTY_LINES, LINES};
use super::particle::{Kind, SLOTS};
use super::sight::{self, Sight};
use crate::game::Seat;
use crate::game::rng::mix;

/// The most players.
pub const SEATS: usize = 3;

/// Where everything stands, and what everything sees.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    codes: [Code; 256],
    /// Which places of each line are occupied; see [`super::cell`].
    lines: [u16; LINES],
    /// [`sight::GONE`] for a particle that is not on the board.
    sights: [Sight; CODES],
    /// The cell of each particle; meaningful while it is on the board.
    places: [u8; CODES],
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
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::of_slot(self.slot)
    }

    const fn code(self) -> Code {
        self.seat.index() as u8 * SLOTS as u8 + self.slot
    }
}

/// Which particle it is: seat times nine plus slot, or [`NOBODY`].
type Code = u8;

/// Stands on empty cells and beyond the border.
const NOBODY: Code = (SEATS * SLOTS) as u8;

/// Room for every code. A power of two: `code % CODES` costs nothing and spares the check of bounds.
const CODES: usize = 32;

/// What each particle adds to the sight of those who see it; nobody adds nothing.
static GIVES: [Sight; CODES] = {
    let mut gives = [0; CODES];
    let mut code = 0;
    while code < SEATS * SLOTS {
        gives[code] = sight::given(code / SLOTS, Kind::of_slot((code % SLOTS) as u8));
        code += 1;
    }
    gives
};

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

/// The nearest occupied places below and above on a line; the edge counts as occupied.
#[derive(Clone, Copy)]
struct Gap {
    low: u32,
    high: u32,
}

/// What lies around a cell along one axis: who stands nearest on either side, and how far off.
#[derive(Clone, Copy)]
struct Between {
    low: usize,
    high: usize,
    to_low: u32,
    to_high: u32,
}

impl Field {
    pub fn empty() -> Self {
        Self {
            codes: [NOBODY; 256],
            lines: EMPTY_LINES,
            sights: [sight::GONE; CODES],
            places: [0; CODES],
            alive: [0; SEATS],
            key: 0,
        }
    }

    /// A word that is the same for the same kinds and owners on the same cells.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Puts a particle on an empty cell: whoever stood face to face across that cell now sees the
    /// particle instead, and it sees them.
    #[inline]
    pub fn place(&mut self, particle: Particle) {
        let code = particle.code();
        let gives = GIVES[usize::from(code) % CODES];
        let mut sight = sight::NOTHING;
        for axis in 0..3 {
            let Between {
                low,
                high,
                to_low,
                to_high,
            } = self.between(particle.cell, axis);
            self.change(low, gives.wrapping_sub(GIVES[high]).wrapping_sub(to_high));
            self.change(high, gives.wrapping_sub(GIVES[low]).wrapping_sub(to_low));
            sight = sight.wrapping_add(GIVES[low]).wrapping_add(GIVES[high]) + (to_low - 1) + (to_high - 1);
        }
        self.sights[usize::from(code) % CODES] = sight;
        self.codes[particle.cell.grid()] = code;
        self.places[usize::from(code) % CODES] = particle.cell.raw();
        self.alive[particle.seat.index() % SEATS] |= 1 << particle.slot;
        self.toggle(particle);
    }

    /// Takes a particle off the board, the reverse of [`Field::place`].
    #[inline]
    pub fn remove(&mut self, particle: Particle) {
        let code = particle.code();
        let gives = GIVES[usize::from(code) % CODES];
        for axis in 0..3 {
            let gap = self.between(particle.cell, axis);
            self.change(
                gap.low,
                GIVES[gap.high].wrapping_add(gap.to_high).wrapping_sub(gives),
            );
            self.change(
                gap.high,
                GIVES[gap.low].wrapping_add(gap.to_low).wrapping_sub(gives),
            );
        }
        self.sights[usize::from(code) % CODES] = sight::GONE;
        self.codes[particle.cell.grid()] = NOBODY;
        self.alive[particle.seat.index() % SEATS] &= !(1 << particle.slot);
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
        self.key ^= KEYS[particle.seat.index() % SEATS][particle.kind() as usize][particle.cell.grid()];
    }

    /// The sight of nobody changes along with the others: asking who it is would cost more.
    #[inline]
    fn change(&mut self, code: usize, by: Sight) {
        let sight = &mut self.sights[code % CODES];
        *sight = sight.wrapping_add(by);
    }

    #[inline]
    pub fn at(&self, cell: Cell) -> Option<Particle> {
        let code = self.codes[cell.grid()];
        (code < NOBODY).then(|| Particle {
            seat: Seat::new(code / SLOTS as u8),
            slot: code % SLOTS as u8,
            cell,
        })
    }

    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.codes[cell.grid()] == NOBODY
    }

    /// The particles of a seat, in slot order: electrons, positrons, neutron.
    #[inline]
    pub fn of(&self, seat: Seat) -> impl Iterator<Item = Particle> + '_ {
        let mut left = self.alive[seat.index() % SEATS];
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let slot = left.trailing_zeros() as u8;
                left &= left - 1;
                self.particle(seat, slot)
            })
        })
    }

    /// The particle in a slot, which is on the board.
    #[inline]
    fn particle(&self, seat: Seat, slot: u8) -> Particle {
        let cell = Cell::from_grid(self.places[(seat.index() * SLOTS + usize::from(slot)) % CODES]);
        Particle { seat, slot, cell }
    }

    pub fn count(&self, seat: Seat, kind: Kind) -> u32 {
        (self.alive[seat.index() % SEATS] & kind.slots()).count_ones()
    }

    /// Whether a seat still has an electron, a positron and a neutron.
    pub fn is_whole(&self, seat: Seat) -> bool {
        let alive = self.alive[seat.index() % SEATS];
        Kind::ALL.iter().all(|kind| alive & kind.slots() != 0)
    }

    /// The sights of a seat's particles, by slot.
    #[inline]
    fn army(&self, seat: Seat) -> &[Sight] {
        &self.sights[seat.index() % SEATS * SLOTS..][..SLOTS]
    }

    /// How many captures of particles of `victim` are open to `seat`.
    #[inline]
    pub fn count_captures(&self, seat: Seat, victim: Seat) -> usize {
        let captures = self
            .army(victim)
            .iter()
            .map(|&sight| sight::captures(sight, seat));
        captures.sum::<u32>() as usize
    }

    /// How many captures of this particle are open to `seat`: one for each own particle that sees it.
    #[inline]
    pub fn captures_of(&self, victim: Particle, seat: Seat) -> usize {
        sight::captures(self.sights[usize::from(victim.code()) % CODES], seat) as usize
    }

    /// How many slides a seat has where nothing guards the centre.
    #[inline]
    pub fn count_slides(&self, seat: Seat) -> usize {
        let slides = self.army(seat).iter().map(|&sight| sight::slides(sight));
        slides.sum::<u32>() as usize
    }

    /// The particle that makes the slide with this number, and which of its own slides that is, where
    /// nothing guards the centre.
    #[inline]
    pub fn slider(&self, seat: Seat, mut number: usize) -> Option<(Particle, usize)> {
        for (slot, &sight) in self.army(seat).iter().enumerate() {
            let slides = sight::slides(sight) as usize;
            if number < slides {
                return Some((self.particle(seat, slot as u8), number));
            }
            number -= slides;
        }
        None
    }

    #[inline]
    fn gap(&self, line: u8, place: u8) -> Gap {
        let bits = u32::from(self.lines[usize::from(line) % LINES]);
        let below = bits & ((1 << place) - 1);
        let above = bits & (!1 << place);
        Gap {
            // Setting the lowest bit changes nothing, since a higher one is set, but spares the case
            // of no bits at all.
            low: (below | 1).ilog2(),
            high: above.trailing_zeros(),
        }
    }

    #[inline]
    fn between(&self, cell: Cell, axis: usize) -> Between {
        let spot = cell.spots()[axis];
        let Gap { low, high } = self.gap(spot.line, spot.place);
        let place = u32::from(spot.place);
        let (to_low, to_high) = (place - low, high - place);
        let code = |places: i16| usize::from(self.codes[cell.along(axis, places).grid()]) % CODES;
        Between {
            low: code(-(to_low as i16)),
            high: code(to_high as i16),
            to_low,
            to_high,
        }
    }

    /// The particles in the line of sight of a cell, at most one in each direction.
    pub fn in_sight(&self, cell: Cell) -> impl Iterator<Item = Particle> + '_ {
        let ends = (0..3).flat_map(move |axis| {
            let Between { to_low, to_high, .. } = self.between(cell, axis);
            [-(to_low as i16), to_high as i16].map(|places| cell.along(axis, places))
        });
        ends.filter_map(|end| self.at(end))
    }

    /// The slides of a particle along one axis. Where the centre is guarded, none crosses it.
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
            back: (place - low - 1) as i16,
            forth: (high - place - 1) as i16,
        }
    }
}

/// How many empty cells a particle can slide over, in both directions of an axis.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub back: i16,
    pub forth: i16,
}

impl Reach {
    /// How many cells that is.
    #[inline]
    pub const fn count(self) -> usize {
        (self.back + self.forth) as usize
    }

    /// The slide with this number as a signed distance along the axis.
    #[inline]
    pub const fn nth(self, number: usize) -> i16 {
        let number = number as i16;
        if number < self.back {
            -number - 1
        } else {
            number - self.back + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameRng;
    use crate::games::phwar::cell::BOARD;

    /// What a particle sees, by looking around.
    fn look(field: &Field, cell: Cell) -> Sight {
        let mut sight = sight::NOTHING;
        for seen in field.in_sight(cell) {
            sight = sight.wrapping_add(sight::given(seen.seat.index(), seen.kind()));
        }
        sight
            + (0..3)
                .map(|axis| field.reach(cell, axis, false).count() as Sight)
                .sum::<Sight>()
    }

    #[test]
    fn sights_stay_true_through_any_coming_and_going() {
        let mut rng = GameRng::quick(7);
        let mut field = Field::empty();
        let cells: Vec<Cell> = BOARD.cells().map(Cell::at).collect();
        for _ in 0..3000 {
            let cell = cells[rng.below(cells.len())];
            let seat = Seat::new(rng.below(SEATS) as u8);
            let slot = rng.below(SLOTS) as u8;
            let own = field.of(seat).find(|own| own.slot == slot);
            match (field.at(cell), own) {
                (Some(there), _) => field.remove(there),
                (None, Some(own)) => field.shift(own, cell),
                (None, None) => field.place(Particle { seat, slot, cell }),
            }
            for seat in Seat::all(SEATS as u8) {
                for particle in field.of(seat) {
                    let kept = field.sights[usize::from(particle.code())];
                    assert_eq!(kept, look(&field, particle.cell), "{particle:?}");
                }
                let alive = field
                    .army(seat)
                    .iter()
                    .filter(|&&sight| sight != sight::GONE)
                    .count();
                assert_eq!(alive, field.of(seat).count());
            }
        }
    }
}
