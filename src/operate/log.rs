//! What is logged, and how it is written.

use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry};

use super::repeats::Repeats;
use crate::config::{LogConfig, LogFormat, LogLevel};

/// Libraries that log what they send and receive, tokens and moves and all, are not listened to, whatever is asked
/// for. What becomes of a connection is told by the adapters, in one line.
const SECRETIVE: [&str; 1] = ["serenity"];

/// What matrix-sdk calls wrong it mostly puts right itself; what it can't, the adapter says.
const FUSSY: [&str; 4] = [
    "matrix_sdk",
    "matrix_sdk_base",
    "matrix_sdk_crypto",
    "matrix_sdk_sqlite",
];

/// Starts to log to standard error. What `RUST_LOG` asks for goes before the configuration. Somebody else may listen.
pub fn start(config: &LogConfig, listener: Option<impl Layer<Registry> + Send + Sync>) {
    let wish = std::env::var("RUST_LOG").unwrap_or_default();
    let filter = filter(config.level, &wish).and(Repeats::default());
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    match config.format {
        LogFormat::Text => {
            let lines = lines.with_ansi(io::stderr().is_terminal());
            tracing_subscriber::registry()
                .with(listener)
                .with(lines.with_filter(filter))
                .init();
        }
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(false);
            let lines = lines.with_span_list(false);
            tracing_subscriber::registry()
                .with(listener)
                .with(lines.with_filter(filter))
                .init();
        }
    }
}

fn filter(level: LogLevel, wish: &str) -> Targets {
    let configured = || {
        let level = match level {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        };
        Targets::new()
            .with_default(level)
            .with_targets(FUSSY.map(|library| (library, LevelFilter::OFF)))
    };
    let filter = match wish.parse::<Targets>() {
        Ok(filter) if !wish.is_empty() => filter,
        _ => configured(),
    };
    filter.with_targets(SECRETIVE.map(|library| (library, LevelFilter::OFF)))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn the_environment_goes_before_the_configured_level() {
        let quiet = filter(LogLevel::Warn, "");
        assert!(quiet.would_enable("parlor::chat", &Level::WARN));
        assert!(!quiet.would_enable("parlor::chat", &Level::INFO));
        assert!(filter(LogLevel::Info, "").would_enable("parlor::chat", &Level::INFO));
        let wished = filter(LogLevel::Error, "parlor=debug");
        assert!(wished.would_enable("parlor::chat", &Level::DEBUG));
    }

    #[test]
    fn libraries_that_log_secrets_are_never_heard() {
        for filter in [filter(LogLevel::Debug, ""), filter(LogLevel::Warn, "trace")] {
            assert!(!filter.would_enable("serenity::http", &Level::ERROR));
        }
    }
}
