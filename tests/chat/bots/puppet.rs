//! Somebody who thinks only when told to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use parlor::ai::{Errand, Thought};
use parlor::catalog::Table;
use parlor::game::Seat;
use parlor::matches::think_pool::Thinker;

/// Plays the first thing that is legal, as soon as it may.
#[derive(Default)]
pub struct Puppet {
    open: Mutex<bool>,
    news: Condvar,
    /// How many errands have come, and how many of them were stopped.
    pub asked: AtomicUsize,
    pub stopped: AtomicUsize,
    /// What it expects.
    pub chances: Mutex<Option<f32>>,
}

impl Puppet {
    /// One that may think.
    pub fn free() -> Arc<Self> {
        let puppet = Self::default();
        puppet.let_go();
        Arc::new(puppet)
    }

    /// One that waits.
    pub fn held() -> Arc<Self> {
        Arc::default()
    }

    pub fn let_go(&self) {
        *self.open.lock().unwrap() = true;
        self.news.notify_all();
    }

    /// From now on it waits.
    pub fn hold(&self) {
        *self.open.lock().unwrap() = false;
    }

    pub fn hopes(&self, chances: f32) {
        *self.chances.lock().unwrap() = Some(chances);
    }

    /// Waits until so many errands have come.
    pub async fn is_asked(&self, count: usize) {
        while self.asked.load(Ordering::SeqCst) < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Thinker for Puppet {
    fn think(
        &self,
        table: &dyn Table,
        seat: Seat,
        errand: &Errand<'_>,
        _: Duration,
    ) -> Option<Thought<String>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut open = self.open.lock().unwrap();
        while !*open {
            if errand.stop.load(Ordering::SeqCst) {
                self.stopped.fetch_add(1, Ordering::SeqCst);
                return None;
            }
            // Woken when it is let go; looks by itself whether it is stopped.
            open = self.news.wait_timeout(open, Duration::from_millis(2)).unwrap().0;
        }
        drop(open);
        Some(Thought {
            action: table.legal(seat).into_iter().next()?,
            chances: *self.chances.lock().unwrap(),
            simulations: 1,
        })
    }
}
