//! Square boards: files by letter from the left, ranks by number from the bottom.

use std::fmt;

use super::letter_and_number;
use crate::text::{leading, saved_by_name};

/// A cell of a square board, file and rank counted from zero. It is shown and saved by its name, and sorted like
/// [`SquareBoard::cells`]: a1, b1, … a2.
///
/// ```
/// use parlor::board::square::Square;
///
/// let e4 = Square::named("E4").ok_or("no such cell")?;
/// assert_eq!(e4.step((1, 1)).to_string(), "f5");
/// assert_eq!(serde_json::to_string(&e4)?, "\"e4\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    pub rank: i8,
    pub file: i8,
}

saved_by_name!(Square, "cell");

/// The longest side of a board.
const LONGEST: SquareBoard = SquareBoard { size: 26 };

/// The eight ways to a neighbour, clockwise from north. Even ones are orthogonal.
pub const COMPASS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// What these ways are called.
const WAYS: [&str; 8] = [
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
];

/// What the way of so many files to the right and ranks up is called; nothing if it is not straight.
///
/// ```
/// assert_eq!(parlor::board::square::way((-2, 2)), Some("northwest"));
/// assert_eq!(parlor::board::square::way((1, 2)), None);
/// ```
pub fn way((files, ranks): (i8, i8)) -> Option<&'static str> {
    let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let step = (files.signum(), ranks.signum());
    let at = COMPASS.iter().position(|&way| straight && way == step)?;
    WAYS.get(at).copied()
}

/// The eight leaps of a knight.
pub const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Square {
    pub const fn new(file: i8, rank: i8) -> Self {
        Self { file, rank }
    }

    /// The cell so many files to the right and ranks up, on the board or not.
    pub const fn step(self, (files, ranks): (i8, i8)) -> Self {
        Self::new(self.file + files, self.rank + ranks)
    }

    /// The cell of this name on the largest board, in any case; see [`SquareBoard::named`].
    pub fn named(name: &str) -> Option<Self> {
        LONGEST.named(name)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a'.saturating_add_signed(self.file));
        write!(f, "{letter}{}", i16::from(self.rank) + 1)
    }
}

/// A board of `size` by `size` cells, at most 26.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareBoard {
    pub size: i8,
}

impl SquareBoard {
    pub const fn contains(self, square: Square) -> bool {
        0 <= square.file && square.file < self.size && 0 <= square.rank && square.rank < self.size
    }

    /// Which cells there are, for somebody who named another: "columns go from a to h, and rows from 1 to 8".
    pub fn extent(self) -> String {
        let last = self.at(self.len().saturating_sub(1)).to_string();
        let (letter, number) = leading(&last, char::is_alphabetic);
        format!("columns go from a to {letter}, and rows from 1 to {number}")
    }

    pub const fn len(self) -> usize {
        (self.size as usize) * (self.size as usize)
    }

    pub const fn is_empty(self) -> bool {
        self.size == 0
    }

    /// A number for each cell: a1 is 0, b1 is 1, and so on rank by rank.
    pub const fn index(self, square: Square) -> usize {
        square.rank as usize * self.size as usize + square.file as usize
    }

    /// The cell with this number.
    pub const fn at(self, index: usize) -> Square {
        let size = self.size as usize;
        Square::new((index % size) as i8, (index / size) as i8)
    }

    /// All cells in the order of their numbers.
    pub fn cells(self) -> impl Iterator<Item = Square> {
        (0..self.len()).map(move |index| self.at(index))
    }

    /// The cell of this name, in any case.
    pub fn named(self, name: &str) -> Option<Square> {
        let (file, rank) = letter_and_number(name)?;
        let square = Square::new(file, rank - 1);
        self.contains(square).then_some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_read_back() {
        for size in 7..=10 {
            let board = SquareBoard { size };
            assert!(board.cells().is_sorted());
            for (index, square) in board.cells().enumerate() {
                assert_eq!(board.index(square), index);
                assert_eq!(board.named(&square.to_string().to_uppercase()), Some(square));
            }
        }
        let board = SquareBoard { size: 8 };
        for bad in ["", "a", "a0", "a9", "i1", "4d", "d+4", "dd4", "é4", "d004"] {
            assert_eq!(board.named(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_cell_is_saved_by_its_name() {
        let saved = serde_json::to_string(&Square::new(9, 11)).unwrap();
        assert_eq!(saved, "\"j12\"");
        assert_eq!(
            serde_json::from_str::<Square>(&saved).unwrap(),
            Square::new(9, 11)
        );
        for bad in ["\"a27\"", "\"a0\"", "\"\"", "7"] {
            assert!(serde_json::from_str::<Square>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn north_is_up_and_east_is_right() {
        let board = SquareBoard { size: 8 };
        let d4 = board.named("d4").unwrap();
        assert_eq!(d4.step(COMPASS[0]).to_string(), "d5");
        assert_eq!(d4.step(COMPASS[2]).to_string(), "e4");
    }
}
