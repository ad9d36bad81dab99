//! A match written out: all that is needed to play it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::notation::LineError;
use super::notes::RecordedNote;
use crate::catalog::{self, Entry, OpenError, Table, UnknownGame};
use crate::game::options::OptionError;
use crate::game::sentence::SentenceError;
use crate::game::{OptionValues, Outcome, Seat, Seed};

/// The format that is written now.
pub(super) const FORMAT: u32 = 1;

/// The record of a match, as it is exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub format: u32,
    pub game: String,
    pub rules_version: u16,
    pub options: BTreeMap<String, String>,
    pub seats: u8,
    /// The players' names, one a seat; may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// 64 hexadecimal digits.
    pub seed: String,
    pub actions: Vec<RecordedStep>,
    /// Ranks and reason; left out of a match that still runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RecordedOutcome>,
    /// What the players have noted, in a match that is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RecordedNote>,
}

/// One step of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedStep {
    pub seat: Seat,
    #[serde(flatten)]
    pub deed: Deed,
}

/// What a seat did. Printed for programmers it names no action: in some games that is a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// One action in canonical notation.
    Action(String),
    /// The player left; why is for readers only.
    Leaves(String),
    /// The player's clock ran out, and the game took that for an answer; why is for readers only.
    Lapses(String),
}

impl std::fmt::Debug for Deed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Action(_) => f.write_str("Action(..)"),
            Self::Leaves(why) => write!(f, "Leaves({why})"),
            Self::Lapses(why) => write!(f, "Lapses({why})"),
        }
    }
}

/// An outcome as it is written in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedOutcome {
    pub ranks: Vec<u8>,
    pub reason: String,
}

impl From<&Outcome> for RecordedOutcome {
    fn from(outcome: &Outcome) -> Self {
        Self {
            ranks: outcome.ranks.clone(),
            reason: outcome.reason.clone().into_owned(),
        }
    }
}

/// Why a record can't be played again.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("this isn't a match record: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("this isn't a match record: {0}")]
    Line(#[from] LineError),
    #[error("the record has format {0}; this program reads format {FORMAT}")]
    Format(u32),
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the seed is not 64 hexadecimal digits")]
    Seed,
    #[error("step {step} names seat {seat}, which this match does not have")]
    NoSuchSeat { step: usize, seat: Seat },
    #[error("step {step} can't be played: {error}")]
    Action { step: usize, error: SentenceError },
    #[error("step {step} holds more than one action")]
    SeveralActions { step: usize },
    #[error("there is no step {asked}: the last one of the record is {has}")]
    NoSuchStep { asked: usize, has: usize },
    #[error("the record's result isn't the one that its actions lead to")]
    Outcome,
}

impl Record {
    /// An empty record of a match that starts now.
    pub fn start(entry: &Entry, options: &OptionValues, seats: u8, seed: &Seed) -> Self {
        Self {
            format: FORMAT,
            game: entry.meta.id.to_owned(),
            rules_version: entry.meta.rules_version,
            options: options.to_map(),
            seats,
            players: Vec::new(),
            seed: seed.reveal(),
            actions: Vec::new(),
            outcome: None,
            notes: Vec::new(),
        }
    }

    /// Reads a record; whether it can be played again shows when it is replayed.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_str(text)?;
        if record.format != FORMAT {
            return Err(RecordError::Format(record.format));
        }
        Ok(record)
    }

    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    pub fn act(&mut self, seat: Seat, action: impl Into<String>) {
        self.actions.push(RecordedStep {
            seat,
            deed: Deed::Action(action.into()),
        });
    }

    fn seed(&self) -> Result<Seed, RecordError> {
        Seed::from_hex(&self.seed).ok_or(RecordError::Seed)
    }

    /// The table before the first step, and the seed of all chance.
    pub fn open(&self) -> Result<(Box<dyn Table>, Seed), RecordError> {
        let entry = catalog::find(&self.game)?;
        let pairs = self
            .options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let options = OptionValues::choose(entry.meta.options, pairs)?;
        let seed = self.seed()?;
        let table = entry.open_under(self.rules_version, &options, self.seats, &seed)?;
        Ok((table, seed))
    }

    /// The position after so many steps; after all of them if `steps` is not given.
    pub fn replay(&self, steps: Option<usize>) -> Result<Box<dyn Table>, RecordError> {
        let (mut table, seed) = self.open()?;
        let has = self.actions.len();
        let asked = steps.unwrap_or(has);
        let wanted = self
            .actions
            .get(..asked)
            .ok_or(RecordError::NoSuchStep { asked, has })?;
        for (index, step) in wanted.iter().enumerate() {
            step.replay(table.as_mut(), &seed, index + 1)?;
        }
        Ok(table)
    }

    /// Replays the whole match and checks that it ends as the record says.
    pub fn verify(&self) -> Result<Box<dyn Table>, RecordError> {
        let table = self.replay(None)?;
        let outcome = table.outcome().as_ref().map(RecordedOutcome::from);
        // Players may agree on a draw where the rules would go on, and a reason such as a resignation is
        // the match's, not the game's; but nobody can agree on who won.
        let ranks = |outcome: &RecordedOutcome| outcome.ranks.clone();
        let agreed = |told: &RecordedOutcome| told.ranks.iter().filter(|rank| **rank == 1).count() > 1;
        let fits = match (&self.outcome, &outcome) {
            (None, _) => true,
            (Some(told), Some(found)) => ranks(told) == ranks(found),
            (Some(told), None) => agreed(told),
        };
        if !fits {
            return Err(RecordError::Outcome);
        }
        Ok(table)
    }
}

impl RecordedStep {
    /// Plays this step, which is number `step` of its match, counted from one.
    pub fn replay(&self, table: &mut dyn Table, seed: &Seed, step: usize) -> Result<(), RecordError> {
        if self.seat.number() > table.seats() {
            return Err(RecordError::NoSuchSeat {
                step,
                seat: self.seat,
            });
        }
        match &self.deed {
            Deed::Action(action) => {
                let played = table
                    .play(self.seat, action, seed, step as u64)
                    .map_err(|error| RecordError::Action { step, error })?;
                if played.actions.len() != 1 {
                    return Err(RecordError::SeveralActions { step });
                }
            }
            Deed::Leaves(_) => table.withdraw(self.seat, seed, step as u64),
            Deed::Lapses(_) => {
                table.lapse(self.seat, seed, step as u64);
            }
        }
        Ok(())
    }
}
