//! What is on disk in the journal and not in sled yet, in memory for reading.

use std::collections::{BTreeMap, btree_map};
use std::iter::Peekable;
use std::ops::{Bound, RangeInclusive};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::tree::full_key;
use crate::matches::port::{Row, Write};

/// The last value of each row that was written; nothing where it was deleted.
pub(super) type Table = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// A write as a row of a table.
pub(super) fn row(write: Write) -> (Vec<u8>, Option<Vec<u8>>) {
    match write {
        Write::Put { space, key, value } => (full_key(space, &key), Some(value)),
        Write::Delete { space, key } => (full_key(space, &key), None),
    }
}

/// The tables that lie above sled, the newer one first.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) recent: Table,
    /// What sled is about to take up. As long as that takes, this hides how far it has come.
    pub(super) checkpointing: Option<Arc<Table>>,
}

/// Tables between the one who writes and those who read. Who reads several rows that belong together holds it meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedTables(Arc<RwLock<Tables>>);

impl SharedTables {
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Tables> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    /// What is known of a row here: its value, or that it was deleted.
    pub(super) fn get(&self, key: &[u8]) -> Option<&Option<Vec<u8>>> {
        let checkpointing = || self.checkpointing.as_ref().and_then(|table| table.get(key));
        self.recent.get(key).or_else(checkpointing)
    }

    /// The rows of a range, in order: those here, and below them those of sled.
    pub(super) fn merged_with<B: Iterator<Item = SledRow>>(
        &self,
        range: RangeInclusive<&[u8]>,
        below: B,
    ) -> Merged<'_, B> {
        let bounds = (Bound::Included(*range.start()), Bound::Included(*range.end()));
        let layers = [Some(&self.recent), self.checkpointing.as_deref()];
        Merged {
            layers: layers.map(|layer| layer.map(|table| table.range::<[u8], _>(bounds).peekable())),
            below: below.peekable(),
        }
    }
}

/// A row as sled gives it.
type SledRow = ::sled::Result<(::sled::IVec, ::sled::IVec)>;

type Layer<'a> = Peekable<btree_map::Range<'a, Vec<u8>, Option<Vec<u8>>>>;

/// Rows from several layers, the upper ones hiding the lower ones.
pub(super) struct Merged<'a, B: Iterator<Item = SledRow>> {
    layers: [Option<Layer<'a>>; 2],
    below: Peekable<B>,
}

impl<B: Iterator<Item = SledRow>> Merged<'_, B> {
    /// The next key in any layer.
    fn next_key(&mut self) -> ::sled::Result<Option<Vec<u8>>> {
        if let Some(error) = self.below.next_if(Result::is_err) {
            error?;
        }
        let below = self.below.peek().and_then(|row| row.as_ref().ok());
        let below = below.map(|(key, _)| &key[..]);
        let above = self.layers.iter_mut().flatten().filter_map(|layer| layer.peek());
        let above = above.map(|(key, _)| &key[..]);
        Ok(above.chain(below).min().map(<[u8]>::to_vec))
    }

    /// Passes a key in all layers, and returns its value in the topmost that knows of it.
    fn pass(&mut self, key: &[u8]) -> Option<Vec<u8>> {
        let below = self
            .below
            .next_if(|row| row.as_ref().is_ok_and(|(found, _)| found == key));
        let mut value = below.and_then(Result::ok).map(|(_, value)| value.to_vec());
        // From the lowest to the topmost.
        for layer in self.layers.iter_mut().rev().flatten() {
            if let Some((_, found)) = layer.next_if(|(found, _)| found[..] == *key) {
                value.clone_from(found);
            }
        }
        value
    }
}

impl<B: Iterator<Item = SledRow>> Iterator for Merged<'_, B> {
    type Item = ::sled::Result<Row>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_key() {
                Ok(Some(key)) => {
                    if let Some(value) = self.pass(&key) {
                        return Some(Ok((key, value)));
                    }
                }
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table<const N: usize>(rows: [(&str, Option<&str>); N]) -> Table {
        let own = |text: &str| text.as_bytes().to_vec();
        rows.map(|(key, value)| (own(key), value.map(own))).into()
    }

    #[test]
    fn upper_layers_hide_lower_ones() {
        let tables = Tables {
            recent: table([("b", None), ("d", Some("recent")), ("f", Some("recent"))]),
            checkpointing: Some(Arc::new(table([
                ("b", Some("old")),
                ("c", Some("old")),
                ("d", None),
                ("e", None),
            ]))),
        };
        let below = ["a", "b", "c", "d", "e", "g"].map(|key| Ok((key.into(), "below".into())));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let found: Vec<(String, String)> = tables
            .merged_with(&b"a"[..]..=&b"g"[..], below.into_iter())
            .map(|row| row.map(|(key, value)| (text(key), text(value))).unwrap())
            .collect();
        let expected = [
            ("a", "below"),
            ("c", "old"),
            ("d", "recent"),
            ("f", "recent"),
            ("g", "below"),
        ];
        assert_eq!(
            found,
            expected.map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
        assert_eq!(tables.get(b"b"), Some(&None));
        assert_eq!(tables.get(b"c"), Some(&Some(b"old".to_vec())));
        assert_eq!(tables.get(b"a"), None);
    }
}
