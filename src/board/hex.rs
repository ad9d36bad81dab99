//! A hexagon of hexagons: flat-top cells, axial coordinates, columns by letter.

use std::fmt;

use super::letter_and_number;

/// A cell in axial coordinates. Up is (0, -1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hex {
    pub q: i8,
    pub r: i8,
}

/// The six directions, clockwise from up. Direction `d + 3` is the opposite of `d`.
pub const DIRECTIONS: [Hex; 6] = [
    Hex::new(0, -1),
    Hex::new(1, -1),
    Hex::new(1, 0),
    Hex::new(0, 1),
    Hex::new(-1, 1),
    Hex::new(-1, 0),
];

impl Hex {
    pub const CENTRE: Self = Self::new(0, 0);

    pub const fn new(q: i8, r: i8) -> Self {
        Self { q, r }
    }

    pub const fn step(self, direction: Self) -> Self {
        Self::new(self.q + direction.q, self.r + direction.r)
    }

    /// How many steps from the centre.
    pub const fn distance_from_centre(self) -> i8 {
        let Self { q, r } = self;
        let s = q + r;
        let (q, r, s) = (q.abs(), r.abs(), s.abs());
        if q >= r && q >= s {
            q
        } else if r >= s {
            r
        } else {
            s
        }
    }

    /// Turned about the centre by a sixth of a circle, clockwise as drawn.
    pub const fn turned(self) -> Self {
        Self::new(-self.r, self.q + self.r)
    }

    /// Turned by `sixths` sixths of a circle, clockwise as drawn.
    pub const fn turned_by(self, sixths: u8) -> Self {
        let mut hex = self;
        let mut left = sixths % 6;
        while left > 0 {
            hex = hex.turned();
            left -= 1;
        }
        hex
    }

    /// Where the middle of this cell lies, in units of the distance from a cell's middle to its
    /// corner; x grows to the right and y downwards.
    pub fn middle(self) -> (f32, f32) {
        let (q, r) = (f32::from(self.q), f32::from(self.r));
        (1.5 * q, 3f32.sqrt() * (r + q / 2.0))
    }
}

/// All cells at most `radius` steps from the centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexBoard {
    pub radius: i8,
}

impl HexBoard {
    pub const fn contains(self, hex: Hex) -> bool {
        hex.distance_from_centre() <= self.radius
    }

    /// How many cells there are.
    pub const fn len(self) -> usize {
        let radius = self.radius as usize;
        3 * radius * (radius + 1) + 1
    }

    pub const fn is_empty(self) -> bool {
        false
    }

    /// The cells, column by column from the left, each column from its lowest number up.
    pub fn cells(self) -> impl Iterator<Item = Hex> {
        let radius = self.radius;
        (-radius..=radius)
            .flat_map(move |q| (-radius..=radius).map(move |r| Hex::new(q, r)))
            .filter(move |&hex| self.contains(hex))
    }

    /// The name of a cell: a letter for the column, then a number that grows downwards and starts
    /// higher in the shorter columns, so that rows of numbers run level across the board.
    pub fn name(self, hex: Hex) -> String {
        let mut name = String::new();
        // Writing to a string does not fail.
        _ = self.write_name(hex, &mut name);
        name
    }

    pub fn write_name(self, hex: Hex, to: &mut impl fmt::Write) -> fmt::Result {
        to.write_char(char::from(b'A'.saturating_add_signed(hex.q + self.radius)))?;
        write!(to, "{}", hex.r + half(hex.q) + self.radius + 1)
    }

    /// The cell of this name, in any case.
    pub fn named(self, name: &str) -> Option<Hex> {
        let (column, number) = letter_and_number(name)?;
        let q = column - self.radius;
        let r = number - half(q) - self.radius - 1;
        let hex = Hex::new(q, r);
        self.contains(hex).then_some(hex)
    }
}

/// Half a column number, rounded down for odd columns left of the centre too.
const fn half(q: i8) -> i8 {
    (q - (q & 1)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: HexBoard = HexBoard { radius: 5 };

    #[test]
    fn a_board_of_side_six_has_91_cells_in_name_order() {
        let cells: Vec<Hex> = BOARD.cells().collect();
        assert_eq!(cells.len(), 91);
        assert_eq!(BOARD.len(), 91);
        assert_eq!(BOARD.name(cells[0]), "A3");
        assert_eq!(BOARD.name(cells[90]), "K8");
    }

    #[test]
    fn columns_start_where_the_rules_say() {
        let first = |letter: &str| (1..=11).find(|n| BOARD.named(&format!("{letter}{n}")).is_some());
        for (letters, start) in [("ABJK", 3), ("CDHI", 2), ("EFG", 1)] {
            for letter in letters.split("").filter(|l| !l.is_empty()) {
                assert_eq!(first(letter), Some(start), "column {letter}");
            }
        }
        assert_eq!(BOARD.named("F6"), Some(Hex::CENTRE));
    }

    #[test]
    fn names_read_back() {
        for hex in BOARD.cells() {
            assert_eq!(BOARD.named(&BOARD.name(hex).to_lowercase()), Some(hex));
        }
        for bad in [
            "", "F", "6", "F0", "F12", "A2", "L5", "F+6", "F-1", "F006", "é6", "F٣", "~5",
        ] {
            assert_eq!(BOARD.named(bad), None, "{bad}");
        }
    }

    #[test]
    fn six_turns_bring_a_cell_home() {
        let hex = Hex::new(5, -2);
        assert_eq!(hex.turned_by(6), hex);
        assert_eq!(hex.turned_by(3), Hex::new(-5, 2));
        assert_eq!(DIRECTIONS[0].turned(), DIRECTIONS[1]);
    }
}
