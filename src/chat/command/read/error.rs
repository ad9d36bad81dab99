//! Why a text is no command.

use crate::catalog::UnknownGame;
use crate::chat::command::decks::DeckGap;
use crate::chat::command::settings::NoSuchValue;
use crate::chat::grammar::{ArgumentKind, ArgumentSpec, CommandSpec};

/// Why a text is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Nothing was said.
    Empty,
    /// More was said than is read at once.
    TooLong,
    /// No command begins with this word.
    Unknown {
        word: String,
        near: Option<&'static str>,
    },
    /// The command is known, but not what follows it.
    Argument {
        command: &'static CommandSpec,
        problem: String,
    },
    /// There is no such game.
    Game(UnknownGame),
    /// There is no such level.
    Level {
        command: &'static CommandSpec,
        said: String,
    },
    /// There is no such value of a setting.
    Setting(NoSuchValue),
    /// It was not said which deck is meant, or what belongs into it.
    Deck(DeckGap),
    /// It was not said who shall play, or what.
    Incomplete {
        command: &'static CommandSpec,
        missing: Missing,
        /// What was said behind the command.
        line: String,
    },
}

impl ReadError {
    pub(super) fn missing(command: &'static CommandSpec, argument: &ArgumentSpec) -> Self {
        // What comes after a semicolon is advice.
        let (help, _) = argument.help.split_once(';').unwrap_or((argument.help, ""));
        Self::Argument {
            command,
            problem: format!("Something is missing: {}.", help.to_lowercase()),
        }
    }

    /// A command that needs to know which table is meant was not told.
    pub fn missing_code(command: &'static CommandSpec) -> Self {
        let mut arguments = command.arguments.iter();
        match arguments.find(|argument| argument.kind == ArgumentKind::Match) {
            Some(argument) => Self::missing(command, argument),
            None => Self::Empty,
        }
    }
}

/// What is missing from a command that begins a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Game,
    Players,
    Both,
}
