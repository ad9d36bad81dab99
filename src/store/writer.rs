//! What the committer does with a group: into the journal, and behind it, many groups at a time, into sled.
//!
//! A row that is written often between two of sled's turns, such as a match that is being played or a delivery that is
//! made at once, costs sled one write or none. sled 0.34 takes long over a write and never gives back all that it took
//! from the disk, so this is several times as fast, and a store stays small.
//!
//! If sled falls behind, the next turn waits for it, so that memory and journal stay bounded.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, JoinHandle};

use super::committer::{Disk, Trouble};
use super::disk::Tree;
use super::error::StoreError;
use super::journal::{self, Journal};
use super::layout::{Layout, Watermark};
use super::tables::{Shared, Table, row};
use crate::matches::port::Write;

/// Writes groups to the journal and has sled catch up.
#[derive(Debug)]
pub(super) struct Scribe {
    layout: Layout,
    journal: Journal,
    tables: Shared,
    /// How many groups were written, over all time.
    groups: u64,
    watermark: Watermark,
    /// The length of the journal at which sled takes it over.
    enough: u64,
    settler: Settler,
}

impl Scribe {
    /// Starts with an empty journal over a tree that holds everything.
    pub(super) fn start(
        layout: &Layout,
        tree: Tree,
        tables: Shared,
        watermark: Watermark,
        enough: u64,
    ) -> Result<Self, StoreError> {
        let groups = tree.groups();
        Ok(Self {
            layout: layout.clone(),
            journal: Journal::begin(&layout.journal(), groups + 1)?,
            tables: tables.clone(),
            groups,
            watermark,
            enough,
            settler: Settler::start(tree, tables)
                .map_err(StoreError::io("starting the writer of", layout.root()))?,
        })
    }

    /// Hands over to sled what the journal holds, and begins the next file.
    fn turn_over(&mut self) -> Result<(), Trouble> {
        self.settler.wait()?;
        let journal = self.journal.turn_over(self.groups + 1)?;
        let table = {
            let mut tables = self.tables.write();
            let table = Arc::new(std::mem::take(&mut tables.fresh));
            tables.settling = Some(Arc::clone(&table));
            table
        };
        self.settler.settle(Work {
            table,
            groups: self.groups,
            journal,
        })
    }
}

impl Disk for Scribe {
    fn write(&mut self, group: Vec<Write>) -> Result<(), Trouble> {
        self.settler.look()?;
        let number = self.groups + 1;
        self.journal.append(number, &group)?;
        self.watermark.raise(number)?;
        self.groups = number;
        self.tables.write().fresh.extend(group.into_iter().map(row));
        if self.journal.length() >= self.enough {
            self.turn_over()?;
        }
        Ok(())
    }

    /// Has sled take up everything, so that no journal is left.
    fn finish(mut self) -> Result<(), Trouble> {
        if self.journal.length() > 0 {
            self.turn_over()?;
        }
        self.settler.wait()?;
        journal::clear(&self.layout)?;
        Ok(())
    }
}

/// The thread in which sled catches up.
#[derive(Debug)]
struct Settler {
    /// Nothing once it is to end.
    work: Option<Sender<Work>>,
    done: Receiver<Result<(), Trouble>>,
    busy: bool,
    thread: Option<JoinHandle<()>>,
}

/// A table for sled, with all groups up to a number, and the file that is not needed after that.
#[derive(Debug)]
struct Work {
    table: Arc<Table>,
    groups: u64,
    journal: PathBuf,
}

impl Settler {
    fn start(mut tree: Tree, tables: Shared) -> std::io::Result<Self> {
        let (work, waiting) = channel::<Work>();
        let (tell, done) = channel();
        let thread = Builder::new().name("store-settler".into()).spawn(move || {
            for work in waiting {
                let settled = settle(&mut tree, &tables, work);
                // Nobody listens only after a fault, which has been told then.
                _ = tell.send(settled);
            }
        })?;
        Ok(Self {
            work: Some(work),
            done,
            busy: false,
            thread: Some(thread),
        })
    }

    fn settle(&mut self, work: Work) -> Result<(), Trouble> {
        let sent = self.work.as_ref().map(|sender| sender.send(work));
        self.busy = true;
        sent.and_then(Result::ok).ok_or_else(stopped)
    }

    /// Whether all is well, without waiting.
    fn look(&mut self) -> Result<(), Trouble> {
        match self.done.try_recv() {
            Ok(settled) => {
                self.busy = false;
                settled
            }
            Err(TryRecvError::Empty) => Ok(()),
            Err(TryRecvError::Disconnected) => Err(stopped()),
        }
    }

    /// Waits until sled has caught up.
    fn wait(&mut self) -> Result<(), Trouble> {
        if !self.busy {
            return Ok(());
        }
        self.busy = false;
        self.done.recv().unwrap_or_else(|_| Err(stopped()))
    }
}

impl Drop for Settler {
    fn drop(&mut self) {
        drop(self.work.take());
        // A panic there has been noticed as silence.
        _ = self.thread.take().map(JoinHandle::join);
    }
}

fn stopped() -> Trouble {
    "the thread that writes to sled has stopped".into()
}

fn settle(tree: &mut Tree, tables: &Shared, work: Work) -> Result<(), Trouble> {
    let Work {
        table,
        groups,
        journal,
    } = work;
    tree.write(&table, groups)?;
    tables.write().settling = None;
    journal::forget(&journal)?;
    Ok(())
}
