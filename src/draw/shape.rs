//! Shapes as coverage masks: the geometry behind the drawing calls of [`super::canvas`].
//!
//! Every measure is snapped to a sixteenth of a pixel first. Eyes cannot see the difference, and equal
//! shapes then share one cached mask wherever they stand.

use std::f32::consts::TAU;
use std::sync::Arc;

use super::mask::{Mask, Point, cached};

/// Steps that a pixel is divided into.
const GRID: i32 = 16;

/// No coordinate lies farther out than this; a picture has at most 2048 pixels a side.
const FARTHEST: f32 = 4096.0;

/// How a line ends. Joints within a polyline are always round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// Straight, at the end point.
    Butt,
    /// A half circle around the end point.
    Round,
}

/// A mask and the pixel to stamp it at.
pub(super) struct Placed {
    pub mask: Arc<Mask>,
    pub x: i32,
    pub y: i32,
}

/// Tells kinds of shapes apart in the cache's keys.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Disc,
    Ring,
    RoundRect,
    Frame,
    Polygon,
    Outline,
    Line,
    Arc,
    Glyph,
    Text,
}

/// Snaps to the grid. What is not a number is drawn at 0 rather than refused: a picture with one odd
/// shape is better than none.
pub(super) fn snap(value: f32) -> i32 {
    if value.is_nan() {
        return 0;
    }
    (value.clamp(-FARTHEST, FARTHEST) * GRID as f32).round() as i32
}

fn unsnap(steps: i32) -> f32 {
    steps as f32 / GRID as f32
}

/// A measure snapped to the grid, at least 0.
fn length(value: f32) -> i32 {
    snap(value).max(0)
}

/// A place split into a whole pixel and the steps beyond it.
fn split(value: f32) -> (i32, i32) {
    let steps = snap(value);
    (steps.div_euclid(GRID), steps.rem_euclid(GRID))
}

/// Finds or makes the mask of a shape around one point. `make` gets that point within its pixel.
fn around(x: f32, y: f32, kind: Kind, measures: &[i32], make: impl FnOnce(Point) -> Mask) -> Placed {
    let ((x, dx), (y, dy)) = (split(x), split(y));
    let mut key = [0; 8];
    key[..3].copy_from_slice(&[kind as i32, dx, dy]);
    let used = 3 + measures.len().min(5);
    key[3..used].copy_from_slice(&measures[..used - 3]);
    let mask = cached(&key[..used], || make((unsnap(dx), unsnap(dy))));
    Placed { mask, x, y }
}

/// Finds or makes the mask of a shape with corners. `make` gets the corners near the origin.
fn cornered(
    points: &[Point],
    kind: Kind,
    measures: &[i32],
    make: impl FnOnce(&[Point]) -> Mask,
) -> Option<Placed> {
    let snapped: Vec<(i32, i32)> = points.iter().map(|p| (snap(p.0), snap(p.1))).collect();
    let x = snapped.iter().map(|p| p.0).min()?.div_euclid(GRID);
    let y = snapped.iter().map(|p| p.1).min()?.div_euclid(GRID);
    let mut key = vec![kind as i32];
    key.extend_from_slice(measures);
    key.extend(snapped.iter().flat_map(|p| [p.0 - x * GRID, p.1 - y * GRID]));
    let mask = cached(&key, || {
        let corners = &key[1 + measures.len()..];
        let near = |pair: &[i32]| (unsnap(pair[0]), unsnap(pair[1]));
        make(&corners.chunks_exact(2).map(near).collect::<Vec<_>>())
    });
    Some(Placed { mask, x, y })
}

pub(super) fn disc(x: f32, y: f32, radius: f32, blur: u32) -> Placed {
    let steps = length(radius);
    let measures = [steps, blur.min(64) as i32];
    around(x, y, Kind::Disc, &measures, |centre| {
        Mask::of_pieces(&[vec![circle(centre, unsnap(steps))]]).blurred(blur)
    })
}

pub(super) fn ring(x: f32, y: f32, radius: f32, width: f32) -> Placed {
    let (steps, wide) = (length(radius), length(width));
    around(x, y, Kind::Ring, &[steps, wide], |centre| {
        let (radius, half) = (unsnap(steps), unsnap(wide) / 2.0);
        let mut outlines = vec![circle(centre, radius + half)];
        if radius > half {
            let mut hole = circle(centre, radius - half);
            hole.reverse();
            outlines.push(hole);
        }
        Mask::of_pieces(&[outlines])
    })
}

/// A rectangle with round corners: its top left corner, size, corner radius and blur.
pub(super) fn round_rect(x: f32, y: f32, size: Point, radius: f32, blur: u32) -> Placed {
    let (width, height, radius) = (length(size.0), length(size.1), length(radius));
    let measures = [width, height, radius, blur.min(64) as i32];
    around(x, y, Kind::RoundRect, &measures, |(left, top)| {
        let size = (unsnap(width), unsnap(height));
        Mask::of_pieces(&[vec![rounded((left, top), size, unsnap(radius))]]).blurred(blur)
    })
}

/// The border of such a rectangle, `thick` wide and inside of it.
pub(super) fn frame(x: f32, y: f32, size: Point, radius: f32, thick: f32) -> Placed {
    let measures = [length(size.0), length(size.1), length(radius), length(thick)];
    around(x, y, Kind::Frame, &measures, |(left, top)| {
        let [width, height, radius, thick] = measures.map(unsnap);
        let mut outlines = vec![rounded((left, top), (width, height), radius)];
        let inner = (width - 2.0 * thick, height - 2.0 * thick);
        if inner.0 > 0.0 && inner.1 > 0.0 {
            let corner = (left + thick, top + thick);
            let mut hole = rounded(corner, inner, (radius - thick).max(0.0));
            hole.reverse();
            outlines.push(hole);
        }
        Mask::of_pieces(&[outlines])
    })
}

pub(super) fn polygon(points: &[Point], blur: u32) -> Option<Placed> {
    cornered(points, Kind::Polygon, &[blur.min(64) as i32], |corners| {
        Mask::of_pieces(&[vec![corners.to_vec()]]).blurred(blur)
    })
}

/// The outline of a polygon, as a line of this width along its edges with sharp corners.
pub(super) fn outline(points: &[Point], width: f32) -> Option<Placed> {
    let wide = length(width);
    cornered(points, Kind::Outline, &[wide], |corners| {
        let half = unsnap(wide) / 2.0;
        let outer = offset(corners, half);
        let mut inner = offset(corners, -half);
        inner.reverse();
        Mask::of_pieces(&[vec![outer, inner]])
    })
}

pub(super) fn line(points: &[Point], width: f32, cap: Cap) -> Option<Placed> {
    let wide = length(width);
    cornered(points, Kind::Line, &[wide, cap as i32], |corners| {
        let half = unsnap(wide) / 2.0;
        let mut pieces = Vec::new();
        for pair in corners.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let Some((nx, ny)) = normal(from, to) else {
                continue;
            };
            let (nx, ny) = (nx * half, ny * half);
            pieces.push(vec![vec![
                (from.0 + nx, from.1 + ny),
                (to.0 + nx, to.1 + ny),
                (to.0 - nx, to.1 - ny),
                (from.0 - nx, from.1 - ny),
            ]]);
        }
        let ends = match cap {
            Cap::Butt => 1,
            Cap::Round => 0,
        };
        let joints = corners
            .get(ends..corners.len().saturating_sub(ends))
            .unwrap_or(&[]);
        pieces.extend(joints.iter().map(|&joint| vec![circle(joint, half)]));
        Mask::of_pieces(&pieces)
    })
}

/// A straight arrow; `width` is that of its shaft, and the head is three times as wide.
pub(super) fn arrow(from: Point, to: Point, width: f32) -> Option<Placed> {
    let (nx, ny) = normal(from, to)?;
    let reach = (to.0 - from.0).hypot(to.1 - from.1);
    let head = (width * 2.8).min(reach);
    // The direction of the arrow is its normal, turned by a quarter.
    let neck = (to.0 - ny * head, to.1 + nx * head);
    let at = |p: Point, side: f32| (p.0 + nx * width * side, p.1 + ny * width * side);
    polygon(
        &[
            at(from, 0.5),
            at(neck, 0.5),
            at(neck, 1.5),
            to,
            at(neck, -1.5),
            at(neck, -0.5),
            at(from, -0.5),
        ],
        0,
    )
}

/// A band of this width along a circle, or a pie if the width reaches the centre. Angles are in turns,
/// clockwise from the top.
pub(super) fn arc(x: f32, y: f32, radius: f32, width: f32, from: f32, to: f32) -> Placed {
    let turn = |turns: f32| {
        if turns.is_finite() {
            (turns.clamp(-2.0, 2.0) * 3600.0) as i32
        } else {
            0
        }
    };
    let measures = [length(radius), length(width), turn(from), turn(to)];
    around(x, y, Kind::Arc, &measures, |centre| {
        let [radius, half] = [unsnap(measures[0]), unsnap(measures[1]) / 2.0];
        let [from, to] = [measures[2], measures[3]].map(|turns| turns as f32 / 3600.0);
        let mut outline = Vec::new();
        sweep(&mut outline, centre, radius + half, from, to);
        sweep(&mut outline, centre, (radius - half).max(0.0), to, from);
        Mask::of_pieces(&[vec![outline]])
    })
}

/// The corners of a regular polygon around a point; the first one lies `turn` turns clockwise from the
/// top.
#[must_use]
pub fn regular(x: f32, y: f32, radius: f32, corners: u32, turn: f32) -> Vec<Point> {
    (0..corners.clamp(3, 64))
        .map(|i| on_circle((x, y), radius, turn + i as f32 / corners as f32))
        .collect()
}

/// A point on the way from one to another, so many pixels from the first.
pub fn towards(from: Point, to: Point, pixels: f32) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    (from.0 + dx / length * pixels, from.1 + dy / length * pixels)
}

/// A cell of a hex board with flat tops, `radius` from the centre to a corner.
#[must_use]
pub fn hexagon(x: f32, y: f32, radius: f32) -> Vec<Point> {
    regular(x, y, radius, 6, 0.25)
}

/// The point on a circle, `turns` clockwise from the top.
fn on_circle(centre: Point, radius: f32, turns: f32) -> Point {
    let (sin, cos) = (turns * TAU).sin_cos();
    (centre.0 + radius * sin, centre.1 - radius * cos)
}

/// The outline of a rectangle with round corners.
fn rounded((left, top): Point, (width, height): Point, radius: f32) -> Vec<Point> {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (left + width - radius, top + height - radius);
    let (left, top) = (left + radius, top + radius);
    let mut outline = Vec::new();
    let corners = [(right, top), (right, bottom), (left, bottom), (left, top)];
    for (corner, turn) in corners.into_iter().zip([0.0, 0.25, 0.5, 0.75]) {
        sweep(&mut outline, corner, radius, turn, turn + 0.25);
    }
    outline
}

fn circle(centre: Point, radius: f32) -> Vec<Point> {
    let mut outline = Vec::new();
    sweep(&mut outline, centre, radius, 0.0, 1.0);
    outline
}

/// Adds the points of an arc, close enough together that no corner shows.
fn sweep(outline: &mut Vec<Point>, centre: Point, radius: f32, from: f32, to: f32) {
    let steps = ((to - from).abs() * (16.0 + 14.0 * radius.sqrt()))
        .ceil()
        .max(1.0);
    for step in 0..=steps as u32 {
        outline.push(on_circle(
            centre,
            radius,
            from + (to - from) * step as f32 / steps,
        ));
    }
}

/// The unit vector across a segment, to its right as seen on the screen when going along it backwards.
fn normal(from: Point, to: Point) -> Option<Point> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let reach = dx.hypot(dy);
    (reach > 1e-3).then(|| (-dy / reach, dx / reach))
}

/// A polygon grown by `by` on all sides, with its corners kept sharp up to twice that distance.
fn offset(corners: &[Point], by: f32) -> Vec<Point> {
    let mut around: Vec<Point> = corners.to_vec();
    around.dedup();
    let count = around.len();
    let area: f32 = (0..count)
        .map(|i| (around[i], around[(i + 1) % count]))
        .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
        .sum();
    let by = if area > 0.0 { -by } else { by };
    let moved = (0..count).map(|i| {
        let here = around[i];
        let before = normal(around[(i + count - 1) % count], here);
        let after = normal(here, around[(i + 1) % count]);
        let (Some(a), Some(b)) = (before.or(after), after.or(before)) else {
            return here;
        };
        let sharpness = (1.0 + a.0 * b.0 + a.1 * b.1).max(0.5);
        (
            here.0 + (a.0 + b.0) * by / sharpness,
            here.1 + (a.1 + b.1) * by / sharpness,
        )
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    fn assert_area(placed: &Placed, wanted: f32) {
        let area = placed.mask.area();
        assert!(
            (area - wanted).abs() < 0.01 * wanted + 0.5,
            "{area} instead of {wanted}"
        );
    }

    #[test]
    fn shapes_cover_the_area_that_geometry_says() {
        assert_area(&disc(10.3, 20.7, 12.5, 0), PI * 12.5 * 12.5);
        assert_area(&ring(10.3, 20.7, 12.0, 3.0), PI * (13.5 * 13.5 - 10.5 * 10.5));
        assert_area(
            &round_rect(3.5, 2.0, (30.0, 20.0), 6.0, 0),
            600.0 - (4.0 - PI) * 36.0,
        );
        assert_area(&arc(50.0, 50.0, 15.0, 30.0, 0.0, 0.25), PI * 900.0 / 4.0);
        let hex = hexagon(40.0, 40.0, 20.0);
        assert_area(&polygon(&hex, 0).unwrap(), 1.5 * 3.0_f32.sqrt() * 400.0);
        let ring = 1.5 * 3.0_f32.sqrt() * (21.1547_f32.powi(2) - 18.8453_f32.powi(2));
        assert_area(&outline(&hex, 2.0).unwrap(), ring);
        let line = line(&[(3.0, 3.0), (33.0, 43.0)], 4.0, Cap::Butt).unwrap();
        assert_area(&line, 200.0);
        assert_area(
            &arrow((0.0, 0.0), (50.0, 0.0), 5.0).unwrap(),
            36.0 * 5.0 + 14.0 * 15.0 / 2.0,
        );
    }

    #[test]
    fn equal_shapes_share_a_mask_wherever_they_stand() {
        let a = disc(10.25, 20.5, 7.0, 0);
        let b = disc(310.25, 120.5, 7.0, 0);
        assert!(Arc::ptr_eq(&a.mask, &b.mask));
        assert_eq!((b.x - a.x, b.y - a.y), (300, 100));
    }

    #[test]
    fn nonsense_is_drawn_small_and_not_refused() {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -3.0, 1e30] {
            disc(odd, odd, 3.0, 0);
            ring(3.0, 3.0, 2.0, odd.min(8.0));
            arc(odd, 3.0, 2.0, 1.0, odd, odd);
            polygon(&[(odd, 0.0), (1.0, 1.0)], 0);
            outline(&[(0.0, 0.0), (0.0, 0.0)], 3.0);
            arrow((odd, 0.0), (odd, 0.0), 2.0);
            line(&[(1.0, 1.0)], odd.min(8.0), Cap::Round);
        }
        assert!(polygon(&[], 0).is_none());
    }
}
