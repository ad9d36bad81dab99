//! One lock for each match, or player, or community, made when it is needed and dropped when it is not.
//!
//! With each lock goes a revision: it is raised whenever something was written under the lock. Whoever has read a match
//! without its lock can tell by it, once they hold the lock, whether what they have read still holds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Locks by name.
#[derive(Debug, Default)]
pub struct Locks {
    slots: Mutex<HashMap<String, Slot>>,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    lock: Arc<AsyncMutex<()>>,
    revision: Arc<AtomicU64>,
}

/// A lock that is held.
#[derive(Debug)]
pub struct Guard {
    _held: OwnedMutexGuard<()>,
    revision: Arc<AtomicU64>,
}

impl Guard {
    /// Something has been written, or may have been.
    pub fn note_write(&self) {
        self.revision.fetch_add(1, Ordering::AcqRel);
    }
}

/// The moment before something was read without its lock.
#[derive(Clone, Debug)]
pub struct Stamp {
    revision: Arc<AtomicU64>,
    seen: u64,
}

impl Stamp {
    /// Whether nothing has been written since, for whoever holds the lock now.
    pub fn still_holds(&self, guard: &Guard) -> bool {
        Arc::ptr_eq(&self.revision, &guard.revision) && self.revision.load(Ordering::Acquire) == self.seen
    }
}

impl Locks {
    /// Waits for the lock of this name. Those who wait get it in the order in which they came.
    pub async fn lock(&self, name: &str) -> Guard {
        let Slot { lock, revision } = self.slot(name);
        Guard {
            _held: lock.lock_owned().await,
            revision,
        }
    }

    /// Notes where things stand before something is read without the lock.
    pub fn stamp(&self, name: &str) -> Stamp {
        let revision = self.slot(name).revision;
        Stamp {
            seen: revision.load(Ordering::Acquire),
            revision,
        }
    }

    fn slot(&self, name: &str) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        // Locks that nobody holds, waits for or has a stamp of are forgotten now and then.
        if slots.len() >= 4096 {
            slots
                .retain(|_, slot| Arc::strong_count(&slot.lock) > 1 || Arc::strong_count(&slot.revision) > 1);
        }
        slots.entry(name.to_owned()).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stamp_tells_whether_something_was_written_since() {
        let locks = Locks::default();
        let before = locks.stamp("K7QF");
        let guard = locks.lock("K7QF").await;
        assert!(before.still_holds(&guard));
        guard.note_write();
        assert!(!before.still_holds(&guard));
        assert!(locks.stamp("K7QF").still_holds(&guard));
        assert!(
            !locks.stamp("other").still_holds(&guard),
            "a stamp is good for its own lock only"
        );
    }
}
