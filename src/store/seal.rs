//! The seal of a store that was closed well: the length and checksum of each of sled's files, and of the manifest.
//!
//! While the seal is there, a flipped bit or a missing byte anywhere is found before sled opens a file. It is taken off
//! before sled may write, and put back once sled has let go.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::error::StoreError;
use super::layout::{StorePaths, sync_directory, write_whole};
use super::sled_files::is_leftover;

/// Length and checksum of each file, by its path under sled's directory.
#[derive(PartialEq, Eq, Debug)]
struct Seal(BTreeMap<String, (u64, u32)>);

/// The manifest, seen from sled's directory.
const MANIFEST: &str = "../manifest";

/// A file's name in words for people.
fn shown(name: &str) -> String {
    match name.strip_prefix("../") {
        Some(name) => name.to_owned(),
        None => format!("sled/{name}"),
    }
}

/// Puts the seal on a store that nobody writes to any more.
pub(super) fn write(layout: &StorePaths) -> Result<(), StoreError> {
    let seal = Seal::of(layout)?;
    write_whole(&layout.seal, seal.to_text().as_bytes())
}

/// Whether there is a seal. A broken one, or one that does not fit, is damage.
pub(super) fn verify(layout: &StorePaths) -> Result<bool, StoreError> {
    let damaged = |what: String| StoreError::damaged(&layout.root, what);
    let text = match fs::read(&layout.seal) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(StoreError::io("reading", &layout.seal)(error)),
    };
    let sealed = String::from_utf8(text)
        .ok()
        .and_then(|text| Seal::from_text(&text))
        .ok_or_else(|| damaged("its file `seal` can't be read".into()))?;
    if !layout.sled.is_dir() {
        return Err(damaged("its directory `sled` is missing".into()));
    }
    let present = Seal::of(layout)?;
    for (name, (length, checksum)) in &sealed.0 {
        let found = present.0.get(name);
        let name = shown(name);
        match found {
            None => return Err(damaged(format!("its file `{name}` is missing"))),
            Some((found, _)) if found != length => {
                return Err(damaged(format!(
                    "its file `{name}` has {found} bytes and had {length} when it was closed"
                )));
            }
            Some((_, found)) if found != checksum => {
                return Err(damaged(format!(
                    "its file `{name}` is not what it was when the store was closed"
                )));
            }
            Some(_) => {}
        }
    }
    match present.0.keys().find(|name| !sealed.0.contains_key(*name)) {
        Some(name) => Err(damaged(format!("a file `{}` has been added to it", shown(name)))),
        None => Ok(true),
    }
}

/// Takes the seal off, for good even if the power goes.
pub(super) fn remove(layout: &StorePaths) -> Result<(), StoreError> {
    fs::remove_file(&layout.seal).map_err(StoreError::io("removing", &layout.seal))?;
    sync_directory(&layout.root)
}

impl Seal {
    fn of(layout: &StorePaths) -> Result<Self, StoreError> {
        let mut files = BTreeMap::new();
        Self::gather(&layout.sled, "", &mut files)?;
        // The runs that it names have checksums of their own.
        let manifest = &layout.manifest;
        if manifest.exists() {
            let sum = checksum(manifest).map_err(StoreError::io("reading", manifest))?;
            files.insert(MANIFEST.to_owned(), sum);
        }
        Ok(Self(files))
    }

    fn gather(
        directory: &Path,
        prefix: &str,
        files: &mut BTreeMap<String, (u64, u32)>,
    ) -> Result<(), StoreError> {
        let reading = |error| StoreError::io("reading", directory)(error);
        for entry in fs::read_dir(directory).map_err(reading)? {
            let entry = entry.map_err(reading)?;
            let path = entry.path();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(reading)?.is_dir() {
                Self::gather(&path, &format!("{name}/"), files)?;
            } else if !is_leftover(&name) {
                let sum = checksum(&path).map_err(StoreError::io("reading", &path))?;
                files.insert(name, sum);
            }
        }
        Ok(())
    }

    fn to_text(&self) -> String {
        let mut text = String::from("parlor store, closed\n");
        for (name, (length, checksum)) in &self.0 {
            // Writing to a string does not fail.
            _ = writeln!(text, "{checksum:08x} {length} {name}");
        }
        let check = crc32fast::hash(text.as_bytes());
        _ = writeln!(text, "{check:08x}");
        text
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut files = BTreeMap::new();
        for line in text.lines().skip(1) {
            let mut parts = line.splitn(3, ' ');
            let checksum = u32::from_str_radix(parts.next()?, 16).ok()?;
            // The last line has the checksum of the rest and nothing else.
            let Some(length) = parts.next() else { continue };
            files.insert(parts.next()?.to_owned(), (length.parse().ok()?, checksum));
        }
        let seal = Self(files);
        (seal.to_text() == text).then_some(seal)
    }
}

fn checksum(path: &Path) -> io::Result<(u64, u32)> {
    let mut file = File::open(path)?;
    let mut checksum = crc32fast::Hasher::new();
    let mut length = 0;
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((length, checksum.finalize()));
        }
        checksum.update(&buffer[..read]);
        length += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_reads_back_and_a_changed_one_does_not() {
        let seal = Seal(BTreeMap::from([
            ("blobs/77".to_owned(), (9, 10)),
            ("db".to_owned(), (524_288, 0xDEAD_BEEF)),
        ]));
        let text = seal.to_text();
        assert_eq!(Seal::from_text(&text), Some(seal));
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            assert_eq!(
                Seal::from_text(&String::from_utf8(bytes).unwrap()),
                None,
                "byte {at}"
            );
        }
    }
}
