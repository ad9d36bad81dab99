//! The thread that keeps sled, seen from outside: work is handed to it, and what came of it is heard. What it does is
//! [`super::upkeep`].

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};

use super::committer::WriteError;
use super::error::StoreError;
use super::layout::StorePaths;
use super::run::Run;
use super::settle::Stop;
use super::settled::Runs;
use super::sled::SledOptions;
use super::tables::{RowTable, SharedTables};
use super::tree::SledTree;
use super::upkeep::{Upkeep, Wiring};

/// How many tables may wait for sled before the next one waits for it, so that memory and journal stay bounded.
const MOST_WAITING: usize = 16;

/// Who is told when a work is done.
pub(super) type Waiter<T> = Sender<Result<T, StoreError>>;

/// A table for sled, with all groups up to a number, and the files of the journal that are not needed after that.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) table: Arc<RowTable>,
    pub(super) groups: u64,
    pub(super) journal: Vec<PathBuf>,
}

/// What the thread can be asked for.
#[derive(Debug)]
pub(super) enum Work {
    /// See whether anything is due.
    Look,
    Checkpoint(Checkpoint),
    /// Try again what has failed.
    Retry(Waiter<()>),
    /// Let everything settle; the answer is all of it.
    Settle(Waiter<Runs>),
    /// Let everything settle, and merge all runs.
    Compact(Waiter<()>),
    /// Let rows settle though sled is not large yet: nobody else wants anything, or the store is about to be closed.
    Rest(Option<Waiter<()>>),
    /// A merge has ended.
    Merged {
        of: Vec<u64>,
        run: Result<Option<Run>, StoreError>,
    },
    Close,
}

/// Hands work to the thread. Dropping it waits until that has ended.
#[derive(Debug)]
pub(super) struct Keeper {
    work: Sender<Work>,
    /// A message for each checkpoint that was made, or could not be.
    done: Receiver<Result<(), String>>,
    waiting: usize,
    /// Why the last checkpoint could not be made.
    fault: Option<String>,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(super) fn start(
        layout: &StorePaths,
        settings: &SledOptions,
        tree: SledTree,
        tables: SharedTables,
        compactions: Arc<AtomicU64>,
    ) -> std::io::Result<Self> {
        let (work, waiting) = channel();
        let (tell, done) = channel();
        let stop = Stop::default();
        let wiring = Wiring {
            tell,
            back: work.clone(),
            stop: Arc::clone(&stop),
            compactions,
        };
        let upkeep = Upkeep::new(layout, settings, tree, tables, wiring);
        let thread = Builder::new()
            .name("store-keeper".into())
            .spawn(move || upkeep.work(&waiting))?;
        Ok(Self {
            work,
            done,
            waiting: 0,
            fault: None,
            stop,
            thread: Some(thread),
        })
    }

    /// Hands over a table. It waits only if many are waiting already.
    pub(super) fn begin(&mut self, checkpoint: Checkpoint) -> Result<(), WriteError> {
        self.waiting += 1;
        self.work
            .send(Work::Checkpoint(checkpoint))
            .map_err(|_| stopped())?;
        while self.waiting > MOST_WAITING {
            let told = self.done.recv().map_err(|_| stopped())?;
            self.hear(told)?;
        }
        Ok(())
    }

    /// Whether all is well, without waiting.
    pub(super) fn check(&mut self) -> Result<(), WriteError> {
        loop {
            match self.done.try_recv() {
                Ok(told) => self.hear(told)?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(stopped()),
            }
        }
        self.fault.clone().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Waits until sled has caught up.
    pub(super) fn wait(&mut self) -> Result<(), WriteError> {
        self.check()?;
        while self.waiting > 0 {
            let told = self.done.recv().map_err(|_| stopped())?;
            self.hear(told)?;
        }
        Ok(())
    }

    /// Tries again what has failed.
    pub(super) fn retry(&mut self) -> Result<(), WriteError> {
        let (reply, answer) = channel();
        self.work.send(Work::Retry(reply)).map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())??;
        self.fault = None;
        self.check()
    }

    pub(super) fn settle(&self, reply: Waiter<Runs>) {
        // Nobody answers only if the thread is gone, which the one who waits is told then.
        _ = self.work.send(Work::Settle(reply));
    }

    /// Lets rows settle before the store is closed, and waits for it. What can't settle now will later.
    pub(super) fn rest(&mut self) -> Result<(), WriteError> {
        let (reply, answer) = channel();
        self.work.send(Work::Rest(Some(reply))).map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())??;
        self.check()
    }

    pub(super) fn compact(&self, reply: Waiter<()>) {
        _ = self.work.send(Work::Compact(reply));
    }

    fn hear(&mut self, told: Result<(), String>) -> Result<(), WriteError> {
        match told {
            Ok(()) => {
                self.waiting = self.waiting.saturating_sub(1);
                Ok(())
            }
            Err(fault) => {
                self.fault = Some(fault.clone());
                Err(fault.into())
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        _ = self.work.send(Work::Close);
        // A panic there has been noticed as silence.
        _ = self.thread.take().map(JoinHandle::join);
    }
}

fn stopped() -> WriteError {
    "the thread that writes to sled has stopped".into()
}
