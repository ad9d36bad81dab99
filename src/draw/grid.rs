//! A square board on the sheet: where each cell lies, whichever way the board is turned, and the names around it.

use super::canvas::Rect;
use super::mask::Point;
use super::{Align, Canvas, Ink, Style};
use crate::board::square::{Square, SquareBoard};
use crate::text::leading;

/// Where a square board lies in a picture.
///
/// ```
/// use parlor::board::square::{Square, SquareBoard};
/// use parlor::draw::grid::BoardGrid;
///
/// let grid = BoardGrid { board: SquareBoard { size: 8 }, corner: (40.0, 100.0), cell: 110.0, turned: false };
/// let a1 = Square::new(0, 0);
/// assert_eq!(grid.square(a1).x, 40.0);
/// assert_eq!(grid.square(a1).bottom(), grid.area().bottom());
/// assert_eq!(grid.turned(true).middle(a1), grid.middle(Square::new(7, 7)));
///
/// let small = BoardGrid { board: SquareBoard { size: 2 }, ..grid };
/// let text = small.text(|cell| if cell == a1 { " X".to_owned() } else { " .".to_owned() });
/// assert_eq!(text, "    a b\n2   . . 2\n1   X . 1\n    a b\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardGrid {
    pub board: SquareBoard,
    /// The upper left corner of the board.
    pub corner: Point,
    /// The side of a cell.
    pub cell: f32,
    /// Whether the last rank lies at the bottom, for the player on the far side.
    pub turned: bool,
}

impl BoardGrid {
    /// The same board, turned or not.
    #[must_use]
    pub const fn turned(self, turned: bool) -> Self {
        Self { turned, ..self }
    }

    /// The whole board.
    #[must_use]
    pub fn area(self) -> Rect {
        let side = self.cell * f32::from(self.board.size);
        Rect::new(self.corner.0, self.corner.1, side, side)
    }

    /// The cell in a column from the left and a row from the top, both from 0.
    #[must_use]
    pub const fn at(self, column: i8, row: i8) -> Square {
        let last = self.board.size - 1;
        if self.turned {
            Square::new(last - column, row)
        } else {
            Square::new(column, last - row)
        }
    }

    #[must_use]
    pub fn square(self, square: Square) -> Rect {
        // Turning twice leads back, so the same sum finds column and row.
        let Square { file, rank } = self.at(square.file, square.rank);
        let (column, row) = (f32::from(file), f32::from(rank));
        let corner = (
            self.corner.0 + column * self.cell,
            self.corner.1 + row * self.cell,
        );
        Rect::new(corner.0, corner.1, self.cell, self.cell)
    }

    #[must_use]
    pub fn middle(self, square: Square) -> Point {
        self.square(square).centre()
    }

    /// The cells in two tones, in a frame of lines.
    pub fn chequer(self, canvas: &mut Canvas, tones: [Ink; 2]) {
        canvas.round_rect(self.area().inset(-4.0), 8.0, Ink::Line);
        for square in self.board.cells() {
            let tone = tones[usize::from((square.file + square.rank) % 2 != 0)];
            canvas.rect(self.square(square).inset(0.5), tone);
        }
    }

    /// The letters of files so far below the board, and the numbers of ranks so far left of it.
    pub fn names(self, canvas: &mut Canvas, (left, below): (f32, f32), size: f32, ink: Ink) {
        let style = Style::bold(size).align(Align::Centre);
        let area = self.area();
        for number in 0..self.board.size {
            let name = self.at(number, number).to_string();
            let (letter, rank) = leading(&name, char::is_alphabetic);
            let (x, y) = self.middle(self.at(number, number));
            canvas.text(x, area.bottom() + below, letter, style, ink);
            canvas.text(area.x - left, y, rank, style, ink);
        }
    }

    /// The board in fixed width, with names on all sides. What `sign` says of a cell begins with a space and is as long for
    /// every one.
    pub fn text(self, sign: impl Fn(Square) -> String) -> String {
        let longest = self.board.size.to_string().len();
        let mut files = " ".repeat(longest + 2);
        for column in 0..self.board.size {
            let cell = self.at(column, 0);
            let (name, width) = (cell.to_string(), sign(cell).chars().count());
            let (letter, _) = leading(&name, char::is_alphabetic);
            files.push_str(&format!("{:<width$}", format!(" {letter}")));
        }
        let files = files.trim_end();
        let mut text = format!("{files}\n");
        for row in 0..self.board.size {
            let rank = self.at(0, row).rank + 1;
            let signs: String = (0..self.board.size)
                .map(|column| sign(self.at(column, row)))
                .collect();
            text.push_str(&format!("{rank:>longest$}  {signs} {rank}\n"));
        }
        text.push_str(files);
        text.push('\n');
        text
    }
}
