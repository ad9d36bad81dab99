//! Decks: exactly 25 different cards of one faction.

use serde::{Deserialize, Serialize};

use super::face::Faction;
use super::pair::CardId;

/// How many cards a deck has.
pub const DECK_SIZE: usize = 25;

/// A legal deck: 25 different cards of one faction, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<CardId>", into = "Vec<CardId>")]
pub struct Deck(Vec<CardId>);

impl Deck {
    pub fn new(cards: impl IntoIterator<Item = CardId>) -> Result<Self, DeckFault> {
        let mut cards: Vec<CardId> = cards.into_iter().collect();
        match check(&cards).into_iter().next() {
            Some(fault) => Err(fault),
            None => {
                cards.sort_unstable();
                Ok(Self(cards))
            }
        }
    }

    /// A deck that is not finished, for the loader alone.
    pub(super) const fn unchecked(cards: Vec<CardId>) -> Self {
        Self(cards)
    }

    pub fn cards(&self) -> &[CardId] {
        &self.0
    }

    pub fn faction(&self) -> Faction {
        // A deck has 25 cards, so there is a first.
        self.0.first().map_or(Faction::Fengarian, |card| card.faction())
    }
}

impl From<Deck> for Vec<CardId> {
    fn from(deck: Deck) -> Self {
        deck.0
    }
}

impl TryFrom<Vec<CardId>> for Deck {
    type Error = DeckFault;

    fn try_from(cards: Vec<CardId>) -> Result<Self, DeckFault> {
        Self::new(cards)
    }
}

/// A deck that anybody may play, its list public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyDeck {
    /// Short, for options and sentences: "wolfpack".
    pub name: String,
    /// One line about how it plays.
    pub about: String,
    pub deck: Deck,
}

/// Everything that keeps cards from being a deck; nothing if they are one.
pub fn check(cards: &[CardId]) -> Vec<DeckFault> {
    let mut faults = Vec::new();
    let mut sorted = cards.to_vec();
    sorted.sort_unstable();
    if let Some(&first) = cards.first()
        && let Some(&stranger) = cards.iter().find(|card| card.faction() != first.faction())
    {
        faults.push(DeckFault::Mixed(first, stranger));
    }
    let mut last = None;
    for pair in sorted.windows(2) {
        if let [one, other] = pair
            && one == other
            && last.replace(*one) != Some(*one)
        {
            faults.push(DeckFault::Twice(*one));
        }
    }
    if cards.len() != DECK_SIZE {
        faults.push(DeckFault::Size(cards.len()));
    }
    faults
}

/// Why cards don't make a deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeckFault {
    #[error("a deck has exactly {DECK_SIZE} cards, and this one has {0}")]
    Size(usize),
    #[error("{0} is in it twice: all cards of a deck are different")]
    Twice(CardId),
    #[error("{0} and {1} are of different factions: a deck is of one")]
    Mixed(CardId, CardId),
}
