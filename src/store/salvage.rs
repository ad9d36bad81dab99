//! What can still be read of a damaged store, as a new one.
//!
//! The damaged store is not touched: sled, which writes as it opens, is given a copy. Pieces are read in the order in which they
//! were written, so that later rows replace earlier ones; what can't be read is named and passed over. What whoever asks can
//! mend, such as a file that they may not read, ends it instead: nothing is given up that need not be.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::path::Path;

use super::below::{ALL_ROWS, Merged, delta_layers};
use super::error::{StoreError, named_if_lost};
use super::files::{
    create_private, has_room, private_directory, read_around_holes, read_what_is_left, size_of,
};
use super::journal;
use super::layout::{Contents, Progress, StorePaths, clear};
use super::migrate::{self, FORMAT_KEY};
use super::rows::RowChange;
use super::run::{Piece, Run, blocks_without_index};
use super::settled;
use super::sled::{SledOptions, create};
use super::sled_files::{self, is_leftover};
use super::tree::full_key;
use crate::matches::port::Space;

/// How much sled may keep in memory of a copy.
const CACHE: NonZeroU64 = NonZeroU64::MIN.saturating_add((8 << 20) - 1);

/// What came of it.
#[derive(Debug, Default)]
pub struct Salvaged {
    /// How many rows were found.
    pub rows: usize,
    /// The pieces that could not be read, in words.
    pub unreadable: Vec<String>,
}

/// Reads what can be read of the store in one directory, and makes a new store of it in another.
pub fn salvage(from: &Path, to: &Path) -> Result<Salvaged, StoreError> {
    let (source, target) = (StorePaths::new(from), StorePaths::new(to));
    if !from.is_dir() {
        return Err(StoreError::NotADirectory {
            path: from.to_owned(),
        });
    }
    match target.look() {
        Ok(Contents::Nothing) => {}
        Ok(Contents::Store) | Err(StoreError::NotAStore { .. }) => {
            return Err(StoreError::NotEmpty { path: to.to_owned() });
        }
        Err(error) => return Err(error),
    }
    // A store in use is not what is on disk at any one moment.
    let _source = source.lock_if_there()?;
    target.make()?;
    let _lock = target.lock()?;
    let copied = SledOptions::default().room + size_of(&source.sled) + size_of(&source.runs);
    has_room(to, "salvage a store into it", copied)?;
    let mut wreck = Wreck::default();
    wreck.read_runs(&source)?;
    wreck.read_sled(&source, &target)?;
    wreck.read_journal(&source)?;
    let Wreck { mut rows, unreadable } = wreck;
    rows.retain(|key, _| key.first().is_some_and(|space| Space::of(*space).is_some()));
    let format_key = full_key(Space::Meta, FORMAT_KEY);
    let format = rows
        .get(&format_key)
        .and_then(|value| migrate::read_format(value))
        .or_else(|| Progress::read(&source).ok().map(|mark| mark.format))
        .unwrap_or(1);
    rows.insert(format_key, migrate::format_value(format));
    create(&target, &SledOptions::default(), format, |store| {
        rows.iter().try_for_each(|(key, value)| store.put(key, value))
    })?;
    Ok(Salvaged {
        rows: rows.len(),
        unreadable,
    })
}

/// What is read of a damaged store, and what can't be.
#[derive(Default)]
struct Wreck {
    rows: BTreeMap<Vec<u8>, Vec<u8>>,
    unreadable: Vec<String>,
}

impl Wreck {
    fn take(&mut self, key: Vec<u8>, value: Option<Vec<u8>>) {
        match value {
            Some(value) => _ = self.rows.insert(key, value),
            None => _ = self.rows.remove(&key),
        }
    }

    fn take_all(&mut self, rows: Vec<RowChange>) {
        rows.into_iter().for_each(|(key, value)| self.take(key, value));
    }

    /// The runs that the manifest names, and newer ones, the oldest first. One that was merged and not removed yet is passed
    /// over: what was deleted since would come back from it. Where the manifest is what is damaged, all that are there.
    fn read_runs(&mut self, source: &StorePaths) -> Result<(), StoreError> {
        let names = fs::read_dir(&source.runs).into_iter().flatten().flatten();
        let there = names.filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
        let mut numbers: BTreeSet<u64> = there.collect();
        match settled::named(source) {
            Ok(named) => {
                let named: BTreeSet<u64> = named.iter().map(|run| run.number).collect();
                let newest = named.last().copied().unwrap_or(0);
                numbers.retain(|number| *number > newest);
                numbers.extend(named);
            }
            Err(StoreError::Damaged { what, .. }) => self.unreadable.push(what),
            Err(error) => self.unreadable.push(error.to_string()),
        }
        for number in numbers {
            let path = source.run(number);
            match Run::open(&path, number) {
                Ok(run) => {
                    for block in run.blocks() {
                        match block {
                            Ok(rows) => self.take_all(rows),
                            Err(error) => self.unreadable.push(error.to_string()),
                        }
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let missing = format!("its file `runs/{number:08}` is missing");
                    self.unreadable.push(missing);
                }
                Err(error) => self.read_without_index(&path, number, error)?,
            }
        }
        Ok(())
    }

    /// A run whose index can't be read, for this reason. Its blocks are there without it.
    fn read_without_index(&mut self, path: &Path, number: u64, why: io::Error) -> Result<(), StoreError> {
        let named = format!("its file `runs/{number:08}`");
        if why.kind() == io::ErrorKind::InvalidData {
            self.unreadable.push(why.to_string());
        } else {
            self.unreadable.push(named_if_lost(&named, path, why)?);
        }
        let (content, why) = read_what_is_left(path);
        if let Some(error) = why {
            self.unreadable.push(named_if_lost(&named, path, error)?);
        }
        for piece in blocks_without_index(&content) {
            match piece {
                Piece::Rows(rows) => self.take_all(rows),
                Piece::Hole(bytes) => self.unreadable.push(format!(
                    "{named} has {bytes} bytes that are not what was written to it"
                )),
            }
        }
        Ok(())
    }

    fn read_sled(&mut self, source: &StorePaths, target: &StorePaths) -> Result<(), StoreError> {
        let files = if source.replaced.is_dir() {
            &source.replaced
        } else {
            &source.sled
        };
        if !files.join("db").is_file() {
            self.unreadable.push("its file `sled/db` is missing".into());
            return Ok(());
        }
        let copy = &target.recovery_copy;
        // Without its summary sled reads its whole log, and gets further where the summary is what is damaged.
        for keep_summary in [true, false] {
            clear(copy)?;
            let lost = copy_around_holes(files, copy)?;
            if keep_summary {
                self.unreadable.extend(lost);
            } else {
                let summaries = fs::read_dir(copy).into_iter().flatten().flatten();
                summaries
                    .filter(|entry| entry.file_name().to_string_lossy().starts_with("snap."))
                    .for_each(|entry| _ = fs::remove_file(entry.path()));
            }
            let read = sled_files::catch_panics(|| {
                let sled = sled_files::open(copy, CACHE)?;
                let (first, last) = ALL_ROWS.into_inner();
                let mut layers = Merged(delta_layers(&sled, &(&first[..]..=&last[..]), true));
                let mut rows = Vec::new();
                for row in &mut layers {
                    match row {
                        Ok(row) => rows.push(row),
                        // What follows can't be told from what was read already.
                        Err(fault) => return Ok((rows, Some(fault.to_string()))),
                    }
                }
                Ok((rows, None))
            });
            match read {
                Ok((rows, broken)) => {
                    self.take_all(rows);
                    self.unreadable
                        .extend(broken.map(|what| format!("sled could be read in part only ({what})")));
                    break;
                }
                Err(_) if keep_summary => {}
                Err(failure) => self
                    .unreadable
                    .push(format!("sled could not be read ({failure})")),
            }
        }
        clear(copy)
    }

    fn read_journal(&mut self, source: &StorePaths) -> Result<(), StoreError> {
        let (rows, unreadable) = journal::read_what_can_be_read(source)?;
        self.take_all(rows);
        self.unreadable.extend(unreadable);
        Ok(())
    }
}

/// Copies a directory of sled's as far as it can be read. In words, what can't be.
fn copy_around_holes(from: &Path, to: &Path) -> Result<Vec<String>, StoreError> {
    let writing = |error| StoreError::io("copying the damaged store to", to)(error);
    let named = |path: &Path, error| {
        let within = path.parent().and_then(Path::file_name).unwrap_or_default();
        let name = path.file_name().unwrap_or_default();
        let named = format!("its file `{}/{}`", within.display(), name.display());
        named_if_lost(&named, path, error)
    };
    private_directory(to).map_err(writing)?;
    let mut lost = Vec::new();
    let entries = match fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) => return Ok(vec![named(from, error)?]),
    };
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                // Nobody knows what else is there.
                lost.push(named(from, error)?);
                break;
            }
        };
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            lost.extend(copy_around_holes(&path, &target)?);
        } else if !path.file_name().and_then(OsStr::to_str).is_some_and(is_leftover) {
            let opened = File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
            match opened {
                Ok((length, file)) => {
                    let mut copy = create_private(&target).map_err(writing)?;
                    let hole =
                        read_around_holes(file, length, |piece| copy.write_all(piece)).map_err(writing)?;
                    if let Some(error) = hole {
                        lost.push(named(&path, error)?);
                    }
                }
                Err(error) => lost.push(named(&path, error)?),
            }
        }
    }
    Ok(lost)
}
