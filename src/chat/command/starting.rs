//! Commands that begin a match: who plays, what, and on which terms.

use std::fmt;

use crate::ai::Level;
use crate::catalog::Entry;
use crate::chat::grammar::BOT;
use crate::matches::clock::ClockKind;
use crate::matches::people::PlayerId;
use crate::matches::state::Seating;

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

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.opponents.iter().try_for_each(|one| write!(f, "{one} "))?;
        write!(f, "{}", self.terms.game.meta.id)?;
        level(f, self.level)?;
        self.terms.write_rest(f)
    }
}

impl fmt::Display for OpenTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.terms.game.meta.id)?;
        seats(f, self.seats)?;
        self.terms.write_rest(f)
    }
}

impl fmt::Display for Practice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.game.meta.id)?;
        seats(f, self.seats)?;
        level(f, self.level)?;
        options(f, &self.options)
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

pub(super) fn level(f: &mut fmt::Formatter<'_>, level: Option<Level>) -> fmt::Result {
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
