//! The pieces: a kind is a shape, an owner is a colour and a filling (solid for seat 1, hollow for
//! seat 2).

use super::layout::towards;
use crate::draw::mask::Point;
use crate::draw::{Align, Canvas, Ink, Paint, Style};
use crate::game::Seat;
use crate::games::fabric::piece::{Facing, Piece};

/// A piece about as wide as twice `size`. A Relay carries the number that it sends.
pub fn piece(canvas: &mut Canvas, at: Point, size: f32, seat: Seat, piece: Piece, sends: u8) {
    let (fill, rim) = (Ink::seat(seat.index()), Ink::rim(seat.index()));
    let hollow = seat.index() == 1;
    shape(
        canvas,
        (at.0, at.1 + size * 0.12),
        size + 1.0,
        piece,
        Ink::Shadow.fade(0.25),
    );
    shape(canvas, at, size, piece, rim);
    shape(canvas, at, size - 3.0, piece, fill);
    let ground = if hollow {
        shape(canvas, at, size - 3.0 - size * 0.17, piece, Ink::White);
        Ink::White
    } else {
        fill
    };
    let sign = if hollow {
        rim
    } else {
        canvas.theme().legible_on(ground)
    };
    match piece {
        Piece::Anchor => {
            canvas.circle(at.0, at.1, size * 0.2, sign);
            canvas.ring(at.0, at.1, size * 0.46, size * 0.11, sign);
        }
        Piece::Prism => {
            let arm = size * 0.5;
            canvas.line((at.0 - arm, at.1), (at.0 + arm, at.1), size * 0.12, sign);
            canvas.line((at.0, at.1 - arm), (at.0, at.1 + arm), size * 0.12, sign);
        }
        Piece::Relay(facing) => {
            let (x, y) = towards(at, facing, -size * 0.12, 0.0);
            let style = Style::bold(size * 1.12).align(Align::Centre);
            canvas.text(x, y, &sends.to_string(), style, sign);
        }
    }
}

/// What is left of a piece: its outline, struck out.
pub fn wreck(canvas: &mut Canvas, at: Point, size: f32, seat: Seat, piece: Piece) {
    let (fill, rim) = (Ink::seat(seat.index()), Ink::rim(seat.index()));
    shape(canvas, at, size, piece, rim.fade(0.55));
    let inside = if seat.index() == 1 { Ink::White } else { fill };
    shape(canvas, at, size - 5.0, piece, inside.fade(0.6));
    let arm = size * 0.95;
    for slope in [1.0, -1.0] {
        let (from, to) = ((at.0 - arm, at.1 - arm * slope), (at.0 + arm, at.1 + arm * slope));
        canvas.line(from, to, size * 0.34, Ink::Panel);
        canvas.line(from, to, size * 0.2, Ink::Danger);
    }
}

fn shape(canvas: &mut Canvas, (x, y): Point, size: f32, piece: Piece, paint: impl Into<Paint>) {
    match piece {
        Piece::Anchor => canvas.circle(x, y, size, paint),
        Piece::Prism => {
            let reach = size * 1.2;
            canvas.polygon(
                &[(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)],
                paint,
            );
        }
        Piece::Relay(facing) => canvas.polygon(&signpost((x, y), size, facing), paint),
    }
}

/// A sign that points that way: a square with a tip.
fn signpost(at: Point, size: f32, facing: Facing) -> [Point; 5] {
    [
        (-0.95, -0.88),
        (0.35, -0.88),
        (1.3, 0.0),
        (0.35, 0.88),
        (-0.95, 0.88),
    ]
    .map(|(ahead, right)| towards(at, facing, ahead * size, right * size))
}
