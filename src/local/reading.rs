//! Reading much at once: off the async threads, a few readers at a time, and each reader one page after the other.
//!
//! A page of messages is some hundred rows to find, decode and write as JSON. Whoever asks for page after page must
//! not make those wait who ask for something small.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Semaphore;

use crate::matches::people::PlayerId;
use crate::matches::port::Fault;

/// Who reads: a guest, or somebody without a name at an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReaderId {
    Guest(PlayerId),
    Address(IpAddr),
}

/// Past so many readers those who have gone are forgotten.
const MOST_READERS: usize = 1000;

/// Who reads how much of the history at once.
#[derive(Debug)]
pub struct HistoryReaders {
    threads: Semaphore,
    /// Each reader waits for a thread once, however much they ask for.
    readers: Mutex<HashMap<ReaderId, Weak<Semaphore>>>,
}

impl HistoryReaders {
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            threads: Semaphore::new((cores / 2).max(1)),
            readers: Mutex::default(),
        }
    }

    /// Reads on a thread of its own, when it is this reader's turn.
    pub async fn read<T: Send + 'static>(
        &self,
        reader: ReaderId,
        read: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let own = self.turns_of(reader);
        let closed = |error| Fault::new("waiting for a turn to read", error);
        let _turn = own.acquire().await.map_err(closed)?;
        let _thread = self.threads.acquire().await.map_err(closed)?;
        let done = tokio::task::spawn_blocking(read).await;
        done.map_err(|error| Fault::new("reading messages", error))?
    }

    fn turns_of(&self, reader: ReaderId) -> Arc<Semaphore> {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = readers.get(&reader).and_then(Weak::upgrade) {
            return turns;
        }
        if readers.len() >= MOST_READERS {
            readers.retain(|_, turns| turns.strong_count() > 0);
        }
        let turns = Arc::new(Semaphore::new(1));
        readers.insert(reader, Arc::downgrade(&turns));
        turns
    }
}
