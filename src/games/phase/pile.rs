//! Cards in a zone, in order.

use std::fmt;
use std::ops::Deref;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::card::deck::DECK_SIZE;

/// One of the cards on the table, by its place in the game's list of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Inst(pub u8);

impl Inst {
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The cards of one zone of one player. A player never has more cards than a deck holds, so the whole
/// position can be copied without asking for memory.
#[derive(Clone, Copy)]
pub struct Pile {
    len: u8,
    cards: [Inst; DECK_SIZE],
}

impl Pile {
    pub const EMPTY: Self = Self {
        len: 0,
        cards: [Inst(0); DECK_SIZE],
    };

    /// Adds a card at the end: the top of a deck, the newest of a hand.
    #[inline]
    pub fn push(&mut self, inst: Inst) {
        if let Some(place) = self.cards.get_mut(usize::from(self.len)) {
            *place = inst;
            self.len += 1;
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Inst> {
        self.len = self.len.checked_sub(1)?;
        self.cards.get(usize::from(self.len)).copied()
    }

    /// Takes a card out; those behind it move up.
    #[inline]
    pub fn remove(&mut self, inst: Inst) -> bool {
        let Some(at) = self.iter().position(|&card| card == inst) else {
            return false;
        };
        self.cards.copy_within(at + 1..usize::from(self.len), at);
        self.len -= 1;
        true
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn as_mut_slice(&mut self) -> &mut [Inst] {
        &mut self.cards[..usize::from(self.len)]
    }

    /// The place of a card, counted from one as people do.
    pub fn place_of(&self, inst: Inst) -> Option<u8> {
        let at = self.iter().position(|&card| card == inst)?;
        Some(at as u8 + 1)
    }

    /// The card at a place counted from one.
    #[inline]
    pub fn at(&self, place: u8) -> Option<Inst> {
        self.get(usize::from(place).checked_sub(1)?).copied()
    }
}

impl Default for Pile {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Deref for Pile {
    type Target = [Inst];

    #[inline]
    fn deref(&self) -> &[Inst] {
        &self.cards[..usize::from(self.len)]
    }
}

impl fmt::Debug for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|inst| inst.0)).finish()
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Pile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Inst>::deserialize(deserializer)?;
        if cards.len() > DECK_SIZE {
            return Err(D::Error::custom("a zone holds more cards than a deck has"));
        }
        let mut pile = Self::EMPTY;
        for inst in cards {
            pile.push(inst);
        }
        Ok(pile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_keep_their_order_when_one_goes() {
        let mut pile = Pile::EMPTY;
        for card in [4, 7, 9] {
            pile.push(Inst(card));
        }
        assert!(pile.remove(Inst(7)));
        assert!(!pile.remove(Inst(7)));
        assert_eq!(&*pile, [Inst(4), Inst(9)]);
        assert_eq!(
            (pile.place_of(Inst(9)), pile.at(2), pile.at(0)),
            (Some(2), Some(Inst(9)), None)
        );
        assert_eq!(pile.pop(), Some(Inst(9)));
    }
}
