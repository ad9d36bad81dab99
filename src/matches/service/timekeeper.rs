//! Reads the clocks of the machine, notices when time does not count, and keeps what it knows of that in the store.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Service;
use crate::matches::hours::{Absence, ClockReading, Hours, JUMP, LONG_ABSENCE};
use crate::matches::port::{Batch, Clock, Fault, Health, Space, Store};
use crate::matches::repository;
use crate::matches::time::{Span, Time};

/// Where the hours are kept.
const HOURS: &[u8] = b"hours";

/// How often the store is told that the bot runs.
const BEAT: Span = Span::minutes(1);

/// Who was away for less than this has not been left alone for long, and is tried again soon by itself. So a platform that
/// comes and goes is not asked more often than one that stays away.
const WORTH_WAKING: Span = Span::seconds(2);

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
    /// Asked whether anything can be saved: while it can't, table time stands still for everybody.
    store: Arc<dyn Store>,
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
    /// Whether an absence has ended, and those who are short of time have not been looked for yet.
    returned: bool,
    /// While nothing can be saved: how long that has lasted, which is credited up to the last look.
    unsaved: Option<Span>,
}

impl Timekeeper {
    /// Starts: the time since the last beat does not count.
    pub(super) fn start(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Result<Self, Fault> {
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
            returned: true,
            unsaved: None,
        };
        Ok(Self {
            clock,
            store,
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

    /// Whether anything can be saved. While it can't, nothing is decided by time.
    pub(super) fn saves(&self) -> bool {
        self.look().unsaved.is_none()
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
        kept.hours.tells_ages(kept.seen.wall)
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

    /// What is to be written to say that the bot runs, if that is due, and the time that it tells.
    fn beat(&self, when: Beat) -> Result<Option<(Batch, Time)>, Fault> {
        let mut kept = self.look();
        let now = kept.seen.wall;
        let recent = kept
            .written
            .is_some_and(|written| written <= now && now < written + BEAT);
        if when == Beat::WhenDue && (recent || kept.unsaved.is_some()) {
            return Ok(None);
        }
        Arc::make_mut(&mut kept.hours).beat(now);
        let mut batch = Batch::new();
        batch.put(Space::Meta, HOURS, repository::encode(kept.hours.as_ref())?);
        Ok(Some((batch, now)))
    }

    /// What [`beat`](Self::beat) has told is on disk.
    fn note_beat(&self, told: Time) {
        self.look().written = Some(told);
    }

    /// Reads the clocks. A jump decides nothing: whoever reads them next already finds it credited.
    fn look(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = read(self.clock.as_ref());
        let since = match self.store.health() {
            Health::Good => None,
            Health::Failing { since, .. } => Some(since),
        };
        let jumped = kept.note_jump(seen);
        match (kept.unsaved, since) {
            (None, None) => _ = kept.note_standstill(seen),
            (None, Some(since)) => {
                // What is credited as something else is not credited again, and a clock that was set tells no beginnings.
                let known = !jumped && !kept.note_standstill(seen);
                let lasted = seen.wall.since(since).min(JUMP);
                kept.pass_over_unsaved(if known { lasted } else { Span::ZERO }, seen);
            }
            (Some(_), since) => {
                let more = seen.steady.saturating_sub(kept.seen.steady);
                kept.pass_over_unsaved(more, seen);
                if since.is_none() {
                    kept.note_saving(seen);
                }
            }
        }
        kept.seen = seen;
        kept
    }
}

impl Kept {
    /// Whether the system's clock was set since the last look.
    fn note_jump(&mut self, seen: ClockReading) -> bool {
        let Some(jump) = seen.jump_since(self.seen) else {
            return false;
        };
        let (from, to) = (self.seen.wall.unix_seconds(), seen.wall.unix_seconds());
        tracing::warn!(
            from,
            to,
            jump_seconds = jump / 1000,
            "clocks: the system clock jumped; no player is charged"
        );
        self.note_absence(jump, &Absence::ClockSet, seen);
        Arc::make_mut(&mut self.hours).doubt_ages(seen.wall);
        // The store is told at once: a bot that is killed now must not believe that clock at its next start.
        self.written = None;
        true
    }

    /// Whether the bot stood still since whoever keeps the clocks was last at work.
    fn note_standstill(&mut self, seen: ClockReading) -> bool {
        let Some(ticked) = self.ticked else { return false };
        let stood_still = seen.steady.saturating_sub(ticked);
        if stood_still <= JUMP {
            return false;
        }
        tracing::warn!(%stood_still, "clocks: the bot stood still; no player is charged");
        self.ticked = Some(seen.steady);
        self.note_absence(signed(stood_still), &Absence::Off, seen);
        true
    }

    /// So much more time, up to now, in which nothing could be saved.
    fn pass_over_unsaved(&mut self, more: Span, seen: ClockReading) {
        Arc::make_mut(&mut self.hours).pass_over(signed(more));
        self.unsaved = Some(self.unsaved.unwrap_or_default() + more);
        // This time is credited, whatever else it was.
        self.ticked = self.ticked.map(|_| seen.steady);
    }

    /// What could not be saved can be again.
    fn note_saving(&mut self, seen: ClockReading) {
        let Some(lasted) = self.unsaved.take() else { return };
        if lasted >= LONG_ABSENCE {
            tracing::warn!(%lasted, "clocks: nothing could be saved; no player is charged");
        }
        Arc::make_mut(&mut self.hours).note_return(lasted, &Absence::Unsaved, seen.wall);
        self.returned |= lasted >= LONG_ABSENCE;
        // The store is told at once by how much table time is behind.
        self.written = None;
    }

    fn note_absence(&mut self, by: i64, why: &Absence, seen: ClockReading) {
        Arc::make_mut(&mut self.hours).skip(by, why, seen.wall);
        self.returned = true;
    }
}

fn signed(span: Span) -> i64 {
    i64::try_from(span.0).unwrap_or(i64::MAX)
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

    /// Whether something may be forgotten because it is old by the clock on the wall. Not for a day after that has jumped, or may
    /// have while the bot was off, however often the bot is started on that day.
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
            if away >= WORTH_WAKING {
                self.outbox.wake(platform);
            }
        }
    }

    /// Tells the store that the bot runs, at most once a minute or when it is about to stop. One that can't save is not
    /// bothered.
    pub async fn beat(&self, when: Beat) -> Result<(), Fault> {
        if let Some((batch, told)) = self.timekeeper.beat(when)? {
            self.store.commit(batch).await?;
            self.timekeeper.note_beat(told);
        }
        Ok(())
    }
}
