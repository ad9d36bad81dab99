//! The cells of the board, and sets of them.
//!
//! Inside the engine a cell is a place on a grid of 16 by 16 of which the board takes the middle.
//! Three places of border on every side are as far as any piece reaches, so a step is one addition
//! and never leaves the grid. Files come first, so that places are in the order of names.

use std::fmt;

use crate::board::square::{Square, SquareBoard};
use crate::text::saved_by_name;

/// The most cells a side.
pub const LARGEST: u8 = 10;
/// The fewest.
pub const SMALLEST: u8 = 7;

/// Places of the grid.
pub const PLACES: usize = SIDE * SIDE;
const SIDE: usize = 16;
const BORDER: u8 = 3;

const NAMES: SquareBoard = SquareBoard { size: LARGEST as i8 };

/// The eight neighbours, as steps on the grid.
pub const AROUND: [i8; 8] = [1, 17, 16, 15, -1, -17, -16, -15];

/// A cell, as a place on the grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell at a file and rank, both counted from zero and below [`LARGEST`].
    pub const fn at(file: u8, rank: u8) -> Self {
        Self((file + BORDER) * SIDE as u8 + rank + BORDER)
    }

    pub const fn file(self) -> u8 {
        self.0 / SIDE as u8 - BORDER
    }

    pub const fn rank(self) -> u8 {
        self.0 % SIDE as u8 - BORDER
    }

    pub const fn place(self) -> Square {
        Square::new(self.file() as i8, self.rank() as i8)
    }

    /// The cell of this name on the largest board, in any case.
    pub fn named(name: &str) -> Option<Self> {
        NAMES
            .named(name)
            .map(|square| Self::at(square.file as u8, square.rank as u8))
    }

    /// The place on the grid. Fits any array of [`PLACES`].
    #[inline]
    pub const fn grid(self) -> usize {
        self.0 as usize
    }

    /// The place a step away; see [`AROUND`] and [`super::piece::Facing::step`].
    #[inline]
    pub const fn step(self, step: i8) -> Self {
        Self(self.0.wrapping_add_signed(step))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().fmt(f)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

saved_by_name!(Cell, "cell");

/// A set of places, one bit each, a word a file.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct CellSet([u16; SIDE]);

impl CellSet {
    pub const EMPTY: Self = Self([0; SIDE]);

    /// All cells of a board of this size.
    pub const fn board(size: u8) -> Self {
        let mut files = [0; SIDE];
        let mut file = 0;
        while file < size {
            files[(file + BORDER) as usize] = ((1 << size) - 1) << BORDER;
            file += 1;
        }
        Self(files)
    }

    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0[cell.grid() / SIDE] >> (cell.grid() % SIDE) & 1 != 0
    }

    /// Puts a cell in or takes it out.
    #[inline]
    pub const fn set(&mut self, cell: Cell, present: bool) {
        let file = &mut self.0[cell.grid() / SIDE];
        let place = cell.grid() % SIDE;
        *file = *file & !(1 << place) | (present as u16) << place;
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.iter().map(|file| file.count_ones() as usize).sum()
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|file| self.0[file] & other.0[file]))
    }

    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|file| self.0[file] & !other.0[file]))
    }

    /// Every place in a 3x3 square around a member. Members lie on the board, so nothing wraps.
    #[inline]
    pub fn spread(self) -> Self {
        let tall = self.0.map(|file| file | file << 1 | file >> 1);
        let at = |file: usize| tall.get(file).copied().unwrap_or(0);
        Self(std::array::from_fn(|file| {
            at(file) | at(file + 1) | at(file.wrapping_sub(1))
        }))
    }

    /// The members in the order of names.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        self.0.into_iter().enumerate().flat_map(|(file, mut left)| {
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let place = left.trailing_zeros() as u8;
                    left &= left - 1;
                    Cell((file * SIDE) as u8 + place)
                })
            })
        })
    }

    /// The member with this number in the order of names.
    #[inline]
    pub fn nth(self, mut number: usize) -> Option<Cell> {
        for (file, mut left) in self.0.into_iter().enumerate() {
            let here = left.count_ones() as usize;
            if number >= here {
                number -= here;
                continue;
            }
            for _ in 0..number {
                left &= left - 1;
            }
            return Some(Cell((file * SIDE) as u8 + left.trailing_zeros() as u8));
        }
        None
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.set(cell, true);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_names() {
        let all: Vec<Cell> = CellSet::board(10).iter().collect();
        assert_eq!(all.len(), 100);
        assert!(all.is_sorted());
        let names: Vec<String> = all[8..12].iter().map(Cell::to_string).collect();
        assert_eq!(names, ["a9", "a10", "b1", "b2"]);
        for (number, &cell) in all.iter().enumerate() {
            assert_eq!(Cell::named(&cell.to_string().to_uppercase()), Some(cell));
            assert_eq!(CellSet::board(10).nth(number), Some(cell));
        }
        assert_eq!(CellSet::board(10).nth(100), None);
        assert_eq!(Cell::named("k1"), None);
    }

    #[test]
    fn a_set_spreads_over_squares_of_nine() {
        let named =
            |names: &[&str]| -> CellSet { names.iter().filter_map(|name| Cell::named(name)).collect() };
        let blast = named(&["d4", "j10"]).spread().and(CellSet::board(10));
        let expected = [
            "c3", "c4", "c5", "d3", "d4", "d5", "e3", "e4", "e5", "i9", "i10", "j9", "j10",
        ];
        assert_eq!(blast, named(&expected));
        assert_eq!(blast.len(), expected.len());
        assert_eq!(blast.without(named(&expected[1..])), named(&["c3"]));
    }
}
