//! The short code of a table: what people type to join it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::port::{Entropy, Fault};

/// Letters and digits that can't be taken for one another. 32 of them, so that five random bits pick
/// one.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// The shortest and the longest code.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=8;

/// A table's code, such as `K7QF`. It names the match for good.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code(String);

impl Code {
    /// A random code. Longer ones are asked for when short ones run out.
    pub fn random(entropy: &dyn Entropy, length: usize) -> Result<Self, Fault> {
        let mut bytes = [0; *LENGTHS.end()];
        entropy.fill(&mut bytes)?;
        let length = length.clamp(*LENGTHS.start(), *LENGTHS.end());
        let letters = bytes[..length]
            .iter()
            .map(|byte| char::from(ALPHABET[usize::from(byte & 31)]));
        Ok(Self(letters.collect()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Not a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that isn't a table code")]
pub struct BadCode;

impl FromStr for Code {
    type Err = BadCode;

    /// Any case, with or without `#`.
    fn from_str(text: &str) -> Result<Self, BadCode> {
        let text = text.trim().trim_start_matches('#');
        let letters = text.to_ascii_uppercase();
        let known = letters.bytes().all(|letter| ALPHABET.contains(&letter));
        (known && LENGTHS.contains(&letters.len()))
            .then_some(Self(letters))
            .ok_or(BadCode)
    }
}

impl TryFrom<String> for Code {
    type Error = BadCode;

    fn try_from(text: String) -> Result<Self, BadCode> {
        text.parse()
    }
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;

    impl Entropy for Counting {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault> {
            for (value, byte) in (30..).zip(bytes.iter_mut()) {
                *byte = value;
            }
            Ok(())
        }
    }

    #[test]
    fn codes_read_back_in_any_case() {
        let code = Code::random(&Counting, 4).unwrap();
        assert_eq!(code.as_str(), "YZ23");
        assert_eq!("#yz23".parse(), Ok(code));
        for bad in ["", "ABC", "AB-D", "ABCDEFGHJ", "ÄBCD", "AB1D"] {
            assert_eq!(bad.parse::<Code>(), Err(BadCode), "{bad}");
        }
    }
}
