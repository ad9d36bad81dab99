//! Words of which a command takes one: each list as the grammar shows it, and what each word means.

use crate::chat::grammar::BOT;
use crate::text::names;

/// What can be done with decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckDeed {
    List,
    Show,
    Use,
    New,
    Copy,
    Name,
    Add,
    Remove,
    Check,
    Share,
    Import,
    Export,
    Delete,
}

names! {
    DeckDeed {
        List = "list", Show = "show", Use = "use", New = "new", Copy = "copy", Name = "name", Add = "add",
        Remove = "remove", Check = "check", Share = "share", Import = "import", Export = "export", Delete = "delete",
    }
}

/// What a player can choose, for themselves or for a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Theme,
    Side,
    Ping,
    Hands,
    Reminders,
    Quiet,
    Confirm,
    /// For a room, as those below are.
    Thread,
    Turn,
}

names! {
    Setting {
        Theme = "theme", Side = "side", Ping = "ping", Hands = "hands", Reminders = "reminders", Quiet = "quiet",
        Confirm = "confirm", Thread = "thread", Turn = "turn",
    }
}

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
