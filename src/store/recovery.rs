//! Recovery of a store that was not closed well, tried on a copy first.
//!
//! After a crash sled cuts off what was half written, and that is right. But damage in the middle of its log looks the same
//! to it: tried with flipped bytes, it opens such a store without a word and without the rows, and overwrites the evidence.
//! So the recovery is done on a copy, all rows of the copy are read, and they have to add up to the totals stored with
//! them; together with the journal it has to hold at least as many groups as were acknowledged. Only then is the store
//! itself opened.

use std::fs::{self, File, OpenOptions};
use std::num::NonZeroU64;
use std::path::Path;

use super::below::{Below, Delta};
use super::error::StoreError;
use super::files::{has_room, size_of};
use super::journal::{self, Pending};
use super::layout::{Progress, StorePaths, clear};
use super::migrate::{self, FORMAT_KEY};
use super::settled::Runs;
use super::sled::SledOptions;
use super::sled_files::{self, SledFailure, catch_panics, is_leftover, remove_leftovers};
use super::totals::Totals;
use super::tree::{self, full_key};
use crate::matches::port::{Fault, Space};

/// How much of the copy sled may keep in memory.
const SMALL_CACHE: NonZeroU64 = NonZeroU64::MIN.saturating_add((1 << 20) - 1);

/// What a store holds after a crash.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) format: u32,
    /// What the journal holds beyond what is in sled.
    pub(super) pending: Pending,
}

/// Recovers a copy of the store, counts it over, and reads the journal.
pub(super) fn recover_a_copy(
    layout: &StorePaths,
    runs: &Runs,
    mark: Progress,
    settings: &SledOptions,
) -> Result<Recovered, StoreError> {
    let (format, checkpointed) = check_a_copy(layout, runs, settings)?;
    let pending = journal::read(layout, checkpointed)?;
    let held = pending.last.unwrap_or(checkpointed);
    if held < mark.groups {
        let lost = mark.groups - held;
        let what = format!("the last {lost} changes that were acknowledged are lost");
        return Err(StoreError::damaged(&layout.root, what));
    }
    Ok(Recovered { format, pending })
}

/// Recovers a copy of sled's files and counts it over: its format, and the last group in it.
pub(super) fn check_a_copy(
    layout: &StorePaths,
    runs: &Runs,
    settings: &SledOptions,
) -> Result<(u32, u64), StoreError> {
    if !layout.database.is_file() {
        return Err(StoreError::damaged(&layout.root, "its file `sled/db` is missing"));
    }
    may_write(layout)?;
    let path = &layout.recovery_copy;
    clear(path)?;
    has_room(
        &layout.root,
        "check the store on a copy",
        settings.room + size_of(&layout.sled),
    )?;
    let checked = copy(&layout.sled, path)
        .map_err(StoreError::io("copying the store to check it to", path))
        .and_then(|()| {
            catch_panics(|| check_copy(path, runs, settings)).map_err(SledFailure::of_store(&layout.root))
        });
    clear(path)?;
    checked
}

/// Opens sled's files, once they have been judged. What another process wrote and had no time to sync is on disk from then on:
/// the journal that holds it may be removed.
pub(super) fn open_sled(layout: &StorePaths, settings: &SledOptions) -> Result<::sled::Db, StoreError> {
    remove_leftovers(&layout.sled)?;
    File::open(&layout.database)
        .and_then(|file| file.sync_data())
        .map_err(StoreError::io("syncing", &layout.database))?;
    sled_files::open(&layout.sled, settings.cache).map_err(SledFailure::of_store(&layout.root))
}

/// Whether the files may be written, which sled would find out too late.
pub(super) fn may_write(layout: &StorePaths) -> Result<(), StoreError> {
    let path = &layout.database;
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map(|_| ())
        .map_err(StoreError::io("opening", path))
}

/// The format of a copy, and the last group in it.
fn check_copy(path: &Path, runs: &Runs, settings: &SledOptions) -> Result<(u32, u64), SledFailure> {
    // Everything is read once, so there is nothing to remember, and what is taken here would not be given back.
    let sled = sled_files::open(path, settings.cache.min(SMALL_CACHE))?;
    let stored = tree::totals(&sled).map_err(|fault| fault.to_string())?;
    let mut counted = Totals {
        groups: stored.groups,
        ..Totals::default()
    };
    for row in sled.range(Totals::COUNTED) {
        let (key, value) =
            row.map_err(|error| SledFailure::from(error).while_doing("not all of it can be read"))?;
        counted.add(&key, &value);
    }
    if counted != stored {
        let (found, expected) = (counted.rows, stored.rows);
        let what = format!("its rows don't add up (there are {found}, and there were {expected})");
        return Err(what.into());
    }
    if !tree::fits(&sled, runs).map_err(|fault| fault.to_string())? {
        return Err("its file `manifest` is older than the rest".to_owned().into());
    }
    let below = Below {
        delta: Delta::Sled(sled),
        runs: runs.clone(),
    };
    match format_of(&below) {
        Ok(Some(format)) => Ok((format, stored.groups)),
        Ok(None) => Err("it has no format".to_owned().into()),
        Err(fault) => Err(fault.to_string().into()),
    }
}

/// The format; nothing in a store without rows.
pub(super) fn format_of(below: &Below) -> Result<Option<u32>, Fault> {
    match below.get(&full_key(Space::Meta, FORMAT_KEY))? {
        None => Ok(None),
        Some(value) => migrate::read_format(&value)
            .map(Some)
            .ok_or_else(|| Fault::new("reading the store", "its format is no number")),
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if !entry.file_name().to_str().is_some_and(is_leftover) {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
