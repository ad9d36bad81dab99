//! The sheet that pictures are drawn on.
//!
//! Calls take places in pixels as `f32`, an [`Ink`] (or a faded one), and smooth every edge. What was
//! drawn last lies on top. Masks of shapes and words are cached, so drawing the same board again costs
//! little more than copying it; for the parts of a picture that never change, keep a whole canvas and
//! start from a copy of it.
//!
//! ```
//! use parlor::draw::{Align, Canvas, Ink, Style, Theme, shape::hexagon};
//!
//! let mut canvas = Canvas::new(400, 300, Theme::Light);
//! let cell = hexagon(200.0, 150.0, 60.0);
//! canvas.polygon(&cell, Ink::CellA);
//! canvas.outline(&cell, 2.0, Ink::Line);
//! canvas.soft_circle(200.0, 154.0, 32.0, 4, Ink::Shadow.fade(0.3));
//! canvas.circle(200.0, 150.0, 32.0, Ink::rim(0));
//! canvas.circle(200.0, 150.0, 29.0, Ink::seat(0));
//! let sign = canvas.theme().legible_on(Ink::seat(0));
//! canvas.text(200.0, 150.0, "+1", Style::bold(24.0).align(Align::Centre), sign);
//! let png = canvas.to_png()?;
//! # assert!(png.len() < 8000);
//! # Ok::<(), parlor::draw::png::PngError>(())
//! ```

use image::GrayImage;

use super::font::{self, Style};
use super::mask::{Mask, Point};
use super::mix::{LEVELS, Mixer};
use super::palette::{Ink, Paint, Rgb, Theme};
use super::png::{self, PngError};
use super::shape::{self, Cap, Placed, towards};

/// The longest side of a picture.
pub const MAX_SIDE: u32 = 2048;

/// A picture in the 256 colours of its theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    theme: Theme,
    /// One byte a pixel: the number of a colour of [`Mixer::colours`].
    pixels: GrayImage,
    /// Edges are smoothed in so few steps, if it is not 0; see [`Canvas::coarse`].
    coarse: u8,
}

/// A corner of a rectangle and its size, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Rect {
    #[must_use]
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The same rectangle, smaller by `by` on all sides.
    #[must_use]
    pub fn inset(self, by: f32) -> Self {
        Self::new(
            self.x + by,
            self.y + by,
            self.width - 2.0 * by,
            self.height - 2.0 * by,
        )
    }

    #[must_use]
    pub fn centre(self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    #[must_use]
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    #[must_use]
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }
}

impl Canvas {
    /// An empty sheet of paper. Sides are brought between 1 and [`MAX_SIDE`].
    #[must_use]
    pub fn new(width: u32, height: u32, theme: Theme) -> Self {
        let paper = image::Luma([Ink::Paper as u8]);
        let (width, height) = (width.clamp(1, MAX_SIDE), height.clamp(1, MAX_SIDE));
        Self {
            theme,
            pixels: GrayImage::from_pixel(width, height, paper),
            coarse: 0,
        }
    }

    /// The same sheet, with edges smoothed in three or four steps from here on. Nobody sees the difference on
    /// letters, which are most of a picture full of words, and such a picture then weighs a third less.
    #[must_use]
    pub fn coarse(self, steps: u8) -> Self {
        Self {
            coarse: steps.clamp(3, 4),
            ..self
        }
    }

    #[must_use]
    pub fn theme(&self) -> Theme {
        self.theme
    }

    #[must_use]
    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    #[must_use]
    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// The picture's colour numbers; see [`Mixer::colours`].
    #[must_use]
    pub fn pixels(&self) -> &GrayImage {
        &self.pixels
    }

    /// The colour of a pixel, if it is on the sheet.
    #[must_use]
    pub fn colour_at(&self, x: u32, y: u32) -> Option<Rgb> {
        let pixel = self.pixels.get_pixel_checked(x, y)?;
        Some(Mixer::of(self.theme).colours()[usize::from(pixel.0[0])])
    }

    /// The finished picture as a PNG file.
    ///
    /// # Errors
    /// Only if the encoder refuses the picture, which is a fault of ours.
    pub fn to_png(&self) -> Result<Vec<u8>, PngError> {
        png::encode(self)
    }

    /// Makes this canvas a copy of another, keeping its memory: the cheap way to start from a drawn
    /// background.
    pub fn copy_from(&mut self, background: &Self) {
        self.theme = background.theme;
        self.coarse = background.coarse;
        if self.pixels.dimensions() == background.pixels.dimensions() {
            self.pixels.copy_from_slice(&background.pixels);
        } else {
            self.pixels = background.pixels.clone();
        }
    }

    /// Covers the whole sheet.
    pub fn fill(&mut self, paint: impl Into<Paint>) {
        let (width, height) = (self.width() as f32, self.height() as f32);
        self.rect(Rect::new(0.0, 0.0, width, height), paint);
    }

    pub fn rect(&mut self, rect: Rect, paint: impl Into<Paint>) {
        let Rect { x, y, width, height } = rect;
        self.polygon(
            &[(x, y), (x + width, y), (x + width, y + height), (x, y + height)],
            paint,
        );
    }

    /// A rectangle with round corners.
    pub fn round_rect(&mut self, rect: Rect, radius: f32, paint: impl Into<Paint>) {
        self.soft_rect(rect, radius, 0, paint);
    }

    /// The frame of a rectangle with round corners, drawn inside of it.
    pub fn frame(&mut self, rect: Rect, radius: f32, width: f32, paint: impl Into<Paint>) {
        self.place(
            &shape::frame(rect.x, rect.y, (rect.width, rect.height), radius, width),
            paint,
        );
    }

    /// A rectangle with round corners, out of focus: a shadow or a glow.
    pub fn soft_rect(&mut self, rect: Rect, radius: f32, blur: u32, paint: impl Into<Paint>) {
        let size = (rect.width, rect.height);
        self.place(&shape::round_rect(rect.x, rect.y, size, radius, blur), paint);
    }

    pub fn polygon(&mut self, corners: &[Point], paint: impl Into<Paint>) {
        self.soft_polygon(corners, 0, paint);
    }

    /// A polygon out of focus.
    pub fn soft_polygon(&mut self, corners: &[Point], blur: u32, paint: impl Into<Paint>) {
        if let Some(placed) = shape::polygon(corners, blur) {
            self.place(&placed, paint);
        }
    }

    /// A line along the edges of a polygon, with sharp corners.
    pub fn outline(&mut self, corners: &[Point], width: f32, paint: impl Into<Paint>) {
        if let Some(placed) = shape::outline(corners, width) {
            self.place(&placed, paint);
        }
    }

    /// A line with round ends.
    pub fn line(&mut self, from: Point, to: Point, width: f32, paint: impl Into<Paint>) {
        self.polyline(&[from, to], width, Cap::Round, paint);
    }

    /// A line through several points, with round joints.
    pub fn polyline(&mut self, points: &[Point], width: f32, cap: Cap, paint: impl Into<Paint>) {
        if let Some(placed) = shape::line(points, width, cap) {
            self.place(&placed, paint);
        }
    }

    /// An arrow whose tip is at `to`; `width` is that of its shaft.
    pub fn arrow(&mut self, from: Point, to: Point, width: f32, paint: impl Into<Paint>) {
        if let Some(placed) = shape::arrow(from, to, width) {
            self.place(&placed, paint);
        }
    }

    /// An arrow from one thing to another, that starts and stops so many pixels from their middles.
    pub fn arrow_between(
        &mut self,
        (from, to): (Point, Point),
        (after, before): (f32, f32),
        width: f32,
        paint: impl Into<Paint>,
    ) {
        self.arrow(towards(from, to, after), towards(to, from, before), width, paint);
    }

    /// An arrow in pieces, for what may happen: it isn't taken for a move that was made.
    pub fn dashed_arrow(
        &mut self,
        (from, to): (Point, Point),
        (after, before): (f32, f32),
        paint: impl Into<Paint>,
    ) {
        const HEAD: f32 = 24.0;
        let paint = paint.into();
        let (from, to) = (towards(from, to, after), towards(to, from, before));
        let head = HEAD.min((to.0 - from.0).hypot(to.1 - from.1));
        self.dashes(from, towards(to, from, head), (11.0, 9.0), paint);
        self.arrow(towards(to, from, head), to, 7.0, paint);
    }

    /// A line of dots from one thing to another, that starts and stops so many pixels from their middles.
    pub fn dotted_line(
        &mut self,
        (from, to): (Point, Point),
        (after, before): (f32, f32),
        paint: impl Into<Paint>,
    ) {
        let (from, to) = (towards(from, to, after), towards(to, from, before));
        self.dashes(from, to, (0.5, 13.0), paint.into());
    }

    fn dashes(&mut self, from: Point, to: Point, (dash, gap): (f32, f32), paint: Paint) {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut at = 0.0;
        while at + dash < length {
            self.line(towards(from, to, at), towards(from, to, at + dash), 5.0, paint);
            at += dash + gap;
        }
    }

    pub fn circle(&mut self, x: f32, y: f32, radius: f32, paint: impl Into<Paint>) {
        self.soft_circle(x, y, radius, 0, paint);
    }

    /// A circle out of focus: a shadow or a glow.
    pub fn soft_circle(&mut self, x: f32, y: f32, radius: f32, blur: u32, paint: impl Into<Paint>) {
        self.place(&shape::disc(x, y, radius, blur), paint);
    }

    /// A line of this width along a circle.
    pub fn ring(&mut self, x: f32, y: f32, radius: f32, width: f32, paint: impl Into<Paint>) {
        self.place(&shape::ring(x, y, radius, width), paint);
    }

    /// A part of a ring. Angles are in turns, clockwise from the top.
    pub fn arc(
        &mut self,
        centre: Point,
        radius: f32,
        width: f32,
        turns: (f32, f32),
        paint: impl Into<Paint>,
    ) {
        self.place(
            &shape::arc(centre.0, centre.1, radius, width, turns.0, turns.1),
            paint,
        );
    }

    /// A slice of a disc. Angles are in turns, clockwise from the top.
    pub fn pie(&mut self, centre: Point, radius: f32, turns: (f32, f32), paint: impl Into<Paint>) {
        self.arc(centre, radius / 2.0, radius, turns, paint);
    }

    /// One line of text. `x` is its left end, middle or right end, as the style's alignment says; `y`
    /// is the middle of its capital letters, so that text centred on a cell looks centred. Text is
    /// drawn as long as it is: see [`font::fit`].
    pub fn text(&mut self, x: f32, y: f32, text: &str, style: Style, paint: impl Into<Paint>) {
        if let Some(placed) = font::run(x, y, text, style) {
            self.place(&placed, paint);
        }
    }

    /// Text wrapped to a width, from `top` down. Returns where it ends.
    pub fn paragraph(
        &mut self,
        x: f32,
        top: f32,
        width: f32,
        text: &str,
        style: Style,
        paint: impl Into<Paint>,
    ) -> f32 {
        let paint = paint.into();
        let mut y = top;
        for line in font::wrap(text, width, style) {
            self.text(x, y + style.line_height() / 2.0, &line, style, paint);
            y += style.line_height();
        }
        y
    }

    fn place(&mut self, placed: &Placed, paint: impl Into<Paint>) {
        self.stamp(&placed.mask, placed.x, placed.y, paint);
    }

    /// Lays ink on through a mask whose own point comes to lie on the pixel (`x`, `y`).
    pub fn stamp(&mut self, mask: &Mask, x: i32, y: i32, paint: impl Into<Paint>) {
        let paint = paint.into();
        let layer = Mixer::of(self.theme).layer(paint.ink);
        let mut levels = levels(paint.strength);
        if paint.strength == 255 {
            match self.coarse {
                0 => {}
                1..=3 => levels = THIRDS,
                4.. => levels = QUARTERS,
            }
        }
        let solid = levels[255];
        let (sheet, wide) = (self.width() as usize, mask.cover.width() as usize);
        let (left, top) = (x.saturating_add(mask.left), y.saturating_add(mask.top));
        // The columns and rows of the mask that lie on the sheet.
        let skip = usize::try_from(left.saturating_neg()).unwrap_or(0);
        let start = usize::try_from(left).unwrap_or(0);
        if start >= sheet || skip >= wide {
            return;
        }
        let keep = skip + (sheet - start).min(wide - skip);
        let skip_rows = usize::try_from(top.saturating_neg()).unwrap_or(0);
        let first_row = usize::try_from(top).unwrap_or(0);

        let masks = mask.cover.chunks_exact(wide).zip(&mask.spans).skip(skip_rows);
        let rows = self.pixels.chunks_exact_mut(sheet).skip(first_row);
        for ((cover, span), row) in masks.zip(rows) {
            let [a, b, c, d] = [span.start, span.solid_start, span.solid_end, span.end]
                .map(|column| column.clamp(skip, keep));
            let row = &mut row[start..start + (keep - skip)];
            let mut blend = |from: usize, to: usize| {
                for (pixel, &cover) in row[from - skip..to - skip].iter_mut().zip(&cover[from..to]) {
                    *pixel = layer.on(*pixel, levels[usize::from(cover)]);
                }
            };
            blend(a, b);
            blend(c, d);
            let middle = &mut row[b - skip..c - skip];
            if usize::from(solid) == LEVELS {
                middle.fill(paint.ink as u8);
            } else {
                for pixel in middle {
                    *pixel = layer.on(*pixel, solid);
                }
            }
        }
    }
}

/// The level of blending for each coverage, at a strength.
fn levels(strength: u8) -> [u8; 256] {
    const FULL: [u8; 256] = levels_at(255);
    if strength == 255 {
        FULL
    } else {
        levels_at(strength)
    }
}

/// The levels of full strength in a few steps.
const THIRDS: [u8; 256] = stepped(3);
const QUARTERS: [u8; 256] = stepped(4);

const fn stepped(steps: usize) -> [u8; 256] {
    let mut levels = [0; 256];
    let mut cover = 0;
    while cover < 256 {
        let step = (cover * steps + 127) / 255;
        levels[cover] = (step * LEVELS / steps) as u8;
        cover += 1;
    }
    levels
}

const fn levels_at(strength: u8) -> [u8; 256] {
    let mut levels = [0; 256];
    let mut cover = 0;
    while cover < 256 {
        levels[cover] = ((cover * strength as usize * LEVELS + 32512) / 65025) as u8;
        cover += 1;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::font::Align;

    fn scene(theme: Theme) -> Canvas {
        let mut canvas = Canvas::new(200, 160, theme);
        canvas.round_rect(Rect::new(10.5, 10.5, 120.0, 90.0), 12.0, Ink::Panel);
        canvas.frame(Rect::new(10.5, 10.5, 120.0, 90.0), 12.0, 2.0, Ink::Line);
        canvas.arrow((20.0, 20.0), (100.0, 80.0), 5.0, Ink::LastMove);
        canvas.circle(60.2, 60.7, 20.0, Ink::seat(1));
        canvas.text(
            60.0,
            60.0,
            "Äpfel",
            Style::bold(18.0).align(Align::Centre),
            Ink::White,
        );
        canvas
    }

    #[test]
    fn the_same_calls_give_the_same_bytes_whatever_was_drawn_before() {
        for theme in Theme::ALL {
            let first = scene(theme).to_png().unwrap();
            for i in 0..300 {
                let mut other = Canvas::new(300, 300, theme);
                other.circle(100.0, 100.0, 40.0 + i as f32 / 3.0, Ink::Danger);
                other.text(10.0, 10.0, &format!("noise {i}"), Style::regular(20.0), Ink::Text);
            }
            assert_eq!(scene(theme).to_png().unwrap(), first);
        }
    }

    #[test]
    fn nothing_is_drawn_beyond_the_edges() {
        let mut canvas = Canvas::new(40, 30, Theme::Light);
        for (x, y) in [
            (-5.0, -5.0),
            (45.0, 15.0),
            (20.0, 35.0),
            (-500.0, 5.0),
            (1e9, f32::NAN),
        ] {
            canvas.circle(x, y, 12.0, Ink::Danger);
            canvas.text(x, y, "over the edge", Style::regular(18.0), Ink::Text);
        }
        let wide = Rect::new(-100.0, -100.0, 400.0, 400.0);
        canvas.rect(wide, Ink::Good);
        assert!(canvas.pixels().iter().all(|&pixel| pixel == Ink::Good as u8));
    }

    #[test]
    fn a_rim_is_smooth() {
        let mut canvas = Canvas::new(64, 64, Theme::Light);
        canvas.circle(32.0, 32.0, 24.0, Ink::Black);
        let colours: std::collections::BTreeSet<_> = canvas.pixels().iter().collect();
        assert!(colours.len() >= 10, "only {} colours", colours.len());
    }

    #[test]
    fn fading_leaves_the_ground_visible() {
        let mut canvas = Canvas::new(8, 8, Theme::Light);
        canvas.fill(Ink::White);
        canvas.fill(Ink::Black.fade(0.5));
        let Rgb([r, _, _]) = canvas.colour_at(3, 3).unwrap();
        assert!((110..=165).contains(&r), "{r}");
        canvas.fill(Ink::Danger.fade(0.0));
        assert_eq!(canvas.colour_at(3, 3).unwrap().0[0], r);
    }

    #[test]
    fn a_copied_background_is_equal() {
        let background = scene(Theme::Dark);
        let mut canvas = Canvas::new(10, 10, Theme::Light);
        canvas.copy_from(&background);
        assert_eq!(canvas, background);
    }
}
