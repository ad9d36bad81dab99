//! The stand-in's own time.
//!
//! Deadlines and rate limits are counted on it. It stands still unless a test lets it run, so that a busy
//! machine makes no interaction late, and a test can make one late without waiting.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub struct Clock {
    /// What had passed when it was last let run or held.
    passed: Duration,
    since: Option<Instant>,
    began: SystemTime,
}

impl Clock {
    /// A clock that stands still.
    pub fn new() -> Self {
        Self {
            passed: Duration::ZERO,
            since: None,
            began: SystemTime::now(),
        }
    }

    /// How much time has passed on it.
    pub fn now(&self) -> Duration {
        self.passed + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Lets it run with everybody's time.
    pub fn run(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    pub fn hold(&mut self) {
        self.passed = self.now();
        self.since = None;
    }

    pub fn advance(&mut self, by: Duration) {
        self.passed += by;
    }

    /// The moment, as Discord writes it.
    pub fn timestamp(&self) -> String {
        let since_epoch = (self.began + self.now())
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let seconds = since_epoch.as_secs();
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        // Civil date from days since 1970-01-01, counted in eras of 400 years that begin in March.
        let days = days + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        format!(
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:06}+00:00",
            rest / 3600,
            rest / 60 % 60,
            rest % 60,
            since_epoch.subsec_micros()
        )
    }
}
