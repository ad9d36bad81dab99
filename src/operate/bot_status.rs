//! How the bot stands: whether it is alive, whether it is ready, and why not.
//!
//! Alive means that the process answers and can keep what is played. Ready means besides that everything that was
//! configured is connected.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::chat::link::{Connection, Lines, Sending};
use crate::matches::port::Health;
use crate::matches::service::Service;

/// What is known of a bot that runs. It fills as the bot starts.
#[derive(Debug)]
pub struct BotStatus {
    store_path: PathBuf,
    service: OnceLock<Arc<Service>>,
    platforms: OnceLock<Vec<Platform>>,
}

/// A platform that was configured.
#[derive(Debug)]
pub struct Platform {
    pub name: &'static str,
    /// How it stands with it; nothing is ever connected if the platform refused the bot when it started.
    pub connection: Arc<Connection>,
}

/// An answer to whoever asks how the bot is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Well,
    /// What is wrong, one line each.
    Unwell(Vec<String>),
}

impl BotStatus {
    pub const fn new(store_path: PathBuf) -> Self {
        Self {
            store_path,
            service: OnceLock::new(),
            platforms: OnceLock::new(),
        }
    }

    /// The store is open.
    pub fn opened(&self, service: Arc<Service>) {
        let _ = self.service.set(service);
    }

    /// Every platform has been tried.
    pub fn connected(&self, platforms: Vec<Platform>) {
        let _ = self.platforms.set(platforms);
    }

    /// Whether the bot can do its work at all. One that still starts can.
    pub fn alive(&self) -> Verdict {
        Verdict::of(self.store_trouble().into_iter().collect())
    }

    /// Whether everything that was configured works.
    pub fn ready(&self) -> Verdict {
        let mut reasons: Vec<String> = self.store_trouble().into_iter().collect();
        if self.platforms.get().is_none() {
            reasons.push("still starting".to_owned());
        }
        for (name, lines) in self.platforms() {
            let Lines { wanted, up, sending } = &lines;
            if lines.all_up() {
                continue;
            }
            reasons.push(match (wanted, sending) {
                (1.., Sending::Fails) if !up.is_empty() => format!("{name}: it takes no messages"),
                (0 | 1, _) => format!("{name}: not connected"),
                _ => format!("{name}: {} of {wanted} lines are connected", up.len()),
            });
        }
        Verdict::of(reasons)
    }

    fn store_trouble(&self) -> Option<String> {
        match self.service.get()?.store().health() {
            Health::Good => None,
            Health::Failing { since, reason } => Some(format!(
                "store: nothing can be saved since {}: {reason}",
                since.unix_seconds()
            )),
        }
    }

    pub(super) fn service(&self) -> Option<&Service> {
        self.service.get().map(Arc::as_ref)
    }

    pub(super) fn store_path(&self) -> &Path {
        &self.store_path
    }

    /// The platforms that were configured, with their lines; none are up of one that refused the bot.
    pub(super) fn platforms(&self) -> impl Iterator<Item = (&'static str, Lines)> {
        let platforms = self.platforms.get().map(Vec::as_slice).unwrap_or_default();
        platforms
            .iter()
            .map(|platform| (platform.name, platform.connection.lines()))
    }
}

impl Verdict {
    fn of(reasons: Vec<String>) -> Self {
        if reasons.is_empty() {
            Self::Well
        } else {
            Self::Unwell(reasons)
        }
    }
}
