//! An adapter at work: what the program that starts it needs to know of it.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::outbox::Postman;

/// A platform that has been reached.
pub struct Link {
    /// What the operator calls it.
    pub name: &'static str,
    /// Who brings deliveries there.
    pub postman: Arc<dyn Postman>,
    /// Listens until it is told to stop; ends sooner only if the platform will have us no longer.
    pub listening: JoinHandle<Result<(), LinkError>>,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Link").field(&self.name).finish()
    }
}

/// Why a platform can't be reached and trying again is no use: one line for the operator, without
/// secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LinkError(pub String);

/// The word to stop. Every adapter has a copy.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<bool>);

/// Says the word to stop.
#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    pub fn new() -> (Self, StopSignal) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), StopSignal(receiver))
    }

    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl StopSignal {
    /// Ready when it is time to stop.
    pub fn told(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut word = self.0.clone();
        async move {
            // An error means that nobody can tell us any more, which is as good as being told.
            let _ = word.wait_for(|stop| *stop).await;
        }
    }
}
