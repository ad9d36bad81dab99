//! A slow disk: the first answer does not wait for it.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread::JoinHandle;

use parlor::chat::link::Stopper;
use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::Parlor;
use parlor::config::DiscordConfig;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::{Batch, Fault, Row, Saving, Space, Store};
use parlor::matches::service::Service;
use parlor::matches::time::SystemClock;
use parlor::store::MemoryStore;
use serde_json::json;
use tokio::sync::watch;

use super::{code_in, offers};
use crate::driver::Town;
use crate::driver::town::TOKEN;

/// A store whose disk can be made to hang.
struct SlowStore {
    inner: MemoryStore,
    works: watch::Sender<bool>,
}

impl Store for SlowStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.inner.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
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

/// The bot in this process, over a store of the test's.
struct House {
    stop: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl House {
    fn open(town: &Town, store: Arc<SlowStore>) -> Self {
        let ca = town.folder().join("ca.pem");
        std::fs::write(&ca, &town.standin.ca_pem).unwrap();
        let config = DiscordConfig {
            token: Some(serde_json::from_value(json!(TOKEN)).unwrap()),
            api_address: Some(town.standin.address.to_string()),
            api_ca_file: Some(ca),
            ..DiscordConfig::default()
        };
        let (stopper, stop) = Stopper::new();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap();
                let parlor = Arc::new(Parlor::new(Arc::new(service)));
                let link = parlor::discord::connect(&config, &parlor, &stop).await.unwrap();
                let outbox = Outbox::new(Arc::clone(&parlor), [Arc::clone(&link.postman)]);
                outbox.run(stop.told()).await;
                link.listening.await.unwrap().unwrap();
            });
        });
        Self {
            stop: stopper,
            thread: Some(thread),
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.stop();
        let closed = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || closed.is_none_or(|closed| closed.is_ok()));
    }
}

#[test]
fn a_slow_disk_keeps_nobody_waiting_for_a_first_answer() {
    let town = Town::asleep();
    let store = Arc::new(SlowStore {
        inner: MemoryStore::new(),
        works: watch::Sender::new(true),
    });
    let house = House::open(&town, Arc::clone(&store));
    town.shared().wait("the bot to come", |model| {
        (model.sessions.is_connected() && !model.commands.is_empty()).then_some(())
    });
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
