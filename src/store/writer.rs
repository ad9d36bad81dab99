//! What the committer does with a group: into the journal, and behind it, many groups at a time, into sled. That second step
//! is a checkpoint.
//!
//! A row that is written often between two checkpoints, such as a match that is being played or a delivery that is
//! made at once, costs sled one write or none. sled 0.34 takes long over a write and never gives back all that it took
//! from the disk, so this is several times as fast, and a store stays small.
//!
//! If sled falls behind, the next checkpoint waits for it, so that memory and journal stay bounded.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};

use super::committer::{Disk, WriteError};
use super::error::StoreError;
use super::journal::{self, Journal};
use super::layout::{Layout, Watermark};
use super::tables::{SharedTables, Table, row};
use super::tree::Tree;
use crate::matches::port::Write;

/// Writes groups to the journal and has sled catch up.
#[derive(Debug)]
pub(super) struct Writer {
    layout: Layout,
    journal: Journal,
    tables: SharedTables,
    /// How many groups were written, over all time.
    groups: u64,
    watermark: Watermark,
    /// The length of the journal at which sled takes it over.
    journal_limit: u64,
    checkpointer: Checkpointer,
}

impl Writer {
    /// Starts with an empty journal over a tree that holds everything.
    pub(super) fn start(
        layout: &Layout,
        tree: Tree,
        tables: SharedTables,
        watermark: Watermark,
        journal_limit: u64,
    ) -> Result<Self, StoreError> {
        let groups = tree.groups();
        Ok(Self {
            layout: layout.clone(),
            journal: Journal::begin(&layout.journal, groups + 1)?,
            tables: tables.clone(),
            groups,
            watermark,
            journal_limit,
            checkpointer: Checkpointer::start(tree, tables)
                .map_err(StoreError::io("starting the writer of", &layout.root))?,
        })
    }

    /// Hands over to sled what the journal holds, and begins the next file.
    fn checkpoint(&mut self) -> Result<(), WriteError> {
        self.checkpointer.wait()?;
        let journal = self.journal.rotate(self.groups + 1)?;
        let table = {
            let mut tables = self.tables.write();
            let table = Arc::new(std::mem::take(&mut tables.recent));
            tables.checkpointing = Some(Arc::clone(&table));
            table
        };
        self.checkpointer.begin(Checkpoint {
            table,
            groups: self.groups,
            journal,
        })
    }
}

impl Disk for Writer {
    fn write(&mut self, group: Vec<Write>) -> Result<(), WriteError> {
        self.checkpointer.check()?;
        let number = self.groups + 1;
        self.journal.append(number, &group)?;
        self.watermark.raise(number)?;
        self.groups = number;
        self.tables.write().recent.extend(group.into_iter().map(row));
        if self.journal.length() >= self.journal_limit {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Has sled take up everything, so that no journal is left.
    fn finish(mut self) -> Result<(), WriteError> {
        if self.journal.length() > 0 {
            self.checkpoint()?;
        }
        self.checkpointer.wait()?;
        journal::clear(&self.layout)?;
        Ok(())
    }
}

/// The thread in which sled catches up.
#[derive(Debug)]
struct Checkpointer {
    /// Nothing once it is to end.
    work: Option<Sender<Checkpoint>>,
    done: Receiver<Result<(), WriteError>>,
    busy: bool,
    thread: Option<JoinHandle<()>>,
}

/// A table for sled, with all groups up to a number, and the file that is not needed after that.
#[derive(Debug)]
struct Checkpoint {
    table: Arc<Table>,
    groups: u64,
    journal: PathBuf,
}

impl Checkpoint {
    fn write(self, tree: &mut Tree, tables: &SharedTables) -> Result<(), WriteError> {
        tree.write(&self.table, self.groups)?;
        tables.write().checkpointing = None;
        Ok(journal::remove(&self.journal)?)
    }
}

impl Checkpointer {
    fn start(mut tree: Tree, tables: SharedTables) -> std::io::Result<Self> {
        let (work, waiting) = channel::<Checkpoint>();
        let (tell, done) = channel();
        let thread = Builder::new().name("store-checkpointer".into()).spawn(move || {
            for checkpoint in waiting {
                // Nobody listens only after a fault, which has been told then.
                _ = tell.send(checkpoint.write(&mut tree, &tables));
            }
        })?;
        Ok(Self {
            work: Some(work),
            done,
            busy: false,
            thread: Some(thread),
        })
    }

    fn begin(&mut self, checkpoint: Checkpoint) -> Result<(), WriteError> {
        let sent = self.work.as_ref().map(|work| work.send(checkpoint));
        self.busy = true;
        sent.and_then(Result::ok).ok_or_else(stopped)
    }

    /// Whether all is well, without waiting.
    fn check(&mut self) -> Result<(), WriteError> {
        match self.done.try_recv() {
            Ok(written) => {
                self.busy = false;
                written
            }
            Err(TryRecvError::Empty) => Ok(()),
            Err(TryRecvError::Disconnected) => Err(stopped()),
        }
    }

    /// Waits until sled has caught up.
    fn wait(&mut self) -> Result<(), WriteError> {
        if !self.busy {
            return Ok(());
        }
        self.busy = false;
        self.done.recv().unwrap_or_else(|_| Err(stopped()))
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        drop(self.work.take());
        // A panic there has been noticed as silence.
        _ = self.thread.take().map(JoinHandle::join);
    }
}

fn stopped() -> WriteError {
    "the thread that writes to sled has stopped".into()
}
