//! A decision, made under the match's lock and written in one batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Caller, Moment, Service, TargetMatch};
use crate::draw::Prose;
use crate::matches::change::{Change, Context, Decision};
use crate::matches::code::Code;
use crate::matches::deadlines;
use crate::matches::loaded::Loaded;
use crate::matches::lock::Guard;
use crate::matches::observer::Lives;
use crate::matches::people::{Person, PlayerId};
use crate::matches::port::{Batch, Fault};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::repository;
use crate::matches::state::{LogEntry, Logged, Match, Stage};

/// The locks under which something is decided. They are held until what was decided is on disk, even if
/// whoever asked has hung up by then: nobody else may decide on what is no longer so.
pub(super) type Held = Vec<Guard>;

/// Who is to be woken when a batch is on disk.
#[derive(Clone, Default)]
pub(in crate::matches) struct Wakes {
    /// The queues of the outbox in which something waits now.
    pub(super) outbox: Vec<String>,
    clocks: bool,
    /// The bots of this match.
    bots: Option<Code>,
    /// Those who look at this match, if anybody may notice that it has changed.
    viewers: Option<Code>,
}

/// What a change came to.
#[derive(Debug)]
pub struct Changed {
    pub after: Loaded,
    /// What was noted, if it was a private wish that nobody else hears of.
    pub aside: Option<Prose>,
    /// What whoever decided has learnt by it, for them alone.
    pub learnt: Option<Prose>,
}

impl Service {
    /// Changes a match by a decision made under its lock.
    pub(in crate::matches) async fn change(
        &self,
        caller: &Caller,
        target: TargetMatch,
        decide: impl FnOnce(&Loaded, &Context<'_>) -> Decision,
    ) -> Result<Changed, Failure> {
        self.change_holding(Held::new(), caller, target, decide).await
    }

    /// The same, under locks that are held already.
    pub(super) async fn change_holding(
        &self,
        mut held: Held,
        caller: &Caller,
        target: TargetMatch,
        decide: impl FnOnce(&Loaded, &Context<'_>) -> Decision,
    ) -> Result<Changed, Failure> {
        let TargetMatch { found, version } = target;
        let guard = self.matches.lock(found.code.as_str()).await;
        self.check_fresh(caller)?;
        // What was read before we had the lock is good unless somebody has written since.
        let still_holds = found
            .stamp
            .as_ref()
            .is_some_and(|stamp| stamp.still_holds(&guard));
        let found = if still_holds {
            found
        } else {
            self.find(&found.code)?
        };
        held.push(guard);
        let (before, held) = self.run_due_locked(held, found).await?;
        if version.is_some_and(|version| version != before.version) {
            return Err(Refusal::Stale {
                code: before.code.clone(),
            }
            .into());
        }
        let people = self.people(before.people().into_iter().chain([&caller.player]))?;
        let change = decide(&before, &self.context(&people))?;
        let (changed, _) = self.write(held, Some(&before), change, Some(caller)).await?;
        Ok(changed)
    }

    /// Does first what time has already decided: a move that comes after the deadline is too late, even
    /// if nobody has noticed yet.
    pub(super) async fn run_due_locked(
        &self,
        mut held: Held,
        mut the_match: Loaded,
    ) -> Result<(Loaded, Held), Failure> {
        while self.is_due(&the_match) {
            let people = self.people(the_match.people())?;
            let Some(change) = deadlines::decide_due(&the_match, &self.context(&people))? else {
                break;
            };
            let changed;
            (changed, held) = self.write(held, Some(&the_match), change, None).await?;
            the_match = changed.after;
        }
        Ok((the_match, held))
    }

    fn is_due(&self, the_match: &Match) -> bool {
        let Moment { now, hours } = self.moment();
        let mut wakes = the_match.wakes().into_iter();
        wakes.any(|(platform, wake)| wake <= hours.now_at(platform, now))
    }

    pub(super) async fn write(
        &self,
        held: Held,
        before: Option<&Match>,
        change: Change,
        caller: Option<&Caller>,
    ) -> Result<(Changed, Held), Failure> {
        let now = self.now();
        let mut batch = Batch::new();
        let after = change.after;
        match &after.stage {
            Stage::Over(..) => self.repository().fold(&mut batch, before, &after, &change.log)?,
            Stage::Open(_) | Stage::Running(_) | Stage::CalledOff(_) => {
                repository::put_match(&mut batch, before, &after)?;
                let first = before.and_then(Match::play).map_or(0, |play| play.entries);
                for (number, entry) in (first..).zip(&change.log) {
                    repository::put_log(&mut batch, &after.code, number, entry)?;
                }
            }
        }
        let mut wakes = Wakes {
            outbox: Vec::new(),
            clocks: before.is_none_or(|before| before.wakes() != after.wakes()),
            bots: after.has_bots().then(|| after.code.clone()),
            // A private wish leaves the version as it is: nobody is to notice that there was one.
            viewers: before
                .is_none_or(|before| before.version != after.version)
                .then(|| after.code.clone()),
        };
        for draft in change.deliveries {
            wakes.outbox.push(repository::queue(&draft.to, &after.code));
            self.put_delivery(&mut batch, &after, now, draft)?;
        }
        if let Some(caller) = caller
            && let Some(event) = &caller.event
        {
            repository::put_handled(&mut batch, &caller.player, event, now);
        }
        let held = self.commit(held, batch, wakes).await?;
        self.tell_observer(before, &after, &change.log);
        let changed = Changed {
            after: Loaded::with_table(after, change.table),
            aside: change.aside,
            learnt: change.learnt,
        };
        Ok((changed, held))
    }

    fn tell_observer(&self, before: Option<&Match>, after: &Match, log: &[LogEntry]) {
        let moves = log
            .iter()
            .filter(|entry| matches!(entry.what, Logged::Did { .. }));
        match moves.count() {
            0 => {}
            moves => self.observer().moved(&after.game, moves),
        }
        match (before.is_some_and(Match::is_alive), after.is_alive()) {
            (false, true) => self.observer().lives(Lives::Begun),
            (true, false) => self.observer().lives(Lives::Ended),
            (true, true) | (false, false) => {}
        }
    }

    /// Writes a batch and gives the locks back when it is on disk. It is written to the end even if the
    /// caller is dropped meanwhile.
    pub(in crate::matches) async fn commit(
        &self,
        held: Held,
        batch: Batch,
        wakes: Wakes,
    ) -> Result<Held, Fault> {
        let store = Arc::clone(&self.store);
        let (outbox, clocks) = (Arc::clone(&self.outbox), Arc::clone(&self.rescheduled));
        let calls = Arc::clone(&self.calls);
        let news = self.news.clone();
        let saving = tokio::spawn(async move {
            let saved = store.commit(batch).await;
            // Also after a failure: what is in the store then is not known.
            held.iter().for_each(Guard::note_write);
            saved?;
            outbox.add(wakes.outbox);
            if wakes.clocks {
                clocks.notify_one();
            }
            if let Some(code) = wakes.bots {
                calls.add(code);
            }
            if let Some(code) = wakes.viewers {
                // There may be no viewers.
                let _ = news.send(code);
            }
            Ok(held)
        });
        saving
            .await
            .map_err(|error| Fault::new("waiting for the store", error))?
    }

    pub(in crate::matches) fn context<'a>(&'a self, people: &'a BTreeMap<PlayerId, Person>) -> Context<'a> {
        let Moment { now, hours } = self.moment();
        Context {
            now,
            hours,
            people,
            entropy: self.entropy.as_ref(),
        }
    }

    pub(super) fn check_fresh(&self, caller: &Caller) -> Result<(), Failure> {
        match &caller.event {
            Some(event) if self.repository().was_handled(&caller.player, event)? => {
                Err(Refusal::AlreadyHandled.into())
            }
            _ => Ok(()),
        }
    }
}
