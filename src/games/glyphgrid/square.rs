//! The 49 squares, and sets of them as words of bits.
//!
//! A square's number is eight times its rank plus its file, so the word has an empty column right of
//! file g and an empty row above rank 7. A step in any direction is one shift, and what leaves the
//! board lands in that margin, where a mask removes it.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXorAssign, Sub};

use crate::board::square::{COMPASS, LEAPS, Square, SquareBoard};
use crate::text::saved_by_name;

/// Files a to g, ranks 1 to 7.
pub const BOARD: SquareBoard = SquareBoard { size: 7 };

/// The difference of numbers between a square and the one above it.
const ROW: i8 = 8;

/// The square in the middle.
pub const CENTRE: GridSquare = GridSquare::at(Square::new(BOARD.size / 2, BOARD.size / 2));

/// One square of the board. Sorted rank by rank: a1, b1, … g7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GridSquare(u8);

impl GridSquare {
    /// The square at this place, which must be on the board.
    pub const fn at(place: Square) -> Self {
        Self(((place.rank * ROW + place.file) as u8) & 63)
    }

    pub const fn place(self) -> Square {
        Square::new(self.0 as i8 % ROW, self.0 as i8 / ROW)
    }

    pub fn named(name: &str) -> Option<Self> {
        BOARD.named(name).map(Self::at)
    }

    /// Fits any array of 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// As far beyond `over` as this square lies before it, if that is on the board.
    #[inline]
    pub const fn mirrored(self, over: Self) -> Option<Self> {
        let number = (2 * over.0 as i8 - self.0 as i8) as u8 & 63;
        if Squares::ALL.0 & (1 << number) != 0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// How many files and ranks away another square is.
    pub const fn offset(self, to: Self) -> (i8, i8) {
        let (from, to) = (self.place(), to.place());
        (to.file - from.file, to.rank - from.rank)
    }

    /// How many steps of VECTOR away another square is, on an empty board.
    #[inline]
    pub fn distance(self, to: Self) -> u8 {
        let (files, ranks) = self.offset(to);
        files.unsigned_abs().max(ranks.unsigned_abs())
    }

    /// The neighbours in all eight directions.
    #[inline]
    pub fn neighbours(self) -> Squares {
        NEIGHBOURS[self.index()]
    }

    /// The neighbours that share an edge.
    #[inline]
    pub fn edges(self) -> Squares {
        EDGES[self.index()]
    }

    /// The squares two steps away in a straight line.
    #[inline]
    pub fn far(self) -> Squares {
        FAR[self.index()]
    }

    /// The squares a knight's leap away.
    #[inline]
    pub fn leaps(self) -> Squares {
        LEAP[self.index()]
    }
}

impl fmt::Display for GridSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().fmt(f)
    }
}

impl fmt::Debug for GridSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

saved_by_name!(GridSquare, "square");

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Squares(u64);

impl Squares {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(0x007F_7F7F_7F7F_7F7F);

    #[inline]
    pub const fn one(square: GridSquare) -> Self {
        Self(1 << (square.0 & 63))
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub const fn contains(self, square: GridSquare) -> bool {
        self.0 & (1 << (square.0 & 63)) != 0
    }

    #[inline]
    pub const fn insert(&mut self, square: GridSquare) {
        self.0 |= Self::one(square).0;
    }

    #[inline]
    pub const fn remove(&mut self, square: GridSquare) {
        self.0 &= !Self::one(square).0;
    }

    /// The first square in the order of squares.
    #[inline]
    pub const fn first(self) -> Option<GridSquare> {
        if self.is_empty() {
            None
        } else {
            Some(GridSquare(self.0.trailing_zeros() as u8))
        }
    }

    /// The square with this number, counted from 0 in the order of squares.
    #[inline]
    pub fn nth(self, number: usize) -> Option<GridSquare> {
        let mut left = self.0;
        for _ in 0..number {
            left &= left.wrapping_sub(1);
        }
        Self(left).first()
    }

    /// The members, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = GridSquare> + Clone {
        let mut left = self;
        std::iter::from_fn(move || {
            let first = left.first()?;
            left.0 &= left.0 - 1;
            Some(first)
        })
    }

    /// The squares from which the squares at `offsets` are members as well. Offsets point up and to
    /// the right or to the left, never down.
    #[inline]
    pub const fn starts(self, offsets: &[(i8, i8); 3]) -> Self {
        let mut starts = self.0;
        let mut i = 0;
        while i < offsets.len() {
            let (files, ranks) = offsets[i];
            starts &= self.0 >> (ranks * ROW + files);
            i += 1;
        }
        Self(starts)
    }
}

impl BitAnd for Squares {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is in the first set and not in the second.
impl Sub for Squares {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Squares {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl FromIterator<GridSquare> for Squares {
    fn from_iter<I: IntoIterator<Item = GridSquare>>(squares: I) -> Self {
        let mut set = Self::NONE;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

static NEIGHBOURS: [Squares; 64] = around(&COMPASS, 1, 1);
static FAR: [Squares; 64] = around(&COMPASS, 1, 2);
static LEAP: [Squares; 64] = around(&LEAPS, 1, 1);
/// Even directions of the compass are orthogonal.
static EDGES: [Squares; 64] = around(&COMPASS, 2, 1);

/// For each square, what lies `times` offsets away; of the offsets, every `every`th counts.
const fn around(offsets: &[(i8, i8); 8], every: usize, times: i8) -> [Squares; 64] {
    let mut table = [Squares::NONE; 64];
    let mut cell = 0;
    while cell < BOARD.len() {
        let from = BOARD.at(cell);
        let mut i = 0;
        while i < offsets.len() {
            let to = from.step((offsets[i].0 * times, offsets[i].1 * times));
            if BOARD.contains(to) {
                table[GridSquare::at(from).index()].insert(GridSquare::at(to));
            }
            i += every;
        }
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_carry_their_names_and_sort_rank_by_rank() {
        let all: Vec<GridSquare> = Squares::ALL.iter().collect();
        assert_eq!(all.len(), 49);
        assert!(all.is_sorted());
        assert_eq!(all[0].to_string(), "a1");
        assert_eq!(all[48].to_string(), "g7");
        for square in all {
            assert_eq!(GridSquare::named(&square.to_string()), Some(square));
        }
    }

    /// The shift that finds the square beyond never wraps around an edge.
    #[test]
    fn mirroring_agrees_with_the_geometry() {
        for from in Squares::ALL.iter() {
            for over in from.neighbours().iter() {
                let beyond = over.place().step(from.offset(over));
                let expected = BOARD.contains(beyond).then(|| GridSquare::at(beyond));
                assert_eq!(from.mirrored(over), expected, "{from} over {over}");
            }
        }
    }
}
