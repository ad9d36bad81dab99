//! A run: rows that have settled, in one sorted file that is written once and never changed. Until it is whole, its name ends
//! with `.part`.
//!
//! ```text
//! "parlor run 1\n"
//! blocks     some rows each, compressed (zlib)
//! index      a block each: offset (8), length (4), checksum (4), length when unpacked (4), first key (length 4, key)
//! the end:   offset of the index (8), number of rows (8), checksum of the index (4), "run1"
//! ```
//!
//! Numbers are little-endian. At the start only the index is read. A block is checked each time it is read from the disk, so
//! damage is a fault and never a wrong row.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::blocks::BlockCache;
use super::files::private;
use super::rows::{self, RowChange, take_counted, take_long, take_number, take_row};

const HEADER: &[u8] = b"parlor run 1\n";
const TAIL: &[u8] = b"run1";
/// Offset of the index, number of rows, checksum of the index, and the mark.
const END: usize = 8 + 8 + 4 + TAIL.len();
/// A block is closed when its rows have this many bytes: large enough to compress well, small enough to be
/// unpacked for one row.
const BLOCK: usize = 16 << 10;
/// So much is written at once: who waits for another file to be on disk must not wait for a whole run as well.
const PORTION: u64 = 1 << 20;
/// What the name of a file ends with that is not a whole run yet.
const PART: &str = "part";
/// No block is longer when it is unpacked; a longer one is damage.
const LONGEST: u32 = 1 << 31;

/// A run that is open for reading. Its file is removed by whoever has replaced it, and is read to its end nevertheless.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) number: u64,
    path: PathBuf,
    file: File,
    index: Vec<Block>,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) checksum: u32,
}

/// Where a block lies.
#[derive(Debug)]
struct Block {
    offset: u64,
    length: u32,
    checksum: u32,
    unpacked: u32,
    first: Vec<u8>,
}

impl Run {
    /// Opens a run and checks its index. What is not as it was written is an error of the kind `InvalidData`.
    pub(super) fn open(path: &Path, number: u64) -> io::Result<Self> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let damaged = || changed(path, "its index");
        let end = bytes.checked_sub(END as u64).ok_or_else(damaged)?;
        let mut tail = [0; END];
        read_at(&file, &mut tail, end)?;
        let mut rest = &tail[..];
        let (offset, rows, checksum) = (|| {
            let found = (
                take_long(&mut rest)?,
                take_long(&mut rest)?,
                take_number(&mut rest)?,
            );
            (rest == TAIL).then_some(found)
        })()
        .ok_or_else(damaged)?;
        let length = end
            .checked_sub(offset)
            .and_then(|length| usize::try_from(length).ok());
        let mut index = vec![0; length.ok_or_else(damaged)?];
        read_at(&file, &mut index, offset)?;
        // The end of the file is hashed with the index, but for the checksum itself.
        if hash_index(&index, offset, rows) != checksum {
            return Err(damaged());
        }
        let mut rest = &index[..];
        let mut blocks = Vec::new();
        while !rest.is_empty() {
            blocks.push(Block::decode(&mut rest).ok_or_else(damaged)?);
        }
        Ok(Self {
            number,
            path: path.to_owned(),
            file,
            index: blocks,
            rows,
            bytes,
            checksum,
        })
    }

    /// What is known of a row here: its value, or that it was deleted.
    pub(super) fn get(&self, key: &[u8], cache: &BlockCache) -> io::Result<Option<Option<Vec<u8>>>> {
        let Some(at) = self.block_of(key) else {
            return Ok(None);
        };
        let block = cache.get((self.number, at), || self.read(at))?;
        let mut rest = &block[..];
        while let Some((found, value)) = take_row(&mut rest) {
            if found >= key {
                return Ok((found == key).then(|| value.map(<[u8]>::to_vec)));
            }
        }
        Ok(None)
    }

    /// The rows from a key on.
    pub(super) fn from(self: &Arc<Self>, first: &[u8], cache: Option<Arc<BlockCache>>) -> RunRows {
        RunRows {
            run: Arc::clone(self),
            cache,
            next: self.block_of(first).unwrap_or(0),
            block: Arc::default(),
            at: 0,
            first: first.to_vec(),
        }
    }

    /// Reads everything, and says what can't be read.
    pub(super) fn check(&self) -> io::Result<()> {
        let mut count = 0;
        let mut last: Option<Vec<u8>> = None;
        for at in 0..self.index.len() {
            let block = self.read(at)?;
            let mut rest = &block[..];
            while let Some((key, _)) = take_row(&mut rest) {
                if last.as_deref().is_some_and(|last| last >= key) {
                    return Err(changed(&self.path, "the order of its rows"));
                }
                last = Some(key.to_vec());
                count += 1;
            }
        }
        if count == self.rows {
            Ok(())
        } else {
            Err(changed(&self.path, "the number of its rows"))
        }
    }

    /// The rows of each block, as far as it can be read.
    pub(super) fn blocks(&self) -> impl Iterator<Item = io::Result<Vec<RowChange>>> {
        (0..self.index.len()).map(|at| {
            let block = self.read(at)?;
            let mut rest = &block[..];
            let rows = std::iter::from_fn(|| take_row(&mut rest));
            Ok(rows
                .map(|(key, value)| (key.to_vec(), value.map(<[u8]>::to_vec)))
                .collect())
        })
    }

    /// How many bytes its rows have when they are unpacked.
    pub(super) fn unpacked(&self) -> u64 {
        self.index.iter().map(|block| u64::from(block.unpacked)).sum()
    }

    /// The block in which a key lies, if it is here.
    fn block_of(&self, key: &[u8]) -> Option<usize> {
        self.index
            .partition_point(|block| &block.first[..] <= key)
            .checked_sub(1)
    }

    fn read(&self, at: usize) -> io::Result<Vec<u8>> {
        let damaged = || changed(&self.path, &format!("its block {at}"));
        let block = self.index.get(at).ok_or_else(damaged)?;
        let mut packed = vec![0; usize::try_from(block.length).map_err(io::Error::other)?];
        read_at(&self.file, &mut packed, block.offset)?;
        if crc32fast::hash(&packed) != block.checksum {
            return Err(damaged());
        }
        let mut rows = Vec::with_capacity(usize::try_from(block.unpacked).unwrap_or_default());
        ZlibDecoder::new(&packed[..]).read_to_end(&mut rows)?;
        Ok(rows)
    }
}

/// What is found where the blocks of a run ought to be, if its index is lost.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Rows(Vec<RowChange>),
    /// So many bytes of no block, before another one.
    Hole(usize),
}

/// The blocks of a run without its index: each is packed by itself, and tells where it ends and whether it is whole.
pub(super) fn blocks_without_index(content: &[u8]) -> impl Iterator<Item = Piece> {
    let mut rest = content.strip_prefix(HEADER).unwrap_or(content);
    std::iter::from_fn(move || {
        if let Some((rows, length)) = unpack(rest) {
            rest = rest.get(length..)?;
            return Some(Piece::Rows(rows));
        }
        let hole = (1..rest.len()).find(|at| rest.get(*at..).and_then(unpack).is_some())?;
        rest = rest.get(hole..)?;
        Some(Piece::Hole(hole))
    })
}

/// The rows of a block at the start of some bytes, and its length; nothing if there is no whole one.
fn unpack(bytes: &[u8]) -> Option<(Vec<RowChange>, usize)> {
    // The first two bytes of everything that is packed so: the method, and a number that makes both a multiple of 31.
    let (&[method, check], _) = bytes.split_first_chunk()?;
    if method != 0x78 || u16::from_be_bytes([method, check]) % 31 != 0 {
        return None;
    }
    let mut unpacked = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes).take(LONGEST.into());
    decoder.read_to_end(&mut unpacked).ok()?;
    let length = usize::try_from(decoder.get_ref().total_in()).ok()?;
    let mut rest = &unpacked[..];
    let rows: Vec<RowChange> = std::iter::from_fn(|| take_row(&mut rest))
        .map(|(key, value)| (key.to_vec(), value.map(<[u8]>::to_vec)))
        .collect();
    (rest.is_empty() && !rows.is_empty()).then_some((rows, length))
}

impl Block {
    fn encode(&self, to: &mut Vec<u8>) -> io::Result<()> {
        to.extend(self.offset.to_le_bytes());
        to.extend(self.length.to_le_bytes());
        to.extend(self.checksum.to_le_bytes());
        to.extend(self.unpacked.to_le_bytes());
        to.extend(rows::length(self.first.len())?);
        to.extend(&self.first);
        Ok(())
    }

    fn decode(from: &mut &[u8]) -> Option<Self> {
        Some(Self {
            offset: take_long(from)?,
            length: take_number(from)?,
            checksum: take_number(from)?,
            unpacked: take_number(from).filter(|length| *length <= LONGEST)?,
            first: take_counted(from)?.to_vec(),
        })
    }
}

fn hash_index(index: &[u8], offset: u64, rows: u64) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(index);
    hash.update(&offset.to_le_bytes());
    hash.update(&rows.to_le_bytes());
    hash.finalize()
}

fn changed(path: &Path, what: &str) -> io::Error {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let words = format!("its file `runs/{name}` is not what was written to it ({what})");
    io::Error::new(io::ErrorKind::InvalidData, words)
}

#[cfg(unix)]
fn read_at(file: &File, to: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, to, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut to: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !to.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, to, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                to = &mut to[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// Rows of a run in order.
#[derive(Debug)]
pub(super) struct RunRows {
    run: Arc<Run>,
    /// Nothing if everything is read once, and need not be remembered.
    cache: Option<Arc<BlockCache>>,
    next: usize,
    block: Arc<Vec<u8>>,
    at: usize,
    /// Rows before this one are passed over.
    first: Vec<u8>,
}

impl Iterator for RunRows {
    type Item = io::Result<RowChange>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut rest = self.block.get(self.at..).unwrap_or_default();
            let before = rest.len();
            while let Some((key, value)) = take_row(&mut rest) {
                if key >= &self.first[..] {
                    self.at += before - rest.len();
                    return Some(Ok((key.to_vec(), value.map(<[u8]>::to_vec))));
                }
            }
            if self.next >= self.run.index.len() {
                return None;
            }
            let at = self.next;
            let block = match &self.cache {
                Some(cache) => cache.get((self.run.number, at), || self.run.read(at)),
                None => self.run.read(at).map(Arc::new),
            };
            match block {
                Ok(block) => (self.block, self.at, self.next) = (block, 0, at + 1),
                Err(error) => {
                    // Nothing follows what can't be read.
                    self.next = usize::MAX;
                    self.block = Arc::default();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Writes a run.
#[derive(Debug)]
pub(super) struct RunWriter {
    path: PathBuf,
    /// Where it is written before it is whole.
    part: PathBuf,
    number: u64,
    out: BufWriter<File>,
    offset: u64,
    /// How much of it is on disk.
    synced: u64,
    block: Vec<u8>,
    first: Vec<u8>,
    index: Vec<u8>,
    rows: u64,
}

impl RunWriter {
    pub(super) fn create(path: &Path, number: u64) -> io::Result<Self> {
        let part = part(path);
        let file = private().create(true).truncate(true).open(&part)?;
        let mut out = BufWriter::with_capacity(256 << 10, file);
        out.write_all(HEADER)?;
        Ok(Self {
            path: path.to_owned(),
            part,
            number,
            out,
            offset: HEADER.len() as u64,
            synced: 0,
            block: Vec::new(),
            first: Vec::new(),
            index: Vec::new(),
            rows: 0,
        })
    }

    /// Puts a row; keys come in order, each once.
    pub(super) fn put(&mut self, key: &[u8], value: Option<&[u8]>) -> io::Result<()> {
        if self.block.is_empty() {
            self.first = key.to_vec();
        }
        rows::encode(key, value, &mut self.block)?;
        self.rows += 1;
        if self.block.len() >= BLOCK {
            self.close_block()?;
        }
        Ok(())
    }

    fn close_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(4));
        packer.write_all(&self.block)?;
        let packed = packer.finish()?;
        let number = |length| rows::length(length).map(u32::from_le_bytes);
        let block = Block {
            offset: self.offset,
            length: number(packed.len())?,
            checksum: crc32fast::hash(&packed),
            unpacked: number(self.block.len())?,
            first: std::mem::take(&mut self.first),
        };
        block.encode(&mut self.index)?;
        self.out.write_all(&packed)?;
        self.offset += packed.len() as u64;
        self.block.clear();
        if self.offset - self.synced >= PORTION {
            self.out.flush()?;
            self.out.get_ref().sync_data()?;
            self.synced = self.offset;
        }
        Ok(())
    }

    /// The run, on disk.
    pub(super) fn finish(mut self) -> io::Result<Run> {
        self.close_block()?;
        let checksum = hash_index(&self.index, self.offset, self.rows);
        self.out.write_all(&self.index)?;
        self.out.write_all(&self.offset.to_le_bytes())?;
        self.out.write_all(&self.rows.to_le_bytes())?;
        self.out.write_all(&checksum.to_le_bytes())?;
        self.out.write_all(TAIL)?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&self.part, &self.path)?;
        Run::open(&self.path, self.number)
    }
}

/// The file of a run that is not whole yet. No run has such a name.
pub(super) fn part(path: &Path) -> PathBuf {
    path.with_extension(PART)
}

/// Whether a file in the directory of runs is one that was not finished.
pub(super) fn is_part(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> Vec<u8> {
        [&[2], &number.to_be_bytes()[..]].concat()
    }

    /// A run of every other number; each tenth is deleted.
    fn run(path: &Path) -> Run {
        let mut writer = RunWriter::create(path, 1).unwrap();
        for number in (0..4000).step_by(2) {
            let value = format!("the value of {number} ").repeat(5);
            let value = (number % 10 != 0).then_some(value.as_bytes());
            writer.put(&key(number), value).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn rows_are_found_one_by_one_and_in_order() {
        let home = tempfile::tempdir().unwrap();
        let run = Arc::new(run(&home.path().join("1")));
        let cache = Arc::new(BlockCache::new(1 << 20));
        assert!(run.index.len() > 5);
        for number in 0..4001 {
            let found = run.get(&key(number), &cache).unwrap();
            let expected = (number % 2 == 0 && number < 4000).then(|| {
                (number % 10 != 0).then(|| format!("the value of {number} ").repeat(5).into_bytes())
            });
            assert_eq!(found, expected, "{number}");
        }
        assert_eq!(run.get(&[0], &cache).unwrap(), None);
        for first in [0, 1, 2, 777, 3998, 3999] {
            for cache in [None, Some(Arc::clone(&cache))] {
                let found: Vec<Vec<u8>> = run.from(&key(first), cache).map(|row| row.unwrap().0).collect();
                let expected: Vec<Vec<u8>> = (first.next_multiple_of(2)..4000).step_by(2).map(key).collect();
                assert_eq!(found, expected);
            }
        }
        run.check().unwrap();
    }

    #[test]
    fn a_changed_byte_is_found_and_never_a_wrong_row() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("1");
        let sound = Arc::new(run(&path));
        let rows: Vec<RowChange> = sound.from(&[], None).map(Result::unwrap).collect();
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 200..bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            fs::write(&path, &changed).unwrap();
            let Ok(run) = Run::open(&path, 1) else { continue };
            let found: io::Result<Vec<RowChange>> = Arc::new(run).from(&[], None).collect();
            // The header is for people, and for later formats.
            assert!(
                found.is_err() || (at < HEADER.len() && found.is_ok_and(|found| found == rows)),
                "a change at {at} goes unnoticed"
            );
        }
        for cut in [0, 5, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..cut]).unwrap();
            assert!(Run::open(&path, 1).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn rows_are_found_without_the_index() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("1");
        let sound = Arc::new(run(&path));
        let rows: Vec<RowChange> = sound.from(&[], None).map(Result::unwrap).collect();
        let bytes = fs::read(&path).unwrap();
        let found = |bytes: &[u8]| -> (Vec<RowChange>, usize) {
            let (mut found, mut holes) = (Vec::new(), 0);
            for piece in blocks_without_index(bytes) {
                match piece {
                    Piece::Rows(rows) => found.extend(rows),
                    Piece::Hole(_) => holes += 1,
                }
            }
            (found, holes)
        };
        let index = usize::try_from(sound.index[0].offset).unwrap()
            + sound
                .index
                .iter()
                .map(|block| block.length as usize)
                .sum::<usize>();
        for cut in [bytes.len(), bytes.len() - 1, index + 7, index] {
            assert!(found(&bytes[..cut]) == (rows.clone(), 0), "cut at {cut}");
        }
        // Without its end the last block is lost, and no other.
        let last = &sound.index.last().unwrap().first;
        let but_last: Vec<RowChange> = rows.iter().filter(|row| row.0 < *last).cloned().collect();
        assert!(found(&bytes[..index - 1]) == (but_last, 0));
        // The third block is broken, and so is the header.
        let third = &sound.index[2];
        let lost = third.first.clone()..sound.index[3].first.clone();
        let but_third: Vec<RowChange> = rows
            .iter()
            .filter(|row| !lost.contains(&row.0))
            .cloned()
            .collect();
        let start = usize::try_from(third.offset).unwrap();
        for at in (start..start + third.length as usize).step_by(5) {
            let mut changed = bytes[..index].to_vec();
            changed[at] ^= 0x10;
            assert!(found(&changed) == (but_third.clone(), 1), "a change at {at}");
            changed[3] ^= 0x10;
            assert!(
                found(&changed) == (but_third.clone(), 2),
                "a change at {at}, and in the header"
            );
        }
        assert!(found(b"nothing of the kind") == (Vec::new(), 0));
    }
}
