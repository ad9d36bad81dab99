//! What is meant by lines that name no command, or no match.

use super::command::{Command, ReadError};
use super::learn::offer;
use super::message::{Button, LONGEST_COMMAND, Message};
use super::parlor::{Parlor, Reply, Request};
use super::play::this_version;
use super::refusals;
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::refusal::Refusal;
use crate::matches::state::Match;

/// The most matches that are offered to choose from.
const MOST_OFFERED: usize = 20;

impl Parlor {
    /// What is meant by a line that could not be read, if it is about rules or names something: the answer to it.
    pub(super) fn meant(&self, request: &Request, error: &ReadError) -> Option<Reply> {
        let line = request.input.bare_line();
        match error {
            ReadError::Unknown { .. } => self.term(request, line),
            _ => None,
        }
    }

    /// Asks which of several matches is meant: a button each does there what was asked for.
    pub(super) fn which_match(&self, request: &Request, codes: &[Code]) -> Message {
        let bare = Command::Move {
            about: None,
            sentence: request.input.bare_line().to_owned(),
        };
        let asked = request.input.command().unwrap_or(&bare);
        let confirm = self.service.person(&request.who);
        let confirm = confirm.is_ok_and(|person| person.settings.confirm);
        let found: Vec<Loaded> = codes
            .iter()
            .take(MOST_OFFERED)
            .filter_map(|code| self.service.find(code).ok())
            .collect();
        let titles = self.titles(&found, &request.who);
        let button = |(the_match, title): (&Loaded, String)| {
            let whole = in_match(asked, the_match, confirm);
            let command = if whole.len() <= LONGEST_COMMAND {
                whole
            } else {
                Command::Board(Some(the_match.code.clone().into())).to_string()
            };
            Button::plain(title, command)
        };
        let mut message = refusals::refused(&Refusal::WhichMatch(codes.to_vec()));
        message.buttons.clear();
        offer(message, found.iter().zip(titles).map(button).collect())
    }
}

/// What was asked for, in this match. A move is for the position that is shown: when the match has gone on, the button is
/// refused. Whoever confirms moves looks at it first.
fn in_match(asked: &Command, the_match: &Match, confirm: bool) -> String {
    let command = match asked {
        Command::Move { sentence, .. } => {
            let (about, sentence) = (Some(this_version(the_match)), sentence.clone());
            if confirm {
                Command::Preview { about, sentence }
            } else {
                Command::Move { about, sentence }
            }
        }
        other => other.clone().in_match(the_match.code.clone().into()),
    };
    command.to_string()
}
