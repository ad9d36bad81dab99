//! Commands: what somebody can ask for, with what each of them needs to know.
//!
//! [`grammar`](super::grammar) lists how commands are written; [`read`](self::read()) makes a [`Command`] of a typed
//! line, [`from_fields`] of a filled-in form. [`Parlor`](super::parlor::Parlor) carries it out. A command written with
//! [`Display`](fmt::Display) reads as itself again, so buttons carry commands as text.

mod read;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

pub use self::read::{
    FieldValue, LONGEST_LINE, Missing, ReadError, from_fields, of_the_moment, read, read_reference,
    take_reference,
};
pub use self::words::{
    DeckDeed, Leave, Linking, OFF, RecordForm, ReplayPart, ReplayWish, ReviewPart, Setting,
};
use super::grammar::{BOT, Verb};
use crate::ai::Level;
use crate::catalog::Entry;
use crate::matches::clock::ClockKind;
use crate::matches::people::PlayerId;
use crate::matches::service::MatchRef;
use crate::matches::state::Seating;

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
        words: String,
    },
    Deck {
        deed: DeckDeed,
        words: String,
    },
    Settings {
        setting: Option<Setting>,
        value: String,
    },
}

/// A challenge to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    pub opponents: Vec<Opponent>,
    /// The level of bots that are named without one.
    pub level: Option<Level>,
    pub terms: Terms,
}

/// A table that anybody can join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    pub seats: Option<u8>,
    pub terms: Terms,
}

/// A game alone, playing every side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Practice {
    pub game: &'static Entry,
    pub seats: Option<u8>,
    /// The bot plays the other sides.
    pub level: Option<Level>,
    pub options: Vec<(String, String)>,
}

/// What is played, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    pub game: &'static Entry,
    /// As they were given; the game knows what they mean.
    pub options: Vec<(String, String)>,
    pub clock: Option<ClockKind>,
    pub seating: Seating,
}

/// Somebody who is challenged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Whoever asks, who plays that side too.
    Oneself,
    /// The bot, at a level of its own if one is named.
    Bot(Option<Level>),
    Player(PlayerId),
    /// Nobody of this name is known here.
    Unknown(String),
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
            Self::Settings { .. } => Verb::Settings,
        }
    }

    /// The match that the command names.
    pub const fn about(&self) -> Option<&MatchRef> {
        match self {
            Self::Rules { about, .. }
            | Self::Fill { table: about, .. }
            | Self::Join(about)
            | Self::Accept(about)
            | Self::Decline(about)
            | Self::Cancel(about)
            | Self::Rematch { about, .. }
            | Self::Details(about)
            | Self::Link { about, .. }
            | Self::Watch { about, .. }
            | Self::Move { about, .. }
            | Self::Preview { about, .. }
            | Self::Moves { about, .. }
            | Self::Hint(about)
            | Self::Board(about)
            | Self::Hand(about)
            | Self::Text(about)
            | Self::Record { about, .. }
            | Self::Replay { about, .. }
            | Self::CatchUp(about)
            | Self::PracticeFrom { about, .. }
            | Self::Review { about, .. }
            | Self::Note { about, .. }
            | Self::Undo(about)
            | Self::Draw(about)
            | Self::Resign { about, .. }
            | Self::Replace { about, .. }
            | Self::Abort(about)
            | Self::Pause(about)
            | Self::Resume(about)
            | Self::Extend { about, .. }
            | Self::Claim(about) => about.as_ref(),
            Self::Games
            | Self::What { .. }
            | Self::Help { .. }
            | Self::Challenge(_)
            | Self::Open(_)
            | Self::Practice(_)
            | Self::Matches
            | Self::Card { .. }
            | Self::Deck { .. }
            | Self::Settings { .. } => None,
        }
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
            Self::Challenge(Challenge {
                opponents,
                level,
                terms,
            }) => {
                opponents.iter().try_for_each(|one| write!(f, " {one}"))?;
                write!(f, " {}", terms.game.meta.id)?;
                self::level(f, *level)?;
                terms.write_rest(f)
            }
            Self::Open(OpenTable { seats, terms }) => {
                write!(f, " {}", terms.game.meta.id)?;
                self::seats(f, *seats)?;
                terms.write_rest(f)
            }
            Self::Practice(Practice {
                game,
                seats,
                level,
                options,
            }) => {
                write!(f, " {}", game.meta.id)?;
                self::seats(f, *seats)?;
                self::level(f, *level)?;
                self::options(f, options)
            }
            Self::PracticeFrom { turn, level, .. } => {
                turn.map_or(Ok(()), |turn| write!(f, " {turn}"))?;
                self::level(f, *level)
            }
            Self::Fill { level, .. } | Self::Replace { level, .. } | Self::Rematch { level, .. } => {
                self::level(f, *level)
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
            Self::Card { words } => self::words(f, words),
            Self::Deck { deed, words } => write!(f, " {}", deed.name()).and_then(|()| self::words(f, words)),
            Self::Settings { setting, value } => match setting {
                Some(setting) => write!(f, " {}", setting.name()).and_then(|()| words(f, value)),
                None => Ok(()),
            },
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

impl Terms {
    fn write_rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        options(f, &self.options)?;
        if let Some(clock) = self.clock {
            write!(f, " {clock}")?;
        }
        match self.seating {
            Seating::Lot => Ok(()),
            Seating::AsChallenged => f.write_str(" order"),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oneself => f.write_str("me"),
            Self::Bot(None) => f.write_str(BOT),
            Self::Bot(Some(level)) => write!(f, "{BOT}:{level}"),
            Self::Player(player) => write!(f, "@{}", player.parts().1),
            Self::Unknown(name) => f.write_str(name),
        }
    }
}

fn words(f: &mut fmt::Formatter<'_>, words: &str) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    write!(f, " {words}")
}

fn level(f: &mut fmt::Formatter<'_>, level: Option<Level>) -> fmt::Result {
    level.map_or(Ok(()), |level| write!(f, " level={level}"))
}

fn seats(f: &mut fmt::Formatter<'_>, seats: Option<u8>) -> fmt::Result {
    seats.map_or(Ok(()), |seats| write!(f, " seats={seats}"))
}

fn options(f: &mut fmt::Formatter<'_>, options: &[(String, String)]) -> fmt::Result {
    options
        .iter()
        .try_for_each(|(name, value)| write!(f, " {name}={value}"))
}
