//! Words of which a command takes one: each list as the grammar shows it, and what each word means.

use crate::chat::grammar::BOT;

/// Makes an enum of which every value has one word.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $value:ident = $word:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $value),+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$value),+];
            /// How each is typed, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word),+
                }
            }

            /// The one that is typed so, in any case.
            pub fn of(word: &str) -> Option<Self> {
                let all = Self::ALL.iter().copied();
                all.zip(Self::WORDS).find(|(_, known)| known.eq_ignore_ascii_case(word)).map(|(one, _)| one)
            }
        }
    };
}

words! {
    /// What can be done with decks.
    DeckDeed {
        List = "list",
        Show = "show",
        Use = "use",
        New = "new",
        Copy = "copy",
        Name = "name",
        Add = "add",
        Remove = "remove",
        Check = "check",
        Share = "share",
        Import = "import",
        Export = "export",
        Delete = "delete",
    }
}

words! {
    /// What a player can choose for themselves.
    Setting {
        Theme = "theme",
        Side = "side",
        Ping = "ping",
        Reminders = "reminders",
        Quiet = "quiet",
        Confirm = "confirm",
    }
}

words! {
    /// The ways to give a match up that are said outright.
    Goodbye {
        Sure = "sure",
        LetBotPlay = BOT,
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
    pub const WORDS: &'static [&'static str] = Goodbye::WORDS;

    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Ask => None,
            Self::Sure => Some(Goodbye::Sure.word()),
            Self::LetBotPlay => Some(Goodbye::LetBotPlay.word()),
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Goodbye::of(word).map(|goodbye| match goodbye {
            Goodbye::Sure => Self::Sure,
            Goodbye::LetBotPlay => Self::LetBotPlay,
        })
    }
}
