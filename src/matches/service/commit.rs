//! A decision, made under the match's lock and written in one batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::OwnedMutexGuard;

use super::{Caller, MatchRef, Service};
use crate::matches::change::{Change, Context, Decision};
use crate::matches::code::Code;
use crate::matches::deadlines;
use crate::matches::people::{Person, PlayerId};
use crate::matches::port::{Batch, Fault};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::repository;
use crate::matches::state::Match;

/// The locks under which something is decided. They are held until what was decided is on disk, even if
/// whoever asked has hung up by then: nobody else may decide on what is no longer so.
pub(super) type Held = Vec<OwnedMutexGuard<()>>;

/// Who is to be woken when a batch is on disk.
#[derive(Clone, Default)]
pub(in crate::matches) struct Wakes {
    outbox: bool,
    clocks: bool,
    /// The bots of this match.
    bots: Option<Code>,
}

impl Service {
    /// Changes a match by a decision made under its lock.
    pub(in crate::matches) async fn change(
        &self,
        caller: &Caller,
        target: &MatchRef,
        decide: impl FnOnce(&Match, &Context<'_>) -> Decision,
    ) -> Result<Match, Failure> {
        self.change_holding(Held::new(), caller, target, decide).await
    }

    /// The same, under locks that are held already.
    pub(super) async fn change_holding(
        &self,
        mut held: Held,
        caller: &Caller,
        target: &MatchRef,
        decide: impl FnOnce(&Match, &Context<'_>) -> Decision,
    ) -> Result<Match, Failure> {
        held.push(self.matches.lock(target.code.as_str()).await);
        self.check_fresh(caller)?;
        let (before, held) = self.run_due_locked(held, self.find(&target.code)?).await?;
        if target.version.is_some_and(|version| version != before.version) {
            return Err(Refusal::Stale {
                code: target.code.clone(),
            }
            .into());
        }
        let people = self.people(before.people().into_iter().chain([&caller.player]))?;
        let change = decide(&before, &self.context(&people))?;
        let (after, _) = self.write(held, Some(&before), change, Some(caller)).await?;
        Ok(after)
    }

    /// Does first what time has already decided: a move that comes after the deadline is too late, even
    /// if nobody has noticed yet.
    pub(super) async fn run_due_locked(
        &self,
        mut held: Held,
        mut the_match: Match,
    ) -> Result<(Match, Held), Failure> {
        while the_match.wakes().is_some_and(|wake| wake <= self.now()) {
            let people = self.people(the_match.people())?;
            let Some(change) = deadlines::decide_due(&the_match, &self.context(&people))? else {
                break;
            };
            (the_match, held) = self.write(held, Some(&the_match), change, None).await?;
        }
        Ok((the_match, held))
    }

    pub(super) async fn write(
        &self,
        held: Held,
        before: Option<&Match>,
        change: Change,
        caller: Option<&Caller>,
    ) -> Result<(Match, Held), Failure> {
        let now = self.now();
        let mut batch = Batch::new();
        let after = change.after;
        repository::put_match(&mut batch, before, &after)?;
        let first = before.and_then(Match::play).map_or(0, |play| play.entries);
        for (number, entry) in (first..).zip(&change.log) {
            repository::put_log(&mut batch, &after.code, number, entry)?;
        }
        let wakes = Wakes {
            outbox: !change.deliveries.is_empty(),
            clocks: after.wakes() != before.and_then(Match::wakes),
            bots: after.has_bots().then(|| after.code.clone()),
        };
        for (to, notice) in change.deliveries {
            self.put_delivery(&mut batch, &after, now, to, notice)?;
        }
        if let Some(caller) = caller
            && let Some(event) = &caller.event
        {
            repository::put_handled(&mut batch, &caller.player, event, now);
        }
        let held = self.commit(held, batch, wakes).await?;
        Ok((after, held))
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
        let saving = tokio::spawn(async move {
            store.commit(batch).await?;
            if wakes.outbox {
                outbox.notify_one();
            }
            if wakes.clocks {
                clocks.notify_one();
            }
            if let Some(code) = wakes.bots {
                calls.add(code);
            }
            Ok(held)
        });
        saving
            .await
            .map_err(|error| Fault::new("waiting for the store", error))?
    }

    pub(in crate::matches) fn context<'a>(&'a self, people: &'a BTreeMap<PlayerId, Person>) -> Context<'a> {
        Context {
            now: self.now(),
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
