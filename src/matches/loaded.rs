//! A match with its position, read once and decoded once.
//!
//! A request reads the match that it is about from the store, and everything that it asks of the match is answered from
//! that one reading: whose turn it is, what can be played, what a move does. The position is decoded when somebody first
//! asks for it.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::change::{begun, table_of};
use super::lock::Stamp;
use super::refusal::Failure;
use super::state::Match;
use crate::catalog::Table;

/// A match as it was read.
pub struct Loaded {
    the_match: Match,
    table: OnceLock<Box<dyn Table>>,
    /// When it was read, if it was read without its lock.
    pub(super) stamp: Option<Stamp>,
}

impl From<Match> for Loaded {
    fn from(the_match: Match) -> Self {
        Self {
            the_match,
            table: OnceLock::new(),
            stamp: None,
        }
    }
}

/// Without the position: it holds secrets.
impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.the_match.fmt(f)
    }
}

impl Deref for Loaded {
    type Target = Match;

    fn deref(&self) -> &Match {
        &self.the_match
    }
}

impl Loaded {
    /// A match whose position is at hand.
    pub(super) fn with_table(the_match: Match, table: Option<Box<dyn Table>>) -> Self {
        let loaded = Self::from(the_match);
        match table {
            Some(table) => Self {
                table: OnceLock::from(table),
                ..loaded
            },
            None => loaded,
        }
    }

    /// The position of a match that has begun.
    pub fn table(&self) -> Result<&dyn Table, Failure> {
        if let Some(table) = self.table.get() {
            return Ok(table.as_ref());
        }
        let table = table_of(self, begun(self)?)?;
        Ok(self.table.get_or_init(|| table).as_ref())
    }

    pub(super) fn into_parts(self) -> (Match, Option<Box<dyn Table>>) {
        (self.the_match, self.table.into_inner())
    }
}
