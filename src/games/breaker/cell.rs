//! Cells of the unbounded table, and the four ways to face.

use serde::{Deserialize, Serialize};

use super::socket::Side;

/// A cell of the table. The Core lies on `(-2, 0)` to `(2, 0)`; north is up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    pub x: i8,
    pub y: i8,
}

impl Cell {
    pub const fn new(x: i8, y: i8) -> Self {
        Self { x, y }
    }

    /// The neighbour that way.
    #[inline]
    pub const fn step(self, facing: Facing) -> Self {
        let (x, y) = facing.delta();
        Self::new(self.x + x, self.y + y)
    }

    /// Its place in [`Ground`].
    #[inline]
    const fn index(self) -> usize {
        (self.y as usize % SPAN) * SPAN + self.x as usize % SPAN
    }
}

/// North, east, south or west: the way from a parent to its child.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Facing(u8);

impl Facing {
    pub const NORTH: Self = Self(0);
    pub const EAST: Self = Self(1);
    pub const SOUTH: Self = Self(2);
    pub const WEST: Self = Self(3);
    pub const ALL: [Self; 4] = [Self::NORTH, Self::EAST, Self::SOUTH, Self::WEST];

    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        const DELTAS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        DELTAS[(self.0 % 4) as usize]
    }

    #[inline]
    pub const fn turned(self, side: Side) -> Self {
        Self(
            (self.0
                + match side {
                    Side::Left => 3,
                    Side::Forward => 0,
                    Side::Right => 1,
                })
                % 4,
        )
    }

    #[inline]
    pub const fn opposite(self) -> Self {
        Self((self.0 + 2) % 4)
    }

    /// The side of a block facing this way that looks the `other` way; `None` for its back.
    #[inline]
    pub const fn side_towards(self, other: Self) -> Option<Side> {
        match (other.0 + 4 - self.0) % 4 {
            0 => Some(Side::Forward),
            1 => Some(Side::Right),
            3 => Some(Side::Left),
            _ => None,
        }
    }

    pub const fn name(self) -> &'static str {
        match self.0 % 4 {
            0 => "north",
            1 => "east",
            2 => "south",
            _ => "west",
        }
    }
}

/// A power of two that no table outgrows: the Core and 52 blocks in a row, with a socket looking out
/// at either end, span 59 cells.
const SPAN: usize = 64;

/// What lies on each cell. The plane is rolled up: cells 64 apart share a place, which no two
/// cells that matter at one time ever are.
#[derive(Clone)]
pub(super) struct Ground([u8; SPAN * SPAN]);

impl Ground {
    pub const fn new() -> Self {
        Self([0; SPAN * SPAN])
    }

    #[inline]
    pub const fn at(&self, cell: Cell) -> u8 {
        self.0[cell.index()]
    }

    #[inline]
    pub const fn set(&mut self, cell: Cell, what: u8) {
        self.0[cell.index()] = what;
    }

    #[inline]
    pub const fn is_empty(&self, cell: Cell) -> bool {
        self.at(cell) == 0
    }
}

impl std::fmt::Debug for Ground {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ground")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_to_the_left_of_north_is_west() {
        assert_eq!(Facing::NORTH.turned(Side::Left), Facing::WEST);
        assert_eq!(Facing::SOUTH.turned(Side::Left), Facing::EAST);
        for facing in Facing::ALL {
            for side in Side::ALL {
                assert_eq!(facing.side_towards(facing.turned(side)), Some(side));
            }
            assert_eq!(facing.side_towards(facing.opposite()), None);
            assert_eq!(
                Cell::new(4, -4).step(facing).step(facing.opposite()),
                Cell::new(4, -4)
            );
        }
    }

    #[test]
    fn no_two_cells_of_one_table_share_a_place() {
        let mut ground = Ground::new();
        for x in -55..=4 {
            assert!(ground.is_empty(Cell::new(x, 0)));
            ground.set(Cell::new(x, 0), 1);
        }
    }
}
