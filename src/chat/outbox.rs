//! The outbox: everything that has to be said gets said, in order, and not twice.
//!
//! Deliveries wait in the store. Each place (a room, a player) is a queue of its own: what is said there
//! stays in order, and a place that can't be reached holds up no other. A delivery is forgotten when
//! its postman has confirmed it; if we die in between it is posted again with the same key, by which
//! the postman knows it.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::message::Message;
use super::parlor::Parlor;
use crate::matches::delivery::{Delivery, To};
use crate::matches::port::Fault;
use crate::matches::repository;

/// The answer of a postman.
pub type Posting<'a> = Pin<Box<dyn Future<Output = Result<(), PostError>> + Send + 'a>>;

/// Brings messages to one platform.
pub trait Postman: Send + Sync + 'static {
    /// The platform whose rooms and players this one reaches.
    fn platform(&self) -> &str;

    /// Posts a delivery, which is written as `message`. The same key may come again after a crash: it must
    /// not be shown twice.
    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a>;
}

/// Why a message was not posted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// It may work later.
    #[error("not now: {why}")]
    Later { why: String, after: Option<Duration> },
    /// It will never work: the place is gone, or we may not speak there. A room is then no home of the match
    /// any more, and its players are told in private.
    #[error("never: {why}")]
    Never { why: String },
}

/// No place is tried again sooner than this, even if it asks for it.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
/// The waiting time after the first failure; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// How many places are served at once.
const AT_ONCE: usize = 64;
/// How many rows are read at once.
const PAGE: usize = 1000;

/// Brings everything from the store to the platforms.
pub struct Outbox {
    parlor: Arc<Parlor>,
    postmen: Postmen,
}

/// The postmen, by platform.
type Postmen = Arc<HashMap<String, Arc<dyn Postman>>>;

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbox")
            .field("platforms", &self.postmen.keys())
            .finish_non_exhaustive()
    }
}

/// The rounds that are under way.
#[derive(Default)]
struct Rounds {
    tasks: JoinSet<Round>,
    /// The queue that each serves, for one that never comes back.
    queues: HashMap<Id, String>,
    /// Set when no further delivery is to be begun.
    stopping: Arc<AtomicBool>,
}

impl Rounds {
    /// The next round to end. One that panicked counts as trouble: its place is tried again later, and no
    /// other is held up.
    async fn next(&mut self) -> Option<Round> {
        match self.tasks.join_next_with_id().await? {
            Ok((id, round)) => {
                self.queues.remove(&id);
                Some(round)
            }
            Err(error) => {
                let queue = self.queues.remove(&error.id()).unwrap_or_default();
                tracing::error!(%queue, %error, "a delivery broke off");
                Some(Round {
                    queue,
                    trouble: Some(Delay::of(&error)),
                })
            }
        }
    }
}

/// Where a place's queue stands after one of its deliveries.
struct Round {
    queue: String,
    trouble: Option<Delay>,
}

/// Why a place could not be reached, and when to go on, if that is known.
struct Delay {
    why: String,
    after: Option<Duration>,
}

impl Delay {
    fn of(why: &dyn std::fmt::Display) -> Self {
        Self {
            why: why.to_string(),
            after: None,
        }
    }
}

/// A place that could not be reached.
struct Pause {
    until: Instant,
    length: Duration,
}

/// Which places are being served, and which are left alone for a while.
#[derive(Default)]
struct Places {
    busy: HashSet<String>,
    /// Kept until the place is reached again, so that pauses grow.
    paused: HashMap<String, Pause>,
    /// Where the rows go that were seen last.
    queues: HashMap<Vec<u8>, Option<String>>,
}

impl Places {
    fn may_start(&self, queue: &str) -> bool {
        let resting = self
            .paused
            .get(queue)
            .is_some_and(|pause| pause.until > Instant::now());
        !resting && !self.busy.contains(queue)
    }

    /// When a place is due that is neither busy nor left alone any longer.
    fn next_retry(&self) -> Instant {
        let resting = self
            .paused
            .iter()
            .filter(|(queue, _)| !self.busy.contains(*queue));
        let next = resting
            .map(|(_, pause)| pause.until)
            .filter(|until| *until > Instant::now())
            .min();
        next.unwrap_or_else(|| Instant::now() + LONGEST_PAUSE)
    }

    fn note(&mut self, round: Round) {
        self.busy.remove(&round.queue);
        let Some(Delay { why, after }) = round.trouble else {
            self.paused.remove(&round.queue);
            return;
        };
        // Said once, however often it is tried. A place that says when to come again is not in trouble.
        if self.paused.contains_key(&round.queue) {
            tracing::debug!(queue = round.queue, %why, "a delivery still waits");
        } else if after.is_some() {
            tracing::info!(queue = round.queue, %why, "a delivery waits its turn");
        } else {
            tracing::warn!(queue = round.queue, %why, "a delivery waits");
        }
        let doubled = self
            .paused
            .get(&round.queue)
            .map_or(FIRST_PAUSE, |pause| (pause.length * 2).min(LONGEST_PAUSE));
        let length = after.map_or(doubled, |after| after.max(SHORTEST_PAUSE));
        self.paused.insert(
            round.queue,
            Pause {
                until: Instant::now() + length,
                length,
            },
        );
    }
}

impl Outbox {
    pub fn new(parlor: Arc<Parlor>, postmen: impl IntoIterator<Item = Arc<dyn Postman>>) -> Self {
        let postmen: HashMap<_, _> = postmen
            .into_iter()
            .map(|postman| (postman.platform().to_owned(), postman))
            .collect();
        Self {
            parlor,
            postmen: Arc::new(postmen),
        }
    }

    /// Delivers until `stop` is ready, then finishes the messages that are on their way; the others wait
    /// in the store for the next start.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut places = Places::default();
        let mut rounds = Rounds::default();
        loop {
            for place in self.parlor.service.take_reachable() {
                places.paused.remove(&repository::queue(&place));
            }
            let mut wake = places.next_retry();
            if let Err(fault) = self.start_rounds(&mut places, &mut rounds) {
                tracing::error!(%fault, "the outbox can't be read");
                wake = Instant::now() + FIRST_PAUSE;
            }
            tokio::select! {
                () = &mut stop => break,
                () = self.parlor.service.outbox.notified() => {}
                Some(round) = rounds.next() => places.note(round),
                () = tokio::time::sleep_until(wake) => {}
            }
        }
        rounds.stopping.store(true, Ordering::Relaxed);
        while rounds.next().await.is_some() {}
    }

    /// Starts a round for every place that has something waiting and is neither busy nor paused.
    fn start_rounds(&self, places: &mut Places, rounds: &mut Rounds) -> Result<(), Fault> {
        let mut waiting: Vec<(String, Vec<Waiting>)> = Vec::new();
        let mut after: Option<Vec<u8>> = None;
        let mut seen = HashMap::new();
        loop {
            let rows = self
                .parlor
                .service
                .repository()
                .undelivered(after.as_deref(), PAGE)?;
            let last = rows.len() < PAGE;
            after = rows.last().map(|(key, _)| key.clone());
            for (row, written) in rows {
                // A place that is out of reach for days may have thousands waiting: where each goes is read
                // once, and all of it only when it goes out.
                let queue = match places.queues.remove(&row) {
                    Some(queue) => queue,
                    None => self.queue_of(&written),
                };
                if let Some(name) = &queue
                    && places.may_start(name)
                {
                    let places_left = rounds.tasks.len() + waiting.len() < AT_ONCE;
                    let row = row.clone();
                    match waiting.iter_mut().find(|(queue, _)| queue == name) {
                        Some((_, rows)) => rows.push(Waiting { row, written }),
                        None if places_left => waiting.push((name.clone(), vec![Waiting { row, written }])),
                        None => {}
                    }
                }
                seen.insert(row, queue);
            }
            if last {
                break;
            }
        }
        places.queues = seen;
        for (queue, rows) in waiting {
            places.busy.insert(queue.clone());
            let task = rounds.tasks.spawn(deliver(
                Arc::clone(&self.parlor),
                Arc::clone(&self.postmen),
                queue.clone(),
                rows,
                Arc::clone(&rounds.stopping),
            ));
            rounds.queues.insert(task.id(), queue);
        }
        Ok(())
    }

    /// The queue in which a delivery waits; none if nobody can bring it, or nobody can read it.
    fn queue_of(&self, written: &[u8]) -> Option<String> {
        match repository::decode::<Delivery>(written) {
            Ok(delivery) => self
                .postmen
                .contains_key(delivery.to.platform())
                .then(|| repository::queue(&delivery.to)),
            Err(fault) => {
                tracing::error!(%fault, "a delivery can't be read; it is left where it is");
                None
            }
        }
    }
}

struct Waiting {
    row: Vec<u8>,
    written: Vec<u8>,
}

/// Delivers to one place, in order, until it is done or stuck.
async fn deliver(
    parlor: Arc<Parlor>,
    postmen: Postmen,
    queue: String,
    rows: Vec<Waiting>,
    stopping: Arc<AtomicBool>,
) -> Round {
    for Waiting { row, written } in rows {
        if stopping.load(Ordering::Relaxed) {
            break;
        }
        // Both were there when the queue was named.
        let Ok(delivery) = repository::decode::<Delivery>(&written) else {
            continue;
        };
        let Some(postman) = postmen.get(delivery.to.platform()) else {
            continue;
        };
        let message = parlor.render(&delivery);
        match postman.post(&delivery, message).await {
            Ok(()) => {}
            Err(PostError::Later { why, after }) => {
                return Round {
                    queue,
                    trouble: Some(Delay { why, after }),
                };
            }
            Err(PostError::Never { why }) => {
                tracing::warn!(%queue, %why, key = delivery.key, "a delivery is given up");
                if let To::Room(room) = &delivery.to
                    && let Err(failure) = parlor.service.lose_room(&delivery.code, room).await
                {
                    tracing::error!(?failure, "a lost room can't be noted");
                    return Round {
                        queue,
                        trouble: Some(Delay::of(&"a lost room can't be noted")),
                    };
                }
            }
        }
        if let Err(fault) = parlor.service.delivered(&row).await {
            tracing::error!(%fault, "a delivery can't be marked as done");
            return Round {
                queue,
                trouble: Some(Delay::of(&fault)),
            };
        }
    }
    Round { queue, trouble: None }
}
