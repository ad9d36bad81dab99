//! The cells of the board: names for players, a grid and lines for speed.
//!
//! Inside the engine a cell is a place on a grid of 13 columns whose border lies off the board, so
//! that a step in any direction is one addition. Through each cell run three lines. A line's
//! occupancy is a word of bits, one a place, with a bit beyond either end that is always set: the
//! nearest particle on either side, or the edge, is one bit scan away.

use std::fmt;

use crate::board::hex::{Hex, HexBoard};
use crate::text::saved_by_name;

/// A hexagon of six cells a side.
pub const BOARD: HexBoard = HexBoard { radius: 5 };

/// The middle of the board.
pub const CENTRE: Cell = Cell::at(Hex::CENTRE);

/// Columns of the grid: eleven and the border.
const WIDTH: i8 = 13;
/// From axial coordinates to grid places.
const ORIGIN: i8 = 6;

/// How far one place along each of the three axes is on the grid: (0, 1), (1, 0) and (1, -1).
pub const STRIDE: [i16; 3] = [WIDTH as i16, 1, 1 - WIDTH as i16];

/// Three lines of eleven cells an axis at most; rounded up so that an index can't be out of bounds.
pub const LINES: usize = 64;
const LINES_AN_AXIS: u8 = 11;

/// The place of the centre on the lines that run through it, which are number 5 of each axis.
pub const CENTRE_PLACE: u32 = ORIGIN as u32;

/// One of the 91 cells, as a place on the grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

/// Where a cell lies on one of its lines.
#[derive(Clone, Copy, Debug)]
pub struct LinePlace {
    pub line: u8,
    pub place: u8,
}

impl Cell {
    pub const fn at(hex: Hex) -> Self {
        Self(((hex.r + ORIGIN) as u8) * WIDTH as u8 + (hex.q + ORIGIN) as u8)
    }

    pub const fn hex(self) -> Hex {
        let width = WIDTH as u8;
        Hex::new((self.0 % width) as i8 - ORIGIN, (self.0 / width) as i8 - ORIGIN)
    }

    pub fn named(name: &str) -> Option<Self> {
        BOARD.named(name).map(Self::at)
    }

    /// The place on the grid. Fits any array of 256.
    #[inline]
    pub const fn grid(self) -> usize {
        self.0 as usize
    }

    /// The place on the grid as it is stored; see [`Cell::from_grid`].
    #[inline]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// The cell at a place on the grid that is known to be on the board.
    #[inline]
    pub const fn from_grid(place: u8) -> Self {
        Self(place)
    }

    /// The three lines through this cell.
    #[inline]
    pub fn spots(self) -> &'static [LinePlace; 3] {
        &SPOTS[self.grid()]
    }

    /// `places` further along `axis`; the caller knows that this is on the board or its border.
    #[inline]
    pub const fn along(self, axis: usize, places: i16) -> Self {
        Self((self.0 as i16 + places * STRIDE[axis]) as u8)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of names: by column, then by number.
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        NAME_ORDER[self.grid()].cmp(&NAME_ORDER[other.grid()])
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BOARD.write_name(self.hex(), f)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

saved_by_name!(Cell, "cell");

/// All cells in the order of names.
const CELLS: [Hex; BOARD.len()] = {
    let mut cells = [Hex::CENTRE; BOARD.len()];
    let (mut next, mut place) = (0, 0);
    while next < cells.len() {
        let hex = Hex::new(place / 11 - 5, place % 11 - 5);
        if BOARD.contains(hex) {
            cells[next] = hex;
            next += 1;
        }
        place += 1;
    }
    cells
};

/// The lines of each cell; zero off the board.
static SPOTS: [[LinePlace; 3]; 256] = {
    let mut spots = [[LinePlace { line: 0, place: 0 }; 3]; 256];
    let mut next = 0;
    while next < CELLS.len() {
        let Hex { q, r } = CELLS[next];
        spots[Cell::at(CELLS[next]).grid()] = [spot(0, q, r), spot(1, r, q), spot(2, q + r, q)];
        next += 1;
    }
    spots
};

const fn spot(axis: u8, line: i8, place: i8) -> LinePlace {
    LinePlace {
        line: axis * LINES_AN_AXIS + (line + 5) as u8,
        place: (place + ORIGIN) as u8,
    }
}

/// The lines of an empty board: only the bits beyond their ends are set.
pub static EMPTY_LINES: [u16; LINES] = {
    let mut lines = [0; LINES];
    let mut number = -5;
    while number <= 5 {
        // A line has 11 cells through the centre and one fewer for each step away from it. Along a
        // column (axis 0) r runs from -5 - q to 5; along a row (axis 1) q does so likewise; along
        // the third axis q runs from s - 5 to 5.
        let (low, high): (i8, i8) = if number < 0 {
            (-5 - number, 5)
        } else {
            (-5, 5 - number)
        };
        let (low2, high2): (i8, i8) = if number < 0 {
            (-5, 5 + number)
        } else {
            (number - 5, 5)
        };
        let ends = (1 << (low - 1 + ORIGIN)) | (1 << (high + 1 + ORIGIN));
        let ends2 = (1 << (low2 - 1 + ORIGIN)) | (1 << (high2 + 1 + ORIGIN));
        let line = (number + 5) as usize;
        lines[line] = ends;
        lines[LINES_AN_AXIS as usize + line] = ends;
        lines[2 * LINES_AN_AXIS as usize + line] = ends2;
        number += 1;
    }
    lines
};

static NAME_ORDER: [u8; 256] = {
    let mut order = [0; 256];
    let mut next = 0;
    while next < CELLS.len() {
        order[Cell::at(CELLS[next]).grid()] = next as u8;
        next += 1;
    }
    order
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hex::DIRECTIONS;

    /// Every line's ends are where walking off the board ends, and the cell found by stride is the
    /// cell found by geometry.
    #[test]
    fn lines_and_strides_agree_with_the_geometry() {
        let axes = [DIRECTIONS[3], DIRECTIONS[2], DIRECTIONS[1]];
        for hex in BOARD.cells() {
            for (axis, &forward) in axes.iter().enumerate() {
                let cell = Cell::at(hex);
                let LinePlace { line, place } = cell.spots()[axis];
                let (mut ahead, mut steps) = (hex, 0);
                while BOARD.contains(ahead) {
                    assert_eq!(cell.along(axis, steps), Cell::at(ahead));
                    ahead = ahead.step(forward);
                    steps += 1;
                }
                let beyond = EMPTY_LINES[usize::from(line)] >> (place + 1);
                assert_eq!(beyond.trailing_zeros() + 1, steps as u32, "{hex:?} axis {axis}");
                assert_eq!(EMPTY_LINES[usize::from(line)].count_ones(), 2);
            }
        }
    }

    #[test]
    fn cells_sort_by_column_and_number() {
        let named = |name| Cell::named(name).unwrap();
        assert!(named("F2") < named("F10"));
        assert!(named("E9") < named("F1"));
        assert_eq!(CENTRE.to_string(), "F6");
    }
}
