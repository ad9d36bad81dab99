//! Marks: what can be done now and what is picked so far, in the words of the game's notation.
//!
//! They are made from the ways in which the legal actions of one seat are picked word by word
//! ([`Game::paths`], [`Game::ways`]), so a picture marks what guided entry offers and nothing else. Each game's picture
//! knows where the thing lies that a word stands for.
//!
//! Shapes tell them apart, not colours alone: what is picked has a thick double ring, what can be picked
//! next a dot where nothing stands and a thin ring where something does.

use std::cmp::Ordering;

use super::canvas::Rect;
use super::mask::Point;
use super::{Canvas, Ink};
use crate::game::guide::{told, ways_from};
use crate::game::{Game, Seat, Word};
use crate::text;

/// What one player can do, as far as a picture may show it.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/nim.example.rs"));
/// # fn main() {
/// use parlor::draw::marks::{Mark, Marks};
///
/// let nim = Nim::new(&OptionValues::defaults(&[]), 2, &mut GameRng::quick(1));
/// let marks = Marks::of(&nim, Seat::new(0), None);
/// let next: Vec<&str> = marks.next().collect();
/// assert_eq!(next, ["1", "2", "3"]);
/// assert_eq!(marks.of_word("3"), Some(Mark::Next));
/// assert_eq!(marks.of_word("4"), None);
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// How many words are picked, if somebody is picking.
    picked: Option<usize>,
    /// Every way to a legal action that begins with them.
    paths: Vec<Vec<String>>,
}

/// How the thing that a word stands for is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is picked.
    Picked,
    /// It can be picked now.
    Next,
    /// It can be picked after something else.
    Later,
}

impl Marks {
    /// What `seat` can do, after the words picked so far if it is picking.
    pub fn of<G: Game>(game: &G, seat: Seat, picking: Option<&[String]>) -> Self {
        let words: Vec<&str> = picking.unwrap_or_default().iter().map(String::as_str).collect();
        let texts = |path: Vec<Word>| path.into_iter().map(|word| word.text).collect();
        let paths: Vec<Vec<String>> = if words.is_empty() {
            // Everything that is legal, one by one: what is spelt as one sentence is found out at some cost.
            let legal = game.legal_actions(seat).into_iter();
            legal
                .flat_map(|action| game.paths(seat, &action))
                .map(texts)
                .collect()
        } else {
            let ways = ways_from(game, seat, &words).into_iter();
            ways.map(|way| texts(way.words)).collect()
        };
        Self {
            // Words that lead nowhere are no picks.
            picked: picking.map(|_| if paths.is_empty() { 0 } else { words.len() }),
            paths,
        }
    }

    /// Whether somebody is picking an action word by word, even if nothing is picked yet.
    pub const fn picking(&self) -> bool {
        self.picked.is_some()
    }

    /// The words picked so far, as the game spells them.
    pub fn picked(&self) -> &[String] {
        let count = self.picked.unwrap_or(0);
        (self.paths.first())
            .and_then(|path| path.get(..count))
            .unwrap_or_default()
    }

    /// The ways to the end of an action from here, picked words and all.
    pub fn paths(&self) -> impl Iterator<Item = &[String]> {
        self.paths.iter().map(Vec::as_slice)
    }

    /// The words that can be picked now, each once.
    pub fn next(&self) -> impl Iterator<Item = &str> {
        let place = self.picked.unwrap_or(0);
        let mut known: Vec<&str> = Vec::new();
        self.paths.iter().filter_map(move |path| {
            let word = path.get(place)?.as_str();
            (!known.contains(&word)).then(|| {
                known.push(word);
                word
            })
        })
    }

    /// How a word is marked, wherever it stands in an action.
    pub fn of_word(&self, word: &str) -> Option<Mark> {
        self.find(|_, _, other| other == word)
    }

    /// How a word is marked in this place behind a verb, counted from 1: for games in which one word means several things.
    pub fn of_argument(&self, verb: &str, place: usize, word: &str) -> Option<Mark> {
        self.find(|path, at, other| {
            at == place && other == word && path.first().is_some_and(|first| first == verb)
        })
    }

    /// The strongest mark of a word that fits.
    fn find(&self, fits: impl Fn(&[String], usize, &str) -> bool) -> Option<Mark> {
        let now = self.picked.unwrap_or(0);
        let mut found = None;
        for path in &self.paths {
            for (at, word) in path.iter().enumerate() {
                // Several things may be picked by one word: "3 5".
                if word.split_whitespace().any(|part| fits(path, at, part)) {
                    match at.cmp(&now) {
                        Ordering::Less => return Some(Mark::Picked),
                        Ordering::Equal => found = Some(Mark::Next),
                        Ordering::Greater => found = found.or(Some(Mark::Later)),
                    }
                }
            }
        }
        found
    }

    /// What is picked, and what can follow: "Picked D2. Next: vector (D3, E3) or lance (D5). " Nothing if nothing is
    /// picked.
    pub fn sentence(&self) -> String {
        let picked = self.picked();
        if picked.is_empty() {
            return String::new();
        }
        let next = text::either(self.next().map(|word| self.with_followers(word)));
        format!("Picked {}. Next: {next}. ", told(picked))
    }

    /// A word that can be picked next, with the few that can follow it.
    fn with_followers(&self, word: &str) -> String {
        const MOST: usize = 8;
        let place = self.picked().len();
        let mut followers: Vec<&str> = (self.paths())
            .filter(|path| path.get(place).is_some_and(|next| next == word))
            .filter_map(|path| path.get(place + 1).map(String::as_str))
            .collect();
        followers.dedup();
        if followers.is_empty() || followers.len() > MOST {
            return word.to_owned();
        }
        format!("{word} ({})", followers.join(", "))
    }
}

/// The ink of what can be done.
pub const POSSIBLE: Ink = Ink::Good;

impl Canvas {
    /// A place where something can go.
    pub fn possible_place(&mut self, (x, y): Point, radius: f32) {
        self.circle(x, y, radius + 2.5, Ink::Panel);
        self.circle(x, y, radius, POSSIBLE);
    }

    /// The outline of something as it is marked: thick and double if it is picked, thin if it can be.
    pub fn marked_outline(&mut self, corners: &[Point], mark: Mark) {
        match mark {
            Mark::Picked => {
                self.outline(corners, 12.0, POSSIBLE);
                self.outline(corners, 4.0, Ink::Panel);
            }
            Mark::Next | Mark::Later => self.outline(corners, 4.0, POSSIBLE),
        }
    }

    /// The frame of a card, a block or a cell as it is marked; what can be picked has a dot in its corner, too.
    pub fn marked_frame(&mut self, rect: Rect, radius: f32, mark: Mark) {
        match mark {
            Mark::Picked => {
                self.frame(rect.inset(-4.0), radius + 4.0, 10.0, POSSIBLE);
                self.frame(rect.inset(-1.0), radius + 1.0, 3.5, Ink::Panel);
            }
            Mark::Next | Mark::Later => {
                self.frame(rect.inset(-1.5), radius + 1.5, 7.0, Ink::Panel);
                self.frame(rect, radius, 4.0, POSSIBLE);
                self.possible_place((rect.x + 3.0, rect.y + 3.0), 6.0);
            }
        }
    }
}
