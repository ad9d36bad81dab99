//! A house of our own: the room, the outbox and the clocks, on a thread of their own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::Parlor;
use parlor::local::{self, Local};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::Store;
use parlor::matches::service::Service;
use parlor::matches::time::SystemClock;
use parlor::store::MemoryStore;
use tokio::sync::watch;

/// A running house. It closes when it is dropped.
#[derive(Debug)]
pub struct House {
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl House {
    pub fn open() -> Self {
        Self::over(Arc::new(MemoryStore::new()))
    }

    /// A house that keeps its things in this store.
    pub fn over(store: Arc<dyn Store>) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), store)
    }

    /// The same at an address of its own.
    pub fn at(address: SocketAddr, store: Arc<dyn Store>) -> Self {
        let (stop, stopping) = watch::channel(false);
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap();
                let parlor = Arc::new(Parlor::new(Arc::new(service)));
                let listener = local::bind(address).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let room = Local::open(Arc::clone(&parlor)).unwrap();
                let outbox = Outbox::new(Arc::clone(&parlor), [room.postman()]);
                let (_, (), (), served) = tokio::join!(
                    outbox.run(stopped(stopping.clone())),
                    parlor.service.keep_clocks(stopped(stopping.clone())),
                    parlor.service.keep_bots(stopped(stopping.clone())),
                    room.serve(listener, stopped(stopping.clone())),
                );
                served.unwrap();
            });
        });
        Self {
            address: told.recv().expect("the house opens"),
            stop,
            thread: Some(thread),
        }
    }
}

async fn stopped(mut stopping: watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        let closed = self.thread.take().map(JoinHandle::join);
        assert!(
            std::thread::panicking() || closed.is_none_or(|closed| closed.is_ok()),
            "the house fell down"
        );
    }
}
