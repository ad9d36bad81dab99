//! Decks as text: one card a line, to be kept in a file, mended by hand and read back.
//!
//! ```text
//! # wolfpack: Fengarian, 25 cards
//! F1 Path Runner / Bog Rat
//! ```
//! A line holds a number, two names, or both; the number counts. Commas and semicolons end a line too, so that a whole
//! deck can be said in one message. What follows `#` is a comment.

use super::code::DeckCode;
use super::deck::Deck;
use super::pair::CardId;
use super::set::{Edition, card_set};
use crate::text::counted;

/// Writes cards as text, with a heading, and with the code if they are a deck.
pub fn write(name: &str, cards: &[CardId]) -> String {
    let set = card_set();
    let faction = cards
        .first()
        .map_or("no faction yet", |card| card.faction().name());
    let count = counted(cards.len(), "card", "cards");
    let mut text = format!("# {name}: {faction}, {count}\n");
    for card in cards {
        text.push_str(&format!("{card} {}\n", set.title(*card)));
    }
    if let Ok(deck) = Deck::new(cards.iter().copied()) {
        text.push_str(&format!("# code {}\n", DeckCode(deck)));
    }
    text
}

/// Reads cards from text: a deck code, or a list of cards. What they make up is for [`super::deck::check`] to say.
pub fn read(text: &str) -> Result<Vec<CardId>, ListFault> {
    if let Ok(DeckCode(deck)) = text.trim().parse() {
        return Ok(deck.into());
    }
    let mut cards = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        for part in line.split([',', ';']) {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            let problem = |reason| ListFault { line: number, reason };
            read_part(part, &mut cards).map_err(problem)?;
        }
    }
    if cards.is_empty() {
        return Err(ListFault {
            line: 1,
            reason: "there is no card in it".to_owned(),
        });
    }
    Ok(cards)
}

/// Reads `F1 Path Runner / Bog Rat`, `Path Runner / Bog Rat`, `F1`, or several numbers.
fn read_part(part: &str, cards: &mut Vec<CardId>) -> Result<(), String> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let numbers: Vec<CardId> = words.iter().map_while(|word| word.parse().ok()).collect();
    if numbers.len() == words.len() {
        cards.extend(numbers);
        return Ok(());
    }
    if let [one] = numbers[..] {
        cards.push(one);
        return Ok(());
    }
    let Some((one, other)) = part.split_once('/') else {
        return Err(format!(
            "I can't read `{}`: a card is a number such as F1, or two names with a slash between them",
            crate::game::notation::excerpt(part)
        ));
    };
    // A list may be older than the names that are printed now; the number is the same in every edition.
    let card = Edition::ALL
        .into_iter()
        .find_map(|edition| edition.cards().card_of(one, other))
        .ok_or_else(|| format!("there is no card `{}`", crate::game::notation::excerpt(part)))?;
    cards.push(card.id);
    Ok(())
}

/// Why a text is no list of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ListFault {
    /// From 1.
    pub line: u32,
    pub reason: String,
}
