//! Formats of what is stored, and the steps from one to the next.
//!
//! The format is a number in [`Space::Meta`] under [`FORMAT_KEY`]; a new store has the latest. A store in an older format
//! is brought forward when it is opened, step by step. Each step and the new number are one atomic write, so a crash leaves the
//! store before a step or after it. A step that fails changes nothing. A store in a newer format is refused.
//!
//! To change the format: append a [`Migration`] to [`MIGRATIONS`], keep a backup in the old format under `tests/data/store`,
//! and show in a test that it opens.

use std::ops::RangeInclusive;

use crate::matches::port::{Batch, Fault, Row, Space};

/// Where the format is noted, in [`Space::Meta`].
pub const FORMAT_KEY: &[u8] = b"format";

/// The steps from format 1 to the present one, in order: the first leads to format 2.
pub const MIGRATIONS: &[Migration] = &[Migration {
    // They are folded in the background; the number keeps out programs that would not find them.
    title: "finished matches are folded into an archive",
    step: |_| Ok(Batch::new()),
}];

/// One step.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// What it does, for the log.
    pub title: &'static str,
    /// Reads what is there and says what to write.
    pub step: fn(&dyn Rows) -> Result<Batch, Fault>,
}

/// What a migration may read.
pub trait Rows {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault>;

    /// As [`Store::scan`](crate::matches::port::Store::scan).
    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault>;
}

/// The format that a list of migrations leads to.
pub fn latest(migrations: &[Migration]) -> u32 {
    1 + u32::try_from(migrations.len()).unwrap_or(u32::MAX - 1)
}

/// The format as it is stored.
pub fn format_value(format: u32) -> Vec<u8> {
    format.to_string().into_bytes()
}

/// The format that was stored.
pub fn read_format(value: &[u8]) -> Option<u32> {
    std::str::from_utf8(value)
        .ok()?
        .parse()
        .ok()
        .filter(|format| *format > 0)
}

/// What is to be written for the next step from a format, if there is one: its batch with the new number.
pub(super) fn step(
    rows: &dyn Rows,
    from: u32,
    migrations: &[Migration],
) -> Option<(Migration, u32, Result<Batch, Fault>)> {
    let migration = *migrations.get(usize::try_from(from).ok()?.checked_sub(1)?)?;
    let to = from + 1;
    let batch = (migration.step)(rows).map(|mut batch| {
        batch.put(Space::Meta, FORMAT_KEY, format_value(to));
        batch
    });
    Some((migration, to, batch))
}
