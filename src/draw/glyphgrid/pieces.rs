//! The shapes of GlyphGrid: pieces, marks and badges.

use crate::draw::canvas::Rect;
use crate::draw::mask::Point;
use crate::draw::shape::{Cap, regular};
use crate::draw::{Canvas, Ink};
use crate::games::glyphgrid::piece::{Kind, Side};

/// One piece; `size` is about its radius.
pub(super) fn piece(canvas: &mut Canvas, (x, y): Point, size: f32, side: Side, kind: Kind) {
    let (fill, rim) = (Ink::seat(side.index()), Ink::rim(side.index()));
    body(canvas, (x, y), size + 2.5, kind, rim);
    body(canvas, (x, y), size - 1.0, kind, fill);
    match side {
        Side::Sun => {}
        Side::Moon => body(canvas, (x, y), size * 0.72, kind, Ink::White),
    }
    let ink = match side {
        Side::Sun => canvas.theme().legible_on(fill),
        Side::Moon => rim,
    };
    match (kind, side) {
        (Kind::Core, Side::Sun) => sun(canvas, (x, y), size * 0.62, ink),
        (Kind::Core, Side::Moon) => crescent(canvas, (x, y), size * 0.46, ink),
        // A facet, so that a Shard looks cut from a crystal.
        (Kind::Shard, Side::Sun) => canvas.line((x, y - size * 0.62), (x, y + size * 0.62), size * 0.12, ink),
        (Kind::Shard, Side::Moon) => canvas.line((x, y - size * 0.4), (x, y + size * 0.4), size * 0.12, ink),
    }
}

fn body(canvas: &mut Canvas, (x, y): Point, size: f32, kind: Kind, ink: Ink) {
    match kind {
        Kind::Core => canvas.circle(x, y, size, ink),
        Kind::Shard => {
            let (wide, high) = (size * 0.78, size * 1.1);
            let corners = [
                (x, y - high),
                (x + wide, y - high * 0.12),
                (x, y + high),
                (x - wide, y - high * 0.12),
            ];
            canvas.polygon(&corners, ink);
        }
    }
}

fn sun(canvas: &mut Canvas, (x, y): Point, reach: f32, ink: Ink) {
    canvas.circle(x, y, reach * 0.46, ink);
    let tips = regular(x, y, reach, 8, 0.0);
    let feet = regular(x, y, reach * 0.7, 8, 0.0);
    for (tip, foot) in tips.into_iter().zip(feet) {
        canvas.line(foot, tip, reach * 0.2, ink);
    }
}

fn crescent(canvas: &mut Canvas, (x, y): Point, radius: f32, ink: Ink) {
    canvas.circle(x - radius * 0.1, y, radius, ink);
    canvas.circle(x + radius * 0.38, y - radius * 0.12, radius * 0.82, Ink::White);
}

/// A mark in a cell of this size: a ring for Sun, a frame for Moon.
pub(super) fn mark(canvas: &mut Canvas, (x, y): Point, cell: f32, side: Side) {
    let (tint, ink) = (Ink::tint(side.index()), Ink::seat(side.index()));
    let thick = cell * 0.055;
    match side {
        Side::Sun => {
            let radius = cell * 0.43;
            canvas.circle(x, y, radius, tint);
            canvas.ring(x, y, radius, thick, ink);
        }
        Side::Moon => {
            let rect = square(x, y, cell * 0.43);
            canvas.round_rect(rect, cell * 0.09, tint);
            canvas.frame(rect, cell * 0.09, thick, ink);
        }
    }
}

/// Where one more mark would win: its outline, in dashes.
pub(super) fn ghost(canvas: &mut Canvas, (x, y): Point, cell: f32, side: Side) {
    let ink = Ink::seat(side.index());
    let (radius, thick) = (cell * 0.43, cell * 0.05);
    match side {
        Side::Sun => {
            for dash in 0..8 {
                let start = (dash as f32 + 0.2) / 8.0;
                canvas.arc((x, y), radius, thick, (start, start + 0.075), ink);
            }
        }
        Side::Moon => {
            let step = 2.0 * radius / 4.0;
            for dash in 0..4 {
                let (from, to) = (
                    dash as f32 * step + step * 0.2 - radius,
                    dash as f32 * step + step * 0.8 - radius,
                );
                for edge in [-radius + thick / 2.0, radius - thick / 2.0] {
                    canvas.polyline(&[(x + from, y + edge), (x + to, y + edge)], thick, Cap::Butt, ink);
                    canvas.polyline(&[(x + edge, y + from), (x + edge, y + to)], thick, Cap::Butt, ink);
                }
            }
        }
    }
}

/// A square around a point.
pub(super) fn square(x: f32, y: f32, half: f32) -> Rect {
    Rect::new(x - half, y - half, 2.0 * half, 2.0 * half)
}

/// A small sign beside a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Badge {
    /// Can't be pushed.
    Shield,
    /// The mark here is about to turn to this side.
    Turning(Side),
    /// Something was captured here.
    Captured,
}

pub(super) fn badge(canvas: &mut Canvas, (x, y): Point, radius: f32, badge: Badge) {
    canvas.circle(x, y, radius + 2.0, Ink::Text);
    canvas.circle(x, y, radius, Ink::Panel);
    let ink = Ink::Text;
    match badge {
        Badge::Shield => {
            let (w, h) = (radius * 0.56, radius * 0.66);
            let corners = [
                (x - w, y - h),
                (x + w, y - h),
                (x + w, y + h * 0.1),
                (x + w * 0.62, y + h * 0.66),
                (x, y + h * 1.12),
                (x - w * 0.62, y + h * 0.66),
                (x - w, y + h * 0.1),
            ];
            canvas.polygon(&corners, ink);
        }
        Badge::Turning(side) => {
            let ink = Ink::seat(side.index());
            let (bow, thick) = (radius * 0.55, radius * 0.26);
            canvas.arc((x, y), bow, thick, (0.12, 0.88), ink);
            // The head continues the bow at its upper left end, towards the right.
            let (hx, hy) = (x - bow * 0.55, y - bow * 0.82);
            let reach = radius * 0.5;
            canvas.polygon(
                &[
                    (hx - reach * 0.45, hy - reach * 0.75),
                    (hx + reach * 0.95, hy),
                    (hx - reach * 0.3, hy + reach * 0.85),
                ],
                ink,
            );
        }
        Badge::Captured => {
            let arm = radius * 0.48;
            canvas.line((x - arm, y - arm), (x + arm, y + arm), radius * 0.3, Ink::Danger);
            canvas.line((x - arm, y + arm), (x + arm, y - arm), radius * 0.3, Ink::Danger);
        }
    }
}
