//! The colour of a palette that looks most like a mix of four: for pictures that are made smaller or larger.

use super::mix::Mixer;
use super::palette::{Rgb, Theme};

/// The shares of the colours of a mix add up to this.
pub(super) const WHOLE: u32 = 16;

/// So many bits of a channel tell mixes apart.
const BITS: u32 = 5;

/// Mixes colours of a theme's palette.
#[derive(Debug)]
pub(super) struct Blend {
    mixer: &'static Mixer,
    /// For each mix, told apart by the upper bits of its channels, one more than its colour, or 0 if nobody has asked yet.
    known: Vec<u16>,
}

impl Blend {
    pub(super) fn new(theme: Theme) -> Self {
        Self {
            mixer: Mixer::of(theme),
            known: vec![0; 1 << (3 * BITS)],
        }
    }

    /// The colour of four, each with its weight in sixteenths.
    pub(super) fn mix(&mut self, corners: [u8; 4], weights: [u32; 4]) -> u8 {
        const LOST: u32 = 8 - BITS;
        if corners.iter().all(|corner| *corner == corners[0]) {
            return corners[0];
        }
        let colours = self.mixer.colours();
        let mut sums = [0; 3];
        for (corner, weight) in corners.iter().zip(weights) {
            for (sum, channel) in sums.iter_mut().zip(colours[usize::from(*corner)].0) {
                *sum += u32::from(channel) * weight;
            }
        }
        let [red, green, blue] = sums.map(|sum| (sum / WHOLE) >> LOST);
        let known = &mut self.known[((red << (2 * BITS)) | (green << BITS) | blue) as usize];
        if *known == 0 {
            // The middle of all mixes that are not told apart.
            let middle = [red, green, blue].map(|channel| ((channel << LOST) + (1 << LOST) / 2) as u8);
            *known = u16::from(self.mixer.nearest(Rgb(middle))) + 1;
        }
        (*known - 1) as u8
    }
}
