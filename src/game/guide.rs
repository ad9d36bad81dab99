//! Guided entry: an action picked word by word, and autocomplete.
//!
//! A game spells each legal action as one or more paths of words. From the paths alone follows what
//! can be picked next, on every platform, after any beginning; no game writes a wizard.

use super::{Game, Seat};

/// One word on the way to an action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// What is typed: `F2`.
    pub text: String,
    /// What a button or menu shows: `F2 electron`.
    pub label: String,
    /// The question that this word answers: "Which particle?"
    pub asks: &'static str,
}

impl Word {
    pub fn new(asks: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            label: text.clone(),
            text,
            asks,
        }
    }

    pub fn labelled(asks: &'static str, text: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            label: label.into(),
            asks,
        }
    }
}

/// What can follow a beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// The question or questions that the next word answers.
    pub ask: String,
    pub choices: Vec<Choice>,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub text: String,
    pub label: String,
    pub leads: Leads,
}

/// Where a choice leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// More must be picked; so many actions are still open.
    On { open: usize },
    /// The action is complete; this is its canonical notation.
    To { action: String },
}

/// The choices after the words picked so far, in the order of the legal actions. Empty if nothing
/// legal begins that way.
pub fn guide<G: Game>(game: &G, seat: Seat, picked: &[&str]) -> Guide {
    let mut guide = Guide::default();
    let mut asks: Vec<&str> = Vec::new();
    for action in game.legal_actions(seat) {
        for path in game.paths(seat, &action) {
            let begins = path.len() > picked.len()
                && path
                    .iter()
                    .zip(picked)
                    .all(|(word, pick)| word.text.eq_ignore_ascii_case(pick));
            if !begins {
                continue;
            }
            let word = &path[picked.len()];
            if !asks.contains(&word.asks) {
                asks.push(word.asks);
            }
            let last = path.len() == picked.len() + 1;
            let known = guide.choices.iter_mut().find(|choice| choice.text == word.text);
            match known {
                Some(Choice {
                    leads: Leads::On { open },
                    ..
                }) => *open += 1,
                Some(_) => {}
                None => guide.choices.push(Choice {
                    text: word.text.clone(),
                    label: word.label.clone(),
                    leads: if last {
                        Leads::To {
                            action: game.notate(seat, &action),
                        }
                    } else {
                        Leads::On { open: 1 }
                    },
                }),
            }
        }
    }
    guide.ask = asks.join(" ");
    guide
}

/// The legal actions, in canonical notation, that what was typed may be the beginning of; failing
/// that, those that contain it. Case, spaces and hyphens don't matter.
pub fn complete<G: Game>(game: &G, seat: Seat, typed: &str, limit: usize) -> Vec<String> {
    let wanted = bare(typed);
    let all: Vec<String> = game
        .legal_actions(seat)
        .iter()
        .map(|action| game.notate(seat, action))
        .collect();
    let fits = |test: fn(&str, &str) -> bool| -> Vec<String> {
        let matching = all.iter().filter(|action| test(&bare(action), &wanted));
        matching.take(limit).cloned().collect()
    };
    let begins = fits(|action, wanted| action.starts_with(wanted));
    if begins.is_empty() {
        fits(|action, wanted| action.contains(wanted))
    } else {
        begins
    }
}

/// A text without what people type differently: case, spaces, hyphens.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .flat_map(char::to_lowercase)
        .collect()
}
