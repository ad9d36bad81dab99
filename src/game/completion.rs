//! Autocomplete: legal actions by whatever words a player types for them.
//!
//! An action is found by its notation and by every word of its label ([`Game::label`]), in any order, each word by its
//! beginning. No game writes a search.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::nearest::nearest;
use super::{Game, GameRng, Insight, Seat, SeatSet, Silent};

/// A legal action that what was typed may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its canonical notation.
    pub action: String,
    /// What it does.
    pub label: String,
    pub by: FoundBy,
}

/// How a legal action was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Its notation begins with what was typed.
    Notation,
    /// Every word that was typed is one of its words, or begins one.
    Words,
    /// Only after a word was put right, or left out; or what was typed says nothing.
    Guess,
}

/// Words that say nothing about which action is meant.
const FILLERS: [&str; 17] = [
    "a", "an", "and", "at", "from", "in", "into", "it", "my", "of", "on", "play", "please", "the", "to",
    "using", "with",
];

/// What stands behind the label of an action that wins for certain.
const ENDING: &str = ". You win!";

/// Nobody types more than this for one action; what comes behind it is not looked at.
const LONGEST: usize = 200;

/// How well an action fits what was typed; the smallest fits best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    by: FitBy,
    /// How many of its words were typed to the end.
    whole: Reverse<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FitBy {
    /// It is the notation, letter by letter.
    Notation,
    /// The notation begins so.
    Beginning,
    /// Every word that was typed is one of its words, or begins one.
    Words,
}

struct Candidate<A> {
    action: A,
    notation: String,
    label: String,
    /// Its words, in small letters.
    words: Vec<String>,
}

/// The legal actions that what was typed may mean, at most so many. What fits best comes first, and of what fits
/// equally well what looks best for the player, where nothing is hidden and so looking tells nothing.
pub fn complete<G: Insight>(game: &G, seat: Seat, typed: &str, limit: usize) -> Vec<Completion> {
    let candidates: Vec<Candidate<G::Action>> = (game.legal_actions(seat).into_iter())
        .map(|action| Candidate::new(game, seat, action))
        .collect();
    let typed: String = typed
        .strip_suffix(ENDING)
        .unwrap_or(typed)
        .chars()
        .take(LONGEST)
        .collect();
    let mut asked = Asked::new(&typed, G::SYNONYMS);
    let mut fitting = asked.fitting(&candidates);
    let mut guessed = !asked.says_something();
    if fitting.is_empty() && asked.correct(&candidates) {
        guessed = true;
        fitting = asked.fitting(&candidates);
    }
    // Whoever says more than there is to say may mean what they said first.
    while fitting.is_empty() && asked.begins_with_a_word() && asked.words.len() > 1 {
        asked.words.pop();
        guessed = true;
        fitting = asked.fitting(&candidates);
        fitting.retain(|(fit, _)| fit.whole.0 > 0);
    }
    let ratings = ratings(game, seat, &fitting);
    let mut order: Vec<usize> = (0..fitting.len()).collect();
    let rating = |index: &usize| ratings.get(*index).copied().unwrap_or_default();
    order.sort_by(|one, other| {
        let by_fit = fitting[*one].0.cmp(&fitting[*other].0);
        by_fit.then_with(|| rating(other).total_cmp(&rating(one)))
    });
    let best = order.into_iter().take(limit).map(|index| fitting[index]);
    best.map(|(fit, candidate)| Completion {
        action: candidate.notation.clone(),
        label: with_ending(game, seat, candidate),
        by: match fit.by {
            FitBy::Notation | FitBy::Beginning => FoundBy::Notation,
            FitBy::Words if guessed => FoundBy::Guess,
            FitBy::Words => FoundBy::Words,
        },
    })
    .collect()
}

impl<A> Candidate<A> {
    fn new<G: Game<Action = A>>(game: &G, seat: Seat, action: A) -> Self {
        let notation = game.notate(seat, &action);
        let label = game.label(seat, &action);
        let words = words(&label).chain(words(&notation)).collect();
        Self {
            action,
            notation,
            label,
            words,
        }
    }
}

/// What was typed, cut into words.
struct Asked {
    bare: String,
    words: Vec<String>,
    synonyms: &'static [(&'static str, &'static str)],
}

impl Asked {
    fn new(typed: &str, synonyms: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            bare: bare(typed),
            words: words(typed).collect(),
            synonyms,
        }
    }

    /// Whether the first word is more than a letter or two, which could begin anything.
    fn begins_with_a_word(&self) -> bool {
        self.words.first().is_some_and(|word| word.chars().count() > 2)
    }

    /// Whether a word of it may tell moves apart.
    fn says_something(&self) -> bool {
        self.words.iter().any(|word| !FILLERS.contains(&word.as_str()))
    }

    fn fitting<'c, A>(&self, candidates: &'c [Candidate<A>]) -> Vec<(Fit, &'c Candidate<A>)> {
        let fits = |candidate: &'c Candidate<A>| Some((self.fit(candidate)?, candidate));
        candidates.iter().filter_map(fits).collect()
    }

    fn fit<A>(&self, candidate: &Candidate<A>) -> Option<Fit> {
        let whole = self.whole_words(&candidate.words);
        let notation = bare(&candidate.notation);
        let by = if notation == self.bare {
            FitBy::Notation
        } else if notation.starts_with(&self.bare) {
            FitBy::Beginning
        } else if whole.is_some() && !self.words.is_empty() {
            FitBy::Words
        } else {
            return None;
        };
        Some(Fit {
            by,
            whole: Reverse(whole.unwrap_or_default()),
        })
    }

    /// How many of the words that were typed are among these to the last letter; nothing if one of them is not there
    /// at all.
    fn whole_words(&self, words: &[String]) -> Option<usize> {
        let mut whole = 0;
        for typed in &self.words {
            if words.contains(typed) {
                whole += 1;
            } else if !self.begins_one(typed, words) && !FILLERS.contains(&typed.as_str()) {
                return None;
            }
        }
        Some(whole)
    }

    /// Whether a word, or what else it is called, begins one of these.
    fn begins_one(&self, typed: &str, words: &[String]) -> bool {
        let begins = |typed: &str| words.iter().any(|word| word.starts_with(typed));
        let mut called = self.synonyms.iter().filter(|(said, _)| *said == typed);
        begins(typed) || called.any(|(_, meant)| begins(meant))
    }

    /// Puts words that are there in the place of those that nobody knows. Whether there were any.
    fn correct<A>(&mut self, candidates: &[Candidate<A>]) -> bool {
        let known: BTreeSet<&str> = candidates
            .iter()
            .flat_map(|candidate| &candidate.words)
            .map(String::as_str)
            // What is short, or no word, is too easily something else.
            .filter(|word| word.chars().count() > 3 && word.chars().all(char::is_alphabetic))
            .collect();
        let mut corrected = false;
        let unknown = |typed: &String| !known.iter().any(|word| word.starts_with(typed.as_str()));
        for typed in self.words.iter_mut().filter(|typed| unknown(typed)) {
            if let Some(near) = nearest(typed, known.iter().copied()) {
                *typed = near.to_owned();
                corrected = true;
            }
        }
        corrected
    }
}

/// What each of these looks like at a first glance; nothing where a glance would have to guess at what is hidden.
fn ratings<G: Insight>(game: &G, seat: Seat, fitting: &[(Fit, &Candidate<G::Action>)]) -> Vec<f32> {
    let mut ratings = Vec::new();
    if game.is_certain() {
        let actions: Vec<G::Action> = (fitting.iter())
            .map(|(_, candidate)| candidate.action.clone())
            .collect();
        game.rate(seat, &actions, &mut GameRng::quick(0), &mut ratings);
    }
    ratings
}

/// The label, with a word about winning where that is certain.
fn with_ending<G: Insight>(game: &G, seat: Seat, candidate: &Candidate<G::Action>) -> String {
    let label = &candidate.label;
    if !game.is_certain() {
        return label.clone();
    }
    let mut after = game.clone();
    after.play(seat, &candidate.action, &mut GameRng::quick(0), &mut Silent);
    match after.outcome() {
        Some(outcome) if outcome.winners() == SeatSet::one(seat) => format!("{label}{ENDING}"),
        _ => label.clone(),
    }
}

/// The words of a text in small letters; everything but letters and digits parts them.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// A text without what people type differently: case, spaces, hyphens.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .flat_map(char::to_lowercase)
        .collect()
}
