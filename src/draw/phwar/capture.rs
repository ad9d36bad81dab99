//! A capture, so that it is seen and not only told: a burst under whoever captured, and what is gone beside it, struck
//! out.

use super::{PhwarScene, Turned, particle};
use crate::draw::mask::Point;
use crate::draw::shape::{Cap, regular};
use crate::draw::{Canvas, Ink};
use crate::games::phwar::view::Event;

/// From the middle of a cell to the tips of the burst.
const BURST: f32 = 43.0;
/// The disc of what is gone.
const BADGE: f32 = 19.0;

/// The burst, on which the particle is drawn.
pub(super) fn burst(canvas: &mut Canvas, (x, y): Point) {
    let y = y - 4.0;
    for (radius, ink) in [(BURST, Ink::Danger), (BURST - 6.0, Ink::Glow)] {
        let outer = regular(x, y, radius, 12, 0.0);
        let inner = regular(x, y, radius * 0.74, 12, 1.0 / 24.0);
        let corners: Vec<Point> = outer.into_iter().zip(inner).flat_map(|(a, b)| [a, b]).collect();
        canvas.polygon(&corners, ink);
    }
}

/// What was captured last, at the corners of the cells where it stood.
pub(super) fn captured(canvas: &mut Canvas, scene: &PhwarScene<'_>, board: Turned) {
    for event in scene.recent {
        let Event::Captured {
            to, victim, taken, ..
        } = event
        else {
            continue;
        };
        let (x, y) = board.middle(*to);
        let (x, y) = (x + 33.0, y - 34.0);
        canvas.circle(x, y, BADGE + 2.0, Ink::Danger);
        canvas.circle(x, y, BADGE, Ink::Panel);
        particle(canvas, (x, y), 11.0, *taken, *victim);
        let arm = BADGE * 0.66;
        canvas.polyline(
            &[(x - arm, y + arm), (x + arm, y - arm)],
            4.5,
            Cap::Round,
            Ink::Danger,
        );
    }
}
