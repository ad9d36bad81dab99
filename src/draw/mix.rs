//! Mixing inks in 256 colours.
//!
//! A picture holds one byte a pixel. That makes it four times cheaper to draw and copy than RGBA and
//! far cheaper to compress, at the price that the smooth rim between two inks must be found among 256
//! colours. All inks are known, so the mixes that rims need are known too: the palette is the inks and
//! those mixes of two inks that lie farthest from what was chosen before them. Laying ink on a pixel is
//! then one table lookup, and the same everywhere: no floating point decides a colour.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use super::palette::{INKS, Ink, Rgb, SEAT_COLOURS, Theme};

/// Coverage is told apart in this many steps. A rim one pixel wide needs half as many; soft shadows use
/// only the lowest, and would show bands.
pub const LEVELS: usize = 32;

/// The 256 colours of a theme and what becomes of them when ink is laid on.
#[derive(Debug)]
pub struct Mixer {
    colours: [Rgb; 256],
    /// What is known of laying on each ink.
    known: [OnceLock<Box<Known>>; INKS],
}

/// For each level of coverage and each colour underneath, one more than the colour that results, or 0
/// while nobody has needed it. A theme has a quarter of a million of these and a picture meets a few
/// thousand, so each is worked out when it is first met: the first picture then takes milliseconds, not
/// a tenth of a second. Two threads that meet the same one work out the same colour.
type Known = [[AtomicU16; 256]; LEVELS + 1];

/// One ink, ready to be laid on.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    mixer: &'a Mixer,
    known: &'a Known,
    ink: Ink,
}

impl Layer<'_> {
    /// The colour that results where the ink covers `level` parts of the colour `under`.
    #[inline]
    #[must_use]
    pub fn on(self, under: u8, level: u8) -> u8 {
        let known = &self.known[usize::from(level).min(LEVELS)][usize::from(under)];
        match known.load(Ordering::Relaxed) {
            0 => self.work_out(known, under, usize::from(level)),
            found => (found - 1) as u8,
        }
    }

    #[cold]
    fn work_out(self, known: &AtomicU16, under: u8, level: usize) -> u8 {
        let colours = &self.mixer.colours;
        let found = match level {
            0 => under,
            LEVELS.. => self.ink as u8,
            _ => self.mixer.nearest(mix(
                colours[usize::from(under)],
                colours[self.ink as usize],
                level,
            )),
        };
        known.store(u16::from(found) + 1, Ordering::Relaxed);
        found
    }
}

impl Mixer {
    /// The mixer of a theme, made on first use.
    #[must_use]
    pub fn of(theme: Theme) -> &'static Self {
        static MIXERS: [OnceLock<Mixer>; Theme::ALL.len()] = [const { OnceLock::new() }; Theme::ALL.len()];
        MIXERS[theme as usize].get_or_init(|| Self::new(theme))
    }

    fn new(theme: Theme) -> Self {
        Self {
            colours: choose(theme),
            known: [const { OnceLock::new() }; INKS],
        }
    }

    /// The palette. Inks come first, each at its own number.
    #[must_use]
    pub fn colours(&self) -> &[Rgb; 256] {
        &self.colours
    }

    #[must_use]
    pub fn layer(&self, ink: Ink) -> Layer<'_> {
        let unknown = || Box::new([const { [const { AtomicU16::new(0) }; 256] }; LEVELS + 1]);
        Layer {
            mixer: self,
            known: self.known[ink as usize].get_or_init(unknown),
            ink,
        }
    }

    /// The colour of the palette that looks most like this one.
    #[must_use]
    pub fn nearest(&self, colour: Rgb) -> u8 {
        let mut best = (i32::MAX, 0);
        for (index, &candidate) in self.colours.iter().enumerate() {
            let apart = distance(candidate, colour);
            if apart < best.0 {
                best = (apart, index as u8);
            }
        }
        best.1
    }
}

/// The colour of `level` parts of `over` on the rest of `under`.
fn mix(under: Rgb, over: Rgb, level: usize) -> Rgb {
    let mut out = under;
    for (channel, &target) in out.0.iter_mut().zip(&over.0) {
        let parts = usize::from(*channel) * (LEVELS - level) + usize::from(target) * level;
        *channel = ((parts + LEVELS / 2) / LEVELS) as u8;
    }
    out
}

/// How different two colours look, roughly and in whole numbers: eyes are keenest on green, and see a
/// wrong tint in a grey sooner than a wrong grey.
fn distance(a: Rgb, b: Rgb) -> i32 {
    let [r, g, b] = [0, 1, 2].map(|i| i32::from(a.0[i]) - i32::from(b.0[i]));
    2 * r * r + 4 * g * g + 3 * b * b + (r - g) * (r - g) + (g - b) * (g - b)
}

/// More than any two colours are apart.
const FARTHEST: i32 = 18 * 255 * 255;

/// What an ink does in a picture, which decides what it borders on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Lies under other things.
    Ground,
    /// Words, lines and rims.
    Mark,
    /// Pieces and other bright areas.
    Fill,
}

fn role(ink: Ink) -> Role {
    use Ink::{
        Black, CellA, CellB, CellC, Danger, EnergyHigh, EnergyLow, EnergyMid, Faint, Glow, Good, LastMove,
        Line, Panel, Paper, Rim1, Rim2, Rim3, Rim4, Rim5, Seat1, Seat2, Seat3, Seat4, Seat5, Shadow, Text,
        Tint1, Tint2, Tint3, Tint4, Tint5, White,
    };
    match ink {
        Paper | Panel | CellA | CellB | CellC | Glow | EnergyLow | EnergyMid => Role::Ground,
        Tint1 | Tint2 | Tint3 | Tint4 | Tint5 => Role::Ground,
        Text | Faint | Line | Shadow | White | Black => Role::Mark,
        Rim1 | Rim2 | Rim3 | Rim4 | Rim5 => Role::Mark,
        LastMove | Danger | Good | EnergyHigh | Seat1 | Seat2 | Seat3 | Seat4 | Seat5 => Role::Fill,
    }
}

/// How much a smooth passage between two inks matters; it multiplies the squared distance.
fn weight(a: Ink, b: Ink) -> i32 {
    let own_rim = (0..SEAT_COLOURS).any(|seat| {
        let pair = (Ink::seat(seat), Ink::rim(seat));
        (a, b) == pair || (b, a) == pair
    });
    if own_rim {
        return 12;
    }
    match (role(a), role(b)) {
        (Role::Ground, Role::Mark) | (Role::Mark, Role::Ground) => {
            if [a, b].contains(&Ink::Text) || [a, b].contains(&Ink::Faint) {
                16
            } else {
                8
            }
        }
        (Role::Fill, Role::Mark) | (Role::Mark, Role::Fill) => {
            if [a, b].contains(&Ink::White) || [a, b].contains(&Ink::Black) {
                8
            } else {
                2
            }
        }
        (Role::Ground, Role::Fill) | (Role::Fill, Role::Ground) => 6,
        (Role::Ground, Role::Ground) | (Role::Mark, Role::Mark) => 3,
        (Role::Fill, Role::Fill) => 1,
    }
}

/// Faint shadows that the palette always has, since wide slopes show bands where rims would not. On
/// paper, where cards and boards lie, every step; on cells, where pieces stand, every other.
const SHADES: [(Ink, &[usize]); 5] = [
    (Ink::Paper, &[1, 2, 3, 4, 5, 6, 8, 10]),
    (Ink::Panel, &[1, 2, 4, 6]),
    (Ink::CellA, &[2, 4, 6, 8]),
    (Ink::CellB, &[2, 4, 6, 8]),
    (Ink::CellC, &[2, 4, 6, 8]),
];

/// A colour that the palette may take in.
struct Candidate {
    colour: Rgb,
    weight: i32,
    /// How far it is from the nearest colour taken so far.
    missed: i32,
}

/// The inks and their shades, then again and again the mix that is missed most.
fn choose(theme: Theme) -> [Rgb; 256] {
    let inks = Ink::ALL.map(|ink| theme.rgb(ink));
    let mut colours = [inks[0]; 256];
    colours[..INKS].copy_from_slice(&inks);
    let mut taken = INKS;
    for (ground, levels) in SHADES {
        for &level in levels {
            colours[taken] = mix(theme.rgb(ground), theme.rgb(Ink::Shadow), level);
            taken += 1;
        }
    }

    let mut candidates = Vec::new();
    for (i, &a) in Ink::ALL.iter().enumerate() {
        for &b in &Ink::ALL[..i] {
            candidates.extend((2..LEVELS).step_by(4).map(|level| Candidate {
                colour: mix(theme.rgb(a), theme.rgb(b), level),
                weight: weight(a, b),
                missed: FARTHEST,
            }));
        }
    }
    for (slot, colour) in colours.iter_mut().enumerate() {
        // Of equals the first is taken, so the palette is the same on every machine.
        let mut most = (-1, *colour);
        if slot >= taken {
            for candidate in &candidates {
                let need = candidate.missed * candidate.weight;
                if need > most.0 {
                    most = (need, candidate.colour);
                }
            }
        }
        *colour = most.1;
        for candidate in &mut candidates {
            candidate.missed = candidate.missed.min(distance(candidate.colour, most.1));
        }
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_coverage_gives_the_ink_and_none_leaves_the_ground() {
        for theme in Theme::ALL {
            for ink in Ink::ALL {
                let layer = Mixer::of(theme).layer(ink);
                for under in 0..=255 {
                    assert_eq!(layer.on(under, 0), under);
                    assert_eq!(layer.on(under, LEVELS as u8), ink as u8);
                }
            }
        }
    }

    #[test]
    fn more_coverage_never_looks_less_covered() {
        for theme in Theme::ALL {
            let mixer = Mixer::of(theme);
            for (ink, ground) in [(Ink::Text, Ink::Paper), (Ink::Rim1, Ink::CellB)] {
                let target = theme.rgb(ink).luminance();
                let mut last = f32::MAX;
                for level in 0..=LEVELS as u8 {
                    let seen = mixer.layer(ink).on(ground as u8, level);
                    let seen = mixer.colours()[usize::from(seen)].luminance();
                    let left = (seen - target).abs();
                    assert!(left <= last + 0.03, "{theme}: {ink:?} on {ground:?}");
                    last = left;
                }
            }
        }
    }

    #[test]
    fn shadows_on_paper_have_no_bands() {
        for theme in [Theme::Light, Theme::Safe] {
            let mixer = Mixer::of(theme);
            let seen = |level: u8| {
                let seen = mixer.layer(Ink::Shadow).on(Ink::Paper as u8, level);
                let [r, g, b] = mixer.colours()[usize::from(seen)].0;
                i32::from(r) + i32::from(g) + i32::from(b)
            };
            for level in 0..6 {
                let step = seen(level) - seen(level + 1);
                assert!((6..=30).contains(&step), "{theme}: {step} after level {level}");
            }
        }
    }

    #[test]
    fn rims_find_their_mixes_in_the_palette() {
        for theme in Theme::ALL {
            let mixer = Mixer::of(theme);
            for a in Ink::ALL {
                for b in Ink::ALL {
                    // A distance of 2600 is a step of 17 in each of red, green and blue.
                    let bound = match weight(a, b) {
                        16.. => 1400,
                        6.. => 2600,
                        _ => 8000,
                    };
                    for level in 0..=LEVELS {
                        let wanted = mix(theme.rgb(a), theme.rgb(b), level);
                        let got = mixer.colours()[usize::from(mixer.nearest(wanted))];
                        let apart = distance(wanted, got);
                        assert!(apart <= bound, "{theme}: {a:?} and {b:?}: {apart}");
                    }
                }
            }
        }
    }
}
