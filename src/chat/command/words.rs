//! Words of which a command takes one: how a match is given up, and what is wanted of links.

use crate::chat::grammar::BOT;

/// How somebody gives a match up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leave {
    /// They are asked first whether they mean it.
    #[default]
    Ask,
    /// At once.
    Sure,
    /// The bot plays on in their place.
    LetBotPlay,
}

impl Leave {
    /// The words that say it outright.
    pub const WORDS: [&'static str; 2] = ["sure", BOT];

    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Ask => None,
            Self::Sure => Some(Self::WORDS[0]),
            Self::LetBotPlay => Some(Self::WORDS[1]),
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        let said = |way: &Self| way.word().is_some_and(|known| known.eq_ignore_ascii_case(word));
        [Self::Sure, Self::LetBotPlay].into_iter().find(said)
    }
}

/// The word that ends a link.
pub const OFF: &str = "off";

/// What is wanted of links to the page of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linking {
    /// One that works.
    #[default]
    On,
    /// That none works any more.
    Off,
}

impl Linking {
    pub fn of(word: Option<&str>) -> Self {
        match word {
            Some(word) if word.eq_ignore_ascii_case(OFF) => Self::Off,
            Some(_) | None => Self::On,
        }
    }

    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::On => None,
            Self::Off => Some(OFF),
        }
    }
}
