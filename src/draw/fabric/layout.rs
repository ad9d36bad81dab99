//! Where things lie in the picture.

use crate::draw::canvas::Rect;
use crate::draw::mask::Point;
use crate::games::fabric::cell::Cell;
use crate::games::fabric::piece::Facing;

pub const WIDTH: u32 = 960;
pub const HEIGHT: u32 = 1124;
/// The height of the players' plates, with the gap above.
pub const PLATES: f32 = 132.0;
/// The middle of the line under the board.
pub const FOOT: f32 = HEIGHT as f32 - 27.0;

/// Space for row numbers on the left.
const LEFT: f32 = 48.0;
const TOP: f32 = PLATES + 16.0;
const SIDE: f32 = 880.0;

/// A board of some size on the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub size: u8,
    /// The side of a cell.
    pub cell: f32,
}

impl Layout {
    pub fn of(size: u8) -> Self {
        let size = size.max(1);
        Self {
            size,
            // Whole pixels keep grid lines sharp.
            cell: (SIDE / f32::from(size)).floor(),
        }
    }

    /// The whole board.
    pub fn board(self) -> Rect {
        let side = self.cell * f32::from(self.size);
        Rect::new(LEFT + ((SIDE - side) / 2.0).floor(), TOP, side, side)
    }

    pub fn square(self, cell: Cell) -> Rect {
        self.square_at(f32::from(cell.file()), f32::from(cell.rank()))
    }

    fn square_at(self, file: f32, rank: f32) -> Rect {
        let board = self.board();
        let from_top = f32::from(self.size) - 1.0 - rank;
        Rect::new(
            board.x + file * self.cell,
            board.y + from_top * self.cell,
            self.cell,
            self.cell,
        )
    }

    pub fn middle(self, cell: Cell) -> Point {
        self.square(cell).centre()
    }
}

/// One step that way on the screen.
pub const fn way(facing: Facing) -> Point {
    match facing {
        Facing::North => (0.0, -1.0),
        Facing::East => (1.0, 0.0),
        Facing::South => (0.0, 1.0),
        Facing::West => (-1.0, 0.0),
    }
}

/// A point `ahead` and to the `right` of another, as somebody sees it who looks that way.
pub fn towards((x, y): Point, facing: Facing, ahead: f32, right: f32) -> Point {
    let (dx, dy) = way(facing);
    (x + dx * ahead - dy * right, y + dy * ahead + dx * right)
}
