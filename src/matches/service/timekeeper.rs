//! Reads the clocks of the machine, notices when time does not count, and keeps what it knows of that in the store.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Service;
use crate::matches::hours::{Absence, ClockReading, Hours, JUMP, LONG_ABSENCE};
use crate::matches::port::{Batch, Clock, Fault, Space, Store};
use crate::matches::repository;
use crate::matches::time::{Span, Time};

/// Where the hours are kept.
const HOURS: &[u8] = b"hours";

/// How often the store is told that the bot runs.
const BEAT: Span = Span::minutes(1);

/// After a jump the system's clock may be set right again; until then nothing is forgotten because it looks old.
const DOUBT: Span = Span::days(1);

/// The time on the wall, and which time counts.
#[derive(Clone, Debug)]
pub struct Moment {
    pub now: Time,
    pub hours: Arc<Hours>,
}

/// Whether the store is told that the bot runs before that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    WhenDue,
    /// Before the bot stops.
    Now,
}

/// Reads the clocks, and nobody else does.
pub(super) struct Timekeeper {
    clock: Arc<dyn Clock>,
    kept: Mutex<Kept>,
}

struct Kept {
    hours: Arc<Hours>,
    /// The clocks when they were last read.
    seen: ClockReading,
    /// When whoever keeps the clocks was last at work. None while nobody keeps them.
    ticked: Option<Span>,
    /// When the store was last told.
    written: Option<Time>,
    /// When the system's clock was last found to have jumped.
    jumped: Option<Span>,
    /// Whether an absence has ended, and those who are short of time have not been looked for yet.
    returned: bool,
}

impl Timekeeper {
    /// Starts: the time since the last beat does not count.
    pub(super) fn start(store: &dyn Store, clock: Arc<dyn Clock>) -> Result<Self, Fault> {
        let kept = store.get(Space::Meta, HOURS)?;
        let mut hours: Hours = kept
            .map(|kept| repository::decode(&kept))
            .transpose()?
            .unwrap_or_default();
        let seen = read(clock.as_ref());
        let away = hours.start(seen.wall);
        if away >= LONG_ABSENCE {
            tracing::info!(%away, "clocks: the bot was off; that time is on nobody's clock");
        }
        let kept = Kept {
            hours: Arc::new(hours),
            seen,
            ticked: None,
            written: None,
            jumped: None,
            returned: true,
        };
        Ok(Self {
            clock,
            kept: Mutex::new(kept),
        })
    }

    /// Whoever keeps the clocks is at work. If they could not be for long, the bot stood still.
    pub(super) fn tick(&self) {
        let mut kept = self.look();
        kept.ticked = Some(kept.seen.steady);
    }

    /// The same in the middle of long work, if somebody keeps the clocks.
    pub(super) fn still_at_work(&self) {
        let mut kept = self.look();
        if kept.ticked.is_some() {
            kept.ticked = Some(kept.seen.steady);
        }
    }

    /// Nobody keeps the clocks any more.
    pub(super) fn leave(&self) {
        self.look().ticked = None;
    }

    pub(super) fn moment(&self) -> Moment {
        let kept = self.look();
        Moment {
            now: kept.seen.wall,
            hours: Arc::clone(&kept.hours),
        }
    }

    /// Whether an absence has ended since this was last asked.
    pub(super) fn take_returned(&self) -> bool {
        std::mem::take(&mut self.look().returned)
    }

    /// Whether the wall may be believed about how old something is.
    fn tells_ages(&self) -> bool {
        let kept = self.look();
        kept.jumped
            .is_none_or(|jumped| kept.seen.steady.saturating_sub(jumped) >= DOUBT)
    }

    fn lose(&self, platform: &str) {
        let mut kept = self.look();
        let now = kept.seen.wall;
        if !kept.hours.is_lost(platform) {
            tracing::debug!(
                platform,
                "clocks: a platform is away; its players' clocks stand still"
            );
            Arc::make_mut(&mut kept.hours).lose(platform, now);
        }
    }

    fn regain(&self, platform: &str) -> Option<Span> {
        let mut kept = self.look();
        let now = kept.seen.wall;
        let away = Arc::make_mut(&mut kept.hours).regain(platform, now)?;
        kept.returned |= away >= LONG_ABSENCE;
        Some(away)
    }

    /// What is to be written to say that the bot runs, if that is due.
    fn beat(&self, when: Beat) -> Result<Option<Batch>, Fault> {
        let mut kept = self.look();
        let now = kept.seen.wall;
        let recent = kept
            .written
            .is_some_and(|written| written <= now && now < written + BEAT);
        if when == Beat::WhenDue && recent {
            return Ok(None);
        }
        Arc::make_mut(&mut kept.hours).beat(now);
        kept.written = Some(now);
        let mut batch = Batch::new();
        batch.put(Space::Meta, HOURS, repository::encode(kept.hours.as_ref())?);
        Ok(Some(batch))
    }

    /// Reads the clocks. A jump decides nothing: whoever reads them next already finds it credited.
    fn look(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = read(self.clock.as_ref());
        if let Some(jump) = seen.jump_since(kept.seen) {
            let (from, to) = (kept.seen.wall.unix_seconds(), seen.wall.unix_seconds());
            tracing::warn!(
                from,
                to,
                jump_seconds = jump / 1000,
                "clocks: the system clock jumped; no player is charged"
            );
            kept.note_absence(jump, &Absence::ClockSet, seen);
            kept.jumped = Some(seen.steady);
        }
        if let Some(ticked) = kept.ticked
            && let stood_still = seen.steady.saturating_sub(ticked)
            && stood_still > JUMP
        {
            tracing::warn!(%stood_still, "clocks: the bot stood still; no player is charged");
            kept.ticked = Some(seen.steady);
            let by = i64::try_from(stood_still.0).unwrap_or(i64::MAX);
            kept.note_absence(by, &Absence::Off, seen);
        }
        kept.seen = seen;
        kept
    }
}

impl Kept {
    fn note_absence(&mut self, by: i64, why: &Absence, seen: ClockReading) {
        Arc::make_mut(&mut self.hours).skip(by, why, seen.wall);
        self.returned = true;
    }
}

fn read(clock: &dyn Clock) -> ClockReading {
    ClockReading {
        wall: clock.now(),
        steady: clock.steady(),
    }
}

impl Service {
    /// The time, and which of it counts.
    pub fn moment(&self) -> Moment {
        self.timekeeper.moment()
    }

    /// Whether something may be forgotten because it is old by the clock on the wall. Not for a day after that has jumped.
    pub fn tells_ages(&self) -> bool {
        self.timekeeper.tells_ages()
    }

    /// Says that a platform can't be reached: until it can, time stands still for its players.
    pub fn platform_lost(&self, platform: &str) {
        self.timekeeper.lose(platform);
    }

    /// Says that a platform can be reached. It may be said at any time.
    pub fn platform_reached(&self, platform: &str) {
        if let Some(away) = self.timekeeper.regain(platform) {
            tracing::debug!(platform, %away, "clocks: a platform is back");
            if away >= LONG_ABSENCE {
                tracing::warn!(platform, %away, "clocks: a platform was away; its players are not charged");
            }
            self.rescheduled.notify_one();
            // What could not be delivered meanwhile need not wait any longer.
            self.outbox.wake(platform);
        }
    }

    /// Tells the store that the bot runs, at most once a minute or when it is about to stop.
    pub async fn beat(&self, when: Beat) -> Result<(), Fault> {
        match self.timekeeper.beat(when)? {
            Some(batch) => self.store.commit(batch).await,
            None => Ok(()),
        }
    }
}
