//! One block, on the table or in a hand.

use super::super::canvas::Rect;
use super::super::marks::POSSIBLE;
use super::super::mask::Point;
use super::super::shape::Cap;
use super::super::{Align, Canvas, Ink, Style, font};
use crate::game::Seat;
use crate::games::breaker::Kind;

/// From the middle of a cell to the edge of its block, in cells.
pub(super) const HALF: f32 = 0.42;

/// A way on the screen: where x and y grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    pub x: f32,
    pub y: f32,
}

impl Way {
    pub const UP: Self = Self { x: 0.0, y: -1.0 };

    pub fn back(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
        }
    }

    /// The way to the left of this one, as seen by somebody who looks along it.
    pub fn left(self) -> Self {
        Self {
            x: self.y,
            y: -self.x,
        }
    }

    /// The point so far from `from` that way.
    pub fn from(self, (x, y): Point, distance: f32) -> Point {
        (x + self.x * distance, y + self.y * distance)
    }
}

/// What is drawn at one side of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jack {
    Open,
    Used,
    Blocked,
}

/// How a block looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLook {
    pub kind: Kind,
    pub seat: Seat,
    /// The way from its parent to it.
    pub way: Way,
    /// The side of a cell in pixels.
    pub size: f32,
}

/// The outline that tells whose it is: round corners for seat 1, cut ones for seat 2.
pub(super) fn body(canvas: &mut Canvas, (x, y): Point, half: f32, seat: Seat, ink: Ink) {
    if seat.index() == 0 {
        canvas.round_rect(
            Rect::new(x - half, y - half, 2.0 * half, 2.0 * half),
            half * 0.5,
            ink,
        );
        return;
    }
    let cut = half * 0.42;
    canvas.polygon(
        &[
            (x - half + cut, y - half),
            (x + half - cut, y - half),
            (x + half, y - half + cut),
            (x + half, y + half - cut),
            (x + half - cut, y + half),
            (x - half + cut, y + half),
            (x - half, y + half - cut),
            (x - half, y - half + cut),
        ],
        ink,
    );
}

/// A block with its wires and sockets.
pub(super) fn block(canvas: &mut Canvas, at: Point, look: BlockLook, jacks: &[(Way, Jack)]) {
    let BlockLook {
        kind,
        seat,
        way,
        size,
    } = look;
    let (fill, rim) = (Ink::seat(seat.index()), Ink::rim(seat.index()));
    let half = size * HALF;
    body(canvas, at, half, seat, rim);
    let (ground, wire) = if kind.is_command() {
        body(canvas, at, half - size * 0.025, seat, fill);
        body(canvas, at, half - size * 0.075, seat, Ink::Panel);
        (Ink::Panel, fill)
    } else {
        body(canvas, at, half - size * 0.025, seat, fill);
        (fill, rim)
    };
    let edge = |way: Way| way.from(at, half);
    canvas.polyline(&[at, edge(way.back())], size * 0.12, Cap::Butt, wire);
    for &(way, jack) in jacks {
        let width = if jack == Jack::Used { 0.12 } else { 0.06 };
        canvas.polyline(&[at, edge(way)], size * width, Cap::Butt, wire);
    }
    for &(way, jack) in jacks {
        socket(canvas, edge(way), way, size, jack);
    }
    sign(canvas, at, size, kind, ground, wire);
}

/// A socket in the edge of a block or of the Core.
pub(super) fn socket(canvas: &mut Canvas, at: Point, way: Way, size: f32, jack: Jack) {
    let (wide, deep) = (size * 0.15, size * 0.055);
    let side = way.left();
    let plate = |wide: f32, deep: f32| {
        let (outer, inner) = (way.from(at, deep), way.from(at, -deep));
        [
            side.from(outer, wide),
            side.from(outer, -wide),
            side.from(inner, -wide),
            side.from(inner, wide),
        ]
    };
    match jack {
        Jack::Used => {}
        Jack::Open => {
            canvas.polygon(&plate(wide + size * 0.025, deep + size * 0.025), Ink::Black);
            canvas.polygon(&plate(wide, deep), Ink::White);
        }
        // A closed shutter.
        Jack::Blocked => canvas.polygon(&plate(wide + size * 0.02, deep), Ink::Black),
    }
}

/// The power of a power block, or the sign of a command, in the middle.
fn sign(canvas: &mut Canvas, at: Point, size: f32, kind: Kind, ground: Ink, wire: Ink) {
    let (x, y) = at;
    let plate = |reach: f32| {
        let reach = (size * reach).round();
        Rect::new(x - reach, y - reach, 2.0 * reach, 2.0 * reach)
    };
    canvas.rect(plate(0.23), wire);
    if kind.is_command() {
        canvas.rect(plate(0.19), ground);
        command_sign(canvas, at, size * 0.13, kind, Ink::Text);
    } else {
        let style = Style::bold(size * 0.38).align(Align::Centre);
        canvas.text(x, y, &kind.power().to_string(), style, Ink::White);
    }
}

/// What tells the commands apart; `reach` is about half its size.
pub(super) fn command_sign(canvas: &mut Canvas, (x, y): Point, reach: f32, kind: Kind, ink: Ink) {
    let r = reach;
    let thick = r * 0.42;
    let mut line = |points: &[(f32, f32)]| {
        let points: Vec<Point> = points.iter().map(|&(a, b)| (x + a * r, y + b * r)).collect();
        canvas.polyline(&points, thick, Cap::Round, ink);
    };
    match kind {
        // A cross: struck out.
        Kind::Annihilate => {
            line(&[(-0.8, -0.8), (0.8, 0.8)]);
            line(&[(-0.8, 0.8), (0.8, -0.8)]);
        }
        // A play button.
        Kind::Automate => canvas.polygon(
            &[(x - 0.65 * r, y - r), (x + 1.05 * r, y), (x - 0.65 * r, y + r)],
            ink,
        ),
        // Three strokes: three blocks.
        Kind::Accelerate => {
            for at in [-0.85, 0.0, 0.85] {
                line(&[(at, -0.8), (at, 0.8)]);
            }
        }
        // A minus above a minus: one of each side.
        Kind::Attenuate => {
            line(&[(-0.85, -0.45), (0.85, -0.45)]);
            line(&[(-0.85, 0.45), (0.85, 0.45)]);
        }
        // To and fro.
        Kind::Agitate => {
            line(&[(-1.0, -0.5), (0.9, -0.5)]);
            line(&[(0.4, -1.0), (0.95, -0.5)]);
            line(&[(1.0, 0.5), (-0.9, 0.5)]);
            line(&[(-0.4, 1.0), (-0.95, 0.5)]);
        }
        // An exclamation mark.
        Kind::Aggravate => {
            line(&[(0.0, -0.95), (0.0, 0.15)]);
            line(&[(0.0, 0.9), (0.0, 0.9)]);
            canvas.circle(x, y + 0.9 * r, thick * 0.62, ink);
        }
        // A tick.
        Kind::Authenticate => line(&[(-0.95, 0.1), (-0.25, 0.75), (1.0, -0.75)]),
        _ => {}
    }
}

/// A label in a box, centred: what players type. Its edges lie on whole pixels and its corners are sharp,
/// since a crowded table has a hundred of them and smooth corners pack badly.
pub(super) fn tag(canvas: &mut Canvas, (x, y): Point, text: &str, size: f32, ground: Ink, frame: Ink) {
    let style = Style::bold(size).align(Align::Centre);
    let width = (font::width(text, style).max(size * 0.7) / 2.0 + size * 0.22).round();
    let height = (size * 0.58).round();
    let (x, y) = (x.round(), y.round());
    let rect = Rect::new(x - width, y - height, 2.0 * width, 2.0 * height);
    canvas.rect(rect, frame);
    canvas.rect(rect.inset((size * 0.08).round().max(1.0)), ground);
    let ink = if ground == POSSIBLE {
        canvas.theme().legible_on(ground)
    } else {
        Ink::Text
    };
    canvas.text(x, y, text, style, ink);
}
