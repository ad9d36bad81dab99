//! Telling small talk from what is meant for the bot, in rooms where a command needs no mark before it.

use super::command::{self, ReadError};
use super::parlor::{Input, Parlor, Request, is_secret};
use crate::game::NotationError;
use crate::game::sentence::SentenceError;
use crate::matches::code::Code;
use crate::matches::moves;
use crate::matches::people::PlayerId;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::state::Match;

impl Parlor {
    /// Whether a line is neither a command nor a move, and gives nothing away when it is said aloud.
    ///
    /// Somebody who plays a match with hidden information may have misspelt a move that nobody else
    /// should read; their lines are never taken for talk.
    pub fn is_talk(&self, request: &Request) -> bool {
        let Input::Line(line) = &request.input else {
            return false;
        };
        let marked = line.trim_start().starts_with(['/', '!']);
        if marked || !matches!(command::read(line), Err(ReadError::Unknown { .. })) {
            return false;
        }
        let Ok(codes) = self.service.repository().alive_of(&request.who) else {
            return false;
        };
        codes.iter().all(|code| match self.service.find(code) {
            Ok(the_match) => !is_secret(&the_match) && !is_move(&the_match, &request.who, line),
            Err(_) => false,
        })
    }
}

impl Parlor {
    /// Whether a line reads as a move of one of somebody's matches, or of the one that is named, be it legal or not.
    pub fn reads_as_move(&self, who: &PlayerId, code: Option<&Code>, line: &str) -> bool {
        let codes = match code {
            Some(code) => Ok(vec![code.clone()]),
            None => self.service.repository().alive_of(who),
        };
        codes.is_ok_and(|codes| {
            let mut found = codes.iter().filter_map(|code| self.service.find(code).ok());
            found.any(|the_match| is_move(&the_match, who, line))
        })
    }
}

/// Whether a line reads as a move of this match, be it legal or not.
fn is_move(the_match: &Match, who: &PlayerId, line: &str) -> bool {
    match moves::attempt(the_match, who, line.trim()) {
        Ok(_) => true,
        Err(Failure::Refused(Refusal::Move { error, .. })) => !matches!(
            error,
            SentenceError::Empty
                | SentenceError::NotAwaited
                | SentenceError::Action {
                    error: NotationError::Unreadable { .. },
                    ..
                }
        ),
        Err(Failure::Refused(_) | Failure::Broken(_)) => false,
    }
}
