//! Coverage masks: what a shape or a word looks like before it has a colour.
//!
//! Shapes are rasterised by exact area, by the same code as letters. A finished mask is kept in a bounded
//! cache, so a board of a hundred equal cells is worked out once. What is in the cache never changes what
//! is drawn: positions are snapped to the same fine grid whether the mask is found or made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ab_glyph_rasterizer::{Rasterizer, point};
use image::GrayImage;

/// A point in pixels; x grows to the right and y downward.
pub type Point = (f32, f32);

/// How much of each pixel a shape covers.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Where the mask's top left pixel lies, seen from the point it is stamped at.
    pub(super) left: i32,
    pub(super) top: i32,
    /// 255 is covered wholly.
    pub(super) cover: GrayImage,
    pub(super) spans: Vec<PixelRun>,
}

/// Where a row has anything, and its longest stretch that is covered wholly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PixelRun {
    pub start: usize,
    pub solid_start: usize,
    pub solid_end: usize,
    pub end: usize,
}

impl Mask {
    /// A mask from coverage, to be stamped with its top left pixel at (`left`, `top`) of the point.
    #[must_use]
    pub fn new(left: i32, top: i32, cover: GrayImage) -> Self {
        let width = (cover.width() as usize).max(1);
        let spans = cover.as_raw().chunks_exact(width).map(span).collect();
        Self {
            left,
            top,
            cover,
            spans,
        }
    }

    /// A mask that covers nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(0, 0, GrayImage::new(0, 0))
    }

    /// Rasterises pieces that lie over one another. A piece is a set of closed outlines; a hole is an
    /// outline that runs the other way round.
    #[must_use]
    pub fn of_pieces(pieces: &[Vec<Vec<Point>>]) -> Self {
        let points = || pieces.iter().flatten().flatten();
        let floor = |pick: fn(&Point) -> f32| points().map(pick).fold(f32::MAX, f32::min).floor();
        let ceil = |pick: fn(&Point) -> f32| points().map(pick).fold(f32::MIN, f32::max).ceil();
        let (left, top) = (floor(|p| p.0), floor(|p| p.1));
        let (right, bottom) = (ceil(|p| p.0), ceil(|p| p.1));
        if !(right > left && bottom > top) {
            return Self::empty();
        }
        let (width, height) = ((right - left) as usize, (bottom - top) as usize);
        let mut cover = vec![0; width * height];
        let mut raster = Rasterizer::new(width, height);
        let near = |&(x, y): &Point| point(x - left, y - top);
        for piece in pieces {
            raster.clear();
            for outline in piece {
                let last = outline.last().into_iter();
                for (from, to) in last.chain(outline).zip(outline) {
                    raster.draw_line(near(from), near(to));
                }
            }
            raster.for_each_pixel(|pixel, share| {
                cover[pixel] = cover[pixel].max((share.min(1.0) * 255.0 + 0.5) as u8);
            });
        }
        let cover = GrayImage::from_raw(width as u32, height as u32, cover).unwrap_or_default();
        Self::new(left as i32, top as i32, cover)
    }

    /// The same shape out of focus, for shadows and glows.
    #[must_use]
    pub fn blurred(&self, radius: u32) -> Self {
        let radius = radius.min(64);
        if radius == 0 || self.cover.is_empty() {
            return self.clone();
        }
        // Two box filters in a row make a soft slope, in whole numbers.
        let grown = 2 * radius;
        let (width, height) = self.cover.dimensions();
        let mut wide = GrayImage::new(width + 2 * grown, height + 2 * grown);
        image::imageops::replace(&mut wide, &self.cover, i64::from(grown), i64::from(grown));
        let once = imageproc::filter::box_filter(&wide, radius, radius);
        let twice = imageproc::filter::box_filter(&once, radius, radius);
        Self::new(self.left - grown as i32, self.top - grown as i32, twice)
    }

    /// The covered area in pixels.
    #[must_use]
    pub fn area(&self) -> f32 {
        let sum: u64 = self.cover.as_raw().iter().map(|&c| u64::from(c)).sum();
        sum as f32 / 255.0
    }
}

fn span(row: &[u8]) -> PixelRun {
    let Some(start) = row.iter().position(|&c| c > 0) else {
        return PixelRun::default();
    };
    let end = row.iter().rposition(|&c| c > 0).map_or(start, |last| last + 1);
    let (mut solid_start, mut solid_end) = (end, end);
    let mut x = start;
    while x < end {
        let run = row[x..end].iter().take_while(|&&c| c == 255).count();
        if run > solid_end - solid_start {
            (solid_start, solid_end) = (x, x + run);
        }
        x += run.max(1);
    }
    PixelRun {
        start,
        solid_start,
        solid_end,
        end,
    }
}

/// The largest number of bytes that the two generations of cached masks may take together.
const CACHE_BYTES: usize = 16 << 20;

/// Two generations: when the young one has filled its half, the old one is dropped. What is in use
/// wanders into the young one, so a bound is kept without any bookkeeping a use.
#[derive(Default)]
struct Cache {
    young: HashMap<Box<[i32]>, Arc<Mask>>,
    old: HashMap<Box<[i32]>, Arc<Mask>>,
    young_bytes: usize,
}

impl Cache {
    fn get(&mut self, key: &[i32]) -> Option<Arc<Mask>> {
        if let Some(mask) = self.young.get(key) {
            return Some(Arc::clone(mask));
        }
        let (key, mask) = self.old.remove_entry(key)?;
        self.put(key, Arc::clone(&mask));
        Some(mask)
    }

    fn put(&mut self, key: Box<[i32]>, mask: Arc<Mask>) {
        let bytes = 256 + 4 * key.len() + mask.cover.len() + 32 * mask.spans.len();
        if bytes > CACHE_BYTES / 8 {
            return;
        }
        if self.young_bytes + bytes > CACHE_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += bytes;
        self.young.insert(key, mask);
    }
}

/// The mask of this key, made by `make` if it is not at hand. The key must tell all that `make` uses.
pub(super) fn cached(key: &[i32], make: impl FnOnce() -> Mask) -> Arc<Mask> {
    static CACHE: OnceLock<Mutex<Cache>> = OnceLock::new();
    let cache = CACHE.get_or_init(Mutex::default);
    let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mask) = lock().get(key) {
        return mask;
    }
    // Made without the lock: a slow shape must not hold up other pictures.
    let mask = Arc::new(make());
    lock().put(key.into(), Arc::clone(&mask));
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(points: &[Point]) -> Mask {
        Mask::of_pieces(&[vec![points.to_vec()]])
    }

    #[test]
    fn a_half_covered_pixel_is_half_covered() {
        let mask = polygon(&[(0.0, 0.0), (4.0, 0.0), (4.0, 2.5), (0.0, 2.5)]);
        assert_eq!(mask.cover.dimensions(), (4, 3));
        assert_eq!(
            &mask.cover.as_raw()[..],
            [[255_u8; 8].as_slice(), &[128; 4]].concat()
        );
    }

    #[test]
    fn a_slanted_half_plane_covers_half_of_the_pixels_it_cuts() {
        let mask = polygon(&[(0.0, 0.0), (8.0, 8.0), (0.0, 8.0)]);
        for i in 0..8 {
            assert_eq!(mask.cover.get_pixel(i, i).0, [128]);
        }
        let flat = polygon(&[(0.0, 0.0), (8.0, 1.0), (0.0, 1.0)]);
        let row: Vec<u8> = flat.cover.as_raw().clone();
        assert_eq!(row, [239, 207, 175, 143, 112, 80, 48, 16]);
    }

    #[test]
    fn areas_are_exact_whichever_way_round_the_outline_runs() {
        let mut points = vec![(1.3, 0.2), (17.9, 3.1), (12.4, 14.7), (4.5, 9.9)];
        let shoelace = |p: &[Point]| -> f32 {
            let next = p.iter().cycle().skip(1);
            p.iter()
                .zip(next)
                .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
                .sum::<f32>()
                / 2.0
        };
        let area = shoelace(&points);
        assert!((polygon(&points).area() - area).abs() < 0.2);
        points.reverse();
        assert!((polygon(&points).area() - area).abs() < 0.2);
    }

    #[test]
    fn a_hole_is_left_out() {
        let square = |a: f32, b: f32| vec![(a, a), (b, a), (b, b), (a, b)];
        let mut hole = square(3.5, 6.5);
        hole.reverse();
        let mask = Mask::of_pieces(&[vec![square(0.0, 10.0), hole]]);
        assert!((mask.area() - 91.0).abs() < 0.1);
        assert_eq!(mask.cover.get_pixel(5, 5).0, [0]);
    }

    #[test]
    fn blurring_keeps_the_area() {
        let mask = polygon(&[(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)]);
        let soft = mask.blurred(4);
        assert!((soft.area() / mask.area() - 1.0).abs() < 0.02);
        assert_eq!((soft.left, soft.top), (-8, -8));
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_what_is_used() {
        let mut cache = Cache::default();
        let mask = || Arc::new(Mask::new(0, 0, GrayImage::new(256, 256)));
        cache.put([-1].into(), mask());
        for i in 0..2000 {
            cache.put([i].into(), mask());
            assert!(cache.get(&[-1]).is_some());
        }
        let held: usize = [&cache.young, &cache.old]
            .iter()
            .flat_map(|map| map.values())
            .map(|mask| mask.cover.len())
            .sum();
        assert!(held <= CACHE_BYTES, "{held}");
        assert!(cache.get(&[0]).is_none());
    }
}
