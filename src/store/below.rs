//! What lies below the tables: sled, with what was written of late, and runs, with what has settled. And how rows of all
//! layers become one sequence.

use std::io;
use std::ops::RangeInclusive;

use super::rows::RowChange;
use super::settled::Runs;
use crate::matches::port::{Fault, Row};

/// In front of the key of a row that was deleted, while a run still holds it. No space has this number.
const DELETED: u8 = 0xFE;

/// The keys of all spaces.
pub(super) const ALL_ROWS: RangeInclusive<[u8; 1]> = [0x00]..=[0xFD];

/// Where sled notes that a run's row was deleted.
pub(super) fn deletion_key(key: &[u8]) -> Vec<u8> {
    let mut full = Vec::with_capacity(key.len() + 1);
    full.push(DELETED);
    full.extend_from_slice(key);
    full
}

/// What is on disk beside the journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Below {
    pub(super) delta: Delta,
    pub(super) runs: Runs,
}

/// What was written since rows last settled.
#[derive(Clone, Default)]
pub(super) enum Delta {
    Sled(::sled::Db),
    /// Everything has settled; sled's files are being made anew.
    Nothing,
    /// It can't be read: after a fault, until sled is open again, and once the store is closed.
    #[default]
    Away,
}

impl std::fmt::Debug for Delta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sled(_) => "Sled",
            Self::Nothing => "Nothing",
            Self::Away => "Away",
        })
    }
}

impl Below {
    /// The value of a row, by its full key.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        match &self.delta {
            Delta::Sled(sled) => {
                if let Some(value) = sled.get(key).map_err(reading)? {
                    return Ok(Some(value.to_vec()));
                }
                if self.runs.is_empty() || sled.contains_key(deletion_key(key)).map_err(reading)? {
                    return Ok(None);
                }
            }
            Delta::Nothing => {}
            Delta::Away => return Err(away()),
        }
        Ok(self.runs.get(key).map_err(reading_run)?.flatten())
    }

    /// The layers of a range, the topmost first.
    pub(super) fn layers(&self, range: &RangeInclusive<&[u8]>) -> Result<Vec<RowLayer<'static>>, Fault> {
        let mut layers = match &self.delta {
            Delta::Sled(sled) => delta_layers(sled, range, !self.runs.is_empty()),
            Delta::Nothing => Vec::new(),
            Delta::Away => return Err(away()),
        };
        layers.extend(self.runs.layers(range));
        Ok(layers)
    }
}

/// The rows of sled's in a range, and the deletions.
pub(super) fn delta_layers(
    sled: &::sled::Db,
    range: &RangeInclusive<&[u8]>,
    over_runs: bool,
) -> Vec<RowLayer<'static>> {
    let rows = sled.range(*range.start()..=*range.end()).map(|row| {
        let (key, value) = row.map_err(reading)?;
        Ok((key.to_vec(), Some(value.to_vec())))
    });
    let mut layers = vec![RowLayer::new(rows)];
    if over_runs {
        let deletions = sled.range(deletion_key(range.start())..=deletion_key(range.end()));
        layers.push(RowLayer::new(deletions.map(|row| {
            let (key, _) = row.map_err(reading)?;
            Ok((key.get(1..).unwrap_or_default().to_vec(), None))
        })));
    }
    layers
}

pub(super) fn reading(cause: ::sled::Error) -> Fault {
    Fault::new("reading the store", cause)
}

pub(super) fn reading_run(cause: io::Error) -> Fault {
    Fault::new("reading the store", cause)
}

fn away() -> Fault {
    Fault::new("reading the store", "it is not open at this moment")
}

/// Rows in order, from one layer.
pub(super) struct RowLayer<'a> {
    /// The next one.
    head: Option<Result<RowChange, Fault>>,
    rest: Box<dyn Iterator<Item = Result<RowChange, Fault>> + 'a>,
}

impl<'a> RowLayer<'a> {
    pub(super) fn new(rows: impl Iterator<Item = Result<RowChange, Fault>> + 'a) -> Self {
        let mut rest: Box<dyn Iterator<Item = _> + 'a> = Box::new(rows);
        Self {
            head: rest.next(),
            rest,
        }
    }

    fn advance(&mut self) -> Option<Result<RowChange, Fault>> {
        std::mem::replace(&mut self.head, self.rest.next())
    }

    fn key(&self) -> Option<&[u8]> {
        match &self.head {
            Some(Ok((key, _))) => Some(key),
            Some(Err(_)) | None => None,
        }
    }
}

/// Rows from several layers, the upper ones hiding the lower ones; deleted rows are among them, so that what lies further down is
/// hidden, too.
pub(super) struct Merged<'a>(pub(super) Vec<RowLayer<'a>>);

impl Iterator for Merged<'_> {
    type Item = Result<RowChange, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(failed) = self.0.iter_mut().find(|layer| matches!(layer.head, Some(Err(_)))) {
            return failed.advance();
        }
        let mut topmost: Option<(usize, &[u8])> = None;
        for (at, layer) in self.0.iter().enumerate() {
            if let Some(key) = layer.key()
                && topmost.is_none_or(|(_, lowest)| key < lowest)
            {
                topmost = Some((at, key));
            }
        }
        let (at, _) = topmost?;
        let row = self.0[at].advance()?;
        if let Ok((key, _)) = &row {
            for layer in &mut self.0[at + 1..] {
                if layer.key() == Some(key) {
                    layer.advance();
                }
            }
        }
        Some(row)
    }
}

/// Leaves out what was deleted.
pub(super) fn live(row: Result<RowChange, Fault>) -> Option<Result<Row, Fault>> {
    match row {
        Ok((key, Some(value))) => Some(Ok((key, value))),
        Ok((_, None)) => None,
        Err(fault) => Some(Err(fault)),
    }
}
