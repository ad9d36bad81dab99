//! One lock for each match, or player, or house, made when it is needed and dropped when it is not.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Locks by name.
#[derive(Debug, Default)]
pub struct Locks {
    held: Mutex<HashMap<String, Arc<AsyncMutex<()>>>>,
}

impl Locks {
    /// Waits for the lock of this name. Those who wait get it in the order in which they came.
    pub async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            // Locks that nobody else holds or waits for are forgotten now and then.
            if held.len() >= 4096 {
                held.retain(|_, lock| Arc::strong_count(lock) > 1);
            }
            Arc::clone(held.entry(name.to_owned()).or_default())
        };
        lock.lock_owned().await
    }
}
