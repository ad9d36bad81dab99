//! How long to wait before something is tried again.

use std::time::Duration;

/// Pauses that double up to a longest one.
///
/// Each is shortened by chance, by up to a half: many who lost the same server at the same moment must not come back to
/// it at the same moment.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    first: Duration,
    next: Duration,
    longest: Duration,
}

impl Backoff {
    pub const fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            next: first,
            longest,
        }
    }

    /// The pause after one more failure.
    pub fn pause(&mut self) -> Duration {
        let whole = self.next.min(self.longest);
        self.next = whole.saturating_mul(2);
        whole - whole.mul_f64(chance() / 2.0)
    }

    /// The pause after something that held for a while and then failed. What held for longer than the longest pause went
    /// well.
    pub fn pause_after(&mut self, held: Duration) -> Duration {
        if held >= self.longest {
            self.reset();
        }
        self.pause()
    }

    /// Something went well: the next pause is the first one again.
    pub const fn reset(&mut self) {
        self.next = self.first;
    }
}

/// A number from 0 to 1; 0 where the system has no chance to give.
fn chance() -> f64 {
    getrandom::u32().map_or(0.0, |word| f64::from(word) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(500);
    const LONGEST: Duration = Duration::from_secs(60);

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut backoff = Backoff::new(FIRST, LONGEST);
        for whole in [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].map(Duration::from_millis)
        {
            let pause = backoff.pause();
            assert!(whole / 2 <= pause && pause <= whole, "{pause:?} of {whole:?}");
        }
        backoff.reset();
        assert!(backoff.pause() <= FIRST);
    }

    #[test]
    fn what_held_for_long_begins_with_the_first_pause_again() {
        let mut backoff = Backoff::new(FIRST, LONGEST);
        for whole in [500, 1000, 2000].map(Duration::from_millis) {
            let pause = backoff.pause_after(Duration::from_secs(59));
            assert!(whole / 2 <= pause && pause <= whole, "{pause:?} of {whole:?}");
        }
        assert!(backoff.pause_after(Duration::from_secs(60)) <= FIRST);
        assert!(backoff.pause_after(Duration::ZERO) >= FIRST);
    }

    #[test]
    fn pauses_differ() {
        let pauses = || -> Vec<Duration> {
            let mut backoff = Backoff::new(FIRST, LONGEST);
            (0..8).map(|_| backoff.pause()).collect()
        };
        assert_ne!(pauses(), pauses());
    }

    #[test]
    fn a_first_pause_beyond_the_longest_is_cut() {
        assert!(Backoff::new(LONGEST, FIRST).pause() <= FIRST);
    }
}
