//! The runs of a store, and the manifest that names them.
//!
//! Rows settle in runs: what sled holds becomes a run, and sled begins anew. So sled stays small, whatever the size of the
//! store, and with it the time that a start takes after a crash; and what was replaced or deleted leaves the disk when runs are
//! merged. The newest run comes first and hides the others.
//!
//! The manifest is replaced as a whole. Before it names a run, that run is on disk; what it does not name is removed at the
//! next start. Its format is a line for each run (number, length, checksum of its index), and a checksum of the lines.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use super::below::{RowLayer, reading_run};
use super::blocks::BlockCache;
use super::error::StoreError;
use super::layout::{StorePaths, sync_directory, write_whole};
use super::run::{Run, is_part};

/// How many bytes of blocks are remembered.
const CACHE: usize = 8 << 20;

const TITLE: &str = "parlor store, settled";

/// The runs, the newest first.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    list: Arc<[Arc<Run>]>,
    cache: Arc<BlockCache>,
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            list: Arc::new([]),
            cache: Arc::new(BlockCache::new(CACHE)),
        }
    }
}

impl Runs {
    /// Opens the runs that the manifest names. A run that is missing or not as it was written is damage.
    pub(super) fn open(layout: &StorePaths) -> Result<Self, StoreError> {
        let damaged = |what: String| StoreError::damaged(&layout.root, what);
        let mut list = Vec::new();
        for Named {
            number,
            bytes,
            checksum,
        } in named(layout)?
        {
            let path = layout.run(number);
            let run = Run::open(&path, number).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => damaged(format!("its file `runs/{number:08}` is missing")),
                _ => StoreError::unreadable(&layout.root)(error),
            })?;
            if (run.bytes, run.checksum) != (bytes, checksum) {
                return Err(damaged(format!("its file `runs/{number:08}` is another one")));
            }
            list.push(Arc::new(run));
        }
        Ok(Self::default().with(list))
    }

    /// Other runs, with the same memory.
    pub(super) fn with(&self, list: Vec<Arc<Run>>) -> Self {
        Self {
            list: list.into(),
            cache: Arc::clone(&self.cache),
        }
    }

    /// Has the manifest name these runs, for good even if the power goes.
    pub(super) fn write_manifest(&self, layout: &StorePaths) -> Result<(), StoreError> {
        write_whole(&layout.manifest, to_text(self.list()).as_bytes())
    }

    /// Removes files that are no runs of these.
    pub(super) fn remove_others(&self, layout: &StorePaths) -> Result<(), StoreError> {
        let kept: BTreeSet<PathBuf> = self.list.iter().map(|run| layout.run(run.number)).collect();
        for path in files(layout)? {
            if !kept.contains(&path) {
                fs::remove_file(&path).map_err(StoreError::io("removing", &path))?;
            }
        }
        if layout.runs.exists() {
            sync_directory(&layout.runs)?;
        }
        Ok(())
    }

    pub(super) fn list(&self) -> &[Arc<Run>] {
        &self.list
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn newest(&self) -> u64 {
        self.list.iter().map(|run| run.number).max().unwrap_or(0)
    }

    /// What the newest run that knows of a row says: its value, or that it was deleted.
    pub(super) fn get(&self, key: &[u8]) -> io::Result<Option<Option<Vec<u8>>>> {
        for run in &*self.list {
            let known = run.get(key, &self.cache)?;
            if known.is_some() {
                return Ok(known);
            }
        }
        Ok(None)
    }

    /// Whether there is a row.
    pub(super) fn holds(&self, key: &[u8]) -> io::Result<bool> {
        Ok(self.get(key)?.flatten().is_some())
    }

    pub(super) fn layers(&self, range: &RangeInclusive<&[u8]>) -> impl Iterator<Item = RowLayer<'static>> {
        self.list
            .iter()
            .map(|run| layer(run, range, Some(Arc::clone(&self.cache))))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// A run as the manifest names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) number: u64,
    bytes: u64,
    checksum: u32,
}

/// The runs that the manifest names, the newest first. None are named where nothing has settled yet.
pub(super) fn named(layout: &StorePaths) -> Result<Vec<Named>, StoreError> {
    let damaged = |what: &str| StoreError::damaged(&layout.root, what);
    match fs::read(&layout.manifest) {
        Ok(text) => String::from_utf8(text)
            .ok()
            .and_then(|text| from_text(&text))
            .ok_or_else(|| damaged("its file `manifest` can't be read")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if files(layout)?.iter().all(|path| is_part(path)) {
                Ok(Vec::new())
            } else {
                Err(damaged("its file `manifest` is missing"))
            }
        }
        Err(error) => Err(StoreError::io("reading", &layout.manifest)(error)),
    }
}

/// Removes what is left of runs that were not finished, before anybody looks how much room there is.
pub(super) fn remove_half_made(layout: &StorePaths) -> Result<(), StoreError> {
    for path in files(layout)?.into_iter().filter(|path| is_part(path)) {
        fs::remove_file(&path).map_err(StoreError::io("removing", &path))?;
    }
    Ok(())
}

/// Rows of one run in a range.
pub(super) fn layer(
    run: &Arc<Run>,
    range: &RangeInclusive<&[u8]>,
    cache: Option<Arc<BlockCache>>,
) -> RowLayer<'static> {
    let last = range.end().to_vec();
    let rows = run.from(range.start(), cache);
    RowLayer::new(
        rows.take_while(move |row| row.as_ref().map_or(true, |(key, _)| *key <= last))
            .map(|row| row.map_err(reading_run)),
    )
}

/// The files in the directory of runs.
fn files(layout: &StorePaths) -> Result<Vec<PathBuf>, StoreError> {
    let reading = |error| StoreError::io("reading", &layout.runs)(error);
    match fs::read_dir(&layout.runs) {
        Ok(entries) => entries.map(|entry| Ok(entry.map_err(reading)?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(reading(error)),
    }
}

fn to_text(runs: &[Arc<Run>]) -> String {
    let mut text = format!("{TITLE}\n");
    for run in runs {
        // Writing to a string does not fail.
        _ = writeln!(text, "{:08} {} {:08x}", run.number, run.bytes, run.checksum);
    }
    let check = crc32fast::hash(text.as_bytes());
    _ = writeln!(text, "{check:08x}");
    text
}

fn from_text(text: &str) -> Option<Vec<Named>> {
    let body = text.strip_suffix('\n')?;
    let (body, check) = body.rsplit_once('\n')?;
    let hashed = text.get(..=body.len())?;
    if format!("{:08x}", crc32fast::hash(hashed.as_bytes())) != check {
        return None;
    }
    let mut lines = body.lines();
    (lines.next()? == TITLE).then_some(())?;
    lines
        .map(|line| {
            let mut parts = line.split(' ');
            let named = Named {
                number: parts.next()?.parse().ok()?,
                bytes: parts.next()?.parse().ok()?,
                checksum: u32::from_str_radix(parts.next()?, 16).ok()?,
            };
            parts.next().is_none().then_some(named)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::run::RunWriter;

    fn run(layout: &StorePaths, number: u64, rows: &[(&[u8], Option<&[u8]>)]) -> Arc<Run> {
        fs::create_dir_all(&layout.runs).unwrap();
        let mut writer = RunWriter::create(&layout.run(number), number).unwrap();
        for (key, value) in rows {
            writer.put(key, *value).unwrap();
        }
        Arc::new(writer.finish().unwrap())
    }

    #[test]
    fn a_manifest_reads_back_and_a_changed_one_does_not() {
        let home = tempfile::tempdir().unwrap();
        let layout = StorePaths::new(home.path());
        let list = vec![
            run(&layout, 2, &[(b"a", None)]),
            run(&layout, 1, &[(b"a", Some(b"1"))]),
        ];
        let runs = Runs::default().with(list);
        runs.write_manifest(&layout).unwrap();
        let again = Runs::open(&layout).unwrap();
        assert_eq!(again.list().len(), 2);
        assert_eq!(
            again.get(b"a").unwrap(),
            Some(None),
            "the newer one says it was deleted"
        );
        assert!(!again.holds(b"a").unwrap());
        let text = fs::read(&layout.manifest).unwrap();
        for at in 0..text.len() {
            let mut changed = text.clone();
            changed[at] ^= 1;
            fs::write(&layout.manifest, &changed).unwrap();
            assert!(Runs::open(&layout).is_err(), "byte {at}");
        }
        fs::remove_file(&layout.manifest).unwrap();
        assert!(Runs::open(&layout).is_err(), "runs without a manifest");
        fs::write(&layout.manifest, &text).unwrap();
        fs::remove_file(layout.run(1)).unwrap();
        let words = Runs::open(&layout).unwrap_err().to_string();
        assert!(words.contains("`runs/00000001` is missing"), "{words}");
    }
}
