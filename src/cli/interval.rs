//! Where the truth lies, with 95 % certainty, by what so many games show.

use std::fmt;

/// The quantile of the normal distribution that leaves out one in forty on each side.
const Z: f64 = 1.959_964;

/// Something measured, with what it may as well be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Wilson's, for a part of so many: 0 to 1. A half of one, such as a drawn game, may be a part as well.
    pub fn share(part: f64, of: f64) -> Self {
        if of < 1.0 {
            return Self {
                value: 0.0,
                low: 0.0,
                high: 1.0,
            };
        }
        let value = part / of;
        let weight = 1.0 + Z * Z / of;
        let middle = (value + Z * Z / (2.0 * of)) / weight;
        let reach = Z / weight * (value * (1.0 - value) / of + Z * Z / (4.0 * of * of)).sqrt();
        Self {
            value,
            low: (middle - reach).max(0.0),
            high: (middle + reach).min(1.0),
        }
    }

    /// The mean of some figures, by their spread.
    pub fn mean(figures: &[f64]) -> Self {
        let count = figures.len().max(1) as f64;
        let value = figures.iter().sum::<f64>() / count;
        let squares: f64 = figures.iter().map(|figure| (figure - value).powi(2)).sum();
        let reach = Z * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Self {
            value,
            low: value - reach,
            high: value + reach,
        }
    }

    /// A share in hundredths.
    pub fn per_cent(self) -> Self {
        Self {
            value: 100.0 * self.value,
            low: 100.0 * self.low,
            high: 100.0 * self.high,
        }
    }
}

/// "44.7 (36.1 to 53.6)"
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, low, high } = self;
        write!(f, "{value:.1} ({low:.1} to {high:.1})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are those of Newcombe's worked example, 81 of 263, and of none in ten.
    #[test]
    fn shares_have_wilsons_interval() {
        let Interval { low, high, .. } = Interval::share(81.0, 263.0);
        assert!(
            (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
            "{low} {high}"
        );
        let Interval { low, high, .. } = Interval::share(0.0, 10.0);
        assert!(low.abs() < 1e-9 && (high - 0.2775).abs() < 5e-5, "{low} {high}");
    }

    /// 2, 4, 4, 4, 5, 5, 7, 9 have mean 5 and squares of 32 about it: 32 / 7 / 8 is 0.5714, its root 0.7559.
    #[test]
    fn means_have_an_interval_by_their_spread() {
        let mean = Interval::mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(mean.to_string(), "5.0 (3.5 to 6.5)");
        assert_eq!(Interval::mean(&[3.0]).to_string(), "3.0 (3.0 to 3.0)");
        assert_eq!(Interval::mean(&[]).value, 0.0);
    }
}
