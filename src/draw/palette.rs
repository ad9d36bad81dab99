//! Inks and themes: the colours that every picture is made of.
//!
//! Games name the role of a colour, never its value, so one picture code serves all themes and a new
//! theme is one new column of numbers. Roles are shared by all games, which keeps the number of inks
//! small enough for pictures of 256 colours; see [`super::mix`] for what that buys.

use std::str::FromStr;

use crate::text::names;

/// A colour scheme that a player can choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// Warm paper, dark text.
    #[default]
    Light,
    /// Slate, light text.
    Dark,
    /// Light, with seat colours that stay apart for red-green blind eyes.
    Safe,
}

// As players type them, in the order in which menus show them.
names! { Theme { Light = "light", Dark = "dark", Safe = "safe" } }

impl Theme {
    /// The colour of an ink in this theme.
    #[must_use]
    pub const fn rgb(self, ink: Ink) -> Rgb {
        let column = match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
            Self::Safe => &SAFE,
        };
        Rgb::from_hex(column[ink as usize])
    }

    /// White or black, whichever reads better on top of `ground`.
    #[must_use]
    pub fn legible_on(self, ground: Ink) -> Ink {
        let contrast = |ink| self.rgb(ink).contrast(self.rgb(ground));
        if contrast(Ink::White) * 1.5 >= contrast(Ink::Black) {
            Ink::White
        } else {
            Ink::Black
        }
    }
}

/// No theme has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there's no theme {0:?}; choose light, dark or safe")]
pub struct UnknownTheme(pub String);

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text.trim()).ok_or_else(|| UnknownTheme(text.to_owned()))
    }
}

macro_rules! inks {
    ($($(#[$doc:meta])* $name:ident $light:literal $dark:literal $safe:literal,)+) => {
        /// What a colour is for. All games share these.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Ink { $($(#[$doc])* $name,)+ }

        impl Ink {
            /// Every ink.
            pub const ALL: [Self; INKS] = [$(Self::$name,)+];
        }

        /// How many inks there are.
        pub const INKS: usize = [$($light,)+].len();
        const LIGHT: [u32; INKS] = [$($light,)+];
        const DARK: [u32; INKS] = [$($dark,)+];
        const SAFE: [u32; INKS] = [$($safe,)+];
    };
}

//                                                       Light     Dark      Safe
inks! {
    /// The ground of the picture.
    Paper                                                0xf4efe4  0x171a1f  0xf5f5f2,
    /// Name plates, card faces, boxes on the paper.
    Panel                                                0xfffdf8  0x232830  0xffffff,
    /// Words that matter.
    Text                                                 0x24272c  0xeeebe4  0x17191c,
    /// Coordinates, captions, hints.
    Faint                                                0x6e675b  0xa0a6af  0x595f66,
    /// Grid lines, frames, dividers.
    Line                                                 0xb5a88f  0x4a5461  0xa3a7ab,
    /// The first cell tone, and the lightest on a light theme.
    CellA                                                0xf0e4cc  0x2b323b  0xecebe6,
    /// The second cell tone.
    CellB                                                0xe4d3b2  0x353e49  0xdcdad2,
    /// The third cell tone.
    CellC                                                0xd6c199  0x414c59  0xc8c6bd,
    /// A cell or card to look at: legal targets, the chosen one.
    Glow                                                 0xf9e08a  0x5d5426  0xfbeea0,
    /// The last move.
    LastMove                                             0xe9a13b  0xd9a441  0x8a5a9e,
    /// Threats, damage, errors.
    Danger                                               0xb92f26  0xff7367  0xb0400a,
    /// Gains, healing, success.
    Good                                                 0x24754a  0x63cf95  0x00664d,
    /// A field or resource, weak.
    EnergyLow                                            0xd5e6f2  0x233a50  0xdbe7ef,
    /// A field or resource, middling.
    EnergyMid                                            0x94c1e3  0x2f628f  0x9fc3dd,
    /// A field or resource, strong.
    EnergyHigh                                           0x3b80bd  0x69b2ee  0x2a6f9e,
    /// Soft shadows; use it faded.
    Shadow                                               0x3a2f1f  0x000000  0x26282b,
    /// White, or nearly, in every theme.
    White                                                0xffffff  0xffffff  0xffffff,
    /// Black, or nearly, in every theme.
    Black                                                0x14161a  0x0b0d10  0x0d0e10,
    /// Pieces of the first seat.
    Seat1                                                0xc5413a  0xe8675d  0xd55e00,
    /// Pieces of the second seat.
    Seat2                                                0x2d6cb3  0x4f98e8  0x0a4c86,
    /// Pieces of the third seat.
    Seat3                                                0xe3ab30  0xf0bf4c  0xf2df55,
    /// Pieces of the fourth seat.
    Seat4                                                0x3d9468  0x4fbd87  0x5fb4e6,
    /// Pieces of the fifth seat.
    Seat5                                                0x8c4a9e  0xb98be0  0x6d6f75,
    /// The dark rim of the first seat's pieces.
    Rim1                                                 0x74201b  0x641b16  0x6b2f00,
    /// The dark rim of the second seat's pieces.
    Rim2                                                 0x163b68  0x123559  0x042541,
    /// The dark rim of the third seat's pieces.
    Rim3                                                 0x7d5608  0x664709  0x746500,
    /// The dark rim of the fourth seat's pieces.
    Rim4                                                 0x1a5237  0x12472e  0x195577,
    /// The dark rim of the fifth seat's pieces.
    Rim5                                                 0x4c2458  0x46245c  0x2c2d30,
    /// A ground in the first seat's colour, under text.
    Tint1                                                0xf5d3cd  0x4d2b2a  0xf8d9c0,
    /// A ground in the second seat's colour, under text.
    Tint2                                                0xcfdff1  0x233a54  0xc6d7e8,
    /// A ground in the third seat's colour, under text.
    Tint3                                                0xfae8ba  0x4c4122  0xfbf5c4,
    /// A ground in the fourth seat's colour, under text.
    Tint4                                                0xcfe9db  0x214333  0xd6ecf9,
    /// A ground in the fifth seat's colour, under text.
    Tint5                                                0xead6ef  0x40304e  0xdcdde0,
}

/// The most seats that have colours of their own.
pub const SEAT_COLOURS: usize = 5;

impl Ink {
    /// The piece colour of a seat, counted from 0. A sixth seat starts over.
    #[must_use]
    pub const fn seat(seat: usize) -> Self {
        [Self::Seat1, Self::Seat2, Self::Seat3, Self::Seat4, Self::Seat5][seat % SEAT_COLOURS]
    }

    /// The dark rim that goes with [`Ink::seat`].
    #[must_use]
    pub const fn rim(seat: usize) -> Self {
        [Self::Rim1, Self::Rim2, Self::Rim3, Self::Rim4, Self::Rim5][seat % SEAT_COLOURS]
    }

    /// The quiet ground that goes with [`Ink::seat`].
    #[must_use]
    pub const fn tint(seat: usize) -> Self {
        [Self::Tint1, Self::Tint2, Self::Tint3, Self::Tint4, Self::Tint5][seat % SEAT_COLOURS]
    }

    /// This ink, thinned: 0 leaves no trace and 1 covers all.
    #[must_use]
    pub fn fade(self, strength: f32) -> Paint {
        Paint {
            ink: self,
            strength: (strength.clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
        }
    }
}

/// An ink and how thickly it is laid on. Wherever a drawing call takes a paint, an [`Ink`] will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Paint {
    pub(super) ink: Ink,
    /// 255 covers all.
    pub(super) strength: u8,
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Self {
        Self { ink, strength: 255 }
    }
}

/// A colour as screens know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb(pub [u8; 3]);

impl Rgb {
    /// From a number written as `0xrrggbb`.
    #[must_use]
    pub const fn from_hex(hex: u32) -> Self {
        let [_, r, g, b] = hex.to_be_bytes();
        Self([r, g, b])
    }

    /// The light that the colour sends out, from 0 to 1 (WCAG 2, relative luminance).
    #[must_use]
    pub fn luminance(self) -> f32 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// The contrast of two colours, from 1 to 21 (WCAG 2).
    #[must_use]
    pub fn contrast(self, other: Self) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The channels without the screen's gamma, from 0 to 1.
    #[must_use]
    pub fn linear(self) -> [f32; 3] {
        self.0.map(|channel| {
            let c = f32::from(channel) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How different two lights look: the distance in Oklab, where 0.02 is just seen side by side.
    fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
        let lab = |[r, g, b]: [f32; 3]| {
            let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
            let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
            let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
            [
                0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
                1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
                0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
            ]
        };
        let (a, b) = (lab(a), lab(b));
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
    }

    type Sight = [[f32; 3]; 3];
    const NORMAL: Sight = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Machado, Oliveira, Fernandes 2009, severity 1.
    const PROTANOPIA: Sight = [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ];
    const DEUTERANOPIA: Sight = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];

    fn seen(colour: Rgb, sight: &Sight) -> [f32; 3] {
        let light = colour.linear();
        sight.map(|row| (0..3).map(|i| row[i] * light[i]).sum::<f32>().clamp(0.0, 1.0))
    }

    fn closest_seats(theme: Theme, sight: &Sight) -> (f32, usize, usize) {
        let mut closest = (f32::MAX, 0, 0);
        for a in 0..SEAT_COLOURS {
            for b in 0..a {
                let [left, right] = [a, b].map(|seat| seen(theme.rgb(Ink::seat(seat)), sight));
                let apart = difference(left, right);
                if apart < closest.0 {
                    closest = (apart, b + 1, a + 1);
                }
            }
        }
        closest
    }

    #[test]
    fn seats_look_different_in_every_theme() {
        for theme in Theme::ALL {
            let (apart, a, b) = closest_seats(theme, &NORMAL);
            assert!(apart > 0.12, "{theme}: seats {a} and {b} are only {apart} apart");
        }
    }

    #[test]
    fn seats_of_the_safe_theme_look_different_to_red_green_blind_eyes() {
        for (name, sight) in [("protanopia", PROTANOPIA), ("deuteranopia", DEUTERANOPIA)] {
            let (apart, a, b) = closest_seats(Theme::Safe, &sight);
            assert!(apart > 0.12, "{name}: seats {a} and {b} are only {apart} apart");
        }
    }

    #[test]
    fn the_light_theme_would_not_pass_as_safe() {
        let worst = closest_seats(Theme::Light, &PROTANOPIA).0;
        assert!(
            worst < 0.12,
            "the check above must be able to fail, but gives {worst}"
        );
    }

    #[test]
    fn words_are_readable_on_every_ground() {
        for theme in Theme::ALL {
            let grounds = [Ink::Paper, Ink::Panel, Ink::CellA, Ink::CellB, Ink::Glow];
            let tints = (0..SEAT_COLOURS).map(Ink::tint);
            for ground in grounds.into_iter().chain(tints) {
                let contrast = theme.rgb(Ink::Text).contrast(theme.rgb(ground));
                assert!(contrast >= 4.5, "{theme}: text on {ground:?} has {contrast}");
            }
            for ink in [Ink::Faint, Ink::Danger, Ink::Good] {
                for ground in [Ink::Paper, Ink::Panel] {
                    let contrast = theme.rgb(ink).contrast(theme.rgb(ground));
                    assert!(contrast >= 4.5, "{theme}: {ink:?} on {ground:?} has {contrast}");
                }
            }
        }
    }

    #[test]
    fn signs_are_readable_on_every_piece() {
        for theme in Theme::ALL {
            for seat in 0..SEAT_COLOURS {
                let ground = Ink::seat(seat);
                let contrast = theme.rgb(theme.legible_on(ground)).contrast(theme.rgb(ground));
                assert!(contrast >= 3.0, "{theme}: sign on {ground:?} has {contrast}");
            }
        }
    }

    #[test]
    fn theme_names_are_read_back() {
        for theme in Theme::ALL {
            assert_eq!(theme.to_string().to_uppercase().parse(), Ok(theme));
        }
        assert!("sepia".parse::<Theme>().is_err());
    }
}
