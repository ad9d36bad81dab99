//! A running sum over all rows that sled holds.
//!
//! sled checks each message of its log, but where one is broken in the middle, recovery takes it for the end
//! of that segment and goes on: rows are lost, or old values come back, without a word. So every group of
//! writes also stores the totals of all rows as they are after it. A store that was not closed well is counted
//! over before it is used, and a count that differs means damage.

use std::ops::Range;

use crate::game::rng::mix;

/// How many groups were written, how many rows there are, and the sum of their hashes.
///
/// The sum does not depend on the order of the rows, and a row can be taken out of it again.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) groups: u64,
    pub(super) rows: u64,
    pub(super) sum: u64,
}

impl Totals {
    /// Where they are kept: above all spaces, so that no scan of a space meets them.
    pub(super) const KEY: &'static [u8] = &[0xFF];
    /// The keys of all spaces, and of deletions.
    pub(super) const COUNTED: Range<[u8; 1]> = [0x00]..[0xFF];
    const LENGTH: usize = 24;

    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        self.rows = self.rows.wrapping_add(1);
        self.sum = self.sum.wrapping_add(hash(key, value));
    }

    pub(super) fn take(&mut self, key: &[u8], value: &[u8]) {
        self.rows = self.rows.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(hash(key, value));
    }

    pub(super) fn to_bytes(self) -> [u8; Self::LENGTH] {
        let mut bytes = [0; Self::LENGTH];
        bytes[..8].copy_from_slice(&self.groups.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.rows.to_be_bytes());
        bytes[16..].copy_from_slice(&self.sum.to_be_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::LENGTH] = bytes.try_into().ok()?;
        let number = |at: usize| bytes[at..at + 8].try_into().map(u64::from_be_bytes).ok();
        Some(Self {
            groups: number(0)?,
            rows: number(8)?,
            sum: number(16)?,
        })
    }
}

/// A row's share of the sum. The checksum is spread over 64 bits, so that sums of a few rows don't meet.
fn hash(key: &[u8], value: &[u8]) -> u64 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(key);
    let key = checksum.clone().finalize();
    checksum.update(value);
    let row = checksum.finalize();
    mix(u64::from(key) << 32 | u64::from(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_taken_out_leave_no_trace_in_any_order() {
        let mut totals = Totals::default();
        totals.add(b"one", b"1");
        let alone = totals;
        totals.add(b"two", b"2");
        totals.add(b"three", b"3");
        totals.take(b"two", b"2");
        totals.take(b"three", b"3");
        assert_eq!(totals, alone);
        totals.take(b"one", b"another value");
        assert_ne!(totals, Totals::default());
    }

    #[test]
    fn a_tally_survives_its_bytes() {
        let totals = Totals {
            groups: 1,
            rows: 2,
            sum: u64::MAX - 2,
        };
        assert_eq!(Totals::from_bytes(&totals.to_bytes()), Some(totals));
        assert_eq!(Totals::from_bytes(b"short"), None);
    }
}
