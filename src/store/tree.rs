//! How sled is written: one atomic write, a flush, and an fdatasync.
//!
//! Three facts about sled 0.34 decide how:
//!
//! - Tasks that each write and then wait for a flush of their own deadlock from about eight on. So one thread writes.
//! - A flush ends in `sync_file_range`, which leaves the disk's own cache alone: what it acknowledged can be lost
//!   with the power. An fdatasync has to follow. And sled puts new writes where older ones were replaced as soon as it has
//!   flushed what replaced them, so before that fdatasync the loss of power could take the one without the other: the
//!   next write waits for it.
//! - Writes don't group by themselves: 32 of them and a flush cost five times as much as the same 32 in one.
//!
//! All spaces lie in one tree, told apart by the first byte of the key, so that many changes are one `apply_batch`: sled
//! writes a manifest in front of a batch, and recovers it whole or not at all. A transaction over one tree a space
//! would be as safe and takes about twice as long.
//!
//! sled puts nodes larger than a quarter of a segment into files of their own and syncs neither them nor their
//! directory, so that is done here, too.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use super::below::{Below, Delta, deletion_key, reading};
use super::committer::WriteError;
use super::error::StoreError;
use super::files::set_mode;
use super::layout::StorePaths;
use super::settled::Runs;
use super::tables::RowTable;
use super::totals::Totals;
use crate::matches::port::{Fault, Space};

/// How many bytes of rows sled is given at once. Until it has written them it keeps every version of every node that
/// they touch in memory, which is many times as much.
const PORTION: usize = 128 << 10;

/// Where sled notes the newest run at the time when its files were made. Without that run the store is not whole.
const NEWEST_RUN: &[u8] = &[0xFF, 0x01];

/// The tree on disk, for the one who writes it, over the runs below it.
#[derive(Debug)]
pub(super) struct SledTree {
    sled: ::sled::Db,
    totals: Totals,
    /// The file of the tree, for fdatasync.
    file: File,
    blobs: Blobs,
    pub(super) runs: Runs,
}

/// A key in the one tree.
pub(super) fn full_key(space: Space, key: &[u8]) -> Vec<u8> {
    let mut full = Vec::with_capacity(key.len() + 1);
    full.push(space as u8);
    full.extend_from_slice(key);
    full
}

/// The totals that sled holds.
pub(super) fn totals(sled: &::sled::Db) -> Result<Totals, Fault> {
    let value = sled.get(Totals::KEY).map_err(reading)?;
    value
        .and_then(|value| Totals::from_bytes(&value))
        .ok_or_else(|| Fault::new("reading the store", "the totals of its rows are missing"))
}

/// Whether the runs are those over which sled's files were written, or newer ones.
pub(super) fn fits(sled: &::sled::Db, runs: &Runs) -> Result<bool, Fault> {
    let noted = sled.get(NEWEST_RUN).map_err(reading)?;
    let noted = noted.and_then(|value| value[..].try_into().ok().map(u64::from_be_bytes));
    Ok(noted.is_none_or(|noted| noted <= runs.newest()))
}

impl SledTree {
    /// Takes over the writing of a tree.
    pub(super) fn new(sled: ::sled::Db, runs: Runs, layout: &StorePaths) -> Result<Self, StoreError> {
        let opening = |error| StoreError::io("opening", &layout.database)(error);
        Ok(Self {
            totals: totals(&sled).map_err(StoreError::fault(&layout.root))?,
            sled,
            file: File::open(&layout.database).map_err(opening)?,
            blobs: Blobs::new(layout.blobs.clone()).map_err(opening)?,
            runs,
        })
    }

    /// Makes sled's first notes in files that are new: everything up to a group is in the runs.
    pub(super) fn begin(sled: &::sled::Db, groups: u64, runs: &Runs) -> ::sled::Result<()> {
        let totals = Totals {
            groups,
            ..Totals::default()
        };
        let mut batch = ::sled::Batch::default();
        batch.insert(Totals::KEY, &totals.to_bytes());
        batch.insert(NEWEST_RUN, &runs.newest().to_be_bytes());
        sled.apply_batch(batch)?;
        sled.flush()?;
        Ok(())
    }

    /// The number of the last group in it.
    pub(super) const fn groups(&self) -> u64 {
        self.totals.groups
    }

    /// What it holds, counted.
    pub(super) const fn totals(&self) -> Totals {
        self.totals
    }

    /// How many rows sled holds, and deletions.
    pub(super) const fn rows(&self) -> u64 {
        self.totals.rows
    }

    pub(super) const fn sled(&self) -> &::sled::Db {
        &self.sled
    }

    /// The same for reading.
    pub(super) fn below(&self) -> Below {
        Below {
            delta: Delta::Sled(self.sled.clone()),
            runs: self.runs.clone(),
        }
    }

    /// Writes what all groups up to a number have changed. It is on disk when this returns. If it is cut off, some of the
    /// rows are there, and the number is as it was: writing the same again mends that.
    pub(super) fn write(&mut self, table: &RowTable, groups: u64) -> Result<(), WriteError> {
        self.write_in_portions(table, groups, PORTION)
    }

    /// Writes one more group, all or nothing.
    pub(super) fn write_at_once(&mut self, table: &RowTable) -> Result<(), WriteError> {
        self.write_in_portions(table, self.groups() + 1, usize::MAX)
    }

    fn write_in_portions(&mut self, table: &RowTable, groups: u64, enough: usize) -> Result<(), WriteError> {
        let mut portion = Portion::new(self.totals);
        for (key, value) in table {
            if portion.bytes >= enough {
                self.apply(&mut portion)?;
            }
            self.change(&mut portion, key, value.as_deref())?;
        }
        portion.totals.groups = groups;
        self.apply(&mut portion)
    }

    /// Puts a row, or deletes it. A deleted row that a run holds is noted as deleted; so is one of which that can't be read, since
    /// a note too many does no harm, and one damaged block of a run must not keep everything else from being saved.
    fn change(&self, portion: &mut Portion, key: &[u8], value: Option<&[u8]>) -> Result<(), WriteError> {
        portion.add(key, value, self.sled.get(key)?.as_deref());
        if !self.runs.is_empty() {
            let deletion = deletion_key(key);
            let noted = self.sled.contains_key(&deletion)?;
            let needed = value.is_none() && self.runs.holds(key).unwrap_or(true);
            if noted != needed {
                portion.add(&deletion, needed.then_some(&[]), noted.then_some(&[]));
            }
        }
        Ok(())
    }

    fn apply(&mut self, portion: &mut Portion) -> Result<(), WriteError> {
        self.sled.apply_batch(portion.take())?;
        self.sled.flush()?;
        self.blobs.sync()?;
        self.file.sync_data()?;
        self.totals = portion.totals;
        Ok(())
    }
}
/// Rows that sled writes at once, and the totals after them.
pub(super) struct Portion {
    batch: ::sled::Batch,
    pub(super) bytes: usize,
    totals: Totals,
}

impl Portion {
    pub(super) fn new(totals: Totals) -> Self {
        Self {
            batch: ::sled::Batch::default(),
            bytes: 0,
            totals,
        }
    }

    /// What is to be written now, with the totals; the next rows begin a new portion.
    pub(super) fn take(&mut self) -> ::sled::Batch {
        self.batch.insert(Totals::KEY, &self.totals.to_bytes());
        self.bytes = 0;
        std::mem::take(&mut self.batch)
    }

    /// Puts a row, or deletes it; `old` is what sled holds of it.
    pub(super) fn add(&mut self, key: &[u8], value: Option<&[u8]>, old: Option<&[u8]>) {
        if let Some(old) = old {
            self.totals.take(key, old);
        }
        match value {
            Some(value) => {
                self.totals.add(key, value);
                self.bytes += key.len() + value.len();
                self.batch.insert(key, value);
            }
            None if old.is_some() => {
                self.bytes += key.len();
                self.batch.remove(key);
            }
            None => {}
        }
    }
}

/// The directory of nodes that were too large for the log.
#[derive(Debug)]
struct Blobs {
    path: PathBuf,
    /// Those that are on disk.
    synced: BTreeSet<OsString>,
}

impl Blobs {
    fn new(path: PathBuf) -> io::Result<Self> {
        let mut blobs = Self {
            path,
            synced: BTreeSet::new(),
        };
        blobs.sync()?;
        Ok(blobs)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut present = BTreeSet::new();
        let mut changed = false;
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name();
            if !self.synced.contains(&name) {
                let path = self.path.join(&name);
                match File::open(&path) {
                    Ok(file) => {
                        set_mode(&path, &file.metadata()?, 0o600)?;
                        file.sync_data()?;
                    }
                    // sled removes nodes that are replaced.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
                changed = true;
            }
            present.insert(name);
        }
        if changed {
            File::open(&self.path)?.sync_all()?;
        }
        self.synced = present;
        Ok(())
    }
}
