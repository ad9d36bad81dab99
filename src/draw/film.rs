//! Pictures one after the other, as an animated GIF or PNG.
//!
//! A frame holds only what has changed since the one before: the rectangle around it, in which a colour that nothing
//! else there has means "as it was". All pictures of a theme share one palette, so no colour is chosen anew, and what is
//! too large is made smaller only where it has changed.
//!
//! Beside the file there are never more than three pictures in memory, the one that is added among them.
//!
//! It is a GIF, because everything shows that, and an animated PNG in browsers, where it is smaller. Measured apart, with another packer, the
//! first forty turns of some games took 0.75 of the GIF's bytes for Phase, 0.74 for Breaker Blocks, 0.80 for
//! Phase-Fabric, 0.85 for GlyphGrid and 0.93 for Phwar. Discord shows no animated PNG, nor do many apps for Matrix. Lossless WebP would be
//! smaller still, but no encoder in Rust writes it with several pictures. The files are written by [`super::film_file`].
//!
//! ```
//! use std::time::Duration;
//!
//! use parlor::draw::film::Film;
//! use parlor::draw::{Canvas, Ink, Theme};
//!
//! let mut film = Film::new([320, 200], Theme::Light)?;
//! for place in 0..3u8 {
//!     let mut canvas = Canvas::new(320, 200, Theme::Light);
//!     canvas.circle(40.0 + 80.0 * f32::from(place), 100.0, 30.0, Ink::seat(0));
//!     film.add(canvas, Duration::from_millis(800))?;
//! }
//! assert!(film.finish()?.starts_with(b"GIF89a"));
//! # Ok::<(), parlor::draw::film::FilmError>(())
//! ```

use std::ops::Range;
use std::time::Duration;

use super::blend::Blend;
use super::canvas::Canvas;
use super::film_file::{FilmFile, FilmFrame};
use super::palette::{Ink, Theme};
use super::wide;

pub use super::film_file::{FilmError, FilmFormat};

/// Pictures that are longer than this on one side are made smaller by a quarter.
const LONG_SIDE: u32 = 900;

/// So many pixels in a row become so many.
const FROM: usize = 4;
const TO: usize = 3;

/// How much of two neighbours goes into each of the [`TO`] pixels, in quarters.
const SHARES: [[(usize, u32); 2]; TO] = [[(0, 3), (1, 1)], [(1, 2), (2, 2)], [(2, 1), (3, 3)]];

/// An animated picture in the making.
pub struct Film {
    file: FilmFile,
    scale: Scale,
    blend: Blend,
    /// How far from the left edge pictures lie.
    left: usize,
    /// The last picture as it was drawn, where it is shown smaller.
    drawn: Option<Pixels>,
    /// The last picture as it is shown.
    shown: Pixels,
    /// Whether nothing has been shown so far.
    is_empty: bool,
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("bytes", &self.len())
            .finish_non_exhaustive()
    }
}

/// How pictures are brought to the size of the film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    AsDrawn,
    Smaller,
}

impl Scale {
    /// A length on the picture that is a whole number of steps, so that it can be scaled apart from the rest.
    const fn step(self) -> usize {
        match self {
            Self::AsDrawn => 1,
            Self::Smaller => FROM,
        }
    }

    /// A length or place on the picture, in the film.
    const fn of(self, length: usize) -> usize {
        match self {
            Self::AsDrawn => length,
            Self::Smaller => length.div_ceil(FROM) * TO,
        }
    }
}

/// Numbers of colours, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pixels {
    width: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            bytes: vec![Ink::Paper as u8; width * height],
        }
    }

    fn height(&self) -> usize {
        self.bytes.len().checked_div(self.width).unwrap_or(0)
    }

    fn row(&self, y: usize, columns: &Range<usize>) -> &[u8] {
        let start = y * self.width;
        self.bytes
            .get(start + columns.start..start + columns.end)
            .unwrap_or_default()
    }

    fn row_mut(&mut self, y: usize, columns: &Range<usize>) -> &mut [u8] {
        let start = y * self.width;
        self.bytes
            .get_mut(start + columns.start..start + columns.end)
            .unwrap_or_default()
    }
}

/// A part of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Area {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Area {
    /// The smallest area around it whose edges are multiples of `step`.
    fn widened(&self, step: usize) -> Self {
        let wide = |range: &Range<usize>| range.start / step * step..range.end.next_multiple_of(step);
        Self {
            columns: wide(&self.columns),
            rows: wide(&self.rows),
        }
    }

    fn map(&self, place: impl Fn(usize) -> usize) -> Self {
        let both = |range: &Range<usize>| place(range.start)..place(range.end);
        Self {
            columns: both(&self.columns),
            rows: both(&self.rows),
        }
    }
}

/// The rectangle around all that differs between two pictures, found row by row.
#[derive(Debug, Default)]
struct Differences(Option<Area>);

impl Differences {
    fn compare(&mut self, y: usize, old: &[u8], new: &[u8]) {
        if old == new {
            return;
        }
        let pairs = || old.iter().zip(new);
        let (Some(first), Some(last)) = (
            pairs().position(|(old, new)| old != new),
            pairs().rposition(|(old, new)| old != new),
        ) else {
            return;
        };
        let area = self.0.get_or_insert(Area {
            columns: first..last + 1,
            rows: y..y,
        });
        area.columns = area.columns.start.min(first)..area.columns.end.max(last + 1);
        area.rows.end = y + 1;
    }
}

/// What the pictures of a film measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmShape {
    /// As drawn, or by a quarter less: light enough for every platform and every phone.
    Light,
    /// For places that show high pictures small: at least as wide as high, and never made smaller.
    Wide,
}

impl Film {
    /// A film for pictures of this theme that are no larger than `size`: width and height in pixels.
    pub fn new(size: [u32; 2], theme: Theme) -> Result<Self, FilmError> {
        Self::shaped(size, theme, FilmShape::Light, FilmFormat::Gif)
    }

    /// The same in another shape, or as another file.
    pub fn shaped(
        [width, height]: [u32; 2],
        theme: Theme,
        shape: FilmShape,
        format: FilmFormat,
    ) -> Result<Self, FilmError> {
        let (own, scale) = (
            width,
            match shape {
                FilmShape::Light if width.max(height) > LONG_SIDE => Scale::Smaller,
                FilmShape::Light | FilmShape::Wide => Scale::AsDrawn,
            },
        );
        let width = match shape {
            FilmShape::Light => width,
            FilmShape::Wide => width.max(height).max(wide::LONG_SIDE as u32),
        };
        let left = ((width - own) / 2) as usize;
        let sides = [width, height].map(|side| (side as usize).next_multiple_of(scale.step()));
        let size = sides.map(|side| scale.of(side));
        Ok(Self {
            file: FilmFile::new(size, theme, format)?,
            scale,
            blend: Blend::new(theme),
            left,
            drawn: (scale == Scale::Smaller).then(|| Pixels::new(sides[0], sides[1])),
            shown: Pixels::new(size[0], size[1]),
            is_empty: true,
        })
    }

    /// Shows the next picture for this long. One that looks like the last only stays longer.
    pub fn add(&mut self, canvas: Canvas, stays: Duration) -> Result<(), FilmError> {
        let hundredths = u16::try_from(stays.as_millis() / 10).unwrap_or(u16::MAX);
        if self.is_empty {
            let (whole, place) = self.scaled(canvas, &self.whole());
            self.shown = whole;
            self.is_empty = false;
            let pixels = self.shown.bytes.iter().map(|colour| self.file.colour(*colour));
            let frame = FilmFrame {
                left: 0,
                top: 0,
                width: place.columns.len(),
                height: place.rows.len(),
                pixels: pixels.collect(),
                as_before: None,
            };
            return self.file.add(&frame, hundredths);
        }
        let frame = match self.changes(&canvas) {
            Some(area) => {
                let (fresh, place) = self.scaled(canvas, &area.widened(self.scale.step()));
                self.frame_of(&fresh, &place)
            }
            None => None,
        };
        match frame {
            Some(frame) => self.file.add(&frame, hundredths),
            None => {
                self.file.stay_longer(hundredths);
                Ok(())
            }
        }
    }

    /// How many bytes there are so far.
    pub fn len(&self) -> usize {
        self.file.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The file.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.file.finish()
    }

    /// All of a picture as it is drawn.
    fn whole(&self) -> Area {
        let sheet = self.drawn.as_ref().unwrap_or(&self.shown);
        Area {
            columns: 0..sheet.width,
            rows: 0..sheet.height(),
        }
    }

    /// Writes a row of a picture where it lies on a sheet of the film's width.
    fn lay(&self, canvas: &Canvas, y: usize, row: &mut [u8]) {
        row.fill(Ink::Paper as u8);
        let width = canvas.width() as usize;
        let drawn = canvas.pixels().as_raw().get(y * width..(y + 1) * width);
        let Some(drawn @ [first, .., last]) = drawn else {
            return;
        };
        let columns = self.left..row.len().min(self.left + width);
        if self.left > 0 {
            // The ground goes on at both sides.
            let (before, behind) = row.split_at_mut(columns.end);
            before.fill(*first);
            behind.fill(*last);
        }
        if let (Some(place), Some(drawn)) = (row.get_mut(columns.clone()), drawn.get(..columns.len())) {
            place.copy_from_slice(drawn);
        }
    }

    /// Where a picture differs from the last one.
    fn changes(&self, canvas: &Canvas) -> Option<Area> {
        let before = self.drawn.as_ref().unwrap_or(&self.shown);
        let whole = 0..before.width;
        let mut row = vec![0; before.width];
        let mut differences = Differences::default();
        for y in 0..before.height() {
            self.lay(canvas, y, &mut row);
            differences.compare(y, before.row(y, &whole), &row);
        }
        differences.0
    }

    /// An area of a picture in the size of the film, and where it lies there. The picture is let go of as soon as it can be.
    fn scaled(&mut self, canvas: Canvas, area: &Area) -> (Pixels, Area) {
        let place = area.map(|place| self.scale.of(place));
        let mut row = vec![0; self.whole().columns.len()];
        let Some(mut drawn) = self.drawn.take() else {
            let mut fresh = Pixels::new(area.columns.len(), area.rows.len());
            let own = 0..fresh.width;
            for (y, to) in area.rows.clone().zip(0..) {
                self.lay(&canvas, y, &mut row);
                if let Some(row) = row.get(area.columns.clone()) {
                    fresh.row_mut(to, &own).copy_from_slice(row);
                }
            }
            return (fresh, place);
        };
        for y in area.rows.clone() {
            self.lay(&canvas, y, &mut row);
            if let Some(row) = row.get(area.columns.clone()) {
                drawn.row_mut(y, &area.columns).copy_from_slice(row);
            }
        }
        drop(canvas);
        let mut fresh = Pixels::new(place.columns.len(), place.rows.len());
        let own = 0..fresh.width;
        let blocks = area
            .rows
            .clone()
            .step_by(FROM)
            .zip((0..fresh.height()).step_by(TO));
        for (from, to) in blocks {
            let rows: [&[u8]; FROM] = std::array::from_fn(|y| drawn.row(from + y, &area.columns));
            for (y, shares) in SHARES.iter().enumerate() {
                shrink(&mut self.blend, rows, *shares, fresh.row_mut(to + y, &own));
            }
        }
        self.drawn = Some(drawn);
        (fresh, place)
    }

    /// What is new in a part of the film, which is shown from now on; nothing if nothing is.
    fn frame_of(&mut self, fresh: &Pixels, place: &Area) -> Option<FilmFrame<'static>> {
        let whole = 0..fresh.width;
        let mut differences = Differences::default();
        for (y, at) in place.rows.clone().enumerate() {
            differences.compare(y, self.shown.row(at, &place.columns), fresh.row(y, &whole));
        }
        let area = differences.0?;
        let (left, top) = (
            place.columns.start + area.columns.start,
            place.rows.start + area.rows.start,
        );
        let columns = left..left + area.columns.len();
        let rows = || {
            let rows = area.rows.clone().zip(top..);
            rows.map(|(from, to)| (fresh.row(from, &area.columns), self.shown.row(to, &columns)))
        };
        let mut used = [false; 256];
        for (new, old) in rows() {
            for (new, old) in new.iter().zip(old) {
                used[usize::from(*new)] |= new != old;
            }
        }
        let as_before = self.file.as_before(&used);
        let mut buffer = Vec::with_capacity(area.columns.len() * area.rows.len());
        for (new, old) in rows() {
            match as_before {
                Some(same) => buffer.extend(
                    new.iter()
                        .zip(old)
                        .map(|(new, old)| if new == old { same } else { self.file.colour(*new) }),
                ),
                None => buffer.extend(new.iter().map(|new| self.file.colour(*new))),
            }
        }
        for (from, to) in area.rows.clone().zip(top..) {
            self.shown
                .row_mut(to, &columns)
                .copy_from_slice(fresh.row(from, &area.columns));
        }
        Some(FilmFrame {
            left,
            top,
            width: area.columns.len(),
            height: area.rows.len(),
            pixels: buffer.into(),
            as_before,
        })
    }
}

/// One row of smaller pixels from two of four rows.
fn shrink(blend: &mut Blend, rows: [&[u8]; FROM], shares: [(usize, u32); 2], out: &mut [u8]) {
    let [(first, upper), (second, lower)] = shares;
    let (above, below) = (rows[first], rows[second]);
    let blocks = above.chunks_exact(FROM).zip(below.chunks_exact(FROM));
    for ((above, below), out) in blocks.zip(out.chunks_exact_mut(TO)) {
        for (out, [(left, near), (right, far)]) in out.iter_mut().zip(SHARES) {
            let corners = [above[left], above[right], below[left], below[right]];
            *out = blend.mix(corners, [near * upper, far * upper, near * lower, far * lower]);
        }
    }
}

#[cfg(test)]
#[path = "../../tests/support/frames.rs"]
mod frames;

#[cfg(test)]
mod tests {
    use super::frames::frames;
    use super::*;

    const STAYS: Duration = Duration::from_millis(500);

    fn with_dot(x: f32, height: u32) -> Canvas {
        let mut canvas = Canvas::new(400, height, Theme::Dark);
        canvas.circle(x, 60.0, 25.0, Ink::seat(1));
        canvas
    }

    #[test]
    fn frames_show_the_pictures_one_after_the_other() {
        let pictures = [50.0, 120.0, 120.0, 120.0, 333.0].map(|x| with_dot(x, 200));
        let mut film = Film::new([400, 200], Theme::Dark).unwrap();
        for picture in &pictures {
            film.add(picture.clone(), STAYS).unwrap();
        }
        let shown = frames(&film.finish().unwrap());
        // The second stays three times as long, since the next two look the same.
        let delays: Vec<u16> = shown.iter().map(|(_, delay)| *delay).collect();
        assert_eq!(delays, [50, 150, 50]);
        for ((shown, _), picture) in shown.iter().zip([&pictures[0], &pictures[1], &pictures[4]]) {
            assert!(shown == picture.pixels().as_raw(), "a frame is not the picture");
        }
    }

    /// The screens of an animated PNG in numbers of colours, by the decoder of another crate, with how long each stays.
    fn png_screens(file: &[u8]) -> Vec<(Vec<u8>, u16)> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let alpha = reader.info().trns.clone().unwrap();
        let is_clear = |colour: u8| alpha.get(usize::from(colour)) == Some(&0);
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut screen = vec![0; width * height];
        let mut shown = Vec::new();
        for _ in 0..count {
            let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut buffer).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!((frame.blend_op, frame.delay_den), (png::BlendOp::Over, 100));
            let rows = buffer
                .chunks_exact(frame.width as usize)
                .take(frame.height as usize);
            for (y, row) in rows.enumerate() {
                let start = (frame.y_offset as usize + y) * width + frame.x_offset as usize;
                for (place, pixel) in screen[start..].iter_mut().zip(row) {
                    if !is_clear(*pixel) {
                        *place = *pixel;
                    }
                }
            }
            shown.push((screen.clone(), frame.delay_num));
        }
        shown
    }

    #[test]
    fn an_animated_png_shows_what_the_gif_does() {
        for theme in Theme::ALL {
            // With every colour of the palette, so that the one that is given up is among them.
            let pictures = [50.0, 120.0, 120.0, 120.0, 333.0].map(|x| {
                let mut canvas = Canvas::new(400, 200, theme);
                for (number, ink) in (0u8..).zip(Ink::ALL) {
                    let place = f32::from(number) * 13.0;
                    canvas.circle(place % 390.0, 20.0 + place / 8.0, 9.0, ink);
                }
                canvas.circle(x, 140.0, 25.0, Ink::seat(1));
                canvas
            });
            let film = |format| {
                let mut film = Film::shaped([400, 200], theme, FilmShape::Light, format).unwrap();
                for picture in &pictures {
                    film.add(picture.clone(), STAYS).unwrap();
                }
                film.finish().unwrap()
            };
            let (gif, png) = (film(FilmFormat::Gif), film(FilmFormat::AnimatedPng));
            let (wanted, shown) = (frames(&gif), png_screens(&png));
            assert_eq!(shown.len(), 3);
            let file = FilmFile::new([400, 200], theme, FilmFormat::AnimatedPng).unwrap();
            for ((shown, delay), (wanted, stays)) in shown.iter().zip(&wanted) {
                assert_eq!(delay, stays);
                let wanted: Vec<u8> = wanted.iter().map(|colour| file.colour(*colour)).collect();
                assert!(*shown == wanted, "a frame is not the picture");
            }
        }
    }

    #[test]
    fn a_smaller_picture_lies_on_paper_of_the_films_size() {
        let mut film = Film::new([400, 300], Theme::Light).unwrap();
        film.add(with_dot(50.0, 300), STAYS).unwrap();
        film.add(with_dot(50.0, 100), STAYS).unwrap();
        let shown = frames(&film.finish().unwrap());
        let (last, _) = shown.last().unwrap();
        assert!(last[400 * 100..].iter().all(|pixel| *pixel == Ink::Paper as u8));
        assert_eq!(last[..400 * 100], with_dot(50.0, 100).pixels().as_raw()[..]);
    }

    #[test]
    fn what_is_scaled_in_parts_looks_as_if_scaled_whole() {
        let pictures = [30.0, 260.0, 261.0, 700.0].map(|x| {
            let mut canvas = Canvas::new(1000, 700, Theme::Safe);
            canvas.circle(x, 345.0, 77.0, Ink::seat(0));
            canvas.circle(x + 201.0, 101.0, 33.0, Ink::seat(2));
            canvas
        });
        let mut film = Film::new([1000, 700], Theme::Safe).unwrap();
        for picture in &pictures {
            film.add(picture.clone(), STAYS).unwrap();
        }
        let shown = frames(&film.finish().unwrap());
        assert_eq!(shown.len(), pictures.len());
        for ((shown, _), picture) in shown.iter().zip(&pictures) {
            let mut alone = Film::new([1000, 700], Theme::Safe).unwrap();
            alone.add(picture.clone(), STAYS).unwrap();
            assert_eq!(shown.len(), 750 * 525);
            assert!(*shown == frames(&alone.finish().unwrap())[0].0);
        }
    }

    #[test]
    fn a_wide_film_shows_the_pictures_in_its_middle_as_they_were_drawn() {
        for (height, size) in [(1000, [1200, 1000]), (1300, [1300, 1300])] {
            let mut film =
                Film::shaped([400, height], Theme::Dark, FilmShape::Wide, FilmFormat::Gif).unwrap();
            let pictures = [50.0, 120.0].map(|x| with_dot(x, height));
            for picture in &pictures {
                film.add(picture.clone(), STAYS).unwrap();
            }
            let file = film.finish().unwrap();
            let side = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
            assert_eq!([side(6), side(8)], size);
            let (width, left) = (usize::from(size[0]), (usize::from(size[0]) - 400) / 2);
            for ((shown, _), picture) in frames(&file).iter().zip(&pictures) {
                let drawn = picture.pixels().as_raw();
                for (row, drawn) in shown.chunks_exact(width).zip(drawn.chunks_exact(400)) {
                    assert_eq!(row[left..left + 400], *drawn);
                    assert!(row[..left].iter().all(|pixel| *pixel == drawn[0]));
                }
            }
        }
    }

    #[test]
    fn shares_add_up() {
        for pair in SHARES {
            assert_eq!(pair.iter().map(|(_, share)| share).sum::<u32>(), 4);
        }
    }
}
