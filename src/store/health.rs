//! Whether the store can write at this moment, for everyone who asks.
//!
//! There are two ways in which it can't: the disk has said so, or it says nothing at all while changes wait for it. The second
//! is seen by whoever asks, since the thread that writes hangs in it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::matches::port::{Clock, Health};
use crate::matches::time::{SystemClock, Time};

/// How often the log tells of a fault that lasts.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// A disk that has not answered for so long while changes wait for it has failed, as far as anybody can tell.
pub(super) const STALL: Duration = Duration::from_secs(10);

const STALLED: &str = "the disk does not answer";

/// The state of a store, shared between the one who writes and those who ask.
#[derive(Clone, Debug)]
pub(super) struct SharedHealth {
    state: Arc<Mutex<State>>,
    path: Arc<PathBuf>,
    /// How long the disk may say nothing.
    stall: Duration,
    /// Whether this process can't help itself any more.
    given_up: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct State {
    /// What the disk has said.
    fault: Option<Failing>,
    /// How many batches wait for the disk, and since when it has answered none of them.
    waiting: usize,
    silent: Option<Silence>,
    /// Whether the log was told of that silence.
    stall_told: bool,
}

#[derive(Debug)]
struct Failing {
    since: Time,
    reason: String,
    told: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Silence {
    since: Time,
    begun: Instant,
}

impl Silence {
    fn from_now() -> Self {
        Self {
            since: SystemClock.now(),
            begun: Instant::now(),
        }
    }
}

impl SharedHealth {
    pub(super) fn new(path: &Path, stall: Duration) -> Self {
        Self {
            state: Arc::default(),
            path: Arc::new(path.to_owned()),
            stall,
            given_up: watch::Sender::new(false),
        }
    }

    pub(super) fn now(&self) -> Health {
        let mut state = self.lock();
        if let Some(Failing { since, reason, .. }) = &state.fault {
            return Health::Failing {
                since: *since,
                reason: reason.clone(),
            };
        }
        match self.stalled(&mut state) {
            None => Health::Good,
            Some(since) => Health::Failing {
                since,
                reason: STALLED.to_owned(),
            },
        }
    }

    /// Why the disk can't write, if it has said so.
    pub(super) fn fault(&self) -> Option<String> {
        let state = self.lock();
        state.fault.as_ref().map(|failing| failing.reason.clone())
    }

    /// A batch is about to be handed over. It is refused if the disk says nothing: whoever waits now would wait behind all the
    /// others, and what waits must not grow without end.
    pub(super) fn hand_over(&self) -> Result<(), &'static str> {
        let mut state = self.lock();
        if self.stalled(&mut state).is_some() {
            return Err(STALLED);
        }
        state.waiting += 1;
        state.silent.get_or_insert_with(Silence::from_now);
        Ok(())
    }

    /// So many batches are about to be answered, for good or ill.
    pub(super) fn answered(&self, batches: usize) {
        let mut state = self.lock();
        state.waiting = state.waiting.saturating_sub(batches);
        state.silent = (state.waiting > 0).then(Silence::from_now);
        if std::mem::take(&mut state.stall_told) {
            tracing::warn!(path = %self.path.display(), "store: the disk answers again");
        }
    }

    /// Since when the disk has said nothing, if that is too long.
    fn stalled(&self, state: &mut State) -> Option<Time> {
        let silence = state
            .silent
            .filter(|silence| silence.begun.elapsed() >= self.stall)?;
        if !std::mem::replace(&mut state.stall_told, true) {
            let (path, waiting) = (self.path.display(), state.waiting);
            tracing::error!(%path, waiting, error = STALLED, "store: could not write; nothing is saved until this works again");
        }
        Some(silence.since)
    }

    /// Notes a fault. The log tells of it at once, and then each minute as long as it lasts.
    pub(super) fn fails(&self, reason: String) {
        let mut state = self.lock();
        let path = self.path.display();
        match &mut state.fault {
            None => {
                tracing::error!(%path, error = %reason, "store: could not write; nothing is saved until this works again");
                state.fault = Some(Failing {
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
    pub(super) fn recovers(&self) {
        if self.lock().fault.take().is_some() {
            tracing::warn!(path = %self.path.display(), "store: can write again");
        }
    }

    /// Notes that another process is needed.
    pub(super) fn gives_up(&self) {
        if !self.given_up.send_replace(true) {
            let (path, error) = (self.path.display(), self.fault().unwrap_or_default());
            tracing::error!(%path, %error, "store: this process can't write to it any more; another start may help");
        }
    }

    /// Ready once another process is needed: why.
    pub(super) fn given_up(&self) -> impl Future<Output = String> + Send + 'static {
        let mut given_up = self.given_up.subscribe();
        let health = self.clone();
        async move {
            // The other end is held here, too, so it can't go away.
            _ = given_up.wait_for(|given_up| *given_up).await;
            health.fault().unwrap_or_default()
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
