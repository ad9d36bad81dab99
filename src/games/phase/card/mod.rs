//! The cards: their faces, what they do, and the decks that are made of them.
//!
//! Everything here is data that the rules interpret. The editions themselves are written in `assets/phase`; matches go on
//! with the one with which they began. Whether the cards
//! make sense and what they are worth is looked over by tests (`tests/rules/phase/lint`).

mod browse;
pub mod code;
pub mod deck;
pub mod effect;
pub mod face;
mod lexer;
pub mod list;
pub mod load;
mod mention;
pub mod pair;
mod phrase;
mod read;
pub mod set;
pub mod text;

pub use browse::Library;
pub use code::{CodeFault, DeckCode, DeckKey};
pub use deck::{Deck, DeckFault, ReadyDeck};
pub use effect::{
    Ability, Amount, CardChoice, CardSide, CardVerb, CardZone, Condition, Cost, Effect, Filter, Granted,
    Group, Place, Reference, Who,
};
pub use face::{Alignment, Face, FaceId, Faction, Keyword, Keywords, Skill};
pub use list::ListFault;
pub use pair::{Card, CardId};
pub use set::{CardSet, Edition, card_set};
