//! All faces, cards and ready decks, loaded once.

use std::sync::LazyLock;

use super::deck::ReadyDeck;
use super::face::{Face, FaceId};
use super::load::{LoadFault, Source, load};
use super::pair::{Card, CardId};

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

    /// Both names of a card, the good one first: "Scout / Fire Spirit".
    pub fn title(&self, id: CardId) -> String {
        let card = self.card(id);
        format!("{} / {}", self.face(card.good).name, self.face(card.evil).name)
    }

    /// The face of this name, in any case.
    pub fn face_named(&self, name: &str) -> Option<&Face> {
        let name = name.trim().to_lowercase();
        self.faces.iter().find(|face| face.name.to_lowercase() == name)
    }

    /// The card with these two faces, in either order.
    pub fn card_of(&self, one: &str, other: &str) -> Option<&Card> {
        let (one, other) = (self.face_named(one)?.id, self.face_named(other)?.id);
        let is = |card: &&Card| {
            (card.good == one && card.evil == other) || (card.good == other && card.evil == one)
        };
        self.cards.iter().find(is)
    }

    /// The ready deck of this name.
    pub fn ready_deck(&self, name: &str) -> Option<&ReadyDeck> {
        self.decks
            .iter()
            .find(|ready| ready.name.eq_ignore_ascii_case(name))
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

/// The card files, part of the program.
static SOURCES: [Source<'static>; 3] = [
    Source {
        name: "fengarian.cards",
        text: include_str!("../../../../assets/phase/fengarian.cards"),
    },
    Source {
        name: "keeper.cards",
        text: include_str!("../../../../assets/phase/keeper.cards"),
    },
    Source {
        name: "sun-dominion.cards",
        text: include_str!("../../../../assets/phase/sun-dominion.cards"),
    },
];

/// Reads the printed set anew, with all that is wrong in it.
pub fn read_printed() -> Result<CardSet, Vec<LoadFault>> {
    load(&SOURCES)
}

/// Where the cards are written, for tests that look them over.
pub const fn sources() -> &'static [Source<'static>] {
    &SOURCES
}

/// The printed set. The program reads it before it opens anything ([`crate::game::Game::check_data`]), so whoever gets
/// here without having done so is told as loudly.
pub fn card_set() -> &'static CardSet {
    static SET: LazyLock<CardSet> = LazyLock::new(|| match read_printed() {
        Ok(set) => set,
        #[allow(clippy::panic, reason = "without its cards the program must not go on")]
        Err(faults) => panic!("the card files can't be read: {}", LoadFault::list(&faults)),
    });
    &SET
}
