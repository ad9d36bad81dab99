//! The outbox: everything that has to be said gets said, in order, and not twice.
//!
//! Deliveries wait in the store. Each match has a queue of its own in each room, and each player has one: what is said
//! there stays in order, and one that can't be reached holds up no other. A delivery is forgotten when
//! its postman has confirmed it; if we die in between it is posted again with the same key, by which
//! the postman knows it. A board that was for the moment only, and has been overtaken, is not posted at all.

mod queues;

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use self::queues::{Delay, FIRST_PAUSE, Lateness, QueueName, QueueRound, Queues, platform_of};
use super::message::Message;
use super::parlor::Parlor;
use crate::matches::delivery::{Delivery, Notice, To};
use crate::matches::observer::Posted;
use crate::matches::port::{Fault, Row};
use crate::matches::repository;

/// The answer of a postman.
pub type Posting<'a> = Pin<Box<dyn Future<Output = Result<(), PostError>> + Send + 'a>>;

/// Brings messages to one platform.
///
/// # Example
/// A platform that keeps what it is given, and shows nothing twice:
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Mutex;
///
/// use parlor::chat::message::Message;
/// use parlor::chat::outbox::{PostError, Posting, Postman};
/// use parlor::matches::delivery::Delivery;
///
/// #[derive(Default)]
/// struct Pinboard(Mutex<BTreeMap<String, Message>>);
///
/// impl Postman for Pinboard {
///     fn platform(&self) -> &str {
///         "pinboard"
///     }
///
///     fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
///         Box::pin(async move {
///             let broken = |_| PostError::Later { why: "the board is broken".to_owned(), after: None };
///             let mut board = self.0.lock().map_err(broken)?;
///             // After a crash the same key comes again.
///             board.entry(delivery.key.clone()).or_insert(message);
///             Ok(())
///         })
///     }
/// }
///
/// assert_eq!(Pinboard::default().platform(), "pinboard");
/// ```
pub trait Postman: Send + Sync + 'static {
    /// The platform whose rooms and players this one reaches.
    fn platform(&self) -> &str;

    /// Posts a delivery, which is written as `message`. The same key may come again after a crash: it must
    /// not be shown twice.
    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a>;

    /// Whether turns that have passed are left out where something had to wait for long, or its place takes only so much. Homeservers that take few messages would
    /// show old boards, and call people to them, long after.
    fn skips_passed_turns(&self) -> bool {
        false
    }

    /// How many rooms are served at once, and as many players beside them. One who lets deliveries wait in an order of
    /// its own wants many.
    fn places(&self) -> usize {
        64
    }
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

/// How many deliveries of a queue are read at once.
const PAGE: usize = 50;

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
    tasks: JoinSet<QueueRound>,
    /// The queue that each serves, for one that never comes back.
    queues: HashMap<Id, QueueName>,
    /// Set when no further delivery is to be begun.
    stopping: Arc<AtomicBool>,
}

impl Rounds {
    /// The next round to end. One that panicked counts as trouble: its place is tried again later, and no
    /// other is held up.
    async fn next(&mut self) -> Option<QueueRound> {
        match self.tasks.join_next_with_id().await? {
            Ok((id, round)) => {
                self.queues.remove(&id);
                Some(round)
            }
            Err(error) => {
                let queue = self
                    .queues
                    .remove(&error.id())
                    .unwrap_or_else(|| QueueName::from(""));
                tracing::error!(%queue, %error, "outbox: a delivery panicked");
                Some(QueueRound {
                    queue,
                    trouble: Some(Delay::of(&error)),
                })
            }
        }
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
        let mut queues = Queues::default();
        let mut rounds = Rounds::default();
        let outgoing = &self.parlor.service.outbox;
        let mut looked_through = false;
        loop {
            // What waits from before is found once; from then on we are told where something is new.
            if !looked_through {
                match self.look_through(&mut queues).await {
                    Ok(()) => looked_through = true,
                    Err(fault) => tracing::error!(%fault, "outbox: could not read the waiting deliveries"),
                }
            }
            for queue in outgoing.take_gained() {
                if self.can_serve(&queue) {
                    queues.add(queue.into());
                }
            }
            for place in outgoing.take_reachable() {
                queues.reach(&place);
            }
            for platform in outgoing.take_awake() {
                queues.wake_platform(&platform);
            }
            queues.wake();
            while let Some((queue, lateness)) = queues.start(|platform| self.places(platform)) {
                self.start_round(&mut rounds, queue, lateness);
            }
            let wake = if looked_through {
                queues.next_wake()
            } else {
                Instant::now() + FIRST_PAUSE
            };
            tokio::select! {
                () = &mut stop => break,
                () = outgoing.news() => {}
                Some(round) = rounds.next() => queues.note(round),
                () = tokio::time::sleep_until(wake) => {}
            }
        }
        rounds.stopping.store(true, Ordering::Relaxed);
        while rounds.next().await.is_some() {}
    }

    /// Finds every queue in which something waits.
    async fn look_through(&self, queues: &mut Queues) -> Result<(), Fault> {
        let service = &self.parlor.service;
        service.sort_old_deliveries().await?;
        for platform in self.postmen.keys() {
            for queue in service.repository().queues(platform)? {
                queues.add(queue.into());
            }
        }
        Ok(())
    }

    fn places(&self, platform: &str) -> usize {
        self.postmen.get(platform).map_or(0, |postman| postman.places())
    }

    /// Whether there is somebody who brings what waits in this queue.
    fn can_serve(&self, queue: &str) -> bool {
        platform_of(queue).is_some_and(|platform| self.postmen.contains_key(platform))
    }

    fn start_round(&self, rounds: &mut Rounds, queue: QueueName, lateness: Lateness) {
        let task = rounds.tasks.spawn(deliver(
            Arc::clone(&self.parlor),
            Arc::clone(&self.postmen),
            QueueName::clone(&queue),
            lateness,
            Arc::clone(&rounds.stopping),
        ));
        rounds.queues.insert(task.id(), queue);
    }
}

/// Delivers everything that waits in a queue, page by page.
async fn deliver(
    parlor: Arc<Parlor>,
    postmen: Postmen,
    queue: QueueName,
    lateness: Lateness,
    stopping: Arc<AtomicBool>,
) -> QueueRound {
    let trouble = loop {
        match parlor.service.repository().undelivered(&queue, PAGE) {
            Ok(rows) if rows.is_empty() => break None,
            Ok(rows) => {
                let delivered = deliver_rows(&parlor, &postmen, &queue, rows, lateness, &stopping).await;
                if delivered.is_err() || stopping.load(Ordering::Relaxed) {
                    break delivered.err();
                }
            }
            Err(fault) => break Some(Delay::of(&fault)),
        }
    };
    QueueRound { queue, trouble }
}

/// Delivers some rows of a queue, in order, until they are done or one is stuck. What a later one tells anew is left out.
async fn deliver_rows(
    parlor: &Arc<Parlor>,
    postmen: &Postmen,
    queue: &str,
    rows: Vec<Row>,
    lateness: Lateness,
    stopping: &AtomicBool,
) -> Result<(), Delay> {
    let mut waiting: VecDeque<(Vec<u8>, Delivery)> = VecDeque::new();
    for (row, written) in rows {
        match repository::decode(&written) {
            Ok(delivery) => waiting.push_back((row, delivery)),
            Err(fault) => {
                tracing::error!(%fault, queue, "outbox: could not read a delivery; it is put out of the way");
                let moved = parlor.service.sort_delivery(&row, &written).await;
                moved.map_err(|fault| Delay::of(&fault))?;
            }
        }
    }
    // The first may have been posted already, without our hearing of it. It is posted again: what comes later has to find
    // the message that it became.
    let mut untried = false;
    while let Some((row, delivery)) = waiting.pop_front() {
        if stopping.load(Ordering::Relaxed) {
            return Ok(());
        }
        if untried && waiting.iter().any(|(_, later)| delivery.is_overtaken_by(later)) {
            forget(parlor, queue, &row).await?;
            continue;
        }
        untried = true;
        let skips = postmen
            .get(delivery.to.platform())
            .is_some_and(|postman| postman.skips_passed_turns());
        let passed = lateness == Lateness::Late
            && skips
            && waiting.iter().any(|(_, later)| delivery.is_passed_by(later));
        if passed || reminds_in_vain(parlor, &delivery) {
            forget(parlor, queue, &row).await?;
            continue;
        }
        let Some(postman) = postmen.get(delivery.to.platform()) else {
            return Err(Delay::of(&"nobody brings messages to this platform"));
        };
        let message = render(parlor, &delivery).await?;
        let posted = postman.post(&delivery, message).await;
        let outcome = match &posted {
            Ok(()) => Posted::Delivered,
            Err(PostError::Later { .. }) => Posted::PutOff,
            Err(PostError::Never { .. }) => Posted::GivenUp,
        };
        let observer = parlor.service.observer();
        observer.posted(delivery.to.platform(), outcome);
        match posted {
            Ok(()) => {}
            Err(PostError::Later { why, after }) => return Err(Delay { why, after }),
            Err(PostError::Never { why }) => {
                tracing::warn!(queue, %why, key = delivery.key, "outbox: delivery given up");
                if let To::Room(room) = &delivery.to
                    && let Err(failure) = parlor.service.lose_room(&delivery.code, room).await
                {
                    tracing::error!(?failure, %room, code = %delivery.code, "outbox: could not note that a room is lost");
                    return Err(Delay::of(&"a lost room could not be noted"));
                }
            }
        }
        forget(parlor, queue, &row).await?;
    }
    Ok(())
}

/// The message that a delivery becomes. What somebody has missed is found out by playing their match again, and not where
/// others wait for their answers.
async fn render(parlor: &Arc<Parlor>, delivery: &Delivery) -> Result<Message, Delay> {
    if !parlor.has_missed(delivery) {
        return Ok(parlor.render(delivery));
    }
    let (parlor, delivery) = (Arc::clone(parlor), delivery.clone());
    let rendered = tokio::task::spawn_blocking(move || parlor.render(&delivery));
    rendered.await.map_err(|error| Delay::of(&error))
}

/// Whether somebody would be reminded of a turn that has passed.
fn reminds_in_vain(parlor: &Parlor, delivery: &Delivery) -> bool {
    if !matches!(delivery.notice, Notice::Reminder { .. }) {
        return false;
    }
    // A match that can't be read now is left to whoever writes the reminder down.
    let found = parlor.service.find(&delivery.code);
    found.is_ok_and(|found| delivery.reminds_in_vain(&found))
}

/// Marks a delivery as done.
async fn forget(parlor: &Parlor, queue: &str, row: &[u8]) -> Result<(), Delay> {
    let forgotten = parlor.service.delivered(row).await;
    forgotten.map_err(|fault| {
        tracing::error!(%fault, queue, "outbox: could not mark a delivery as done");
        Delay::of(&fault)
    })
}
