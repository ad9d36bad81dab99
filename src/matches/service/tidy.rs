//! Keeps the store small, in the background: folds matches that were over before there was an archive, and forgets what
//! nobody will ask for again.
//!
//! Everything goes in small portions with pauses between them, so that no answer waits for it. Each portion is a batch of
//! its own that leaves the store as good as it was: it can end anywhere, and goes on at the next start.

use std::future::Future;
use std::time::Duration;

use super::{Service, Wakes};
use crate::matches::code::Code;
use crate::matches::port::{Batch, Fault, Space};
use crate::matches::repository;
use crate::matches::state::{CHALLENGE_STANDS, Stage};
use crate::matches::time::{Span, Time};

/// How often the store is tidied up.
pub const EVERY: Duration = Duration::from_secs(3600);

/// How long others are let in front between two portions.
pub const PAUSE: Duration = Duration::from_millis(5);

/// How many tables are looked at in one portion.
const TABLES: usize = 16;

/// How many events are looked at, or forgotten, in one portion.
const EVENTS: usize = 1000;

/// However many events there are, the last ones are remembered: a platform may repeat them.
const REPEATED_WITHIN: Span = Span::hours(1);

impl Service {
    /// Tidies up now and every hour, until `stop` is ready.
    pub async fn keep_tidy(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        loop {
            let tidied = async {
                if let Err(fault) = self.tidy().await {
                    tracing::error!(%fault, "tidy: could not tidy up the store");
                }
                tokio::time::sleep(EVERY).await;
            };
            tokio::select! {
                () = &mut stop => return,
                () = tidied => {}
            }
        }
    }

    /// Tidies up once.
    pub async fn tidy(&self) -> Result<(), Fault> {
        self.put_tables_away().await?;
        if !self.tells_ages() {
            return Ok(());
        }
        let mut from = None;
        while let Some(next) = self.forget_keys(from).await? {
            from = Some(next);
            tokio::time::sleep(PAUSE).await;
        }
        while self.forget_events().await? > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        self.forget_surplus_events().await
    }

    async fn put_tables_away(&self) -> Result<(), Fault> {
        let mut from = Vec::new();
        loop {
            let (codes, next) = self.repository().to_put_away(&from, TABLES)?;
            for code in codes {
                let held = vec![self.matches.lock(code.as_str()).await];
                match self.putting_away(&code) {
                    Ok(batch) if batch.is_empty() => {}
                    Ok(batch) => {
                        self.commit(held, batch, Wakes::default()).await?;
                    }
                    // One that can't be read holds up no other.
                    Err(fault) => tracing::error!(%fault, %code, "tidy: could not put a match away"),
                }
            }
            let Some(next) = next else { return Ok(()) };
            from = next;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// What folds a match that is over, or forgets a table that was called off long ago. Nothing if it is neither.
    fn putting_away(&self, code: &Code) -> Result<Batch, Fault> {
        let mut batch = Batch::new();
        let Some(found) = self.repository().find(code)? else {
            return Ok(batch);
        };
        match &found.stage {
            Stage::Over(..) => self.repository().fold(&mut batch, Some(&found), &found, &[])?,
            Stage::CalledOff(_) if self.is_stale(found.created) => {
                repository::forget_called_off(&mut batch, code);
            }
            Stage::CalledOff(_) | Stage::Open(_) | Stage::Running(_) => {}
        }
        Ok(batch)
    }

    /// Whether a table that was opened then and never began may be forgotten.
    fn is_stale(&self, created: Time) -> bool {
        created + CHALLENGE_STANDS + self.retention.age < self.now() && self.tells_ages()
    }

    /// Forgets events of the platforms that are too old to come again; not all at once. How many there were.
    pub async fn forget_events(&self) -> Result<usize, Fault> {
        self.forget_events_before(self.now() - repository::HANDLED_FOR, EVENTS)
            .await
    }

    /// Forgets the oldest events if there are too many.
    async fn forget_surplus_events(&self) -> Result<(), Fault> {
        let before = self.now() - REPEATED_WITHIN;
        let mut surplus = self.count_events().await?.saturating_sub(self.retention.events);
        while surplus > 0 {
            let forgotten = self.forget_events_before(before, surplus.min(EVENTS)).await?;
            if forgotten == 0 {
                return Ok(());
            }
            surplus = surplus.saturating_sub(forgotten);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    async fn count_events(&self) -> Result<usize, Fault> {
        let (mut count, mut from) = (0, None);
        loop {
            let (counted, next) = self.repository().count_handled(from, EVENTS)?;
            count += counted;
            let Some(next) = next else { return Ok(count) };
            from = Some(next);
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn forget_events_before(&self, moment: Time, limit: usize) -> Result<usize, Fault> {
        let old = self.repository().handled_before(moment, limit)?;
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
