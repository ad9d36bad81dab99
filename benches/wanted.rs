//! Figures beside what is wanted of them.
#![allow(dead_code, reason = "one of the benches measures what the other does not")]

use std::fmt::Display;
use std::time::Duration;

/// How long things took.
#[derive(Clone, Debug)]
pub struct Latency {
    /// The shortest first.
    times: Vec<Duration>,
}

impl Latency {
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self { times }
    }

    /// What so many in a hundred did not exceed.
    pub fn percent(&self, share: usize) -> Duration {
        let last = self.times.len().saturating_sub(1);
        let index = (self.times.len() * share / 100).min(last);
        self.times.get(index).copied().unwrap_or_default()
    }
}

/// Prints how long something took, and whether all but one in a hundred were soon enough.
pub fn print(what: &str, took: &Latency, wanted: Duration) {
    let p99 = took.percent(99);
    println!(
        "{what}: {} of them, p50 {:.0?}, p99 {p99:.0?} ({}), at most {:.0?}",
        took.times.len(),
        took.percent(50),
        verdict(&format!("{wanted:?}"), !took.times.is_empty() && p99 <= wanted),
        took.percent(100)
    );
}

/// Prints how long something took of which nothing is wanted.
pub fn tell(what: &str, took: &Latency) {
    println!(
        "{what}: {} of them, p50 {:.0?}, p99 {:.0?}, at most {:.0?}",
        took.times.len(),
        took.percent(50),
        took.percent(99),
        took.percent(100)
    );
}

/// Whether a number is no larger than is wanted, in words.
pub fn at_most<N: PartialOrd + Display>(found: N, wanted: N) -> String {
    verdict(&wanted.to_string(), found <= wanted)
}

/// Whether a time is no longer than is wanted, in words.
pub fn within(found: Duration, wanted: Duration) -> String {
    verdict(&format!("{wanted:?}"), found <= wanted)
}

/// Whether a number is no smaller than is wanted, in words.
pub fn at_least<N: PartialOrd + Display>(found: N, wanted: N) -> String {
    format!("wanted at least {wanted}: {}", told(found >= wanted))
}

fn verdict(wanted: &str, met: bool) -> String {
    format!("wanted at most {wanted}: {}", told(met))
}

const fn told(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
