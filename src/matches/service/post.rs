//! Deliveries: numbered and stored with what they tell of, forgotten when they are made.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Service;
use crate::matches::delivery::{Delivery, Draft, To};
use crate::matches::people::PlayerId;
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
        draft: Draft,
    ) -> Result<(), Fault> {
        let number = self.next_delivery.fetch_add(1, Ordering::Relaxed);
        let delivery = Delivery {
            key: format!("{}-{number}", after.code),
            to: draft.to,
            at: now,
            code: after.code.clone(),
            version: after.version,
            game: after.game.clone(),
            notice: draft.notice,
            sheet: draft.sheet,
            ping: draft.ping,
            sound: draft.sound,
        };
        repository::put_delivery(batch, number, &delivery)?;
        batch.put(Space::Meta, DELIVERY_NUMBER, number.to_be_bytes());
        Ok(())
    }

    /// Tells a player alone what a room is told, since they are not there. Said twice, it is told once.
    pub async fn also_tell(&self, delivery: &Delivery, player: &PlayerId) -> Result<(), Fault> {
        let number = delivery
            .key
            .rsplit('-')
            .next()
            .and_then(|number| number.parse().ok());
        let number = number.unwrap_or_else(|| self.next_delivery.fetch_add(1, Ordering::Relaxed));
        let copy = Delivery {
            key: format!("{}-{player}", delivery.key),
            to: To::Player(player.clone()),
            ..delivery.clone()
        };
        let mut batch = Batch::new();
        repository::put_delivery(&mut batch, number, &copy)?;
        self.store.commit(batch).await?;
        self.outbox.add(vec![repository::queue(&copy.to, &copy.code)]);
        Ok(())
    }

    /// Says that a place can be reached now: what waits for it is tried at once.
    pub fn reachable(&self, place: &To) {
        self.outbox.note_reachable(repository::place(place));
    }

    /// Forgets a delivery that is done.
    pub async fn delivered(&self, key: &[u8]) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.delete(Space::Outbox, key);
        self.store.commit(batch).await
    }

    /// Puts a delivery into the queue where it belongs. One that can't be read is kept out of all of them.
    pub async fn sort_delivery(&self, key: &[u8], written: &[u8]) -> Result<(), Fault> {
        let mut batch = Batch::new();
        repository::sort_delivery(&mut batch, key, written);
        self.store.commit(batch).await
    }

    /// Gives deliveries of earlier versions a place in their own queues: those that were kept in one row, and those of
    /// matches that shared the queue of their room.
    pub async fn sort_old_deliveries(&self) -> Result<(), Fault> {
        loop {
            let rows = self.repository().unsorted_deliveries(PAGE)?;
            let mut batch = Batch::new();
            for (key, value) in &rows {
                repository::sort_delivery(&mut batch, key, value);
            }
            if rows.is_empty() {
                return Ok(());
            }
            self.store.commit(batch).await?;
        }
    }
}

/// How many old deliveries are sorted at once.
const PAGE: usize = 1000;

/// Where something waits to be delivered: queues that have gained something, and places and platforms that can be reached
/// again.
#[derive(Debug, Default)]
pub struct Outgoing {
    gained: Mutex<HashSet<String>>,
    reachable: Mutex<Vec<String>>,
    awake: Mutex<HashSet<String>>,
    news: Notify,
}

impl Outgoing {
    /// Something waits in these queues.
    pub fn add(&self, queues: Vec<String>) {
        if !queues.is_empty() {
            lock(&self.gained).extend(queues);
            self.news.notify_one();
        }
    }

    /// A platform is back: whatever waits for it is tried at once.
    pub fn wake(&self, platform: &str) {
        lock(&self.awake).insert(platform.to_owned());
        self.news.notify_one();
    }

    fn note_reachable(&self, place: String) {
        lock(&self.reachable).push(place);
        self.news.notify_one();
    }

    /// The queues that have gained something since this was last asked.
    pub fn take_gained(&self) -> HashSet<String> {
        std::mem::take(&mut lock(&self.gained))
    }

    /// The places of which it was said since this was last asked that they can be reached again.
    pub fn take_reachable(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.reachable))
    }

    /// The platforms of which it was said since this was last asked that they are back.
    pub fn take_awake(&self) -> HashSet<String> {
        std::mem::take(&mut lock(&self.awake))
    }

    /// Waits until there is something to take.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
