//! What is on disk in the journal and not in sled yet, in memory for reading; and what lies below it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Bound, RangeInclusive};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::below::{Below, Merged, RowLayer};
use super::tree::full_key;
use crate::matches::port::{Fault, Write};

/// The last value of each row that was written; nothing where it was deleted.
pub(super) type RowTable = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// A write as a row of a table.
pub(super) fn row(write: Write) -> (Vec<u8>, Option<Vec<u8>>) {
    match write {
        Write::Put { space, key, value } => (full_key(space, &key), Some(value)),
        Write::Delete { space, key } => (full_key(space, &key), None),
    }
}

/// The layers of a store, the newest first.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) recent: RowTable,
    /// What sled is about to take up, the newest first. As long as that takes, this hides how far it has come.
    pub(super) waiting: VecDeque<Arc<RowTable>>,
    pub(super) below: Below,
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
    /// What is known of a row above sled: its value, or that it was deleted.
    pub(super) fn get(&self, key: &[u8]) -> Option<&Option<Vec<u8>>> {
        let waiting = || self.waiting.iter().find_map(|table| table.get(key));
        self.recent.get(key).or_else(waiting)
    }

    /// The rows of a range, in order, from all layers.
    pub(super) fn merged(&self, range: &RangeInclusive<&[u8]>) -> Result<Merged<'_>, Fault> {
        let mut layers = self.above(range);
        layers.extend(self.below.layers(range)?);
        Ok(Merged(layers))
    }

    fn above(&self, range: &RangeInclusive<&[u8]>) -> Vec<RowLayer<'_>> {
        let bounds = (Bound::Included(*range.start()), Bound::Included(*range.end()));
        let tables = std::iter::once(&self.recent).chain(self.waiting.iter().map(|table| &**table));
        tables
            .filter(|table| !table.is_empty())
            .map(|table| {
                let rows = table.range::<[u8], _>(bounds);
                RowLayer::new(rows.map(|(key, value)| Ok((key.clone(), value.clone()))))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::below::live;

    fn table<const N: usize>(rows: [(&str, Option<&str>); N]) -> RowTable {
        let own = |text: &str| text.as_bytes().to_vec();
        rows.map(|(key, value)| (own(key), value.map(own))).into()
    }

    #[test]
    fn upper_layers_hide_lower_ones() {
        let tables = Tables {
            recent: table([("b", None), ("d", Some("recent")), ("f", Some("recent"))]),
            waiting: [
                Arc::new(table([("e", None), ("h", None)])),
                Arc::new(table([
                    ("b", Some("old")),
                    ("c", Some("old")),
                    ("d", None),
                    ("e", Some("older")),
                ])),
            ]
            .into(),
            below: Below::default(),
        };
        let below = ["a", "b", "c", "d", "e", "g", "h"].map(|key| Ok((key.into(), Some("below".into()))));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let mut layers = tables.above(&(&b"a"[..]..=&b"h"[..]));
        layers.push(RowLayer::new(below.into_iter()));
        let found: Vec<(String, String)> = Merged(layers)
            .filter_map(live)
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
        assert_eq!(tables.get(b"e"), Some(&None));
        assert_eq!(tables.get(b"a"), None);
    }
}
