//! How many files may be open at once, and where they lie. The store opens some at any time, so what comes from outside must
//! not use up all.

use std::io;
use std::path::{Path, PathBuf};

/// Raises the limit of open files as far as the system lets us; if it doesn't, the limit stays what it was.
#[cfg(unix)]
pub fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "files: could not raise the limit of open files");
    }
}

#[cfg(not(unix))]
pub fn raise_limit() {}

/// How many files may be open at once; nothing if there is no such limit.
#[cfg(unix)]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(unix))]
pub fn limit() -> Option<u64> {
    None
}

/// Whether a path lies in a folder, or is it, however either is written. Neither has to be there yet.
pub fn is_within(path: &Path, folder: &Path) -> bool {
    match (real(path), real(folder)) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// A path without links, as far as it is there.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let there = path
        .ancestors()
        .find_map(|above| Some((above, above.canonicalize().ok()?)));
    Ok(match there {
        Some((above, real)) => match path.strip_prefix(above) {
            // Joined with nothing it would get a slash.
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => path.clone(),
        },
        None => path.clone(),
    })
}

/// Whether this user may make files in a folder.
#[cfg(unix)]
pub fn may_write_into(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Elsewhere that is found out when it is done.
#[cfg(not(unix))]
pub fn may_write_into(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_folder_is_found_however_it_is_written() {
        let home = tempfile::tempdir().unwrap();
        let store = home.path().join("store");
        std::fs::create_dir(&store).unwrap();
        for inside in ["store", "store/a", "store/a/b", "./store/a", "store/./a"] {
            assert!(is_within(&home.path().join(inside), &store), "{inside}");
        }
        for outside in ["store-backups", "a", "", "a/store"] {
            assert!(!is_within(&home.path().join(outside), &store), "{outside}");
        }
        assert!(is_within(Path::new("not-there/a"), Path::new("not-there")));
        #[cfg(unix)]
        {
            let link = home.path().join("link");
            std::os::unix::fs::symlink(&store, &link).unwrap();
            assert!(is_within(&link.join("a"), &store));
        }
    }
}
