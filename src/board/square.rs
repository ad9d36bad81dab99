//! Square boards: files by letter from the left, ranks by number from the bottom.

/// A cell of a square board, file and rank counted from zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    pub file: i8,
    pub rank: i8,
}

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

    pub const fn step(self, (files, ranks): (i8, i8)) -> Self {
        Self::new(self.file + files, self.rank + ranks)
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

    pub fn name(self, square: Square) -> String {
        let letter = char::from(b'a'.saturating_add_signed(square.file));
        format!("{letter}{}", square.rank + 1)
    }

    /// The cell of this name, in any case.
    pub fn named(self, name: &str) -> Option<Square> {
        let mut characters = name.chars();
        let letter = characters.next()?.to_ascii_lowercase();
        let digits = characters.as_str();
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let rank: i8 = digits.parse().ok()?;
        let file = letter.is_ascii_lowercase().then(|| letter as i8 - b'a' as i8)?;
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
            for (index, square) in board.cells().enumerate() {
                assert_eq!(board.index(square), index);
                assert_eq!(board.named(&board.name(square).to_uppercase()), Some(square));
            }
        }
        let board = SquareBoard { size: 8 };
        for bad in ["", "a", "a0", "a9", "i1", "4d", "d+4", "dd4", "é4", "d004"] {
            assert_eq!(board.named(bad), None, "{bad}");
        }
    }

    #[test]
    fn north_is_up_and_east_is_right() {
        let board = SquareBoard { size: 8 };
        let d4 = board.named("d4").unwrap();
        assert_eq!(board.name(d4.step(COMPASS[0])), "d5");
        assert_eq!(board.name(d4.step(COMPASS[2])), "e4");
    }
}
