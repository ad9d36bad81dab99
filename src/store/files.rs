//! What the store asks of the file system beside reading and writing: files for nobody else's eyes, and room.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::error::StoreError;

/// How a file is made that only this user may read.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a file, or empties it.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    private().create(true).truncate(true).open(path)
}

/// Makes a directory that only this user may look into, if it is not there.
pub(super) fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes a directory of ours and all it holds from everybody else's eyes: sled makes its files by itself, and a
/// store may have been made by an earlier version. Who is not the owner may not do that, and need not.
pub(super) fn protect(path: &Path) -> Result<(), StoreError> {
    match protect_all(path) {
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied => {
            Err(StoreError::io("protecting", path)(error))
        }
        _ => Ok(()),
    }
}

fn protect_all(path: &Path) -> io::Result<()> {
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        // sled removes files of its own at any time.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if found.is_dir() {
        set_mode(path, &found, 0o700)?;
        for entry in fs::read_dir(path)? {
            protect_all(&entry?.path())?;
        }
    } else if found.is_file() {
        set_mode(path, &found, 0o600)?;
    }
    Ok(())
}

#[cfg(unix)]
pub(super) fn set_mode(path: &Path, found: &fs::Metadata, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if found.permissions().mode() & 0o777 == mode {
        return Ok(());
    }
    match fs::set_permissions(path, fs::Permissions::from_mode(mode)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        set => set,
    }
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: &fs::Metadata, _: u32) -> io::Result<()> {
    Ok(())
}

/// Gives all that a folder holds to whoever owns the folder. Only root can have made anything there that is not theirs.
#[cfg(unix)]
pub(super) fn give_to_owner(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, lchown};
    fn give(folder: &Path, user: u32, group: u32) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let found = match path.symlink_metadata() {
                Ok(found) => found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if (found.uid(), found.gid()) != (user, group) {
                lchown(&path, Some(user), Some(group))?;
            }
            if found.is_dir() {
                give(&path, user, group)?;
            }
        }
        Ok(())
    }
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let owner = fs::metadata(folder)?;
    give(folder, owner.uid(), owner.gid())
}

#[cfg(not(unix))]
pub(super) fn give_to_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Looks whether there is room for so many bytes on the disk of a path, before anything is changed: to do something with it.
pub(super) fn has_room(path: &Path, what: &'static str, needed: u64) -> Result<(), StoreError> {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    match free(path) {
        Some(free) if free < needed => Err(StoreError::NoRoom {
            path: path.to_owned(),
            what,
            needed: megabytes(needed),
            free: free >> 20,
        }),
        _ => Ok(()),
    }
}

/// How many bytes are free for this user, where the system tells.
fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        // A relative name without a folder lies in this one.
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let disk = rustix::fs::statvfs(path).ok()?;
        disk.f_bavail.checked_mul(disk.f_frsize)
    }
    #[cfg(not(unix))]
    {
        _ = path;
        None
    }
}

/// How much of a file is read at once, and how much is given up where that can't be: what a disk loses at the least.
const PIECE: usize = 64 << 10;
const SMALLEST: usize = 4 << 10;

/// Hands over a file from its start, as far as it can be read: zeros stand for what can't be. The first reason why not, if there is
/// any; an error is one of whoever takes it in.
pub(super) fn read_around_holes(
    mut file: impl Read + Seek,
    length: u64,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<Option<io::Error>> {
    let (mut at, mut reason) = (0, None);
    let mut buffer = vec![0; PIECE];
    let mut wanted = PIECE;
    loop {
        let piece = &mut buffer[..wanted];
        match file.seek(SeekFrom::Start(at)).and_then(|_| file.read(piece)) {
            Ok(0) => return Ok(reason),
            Ok(read) => {
                take(&buffer[..read])?;
                at += read as u64;
                wanted = PIECE;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                reason.get_or_insert(error);
                let left = length.saturating_sub(at);
                if left == 0 {
                    return Ok(reason);
                }
                if wanted == PIECE {
                    wanted = SMALLEST;
                } else {
                    let lost = SMALLEST.min(usize::try_from(left).unwrap_or(SMALLEST));
                    take(&[0; SMALLEST][..lost])?;
                    at += lost as u64;
                }
            }
        }
    }
}

/// What can be read of a file, with zeros for the rest, and why it is not all, if it is not.
pub(super) fn read_what_is_left(path: &Path) -> (Vec<u8>, Option<io::Error>) {
    let mut content = Vec::new();
    let read = File::open(path).and_then(|file| {
        let length = file.metadata()?.len();
        read_around_holes(file, length, |piece| {
            content.extend_from_slice(piece);
            Ok(())
        })
    });
    let why = read.unwrap_or_else(Some);
    (content, why)
}

/// How many bytes all files under a directory have.
pub(super) fn size_of(path: &Path) -> u64 {
    let Ok(found) = path.symlink_metadata() else {
        return 0;
    };
    if !found.is_dir() {
        return found.len();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| size_of(&entry.path())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file on a disk that has lost a part of it.
    struct Torn {
        content: io::Cursor<Vec<u8>>,
        lost: std::ops::Range<u64>,
    }

    impl Read for Torn {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let at = self.content.position();
            if at < self.lost.end && at + to.len() as u64 > self.lost.start {
                return Err(io::Error::from_raw_os_error(5));
            }
            self.content.read(to)
        }
    }

    impl Seek for Torn {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.content.seek(to)
        }
    }

    #[test]
    fn a_file_is_read_around_what_the_disk_has_lost() {
        let content: Vec<u8> = (1..=250).cycle().take(300_001).collect();
        for lost in [
            0..1,
            4096..8192,
            100_000..120_000,
            300_000..300_001,
            0..300_001,
            0..0,
        ] {
            let file = Torn {
                content: io::Cursor::new(content.clone()),
                lost: lost.clone(),
            };
            let mut found = Vec::new();
            let reason = read_around_holes(file, content.len() as u64, |piece| {
                found.extend_from_slice(piece);
                Ok(())
            });
            assert_eq!(reason.unwrap().is_none(), lost.is_empty(), "{lost:?}");
            assert_eq!(found.len(), content.len(), "{lost:?}");
            let mut spared = 0;
            for (at, (found, written)) in (0..).zip(found.iter().zip(&content)) {
                if *found != 0 {
                    assert_eq!(found, written, "{lost:?} at {at}");
                    spared += 1;
                } else {
                    let near = lost.start.saturating_sub(4096)..lost.end + 4096;
                    assert!(near.contains(&at), "{lost:?}: {at} was given up");
                }
            }
            assert!(lost.is_empty() || spared < content.len(), "{lost:?}");
        }
    }

    #[test]
    fn a_disk_without_room_is_told_with_figures() {
        let home = tempfile::tempdir().unwrap();
        has_room(home.path(), "open the store", 0).unwrap();
        let refused = has_room(home.path(), "open the store", 1 << 60).unwrap_err();
        let words = refused.to_string();
        assert!(words.contains("too full to open the store"), "{words}");
        assert!(
            words.contains("1099511627776 MB are needed") && words.contains("nothing was changed"),
            "{words}"
        );
    }
}
