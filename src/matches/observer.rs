//! Whoever watches over the bot is told what happens, to count it.
//!
//! What is told holds nothing of anybody: no names, codes, rooms, hands or moves. It is told where answers are made, so an
//! observer must be quick and never wait.

use std::time::Duration;

/// Is told what happens. Whatever it does not care for it leaves out.
///
/// # Example
/// One that counts the moves:
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use parlor::matches::observer::Observer;
///
/// #[derive(Default)]
/// struct Moves(AtomicUsize);
///
/// impl Observer for Moves {
///     fn moved(&self, _game: &str, moves: usize) {
///         self.0.fetch_add(moves, Ordering::Relaxed);
///     }
/// }
///
/// let counted = Moves::default();
/// counted.moved("phwar", 2);
/// assert_eq!(counted.0.into_inner(), 2);
/// ```
pub trait Observer: Send + Sync + 'static {
    /// A request has been answered.
    fn answered(&self, _answer: &Answered<'_>) {}

    /// Moves were made in a game, by people or bots.
    fn moved(&self, _game: &str, _moves: usize) {}

    /// A match came to life, or its life ended.
    fn lives(&self, _change: Lives) {}

    /// A delivery was tried.
    fn posted(&self, _platform: &str, _posted: Posted) {}
}

/// How a request was answered.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    pub platform: &'a str,
    /// The command; `line` for what was not read as one, such as a move without a word before it.
    pub verb: &'static str,
    pub outcome: RequestResult,
    pub took: Duration,
}

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestResult {
    Done,
    /// It can't be done, and the asker was told why.
    Refused,
    /// Something broke.
    Failed,
}

/// What became of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lives {
    /// A table was opened.
    Begun,
    /// It was played to its end, or called off.
    Ended,
}

/// What came of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    Delivered,
    /// It is tried again.
    PutOff,
    /// The platform will never take it.
    GivenUp,
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
