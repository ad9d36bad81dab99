//! The local room from outside: a small HTTP client, a house to visit, guests who visit it.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod guest;
pub mod house;
pub mod http;
pub mod visitor;

use std::time::{Duration, Instant};

/// How long a test waits for something that has to come.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until there is something.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
