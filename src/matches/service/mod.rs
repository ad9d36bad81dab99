//! The one way to change a match.
//!
//! A command takes the match's lock, reads the match, lets a pure function decide, and writes what was
//! decided in one batch: log, match, indexes, deliveries. Only when that is on disk does the answer
//! leave.
//!
//! `commit` does that. The commands are in `tables` (a table and the rooms that show it), `rematch` and
//! `playing` (moves, proposals and leaving); `people` keeps players and their lists, `notes` what they write down, `review` what a bot says of a match, `clocks` does what time
//! decides, `timekeeper` knows which time counts, `post` keeps what is to be told, and `tidy` keeps the store small.

mod clocks;
mod commit;
mod notes;
mod people;
mod playing;
mod post;
mod practice;
mod rematch;
mod review;
mod tables;
pub mod tidy;
mod timekeeper;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::{Notify, broadcast};

pub use self::commit::Changed;
pub(super) use self::commit::Wakes;
pub use self::playing::Proposed;
pub use self::post::Outgoing;
use self::timekeeper::Timekeeper;
pub use self::timekeeper::{Beat, Moment};
use super::bots::Calls;
use super::change::begun;
use super::code::Code;
use super::consent::rebuild;
use super::loaded::Loaded;
use super::lock::Locks;
use super::observer::{Observer, Unobserved};
use super::people::PlayerId;
use super::port::{Clock, Entropy, Fault, Store};
use super::refusal::{Failure, Refusal};
use super::repository::Repository;
use super::retention::Retention;
use super::state::{LogEntry, Match};
use super::think_pool::{Search, ThinkPool, Thinker};
use super::time::Time;
use crate::catalog::Table;

/// So many changed matches are remembered for those who look; whoever misses some looks anew.
const MOST_NEWS: usize = 256;

/// Who asks for something, and by which event of their platform.
#[derive(Clone, Debug)]
pub struct Caller {
    pub player: PlayerId,
    /// The platform's own name for the event, if it has one: the same event is not handled twice.
    pub event: Option<String>,
}

/// Which match is meant, and the version that the caller saw, if they saw one. Written `#K7QF` or `#K7QF@12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRef {
    pub code: Code,
    pub version: Option<u64>,
}

impl From<Code> for MatchRef {
    fn from(code: Code) -> Self {
        Self { code, version: None }
    }
}

impl fmt::Display for MatchRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "#{}@{version}", self.code),
            None => write!(f, "#{}", self.code),
        }
    }
}

/// The match that a command is about, as it was read, and the version that the caller saw, if they saw one.
#[derive(Debug)]
pub struct TargetMatch {
    pub found: Loaded,
    pub version: Option<u64>,
}

impl From<Loaded> for TargetMatch {
    fn from(found: Loaded) -> Self {
        Self { found, version: None }
    }
}

/// The matches of this bot.
pub struct Service {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    timekeeper: Timekeeper,
    entropy: Arc<dyn Entropy>,
    matches: Locks,
    pub(super) players: Locks,
    rematches: Locks,
    next_delivery: AtomicU64,
    /// Where something is waiting in the outbox.
    pub outbox: Arc<Outgoing>,
    /// A match may need attention earlier than was thought.
    rescheduled: Arc<Notify>,
    /// The codes of matches that have changed, for those who look at them.
    news: broadcast::Sender<Code>,
    /// Matches in which a bot may have to move.
    pub(super) calls: Arc<Calls>,
    think_pool: ThinkPool,
    observer: Arc<dyn Observer>,
    retention: Retention,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

impl Service {
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, Fault> {
        let next_delivery = AtomicU64::new(post::next_number(store.as_ref())?);
        let timekeeper = Timekeeper::start(Arc::clone(&store), Arc::clone(&clock))?;
        Ok(Self {
            store,
            clock,
            timekeeper,
            entropy,
            matches: Locks::default(),
            players: Locks::default(),
            rematches: Locks::default(),
            next_delivery,
            outbox: Arc::default(),
            rescheduled: Arc::default(),
            news: broadcast::Sender::new(MOST_NEWS),
            calls: Arc::default(),
            think_pool: ThinkPool::new(Arc::new(Search)),
            observer: Arc::new(Unobserved),
            retention: Retention::default(),
        })
    }

    /// Lets somebody else think for the bots.
    #[must_use]
    pub fn with_thinker(mut self, thinker: Arc<dyn Thinker>) -> Self {
        self.think_pool = ThinkPool::new(thinker);
        self
    }

    /// Lets somebody watch what happens.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    pub fn observer(&self) -> &dyn Observer {
        self.observer.as_ref()
    }

    /// How many errands of the bots wait for a thread that thinks.
    pub fn waiting_thoughts(&self) -> usize {
        self.think_pool.waiting()
    }

    /// Keeps things for as long as the operator says.
    #[must_use]
    pub fn with_retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }

    pub const fn retention(&self) -> Retention {
        self.retention
    }

    pub(super) fn think_pool(&self) -> &ThinkPool {
        &self.think_pool
    }

    /// Hears from now on of every match that has changed so that others may notice it.
    pub fn hear_news(&self) -> broadcast::Receiver<Code> {
        self.news.subscribe()
    }

    /// Lets those who look at a match look anew.
    pub(in crate::matches) fn tell_changed(&self, code: &Code) {
        // There may be nobody.
        let _ = self.news.send(code.clone());
    }

    /// The time on the wall.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    pub fn repository(&self) -> Repository<'_> {
        Repository(self.store.as_ref())
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub fn entropy(&self) -> &dyn Entropy {
        self.entropy.as_ref()
    }

    pub(super) fn shared_entropy(&self) -> Arc<dyn Entropy> {
        Arc::clone(&self.entropy)
    }

    /// The match of this code.
    pub fn find(&self, code: &Code) -> Result<Loaded, Failure> {
        let stamp = self.matches.stamp(code.as_str());
        let found = self.repository().find(code)?;
        let mut found: Loaded = found.ok_or_else(|| Refusal::NoSuchMatch(code.clone()))?.into();
        found.stamp = Some(stamp);
        Ok(found)
    }

    /// The match that somebody refers to.
    pub fn target(&self, reference: &MatchRef) -> Result<TargetMatch, Failure> {
        Ok(TargetMatch {
            found: self.find(&reference.code)?,
            version: reference.version,
        })
    }

    /// The table as it was after so many entries of the log.
    pub fn table_at(&self, the_match: &Loaded, entries: u32) -> Result<Box<dyn Table>, Failure> {
        let play = begun(the_match)?;
        if entries >= play.entries {
            return Ok(the_match.table()?.copy());
        }
        let log = self.repository().log(&the_match.code, entries)?;
        rebuild(the_match, play, &log, u32::MAX)
    }

    /// The whole log of a match.
    pub fn log_of(&self, the_match: &Match) -> Result<Vec<LogEntry>, Fault> {
        self.repository()
            .log(&the_match.code, the_match.play().map_or(0, |play| play.entries))
    }
}
