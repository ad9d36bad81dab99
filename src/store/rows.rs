//! Rows as bytes, in the journal and in runs: the length of the key, the key, the length of the value, the value. Lengths are
//! little-endian and have four bytes; one that no value has stands for a row that was deleted.

use std::io;

/// A row with its full key; nothing where it was deleted.
pub(super) type RowChange = (Vec<u8>, Option<Vec<u8>>);

/// Stands for the length of a value where a row is deleted.
const DELETED: u32 = u32::MAX;

/// Appends a row.
pub(super) fn encode(key: &[u8], value: Option<&[u8]>, to: &mut Vec<u8>) -> io::Result<()> {
    to.extend(length(key.len())?);
    to.extend(key);
    match value {
        Some(value) => {
            to.extend(length(value.len())?);
            to.extend(value);
        }
        None => to.extend(DELETED.to_le_bytes()),
    }
    Ok(())
}

/// A length as it is written.
pub(super) fn length(length: usize) -> io::Result<[u8; 4]> {
    u32::try_from(length)
        .ok()
        .filter(|length| *length != DELETED)
        .map(u32::to_le_bytes)
        .ok_or_else(|| io::Error::other("a change is too large to be written"))
}

/// Takes the next row off; nothing if there is no whole one.
pub(super) fn take_row<'a>(from: &mut &'a [u8]) -> Option<(&'a [u8], Option<&'a [u8]>)> {
    let key = take_counted(from)?;
    let value = match take_number(from)? {
        DELETED => None,
        length => Some(take(from, usize::try_from(length).ok()?)?),
    };
    Some((key, value))
}

pub(super) fn take_counted<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = take_number(from)?;
    take(from, usize::try_from(length).ok()?)
}

pub(super) fn take<'a>(from: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(taken)
}

pub(super) fn take_number(from: &mut &[u8]) -> Option<u32> {
    take(from, 4)?.try_into().map(u32::from_le_bytes).ok()
}

pub(super) fn take_long(from: &mut &[u8]) -> Option<u64> {
    take(from, 8)?.try_into().map(u64::from_le_bytes).ok()
}
