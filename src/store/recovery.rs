//! Recovery of a store that was not closed well, tried on a copy first.
//!
//! After a crash sled cuts off what was half written, and that is right. But damage in the middle of its log looks the same
//! to it: tried with flipped bytes, it opens such a store without a word and without the rows, and overwrites the evidence.
//! So the recovery is done on a copy, all rows of the copy are read, and they have to add up to the totals stored with
//! them; together with the journal it has to hold at least as many groups as were acknowledged. Only then is the store
//! itself opened.
//!
//! On some damage sled panics instead of returning an error. Such a panic is taken for damage; it can only come up in
//! the thread that opens the copy.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::num::NonZeroU64;
use std::panic;
use std::path::Path;
use std::sync::Once;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::error::StoreError;
use super::journal::{self, Pending};
use super::layout::{Layout, Mark, clear};
use super::sled::{Reader, SledOptions};
use super::totals::Totals;

/// How much of the copy sled may keep in memory.
const SMALL_CACHE: NonZeroU64 = NonZeroU64::MIN.saturating_add((1 << 20) - 1);

/// The name of the thread whose panics mean damage.
const THREAD: &str = "store-recovery";

/// What a store holds after a crash.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) format: u32,
    /// What is to be put into sled before anything else.
    pub(super) pending: Pending,
}

/// Recovers a copy of the store, counts it over, and reads the journal.
pub(super) fn recover_a_copy(
    layout: &Layout,
    mark: Mark,
    settings: &SledOptions,
) -> Result<Recovered, StoreError> {
    let damaged = |what| StoreError::damaged(&layout.root, what);
    if !layout.database.is_file() {
        return Err(damaged("its file `sled/db` is missing".to_owned()));
    }
    may_write(layout)?;
    let path = &layout.recovery_copy;
    clear(path)?;
    copy(&layout.sled, path).map_err(StoreError::io("copying the store to check it to", path))?;
    let checked = catch_panics(|| check_copy(path, settings)).map_err(damaged);
    clear(path)?;
    let (format, checkpointed) = checked?;
    let pending = journal::read(layout, checkpointed)?;
    let held = pending.last.unwrap_or(checkpointed);
    if held < mark.groups {
        let lost = mark.groups - held;
        return Err(damaged(format!(
            "the last {lost} changes that were acknowledged are lost"
        )));
    }
    Ok(Recovered { format, pending })
}

/// Whether the files may be written, which sled would find out too late.
pub(super) fn may_write(layout: &Layout) -> Result<(), StoreError> {
    let path = &layout.database;
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map(|_| ())
        .map_err(StoreError::io("opening", path))
}

/// The format of a copy, and the last group in it.
fn check_copy(path: &Path, settings: &SledOptions) -> Result<(u32, u64), String> {
    // Everything is read once, so there is nothing to remember, and what is taken here would not be given back.
    let settings = SledOptions {
        cache: SMALL_CACHE,
        ..*settings
    };
    let reader = Reader::open(path, &settings)?;
    let stored = reader.totals().map_err(|fault| fault.to_string())?;
    let mut counted = Totals {
        groups: stored.groups,
        ..Totals::default()
    };
    for row in reader.tree.range(Totals::COUNTED) {
        let (key, value) = row.map_err(|error| format!("not all of it can be read ({error})"))?;
        counted.add(&key, &value);
    }
    if counted != stored {
        return Err(format!(
            "its rows don't add up (there are {}, and there were {})",
            counted.rows, stored.rows
        ));
    }
    match reader.format() {
        Ok(Some(format)) => Ok((format, stored.groups)),
        Ok(None) => Err("it has no format".into()),
        Err(fault) => Err(fault.to_string()),
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Does something in a thread of its own, whose panics are errors and say nothing on the terminal.
pub(super) fn catch_panics<T: Send, E: ToString + Send>(
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() == Some(THREAD) {
                tracing::debug!(%info, "store: sled panicked while it opened a store");
            } else {
                before(info);
            }
        }));
    });
    thread::scope(|scope| {
        let thread = Builder::new()
            .name(THREAD.into())
            .spawn_scoped(scope, work)
            .map_err(|error| error.to_string())?;
        match thread.join() {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(_) => Err("sled gave up on it".into()),
        }
    })
}

/// Waits until sled's threads have let go of the files, which is shortly after its last handle is dropped.
pub(super) fn wait_for_sled(directory: &Path) -> Result<(), StoreError> {
    let path = directory.join("db");
    let file = File::open(&path).map_err(StoreError::io("opening", &path))?;
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if started.elapsed() < Duration::from_secs(5) => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::InUse {
                    path: directory.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("locking", &path)(error)),
        }
    }
}
