//! What the committer does with a group: into the journal, and behind it, many groups at a time, into sled. That second step
//! is a checkpoint.
//!
//! A row that is written often between two checkpoints, such as a match that is being played or a delivery that is
//! made at once, costs sled one write or none. sled 0.34 takes long over a write, so this is several times as fast.

use std::path::PathBuf;
use std::sync::Arc;

use super::below::Delta;
use super::committer::{Disk, WriteError, WriterRequest};
use super::error::StoreError;
use super::journal::{self, Journal};
use super::keeper::{Checkpoint, Keeper};
use super::layout::{Progress, StorePaths, Watermark};
use super::tables::{SharedTables, row};
use super::{seal, sled_files};
use crate::matches::port::{Fault, Write};

/// Writes groups to the journal and has sled catch up.
#[derive(Debug)]
pub(super) struct Writer {
    layout: StorePaths,
    journal: Journal,
    /// Files of the journal that were left after a fault, with groups that sled has not been given yet.
    abandoned: Vec<PathBuf>,
    tables: SharedTables,
    /// How many groups were written, over all time.
    groups: u64,
    watermark: Watermark,
    format: u32,
    /// The length of the journal at which sled takes it over.
    journal_limit: u64,
    keeper: Keeper,
}

impl Writer {
    /// Starts with an empty journal over a tree that holds everything up to a mark.
    pub(super) fn start(
        layout: &StorePaths,
        mark: Progress,
        tables: SharedTables,
        keeper: Keeper,
        journal_limit: u64,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            layout: layout.clone(),
            watermark: Watermark::set(layout, mark)?,
            journal: Journal::begin(&layout.journal, mark.groups + 1)?,
            abandoned: Vec::new(),
            tables,
            groups: mark.groups,
            format: mark.format,
            journal_limit,
            keeper,
        })
    }

    /// Hands over to sled what the journal holds, and begins the next file.
    fn checkpoint(&mut self) -> Result<(), WriteError> {
        let mut journal = std::mem::take(&mut self.abandoned);
        if self.journal.length() > 0 {
            match self.journal.rotate(self.groups + 1) {
                Ok(file) => journal.push(file),
                Err(error) => {
                    self.abandoned = journal;
                    return Err(error.into());
                }
            }
        }
        let table = {
            let mut tables = self.tables.write();
            let table = Arc::new(std::mem::take(&mut tables.recent));
            tables.waiting.push_front(Arc::clone(&table));
            table
        };
        self.keeper.begin(Checkpoint {
            table,
            groups: self.groups,
            journal,
        })
    }

    fn checkpoint_if_needed(&mut self) -> Result<(), WriteError> {
        if self.journal.length() > 0 || !self.abandoned.is_empty() {
            self.checkpoint()?;
        }
        Ok(())
    }
}

impl Disk for Writer {
    fn write(&mut self, group: Vec<Write>) -> Result<(), WriteError> {
        self.keeper.check()?;
        // Before the group is written: once it is, it counts as saved, whatever happens to a checkpoint.
        if self.journal.length() >= self.journal_limit {
            self.checkpoint()?;
        }
        let number = self.groups + 1;
        self.journal.append(number, &group)?;
        self.watermark.raise(number)?;
        self.groups = number;
        self.tables.write().recent.extend(group.into_iter().map(row));
        Ok(())
    }

    fn recover(&mut self) -> Result<(), WriteError> {
        self.keeper.retry()?;
        let number = self.groups + 1;
        self.abandoned.extend(self.journal.abandon(number)?);
        self.watermark = Watermark::set(
            &self.layout,
            Progress {
                format: self.format,
                groups: self.groups,
            },
        )?;
        // An empty group shows that it works.
        self.journal.append(number, &[])?;
        self.watermark.raise(number)?;
        self.groups = number;
        Ok(())
    }

    fn ask(&mut self, request: WriterRequest) {
        let ready = self.checkpoint_if_needed();
        let refused = |error: WriteError| {
            let fault = Fault::new("saving to the store", error);
            StoreError::fault(&self.layout.root)(fault)
        };
        // Whoever has stopped waiting needs no answer.
        match (request, ready) {
            (WriterRequest::Settle(reply), Ok(())) => self.keeper.settle(reply),
            (WriterRequest::Compact(reply), Ok(())) => self.keeper.compact(reply),
            (WriterRequest::Settle(reply), Err(error)) => _ = reply.send(Err(refused(error))),
            (WriterRequest::Compact(reply), Err(error)) => _ = reply.send(Err(refused(error))),
        }
    }

    /// Has sled take up everything, so that no journal is left, lets it settle, and seals the files.
    fn finish(mut self) -> Result<(), WriteError> {
        self.checkpoint_if_needed()?;
        self.keeper.wait()?;
        self.keeper.rest()?;
        let Self {
            layout,
            tables,
            keeper,
            ..
        } = self;
        drop(keeper);
        let before = std::mem::replace(&mut tables.write().below.delta, Delta::Away);
        drop(before);
        journal::clear(&layout)?;
        sled_files::wait_until_closed(&layout.sled)?;
        Ok(seal::write(&layout)?)
    }
}
