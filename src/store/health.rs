//! Whether the store can write at this moment, for everyone who asks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::matches::port::{Clock, Health};
use crate::matches::time::{SystemClock, Time};

/// How often the log tells of a fault that lasts.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// The state of a store, shared between the one who writes and those who ask.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedHealth(Arc<Mutex<Option<Failing>>>);

#[derive(Debug)]
struct Failing {
    since: Time,
    reason: String,
    told: Instant,
}

impl SharedHealth {
    pub(super) fn now(&self) -> Health {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Health::Good,
            Some(Failing { since, reason, .. }) => Health::Failing {
                since: *since,
                reason: reason.clone(),
            },
        }
    }

    /// Notes a fault. The log tells of it at once, and then each minute as long as it lasts.
    pub(super) fn fails(&self, path: &std::path::Path, reason: String) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = path.display();
        match &mut *state {
            None => {
                tracing::error!(%path, error = %reason, "store: could not write; nothing is saved until this works again");
                *state = Some(Failing {
                    since: SystemClock.now(),
                    reason,
                    told: Instant::now(),
                });
            }
            Some(failing) => {
                if failing.told.elapsed() >= TOLD_EVERY {
                    failing.told = Instant::now();
                    tracing::error!(%path, error = %reason, "store: still could not write; nothing is saved");
                }
                failing.reason = reason;
            }
        }
    }

    /// Notes that all is well.
    pub(super) fn recovers(&self, path: &std::path::Path) {
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if before.is_some() {
            tracing::warn!(path = %path.display(), "store: can write again");
        }
    }
}
