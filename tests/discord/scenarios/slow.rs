//! A slow disk: the first answer does not wait for it.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use parlor::matches::port::{Batch, Fault, Row, Saving, Space, Store};
use parlor::matches::time::SystemClock;
use parlor::store::MemoryStore;
use serde_json::json;
use tokio::sync::watch;

use super::{code_in, offers};
use crate::driver::Town;
use crate::driver::house::House;

/// A store whose disk can be made to hang.
struct SlowStore {
    inner: MemoryStore,
    works: watch::Sender<bool>,
}

impl SlowStore {
    /// A read holds up the thread that it is made on.
    fn hang(&self) {
        while !*self.works.borrow() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Store for SlowStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.hang();
        self.inner.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        self.hang();
        self.inner.scan(space, range, limit)
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        let mut works = self.works.subscribe();
        Box::pin(async move {
            let _ = works.wait_for(|works| *works).await;
            self.inner.commit(batch).await
        })
    }

    fn flush(&self) -> Saving<'_> {
        self.inner.flush()
    }
}

#[test]
fn a_slow_disk_keeps_nobody_waiting_for_a_first_answer() {
    let town = Town::asleep();
    let store = Arc::new(SlowStore {
        inner: MemoryStore::new(),
        works: watch::Sender::new(true),
    });
    let house = House::open(&town, Arc::<SlowStore>::clone(&store), Arc::new(SystemClock));
    let ann = town.user("Ann");
    store.works.send_replace(false);
    let asked = ann.slash("open", &json!({ "game": "phwar" }));
    // The disk hangs, and the clock stands: the first answer comes all the same.
    assert!(asked.first().is_zero());
    assert!(
        asked.interaction().answers.is_empty(),
        "acknowledged before it is on disk"
    );
    assert!(town.square.messages().is_empty());
    store.works.send_replace(true);
    let code = code_in(&asked.words());
    town.square.wait_for("the table", |message| {
        offers(message, "Join") && message.everything().contains(&code)
    });
    drop(house);
}
