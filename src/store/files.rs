//! What the store asks of the file system beside reading and writing: files for nobody else's eyes, and room.

use std::fs::{self, File, OpenOptions};
use std::io;
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
