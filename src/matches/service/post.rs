//! Deliveries: numbered and stored with what they tell of, forgotten when they are made.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::Service;
use crate::matches::delivery::{Delivery, Notice, To};
use crate::matches::port::{Batch, Fault, Space, Store};
use crate::matches::repository;
use crate::matches::state::Match;
use crate::matches::time::Time;

/// Where the last number of a delivery is kept.
const DELIVERY_NUMBER: &[u8] = b"delivery";

/// How far numbers jump at a start, past any that were given out but not noted down.
const NUMBER_GAP: u64 = 1 << 16;

/// The number of the first delivery after a start.
pub(super) fn next_number(store: &dyn Store) -> Result<u64, Fault> {
    let number = |bytes: &[u8]| bytes.try_into().map(u64::from_be_bytes).unwrap_or_default();
    let noted = store.get(Space::Meta, DELIVERY_NUMBER)?;
    Ok(noted.map_or(0, |bytes| number(&bytes)) + NUMBER_GAP)
}

impl Service {
    /// Puts one delivery of a match, as it is after a change, into the batch of that change.
    pub(super) fn put_delivery(
        &self,
        batch: &mut Batch,
        after: &Match,
        now: Time,
        to: To,
        notice: Notice,
    ) -> Result<(), Fault> {
        let number = self.next_delivery.fetch_add(1, Ordering::Relaxed);
        let delivery = Delivery {
            key: format!("{}-{number}", after.code),
            to,
            at: now,
            code: after.code.clone(),
            version: after.version,
            game: after.game.clone(),
            notice,
        };
        repository::put_delivery(batch, number, &delivery)?;
        batch.put(Space::Meta, DELIVERY_NUMBER, number.to_be_bytes());
        Ok(())
    }

    /// Says that a place can be reached now: what waits for it is tried at once.
    pub fn reachable(&self, place: &To) {
        let mut places = self.reachable.lock().unwrap_or_else(PoisonError::into_inner);
        places.push(place.clone());
        drop(places);
        self.outbox.notify_one();
    }

    /// The places of which that has been said since this was last asked.
    pub fn take_reachable(&self) -> Vec<To> {
        std::mem::take(&mut self.reachable.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Forgets a delivery that is done.
    pub async fn delivered(&self, key: &[u8]) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.delete(Space::Outbox, key);
        self.store.commit(batch).await
    }
}
