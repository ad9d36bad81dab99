//! All faces, cards and ready decks, loaded once.

use std::sync::LazyLock;

use super::card::{Card, CardId};
use super::deck::ReadyDeck;
use super::face::{Face, FaceId};

/// Everything that is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardSet {
    pub(super) faces: Vec<Face>,
    /// In the order of their numbers, all 300.
    pub(super) cards: Vec<Card>,
    pub(super) decks: Vec<ReadyDeck>,
}

impl CardSet {
    #[inline]
    pub fn face(&self, id: FaceId) -> &Face {
        // Only this set hands out ids of faces.
        &self.faces[id.index()]
    }

    #[inline]
    pub fn card(&self, id: CardId) -> &Card {
        // Numbers run to 300, and the loader accepts nothing but 300 cards.
        &self.cards[id.index()]
    }

    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    pub fn decks(&self) -> &[ReadyDeck] {
        &self.decks
    }
}

/// The printed set.
pub fn card_set() -> &'static CardSet {
    static SET: LazyLock<CardSet> = LazyLock::new(CardSet::default);
    &SET
}
