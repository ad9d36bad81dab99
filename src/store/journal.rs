//! The journal: what was acknowledged and is not in sled yet.
//!
//! Appending a group to a file and syncing it is the cheapest way to have it on disk, so that is what an answer waits
//! for. sled catches up behind, many groups in one write, and then the file is removed. After a crash what the journal
//! holds is read, and sled takes it up behind as before.
//!
//! A file is named after the first group it may hold. A group is a frame: the length and the checksum of its body, then the
//! body, which is the number of the group and its writes. All numbers are little-endian and have four bytes, but
//! the group's, which has eight.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{StoreError, named_if_lost};
use super::files::{private, read_what_is_left};
use super::keeper::Checkpoint;
use super::layout::{StorePaths, sync_directory};
use super::rows::{self, RowChange, take, take_long, take_number, take_row};
use super::tables::RowTable;
use super::tree::full_key;
use crate::matches::port::Write;

/// The length and the checksum in front of a body.
const HEAD: usize = 8;

/// The file to which groups are appended.
#[derive(Debug)]
pub(super) struct Journal {
    directory: PathBuf,
    path: PathBuf,
    file: File,
    length: u64,
    frame: Vec<u8>,
}

impl Journal {
    /// Begins a new file for the groups from `first` on. What has its name is left of a try during which the disk failed:
    /// no group from `first` on was acknowledged.
    pub(super) fn begin(directory: &Path, first: u64) -> Result<Self, StoreError> {
        fs::create_dir_all(directory).map_err(StoreError::io("making the directory", directory))?;
        let path = path_of(directory, first);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("removing", &path)(error));
            }
            _ => {}
        }
        let file = private()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(StoreError::io("making", &path))?;
        sync_directory(directory)?;
        Ok(Self {
            directory: directory.to_owned(),
            path,
            file,
            length: 0,
            frame: Vec::new(),
        })
    }

    /// Goes on in a new file, and returns the path of the old one.
    pub(super) fn rotate(&mut self, first: u64) -> Result<PathBuf, StoreError> {
        let next = Self::begin(&self.directory, first)?;
        Ok(std::mem::replace(self, next).path)
    }

    /// Goes on in a new file after a fault, and returns the path of the old one if it holds anything. What was not written to its
    /// end is void: a file holds no group from the first of the next file on. The old file is not synced again; after a
    /// failed sync nobody knows what that would mean.
    pub(super) fn abandon(&mut self, first: u64) -> Result<Option<PathBuf>, StoreError> {
        // Where the next group is the first of this file, nothing in it was acknowledged, whatever its length.
        if self.path != path_of(&self.directory, first) {
            // Only to give back what it takes: nothing depends on it.
            _ = self.file.set_len(self.length);
            return self.rotate(first).map(Some);
        }
        *self = Self::begin(&self.directory, first)?;
        Ok(None)
    }

    /// How many bytes the file has.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// Writes a group. It is on disk when this returns, against loss of power too.
    pub(super) fn append(&mut self, number: u64, group: &[Write]) -> io::Result<()> {
        self.frame.clear();
        encode(number, group, &mut self.frame)?;
        self.file.write_all(&self.frame)?;
        self.file.sync_data()?;
        self.length += self.frame.len() as u64;
        Ok(())
    }
}

/// The file for the groups from `first` on.
fn path_of(directory: &Path, first: u64) -> PathBuf {
    directory.join(format!("{first:020}"))
}

/// Removes a file of a journal once sled holds what it held.
pub(super) fn remove(path: &Path) -> Result<(), StoreError> {
    fs::remove_file(path).map_err(StoreError::io("removing", path))
}

/// Removes a journal once sled holds all of it.
pub(super) fn clear(layout: &StorePaths) -> Result<(), StoreError> {
    super::layout::clear(&layout.journal)?;
    sync_directory(&layout.root)
}

/// What a journal holds beyond what is in sled.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// The last value of each row; nothing where the row was deleted.
    pub(super) rows: RowTable,
    /// The number of the last group, if there is any.
    pub(super) last: Option<u64>,
}

impl Pending {
    /// What sled is to take up, with the files that hold it until then. Those that are not needed any more are removed.
    pub(super) fn into_checkpoint(self, layout: &StorePaths) -> Result<Option<Checkpoint>, StoreError> {
        let Some(last) = self.last else {
            clear(layout)?;
            return Ok(None);
        };
        let mut journal = Vec::new();
        for (name, path) in files(layout)? {
            // The last file may have been begun and hold nothing; the next one has its name.
            if name.parse::<u64>().is_ok_and(|first| first <= last) {
                journal.push(path);
            } else {
                remove(&path)?;
            }
        }
        Ok(Some(Checkpoint {
            table: Arc::new(self.rows),
            groups: last,
            journal,
        }))
    }
}

/// Reads what comes after the group `checkpointed`. Damage is told in words; what was half written when the process died, or
/// when the disk failed, is not damage, as long as no group is missing.
pub(super) fn read(layout: &StorePaths, checkpointed: u64) -> Result<Pending, StoreError> {
    let damaged = |what: String| StoreError::damaged(&layout.root, what);
    let mut pending = Pending::default();
    let mut files = files(layout)?.into_iter().peekable();
    while let Some((name, path)) = files.next() {
        // What the next file may hold was never acknowledged in this one.
        let end = files.peek().and_then(|(next, _)| next.parse::<u64>().ok());
        let content = fs::read(&path).map_err(StoreError::io("reading", &path))?;
        let mut frames = Frames { rest: &content };
        // A file that was begun anew after a fault may be empty.
        let mut whole = end.is_none() || end == name.parse().ok();
        for frame in &mut frames {
            let next = pending.last.unwrap_or(checkpointed) + 1;
            let (number, rows) = match frame {
                Ok(frame) => frame,
                Err(_) if whole && end.is_some() => break,
                Err(what) => return Err(damaged(format!("its file `journal/{name}` {what}"))),
            };
            if end.is_some_and(|end| number >= end) {
                break;
            }
            if number > next {
                let missing = number - next;
                return Err(damaged(format!(
                    "{missing} changes that were acknowledged are lost (from number {next} on)"
                )));
            }
            if number == next {
                pending.rows.extend(rows);
                pending.last = Some(number);
            }
            whole = end.is_none_or(|end| number + 1 == end);
        }
        if !whole {
            return Err(damaged(format!("its file `journal/{name}` ends too early")));
        }
    }
    Ok(pending)
}

/// All changes that can be read, in order, and in words what can't be. An error is one that whoever asks can mend.
pub(super) fn read_what_can_be_read(
    layout: &StorePaths,
) -> Result<(Vec<RowChange>, Vec<String>), StoreError> {
    let (mut changes, mut unreadable) = (Vec::new(), Vec::new());
    let Listed { files, strangers } = match list(&layout.journal) {
        Ok(listed) => listed,
        Err(error) => {
            unreadable.push(named_if_lost("its directory `journal`", &layout.journal, error)?);
            Listed::default()
        }
    };
    unreadable.extend(
        strangers
            .iter()
            .map(|name| format!("`journal/{name}` is no file of it")),
    );
    let mut files = files.into_iter().peekable();
    while let Some((name, path)) = files.next() {
        let named = format!("its file `journal/{name}`");
        let (content, why) = read_what_is_left(&path);
        if let Some(error) = why {
            unreadable.push(named_if_lost(&named, &path, error)?);
        }
        // What the next file may hold was never acknowledged in this one.
        let end = files.peek().and_then(|(next, _)| next.parse::<u64>().ok());
        let mut frames = Frames { rest: &content };
        while !frames.rest.is_empty() {
            match frames.next() {
                Some(Ok((number, rows))) => {
                    if end.is_none_or(|end| number < end) {
                        changes.extend(rows);
                    }
                }
                broken => {
                    frames.find_next();
                    // Half a frame at the end is nothing; with others behind it, it is damage.
                    if broken.is_some() || !frames.rest.is_empty() {
                        unreadable.push(format!("{named} {CHANGED}"));
                    }
                }
            }
        }
    }
    Ok((changes, unreadable))
}

/// The files of a journal in order, by name.
pub(super) fn files(layout: &StorePaths) -> Result<BTreeMap<String, PathBuf>, StoreError> {
    let Listed { files, strangers } =
        list(&layout.journal).map_err(StoreError::io("reading", &layout.journal))?;
    match strangers.first() {
        None => Ok(files),
        Some(name) => {
            let what = format!("a file `journal/{name}` has been added to it");
            Err(StoreError::damaged(&layout.root, what))
        }
    }
}

/// What lies in the directory of a journal.
#[derive(Default)]
struct Listed {
    files: BTreeMap<String, PathBuf>,
    /// Names that no file of a journal has.
    strangers: Vec<String>,
}

fn list(directory: &Path) -> io::Result<Listed> {
    let mut listed = Listed::default();
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(listed),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.parse::<u64>().is_ok() {
            listed.files.insert(name, entry.path());
        } else {
            listed.strangers.push(name);
        }
    }
    Ok(listed)
}

fn encode(number: u64, group: &[Write], frame: &mut Vec<u8>) -> io::Result<()> {
    frame.extend([0; HEAD]);
    frame.extend(number.to_le_bytes());
    for write in group {
        let (space, key, value) = match write {
            Write::Put { space, key, value } => (space, key, Some(&value[..])),
            Write::Delete { space, key } => (space, key, None),
        };
        rows::encode(&full_key(*space, key), value, frame)?;
    }
    let (head, body) = frame.split_at_mut(HEAD);
    head[..4].copy_from_slice(&rows::length(body.len())?);
    head[4..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    Ok(())
}

/// What is said of a frame that makes no sense.
const CHANGED: &str = "is not what was written to it";

/// One frame after another, until there is none; what is left then was not written to its end.
struct Frames<'a> {
    rest: &'a [u8],
}

/// The number of a group and its rows.
type Frame = (u64, Vec<RowChange>);

impl Frames<'_> {
    /// Goes on behind what can't be read, where a whole frame begins; or to the end.
    fn find_next(&mut self) {
        let whole = |at: &usize| {
            let rest = self.rest.get(*at..).unwrap_or_default();
            matches!(Frames { rest }.next(), Some(Ok(_)))
        };
        let next = (1..self.rest.len()).find(whole).unwrap_or(self.rest.len());
        self.rest = self.rest.get(next..).unwrap_or_default();
    }
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut after = self.rest;
        let length = take_number(&mut after)?;
        let checksum = take_number(&mut after)?;
        // A file that grew and was not filled when the power went ends in zeros.
        if length == 0 {
            return self.rest.iter().any(|byte| *byte != 0).then_some(Err(CHANGED));
        }
        let body = take(&mut after, usize::try_from(length).ok()?)?;
        if crc32fast::hash(body) != checksum {
            // Nothing is appended before what is in front of it is on disk.
            return (!after.is_empty()).then_some(Err(CHANGED));
        }
        self.rest = after;
        Some(decode(body).ok_or(CHANGED))
    }
}

fn decode(mut body: &[u8]) -> Option<Frame> {
    let number = take_long(&mut body)?;
    let mut rows = Vec::new();
    while !body.is_empty() {
        let (key, value) = take_row(&mut body)?;
        rows.push((key.to_vec(), value.map(<[u8]>::to_vec)));
    }
    Some((number, rows))
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;
    use crate::matches::port::Space;

    fn group(number: u8) -> Vec<Write> {
        vec![
            Write::Put {
                space: Space::Log,
                key: vec![number],
                value: vec![number; 40],
            },
            Write::Delete {
                space: Space::Outbox,
                key: vec![number.saturating_sub(1)],
            },
        ]
    }

    /// A journal in two files, with the groups 4 to 6 and 7 to 9.
    fn journal() -> (tempfile::TempDir, StorePaths) {
        let home = tempfile::tempdir().unwrap();
        let layout = StorePaths::new(home.path());
        let mut journal = Journal::begin(&layout.journal, 4).unwrap();
        for number in 4..7 {
            journal.append(u64::from(number), &group(number)).unwrap();
        }
        journal.rotate(7).unwrap();
        for number in 7..10 {
            journal.append(u64::from(number), &group(number)).unwrap();
        }
        (home, layout)
    }

    fn logged(rest: &Pending) -> Vec<u8> {
        let log = rest.rows.iter().filter(|(key, _)| key[0] == Space::Log as u8);
        log.map(|(key, _)| key[1]).collect()
    }

    #[test]
    fn it_holds_what_comes_after_the_last_checkpoint() {
        let (_home, layout) = journal();
        let rest = read(&layout, 3).unwrap();
        assert_eq!((logged(&rest), rest.last), (vec![4, 5, 6, 7, 8, 9], Some(9)));
        assert_eq!(rest.rows[&[Space::Outbox as u8, 8][..]], None);
        assert_eq!(rest.rows[&[Space::Log as u8, 8][..]], Some(vec![8; 40]));
        let rest = read(&layout, 7).unwrap();
        assert_eq!((logged(&rest), rest.last), (vec![8, 9], Some(9)));
        assert_eq!(read(&layout, 9).unwrap().last, None);
        let gap = read(&layout, 1).unwrap_err().to_string();
        assert!(gap.contains("2 changes that were acknowledged are lost"), "{gap}");
    }

    #[test]
    fn a_half_written_end_is_no_damage_and_a_hole_is() {
        let (_home, layout) = journal();
        let [first, last] = [4, 7].map(|first| layout.journal.join(format!("{first:020}")));
        let whole = fs::read(&last).unwrap();
        let frame = whole.len() / 3;
        for cut in 0..whole.len() {
            fs::write(&last, &whole[..cut]).unwrap();
            let found = read(&layout, 3).unwrap().last;
            assert_eq!(found, Some(6 + (cut / frame) as u64), "cut at {cut}");
            // As some file systems leave it when the power goes.
            let mut zeros = whole[..cut].to_vec();
            zeros.resize(cut / frame * frame + frame, 0);
            fs::write(&last, &zeros).unwrap();
            assert!(
                read(&layout, 3).unwrap().last >= Some(6 + (cut / frame) as u64),
                "zeros from {cut}"
            );
        }
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            fs::write(&last, &flipped).unwrap();
            match read(&layout, 3) {
                Ok(rest) => assert!(rest.last < Some(9), "a change at {at} goes unnoticed"),
                Err(error) => assert!(error.to_string().contains("is damaged"), "{error}"),
            }
        }
        fs::write(&last, &whole).unwrap();
        let length = fs::metadata(&first).unwrap().len();
        OpenOptions::new()
            .write(true)
            .open(&first)
            .unwrap()
            .set_len(length - 1)
            .unwrap();
        let error = read(&layout, 3).unwrap_err().to_string();
        assert!(error.contains("ends too early"), "{error}");
    }

    #[test]
    fn what_lies_behind_damage_can_still_be_read() {
        let (_home, layout) = journal();
        let first = path_of(&layout.journal, 4);
        let whole = fs::read(&first).unwrap();
        let frame = whole.len() / 3;
        for at in frame..2 * frame {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            fs::write(&first, &flipped).unwrap();
            let (changes, unreadable) = read_what_can_be_read(&layout).unwrap();
            let logged = changes.iter().filter(|(key, _)| key[0] == Space::Log as u8);
            let logged: Vec<u8> = logged.map(|(key, _)| key[1]).collect();
            assert_eq!(logged, [4, 6, 7, 8, 9], "a change at {at}");
            assert_eq!(unreadable.len(), 1, "a change at {at}");
        }
    }

    #[test]
    fn what_can_not_be_read_costs_nothing_else() {
        let (_home, layout) = journal();
        let logged = || {
            let (changes, unreadable) = read_what_can_be_read(&layout).unwrap();
            let logged = changes.iter().filter(|(key, _)| key[0] == Space::Log as u8);
            (logged.map(|(key, _)| key[1]).collect::<Vec<u8>>(), unreadable)
        };
        fs::write(layout.journal.join("notes.txt"), "a stranger").unwrap();
        let (numbers, unreadable) = logged();
        assert_eq!(numbers, [4, 5, 6, 7, 8, 9]);
        assert_eq!(unreadable, ["`journal/notes.txt` is no file of it"]);
        // What was left behind after a fault, and was never acknowledged.
        let mut void = Vec::new();
        encode(7, &group(99), &mut void).unwrap();
        let first = path_of(&layout.journal, 4);
        let whole = fs::read(&first).unwrap();
        fs::write(&first, [&whole[..], &void].concat()).unwrap();
        assert_eq!(logged().0, [4, 5, 6, 7, 8, 9]);
        // A file that can't be read at all: a directory is one.
        fs::remove_file(&first).unwrap();
        fs::create_dir(&first).unwrap();
        let (numbers, unreadable) = logged();
        assert_eq!(numbers, [7, 8, 9]);
        assert!(
            unreadable[1].starts_with("its file `journal/00000000000000000004` can't be read"),
            "{unreadable:?}"
        );
        fs::remove_dir_all(&layout.journal).unwrap();
        fs::write(&layout.journal, "in the way").unwrap();
        let (numbers, unreadable) = logged();
        assert!(numbers.is_empty(), "{numbers:?}");
        assert!(
            unreadable[0].starts_with("its directory `journal` can't be read"),
            "{unreadable:?}"
        );
    }

    /// As when the watermark could not be raised after the first group of a file was on disk.
    #[test]
    fn a_file_whose_first_group_was_not_acknowledged_is_begun_anew() {
        let home = tempfile::tempdir().unwrap();
        let layout = StorePaths::new(home.path());
        let mut journal = Journal::begin(&layout.journal, 4).unwrap();
        for _ in 0..3 {
            journal.append(4, &group(66)).unwrap();
            assert_eq!(journal.abandon(4).unwrap(), None);
        }
        journal.append(4, &group(4)).unwrap();
        let rest = read(&layout, 3).unwrap();
        assert_eq!((logged(&rest), rest.last), (vec![4], Some(4)));
        // The next file was made, but its name could not be synced; it is tried again.
        fs::write(path_of(&layout.journal, 5), b"half").unwrap();
        assert!(journal.abandon(5).unwrap().is_some());
        journal.append(5, &group(5)).unwrap();
        let rest = read(&layout, 3).unwrap();
        assert_eq!((logged(&rest), rest.last), (vec![4, 5], Some(5)));
    }

    #[test]
    fn what_was_written_when_the_disk_failed_is_void() {
        let home = tempfile::tempdir().unwrap();
        let layout = StorePaths::new(home.path());
        let mut journal = Journal::begin(&layout.journal, 4).unwrap();
        let old = journal.path.clone();
        journal.append(4, &group(4)).unwrap();
        journal.append(5, &group(5)).unwrap();
        let good = fs::read(&old).unwrap();
        // The sync of this one failed, so nobody was told that it is saved.
        journal.append(6, &group(66)).unwrap();
        let failed = fs::read(&old).unwrap();
        assert_eq!(journal.abandon(6).unwrap(), Some(old.clone()));
        journal.append(6, &group(6)).unwrap();
        // However much of it the disk has kept after all.
        for cut in good.len()..=failed.len() {
            fs::write(&old, &failed[..cut]).unwrap();
            let rest = read(&layout, 3).unwrap();
            assert_eq!(
                (logged(&rest), rest.last),
                (vec![4, 5, 6], Some(6)),
                "cut at {cut}"
            );
        }
        fs::write(&old, &good[..good.len() - 1]).unwrap();
        let error = read(&layout, 3).unwrap_err().to_string();
        assert!(error.contains("ends too early"), "{error}");
    }

    #[test]
    fn what_is_left_of_it_stays_on_disk_until_sled_has_taken_it_up() {
        let (_home, layout) = journal();
        let path = |first: u64| layout.journal.join(format!("{first:020}"));
        // Killed just after it went on in a new file.
        fs::write(path(10), b"").unwrap();
        let rest = read(&layout, 5)
            .unwrap()
            .into_checkpoint(&layout)
            .unwrap()
            .unwrap();
        assert_eq!((rest.groups, &rest.journal[..]), (9, &[path(4), path(7)][..]));
        assert_eq!(rest.table.len(), 8, "four groups of two rows");
        let mut next = Journal::begin(&layout.journal, rest.groups + 1).unwrap();
        next.append(10, &group(10)).unwrap();
        // Killed again before sled has taken anything up.
        let again = read(&layout, 5).unwrap();
        assert_eq!((logged(&again), again.last), (vec![6, 7, 8, 9, 10], Some(10)));
        assert!(
            read(&layout, 10)
                .unwrap()
                .into_checkpoint(&layout)
                .unwrap()
                .is_none()
        );
        assert!(files(&layout).unwrap().is_empty(), "sled holds all of it");
    }

    #[test]
    fn a_file_without_groups_is_begun_again_after_a_fault() {
        let home = tempfile::tempdir().unwrap();
        let layout = StorePaths::new(home.path());
        let mut journal = Journal::begin(&layout.journal, 4).unwrap();
        fs::write(&journal.path, "half").unwrap();
        assert_eq!(journal.abandon(4).unwrap(), None);
        journal.append(4, &group(4)).unwrap();
        assert_eq!(read(&layout, 3).unwrap().last, Some(4));
    }

    #[test]
    fn a_stranger_among_its_files_is_named() {
        let (_home, layout) = journal();
        fs::write(layout.journal.join("notes.txt"), "").unwrap();
        let error = read(&layout, 3).unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
    }
}
