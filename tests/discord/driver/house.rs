//! The bot in this process, over a store and a clock of the test's.

use std::sync::Arc;
use std::thread::JoinHandle;

use parlor::chat::link::Stopper;
use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::Parlor;
use parlor::config::DiscordConfig;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::{Clock, Store};
use parlor::matches::service::Service;
use serde_json::json;

use super::Town;
use super::town::TOKEN;

/// A bot at work. It stops when this is dropped.
#[derive(Debug)]
pub struct House {
    stop: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl House {
    /// Opens it in a town, and waits until it listens and its commands are known.
    pub fn open(town: &Town, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
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
                .worker_threads(4)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let service = Service::new(store, clock, Arc::new(OsEntropy)).unwrap();
                let parlor = Arc::new(Parlor::new(Arc::new(service)));
                let link = parlor::discord::connect(&config, &parlor, &stop).await.unwrap();
                let outbox = Outbox::new(Arc::clone(&parlor), [Arc::clone(&link.postman)]);
                outbox.run(stop.told()).await;
                link.listening.await.unwrap().unwrap();
            });
        });
        town.shared().wait("the bot to come", |model| {
            (model.sessions.is_connected() && !model.commands.is_empty()).then_some(())
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
