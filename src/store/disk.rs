//! What the committer does to sled: one atomic write, a flush, and an fdatasync.
//!
//! All spaces lie in one tree, told apart by the first byte of the key, so that a group is one `apply_batch`: sled
//! writes a manifest in front of a batch, and recovers it whole or not at all. A transaction over one tree a space
//! would be as safe and takes about twice as long.
//!
//! sled puts nodes larger than a quarter of a segment into files of their own and syncs neither them nor their
//! directory, so that is done here, too.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use super::committer::{Disk, Trouble};
use super::error::StoreError;
use super::layout::{Layout, Mark, Watermark};
use super::tally::Tally;
use crate::matches::port::{Space, Write};

/// The tree on disk, for the one who writes it.
#[derive(Debug)]
pub(super) struct Tree {
    tree: ::sled::Tree,
    tally: Tally,
    /// Held while a group is applied, so that no scan sees half of it.
    whole: Arc<RwLock<()>>,
    /// The file of the tree, for fdatasync.
    file: File,
    blobs: Blobs,
    watermark: Watermark,
}

/// A key in the one tree.
pub(super) fn full(space: Space, key: &[u8]) -> Vec<u8> {
    let mut full = Vec::with_capacity(key.len() + 1);
    full.push(space as u8);
    full.extend_from_slice(key);
    full
}

impl Tree {
    /// Takes over the writing of a tree whose rows add up to a tally.
    pub(super) fn new(
        tree: ::sled::Tree,
        tally: Tally,
        whole: Arc<RwLock<()>>,
        layout: &Layout,
        watermark: Watermark,
    ) -> io::Result<Self> {
        Ok(Self {
            tree,
            tally,
            whole,
            file: File::open(layout.database())?,
            blobs: Blobs::new(layout.blobs())?,
            watermark,
        })
    }

    /// Notes a new format outside of sled, too.
    pub(super) fn note_format(&mut self, layout: &Layout, format: u32) -> Result<(), StoreError> {
        let groups = self.tally.groups;
        self.watermark = Watermark::set(layout, Mark { format, groups })?;
        Ok(())
    }
}

impl Disk for Tree {
    fn write(&mut self, group: Vec<Write>) -> Result<(), Trouble> {
        // Of two writes to one key the later one holds.
        let mut last = BTreeMap::new();
        for write in group {
            match write {
                Write::Put { space, key, value } => last.insert(full(space, &key), Some(value)),
                Write::Delete { space, key } => last.insert(full(space, &key), None),
            };
        }
        let mut batch = ::sled::Batch::default();
        let mut tally = self.tally;
        tally.groups += 1;
        for (key, value) in last {
            let old = self.tree.get(&key)?;
            if let Some(old) = &old {
                tally.take(&key, old);
            }
            match value {
                Some(value) => {
                    tally.add(&key, &value);
                    batch.insert(key, value);
                }
                None if old.is_some() => batch.remove(key),
                None => {}
            }
        }
        batch.insert(Tally::KEY, &tally.to_bytes());
        {
            let _whole = self.whole.write().unwrap_or_else(PoisonError::into_inner);
            self.tree.apply_batch(batch)?;
        }
        self.tree.flush()?;
        self.blobs.sync()?;
        self.file.sync_data()?;
        self.tally = tally;
        self.watermark.raise(tally.groups)?;
        Ok(())
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
                match File::open(self.path.join(&name)) {
                    Ok(file) => file.sync_data()?,
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
