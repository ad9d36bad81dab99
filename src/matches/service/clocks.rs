//! What is done though nobody says anything: deadlines and reminders.

use std::future::Future;
use std::time::Duration;

use super::Service;
use super::timekeeper::{Beat, Moment};
use crate::matches::deadlines;
use crate::matches::hours::Return;
use crate::matches::loaded::Loaded;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::matches::repository::{self, DueRow};

impl Service {
    /// Keeps the clocks until `stop` is ready.
    pub async fn keep_clocks(&self, stop: impl Future<Output = ()>) {
        /// The machine's clock may be set while we sleep, so never for long.
        const LONGEST: Duration = Duration::from_secs(20);
        /// While nothing can be saved: table time goes on as soon as it can.
        const UNSAVED: Duration = Duration::from_secs(1);
        let mut stop = std::pin::pin!(stop);
        loop {
            self.timekeeper.tick();
            if let Err(fault) = self.watching(self.beat(Beat::WhenDue)).await {
                tracing::error!(%fault, "clocks: could not note that the bot runs");
            }
            let attended = self.watching(self.run_due()).await;
            let pause = match attended.and_then(|until| self.repository().next_wake(&until.hours, until.now))
            {
                _ if !self.timekeeper.saves() => UNSAVED,
                Ok(None) => LONGEST,
                Ok(Some(pause)) => LONGEST.min(pause.into()),
                Err(fault) => {
                    tracing::error!(%fault, "clocks: could not run what is due");
                    Duration::from_secs(5)
                }
            };
            self.timekeeper.tick();
            tokio::select! {
                () = &mut stop => break,
                () = self.rescheduled.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
        self.timekeeper.leave();
        if let Err(fault) = self.beat(Beat::Now).await {
            tracing::error!(%fault, "clocks: could not note that the bot stops");
        }
    }

    /// Does something, and sees meanwhile whether the store still answers: a disk that hangs lets nobody go on.
    async fn watching<T>(&self, work: impl Future<Output = T>) -> T {
        const EVERY: Duration = Duration::from_secs(2);
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(EVERY) => {
                    self.timekeeper.saves();
                }
            }
        }
    }

    /// Looks after every match whose time has come, up to the moment that is returned. A match that can't
    /// be looked after holds up no other; it is tried again the next time. While nothing can be saved, nothing is decided.
    pub async fn run_due(&self) -> Result<Moment, Fault> {
        if !self.timekeeper.saves() {
            return Ok(self.moment());
        }
        if self.timekeeper.take_returned() {
            self.give_respite().await?;
        }
        let moment = self.moment();
        for row in self.due(&moment)? {
            self.timekeeper.still_at_work();
            if let Err(failure) = self.decide_due(&row).await {
                tracing::error!(code = %row.code, ?failure, "clocks: could not run what is due in a match");
            }
        }
        Ok(moment)
    }

    /// The matches that need attention at a moment.
    pub fn due(&self, moment: &Moment) -> Result<Vec<DueRow>, Fault> {
        let now = |platform: &str| moment.hours.now_at(platform, moment.now);
        self.repository().due(now)
    }

    /// After an absence those whose time is nearly up get enough of it to be reminded and to move.
    async fn give_respite(&self) -> Result<(), Fault> {
        let moment = self.moment();
        let soon = |platform: &str| Return::longest_respite(moment.hours.now_at(platform, moment.now));
        for row in self.repository().due(soon)? {
            self.timekeeper.still_at_work();
            if let Err(failure) = self.respite(&row).await {
                tracing::error!(code = %row.code, ?failure, "clocks: could not give a match more time");
            }
        }
        Ok(())
    }

    async fn respite(&self, row: &DueRow) -> Result<(), Failure> {
        let held = vec![self.matches.lock(row.code.as_str()).await];
        let Some(the_match) = self.repository().find(&row.code)? else {
            return Ok(());
        };
        let the_match = Loaded::from(the_match);
        let people = self.people(the_match.people())?;
        if let Some(change) = deadlines::respite(&the_match, &self.context(&people))? {
            self.write(held, Some(&*the_match), change, None).await?;
        }
        Ok(())
    }

    async fn decide_due(&self, row: &DueRow) -> Result<(), Failure> {
        let held = vec![self.matches.lock(row.code.as_str()).await];
        let Some(the_match) = self.repository().find(&row.code)? else {
            return Ok(());
        };
        let (after, held) = self.run_due_locked(held, the_match.into()).await?;
        if let Some(batch) = repository::mend_wakes(row, &after) {
            self.commit(held, batch, super::Wakes::default()).await?;
        }
        Ok(())
    }
}
