//! Where things lie in the picture.

use crate::board::square::SquareBoard;
use crate::draw::canvas::Rect;
use crate::draw::grid::BoardGrid;
use crate::draw::mask::Point;
use crate::games::fabric::cell::{Cell, LARGEST};
use crate::games::fabric::piece::Facing;

pub const WIDTH: u32 = 960;
pub const HEIGHT: u32 = 1204;
/// The height of the players' plates, with the gap above.
pub const PLATES: f32 = 132.0;
/// The middle of the line under the board.
pub const FOOT: f32 = 1097.0;
/// What is asked, under that line.
pub const CAPTION: Rect = Rect::new(
    24.0,
    FOOT + 25.0,
    WIDTH as f32 - 48.0,
    HEIGHT as f32 - FOOT - 33.0,
);

/// Space for row numbers on the left.
const LEFT: f32 = 48.0;
const TOP: f32 = PLATES + 16.0;
const SIDE: f32 = 880.0;

/// A board of some size on the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Layout(pub BoardGrid);

impl Layout {
    pub fn of(size: u8) -> Self {
        let size = size.clamp(1, LARGEST);
        // Whole pixels keep grid lines sharp.
        let cell = (SIDE / f32::from(size)).floor();
        let spare = SIDE - cell * f32::from(size);
        Self(BoardGrid {
            board: SquareBoard { size: size as i8 },
            corner: (LEFT + (spare / 2.0).floor(), TOP),
            cell,
            turned: false,
        })
    }

    pub fn square(self, cell: Cell) -> Rect {
        self.0.square(cell.place())
    }

    pub fn middle(self, cell: Cell) -> Point {
        self.0.middle(cell.place())
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
