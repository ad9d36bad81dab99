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

/// Writes a picture into the directory `PICTURE_OUT`, if there is one.
pub fn write_out(name: &str, file: &[u8]) {
    if let Ok(dir) = std::env::var("PICTURE_OUT") {
        let path = format!("{dir}/{name}.png");
        std::fs::write(&path, file).unwrap_or_else(|error| println!("{path}: {error}"));
    }
}
