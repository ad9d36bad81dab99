//! Matches that are over, each folded into one value: the match as it ended, with its whole log.
//!
//! Nothing of such a match is read by parts any more, and its entries resemble one another, so that packed together they
//! take a tenth of the room. A value in [`Space::Archive`](super::port::Space::Archive) is one byte that tells the format,
//! then what the format says:
//! ```text
//! 1    JSON, packed by zlib, which adds a checksum: {"match": the match, "log": [its entries]}
//! ```

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::deflate::Packing;
use super::port::Fault;
use super::repository::{decode, encode};
use super::state::{LogEntry, Match};

/// The format that is written now.
const PACKED_JSON: u8 = 1;

/// A match that is over, with its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folded<'a> {
    #[serde(rename = "match")]
    pub the_match: Cow<'a, Match>,
    pub log: Cow<'a, [LogEntry]>,
}

impl Folded<'_> {
    pub fn pack(&self) -> Result<Vec<u8>, Fault> {
        let mut packed = vec![PACKED_JSON];
        Packing::Checked.pack(&encode(self)?, &mut packed)?;
        Ok(packed)
    }

    pub fn unpack(bytes: &[u8]) -> Result<Self, Fault> {
        read(bytes)
    }
}

/// The match alone. Its log is passed over.
pub fn unpack_match(bytes: &[u8]) -> Result<Match, Fault> {
    #[derive(Deserialize)]
    struct WithoutLog {
        #[serde(rename = "match")]
        the_match: Match,
    }
    read(bytes).map(|folded: WithoutLog| folded.the_match)
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    match bytes.split_first() {
        Some((&PACKED_JSON, packed)) => decode(&Packing::Checked.unpack(packed)?),
        _ => Err(Fault::new("unfolding a match", "its format is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::state::{Logged, Stage};

    /// The format is a promise: a match as it was first folded, kept for ever.
    const FIRST: &[u8] = include_bytes!("../../tests/data/store/folded-1");

    #[test]
    fn what_was_folded_first_can_still_be_read() {
        let folded = Folded::unpack(FIRST).unwrap();
        assert_eq!(folded.the_match.code.as_str(), "MGFV");
        assert!(matches!(folded.the_match.stage, Stage::Over(..)));
        assert_eq!(folded.log.len(), 3);
        assert_eq!(folded.log[1].what, Logged::TookBack { steps: 0 });
        assert_eq!(unpack_match(FIRST).unwrap(), *folded.the_match);
        assert_eq!(Folded::unpack(&folded.pack().unwrap()).unwrap(), folded);
    }

    #[test]
    fn a_damaged_value_is_never_taken_for_another_match() {
        let folded = Folded::unpack(FIRST).unwrap();
        for length in 0..FIRST.len() {
            assert!(Folded::unpack(&FIRST[..length]).is_err(), "{length} bytes");
        }
        for bit in 0..8 * FIRST.len() {
            let mut damaged = FIRST.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // A few bits only fill the last byte up.
            let found = Folded::unpack(&damaged);
            assert!(
                found.is_err() || found.is_ok_and(|found| found == folded),
                "bit {bit}"
            );
        }
    }
}
