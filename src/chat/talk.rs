//! Telling small talk from what is meant for the bot, in rooms where a command needs no mark before it.

use super::command::ReadError;
use super::parlor::{Parlor, Request, is_secret};
use crate::catalog::Reading;
use crate::matches::code::Code;
use crate::matches::moves;
use crate::matches::people::PlayerId;

impl Parlor {
    /// Whether a line is neither a command nor a move, and gives nothing away when it is said aloud.
    ///
    /// Somebody who plays a match with hidden information may have misspelt a move that nobody else
    /// should read; their lines are never taken for talk.
    pub fn is_talk(&self, request: &Request) -> bool {
        let input = &request.input;
        if input.is_marked() || !matches!(input.error(), Some(ReadError::Unknown { .. })) {
            return false;
        }
        let Ok(codes) = self.service.repository().alive_of(&request.who) else {
            return false;
        };
        codes.iter().all(|code| match self.service.find(code) {
            Ok(found) => {
                let reading = moves::reads(&found, &request.who, input.bare_line());
                !is_secret(&found) && reading == Reading::Nothing
            }
            Err(_) => false,
        })
    }

    /// Whether a line reads as a move of one of somebody's matches, or of the one that is named, be it legal or not.
    pub fn reads_as_move(&self, who: &PlayerId, code: Option<&Code>, line: &str) -> bool {
        let codes = match code {
            Some(code) => Ok(vec![code.clone()]),
            None => self.service.repository().alive_of(who),
        };
        codes.is_ok_and(|codes| {
            let mut found = codes.iter().filter_map(|code| self.service.find(code).ok());
            found.any(|found| moves::reads(&found, who, line) != Reading::Nothing)
        })
    }
}
