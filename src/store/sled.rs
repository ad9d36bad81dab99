//! The store on disk.

use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::backup::{self, NewBackup, WriteFailure};
use super::below::{ALL_ROWS, Merged, live};
use super::committer::{Committer, RETRIES, WriterRequest};
use super::error::StoreError;
use super::files::private_directory;
use super::health::{STALL, SharedHealth};
use super::journal::{self, Pending};
use super::keeper::{Keeper, Waiter};
use super::layout::{
    Contents, Progress, StoreLock, StorePaths, Watermark, clear, sync_all, sync_directory, sync_parent,
};
use super::migrate::{self, FORMAT_KEY, MIGRATIONS, Migration, Rows, latest};
use super::recovery::Recovered;
use super::run::RunWriter;
use super::settled::{self, Runs, layer};
use super::sled_files::SledFailure;
use super::tables::{SharedTables, row};
use super::tree::{self, SledTree, full_key};
use super::writer::Writer;
use super::{files, recovery, seal, settle, sled_files};
use crate::matches::port::{Batch, Fault, Health, Row, Saving, Space, Store, StoreFigures};

/// The store on disk. It is closed by [`close`](Self::close), which tells of faults, or by dropping it.
///
/// Reads see what is on disk, a moment before it is acknowledged. One scan sees every batch whole or not at all.
pub struct SledStore {
    // Dropped in this order, which is the order in which a store is closed: the committer waits for what is under way and
    // seals the files, and then the lock ends.
    committer: Committer,
    reader: LayeredReader,
    health: SharedHealth,
    compactions: Arc<AtomicU64>,
    layout: StorePaths,
    /// How many bytes are left free for what is written meanwhile.
    room: u64,
    _lock: StoreLock,
}

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct SledOptions {
    /// How much sled may keep in memory. It keeps to it only roughly.
    pub cache: NonZeroU64,
    /// How long the journal grows, in bytes, before sled takes it over.
    pub journal: u64,
    /// How large sled's files grow, in bytes, before its rows settle and it begins anew. This bounds the time that a start
    /// takes after a crash.
    pub settle: u64,
    /// How long there is nothing to take up before rows settle though sled is smaller than that.
    pub idle: Duration,
    /// How many bytes have to be free before a store is opened: for what sled writes then, a few of its segments and a
    /// summary, and for the first files of a journal.
    pub room: u64,
    /// The steps from format 1 to the present.
    pub migrations: &'static [Migration],
}

impl Default for SledOptions {
    fn default() -> Self {
        Self {
            cache: NonZeroU64::new(32 << 20).unwrap_or(NonZeroU64::MIN),
            journal: 4 << 20,
            settle: 48 << 20,
            idle: Duration::from_secs(60),
            room: 16 << 20,
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
        let layout = StorePaths::new(path);
        layout.look()?;
        layout.make()?;
        let lock = layout.lock()?;
        // Another process may have made a store since the first look.
        match layout.look()? {
            Contents::Nothing => {
                let format = latest(settings.migrations);
                create(&layout, settings, format, |store| {
                    store.put(&full_key(Space::Meta, FORMAT_KEY), &migrate::format_value(format))
                })?;
            }
            Contents::Store => {}
        }
        Self::open_existing(layout, lock, settings)
    }

    fn open_existing(
        layout: StorePaths,
        lock: StoreLock,
        settings: &SledOptions,
    ) -> Result<Self, StoreError> {
        let newest = latest(settings.migrations);
        let newer = |found| StoreError::Newer {
            path: layout.root.clone(),
            found,
            known: newest,
        };
        let mark = Progress::read(&layout)?;
        if mark.format > newest {
            return Err(newer(mark.format));
        }
        let sealed = seal::verify(&layout)?;
        settled::remove_half_made(&layout)?;
        let runs = Runs::open(&layout)?;
        // Mostly the format has settled; if it can't be read, that is better found now than when sled has been opened.
        runs.get(&full_key(Space::Meta, FORMAT_KEY))
            .map_err(StoreError::unreadable(&layout.root))?;
        let mut pending = if sealed {
            if let Some(name) = journal::files(&layout)?.into_keys().next() {
                let what = format!("a file `journal/{name}` has been added to it");
                return Err(StoreError::damaged(&layout.root, what));
            }
            // Whatever could stop sled is looked at while the seal is still on.
            recovery::may_write(&layout)?;
            files::has_room(&layout.root, "open the store", settings.room)?;
            seal::remove(&layout)?;
            Pending::default()
        } else {
            settle::put_back(&layout)?;
            let Recovered { format, pending } = recovery::recover_a_copy(&layout, &runs, mark, settings)?;
            if format > newest {
                return Err(newer(format));
            }
            pending
        };
        let fault = |cause| StoreError::fault(&layout.root)(cause);
        let sled = recovery::open_sled(&layout, settings)?;
        if !tree::fits(&sled, &runs).map_err(fault)? {
            return Err(StoreError::damaged(
                &layout.root,
                "its file `manifest` is older than the rest",
            ));
        }
        let mut tree = SledTree::new(sled, runs, &layout)?;
        let reader = LayeredReader::default();
        reader.tables.write().below = tree.below();
        let mut format = recovery::format_of(&tree.below())
            .map_err(fault)?
            .ok_or_else(|| StoreError::damaged(&layout.root, "it has no format"))?;
        if format > newest {
            return Err(newer(format));
        }
        // sled takes up the journal behind, as it always does. But a step to a new format is written to sled alone.
        if format < newest
            && let Some(last) = pending.last.take()
        {
            tree.write(&pending.rows, last)
                .map_err(|cause| fault(Fault::new("taking up the journal", cause)))?;
        }
        let rest = pending.into_checkpoint(&layout)?;
        tree.runs.remove_others(&layout)?;
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
        let mark = Progress {
            format,
            groups: rest.as_ref().map_or(tree.groups(), |rest| rest.groups),
        };
        let starting = |error| StoreError::io("starting the writer of", &layout.root)(error);
        let compactions = Arc::new(AtomicU64::new(0));
        let mut keeper = Keeper::start(
            &layout,
            settings,
            tree,
            reader.tables.clone(),
            Arc::clone(&compactions),
        )
        .map_err(starting)?;
        if let Some(rest) = rest {
            reader.tables.write().waiting.push_front(Arc::clone(&rest.table));
            keeper
                .begin(rest)
                .map_err(|cause| fault(Fault::new("taking up the journal", cause)))?;
        }
        let writer = Writer::start(&layout, mark, reader.tables.clone(), keeper, settings.journal)?;
        layout.protect()?;
        let health = SharedHealth::new(&layout.root, STALL);
        let committer = Committer::start(writer, health.clone(), RETRIES).map_err(starting)?;
        Ok(Self {
            committer,
            reader,
            health,
            compactions,
            layout,
            room: settings.room,
            _lock: lock,
        })
    }

    /// Waits until everything is on disk, and closes the store.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.committer
            .close()
            .map_err(StoreError::fault(&self.layout.root))
    }

    /// Has everything on disk and the store in order, while others may still hold it. Nothing can be read or written after
    /// that.
    pub fn shut(&self) -> Saving<'static> {
        self.committer.shut()
    }

    /// Ready once this process can't write to the store any more though the machine would let it: another start may help.
    /// It tells why.
    pub fn given_up(&self) -> impl Future<Output = String> + Send + 'static {
        self.health.given_up()
    }

    /// Writes all rows to a new file, as they are at one moment. Commits go on meanwhile: what is copied never changes.
    pub fn backup(&self, file: &Path) -> Result<(), StoreError> {
        self.backup_unless(file, &|| false)
    }

    /// The same, unless it is told to stop before all is written: then there is no file.
    pub fn backup_unless(&self, file: &Path, stopped: &dyn Fn() -> bool) -> Result<(), StoreError> {
        backup::may_back_up(file, &self.layout.root)?;
        let rows = self.settled_rows()?;
        // Perhaps on the disk of the store: what is written meanwhile needs room, too.
        let mut new = NewBackup::begin(file, rows.most_bytes() + self.room)?;
        rows.write_unless(&mut new, stopped)
            .map_err(|failure| match failure {
                WriteFailure::Rows(fault) => StoreError::fault(&self.layout.root)(fault),
                WriteFailure::Out(error) => StoreError::io("writing", file)(error),
            })?;
        new.finish()
    }

    /// All rows as they are at this moment, to be written as a backup wherever somebody wants it.
    pub fn settled_rows(&self) -> Result<SettledRows, StoreError> {
        Ok(SettledRows(self.ask(WriterRequest::Settle)?))
    }

    /// Makes the store as small as can be. Commits go on meanwhile.
    pub fn compact(&self) -> Result<(), StoreError> {
        self.ask(WriterRequest::Compact)
    }

    /// Reads everything that is kept, and hands over each row. What can't be read is an error.
    pub fn check(&self, mut each: impl FnMut(Space, &[u8], &[u8])) -> Result<(), StoreError> {
        let runs = self.ask(WriterRequest::Settle)?;
        for run in runs.list() {
            run.check().map_err(StoreError::unreadable(&self.layout.root))?;
        }
        for row in rows_of(&runs).filter_map(live) {
            let (key, value) = row.map_err(StoreError::fault(&self.layout.root))?;
            match key.split_first().map(|(space, key)| (Space::of(*space), key)) {
                Some((Some(space), key)) => each(space, key, &value),
                Some((None, _)) | None => {
                    return Err(StoreError::damaged(&self.layout.root, "a row lies in no space"));
                }
            }
        }
        Ok(())
    }

    /// Asks the one who writes, and waits for the answer.
    fn ask<T>(&self, request: impl FnOnce(Waiter<T>) -> WriterRequest) -> Result<T, StoreError> {
        let (reply, answer) = channel();
        self.committer.ask(request(reply));
        answer.recv().unwrap_or_else(|_| {
            let closed = Fault::new("asking the store", "it has been closed");
            Err(StoreError::fault(&self.layout.root)(closed))
        })
    }
}

/// All rows of a store at one moment, which stay as they are.
#[derive(Debug)]
pub struct SettledRows(Runs);

impl SettledRows {
    /// How many bytes a backup of them has at most.
    pub fn most_bytes(&self) -> u64 {
        backup::most_bytes(self.0.list().iter().map(|run| (run.unpacked(), run.rows)))
    }

    /// Writes a backup of them.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), WriteFailure> {
        self.write_unless(out, &|| false)
    }

    fn write_unless(&self, out: &mut dyn Write, stopped: &dyn Fn() -> bool) -> Result<(), WriteFailure> {
        let rows = rows_of(&self.0).filter_map(live).map(|row| {
            if stopped() {
                Err(Fault::new("backing up the store", "it was told to stop"))
            } else {
                row
            }
        });
        backup::write(out, rows)
    }
}

/// All rows of some runs, in order.
fn rows_of(runs: &Runs) -> Merged<'static> {
    let (first, last) = ALL_ROWS.into_inner();
    let range = &first[..]..=&last[..];
    Merged(runs.list().iter().map(|run| layer(run, &range, None)).collect())
}

impl Store for SledStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.reader.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        self.reader.scan(space, range, limit)
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        self.committer.commit(batch)
    }

    fn flush(&self) -> Saving<'_> {
        self.committer.commit(Batch::new())
    }

    fn health(&self) -> Health {
        self.health.now()
    }

    fn figures(&self) -> StoreFigures {
        StoreFigures {
            bytes_on_disk: Some(self.layout.bytes()),
            compactions: Some(self.compactions.load(Ordering::Relaxed)),
        }
    }
}

impl std::fmt::Debug for SledStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SledStore")
            .field("path", &self.layout.root)
            .finish_non_exhaustive()
    }
}

/// Makes a store where none is: its rows settle in a run, and sled's files are made beside their place and moved there at the
/// end. As long as they are not there, it is no store. Among the rows has to be the format.
pub(super) fn create(
    layout: &StorePaths,
    settings: &SledOptions,
    format: u32,
    fill: impl FnOnce(&mut Loader) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let unfinished = &layout.unfinished;
    // What an earlier try has left, and last what shows that it was one.
    clear(&layout.runs)?;
    if layout.manifest.exists() {
        fs::remove_file(&layout.manifest).map_err(StoreError::io("removing", &layout.manifest))?;
    }
    clear(unfinished)?;
    files::has_room(&layout.root, "make a store", settings.room)?;
    private_directory(unfinished).map_err(StoreError::io("making the directory", unfinished))?;
    sync_directory(&layout.root)?;
    private_directory(&layout.runs).map_err(StoreError::io("making the directory", &layout.runs))?;
    let writing = |error| StoreError::io("writing", &layout.runs)(error);
    let mut loader = Loader {
        layout: layout.clone(),
        writer: RunWriter::create(&layout.run(1), 1).map_err(writing)?,
        last: Vec::new(),
    };
    fill(&mut loader)?;
    let run = loader.writer.finish().map_err(writing)?;
    sync_directory(&layout.runs)?;
    let runs = Runs::default().with(vec![Arc::new(run)]);
    runs.write_manifest(layout)?;
    let of_store = |error| SledFailure::of_store(&layout.root)(error);
    let sled = sled_files::open(unfinished, settings.cache).map_err(of_store)?;
    SledTree::begin(&sled, 0, &runs).map_err(|error| of_store(error.into()))?;
    drop(sled);
    sled_files::wait_until_closed(unfinished)?;
    sync_all(unfinished)?;
    Watermark::set(layout, Progress { format, groups: 0 })?;
    fs::rename(unfinished, &layout.sled).map_err(StoreError::io("renaming", unfinished))?;
    seal::write(layout)?;
    sync_parent(&layout.root)
}

/// Fills a store that nobody uses yet.
pub(super) struct Loader {
    layout: StorePaths,
    writer: RunWriter,
    last: Vec<u8>,
}

impl Loader {
    /// Puts a row by its full key; keys come in order, each once.
    pub(super) fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        if !self.last.is_empty() && self.last[..] >= *key {
            let fault = Fault::new("filling a new store", "rows are out of order");
            return Err(StoreError::fault(&self.layout.root)(fault));
        }
        self.last.clear();
        self.last.extend(key);
        self.writer
            .put(key, Some(value))
            .map_err(StoreError::io("writing", &self.layout.runs))
    }
}

/// All layers of a store, for reading.
#[derive(Debug, Default)]
pub(super) struct LayeredReader {
    tables: SharedTables,
}

impl Rows for LayeredReader {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let key = full_key(space, key);
        let below = {
            let tables = self.tables.read();
            if let Some(known) = tables.get(&key) {
                return Ok(known.clone());
            }
            tables.below.clone()
        };
        below.get(&key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        // sled's ranges panic when they end before they start.
        if range.start() > range.end() {
            return Ok(Vec::new());
        }
        let (first, last) = (full_key(space, range.start()), full_key(space, range.end()));
        // Held for the length of the scan, so that it sees no half of a group.
        let tables = self.tables.read();
        tables
            .merged(&(&first[..]..=&last[..]))?
            .filter_map(live)
            .take(limit)
            .map(|row| {
                let (mut key, value) = row?;
                key.remove(0);
                Ok((key, value))
            })
            .collect()
    }
}
