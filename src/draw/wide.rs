//! Pictures for places that show high ones small.
//!
//! Some clients fit what is higher than wide into little more than half the width that they give to others. A picture for
//! them is at least as wide as high, and no smaller than [`LONG_SIDE`] on its long side.

use super::blend::{Blend, WHOLE};
use super::mix::Mixer;
use super::palette::Theme;
use super::png::Indexed;

/// What such a picture measures at least on its long side.
pub const LONG_SIDE: usize = 1200;

/// A picture of ours as it suits such places: one that is higher than wide gets more of its ground at both sides, and one
/// that is small is made larger. What is no PNG of ours stays as it is.
pub fn widened(file: Vec<u8>) -> Vec<u8> {
    match widen(&file) {
        Some(wide) => wide,
        None => file,
    }
}

/// None if it is wide and large enough, or is no picture of ours.
fn widen(file: &[u8]) -> Option<Vec<u8>> {
    let picture = Indexed::read(file)?;
    let long = picture.width.max(picture.height);
    let mut wide = picture;
    if wide.width < wide.height {
        wide = squared(&wide)?;
    } else if long >= LONG_SIDE {
        return None;
    }
    if long < LONG_SIDE {
        let theme = theme_of(&wide.palette)?;
        wide = enlarged(&wide, theme)?;
    }
    wide.file().ok()
}

/// A picture that is higher than wide, with more of its ground at both sides.
fn squared(picture: &Indexed) -> Option<Indexed> {
    let (width, wide) = (picture.width, picture.height);
    let left = (wide - width) / 2;
    let mut pixels = Vec::with_capacity(wide * wide);
    for row in picture.pixels.chunks_exact(width) {
        let (first, last) = (*row.first()?, *row.last()?);
        pixels.resize(pixels.len() + left, first);
        pixels.extend_from_slice(row);
        pixels.resize(pixels.len() + wide - width - left, last);
    }
    Some(Indexed {
        width: wide,
        height: wide,
        palette: picture.palette.clone(),
        pixels,
    })
}

/// The same picture with the long side that is wanted.
fn enlarged(picture: &Indexed, theme: Theme) -> Option<Indexed> {
    let long = picture.width.max(picture.height);
    let side = |length: usize| (length * LONG_SIDE).div_ceil(long);
    let (width, height) = (side(picture.width), side(picture.height));
    let (columns, rows) = (places(picture.width, width), places(picture.height, height));
    let mut blend = Blend::new(theme);
    let mut pixels = Vec::with_capacity(width * height);
    let row = |y: usize| picture.pixels.get(y * picture.width..(y + 1) * picture.width);
    for down in &rows {
        let (above, below) = (row(down.first)?, row(down.second)?);
        for across in &columns {
            let corners = [
                *above.get(across.first)?,
                *above.get(across.second)?,
                *below.get(across.first)?,
                *below.get(across.second)?,
            ];
            let weights = [
                (STEPS - across.share) * (STEPS - down.share),
                across.share * (STEPS - down.share),
                (STEPS - across.share) * down.share,
                across.share * down.share,
            ];
            pixels.push(blend.mix(corners, weights));
        }
    }
    Some(Indexed {
        width,
        height,
        palette: picture.palette.clone(),
        pixels,
    })
}

/// So many steps lie between two neighbours.
const STEPS: u32 = 4;
const _: () = assert!(STEPS * STEPS == WHOLE);

/// Where a pixel of the larger picture lies between two of the smaller one.
struct Place {
    first: usize,
    second: usize,
    /// How much of the second is in it.
    share: u32,
}

fn places(from: usize, to: usize) -> Vec<Place> {
    let last = from.saturating_sub(1);
    let place = |index: usize| {
        let middle = (index as f32 + 0.5) * from as f32 / to as f32 - 0.5;
        let middle = middle.clamp(0.0, last as f32);
        let first = middle as usize;
        Place {
            first,
            second: (first + 1).min(last),
            share: ((middle - first as f32) * STEPS as f32).round() as u32,
        }
    };
    (0..to).map(place).collect()
}

/// The theme that has these colours.
fn theme_of(palette: &[u8]) -> Option<Theme> {
    Theme::ALL.into_iter().find(|theme| {
        let colours = Mixer::of(*theme).colours().iter();
        colours.flat_map(|colour| colour.0).eq(palette.iter().copied())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Canvas, Ink};

    fn drawn(width: u32, height: u32, theme: Theme) -> Vec<u8> {
        let mut canvas = Canvas::new(width, height, theme);
        canvas.circle(width as f32 / 2.0, height as f32 / 2.0, 60.0, Ink::seat(1));
        canvas.to_png().unwrap()
    }

    #[test]
    fn a_picture_is_as_wide_as_high_and_large_enough_and_stays_what_it_was() {
        for theme in Theme::ALL {
            for (before, after) in [
                ((960, 1100), (1200, 1200)),
                ((960, 1600), (1600, 1600)),
                ((960, 800), (1200, 1000)),
                ((300, 300), (1200, 1200)),
                ((1300, 700), (1300, 700)),
            ] {
                let file = drawn(before.0, before.1, theme);
                let wide = widened(file.clone());
                let read = Indexed::read(&wide).unwrap();
                assert_eq!((read.width, read.height), after, "{before:?}");
                // The middle shows what it showed, and so do the edges.
                let small = Indexed::read(&file).unwrap();
                let middle = |picture: &Indexed| {
                    picture.pixels[picture.height / 2 * picture.width + picture.width / 2]
                };
                assert_eq!(middle(&read), middle(&small));
                assert_eq!(read.pixels[0], small.pixels[0]);
                assert!(widened(wide.clone()) == wide, "it is wide enough now");
            }
        }
        assert_eq!(widened(b"GIF89a".to_vec()), b"GIF89a");
    }
}
