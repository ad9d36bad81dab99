//! Words in pictures: measuring, fitting, wrapping and rasterising text.
//!
//! One family, Inter, is part of the program, so pictures are the same on every machine. It has Latin,
//! Greek and Cyrillic letters; what it lacks is drawn as a box. Players choose their names, so text is
//! cleaned first: nothing in a name may turn the line around, stack marks over other lines or take no
//! width. Runs of text are cached as masks like any other shape.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, point};
use image::{GrayImage, Luma};
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};

use super::mask::{Mask, cached};
use super::shape::{Kind, Placed, snap};
use crate::text::is_invisible;

/// How text looks and where it lies about its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub face: FontFace,
    /// Pixels an em; a capital letter is about 0.73 of it high.
    pub size: f32,
    pub align: Align,
}

impl Style {
    /// Plain text from the left.
    #[must_use]
    pub const fn regular(size: f32) -> Self {
        Self {
            face: FontFace::Regular,
            size,
            align: Align::Left,
        }
    }

    /// Bold text from the left.
    #[must_use]
    pub const fn bold(size: f32) -> Self {
        Self {
            face: FontFace::Bold,
            size,
            align: Align::Left,
        }
    }

    #[must_use]
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// From one line to the next.
    #[must_use]
    pub fn line_height(self) -> f32 {
        (self.size * 1.35).round()
    }

    /// The size in quarters of a pixel, which is as fine as sizes are told apart.
    fn quarters(self) -> i32 {
        (snap(self.size) / 4).clamp(4, 4 * 400)
    }

    fn pixels(self) -> f32 {
        self.quarters() as f32 / 4.0
    }
}

/// The cuts of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FontFace {
    Regular,
    Bold,
}

/// Which part of a line lies at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    Left,
    Centre,
    Right,
}

/// The width of a line of text in pixels.
#[must_use]
pub fn width(text: &str, style: Style) -> f32 {
    Inked::new(style).map_or(0.0, |inked| {
        measured(text, style, || inked.lay_out(&clean(text)).1)
    })
}

/// The width of a text that was measured before, or as `measure` finds it. Layouts ask for the same words over and
/// over, and pairs of letters are slow to look up.
fn measured(text: &str, style: Style, measure: impl FnOnce() -> f32) -> f32 {
    /// Longer texts hardly come twice.
    const LONGEST: usize = 48;
    /// So many of one style are remembered; then it is forgotten what was.
    const MOST: usize = 4096;
    static KNOWN: OnceLock<Mutex<HashMap<(FontFace, i32), Widths>>> = OnceLock::new();
    if text.len() > LONGEST {
        return measure();
    }
    let key = (style.face, style.quarters());
    let known = KNOWN.get_or_init(Mutex::default);
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(width) = lock().get(&key).and_then(|widths| widths.get(text)) {
        return *width;
    }
    let width = measure();
    let mut known = lock();
    let widths = known.entry(key).or_default();
    if widths.len() >= MOST {
        widths.clear();
    }
    widths.insert(text.into(), width);
    width
}

/// Texts of one style, with their widths.
type Widths = HashMap<Box<str>, f32>;

/// The text if it fits into `limit` pixels, else as much of its beginning as does, with an ellipsis.
#[must_use]
pub fn fit(text: &str, limit: f32, style: Style) -> String {
    let text = clean(text);
    let Some(inked) = Inked::new(style) else {
        return text;
    };
    if inked.width(&text) <= limit {
        return text;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let cut = |at: usize| format!("{}…", text.get(..at).unwrap_or_default().trim_end());
    let fits = ends.partition_point(|&end| inked.width(&cut(end)) <= limit);
    match fits.checked_sub(1) {
        Some(last) => cut(ends[last]),
        None => String::new(),
    }
}

/// The text broken into lines of at most `limit` pixels: between words, at line breaks, and inside of
/// words that are too long for a line.
#[must_use]
pub fn wrap(text: &str, limit: f32, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(inked) = Inked::new(style) else {
        return lines;
    };
    for source in text.lines() {
        let mut line = String::new();
        for word in clean(source).split(' ').filter(|word| !word.is_empty()) {
            let longer = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if inked.width(&longer) <= limit {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                line.push(letter);
                if line.len() > letter.len_utf8() && inked.width(&line) > limit {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, letter.to_string()));
                }
            }
        }
        lines.push(line);
    }
    lines
}

/// The most characters that a line is drawn with.
const LONGEST: usize = 400;

/// Text as it can safely stand in a line of a picture.
///
/// Blanks of all kinds become one space. What can't be seen goes; so do combining marks, which this module does not place.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars().take(4 * LONGEST) {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let combining = matches!(letter,
            '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
            | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
        let doubled = letter == ' ' && out.ends_with(' ');
        if !is_invisible(letter) && !combining && !doubled {
            out.push(letter);
        }
    }
    out.chars().take(LONGEST).collect()
}

/// The mask of a line of text about a point; see [`super::canvas::Canvas::text`].
pub(super) fn run(x: f32, y: f32, text: &str, style: Style) -> Option<Placed> {
    let inked = Inked::new(style)?;
    let text = clean(text);
    let x = match style.align {
        Align::Left => x,
        Align::Centre => x - inked.width(&text) / 2.0,
        Align::Right => x - inked.width(&text),
    };
    // Words stand on whole pixels, for crisp feet, and start at a quarter of one.
    let baseline = (snap(y) as f32 / 16.0 + inked.cap_height() / 2.0).round() as i32;
    let quarters = (snap(x) + 2).div_euclid(4);
    let (x, phase) = (quarters.div_euclid(4), quarters.rem_euclid(4));
    let mut key = vec![Kind::Text as i32, style.face as i32, style.quarters(), phase];
    key.extend(text.chars().map(|letter| letter as i32));
    let mask = cached(&key, || inked.compose(&text, phase));
    Some(Placed { mask, x, y: baseline })
}

/// A face at a size.
struct Inked {
    cut: &'static Cut,
    style: Style,
    /// Pixels a font unit.
    scale: f32,
}

impl Inked {
    fn new(style: Style) -> Option<Self> {
        let cut = Cut::of(style.face)?;
        Some(Self {
            cut,
            style,
            scale: style.pixels() / cut.units_per_em,
        })
    }

    fn cap_height(&self) -> f32 {
        self.cut.cap_height * self.scale
    }

    /// Each glyph and where it starts, then the end of the line.
    fn lay_out(&self, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
        let mut glyphs: Vec<(GlyphId, f32)> = Vec::new();
        let mut pen = 0.0;
        for letter in text.chars() {
            let id = self.cut.font.glyph_id(letter);
            if let Some(&(before, _)) = glyphs.last() {
                pen += self.cut.kern(before, id) * self.scale;
            }
            glyphs.push((id, pen));
            pen += self.cut.font.h_advance_unscaled(id) * self.scale;
        }
        (glyphs, pen)
    }

    /// Of a clean text.
    fn width(&self, text: &str) -> f32 {
        measured(text, self.style, || self.lay_out(text).1)
    }

    /// One mask for the whole line, its pen starting `phase` quarters of a pixel into the point.
    fn compose(&self, text: &str, phase: i32) -> Mask {
        let start = phase as f32 / 4.0;
        let glyphs: Vec<(Arc<Mask>, i32)> = self
            .lay_out(text)
            .0
            .into_iter()
            .map(|(id, x)| {
                let quarters = ((start + x) * 4.0).round() as i32;
                (self.glyph(id, quarters.rem_euclid(4)), quarters.div_euclid(4))
            })
            .filter(|(mask, _)| !mask.cover.is_empty())
            .collect();
        let side = |f: fn(&Mask, i32) -> i32| glyphs.iter().map(move |(mask, x)| f(mask, *x));
        let (Some(left), Some(right), Some(top), Some(bottom)) = (
            side(|mask, x| x + mask.left).min(),
            side(|mask, x| x + mask.left + mask.cover.width() as i32).max(),
            side(|mask, _| mask.top).min(),
            side(|mask, _| mask.top + mask.cover.height() as i32).max(),
        ) else {
            return Mask::empty();
        };
        let mut cover = GrayImage::new((right - left) as u32, (bottom - top) as u32);
        for (mask, x) in &glyphs {
            let (dx, dy) = ((x + mask.left - left) as u32, (mask.top - top) as u32);
            for (x, y, &Luma([c])) in mask.cover.enumerate_pixels() {
                let Luma([under]) = cover.get_pixel_mut(x + dx, y + dy);
                *under = under.saturating_add(c);
            }
        }
        Mask::new(left, top, cover)
    }

    /// A plain empty box.
    fn missing(&self, phase: i32) -> Mask {
        let width = self.cut.font.h_advance_unscaled(MISSING) * self.scale;
        let thick = (0.07 * self.style.pixels()).max(1.0);
        let (left, right) = (
            phase as f32 / 4.0 + 0.12 * width,
            phase as f32 / 4.0 + 0.88 * width,
        );
        let top = -self.cap_height();
        let frame = |by: f32| {
            let (left, right, top, bottom) = (left + by, right - by, top + by, -by);
            vec![(left, top), (right, top), (right, bottom), (left, bottom)]
        };
        let mut hole = frame(thick);
        hole.reverse();
        Mask::of_pieces(&[vec![frame(0.0), hole]])
    }

    fn glyph(&self, id: GlyphId, phase: i32) -> Arc<Mask> {
        let face = self.style.face as i32;
        let key = [
            Kind::Glyph as i32,
            face,
            i32::from(id.0),
            self.style.quarters(),
            phase,
        ];
        if id == MISSING {
            return cached(&key, || self.missing(phase));
        }
        cached(&key, || {
            // ab_glyph's scale is the height from ascent to descent, not the em.
            let height = self.cut.font.height_unscaled() * self.scale;
            let glyph = Glyph {
                id,
                scale: PxScale::from(height),
                position: point(phase as f32 / 4.0, 0.0),
            };
            let Some(outline) = self.cut.font.outline_glyph(glyph) else {
                return Mask::empty();
            };
            let bounds = outline.px_bounds();
            let mut cover = GrayImage::new(bounds.width() as u32, bounds.height() as u32);
            outline.draw(|x, y, c| {
                if let Some(pixel) = cover.get_pixel_mut_checked(x, y) {
                    pixel.0 = [(c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8];
                }
            });
            Mask::new(bounds.min.x as i32, bounds.min.y as i32, cover)
        })
    }
}

/// The glyph that fonts keep for letters they lack. Inter's is a block of stripes, too loud for a name.
const MISSING: GlyphId = GlyphId(0);

/// A font file, read.
struct Cut {
    font: FontRef<'static>,
    units_per_em: f32,
    cap_height: f32,
    /// The tables that say how pairs of letters move together. `ab_glyph` reads only the older kind,
    /// which this font does not have.
    pairs: Vec<PairAdjustment<'static>>,
}

impl Cut {
    /// Nothing only if the file in the program is broken, which a test would show.
    fn of(face: FontFace) -> Option<&'static Self> {
        static REGULAR: OnceLock<Option<Cut>> = OnceLock::new();
        static BOLD: OnceLock<Option<Cut>> = OnceLock::new();
        match face {
            FontFace::Regular => {
                REGULAR.get_or_init(|| Self::read(include_bytes!("../../assets/fonts/Inter-Regular.otf")))
            }
            FontFace::Bold => {
                BOLD.get_or_init(|| Self::read(include_bytes!("../../assets/fonts/Inter-Bold.otf")))
            }
        }
        .as_ref()
    }

    fn read(file: &'static [u8]) -> Option<Self> {
        let font = FontRef::try_from_slice(file).ok()?;
        let tables = ttf_parser::Face::parse(file, 0).ok()?;
        let units_per_em = f32::from(tables.units_per_em());
        let cap_height = tables.capital_height().map_or(0.73 * units_per_em, f32::from);
        let mut pairs = Vec::new();
        if let Some(gpos) = tables.tables().gpos {
            // Inter has one set of pairs for all scripts.
            let kern = gpos.features.find(ttf_parser::Tag::from_bytes(b"kern"));
            for index in kern.into_iter().flat_map(|feature| feature.lookup_indices) {
                let Some(lookup) = gpos.lookups.get(index) else {
                    continue;
                };
                pairs.extend(
                    lookup
                        .subtables
                        .into_iter()
                        .filter_map(|subtable| match subtable {
                            PositioningSubtable::Pair(pair) => Some(pair),
                            _ => None,
                        }),
                );
            }
        }
        Some(Self {
            font,
            units_per_em,
            cap_height,
            pairs,
        })
    }

    /// How far the second of two letters moves, in font units.
    fn kern(&self, first: GlyphId, second: GlyphId) -> f32 {
        let (first, second) = (ttf_parser::GlyphId(first.0), ttf_parser::GlyphId(second.0));
        let moved = self.pairs.iter().find_map(|pair| {
            let row = pair.coverage().get(first)?;
            let (value, _) = match pair {
                PairAdjustment::Format1 { sets, .. } => sets.get(row)?.get(second)?,
                PairAdjustment::Format2 { classes, matrix, .. } => {
                    matrix.get((classes.0.get(first), classes.1.get(second)))?
                }
            };
            Some(value.x_advance)
        });
        f32::from(moved.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style::regular(20.0);

    #[test]
    fn names_in_three_scripts_have_letters() {
        for face in [FontFace::Regular, FontFace::Bold] {
            let cut = Cut::of(face).unwrap();
            for letter in "Zoë Łukasz Şükrü Ελένη Ωμέγα Юрий Ґалаґан — … → × − ± ✓ ●".chars()
            {
                assert_ne!(cut.font.glyph_id(letter), GlyphId(0), "{letter}");
            }
        }
    }

    #[test]
    fn a_letter_that_no_font_has_is_a_box() {
        let placed = run(0.0, 0.0, "木", STYLE).unwrap();
        assert!(placed.mask.area() > 10.0);
        assert!(width("木", STYLE) > 5.0);
    }

    #[test]
    fn pairs_are_kerned() {
        let apart = width("A", STYLE) + width("V", STYLE);
        assert!(width("AV", STYLE) < apart - 0.5);
    }

    #[test]
    fn what_is_fitted_fits() {
        let long = "A rather long name for a player, in fact";
        assert_eq!(fit("Ann", 100.0, STYLE), "Ann");
        for limit in [0.0, 5.0, 20.0, 60.0, 123.4, 250.0] {
            let fitted = fit(long, limit, STYLE);
            assert!(
                width(&fitted, STYLE) <= limit,
                "{fitted:?} is too wide for {limit}"
            );
            assert!(fitted.is_empty() || fitted.ends_with('…'));
        }
        assert!(fit(long, 123.4, STYLE).chars().count() > 9);
    }

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "Draw two cards.\nThen a Donaudampfschifffahrtsgesellschaft, if you like.";
        let lines = wrap(text, 120.0, STYLE);
        for line in &lines {
            assert!(width(line, STYLE) <= 120.0, "{line:?}");
        }
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
        assert_eq!(lines[1], "cards.");
        assert_eq!(wrap("iii", 0.5, STYLE), ["i", "i", "i"]);
    }

    #[test]
    fn names_cannot_disturb_the_line() {
        let spoiled = "A\u{202e}n\u{200b}n\u{301}\u{302}\n\t\u{2066}B\u{fe0f}o\u{7f}b";
        assert_eq!(clean(spoiled), "Ann Bob");
        assert_eq!(width(spoiled, STYLE), width("Ann Bob", STYLE));
        assert_eq!(clean(&"x".repeat(100_000)).len(), LONGEST);
    }

    #[test]
    fn text_stands_about_its_point() {
        let extent = |align| {
            let placed = run(100.0, 50.0, "HHH", STYLE.align(align)).unwrap();
            let left = placed.x + placed.mask.left;
            let top = placed.y + placed.mask.top;
            let (width, height) = placed.mask.cover.dimensions();
            (left, left + width as i32, top, top + height as i32)
        };
        let (left, right, top, bottom) = extent(Align::Centre);
        assert!((left + right - 200).abs() <= 2 && (top + bottom - 100).abs() <= 2);
        assert!((100..=103).contains(&extent(Align::Left).0));
        assert!((97..=100).contains(&extent(Align::Right).1));
        assert!(run(0.0, 0.0, "", STYLE).is_none_or(|placed| placed.mask.area() == 0.0));
    }
}
