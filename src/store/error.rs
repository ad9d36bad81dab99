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
        "the disk of {} is too full to {what}: {needed} MB are needed and {free} MB are free; nothing was changed; \
         make room and try again",
        path.display()
    )]
    NoRoom {
        path: PathBuf,
        /// What there is no room for: to do something with it.
        what: &'static str,
        needed: u64,
        free: u64,
    },
    #[error(
        "{doing} {} failed because its disk is full ({cause}); nothing that was saved is lost; make room and try again",
        path.display()
    )]
    DiskFull {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    #[error(
        "{doing} {} failed because too many files are open ({cause}); nothing that was saved is lost; raise the limit \
         (`ulimit -n`, or LimitNOFILE= for systemd) and start again",
        path.display()
    )]
    TooManyFiles {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    #[error(
        "{doing} {} failed because the disk reports an error ({cause}); copy the store away and look at the disk before you \
         start again",
        path.display()
    )]
    DiskError {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    #[error(
        "the store {} was written by a newer parlor (format {found}, this one knows up to {known}); \
         install that version or a later one",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error(
        "the store {} is damaged: {what}; nothing was changed; restore a backup into another directory, or \
         read what is left of it with `parlor salvage`",
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
    #[error("{} exists already, and a backup overwrites nothing; name another file", path.display())]
    BackupExists { path: PathBuf },
    #[error(
        "{} lies in the store's own folder, where nothing else may be; name a file elsewhere",
        path.display()
    )]
    BackupInside { path: PathBuf },
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

    /// What it means that a file of a store can't be read: trouble with the machine, or damage.
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| match Trouble::of(&cause) {
            Some(_) => Self::io("reading", path)(cause),
            None => Self::damaged(path, cause.to_string()),
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
            match Trouble::of(&cause) {
                Some(Trouble::Permission) => Self::NoPermission { path, cause },
                Some(Trouble::Full) => Self::DiskFull { doing, path, cause },
                Some(Trouble::Files) => Self::TooManyFiles { doing, path, cause },
                Some(Trouble::Disk) => Self::DiskError { doing, path, cause },
                _ if cause.kind() == io::ErrorKind::NotADirectory => Self::NotADirectory { path },
                Some(Trouble::Other) | None => Self::Io { doing, path, cause },
            }
        }
    }
}

/// Says what can't be read of a damaged store. An error that has nothing to do with what is lost is one: too few files, no
/// right to read.
pub(super) fn named_if_lost(what: &str, path: &Path, cause: io::Error) -> Result<String, StoreError> {
    match Trouble::of(&cause) {
        Some(Trouble::Permission | Trouble::Full | Trouble::Files) => {
            Err(StoreError::io("reading", path)(cause))
        }
        Some(Trouble::Disk | Trouble::Other) | None => Ok(format!("{what} can't be read in full ({cause})")),
    }
}

/// What is wrong with the machine, and not with the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    Permission,
    /// No space, or none for this user, or a file may not grow.
    Full,
    /// Too many open files.
    Files,
    /// The disk itself can't read or write, or its file system lets nobody write after that.
    Disk,
    /// Something else that the system does not do for us.
    Other,
}

impl Trouble {
    /// Whether it may be over by itself or by what an operator does, without a change to this process.
    pub(super) const fn may_pass(self) -> bool {
        !matches!(self, Self::Other)
    }

    /// What the system says of an error. sled passes some errors on as text, which still has the system's number.
    pub(super) fn of(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Some(Self::Permission),
            // So the system protects a file system of which it could not write a part.
            io::ErrorKind::ReadOnlyFilesystem => Some(Self::Disk),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Some(Self::Full)
            }
            _ => error
                .raw_os_error()
                .map_or_else(|| Self::in_text(&error.to_string()), Self::of_number),
        }
    }

    /// Looks for an error of the system in words that a panic or a library left, as it is written for programmers or for people.
    pub(super) fn in_text(text: &str) -> Option<Self> {
        let between = |before: &str, after: &str| {
            let (_, rest) = text.split_once(before)?;
            let (number, _) = rest.split_once(after)?;
            Self::of_number(number.parse().ok()?)
        };
        between("Os { code: ", ",").or_else(|| between("(os error ", ")"))
    }

    #[cfg(not(unix))]
    fn of_number(_: i32) -> Option<Self> {
        Some(Self::Other)
    }

    #[cfg(unix)]
    fn of_number(number: i32) -> Option<Self> {
        use rustix::io::Errno;
        match Errno::from_raw_os_error(number) {
            Errno::ACCESS | Errno::PERM => Some(Self::Permission),
            Errno::NOSPC | Errno::DQUOT | Errno::FBIG => Some(Self::Full),
            Errno::MFILE | Errno::NFILE => Some(Self::Files),
            // A disk that is going or gone, also behind a network; a file system that has to be put in order, or takes no
            // writing any more because of that.
            Errno::IO | Errno::NXIO | Errno::NODEV | Errno::STALE | Errno::TIMEDOUT | Errno::ROFS => {
                Some(Self::Disk)
            }
            #[cfg(target_os = "linux")]
            Errno::UCLEAN | Errno::REMOTEIO => Some(Self::Disk),
            // A file that is not there, or a place in one that can't be: so it goes when what names them is damaged.
            Errno::NOENT | Errno::INVAL | Errno::OVERFLOW | Errno::NAMETOOLONG | Errno::ISDIR => None,
            _ => Some(Self::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_the_machine_is_told_from_damage() {
        let number = io::Error::from_raw_os_error;
        let known = [
            (28, Trouble::Full),
            (27, Trouble::Full),
            (24, Trouble::Files),
            (5, Trouble::Disk),
            (30, Trouble::Disk),
            (13, Trouble::Permission),
        ];
        for (code, trouble) in known {
            assert_eq!(Trouble::of(&number(code)), Some(trouble), "{code}");
            // As sled copies an error.
            let copied = io::Error::other(format!("{:?}", number(code)));
            assert_eq!(Trouble::of(&copied), Some(trouble), "{copied}");
            // As it is told to people, further up.
            let told = format!("reading the store: IO error: {}", number(code));
            assert_eq!(Trouble::in_text(&told), Some(trouble), "{told}");
        }
        // One that nobody has thought of is no damage: Linux calls 105 "no buffer space available".
        assert_eq!(Trouble::of(&number(105)), Some(Trouble::Other));
        let failed = StoreError::unreadable(Path::new("store"))(number(105)).to_string();
        assert!(
            failed.contains("(os error 105)") && !failed.contains("damaged"),
            "{failed}"
        );
        // sled looks for files and places that damage has named.
        assert_eq!(Trouble::of(&number(2)), None);
        assert_eq!(Trouble::of(&number(22)), None);
        assert_eq!(Trouble::of(&io::ErrorKind::UnexpectedEof.into()), None);
        assert_eq!(Trouble::in_text("attempt to subtract with overflow"), None);
    }
}
