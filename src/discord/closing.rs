//! Why Discord closed a line of the gateway.
//!
//! Serenity keeps some of the reasons to itself: it tells its log, and goes on with a line that is dead. So we listen to
//! that log, to these reasons and to nothing else.

use std::fmt;
use std::sync::LazyLock;

use tokio::sync::watch;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Why a line was closed, where coming again in the same way is no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// 4010: the number of the line does not fit.
    InvalidShard,
    /// 4011: one line is not enough for so many servers.
    ShardingRequired,
    /// 4012: this version of the gateway is spoken no longer.
    InvalidVersion,
}

/// What serenity writes for each.
const WORDS: [(&str, Closing); 3] = [
    ("Sent invalid shard data", Closing::InvalidShard),
    ("Shard has too many guilds", Closing::ShardingRequired),
    ("Unknown unclean close 4012", Closing::InvalidVersion),
];

/// Where it writes them.
const TARGET: &str = "serenity::gateway::shard";

static TOLD: LazyLock<watch::Sender<Option<Closing>>> = LazyLock::new(|| watch::Sender::new(None));

/// Ready when a line was closed so, from now on.
pub async fn next() -> Closing {
    let mut told = TOLD.subscribe();
    loop {
        // The sender lives as long as the program.
        let _ = told.changed().await;
        if let Some(closing) = *told.borrow_and_update() {
            return closing;
        }
    }
}

/// Listens to the reasons. It belongs beside whatever writes the log.
pub fn listener<S>() -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let wanted = |about: &Metadata<'_>| about.target() == TARGET && *about.level() <= Level::WARN;
    Listener.with_filter(FilterFn::new(wanted))
}

struct Listener;

impl<S: Subscriber> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Reader);
    }
}

struct Reader;

impl Visit for Reader {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() != "message" {
            return;
        }
        let words = format!("{value:?}");
        if let Some((_, closing)) = WORDS.iter().find(|(known, _)| words.contains(known)) {
            TOLD.send_replace(Some(*closing));
        }
    }
}
