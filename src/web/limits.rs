//! How many connections and event streams a listener has, so that the store always finds a file to open, and everybody
//! always finds a way in.

/// Files that are never given to connections: the store's, the gateway's and the homeserver's.
const RESERVE: u64 = 192;

/// More connections than this are of no use on one machine.
const MOST_CONNECTIONS: u64 = 1024;

/// The most event streams of one guest or key: some browsers with some tabs each.
pub const STREAMS_OF_ONE: usize = 16;

/// How much there is to share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub connections: usize,
    /// Event streams in all. They stay open, so half of the connections are kept for everything else.
    pub streams: usize,
    /// Event streams to one address.
    pub streams_of_an_address: usize,
    /// Event streams of readers whom we don't know, to one address.
    pub unnamed_streams: usize,
    /// Event streams of all readers whom we don't know.
    pub unnamed_streams_in_all: usize,
}

impl Limits {
    /// What so many files are enough for, where so many listeners share them.
    pub fn for_files(files: Option<u64>, listeners: u64) -> Self {
        let files = files.unwrap_or(u64::MAX);
        let spare = files.saturating_sub(RESERVE).max(files / 4) / listeners.max(1);
        let connections = spare.clamp(8, MOST_CONNECTIONS) as usize;
        let streams = connections / 2;
        Self {
            connections,
            streams,
            streams_of_an_address: (streams * 3 / 4).max(1),
            unnamed_streams: (streams / 4).max(1),
            unnamed_streams_in_all: (streams * 3 / 4).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_keeps_its_files() {
        for files in [64, 256, 1024, 4096, 1_048_576] {
            let limits = Limits::for_files(Some(files), 1);
            let left = files - limits.connections as u64;
            assert!(left >= RESERVE.min(files / 2), "{files}: {limits:?}");
            assert!(limits.streams < limits.connections, "{files}: {limits:?}");
            assert!(
                limits.unnamed_streams < limits.streams_of_an_address,
                "{limits:?}"
            );
        }
        assert_eq!(Limits::for_files(None, 1).connections, 1024);
        let (one, two) = (Limits::for_files(Some(1024), 1), Limits::for_files(Some(1024), 2));
        assert_eq!(one.connections, 2 * two.connections);
    }
}
