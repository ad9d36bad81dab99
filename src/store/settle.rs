//! How rows settle: what sled holds becomes a run, and sled begins anew; and how runs are merged.
//!
//! The steps, each of which leaves a whole store if it is the last one:
//!
//! 1. The run is written beside its name, synced, and given its name. Nobody names it yet.
//! 2. The manifest names it. sled still holds the same rows above it, which changes nothing.
//! 3. `sled` is renamed to `sled.old`, and new files are made in `sled`. A start that finds `sled.old` puts it back.
//! 4. `sled.old` is renamed to `trial`, which is nobody's, and removed. Only then is anything written to the new files.

use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::below::{ALL_ROWS, Merged, RowLayer, delta_layers};
use super::error::StoreError;
use super::files::{private_directory, protect};
use super::layout::{StorePaths, clear, sync_all, sync_directory};
use super::run::{self, Run, RunWriter};
use super::settled::{Runs, layer};
use super::sled_files::{self, SledFailure};
use super::tree::SledTree;
use crate::matches::port::Fault;

/// Tells a long work to end.
pub(super) type Stop = Arc<AtomicBool>;

/// Writes what sled holds as a run; nothing if it holds nothing.
pub(super) fn write_delta(
    tree: &SledTree,
    layout: &StorePaths,
    number: u64,
    stop: &Stop,
) -> Result<Option<Run>, StoreError> {
    let (first, last) = ALL_ROWS.into_inner();
    let layers = delta_layers(tree.sled(), &(&first[..]..=&last[..]), !tree.runs.is_empty());
    let deletions = if tree.runs.is_empty() {
        Deletions::Drop
    } else {
        Deletions::Keep
    };
    write_run(layers, layout, number, deletions, stop)
}

/// Whether rows that were deleted have to hide others further down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deletions {
    Keep,
    Drop,
}

/// What is to be merged.
#[derive(Debug)]
pub(super) struct Merge {
    /// Neighbours, the newest first.
    pub(super) runs: Vec<Arc<Run>>,
    /// Whether the oldest of all is among them.
    pub(super) to_the_ground: bool,
    pub(super) number: u64,
}

impl Merge {
    /// The newest runs that are worth merging: the next one is taken along as long as it is at most twice as large as those before it, or has
    /// at most twice as many rows, since each of those before it may have replaced or deleted one. So there are few runs, each row is
    /// rewritten seldom, and no more than about half of what is on disk is dead.
    pub(super) fn due(runs: &Runs) -> usize {
        let mut taken: usize = 0;
        let (mut bytes, mut rows) = (0, 0);
        for run in runs.list() {
            if taken > 0 && run.bytes > 2 * bytes && run.rows > 2 * rows {
                break;
            }
            taken += 1;
            bytes += run.bytes;
            rows += run.rows;
        }
        if taken < 2 { 0 } else { taken }
    }

    /// How many bytes it takes at most, until those that it replaces are removed.
    pub(super) fn most_bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.bytes).sum()
    }

    /// Writes one run in place of several; nothing if no row is left.
    pub(super) fn write(&self, layout: &StorePaths, stop: &Stop) -> Result<Option<Run>, StoreError> {
        let (first, last) = ALL_ROWS.into_inner();
        let range = &first[..]..=&last[..];
        let layers = self.runs.iter().map(|run| layer(run, &range, None)).collect();
        let deletions = if self.to_the_ground {
            Deletions::Drop
        } else {
            Deletions::Keep
        };
        write_run(layers, layout, self.number, deletions, stop)
    }
}

fn write_run(
    layers: Vec<RowLayer<'_>>,
    layout: &StorePaths,
    number: u64,
    deletions: Deletions,
    stop: &Stop,
) -> Result<Option<Run>, StoreError> {
    private_directory(&layout.runs).map_err(StoreError::io("making the directory", &layout.runs))?;
    let path = layout.run(number);
    let written = write_rows(layers, &path, number, deletions, stop);
    match written {
        Ok(run) if run.rows > 0 => {
            sync_directory(&layout.runs)?;
            Ok(Some(run))
        }
        other => {
            _ = fs::remove_file(run::part(&path));
            _ = fs::remove_file(&path);
            other.map(|_| None)
        }
    }
}

fn write_rows(
    layers: Vec<RowLayer<'_>>,
    path: &Path,
    number: u64,
    deletions: Deletions,
    stop: &Stop,
) -> Result<Run, StoreError> {
    let writing = |error| StoreError::io("writing", path)(error);
    let mut writer = RunWriter::create(path, number).map_err(writing)?;
    for row in Merged(layers) {
        if stop.load(Ordering::Relaxed) {
            let stopped = Fault::new("settling the store", "it is being closed");
            return Err(StoreError::fault(path)(stopped));
        }
        let (key, value) = row.map_err(StoreError::fault(path))?;
        if value.is_some() || deletions == Deletions::Keep {
            writer.put(&key, value.as_deref()).map_err(writing)?;
        }
    }
    writer.finish().map_err(writing)
}

/// Makes sled's files anew, once nobody has the old ones open any more. Everything up to a group is in the runs.
pub(super) fn begin_anew(
    layout: &StorePaths,
    cache: NonZeroU64,
    groups: u64,
    runs: Runs,
) -> Result<SledTree, StoreError> {
    sled_files::wait_until_closed(&layout.sled)?;
    runs.write_manifest(layout)?;
    fs::rename(&layout.sled, &layout.replaced).map_err(StoreError::io("renaming", &layout.sled))?;
    sync_directory(&layout.root)?;
    let sled = sled_files::open(&layout.sled, cache).map_err(SledFailure::of_store(&layout.root))?;
    SledTree::begin(&sled, groups, &runs)
        .map_err(|error| SledFailure::of_store(&layout.root)(error.into()))?;
    protect(&layout.sled)?;
    sync_all(&layout.sled)?;
    sync_directory(&layout.root)?;
    clear(&layout.recovery_copy)?;
    fs::rename(&layout.replaced, &layout.recovery_copy)
        .map_err(StoreError::io("renaming", &layout.replaced))?;
    sync_directory(&layout.root)?;
    clear(&layout.recovery_copy)?;
    SledTree::new(sled, runs, layout)
}

/// Puts back what an interrupted [`begin_anew`] has set aside.
pub(super) fn put_back(layout: &StorePaths) -> Result<(), StoreError> {
    if !layout.replaced.is_dir() {
        return Ok(());
    }
    clear(&layout.sled)?;
    fs::rename(&layout.replaced, &layout.sled).map_err(StoreError::io("renaming", &layout.replaced))?;
    sync_directory(&layout.root)
}
