//! Blocks of runs that were read of late, unpacked.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A run's number, and which of its blocks.
type Key = (u64, usize);

/// Remembers some blocks: those asked for of late, and those asked for before them. When the first have grown to half of what
/// is allowed, they become the second, and the second are forgotten.
#[derive(Debug)]
pub(super) struct BlockCache {
    half: usize,
    halves: Mutex<Halves>,
}

#[derive(Debug, Default)]
struct Halves {
    young: HashMap<Key, Arc<Vec<u8>>>,
    old: HashMap<Key, Arc<Vec<u8>>>,
    /// Of the young ones.
    bytes: usize,
}

impl BlockCache {
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            half: bytes / 2,
            halves: Mutex::default(),
        }
    }

    /// A block that is known, or that is read now.
    pub(super) fn get(
        &self,
        key: Key,
        read: impl FnOnce() -> io::Result<Vec<u8>>,
    ) -> io::Result<Arc<Vec<u8>>> {
        let known = {
            let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(block) = halves.young.get(&key) {
                return Ok(Arc::clone(block));
            }
            halves.old.get(&key).map(Arc::clone)
        };
        // Read under no lock: others must not wait for the disk.
        let block = known.map_or_else(|| read().map(Arc::new), Ok)?;
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if halves.young.insert(key, Arc::clone(&block)).is_none() {
            halves.bytes += block.len();
        }
        if halves.bytes > self.half {
            halves.old = std::mem::take(&mut halves.young);
            halves.bytes = 0;
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let cache = BlockCache::new(1000);
        let mut reads = 0;
        let mut get = |at: usize| {
            let before = reads;
            cache
                .get((1, at), || {
                    reads += 1;
                    Ok(vec![0; 100])
                })
                .unwrap();
            reads > before
        };
        for at in 1..100 {
            assert!(get(at), "{at} is new");
            assert_eq!(get(0), at == 1, "0 is asked for all the time");
        }
        assert!(get(1), "1 is forgotten");
    }
}
