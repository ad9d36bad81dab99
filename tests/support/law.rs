//! The laws by name, and how a broken one is reported.

use std::fmt;

use parlor::catalog::Table;
use parlor::game::Seed;

use super::case::Case;

/// A promise that every game keeps; the first fourteen are those of the crate's `game` module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Law {
    /// 1: a seat has legal actions if and only if it is awaited, and somebody is until the outcome.
    Awaited,
    /// 2: legal lists are sorted, unique, all accepted.
    LegalLists,
    /// 3: a notation reads back to its action, and no two share one.
    Notation,
    /// 4: save, load, save is identical.
    Saves,
    /// 5: seed and log replay to the same state.
    Replays,
    /// 6: a refused action leaves the state as it was.
    Refusals,
    /// 7: a determinized world looks the same to its seat.
    Determinize,
    /// 8: what a seat is shown is equal across worlds it can't tell apart.
    Secrecy,
    /// 9: simultaneous choices commute.
    Commute,
    /// 10: the game ends within its bound.
    Bound,
    /// 11: no view contains the seed.
    SeedUnseen,
    /// 12: no text makes a parser panic.
    NoPanic,
    /// 13: a save that was tampered with is refused, or is a position on which everything works.
    Tampering,
    /// 14: every legal action can be entered by touching spots and choices beside them alone.
    Touch,
    /// Guided entry ends in the legal actions and reaches every one.
    Guide,
    /// A sentence does what its actions do one by one, or nothing.
    Sentences,
    /// A sentence with a word in it that means nothing is refused as a whole.
    Strays,
    /// Text boards and alt texts say what is asked, or how it ended, in the words of the message.
    Call,
    /// A player who leaves is gone, and the game goes on or ends as it should.
    Leaving,
}

/// A law that does not hold, and where.
#[derive(Debug)]
pub struct Broken {
    pub law: Law,
    pub place: String,
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is broken at {}: {}", self.law, self.place, self.what)
    }
}

/// What a check answers.
pub type Kept = Result<(), Broken>;

/// A position on the way through a game.
pub struct Spot<'a> {
    pub case: &'a Case<'a>,
    pub table: &'a dyn Table,
    /// How many steps led here.
    pub step: u64,
}

impl Spot<'_> {
    pub fn seed(&self) -> Seed {
        self.case.seed()
    }

    /// The number of the step that is played next.
    pub fn next_step(&self) -> u64 {
        self.step + 1
    }

    pub fn broken(&self, law: Law, what: impl Into<String>) -> Broken {
        Broken {
            law,
            place: format!("{}, after step {}", self.case, self.step),
            what: what.into(),
        }
    }

    pub fn ensure(&self, law: Law, holds: bool, what: impl FnOnce() -> String) -> Kept {
        if holds {
            Ok(())
        } else {
            Err(self.broken(law, what()))
        }
    }

    /// The save of a table, which no game may fail to write.
    pub fn save(&self, table: &dyn Table) -> Result<String, Broken> {
        table
            .save()
            .map_err(|error| self.broken(Law::Saves, format!("saving failed: {error}")))
    }
}

/// The position within a save, without what was told on the way to it.
pub fn position(save: &str) -> serde_json::Value {
    let mut saved: serde_json::Value = serde_json::from_str(save).expect("a save is JSON");
    saved["game"].take()
}
