//! What the benches of pictures measure, and where they put what they drew.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The median time of a call, after one to warm up.
pub fn median<T>(rounds: usize, call: impl Fn() -> T) -> Duration {
    black_box(call());
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(call());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}

/// The same of the time that processors worked on it. Where the system doesn't tell that, by the clock.
pub fn median_cpu<T>(rounds: usize, call: impl Fn() -> T) -> Duration {
    black_box(call());
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let (start, worked) = (Instant::now(), worked());
            black_box(call());
            match (worked, self::worked()) {
                (Some(before), Some(after)) => after - before,
                (None, _) | (_, None) => start.elapsed(),
            }
        })
        .collect();
    times.sort_unstable();
    times[rounds / 2]
}

/// For how long a processor has worked for this thread.
fn worked() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Writes a picture into the directory `PICTURE_OUT`, if there is one.
pub fn write_out(name: &str, file: &[u8]) {
    if let Ok(dir) = std::env::var("PICTURE_OUT") {
        let kind = if file.starts_with(b"GIF") { "gif" } else { "png" };
        let path = format!("{dir}/{name}.{kind}");
        std::fs::write(&path, file).unwrap_or_else(|error| println!("{path}: {error}"));
    }
}
