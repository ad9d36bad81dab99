//! How sled is opened and let go of, and what its failures mean.
//!
//! On some damage sled panics instead of returning an error, so it is opened in a thread of its own. While it opens, it
//! writes a summary `snap.….generating` and then renames it. A half of one, left by a full disk or a kill in that moment, is
//! taken for a summary the next time, and nothing opens any more. Without it everything is there.

use std::any::Any;
use std::fs::{self, File, TryLockError};
use std::io;
use std::num::NonZeroU64;
use std::panic;
use std::path::Path;
use std::sync::Once;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::error::{StoreError, Trouble};

/// The name of the thread whose panics mean damage.
const THREAD: &str = "store-recovery";

/// Why sled did not open its files, or not read them.
#[derive(Debug)]
pub(super) enum SledFailure {
    /// The machine does not let it.
    Machine(io::Error),
    /// What it reads makes no sense.
    Damage(String),
}

impl SledFailure {
    /// Names the store that it is about.
    pub(super) fn of_store(root: &Path) -> impl FnOnce(Self) -> StoreError {
        move |failure| match failure {
            Self::Machine(cause) => StoreError::io("opening the store", root)(cause),
            Self::Damage(what) => StoreError::damaged(root, what),
        }
    }

    /// Says in front what was done, if it is damage.
    pub(super) fn while_doing(self, doing: &str) -> Self {
        match self {
            Self::Damage(what) => Self::Damage(format!("{doing} ({what})")),
            machine @ Self::Machine(_) => machine,
        }
    }

    fn of_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or_default();
        match Trouble::in_text(text) {
            Some(_) => Self::Machine(io::Error::other(text.to_owned())),
            None => Self::Damage("sled gave up on it".into()),
        }
    }
}

impl std::fmt::Display for SledFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Machine(cause) => write!(f, "{cause}"),
            Self::Damage(what) => f.write_str(what),
        }
    }
}

impl From<::sled::Error> for SledFailure {
    fn from(error: ::sled::Error) -> Self {
        match error {
            ::sled::Error::Io(cause) if Trouble::of(&cause).is_some() => Self::Machine(cause),
            error => Self::Damage(error.to_string()),
        }
    }
}

impl From<String> for SledFailure {
    fn from(what: String) -> Self {
        match Trouble::in_text(&what) {
            Some(_) => Self::Machine(io::Error::other(what)),
            None => Self::Damage(what),
        }
    }
}

/// Opens sled's files in a directory, or makes them.
pub(super) fn open(path: &Path, cache: NonZeroU64) -> Result<::sled::Db, SledFailure> {
    let config = ::sled::Config::new()
        .path(path)
        .cache_capacity(cache.get())
        .use_compression(false)
        .flush_every_ms(None);
    catch_panics(|| Ok(config.open()?)).map_err(|failure| failure.while_doing("sled can't open it"))
}

/// Whether a file of sled's is the half of a summary.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with("snap.") && name.ends_with(".generating")
}

/// Removes what an interrupted opening has left.
pub(super) fn remove_leftovers(directory: &Path) -> Result<(), StoreError> {
    let removing = |error| StoreError::io("removing leftovers from", directory)(error);
    for entry in fs::read_dir(directory).map_err(removing)? {
        let entry = entry.map_err(removing)?;
        if entry.file_name().to_str().is_some_and(is_leftover) {
            fs::remove_file(entry.path()).map_err(removing)?;
        }
    }
    Ok(())
}

/// Does something in a thread of its own, whose panics are failures and say nothing on the terminal.
pub(super) fn catch_panics<T: Send>(
    work: impl FnOnce() -> Result<T, SledFailure> + Send,
) -> Result<T, SledFailure> {
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
            .map_err(SledFailure::Machine)?;
        thread
            .join()
            .unwrap_or_else(|payload| Err(SledFailure::of_panic(&*payload)))
    })
}

/// Waits until sled's threads have let go of the files, which is shortly after its last handle is dropped.
pub(super) fn wait_until_closed(directory: &Path) -> Result<(), StoreError> {
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
