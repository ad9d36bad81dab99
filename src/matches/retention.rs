//! How long things are kept that nobody needs for ever. Matches are kept for ever.

use super::time::Span;

/// The operator's choice of what stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// How many of the last messages of each place a platform keeps that has no memory of its own.
    pub messages: usize,
    /// For how long such messages are kept, and tables that were called off.
    pub age: Span,
    /// How many of the last events of the platforms are remembered as handled.
    pub events: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            messages: 500,
            age: Span::days(30),
            events: 100_000,
        }
    }
}
