//! A house of our own: the room, the outbox and the clocks, on a thread of their own.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;

use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::Parlor;
use parlor::config::PublicUrl;
use parlor::connections;
use parlor::local::{self, Local};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::Store;
use parlor::matches::service::Service;
use parlor::matches::time::SystemClock;
use parlor::store::MemoryStore;
use parlor::web::Web;
use parlor::web::site::Site;
use tokio::sync::watch;

/// A running house. It closes when it is dropped.
#[derive(Debug)]
pub struct House {
    pub address: SocketAddr,
    /// Where the pages of matches are, if they are open.
    pub pages: Option<SocketAddr>,
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

    /// A house with pages for its matches, behind a proxy on this machine if it is trusted.
    pub fn with_pages(trusted: &[IpAddr]) -> Self {
        Self::with_pages_over(Arc::new(MemoryStore::new()), trusted)
    }

    pub fn with_pages_over(store: Arc<dyn Store>, trusted: &[IpAddr]) -> Self {
        Self::run(
            "127.0.0.1:0".parse().unwrap(),
            store,
            Some(("127.0.0.1:0".parse().unwrap(), trusted.to_vec())),
        )
    }

    /// The same with its pages at an address of their own.
    pub fn with_pages_at(pages: SocketAddr, store: Arc<dyn Store>) -> Self {
        Self::run("127.0.0.1:0".parse().unwrap(), store, Some((pages, Vec::new())))
    }

    /// The same at an address of its own.
    pub fn at(address: SocketAddr, store: Arc<dyn Store>) -> Self {
        Self::run(address, store, None)
    }

    fn run(address: SocketAddr, store: Arc<dyn Store>, pages: Option<(SocketAddr, Vec<IpAddr>)>) -> Self {
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
                let mut parlor = Parlor::new(Arc::new(service));
                let listener = local::bind(address).await.unwrap();
                let wanted = pages;
                let mut pages = None;
                if let Some((address, trusted)) = wanted {
                    let listener = connections::bind("web", address).await.unwrap();
                    let url = PublicUrl::at(listener.local_addr().unwrap());
                    let site = Site { url, trusted };
                    parlor = parlor.with_pages(site.origin());
                    pages = Some((listener, site));
                }
                let parlor = Arc::new(parlor);
                let served = pages.as_ref().map(|(listener, _)| listener.local_addr().unwrap());
                tell.send((listener.local_addr().unwrap(), served)).unwrap();
                let serving = async {
                    if let Some((listener, site)) = pages {
                        let pages = Web::new(Arc::clone(&parlor), site, 1);
                        pages.serve(listener, stopped(stopping.clone())).await;
                    }
                };
                let room = Local::open(Arc::clone(&parlor)).unwrap();
                let outbox = Outbox::new(Arc::clone(&parlor), [room.postman()]);
                let (_, (), (), served, ()) = tokio::join!(
                    outbox.run(stopped(stopping.clone())),
                    parlor.service.keep_clocks(stopped(stopping.clone())),
                    parlor.service.keep_bots(stopped(stopping.clone())),
                    room.serve(listener, stopped(stopping.clone())),
                    serving,
                );
                served.unwrap();
            });
        });
        let (address, pages) = told.recv().expect("the house opens");
        Self {
            address,
            pages,
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
