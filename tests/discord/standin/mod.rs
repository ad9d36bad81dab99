//! A stand-in for Discord, stricter than Discord.
//!
//! REST over TLS and the gateway over WebSocket, with a model of its own behind them. It refuses what the
//! documented limits refuse, notes as a problem what no bot of ours may ever do, and misbehaves on demand.

pub mod cards;
pub mod clock;
pub mod commands;
pub mod faults;
pub mod gateway;
pub mod interactions;
pub mod limits;
pub mod messages;
pub mod model;
pub mod openapi;
pub mod permissions;
pub mod places;
pub mod ratelimit;
pub mod refusal;
pub mod rest;
mod shown;
pub mod tls;

use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use model::Model;
use tls::{Credentials, Strangers, TlsListener};

/// How long a test waits for something that has to come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The model, and a bell that rings when something in it may have changed.
#[derive(Clone, Debug)]
pub struct Shared(Arc<(Mutex<Model>, Condvar)>);

impl Shared {
    /// Looks at the model or changes it.
    pub fn with<T>(&self, act: impl FnOnce(&mut Model) -> T) -> T {
        let done = act(&mut self.lock());
        self.0.1.notify_all();
        done
    }

    /// Waits until there is something.
    pub fn wait<T>(&self, what: &str, mut look: impl FnMut(&mut Model) -> Option<T>) -> T {
        let start = Instant::now();
        let mut model = self.lock();
        loop {
            if let Some(found) = look(&mut model) {
                return found;
            }
            if start.elapsed() > PATIENCE {
                let journal = model.journal.iter().rev().take(40).rev();
                let journal: Vec<&str> = journal.map(String::as_str).collect();
                let journal = journal.join("\n");
                drop(model);
                panic!("waited in vain for {what}; what happened last:\n{journal}");
            }
            let (guard, _) = (self.0.1)
                .wait_timeout(model, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner);
            model = guard;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Model> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running stand-in. It is gone when it is dropped.
#[derive(Debug)]
pub struct Standin {
    pub shared: Shared,
    /// Where REST is spoken.
    pub address: SocketAddr,
    pub ca_pem: String,
    strangers: Strangers,
    runtime: Option<Runtime>,
}

impl Standin {
    pub fn open(token: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let shared = Shared(Arc::new((Mutex::new(Model::new(token)), Condvar::new())));
        let credentials = Credentials::make();
        let strangers = Strangers::default();
        let address = runtime.block_on(async {
            let anywhere = || TcpListener::bind("127.0.0.1:0");
            let gateway = anywhere().await.unwrap();
            let gateway_address = gateway.local_addr().unwrap();
            shared.with(|model| model.gateway_url = format!("ws://{gateway_address}"));
            let sockets = Router::new()
                .route("/", any(gateway::connect))
                .with_state(shared.clone());
            tokio::spawn(async move { axum::serve(gateway, sockets).await });
            let listener = anywhere().await.unwrap();
            let address = listener.local_addr().unwrap();
            let listener = TlsListener::new(listener, &credentials, Arc::clone(&strangers)).unwrap();
            let api = Router::new()
                .fallback(rest::answer)
                .layer(DefaultBodyLimit::disable())
                .with_state(shared.clone());
            tokio::spawn(async move { axum::serve(listener, api).await });
            address
        });
        Self {
            shared,
            address,
            ca_pem: credentials.ca_pem,
            strangers,
            runtime: Some(runtime),
        }
    }

    /// What the bot did that it must not do, apart from refusals with codes that the test expects.
    pub fn problems(&self, expected: &[i64]) -> Vec<String> {
        let mut problems = self.shared.with(|model| {
            let mut problems = model.problems.clone();
            let unexpected = model.refusals.iter().filter(|code| !expected.contains(code));
            problems.extend(unexpected.map(|code| format!("a request was refused with {code}")));
            problems
        });
        let strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        problems.extend(
            strangers
                .iter()
                .map(|name| format!("the certificate of {name:?} was asked for")),
        );
        problems
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
