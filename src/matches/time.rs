//! Points in time and lengths of it, to the millisecond.

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::port::Clock;
use crate::text::counted;

/// Milliseconds since the start of 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Time(pub u64);

impl Time {
    /// Whole seconds since the start of 1970, as platforms write times.
    pub const fn unix_seconds(self) -> u64 {
        self.0 / 1000
    }

    /// How long after `earlier` this is; nothing if it is not later.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Span> for Time {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

/// A moment on the clock that counts at a table: the wall's, less all time that is nobody's fault (see [`super::hours`]).
/// Every platform has its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TableTime(pub u64);

impl TableTime {
    /// How long after `earlier` this is; nothing if it is not later.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Span> for TableTime {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for TableTime {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

/// A length of time in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Span(pub u64);

impl Span {
    pub const ZERO: Self = Self(0);

    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds * 1000)
    }

    pub const fn minutes(minutes: u64) -> Self {
        Self::seconds(minutes * 60)
    }

    pub const fn hours(hours: u64) -> Self {
        Self::minutes(hours * 60)
    }

    pub const fn days(days: u64) -> Self {
        Self::hours(days * 24)
    }

    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The same without what is too small to matter.
    pub const fn roughly(self) -> Self {
        let unit = match self.0 {
            0..60_000 => 1000,
            60_000..7_200_000 => 60_000,
            _ => 3_600_000,
        };
        Self(self.0 / unit * unit)
    }

    pub const fn divided(self, by: u64) -> Self {
        Self(self.0 / by)
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        Self::from_millis(span.0)
    }
}

/// The two largest units: "2 days 4 hours", "45 minutes", "1 second".
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        let units = [
            (seconds / 86_400, "day", "days"),
            (seconds / 3600 % 24, "hour", "hours"),
            (seconds / 60 % 60, "minute", "minutes"),
            (seconds % 60, "second", "seconds"),
        ];
        let Some(first) = units.iter().position(|&(count, ..)| count > 0) else {
            return f.write_str("0 seconds");
        };
        let (count, one, several) = units[first];
        f.write_str(&counted(count, one, several))?;
        match units.get(first + 1) {
            Some(&(count, one, several)) if count > 0 => write!(f, " {}", counted(count, one, several)),
            _ => Ok(()),
        }
    }
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn steady(&self) -> Span {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Span(u64::try_from(START.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_like_people_say_them() {
        assert_eq!(Span::hours(52).to_string(), "2 days 4 hours");
        assert_eq!(Span::minutes(45).to_string(), "45 minutes");
        assert_eq!(
            (Span::minutes(5) + Span::seconds(30)).to_string(),
            "5 minutes 30 seconds"
        );
        assert_eq!(Span::ZERO.to_string(), "0 seconds");
        assert_eq!(Span::days(10).to_string(), "10 days");
    }
}
