//! Commands: what somebody can ask for, with what each of them needs to know.
//!
//! [`grammar`](super::grammar) lists how commands are written; [`read`](self::read()) makes a [`Command`] of a typed
//! line, [`from_fields`] of a filled-in form. [`Parlor`](super::parlor::Parlor) carries it out. A command written with
//! [`Display`](fmt::Display) reads as itself again, so buttons carry commands as text.

pub mod decks;
mod looking_back;
mod read;
mod reference;
pub mod settings;
mod starting;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

pub use self::decks::{DeckDeed, DeckOrder};
pub use self::looking_back::{RecordForm, ReplayPart, ReplayWish, ReviewPart};
pub use self::read::{FieldValue, LONGEST_LINE, Missing, ReadError, from_fields, read};
pub use self::reference::{of_the_moment, read_reference, take_reference};
pub use self::settings::{Setting, SettingsWish};
pub use self::starting::{Challenge, OpenTable, Opponent, Practice, Terms};
pub use self::words::{Leave, Linking, OFF};
use super::grammar::Verb;
use crate::ai::Level;
use crate::catalog::Entry;
use crate::matches::people::PlayerId;
use crate::matches::service::MatchRef;

/// The match that a command names, if it names one.
pub type About = Option<MatchRef>;

/// Something that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Games,
    Rules {
        /// The match whose game is meant, if none is named.
        about: About,
        game: Option<&'static Entry>,
        /// A section, a word, or nothing.
        words: String,
    },
    /// What a word of a game means.
    What {
        words: String,
    },
    Help {
        topic: Option<String>,
    },
    Challenge(Challenge),
    Open(OpenTable),
    Practice(Practice),
    /// A game alone from a position of a match.
    PracticeFrom {
        about: About,
        /// The position after this turn; the latest, if none is named.
        turn: Option<u32>,
        /// The bot plays the other sides.
        level: Option<Level>,
    },
    Fill {
        table: About,
        level: Option<Level>,
    },
    Join(About),
    Accept(About),
    Decline(About),
    Cancel(About),
    Rematch {
        about: About,
        /// The level of its bots, if it is to be another.
        level: Option<Level>,
    },
    Move {
        about: About,
        sentence: String,
    },
    Preview {
        about: About,
        sentence: String,
    },
    /// What can be done now, or what can follow the words picked so far.
    Moves {
        about: About,
        picked: String,
    },
    Hint(About),
    Board(About),
    Hand(About),
    Text(About),
    Record {
        about: About,
        form: RecordForm,
    },
    /// The match again, turn by turn.
    Replay {
        about: About,
        wish: ReplayWish,
    },
    /// What has happened since the asker acted.
    CatchUp(About),
    /// What the bot says of a match that is over.
    Review {
        about: About,
        part: ReviewPart,
    },
    /// Something to write down; nothing, to read what was written.
    Note {
        about: About,
        text: String,
    },
    /// How the match is set up, its clocks, and how its shuffle can be checked.
    Details(About),
    /// A link to one's own page of the match.
    Link {
        about: About,
        linking: Linking,
    },
    /// A link with which anybody can watch it.
    Watch {
        about: About,
        linking: Linking,
    },
    Undo(About),
    Draw(About),
    Resign {
        about: About,
        how: Leave,
    },
    Replace {
        about: About,
        level: Option<Level>,
    },
    Abort(About),
    Pause(About),
    Resume(About),
    Extend {
        about: About,
        hours: Option<u64>,
    },
    Claim(About),
    Matches,
    Card {
        /// The game whose cards they are, if one is named.
        game: Option<&'static Entry>,
        /// A name, or what cards are like: the game knows what it means.
        words: String,
    },
    Deck {
        /// The game for which decks are built, if one is named.
        game: Option<&'static Entry>,
        order: DeckOrder,
    },
    Settings(SettingsWish),
}

/// The people whom somebody can name where they speak. Every platform knows its own.
///
/// # Example
/// A room in which everybody goes by one word:
/// ```
/// use parlor::chat::command::{self, Command, People};
/// use parlor::matches::people::PlayerId;
///
/// struct Club;
///
/// impl People for Club {
///     fn find(&self, word: &str) -> Option<PlayerId> {
///         let name = word.strip_prefix('@')?;
///         Some(PlayerId::new("club", name))
///     }
/// }
///
/// let read = command::read("challenge @bea phwar", &Club);
/// assert!(matches!(read, Ok(Command::Challenge(_))));
/// ```
pub trait People {
    /// Whom a word means: a mention, or a name.
    fn find(&self, word: &str) -> Option<PlayerId>;

    /// Whose name of several words a text begins with, and what follows that name.
    fn leading<'t>(&self, _text: &'t str) -> Option<(PlayerId, &'t str)> {
        None
    }
}

/// Where nobody can be named.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl People for Nobody {
    fn find(&self, _word: &str) -> Option<PlayerId> {
        None
    }
}

/// Where a command names its match, if it is about one.
macro_rules! about {
    ($command:expr) => {
        match $command {
            Command::Rules { about, .. }
            | Command::Fill { table: about, .. }
            | Command::Join(about)
            | Command::Accept(about)
            | Command::Decline(about)
            | Command::Cancel(about)
            | Command::Rematch { about, .. }
            | Command::Details(about)
            | Command::Link { about, .. }
            | Command::Watch { about, .. }
            | Command::Move { about, .. }
            | Command::Preview { about, .. }
            | Command::Moves { about, .. }
            | Command::Hint(about)
            | Command::Board(about)
            | Command::Hand(about)
            | Command::Text(about)
            | Command::Record { about, .. }
            | Command::Replay { about, .. }
            | Command::CatchUp(about)
            | Command::PracticeFrom { about, .. }
            | Command::Review { about, .. }
            | Command::Note { about, .. }
            | Command::Undo(about)
            | Command::Draw(about)
            | Command::Resign { about, .. }
            | Command::Replace { about, .. }
            | Command::Abort(about)
            | Command::Pause(about)
            | Command::Resume(about)
            | Command::Extend { about, .. }
            | Command::Claim(about)
            | Command::Deck {
                order: DeckOrder::Use { about, .. },
                ..
            } => Some(about),
            Command::Games
            | Command::What { .. }
            | Command::Help { .. }
            | Command::Challenge(_)
            | Command::Open(_)
            | Command::Practice(_)
            | Command::Matches
            | Command::Card { .. }
            | Command::Deck { .. }
            | Command::Settings(_) => None,
        }
    };
}

impl Command {
    pub const fn verb(&self) -> Verb {
        match self {
            Self::Games => Verb::Games,
            Self::Rules { .. } => Verb::Rules,
            Self::What { .. } => Verb::What,
            Self::Help { .. } => Verb::Help,
            Self::Challenge(_) => Verb::Challenge,
            Self::Open(_) => Verb::Open,
            Self::Practice(_) | Self::PracticeFrom { .. } => Verb::Practice,
            Self::Fill { .. } => Verb::Fill,
            Self::Join(_) => Verb::Join,
            Self::Accept(_) => Verb::Accept,
            Self::Decline(_) => Verb::Decline,
            Self::Cancel(_) => Verb::Cancel,
            Self::Rematch { .. } => Verb::Rematch,
            Self::Move { .. } => Verb::Move,
            Self::Preview { .. } => Verb::Preview,
            Self::Moves { .. } => Verb::Moves,
            Self::Hint(_) => Verb::Hint,
            Self::Board(_) => Verb::Board,
            Self::Hand(_) => Verb::Hand,
            Self::Text(_) => Verb::Text,
            Self::Record { .. } => Verb::Record,
            Self::Replay { .. } => Verb::Replay,
            Self::CatchUp(_) => Verb::CatchUp,
            Self::Review { .. } => Verb::Review,
            Self::Note { .. } => Verb::Note,
            Self::Details(_) => Verb::Details,
            Self::Link { .. } => Verb::Link,
            Self::Watch { .. } => Verb::Watch,
            Self::Undo(_) => Verb::Undo,
            Self::Draw(_) => Verb::Draw,
            Self::Resign { .. } => Verb::Resign,
            Self::Replace { .. } => Verb::Replace,
            Self::Abort(_) => Verb::Abort,
            Self::Pause(_) => Verb::Pause,
            Self::Resume(_) => Verb::Resume,
            Self::Extend { .. } => Verb::Extend,
            Self::Claim(_) => Verb::Claim,
            Self::Matches => Verb::Matches,
            Self::Card { .. } => Verb::Card,
            Self::Deck { .. } => Verb::Deck,
            Self::Settings(_) => Verb::Settings,
        }
    }

    /// The match that the command names.
    pub fn about(&self) -> Option<&MatchRef> {
        about!(self)?.as_ref()
    }

    /// The same command, about this match; nothing changes if it is about none.
    #[must_use]
    pub fn in_match(mut self, the_match: MatchRef) -> Self {
        if let Some(about) = about!(&mut self) {
            *about = Some(the_match);
        }
        self
    }

    /// Whom the command names.
    pub fn opponents(&self) -> &[Opponent] {
        if let Self::Challenge(challenge) = self {
            &challenge.opponents
        } else {
            &[]
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(super::grammar::spec(self.verb()).name)?;
        if let Some(about) = self.about() {
            write!(f, " {about}")?;
        }
        match self {
            Self::Rules { game, words, .. } => {
                game.map_or(Ok(()), |game| write!(f, " {}", game.meta.id))?;
                self::words(f, words)
            }
            Self::What { words } => self::words(f, words),
            Self::Help { topic } => words(f, topic.as_deref().unwrap_or_default()),
            Self::Challenge(challenge) => write!(f, " {challenge}"),
            Self::Open(table) => write!(f, " {table}"),
            Self::Practice(practice) => write!(f, " {practice}"),
            Self::PracticeFrom { turn, level, .. } => {
                turn.map_or(Ok(()), |turn| write!(f, " {turn}"))?;
                starting::level(f, *level)
            }
            Self::Fill { level, .. } | Self::Replace { level, .. } | Self::Rematch { level, .. } => {
                starting::level(f, *level)
            }
            Self::Move { sentence, .. } | Self::Preview { sentence, .. } => words(f, sentence),
            Self::Moves { picked, .. } => words(f, picked),
            Self::Replay { wish, .. } => words(f, &wish.to_string()),
            Self::Record { form, .. } => match form {
                RecordForm::Json => Ok(()),
                RecordForm::Text => words(f, form.name()),
            },
            Self::Review { part, .. } => words(f, &part.to_string()),
            Self::Note { text, .. } => words(f, text),
            Self::Link { linking, .. } | Self::Watch { linking, .. } => {
                linking.word().map_or(Ok(()), |word| words(f, word))
            }
            Self::Resign { how, .. } => how.word().map_or(Ok(()), |word| words(f, word)),
            Self::Extend { hours, .. } => hours.map_or(Ok(()), |hours| write!(f, " {hours}")),
            Self::Card { game, words } => {
                game.map_or(Ok(()), |game| write!(f, " {}", game.meta.id))?;
                self::words(f, words)
            }
            Self::Deck { game, order } => order.write(f, *game),
            Self::Settings(wish) => words(f, &wish.to_string()),
            Self::Games
            | Self::Join(_)
            | Self::Accept(_)
            | Self::Decline(_)
            | Self::Cancel(_)
            | Self::Details(_)
            | Self::Hint(_)
            | Self::Board(_)
            | Self::Hand(_)
            | Self::Text(_)
            | Self::CatchUp(_)
            | Self::Undo(_)
            | Self::Draw(_)
            | Self::Abort(_)
            | Self::Pause(_)
            | Self::Resume(_)
            | Self::Claim(_)
            | Self::Matches => Ok(()),
        }
    }
}

impl From<Command> for String {
    fn from(command: Command) -> Self {
        command.to_string()
    }
}

fn words(f: &mut fmt::Formatter<'_>, words: &str) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    write!(f, " {words}")
}
