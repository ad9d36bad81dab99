//! The store on disk.

use std::fs::{self, File};
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::backup;
use super::committer::Committer;
use super::error::StoreError;
use super::journal::{self, Pending};
use super::layout::{Found, Layout, Mark, Watermark, clear, sync_directory, sync_parent};
use super::migrate::{self, FORMAT_KEY, MIGRATIONS, Migration, Rows, latest};
use super::recovery::Recovered;
use super::tables::{SharedTables, row};
use super::totals::Totals;
use super::tree::{Portion, Tree, full_key};
use super::writer::Writer;
use super::{recovery, seal};
use crate::matches::port::{Batch, Fault, Row, Saving, Space, Store};

/// The store on disk. It is closed by [`close`](Self::close), which tells of faults, or by dropping it.
///
/// Reads see what is on disk, a moment before it is acknowledged. One scan sees every batch whole or not at all.
pub struct SledStore {
    // Dropped in this order, which is the order in which a store is closed: the committer waits for what is under way, sled
    // lets go of its files, they are sealed, and the lock ends.
    committer: Committer,
    tree: Reader,
    sealer: Sealer,
}

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct SledOptions {
    /// How much sled may keep in memory. It keeps to it only roughly.
    pub cache: NonZeroU64,
    /// How long the journal grows, in bytes, before sled takes it over.
    pub journal: u64,
    /// The steps from format 1 to the present.
    pub migrations: &'static [Migration],
}

impl Default for SledOptions {
    fn default() -> Self {
        Self {
            cache: NonZeroU64::new(32 << 20).unwrap_or(NonZeroU64::MIN),
            journal: 4 << 20,
            migrations: MIGRATIONS,
        }
    }
}

impl SledStore {
    /// Opens the store in a directory, or makes one there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, &SledOptions::default())
    }

    pub fn open_with(path: &Path, settings: &SledOptions) -> Result<Self, StoreError> {
        let layout = Layout::new(path);
        layout.look()?;
        layout.make()?;
        let lock = layout.lock()?;
        // Another process may have made a store since the first look.
        match layout.look()? {
            Found::Nothing => {
                let format = latest(settings.migrations);
                create(&layout, settings, format, |store| {
                    store.put(full_key(Space::Meta, FORMAT_KEY), migrate::format_value(format))
                })?;
            }
            Found::Store => {}
        }
        Self::open_existing(layout, lock, settings)
    }

    fn open_existing(layout: Layout, lock: File, settings: &SledOptions) -> Result<Self, StoreError> {
        let newest = latest(settings.migrations);
        let newer = |found| StoreError::Newer {
            path: layout.root.clone(),
            found,
            known: newest,
        };
        let mark = Mark::read(&layout)?;
        if mark.format > newest {
            return Err(newer(mark.format));
        }
        let pending = if seal::verify(&layout)? {
            if let Some(name) = journal::files(&layout)?.into_keys().next() {
                let what = format!("a file `journal/{name}` has been added to it");
                return Err(StoreError::damaged(&layout.root, what));
            }
            recovery::may_write(&layout)?;
            seal::remove(&layout)?;
            Pending::default()
        } else {
            let Recovered { format, pending } = recovery::recover_a_copy(&layout, mark, settings)?;
            if format > newest {
                return Err(newer(format));
            }
            pending
        };
        let fault = |cause| StoreError::fault(&layout.root)(cause);
        let reader =
            Reader::open(&layout.sled, settings).map_err(|what| StoreError::damaged(&layout.root, what))?;
        let totals = reader.totals().map_err(fault)?;
        let mut format = reader
            .format()
            .map_err(fault)?
            .ok_or_else(|| StoreError::damaged(&layout.root, "it has no format"))?;
        if format > newest {
            return Err(newer(format));
        }
        let mut tree = Tree::new((*reader.tree).clone(), totals, &layout)
            .map_err(StoreError::io("opening", &layout.database))?;
        if let Some(last) = pending.last {
            tree.write(&pending.rows, last)
                .map_err(|cause| fault(Fault::new("taking up the journal", cause)))?;
        }
        journal::clear(&layout)?;
        while let Some((migration, to, batch)) = migrate::step(&reader, format, settings.migrations) {
            let failed = |cause| StoreError::Migration {
                path: layout.root.clone(),
                to,
                title: migration.title,
                cause,
            };
            let table = batch.map_err(failed)?.0.into_iter().map(row).collect();
            tree.write_at_once(&table)
                .map_err(|cause| failed(Fault::new("writing the new format", cause)))?;
            let path = layout.root.display();
            tracing::info!(%path, format = to, title = migration.title, "store: migrated to a new format");
            format = to;
        }
        let groups = tree.groups();
        let watermark = Watermark::set(&layout, Mark { format, groups })?;
        let writer = Writer::start(&layout, tree, reader.tables.clone(), watermark, settings.journal)?;
        let broken = Arc::new(OnceLock::new());
        let committer = Committer::start(writer, &layout.root, Arc::clone(&broken))
            .map_err(StoreError::io("starting the writer of", &layout.root))?;
        Ok(Self {
            committer,
            tree: reader,
            sealer: Sealer {
                layout,
                broken,
                _lock: lock,
                done: false,
            },
        })
    }

    /// Waits until everything is on disk, and closes the store.
    pub fn close(self) -> Result<(), StoreError> {
        let Self {
            mut committer,
            tree,
            mut sealer,
        } = self;
        committer
            .close()
            .map_err(StoreError::fault(&sealer.layout.root))?;
        drop(tree);
        sealer.seal()
    }

    /// Writes all rows to a new file, as they are at one moment. Commits wait meanwhile.
    pub fn backup(&self, file: &Path) -> Result<(), StoreError> {
        let tables = self.tree.tables.read();
        let (first, last) = Totals::COUNTED.into_inner();
        let below = self.tree.tree.range(first..=last);
        let rows = tables.merged_with(&first[..]..=&last[..], below);
        backup::write(file, rows.map(|row| row.map_err(reading)))
    }
}

impl Store for SledStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.tree.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        self.tree.scan(space, range, limit)
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        self.committer.commit(batch)
    }

    fn flush(&self) -> Saving<'_> {
        self.committer.commit(Batch::new())
    }
}

impl std::fmt::Debug for SledStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SledStore")
            .field("path", &self.sealer.layout.root)
            .finish_non_exhaustive()
    }
}

/// Makes a store where none is: first beside its place, with its rows, then moved there. Among the rows has to be
/// the format.
pub(super) fn create(
    layout: &Layout,
    settings: &SledOptions,
    format: u32,
    fill: impl FnOnce(&mut Loader) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let unfinished = &layout.unfinished;
    clear(unfinished)?;
    let Reader { tree, .. } =
        Reader::open(unfinished, settings).map_err(|what| StoreError::damaged(&layout.root, what))?;
    let mut loader = Loader {
        tree,
        path: unfinished.clone(),
        portion: Portion::new(Totals::default()),
    };
    fill(&mut loader)?;
    loader.apply()?;
    drop(loader);
    recovery::wait_for_sled(unfinished)?;
    sync_all(unfinished)?;
    Watermark::set(layout, Mark { format, groups: 0 })?;
    fs::rename(unfinished, &layout.sled).map_err(StoreError::io("renaming", unfinished))?;
    seal::write(layout)?;
    sync_parent(&layout.root)
}

/// Fills a store that nobody uses yet.
pub(super) struct Loader {
    tree: ::sled::Db,
    path: PathBuf,
    portion: Portion,
}

impl Loader {
    /// Puts a row, each key once.
    pub(super) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) -> Result<(), StoreError> {
        self.portion.add(&key, Some(&value), None);
        if self.portion.bytes > 1 << 20 {
            self.apply()?;
        }
        Ok(())
    }

    fn apply(&mut self) -> Result<(), StoreError> {
        self.tree
            .apply_batch(self.portion.take())
            .and_then(|()| self.tree.flush())
            .map_err(|cause| StoreError::fault(&self.path)(Fault::new("filling a new store", cause)))?;
        Ok(())
    }
}

/// Has every file of a directory on disk, and their names.
fn sync_all(directory: &Path) -> Result<(), StoreError> {
    let reading = |error| StoreError::io("syncing", directory)(error);
    for entry in fs::read_dir(directory).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        if path.is_dir() {
            sync_all(&path)?;
        } else {
            File::open(&path)
                .and_then(|file| file.sync_all())
                .map_err(StoreError::io("syncing", &path))?;
        }
    }
    sync_directory(directory)
}

/// sled's tree and what is not in it yet, for reading.
pub(super) struct Reader {
    pub(super) tree: ::sled::Db,
    /// What lies above it.
    tables: SharedTables,
}

impl Reader {
    pub(super) fn open(path: &Path, settings: &SledOptions) -> Result<Self, String> {
        let config = ::sled::Config::new()
            .path(path)
            .cache_capacity(settings.cache.get())
            .use_compression(false)
            .flush_every_ms(None);
        let tree = recovery::catch_panics(|| config.open())
            .map_err(|what| format!("sled can't open it ({what})"))?;
        Ok(Self {
            tree,
            tables: SharedTables::default(),
        })
    }

    pub(super) fn totals(&self) -> Result<Totals, Fault> {
        let value = self.tree.get(Totals::KEY).map_err(reading)?;
        value
            .and_then(|value| Totals::from_bytes(&value))
            .ok_or_else(|| Fault::new("reading the store", "the totals of its rows are missing"))
    }

    /// The format; nothing in a tree without rows.
    pub(super) fn format(&self) -> Result<Option<u32>, Fault> {
        match Rows::get(self, Space::Meta, FORMAT_KEY)? {
            None => Ok(None),
            Some(value) => migrate::read_format(&value)
                .map(Some)
                .ok_or_else(|| Fault::new("reading the store", "its format is no number")),
        }
    }
}

impl Rows for Reader {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let key = full_key(space, key);
        if let Some(known) = self.tables.read().get(&key) {
            return Ok(known.clone());
        }
        let value = self.tree.get(key).map_err(reading)?;
        Ok(value.map(|value| value.to_vec()))
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        // sled's ranges panic when they end before they start.
        if range.start() > range.end() {
            return Ok(Vec::new());
        }
        let (first, last) = (full_key(space, range.start()), full_key(space, range.end()));
        // Held for the length of the scan, so that it sees no half of a group.
        let tables = self.tables.read();
        let below = self.tree.range(&first[..]..=&last[..]);
        tables
            .merged_with(&first..=&last, below)
            .take(limit)
            .map(|row| {
                let (mut key, value) = row.map_err(reading)?;
                key.remove(0);
                Ok((key, value))
            })
            .collect()
    }
}

fn reading(cause: ::sled::Error) -> Fault {
    Fault::new("reading the store", cause)
}

/// Seals the store once sled has let go of it, and then lets go of the lock.
#[derive(Debug)]
struct Sealer {
    layout: Layout,
    /// Why nothing can be written any more. Such a store is not sealed; it is checked when it is opened again.
    broken: Arc<OnceLock<String>>,
    _lock: File,
    done: bool,
}

impl Sealer {
    fn seal(&mut self) -> Result<(), StoreError> {
        if self.done || self.broken.get().is_some() {
            return Ok(());
        }
        self.done = true;
        recovery::wait_for_sled(&self.layout.sled)?;
        seal::write(&self.layout)
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        if let Err(error) = self.seal() {
            let path = self.layout.root.display();
            tracing::warn!(%path, %error, "store: could not write the seal; all is checked at the next start");
        }
    }
}
