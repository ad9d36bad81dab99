//! What reviews of finished matches need: a thread to think on, and a place beside the match.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Service, Wakes};
use crate::matches::code::Code;
use crate::matches::delivery::{Draft, Notice, To};
use crate::matches::port::{Batch, Fault};
use crate::matches::repository;

impl Service {
    /// Runs something that takes long and that nobody at a table waits for: one after the other, on a thread of their own.
    /// Nothing comes back if it broke off.
    pub async fn study<T: Send + 'static>(&self, errand: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.think_pool().study(errand).await
    }

    /// What is kept of the review of a match; nothing, too, if it can't be read any more: it can be made again.
    pub fn kept_review<T: DeserializeOwned>(&self, code: &Code) -> Result<Option<T>, Fault> {
        let kept = self.repository().review(code)?;
        Ok(kept.and_then(|written| repository::decode(&written).ok()))
    }

    /// Keeps the review of a match beside it, and tells those who wait for it that it is done.
    pub async fn keep_review(
        &self,
        code: &Code,
        review: &impl Serialize,
        waiting: Vec<To>,
    ) -> Result<(), Fault> {
        let mut batch = Batch::new();
        repository::put_review(&mut batch, code, review)?;
        let mut wakes = Wakes::default();
        if let Some(the_match) = self.repository().find(code)? {
            for to in waiting {
                wakes.outbox.push(repository::queue(&to));
                let draft = Draft::new(to, Notice::Reviewed);
                self.put_delivery(&mut batch, &the_match, self.now(), draft)?;
            }
        }
        self.commit(Vec::new(), batch, wakes).await?;
        Ok(())
    }
}
