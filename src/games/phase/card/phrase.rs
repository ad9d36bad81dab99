//! Noun phrases of the card text: cards, groups, players and numbers, in plain English.

use super::effect::{CardChoice, CardSide, CardZone, Filter, Group};
use crate::text::list;

/// A noun phrase and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub words: String,
    pub plural: bool,
}

impl Phrase {
    pub fn one(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            plural: false,
        }
    }

    pub fn many(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            plural: true,
        }
    }

    /// With a verb that agrees: `gets` of one, `get` of many.
    pub fn does(&self, one: &str, many: &str) -> String {
        format!("{} {}", self.words, if self.plural { many } else { one })
    }

    /// Whose: `its`, `your warrior's`.
    pub fn possessive(&self) -> String {
        match self.words.as_str() {
            "it" => "its".to_owned(),
            "they" | "them" => "their".to_owned(),
            "you" => "your".to_owned(),
            words if self.plural && words.ends_with('s') => format!("{words}'"),
            words => format!("{words}'s"),
        }
    }
}

/// What is chosen, as it is named the first time: `one of your warriors`.
pub(super) fn choice(choice: &CardChoice) -> Phrase {
    match choice {
        CardChoice::Player {
            side: CardSide::Opponents,
        } => Phrase::one("an opponent"),
        CardChoice::Player { .. } => Phrase::one("a player"),
        CardChoice::Cards { group, count, up_to } => {
            let several = *count > 1;
            let number = number_word(*count);
            let start = match (several, up_to) {
                (false, false) => String::new(),
                (true, false) => number.to_owned(),
                (_, true) => format!("up to {number}"),
            };
            let noun = noun(group, several);
            let words = match (group.side, group.zone) {
                (_, CardZone::Hand | CardZone::Discard | CardZone::DeckTop)
                | (CardSide::Opponents | CardSide::Any, _) => {
                    if start.is_empty() {
                        with_article(&noun)
                    } else {
                        format!("{start} {noun}")
                    }
                }
                (CardSide::Mine, CardZone::Play | CardZone::Barracks) => {
                    let of = if start.is_empty() { "one" } else { &start };
                    format!("{of} of your {}", noun_plain(group, true))
                }
            };
            Phrase {
                words,
                plural: several,
            }
        }
    }
}

/// All cards of a group: `each of your warriors`.
pub(super) fn each(group: &Group) -> Phrase {
    Phrase::one(match (group.zone, group.side) {
        (CardZone::DeckTop, CardSide::Mine) => "the top card of your deck".to_owned(),
        (CardZone::DeckTop, CardSide::Opponents) => "the top card of each opponent's deck".to_owned(),
        (CardZone::DeckTop, CardSide::Any) => "the top card of each deck".to_owned(),
        (CardZone::Play | CardZone::Barracks, CardSide::Mine) => {
            format!("each of your {}", noun_plain(group, true))
        }
        _ => format!("each {}", noun(group, false)),
    })
}

/// A group to be counted: `your good warriors`.
pub(super) fn all(group: &Group) -> String {
    match (group.zone, group.side) {
        (CardZone::Play | CardZone::Barracks, CardSide::Mine) => format!("your {}", noun_plain(group, true)),
        _ => noun(group, true),
    }
}

/// The kind of card for a later mention: `warrior`.
pub(super) const fn kind(zone: CardZone) -> &'static str {
    match zone {
        CardZone::Play => "warrior",
        CardZone::Barracks => "resource",
        CardZone::Hand | CardZone::Discard | CardZone::DeckTop => "card",
    }
}

/// The noun with whose it is, where that is not said otherwise: `enemy warrior`, `card in your hand`.
fn noun(group: &Group, plural: bool) -> String {
    let enemy = matches!(
        (group.zone, group.side),
        (CardZone::Play | CardZone::Barracks, CardSide::Opponents)
    );
    described(group, plural, enemy)
}

/// The noun with what is asked of it: `attacking warriors with Swift`.
pub(super) fn noun_plain(group: &Group, plural: bool) -> String {
    described(group, plural, false)
}

fn described(group: &Group, plural: bool, enemy: bool) -> String {
    let mut words: Vec<String> = group.filters.iter().filter_map(before).collect();
    if enemy {
        words.push("enemy".to_owned());
    }
    let kind = kind(group.zone);
    words.push(if plural {
        format!("{kind}s")
    } else {
        kind.to_owned()
    });
    match (group.zone, group.side) {
        (CardZone::Hand, side) => words.push(format!("in {} hand", whose(side))),
        (CardZone::Discard, side) => words.push(format!("in {} discard pile", whose(side))),
        (CardZone::DeckTop, side) => words.push(format!("on top of {} deck", whose(side))),
        (CardZone::Play | CardZone::Barracks, _) => {}
    }
    let after: Vec<String> = group.filters.iter().filter_map(after).collect();
    if !after.is_empty() {
        words.push(format!("with {}", list(after)));
    }
    words.join(" ")
}

const fn whose(side: CardSide) -> &'static str {
    match side {
        CardSide::Mine => "your",
        CardSide::Opponents => "an opponent's",
        CardSide::Any => "any",
    }
}

/// What stands before the noun.
fn before(filter: &Filter) -> Option<String> {
    match filter {
        Filter::Aligned(alignment) => Some(alignment.name().to_owned()),
        Filter::Attacking => Some("attacking".to_owned()),
        Filter::Defending => Some("defending".to_owned()),
        Filter::Opposed => Some("opposed".to_owned()),
        Filter::Unopposed => Some("unopposed".to_owned()),
        Filter::Locked => Some("locked".to_owned()),
        Filter::Unlocked => Some("unlocked".to_owned()),
        Filter::Damaged => Some("damaged".to_owned()),
        Filter::Other => Some("other".to_owned()),
        Filter::OpposingThis => Some("opposing".to_owned()),
        Filter::CostAtMost(_)
        | Filter::CostAtLeast(_)
        | Filter::AttackAtMost(_)
        | Filter::DefenseAtMost(_)
        | Filter::Has(_) => None,
    }
}

/// What stands after the noun, behind `with`.
fn after(filter: &Filter) -> Option<String> {
    match filter {
        Filter::CostAtMost(n) => Some(format!("cost {n} or less")),
        Filter::CostAtLeast(n) => Some(format!("cost {n} or more")),
        Filter::AttackAtMost(n) => Some(format!("attack {n} or less")),
        Filter::DefenseAtMost(n) => Some(format!("defense {n} or less")),
        Filter::Has(keyword) => Some(keyword.name().to_owned()),
        Filter::Aligned(_)
        | Filter::Attacking
        | Filter::Defending
        | Filter::Opposed
        | Filter::Unopposed
        | Filter::Locked
        | Filter::Unlocked
        | Filter::Damaged
        | Filter::Other
        | Filter::OpposingThis => None,
    }
}

/// What something is or is not: `is opposed`, `doesn't have Swift`.
pub(super) fn predicate(subject: &Phrase, filter: &Filter, holds: bool) -> String {
    let be = match (subject.plural, holds) {
        (false, true) => "is",
        (false, false) => "is not",
        (true, true) => "are",
        (true, false) => "are not",
    };
    let have = match (subject.plural, holds) {
        (false, true) => "has",
        (false, false) => "doesn't have",
        (true, true) => "have",
        (true, false) => "don't have",
    };
    let words = match (before(filter), after(filter)) {
        (Some(adjective), _) => format!("{be} {adjective}"),
        (None, after) => format!("{have} {}", after.unwrap_or_default()),
    };
    format!("{} {words}", subject.words)
}

pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

pub(super) fn number_word(number: u8) -> &'static str {
    match number {
        0 => "no",
        1 => "one",
        2 => "two",
        3 => "three",
        4 => "four",
        5 => "five",
        6 => "six",
        7 => "seven",
        8 => "eight",
        _ => "nine",
    }
}
