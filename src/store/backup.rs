//! A store as one file, and back.
//!
//! ```text
//! "phase-parlor backup 1\n"
//! each row:   1, space, length of key (4), length of value (4), key, value
//! the end:    0, number of rows (8), SHA-256 of everything before (32)
//! ```
//!
//! Numbers are big-endian. The format of the rows is the row in [`Space::Meta`] that says so; a backup in an older format is
//! restored as it is and brought forward when the store is opened.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::StoreError;
use super::files::{has_room, private};
use super::layout::{Contents, StorePaths, sync_parent};
use super::migrate::{self, FORMAT_KEY, latest};
use super::sled::{SledOptions, create};
use super::tree::full_key;
use crate::files;
use crate::matches::port::{Fault, Space};

const HEADER: &[u8] = b"phase-parlor backup 1\n";
const ROW: u8 = 1;
const END: u8 = 0;

/// So much is written at once: who waits for the journal to be on disk must not wait for a whole backup as well.
const PORTION: usize = 1 << 20;

/// No row is longer; a longer one in a file is damage, not a reason to run out of memory.
const LONGEST: u32 = 1 << 30;

/// Makes a store in a new or empty directory from a backup. The backup is checked to its end before anything is written.
pub fn restore(file: &Path, path: &Path) -> Result<(), StoreError> {
    restore_with(file, path, &SledOptions::default())
}

pub fn restore_with(file: &Path, path: &Path, settings: &SledOptions) -> Result<(), StoreError> {
    let opened = File::open(file).map_err(StoreError::io("opening", file))?;
    let mut format = None;
    read(&opened, file, |key, value| {
        if key == full_key(Space::Meta, FORMAT_KEY) {
            format = migrate::read_format(&value);
        }
        Ok(())
    })?;
    let format = format.ok_or_else(|| StoreError::bad_backup(file, "it does not say which format it has"))?;
    if format > latest(settings.migrations) {
        return Err(StoreError::Newer {
            path: file.to_owned(),
            found: format,
            known: latest(settings.migrations),
        });
    }
    let layout = StorePaths::new(path);
    // The leavings of a restore that was interrupted are no store.
    match layout.look() {
        Ok(Contents::Nothing) => {}
        Ok(Contents::Store) | Err(StoreError::NotAStore { .. }) => {
            return Err(StoreError::NotEmpty {
                path: path.to_owned(),
            });
        }
        Err(error) => return Err(error),
    }
    layout.make()?;
    let _lock = layout.lock()?;
    create(&layout, settings, format, |store| {
        read(&opened, file, |key, value| store.put(&key, &value))
    })
}

/// Whether there is no such file yet.
fn may_make(path: &Path) -> Result<(), StoreError> {
    match path.symlink_metadata() {
        Ok(_) => Err(exists(path)),
        Err(_) => Ok(()),
    }
}

/// Whether a file lies elsewhere than in a store: a stranger there keeps the store from being opened again.
fn is_outside(file: &Path, root: &Path) -> Result<(), StoreError> {
    if files::is_within(file, root) {
        return Err(StoreError::BackupInside {
            path: file.to_owned(),
        });
    }
    Ok(())
}

/// How many bytes a backup takes at most, of runs whose rows have so many bytes, by number.
pub(super) fn most_bytes(runs: impl Iterator<Item = (u64, u64)>) -> u64 {
    // In front of a row.
    const HEAD: u64 = 10;
    runs.map(|(bytes, rows)| bytes + rows * HEAD).sum()
}

/// Whether a store may be backed up into a file: a new one, elsewhere than in the store.
pub fn may_back_up(file: &Path, root: &Path) -> Result<(), StoreError> {
    may_make(file)?;
    is_outside(file, root)
}

fn exists(path: &Path) -> StoreError {
    StoreError::BackupExists {
        path: path.to_owned(),
    }
}

/// A backup on its way to disk: in a file of another name, which becomes its own at the end. If that end never comes, it is
/// removed.
#[derive(Debug)]
pub struct NewBackup {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    /// How many bytes are not on disk yet.
    unsynced: usize,
}

impl NewBackup {
    /// Begins one that is to have at most so many bytes, if there is no such file and there is room for it.
    pub fn begin(path: &Path, bytes: u64) -> Result<Self, StoreError> {
        may_make(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        has_room(folder, "back up the store", bytes)?;
        let part = part(path);
        let file = private()
            .create_new(true)
            .open(&part)
            .map_err(StoreError::io("writing", path))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            out: BufWriter::new(file),
            unsynced: 0,
        })
    }

    /// Gives it its name, with all of it on disk.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let writing = |error| StoreError::io("writing", &self.path)(error);
        self.out.flush().map_err(writing)?;
        self.out.get_ref().sync_all().map_err(writing)?;
        // A link, unlike a rename, never replaces a file that was made meanwhile.
        match fs::hard_link(&self.part, &self.path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(exists(&self.path)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                fs::rename(&self.part, &self.path).map_err(writing)?;
            }
            Err(error) => return Err(writing(error)),
        }
        sync_parent(&self.path)
    }
}

impl Write for NewBackup {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= PORTION {
            self.out.flush()?;
            self.out.get_ref().sync_data()?;
            self.unsynced = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for NewBackup {
    fn drop(&mut self) {
        // It has another name by now, or is of no use.
        _ = fs::remove_file(&self.part);
    }
}

fn part(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Writes rows, each with its full key. An error of the writer's and one of the rows' are told apart.
pub(super) fn write(
    out: &mut dyn Write,
    rows: impl Iterator<Item = Result<(Vec<u8>, Vec<u8>), Fault>>,
) -> Result<(), WriteFailure> {
    let mut out = Hashed {
        inner: out,
        hash: Sha256::new(),
    };
    out.write_all(HEADER)?;
    let mut count: u64 = 0;
    for row in rows {
        let (key, value) = row.map_err(WriteFailure::Rows)?;
        write_row(&mut out, &key, &value)?;
        count += 1;
    }
    out.write_all(&[END])?;
    out.write_all(&count.to_be_bytes())?;
    let Hashed { inner, hash } = out;
    inner.write_all(&hash.finalize())?;
    Ok(inner.flush()?)
}

/// Why a backup could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteFailure {
    /// The rows could not be read.
    #[error(transparent)]
    Rows(Fault),
    /// They could not be written.
    #[error(transparent)]
    Out(#[from] io::Error),
}

fn write_row(out: &mut impl Write, full_key: &[u8], value: &[u8]) -> io::Result<()> {
    let (space, key) = full_key
        .split_first()
        .ok_or_else(|| io::Error::other("a row has no key"))?;
    let length = |bytes: &[u8]| {
        u32::try_from(bytes.len())
            .ok()
            .filter(|length| *length <= LONGEST)
            .ok_or_else(|| io::Error::other("a row is too long"))
    };
    out.write_all(&[ROW, *space])?;
    out.write_all(&length(key)?.to_be_bytes())?;
    out.write_all(&length(value)?.to_be_bytes())?;
    out.write_all(key)?;
    out.write_all(value)
}

/// Reads a backup from its start, hands over each row with its full key, and checks it at the end.
fn read(
    mut file: &File,
    path: &Path,
    mut take: impl FnMut(Vec<u8>, Vec<u8>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let bad = |what| StoreError::bad_backup(path, what);
    let reading = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => bad("the file is cut off"),
        _ => StoreError::io("reading", path)(error),
    };
    file.seek(SeekFrom::Start(0)).map_err(reading)?;
    let mut from = Hashed {
        inner: BufReader::new(file),
        hash: Sha256::new(),
    };
    let header: [u8; HEADER.len()] = from.array().map_err(|_| bad("it is no backup of a parlor"))?;
    if header != *HEADER {
        return Err(bad("it is no backup of a parlor, or one of a later version"));
    }
    let mut count: u64 = 0;
    loop {
        match from.array().map_err(reading)? {
            [ROW] => {
                let [space] = from.array().map_err(reading)?;
                let key_length = u32::from_be_bytes(from.array().map_err(reading)?);
                let value_length = u32::from_be_bytes(from.array().map_err(reading)?);
                if !Space::ALL.iter().any(|known| *known as u8 == space)
                    || key_length.max(value_length) > LONGEST
                {
                    return Err(bad("the file is damaged"));
                }
                let mut key = vec![space];
                from.append(&mut key, key_length).map_err(reading)?;
                let mut value = Vec::new();
                from.append(&mut value, value_length).map_err(reading)?;
                take(key, value)?;
                count += 1;
            }
            [END] => break,
            _ => return Err(bad("the file is damaged")),
        }
    }
    let promised = u64::from_be_bytes(from.array().map_err(reading)?);
    let Hashed { mut inner, hash } = from;
    let mut checksum = [0; 32];
    inner.read_exact(&mut checksum).map_err(reading)?;
    let rest = inner.read(&mut [0]).map_err(reading)?;
    if promised != count || hash.finalize()[..] != checksum || rest > 0 {
        return Err(bad("the file is damaged: its checksum differs"));
    }
    Ok(())
}

/// Hashes what passes.
struct Hashed<I> {
    inner: I,
    hash: Sha256,
}

impl<I: Write> Write for Hashed<I> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<I: Read> Hashed<I> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    /// Appends so many bytes. A false length costs no more memory than the file has bytes.
    fn append(&mut self, to: &mut Vec<u8>, length: u32) -> io::Result<()> {
        let before = to.len();
        let read = (&mut self.inner).take(length.into()).read_to_end(to)?;
        if read as u64 != u64::from(length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.hash.update(&to[before..]);
        Ok(())
    }
}
