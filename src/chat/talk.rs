//! Telling small talk from what is meant for the bot, in rooms where a command needs no mark before it.

use super::command::{Command, ReadError};
use super::parlor::{Input, Parlor, Request, is_secret};
use crate::catalog::Reading;
use crate::matches::code::Code;
use crate::matches::moves;
use crate::matches::people::PlayerId;

impl Parlor {
    /// Whether a line is neither a command nor a move, and gives nothing away when it is said aloud.
    ///
    /// Somebody who plays a match with hidden information may have misspelt a move that nobody else should read, or asked
    /// for a card in their hand; such lines are never taken for talk.
    pub fn is_talk(&self, request: &Request) -> bool {
        let (input, who) = (&request.input, &request.who);
        let (error, named) = (input.error(), input.is_marked() || input.named().is_some());
        let unknown = matches!(error, Some(ReadError::Unknown { .. })) || self.asks_nothing(request);
        if named || !unknown {
            return false;
        }
        let meant = || error.is_some_and(|error| self.meant(request, error).is_some());
        let Ok(codes) = self.service.repository().alive_of(who) else {
            return false;
        };
        let line = input.bare_line();
        codes.iter().all(|code| match self.service.find(code) {
            Ok(found) if is_secret(&found) => !moves::resembles(&found, who, line) && !meant(),
            Ok(found) => moves::reads(&found, who, line) == Reading::Nothing,
            Err(_) => false,
        })
    }

    /// Whether talk is worth a word to whoever said it: it is nearly a command, or names something in a game. Everything
    /// else is for the others in the room.
    pub fn is_worth_an_answer(&self, request: &Request) -> bool {
        let input = &request.input;
        let Some(error) = input.error() else {
            return !self.asks_nothing(request);
        };
        let alone = input.bare_line().split_whitespace().nth(1).is_none();
        let nearly = matches!(error, ReadError::Unknown { near: Some(_), .. });
        nearly && alone || self.meant(request, error).is_some()
    }

    /// Whether a line begins like a question to us and names nothing of any game: "what a game!"
    fn asks_nothing(&self, request: &Request) -> bool {
        match request.input.command() {
            Some(Command::What { words }) => self.what(request, words).is_none(),
            _ => false,
        }
    }

    /// Whether a line reads as a move of one of somebody's matches, or of the one that is named, be it legal or not.
    pub fn reads_as_move(&self, who: &PlayerId, about: Option<&Code>, input: &Input) -> bool {
        let codes = match input.named().map(|named| &named.code).or(about) {
            Some(code) => Ok(vec![code.clone()]),
            None => self.service.repository().alive_of(who),
        };
        codes.is_ok_and(|codes| {
            let mut found = codes.iter().filter_map(|code| self.service.find(code).ok());
            found.any(|found| moves::reads(&found, who, input.bare_line()) != Reading::Nothing)
        })
    }
}
