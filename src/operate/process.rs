//! What the system says of this process, where it says anything: on Linux, by `/proc`. Elsewhere figures are zero.

use std::fs;
use std::path::Path;

/// What this process uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Process {
    pub open_files: u64,
    pub file_limit: u64,
    pub resident_bytes: u64,
}

pub fn look() -> Process {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    // The folder itself is open while it is read.
    let open_files = fs::read_dir("/proc/self/fd").map_or(0, |files| files.count().saturating_sub(1));
    Process {
        open_files: open_files as u64,
        file_limit: number_after(&limits, "Max open files"),
        resident_bytes: number_after(&status, "VmRSS:") << 10,
    }
}

/// The number that follows a heading at the beginning of a line.
fn number_after(text: &str, heading: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(heading));
    let number = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// The size of a folder's files, with those of its folders. What can't be read counts nothing.
pub fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => size_of(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_linux_writes() {
        let status = "Name:\tparlor\nVmRSS:\t    1234 kB\nThreads:\t7\n";
        assert_eq!(number_after(status, "VmRSS:"), 1234);
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024   4096   files\n";
        assert_eq!(number_after(limits, "Max open files"), 1024);
        assert_eq!(number_after(status, "VmSwap:"), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_memory_and_open_files() {
        let process = look();
        assert!(process.open_files > 0 && process.file_limit > 0, "{process:?}");
        assert!(process.resident_bytes > 1 << 20, "{process:?}");
    }

    #[test]
    fn a_folder_is_as_large_as_its_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("a"), [0; 10]).unwrap();
        fs::write(folder.path().join("deep/b"), [0; 7]).unwrap();
        assert_eq!(size_of(folder.path()), 17);
        assert_eq!(size_of(&folder.path().join("nowhere")), 0);
    }
}
