//! The directory of a store, and who may use it.
//!
//! ```text
//! lock        held while the store is open
//! watermark   the format, and how many groups were acknowledged
//! seal        lengths and checksums of sled's files, there only while the store is closed
//! sled/       sled's own files: what was written since rows last settled
//! runs/       what has settled, in files that never change
//! manifest    the list of runs
//! journal/    what was acknowledged and is not in sled yet, there only while the store is open
//! sled.new/   a store that is being made or restored, not yet in use
//! sled.old/   sled's files, while new ones are made in their place
//! trial/      a copy on which recovery is tried after a crash; never needed later
//! control     the socket by which tools ask the running bot
//! matrix/     the session of the Matrix adapter: no part of the store, and left alone
//! ```
//!
//! sled writes to its files as it opens them, and where it finds damage it drops what it can't read, often without a
//! word. So a store is judged before sled may touch it: one that was closed well has to match its seal, byte for byte;
//! one that was not is recovered as a copy first, and the copy has to hold everything that was acknowledged.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::files::{create_private, give_to_owner, private, private_directory, protect, set_mode, size_of};

/// The paths in a store's directory.
#[derive(Clone, Debug)]
pub(super) struct StorePaths {
    pub(super) root: PathBuf,
    pub(super) sled: PathBuf,
    /// The file that holds sled's log.
    pub(super) database: PathBuf,
    /// sled's nodes that were too large for its log.
    pub(super) blobs: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) runs: PathBuf,
    pub(super) manifest: PathBuf,
    pub(super) unfinished: PathBuf,
    /// Where sled's files are while new ones are made in their place.
    pub(super) replaced: PathBuf,
    pub(super) recovery_copy: PathBuf,
    pub(super) watermark: PathBuf,
    pub(super) seal: PathBuf,
    lock: PathBuf,
}

/// What lies in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    /// Nothing, or the beginnings of a store in which nothing was kept yet.
    Nothing,
    Store,
}

impl StorePaths {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            sled: root.join("sled"),
            database: root.join("sled/db"),
            blobs: root.join("sled/blobs"),
            journal: root.join("journal"),
            runs: root.join("runs"),
            manifest: root.join("manifest"),
            unfinished: root.join("sled.new"),
            replaced: root.join("sled.old"),
            recovery_copy: root.join("trial"),
            watermark: root.join("watermark"),
            seal: root.join("seal"),
            lock: root.join("lock"),
        }
    }

    /// The file of a run.
    pub(super) fn run(&self, number: u64) -> PathBuf {
        self.runs.join(format!("{number:08}"))
    }

    /// Looks what is there, without touching it.
    pub(super) fn look(&self) -> Result<Contents, StoreError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Contents::Nothing),
            Err(error) => return Err(StoreError::io("reading", &self.root)(error)),
        };
        let mut found = Contents::Nothing;
        let (mut settled, mut unfinished) = (false, false);
        for entry in entries {
            let name = entry.map_err(StoreError::io("reading", &self.root))?.file_name();
            match name.to_str() {
                Some("sled" | "sled.old" | "seal" | "journal") => found = Contents::Store,
                Some("runs" | "manifest") => settled = true,
                Some("sled.new") => unfinished = true,
                Some("lock" | "watermark" | "trial" | "control") => {}
                Some("watermark.new" | "seal.new" | "manifest.new") => {}
                // Adapters keep here what belongs to this machine alone, such as keys to a platform.
                Some("matrix") => {}
                // What file systems and version control keep in directories that are empty otherwise.
                Some("lost+found" | ".gitignore" | ".gitkeep") => {}
                _ => {
                    return Err(StoreError::NotAStore {
                        path: self.root.clone(),
                        stranger: name.to_string_lossy().into_owned(),
                    });
                }
            }
        }
        // Runs without sled's files: they were lost, unless they were about to be made.
        if settled && !unfinished {
            found = Contents::Store;
        }
        Ok(found)
    }

    /// How many bytes the files of the store have.
    pub(super) fn bytes(&self) -> u64 {
        [&self.sled, &self.runs, &self.journal]
            .into_iter()
            .map(|path| size_of(path))
            .sum()
    }

    /// Makes the directory, for nobody's eyes but the user's: it holds hands of cards and seeds.
    pub(super) fn make(&self) -> Result<(), StoreError> {
        let making = |error| StoreError::io("making the directory", &self.root)(error);
        private_directory(&self.root).map_err(making)?;
        // It may have been there before, open to all. Who is not its owner can't help that.
        let found = fs::metadata(&self.root).map_err(making)?;
        match set_mode(&self.root, &found, 0o700) {
            Err(error) if error.kind() != io::ErrorKind::PermissionDenied => Err(making(error)),
            _ => Ok(()),
        }
    }

    /// Takes all files of the store from everybody else's eyes.
    pub(super) fn protect(&self) -> Result<(), StoreError> {
        let files = [&self.manifest, &self.watermark, &self.seal, &self.lock];
        [&self.sled, &self.runs, &self.journal]
            .into_iter()
            .chain(files)
            .try_for_each(|path| protect(path))
    }

    /// Takes the store for this process.
    pub(super) fn lock(&self) -> Result<StoreLock, StoreError> {
        let file = private()
            .create(true)
            .truncate(false)
            .open(&self.lock)
            .map_err(StoreError::io("opening", &self.lock))?;
        self.take(file)
    }

    /// The same for a store in which nothing is to be touched; nothing if no process ever had it.
    pub(super) fn lock_if_there(&self) -> Result<Option<StoreLock>, StoreError> {
        match File::open(&self.lock) {
            Ok(file) => self.take(file).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("opening", &self.lock)(error)),
        }
    }

    fn take(&self, file: File) -> Result<StoreLock, StoreError> {
        match file.try_lock() {
            Ok(()) => Ok(StoreLock {
                file,
                root: self.root.clone(),
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
                path: self.root.clone(),
            }),
            Err(TryLockError::Error(error)) => Err(StoreError::io("locking", &self.lock)(error)),
        }
    }
}

/// The store belongs to this process, until this is dropped or the process ends.
#[derive(Debug)]
pub(super) struct StoreLock {
    file: File,
    root: PathBuf,
}

/// Given back outright: a program that is being started from here holds the file as well, for the moment before it is
/// another program. And what root has made in somebody's store is theirs from then on: the bot could not open it otherwise.
impl Drop for StoreLock {
    fn drop(&mut self) {
        if let Err(error) = give_to_owner(&self.root) {
            let path = self.root.display();
            tracing::warn!(%path, %error, "store: could not give its files to the owner of its folder");
        }
        if let Err(error) = self.file.unlock() {
            tracing::warn!(%error, "store: could not give back the lock; it ends with the process");
        }
    }
}

/// Removes a directory of ours that is no store (yet, or any more).
pub(super) fn clear(path: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io("removing", path)(error)),
    }
}

/// Has a directory's entries on disk. Elsewhere than on unix a directory can't be opened, and need not be.
pub(super) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(path)
            .and_then(|directory| directory.sync_all())
            .map_err(StoreError::io("syncing", path))?;
    }
    Ok(())
}

/// Has every file of a directory on disk, and their names.
pub(super) fn sync_all(directory: &Path) -> Result<(), StoreError> {
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

/// Has the name of a directory or a file on disk.
pub(super) fn sync_parent(path: &Path) -> Result<(), StoreError> {
    match path.parent() {
        // The parent of a relative name is the empty path.
        Some(parent) if parent.as_os_str().is_empty() => sync_directory(Path::new(".")),
        Some(parent) => sync_directory(parent),
        None => Ok(()),
    }
}

/// Writes a small file so that it is there whole or not at all.
pub(super) fn write_whole(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let new = path.with_extension("new");
    let write = || {
        let mut file = create_private(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(StoreError::io("writing", path))?;
    sync_parent(path)
}

/// How much was acknowledged, outside of sled.
///
/// It is written after each group, but not synced: a crash of the process leaves it exact, and a loss of power leaves an
/// older one, which is still a lower bound.
#[derive(Debug)]
pub(super) struct Watermark {
    file: File,
    format: u32,
}

/// What a watermark says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    pub(super) format: u32,
    pub(super) groups: u64,
}

const UNREADABLE: &str = "its file `watermark` can't be read";

impl Progress {
    fn to_line(self) -> String {
        let body = format!(
            "parlor store, format {:05}, groups {:020}",
            self.format, self.groups
        );
        format!("{body}, check {:08x}\n", crc32fast::hash(body.as_bytes()))
    }

    fn from_line(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("parlor store, format ")?;
        let (format, rest) = rest.split_once(", groups ")?;
        let (groups, _) = rest.split_once(", check ")?;
        let mark = Self {
            format: format.parse().ok()?,
            groups: groups.parse().ok()?,
        };
        (mark.to_line() == line).then_some(mark)
    }

    pub(super) fn read(layout: &StorePaths) -> Result<Self, StoreError> {
        let damaged = |what| Err(StoreError::damaged(&layout.root, what));
        let mut line = String::new();
        match File::open(&layout.watermark).and_then(|file| file.take(1 << 10).read_to_string(&mut line)) {
            Ok(_) => Self::from_line(&line).map_or_else(|| damaged(UNREADABLE), Ok),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => damaged(UNREADABLE),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                damaged("its file `watermark` is missing")
            }
            Err(error) => Err(StoreError::io("reading", &layout.watermark)(error)),
        }
    }
}

impl Watermark {
    /// Sets the mark anew, synced.
    pub(super) fn set(layout: &StorePaths, mark: Progress) -> Result<Self, StoreError> {
        let path = &layout.watermark;
        write_whole(path, mark.to_line().as_bytes())?;
        let file = OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(StoreError::io("opening", path))?;
        Ok(Self {
            file,
            format: mark.format,
        })
    }

    /// Raises the mark in place: its line has always the same length, and is far shorter than a sector.
    pub(super) fn raise(&mut self, groups: u64) -> io::Result<()> {
        let mark = Progress {
            format: self.format,
            groups,
        };
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(mark.to_line().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_reads_back_and_a_changed_one_does_not() {
        let mark = Progress {
            format: 3,
            groups: 1_234_567,
        };
        let line = mark.to_line();
        assert_eq!(Progress::from_line(&line), Some(mark));
        for at in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;
            assert_eq!(
                Progress::from_line(&String::from_utf8(bytes).unwrap()),
                None,
                "byte {at}"
            );
        }
    }

    #[test]
    fn a_mark_keeps_its_length() {
        let line = |format, groups| Progress { format, groups }.to_line().len();
        assert_eq!(line(1, 0), line(99_999, u64::MAX));
    }
}
