//! What is done though nobody says anything: deadlines and reminders, and events that may be forgotten.

use std::future::Future;
use std::time::Duration;

use super::Service;
use crate::matches::code::Code;
use crate::matches::port::{Batch, Fault, Space};
use crate::matches::refusal::Failure;
use crate::matches::repository;
use crate::matches::time::Time;

impl Service {
    /// Keeps the clocks until `stop` is ready.
    pub async fn keep_clocks(&self, stop: impl Future<Output = ()>) {
        /// The machine's clock may be set while we sleep, so never for long.
        const LONGEST: Duration = Duration::from_secs(20);
        let mut stop = std::pin::pin!(stop);
        loop {
            let attended = self.run_due().await;
            let pause = match attended.and_then(|until| self.repository().next_wake(until)) {
                Ok(None) => LONGEST,
                Ok(Some(wake)) => LONGEST.min(wake.since(self.now()).into()),
                Err(fault) => {
                    tracing::error!(%fault, "clocks: could not run what is due");
                    Duration::from_secs(5)
                }
            };
            if let Err(fault) = self.forget_events().await {
                tracing::error!(%fault, "clocks: could not delete old events");
            }
            tokio::select! {
                () = &mut stop => return,
                () = self.rescheduled.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Looks after every match whose time has come, up to the moment that is returned. A match that can't
    /// be looked after holds up no other; it is tried again the next time.
    pub async fn run_due(&self) -> Result<Time, Fault> {
        let now = self.now();
        for code in self.repository().due(now)? {
            if let Err(failure) = self.decide_due(&code).await {
                tracing::error!(%code, ?failure, "clocks: could not run what is due in a match");
            }
        }
        Ok(now)
    }

    async fn decide_due(&self, code: &Code) -> Result<(), Failure> {
        let held = vec![self.matches.lock(code.as_str()).await];
        if let Some(the_match) = self.repository().find(code)? {
            self.run_due_locked(held, the_match.into()).await?;
        }
        Ok(())
    }

    /// Forgets events of the platforms that are too old to come again. How many there were.
    pub async fn forget_events(&self) -> Result<usize, Fault> {
        const AT_ONCE: usize = 1000;
        let moment = self.now() - repository::HANDLED_FOR;
        let old = self.repository().handled_before(moment, AT_ONCE)?;
        if old.is_empty() {
            return Ok(0);
        }
        let mut batch = Batch::new();
        for key in old.iter().flatten() {
            batch.delete(Space::Handled, key.clone());
        }
        self.store.commit(batch).await?;
        Ok(old.len())
    }
}
