//! The store in memory: sorted maps under a lock. Nothing survives it; it is the sled store's twin for tests.

use std::collections::BTreeMap;
use std::future::ready;
use std::ops::Bound::Included;
use std::ops::RangeInclusive;
use std::sync::{PoisonError, RwLock};

use crate::matches::port::{Batch, Fault, Row, Saving, Space, Store, Write};

/// A store that forgets. A commit is done when the call returns.
#[derive(Debug, Default)]
pub struct MemoryStore {
    spaces: RwLock<[BTreeMap<Vec<u8>, Vec<u8>>; Space::ALL.len()]>,
}

impl MemoryStore {
    pub fn new() -> Self {
        Self::default()
    }
}

impl Store for MemoryStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let spaces = self.spaces.read().unwrap_or_else(PoisonError::into_inner);
        Ok(spaces[space as usize].get(key).cloned())
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        // A map panics at a range that ends before it starts.
        if range.start() > range.end() {
            return Ok(Vec::new());
        }
        let spaces = self.spaces.read().unwrap_or_else(PoisonError::into_inner);
        let rows =
            spaces[space as usize].range::<[u8], _>((Included(*range.start()), Included(*range.end())));
        Ok(rows
            .take(limit)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect())
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        let mut spaces = self.spaces.write().unwrap_or_else(PoisonError::into_inner);
        for write in batch.0 {
            match write {
                Write::Put { space, key, value } => spaces[space as usize].insert(key, value),
                Write::Delete { space, key } => spaces[space as usize].remove(&key),
            };
        }
        drop(spaces);
        Box::pin(ready(Ok(())))
    }

    fn flush(&self) -> Saving<'_> {
        Box::pin(ready(Ok(())))
    }
}
