//! The pieces: a kind is a shape, an owner is a colour and a filling (solid for seat 1, hollow for
//! seat 2).

use super::layout::towards;
use crate::draw::canvas::Rect;
use crate::draw::mask::Point;
use crate::draw::shape::Cap;
use crate::draw::{Align, Canvas, Ink, Paint, Style};
use crate::game::Seat;
use crate::games::fabric::piece::{Facing, Piece};

/// A piece about as wide as twice `size`. A Relay carries the number that it sends.
pub fn piece(canvas: &mut Canvas, at: Point, size: f32, seat: Seat, piece: Piece, sends: u8) {
    let (fill, rim) = (Ink::seat(seat.index()), Ink::rim(seat.index()));
    // Few edges: they are what makes a picture heavy.
    shape(canvas, at, size, piece, fill);
    let sign = if seat.index() == 1 {
        shape(canvas, at, size * 0.76, piece, Ink::White);
        rim
    } else {
        canvas.theme().legible_on(fill)
    };
    match piece {
        Piece::Anchor => {
            canvas.circle(at.0, at.1, size * 0.34, sign);
        }
        Piece::Prism => {
            let arm = size * 0.5;
            let thick = (size * 0.14).round();
            canvas.rect(
                Rect::new(
                    (at.0 - arm).round(),
                    (at.1 - thick / 2.0).round(),
                    (2.0 * arm).round(),
                    thick,
                ),
                sign,
            );
            canvas.rect(
                Rect::new(
                    (at.0 - thick / 2.0).round(),
                    (at.1 - arm).round(),
                    thick,
                    (2.0 * arm).round(),
                ),
                sign,
            );
        }
        Piece::Relay(facing) => {
            let (x, y) = towards(at, facing, -size * 0.12, 0.0);
            let style = Style::bold(size * 1.12).align(Align::Centre);
            canvas.text(x, y, &sends.to_string(), style, sign);
        }
    }
}

/// What is left of a piece, struck out.
pub fn wreck(canvas: &mut Canvas, at: Point, size: f32, seat: Seat, piece: Piece) {
    shape(canvas, at, size, piece, Ink::seat(seat.index()).fade(0.5));
    if seat.index() == 1 {
        shape(canvas, at, size * 0.7, piece, Ink::White.fade(0.7));
    }
    let arm = size * 0.95;
    for slope in [1.0, -1.0] {
        let (from, to) = ((at.0 - arm, at.1 - arm * slope), (at.0 + arm, at.1 + arm * slope));
        canvas.polyline(&[from, to], size * 0.24, Cap::Butt, Ink::Danger);
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
