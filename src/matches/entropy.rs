//! Chance from the operating system.

use super::port::{Entropy, Fault};

/// The operating system's own source.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault> {
        getrandom::fill(bytes)
            .map_err(|error| Fault::new("asking the operating system for chance", error.to_string()))
    }
}
