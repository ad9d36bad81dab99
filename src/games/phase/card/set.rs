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

/// What was printed together. Cards keep their numbers from edition to edition, and what is on them may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edition {
    First,
    Second,
}

/// A card file of an edition, part of the program.
macro_rules! source {
    ($file:literal) => {
        Source {
            name: $file,
            text: include_str!(concat!("../../../../assets/phase/", $file)),
        }
    };
}

static FIRST: [Source<'static>; 3] = [
    source!("first/fengarian.cards"),
    source!("first/keeper.cards"),
    source!("first/sun-dominion.cards"),
];

static SECOND: [Source<'static>; 3] = [
    source!("second/fengarian.cards"),
    source!("second/keeper.cards"),
    source!("second/sun-dominion.cards"),
];

impl Edition {
    /// The newest first.
    pub const ALL: [Self; 2] = [Self::Second, Self::First];

    /// The edition that new matches are played with, that is browsed and built with.
    pub const NEWEST: Self = Self::Second;

    /// Where its cards are written, for tests that look them over.
    pub const fn sources(self) -> &'static [Source<'static>] {
        match self {
            Self::First => &FIRST,
            Self::Second => &SECOND,
        }
    }

    /// Reads its files anew, with all that is wrong in them.
    pub fn read(self) -> Result<CardSet, Vec<LoadFault>> {
        load(self.sources())
    }

    /// Its cards. The program reads them before it opens anything ([`crate::game::Game::check_data`]), so whoever gets
    /// here without having done so is told as loudly.
    pub fn cards(self) -> &'static CardSet {
        static SETS: [LazyLock<CardSet>; 2] = [
            LazyLock::new(|| Edition::First.printed()),
            LazyLock::new(|| Edition::Second.printed()),
        ];
        let [first, second] = &SETS;
        match self {
            Self::First => first,
            Self::Second => second,
        }
    }

    fn printed(self) -> CardSet {
        match self.read() {
            Ok(set) => set,
            #[allow(clippy::panic, reason = "without its cards the program must not go on")]
            Err(faults) => panic!("the card files can't be read: {}", LoadFault::list(&faults)),
        }
    }
}

/// The face that stands today where one of this name stood in any edition, in any case.
pub fn face_today(name: &str) -> Option<&'static Face> {
    let newest = card_set();
    Edition::ALL.into_iter().find_map(|edition| {
        let set = edition.cards();
        let face = set.face_named(name)?;
        let mut cards = set.cards().iter();
        let card = cards.find(|card| card.face(face.alignment) == face.id)?;
        Some(newest.face(newest.card(card.id).face(face.alignment)))
    })
}

/// The cards of the newest edition.
pub fn card_set() -> &'static CardSet {
    Edition::NEWEST.cards()
}
