//! What repeats itself is logged once, and then once a minute.
//!
//! A disk that is full fails every command, and the log would be full of it, too. A line repeats another if it is said at the
//! same place of the program about the same error. How many were left out is a figure of its own.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata};
use tracing_subscriber::layer::{Context, Filter};

/// How long a line is not repeated.
const PAUSE: Duration = Duration::from_secs(60);

/// How many different lines are remembered.
const MOST: usize = 1000;

/// The fields that tell what went wrong. Others tell where: whom it concerned, in which room.
const WHAT_WENT_WRONG: [&str; 5] = ["fault", "error", "why", "failure", "cause"];

static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// How many lines have been left out since the start.
pub fn left_out() -> u64 {
    LEFT_OUT.load(Ordering::Relaxed)
}

/// Lets a warning or an error pass if it was not said within the last minute.
#[derive(Debug, Default)]
pub struct Repeats {
    said: Mutex<HashMap<Line, Instant>>,
}

/// Where something was said, and about what error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Line {
    place: Identifier,
    error: String,
}

impl Repeats {
    /// Whether a line is to be said at this moment.
    fn passes(&self, line: Line, now: Instant) -> bool {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = |at: &Instant| now.saturating_duration_since(*at) < PAUSE;
        if said.get(&line).is_some_and(fresh) {
            return false;
        }
        if said.len() >= MOST {
            said.retain(|_, at| fresh(at));
        }
        // So many different errors within a minute are worth their lines, if not our memory.
        if said.len() < MOST {
            said.insert(line, now);
        }
        true
    }
}

impl<S> Filter<S> for Repeats {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        // What somebody asked for in detail is told in detail.
        if *event.metadata().level() > Level::WARN {
            return true;
        }
        let mut error = ErrorText(String::new());
        event.record(&mut error);
        if error.0.is_empty() {
            return true;
        }
        let line = Line {
            place: event.metadata().callsite(),
            error: error.0,
        };
        let passes = self.passes(line, Instant::now());
        if !passes {
            LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        }
        passes
    }
}

/// What an event says of what went wrong.
struct ErrorText(String);

impl Visit for ErrorText {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if WHAT_WENT_WRONG.contains(&field.name()) {
            // Writing to a string does not fail.
            let _ = write!(self.0, "{value:?};");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use tracing_subscriber::Layer;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(say: impl FnOnce()) -> Vec<String> {
        let written = Written::default();
        let writer = written.clone();
        let lines = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .without_time()
            .with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(lines.with_filter(Repeats::default()));
        tracing::subscriber::with_default(subscriber, say);
        let bytes = written.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn fail(error: &str, who: u32) {
        tracing::error!(error, who, "store: could not write");
    }

    #[test]
    fn a_repeated_error_is_said_once() {
        let before = left_out();
        let lines = logged(|| (0..18_000).for_each(|who| fail("no space left", who)));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(left_out() >= before + 17_999);
    }

    #[test]
    fn other_errors_other_places_and_what_is_no_error_are_said() {
        let lines = logged(|| {
            fail("no space left", 1);
            fail("input or output error", 1);
            tracing::warn!(error = "no space left", "outbox: could not deliver");
            for _ in 0..3 {
                tracing::warn!("discord: gateway did not close in time");
                tracing::info!(error = "no space left", "outbox: delivery put off");
            }
        });
        assert_eq!(lines.len(), 3 + 6, "{lines:?}");
    }

    #[test]
    fn after_a_minute_it_is_said_again() {
        let line = || Line {
            place: Identifier(&CALLSITE),
            error: "full".to_owned(),
        };
        let (repeats, start) = (Repeats::default(), Instant::now());
        let at = |seconds| repeats.passes(line(), start + Duration::from_secs(seconds));
        assert_eq!(
            [0, 1, 59, 60, 61, 119, 120].map(at),
            [true, false, false, true, false, false, true]
        );
    }

    #[test]
    fn many_different_errors_are_said_and_not_all_remembered() {
        let (repeats, start) = (Repeats::default(), Instant::now());
        for number in 0..3 * MOST {
            let line = Line {
                place: Identifier(&CALLSITE),
                error: number.to_string(),
            };
            assert!(repeats.passes(line, start));
        }
        assert!(repeats.said.lock().unwrap().len() <= MOST);
    }

    struct Place;

    impl tracing::Callsite for Place {
        fn set_interest(&self, _: tracing::subscriber::Interest) {}

        fn metadata(&self) -> &Metadata<'_> {
            unreachable!("nobody asks")
        }
    }

    static CALLSITE: Place = Place;
}
