//! The small signs: good and evil, locks, phases, damage, numbers.
//!
//! Nothing is told by colour alone. Good is a sun on a light ground, evil a crescent on a black one; a cost
//! that locks is a padlock, one that phases a disc of two halves.

use std::f32::consts::TAU;

use super::super::canvas::Rect;
use super::super::mask::Point;
use super::super::{Align, Canvas, Ink, Style, font};
use crate::game::Seat;
use crate::games::phase::card::Alignment;

/// The ground of a face, and the ink that is read on it.
pub(super) const fn ground(alignment: Alignment) -> (Ink, Ink) {
    match alignment {
        Alignment::Good => (Ink::Glow, Ink::Text),
        Alignment::Evil => (Ink::Black, Ink::White),
    }
}

/// The sign of an alignment.
pub(super) fn alignment(canvas: &mut Canvas, at: Point, radius: f32, alignment: Alignment, ink: Ink) {
    match alignment {
        Alignment::Good => canvas.polygon(&star(at, radius, 0.58, 8), ink),
        Alignment::Evil => canvas.polygon(&crescent(at, radius * 0.94), ink),
    }
}

/// The sign on a disc of its own ground.
pub(super) fn token(canvas: &mut Canvas, (x, y): Point, radius: f32, of: Alignment) {
    let (paper, ink) = ground(of);
    canvas.circle(x, y, radius, paper);
    canvas.ring(x, y, radius, 1.5, Ink::Faint);
    alignment(canvas, (x, y), radius * 0.68, of, ink);
}

/// A star with so many points, its notches at a part of its radius.
fn star((x, y): Point, radius: f32, notch: f32, points: u32) -> Vec<Point> {
    (0..2 * points)
        .map(|corner| {
            let reach = if corner % 2 == 0 { radius } else { radius * notch };
            let (sin, cos) = (corner as f32 / (2 * points) as f32 * TAU).sin_cos();
            (x + reach * sin, y - reach * cos)
        })
        .collect()
}

/// A moon that opens to the right.
fn crescent((x, y): Point, radius: f32) -> Vec<Point> {
    const STEPS: u8 = 14;
    // The outer edge runs over two thirds of a turn; the inner one is a circle through its two ends.
    let (shift, inner) = (0.46 * radius, 0.80 * radius);
    let half = ((radius * radius - inner * inner + shift * shift) / (2.0 * shift * radius)).clamp(-1.0, 1.0);
    let from = half.acos();
    let (reach_x, reach_y) = (radius * from.cos() - shift, radius * from.sin());
    let inner_from = reach_y.atan2(reach_x);
    let mut outline = Vec::with_capacity(usize::from(2 * STEPS + 2));
    for step in 0..=STEPS {
        let angle = from + (TAU - 2.0 * from) * f32::from(step) / f32::from(STEPS);
        outline.push((x + radius * angle.cos(), y + radius * angle.sin()));
    }
    for step in 0..=STEPS {
        let angle = TAU - inner_from - (TAU - 2.0 * inner_from) * f32::from(step) / f32::from(STEPS);
        outline.push((x + shift + inner * angle.cos(), y + inner * angle.sin()));
    }
    outline
}

/// A padlock, so high.
pub(super) fn lock(canvas: &mut Canvas, (x, y): Point, height: f32, ink: Ink) {
    let (wide, body) = (height * 0.78, height * 0.56);
    let top = y + height / 2.0 - body;
    let bow = wide * 0.31;
    let thick = (height * 0.13).max(2.0);
    canvas.arc((x, top - height * 0.08), bow, thick, (-0.25, 0.25), ink);
    for side in [-bow, bow] {
        let leg = Rect::new(x + side - thick / 2.0, top - height * 0.09, thick, height * 0.14);
        canvas.rect(leg, ink);
    }
    canvas.round_rect(Rect::new(x - wide / 2.0, top, wide, body), height * 0.1, ink);
}

/// A card that turns: a disc of two halves.
pub(super) fn phase(canvas: &mut Canvas, (x, y): Point, radius: f32, ink: Ink) {
    let thick = (radius * 0.24).max(2.0);
    canvas.ring(x, y, radius - thick / 2.0, thick, ink);
    canvas.pie((x, y), radius - thick / 2.0, (0.0, 0.5), ink);
}

/// An eye: what the others see.
pub(super) fn eye(canvas: &mut Canvas, (x, y): Point, radius: f32, ink: Ink) {
    const STEPS: u8 = 10;
    let lid = |step: u8, up: f32| {
        let along = f32::from(step) / f32::from(STEPS);
        let bend = (along * TAU / 2.0).sin();
        (x + radius * (2.0 * along - 1.0), y - up * bend * radius * 0.62)
    };
    let upper = (0..=STEPS).map(|step| lid(step, 1.0));
    let lower = (1..STEPS).rev().map(|step| lid(step, -1.0));
    let outline: Vec<Point> = upper.chain(lower).collect();
    canvas.outline(&outline, 2.0, ink);
    canvas.circle(x, y, radius * 0.32, ink);
}

/// So much damage, on a burst.
pub(super) fn damage(canvas: &mut Canvas, at: Point, radius: f32, amount: i16) {
    canvas.polygon(&star(at, radius, 0.76, 9), Ink::Danger);
    let ink = canvas.theme().legible_on(Ink::Danger);
    let style = Style::bold(20.0).align(Align::Centre);
    canvas.text(at.0, at.1, &amount.to_string(), style, ink);
}

fn number_style(radius: f32) -> Style {
    Style::bold((radius * 1.3).max(20.0)).align(Align::Centre)
}

/// By how much a number makes its disc longer.
pub(super) fn number_longer(text: &str, radius: f32) -> f32 {
    (font::width(text, number_style(radius)) + 8.0 - 2.0 * radius)
        .max(0.0)
        .ceil()
}

/// The number of a warrior, a card or a seat, on a disc in the colour of its player. Numbers of three digits
/// make the disc longer to the right; gives by how much.
pub(super) fn number(canvas: &mut Canvas, (x, y): Point, radius: f32, seat: Seat, text: &str) -> f32 {
    let style = number_style(radius);
    let longer = number_longer(text, radius);
    let plate = Rect::new(x - radius, y - radius, 2.0 * radius + longer, 2.0 * radius);
    let ground = Ink::seat(seat.index());
    canvas.round_rect(plate, radius, Ink::rim(seat.index()));
    canvas.round_rect(plate.inset(2.0), radius - 2.0, ground);
    let ink = canvas.theme().legible_on(ground);
    canvas.text(x + longer / 2.0, y, text, style, ink);
    longer
}

/// How wide a word on a small plate is.
pub(super) fn tag_width(text: &str) -> f32 {
    (font::width(text, TAG) + 18.0).round()
}

const TAG: Style = Style::bold(20.0);

/// A word on a small plate, its left end and middle at a point.
pub(super) fn tag(canvas: &mut Canvas, (x, y): Point, text: &str, ground: Ink, ink: Ink) {
    let plate = Rect::new(x, y - 14.0, tag_width(text), 28.0);
    canvas.round_rect(plate, 8.0, ground);
    canvas.frame(plate, 8.0, 2.0, ink);
    canvas.text(x + 9.0, y, text, TAG, ink);
}
