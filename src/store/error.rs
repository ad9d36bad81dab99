//! Why a store can't be opened, backed up or restored, in words for the one who runs the bot.

use std::io;
use std::path::{Path, PathBuf};

use crate::matches::port::Fault;

/// What keeps a store from being opened, backed up or restored. In every case the store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the store {} is in use: another parlor has it open; stop that one first", path.display())]
    InUse { path: PathBuf },
    #[error("the store {} can't be used: it is a file, and a directory is needed", path.display())]
    NotADirectory { path: PathBuf },
    #[error(
        "{} is no store: the directory holds other things ({stranger}); name an empty or new directory",
        path.display()
    )]
    NotAStore { path: PathBuf, stranger: String },
    #[error(
        "the store {} can't be used: this user may not read and write it ({cause}); mend its owner and \
         permissions",
        path.display()
    )]
    NoPermission { path: PathBuf, cause: io::Error },
    #[error(
        "the store {} was written by a newer parlor (format {found}, this one knows up to {known}); \
         install that version or a later one",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error(
        "the store {} is damaged: {what}; nothing was changed; restore a backup into another directory, or \
         move this one away to begin anew",
        path.display()
    )]
    Damaged { path: PathBuf, what: String },
    #[error("the store {} can't be brought to format {to} ({title}): {cause}", path.display())]
    Migration {
        path: PathBuf,
        to: u32,
        title: &'static str,
        cause: Fault,
    },
    #[error("{} is there already, and a backup overwrites nothing; name another file", path.display())]
    BackupExists { path: PathBuf },
    #[error("{} can't be restored: {what}", path.display())]
    BadBackup { path: PathBuf, what: &'static str },
    #[error("{} is not empty; restore into a new directory", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{doing} {} failed: {cause}", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    #[error("the store {} failed: {cause}", path.display())]
    Fault { path: PathBuf, cause: Fault },
}

impl StoreError {
    pub(super) fn bad_backup(path: &Path, what: &'static str) -> Self {
        let path = path.to_owned();
        Self::BadBackup { path, what }
    }

    pub(super) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    /// Names the store that a fault is about.
    pub(super) fn fault(path: &Path) -> impl FnOnce(Fault) -> Self {
        move |cause| Self::Fault {
            path: path.to_owned(),
            cause,
        }
    }

    /// Names the file that an input or output error is about.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| {
            let path = path.to_owned();
            match cause.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Self::NoPermission { path, cause }
                }
                io::ErrorKind::NotADirectory => Self::NotADirectory { path },
                _ => Self::Io { doing, path, cause },
            }
        }
    }
}
