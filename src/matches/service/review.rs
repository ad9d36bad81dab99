//! What reviews of finished matches need: a thread to think on, a place beside the match, and a list of those who wait.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Service, Wakes};
use crate::matches::code::Code;
use crate::matches::delivery::{Draft, Notice, To};
use crate::matches::port::{Batch, Fault, Space};
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

    /// Keeps what there is so far of the review of a match beside it.
    pub async fn keep_review(&self, code: &Code, review: &impl Serialize) -> Result<(), Fault> {
        let mut batch = Batch::new();
        repository::put_review(&mut batch, code, review)?;
        self.commit(Vec::new(), batch, Wakes::default()).await?;
        Ok(())
    }

    /// Keeps where it is to be made known that the review of a match is done. It is, even if the process dies before.
    pub async fn await_review(&self, code: &Code, waiting: &[To]) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.put(Space::People, waiting_row(code), repository::encode(&waiting)?);
        self.commit(Vec::new(), batch, Wakes::default()).await?;
        Ok(())
    }

    /// Where the end of a review is to be made known.
    pub fn waiting_for_review(&self, code: &Code) -> Result<Vec<To>, Fault> {
        let kept = self.repository().read(Space::People, &waiting_row(code))?;
        Ok(kept.unwrap_or_default())
    }

    /// The matches for whose reviews somebody waits.
    pub fn awaited_reviews(&self) -> Result<Vec<Code>, Fault> {
        let last = [WAITING, &[0xff; 16]].concat();
        let rows = self.store().scan(Space::People, WAITING..=&last, usize::MAX)?;
        let code = |key: &[u8]| std::str::from_utf8(key.get(WAITING.len()..)?).ok()?.parse().ok();
        Ok(rows.iter().filter_map(|(key, _)| code(key)).collect())
    }

    /// Keeps the review of a match, which is done, and tells those who wait for it.
    pub async fn finish_review(
        &self,
        code: &Code,
        review: &impl Serialize,
        waiting: Vec<To>,
    ) -> Result<(), Fault> {
        let mut batch = Batch::new();
        repository::put_review(&mut batch, code, review)?;
        batch.delete(Space::People, waiting_row(code));
        let mut wakes = Wakes::default();
        if let Some(the_match) = self.repository().find(code)? {
            for to in waiting {
                wakes.outbox.push(repository::queue(&to, code));
                let draft = Draft::new(to, Notice::Reviewed);
                self.put_delivery(&mut batch, &the_match, self.now(), draft)?;
            }
        }
        self.commit(Vec::new(), batch, wakes).await?;
        Ok(())
    }
}

/// Before all players, none of whom is called by nothing.
const WAITING: &[u8] = b"\0review\0";

fn waiting_row(code: &Code) -> Vec<u8> {
    [WAITING, code.as_str().as_bytes()].concat()
}
