//! A heap of blocks: how many of each kind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kind::{KINDS, Kind};

/// Counts of up to fifteen for each kind, four bits a kind: copied, compared and hashed as one word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<Kind, u8>", into = "BTreeMap<Kind, u8>")]
pub struct Stock(u64);

/// A saved heap holds more of a kind than were ever made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are not that many {0}")]
pub struct TooMany(pub Kind);

impl Stock {
    pub const EMPTY: Self = Self(0);
    const COMMANDS: u64 = !0 << (4 * Kind::Annihilate as u64);

    #[inline]
    pub const fn count(self, kind: Kind) -> u8 {
        (self.0 >> (4 * kind as u64)) as u8 & 15
    }

    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) > 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many blocks there are in all.
    pub fn len(self) -> u8 {
        Kind::ALL.into_iter().map(|kind| self.count(kind)).sum()
    }

    /// How many different kinds there are.
    #[inline]
    pub const fn count_kinds(self) -> usize {
        let pairs = self.0 | self.0 >> 1;
        ((pairs | pairs >> 2) & 0x1111_1111_1111_1111).count_ones() as usize
    }

    #[inline]
    pub const fn add(&mut self, kind: Kind) {
        self.0 += 1 << (4 * kind as u64);
    }

    /// Takes one out; nothing happens if there is none.
    #[inline]
    pub const fn take(&mut self, kind: Kind) {
        if self.has(kind) {
            self.0 -= 1 << (4 * kind as u64);
        }
    }

    /// The command modules in it.
    #[inline]
    pub const fn commands(self) -> Self {
        Self(self.0 & Self::COMMANDS)
    }

    /// The power blocks in it.
    #[inline]
    pub const fn powers(self) -> Self {
        Self(self.0 & !Self::COMMANDS)
    }

    /// The heap without any of a kind.
    #[inline]
    pub const fn without_kind(self, kind: Kind) -> Self {
        Self(self.0 & !(15 << (4 * kind as u64)))
    }

    /// Both heaps together. Neither may be so large that a count runs over.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// This heap without another, all of which is in it.
    #[inline]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// Whether all of another heap is in this one.
    pub fn includes(self, other: Self) -> bool {
        Kind::ALL
            .into_iter()
            .all(|kind| other.count(kind) <= self.count(kind))
    }

    /// The kinds of which there is at least one, in order.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = Kind> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let index = left.trailing_zeros() / 4;
            left &= !(15 << (4 * index));
            Kind::ALL.get(index as usize).copied()
        })
    }

    /// Every block, equal ones one after the other.
    pub fn blocks(self) -> impl Iterator<Item = Kind> + Clone {
        self.kinds()
            .flat_map(move |kind| std::iter::repeat_n(kind, usize::from(self.count(kind))))
    }

    /// The bits, for position keys.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl FromIterator<Kind> for Stock {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut stock = Self::EMPTY;
        for kind in kinds {
            if stock.count(kind) < 15 {
                stock.add(kind);
            }
        }
        stock
    }
}

impl TryFrom<BTreeMap<Kind, u8>> for Stock {
    type Error = TooMany;

    fn try_from(counts: BTreeMap<Kind, u8>) -> Result<Self, TooMany> {
        let mut stock = Self::EMPTY;
        for (kind, count) in counts {
            if count > kind.made() {
                return Err(TooMany(kind));
            }
            for _ in 0..count {
                stock.add(kind);
            }
        }
        Ok(stock)
    }
}

impl From<Stock> for BTreeMap<Kind, u8> {
    fn from(stock: Stock) -> Self {
        stock.kinds().map(|kind| (kind, stock.count(kind))).collect()
    }
}

const _: () = assert!(KINDS * 4 <= 64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_kind() {
        let mut stock: Stock = [Kind::Three, Kind::TwoL, Kind::Three, Kind::Authenticate]
            .into_iter()
            .collect();
        assert_eq!(stock.len(), 4);
        assert_eq!(stock.count(Kind::Three), 2);
        assert!(stock.kinds().eq([Kind::TwoL, Kind::Three, Kind::Authenticate]));
        assert_eq!(stock.commands().len(), 1);
        assert_eq!(stock.count_kinds(), 3);
        stock.take(Kind::TwoL);
        stock.take(Kind::TwoL);
        assert!(stock.blocks().eq([Kind::Three, Kind::Three, Kind::Authenticate]));
        assert_eq!(
            serde_json::to_string(&stock).unwrap(),
            r#"{"3":2,"authenticate":1}"#
        );
        assert!(serde_json::from_str::<Stock>(r#"{"3":5}"#).is_err());
    }
}
