//! Telling small talk from what is meant for the bot, in rooms where a command needs no mark before it.

use super::command::{Command, ReadError};
use super::grammar::{self, ArgumentKind, Verb};
use super::parlor::{Input, Parlor, Request, is_secret};
use crate::catalog::Reading;
use crate::matches::code::Code;
use crate::matches::moves;
use crate::matches::people::PlayerId;
use crate::matches::service::MatchRef;

/// Words that follow in talk where nothing that a command takes is called so: "watch out", "open the window".
const SMALL: [&str; 36] = [
    "a", "ahead", "an", "and", "are", "away", "because", "but", "for", "from", "he", "i", "if", "in", "is",
    "it", "me", "my", "of", "on", "or", "our", "out", "over", "she", "so", "that", "the", "they", "this",
    "to", "up", "was", "we", "with", "your",
];

/// What somebody asks for by its name, in whatever words: "show me the rules".
const ASKED_FOR: [Verb; 8] = [
    Verb::Rules,
    Verb::Games,
    Verb::Board,
    Verb::Hand,
    Verb::Text,
    Verb::Moves,
    Verb::Matches,
    Verb::Replay,
];

impl Parlor {
    /// Whether a line is neither a command nor a move, and gives nothing away when it is said aloud.
    ///
    /// Somebody who plays a match with hidden information may have misspelt a move that nobody else should read, or asked
    /// for a card in their hand; such lines are never taken for talk.
    pub fn is_talk(&self, request: &Request) -> bool {
        let (input, who) = (&request.input, &request.who);
        let (error, named) = (input.error(), input.is_marked() || input.named().is_some());
        let unknown = matches!(error, Some(ReadError::Unknown { .. }))
            || self.asks_nothing(request)
            || self.goes_on_like_talk(input);
        if named || !unknown {
            return false;
        }
        let meant = || error.is_some_and(|error| self.meant(request, error).is_some());
        let Ok(codes) = self.service.repository().alive_of(who) else {
            return false;
        };
        let line = match input.command() {
            Some(Command::Move { sentence, .. } | Command::Preview { sentence, .. }) => sentence.as_str(),
            _ => input.bare_line(),
        };
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
            return !self.asks_nothing(request) && !self.goes_on_like_talk(input);
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

    /// Whether a line begins with a word that is a command, too, and goes on as nothing that the command takes: "no way!",
    /// "hold on", "show me how".
    fn goes_on_like_talk(&self, input: &Input) -> bool {
        let bare = |word: &str| {
            word.trim_matches(|letter: char| !letter.is_alphanumeric())
                .to_lowercase()
        };
        let mut words = input.bare_line().split_whitespace().map(bare);
        let (Some(first), Some(second)) = (words.next(), words.next()) else {
            return false;
        };
        let Some(spec) = grammar::find(&first) else {
            return false;
        };
        let asks = |word: &str| {
            let named = grammar::find(word).filter(|named| named.name == word);
            named.is_some_and(|named| ASKED_FOR.contains(&named.verb))
        };
        if asks(&second) || words.any(|word| asks(&word)) {
            return false;
        }
        let is_small = SMALL.contains(&second.as_str());
        // By its own name a command is meant more often than by the everyday word that stands for it.
        let everyday = spec.name != first;
        let plain = input
            .bare_line()
            .chars()
            .all(|letter| !letter.is_ascii_digit() && !"#@=".contains(letter));
        let takes_no_words = spec.arguments.iter().all(|argument| {
            matches!(
                argument.kind,
                ArgumentKind::Match | ArgumentKind::Level | ArgumentKind::Hours | ArgumentKind::Turn
            )
        });
        match (input.command(), input.error()) {
            // Whether it is a move after all, the match tells.
            (Some(Command::Move { .. } | Command::Preview { .. }), _) => plain && (is_small || everyday),
            // A word of four letters is read as a code, "no idea".
            (Some(command), _) => {
                let unknown = |about: &MatchRef| self.service.find(&about.code).is_err();
                everyday && plain && takes_no_words && command.about().is_some_and(unknown)
            }
            // Who names a setting, or says what to do with a deck, speaks to us.
            (
                None,
                None
                | Some(
                    ReadError::Empty
                    | ReadError::TooLong
                    | ReadError::Unknown { .. }
                    | ReadError::Setting(_)
                    | ReadError::Deck(_),
                ),
            ) => false,
            (
                None,
                Some(
                    ReadError::Argument { .. }
                    | ReadError::Game(_)
                    | ReadError::Level { .. }
                    | ReadError::Incomplete { .. },
                ),
            ) => is_small || everyday && plain && takes_no_words,
        }
    }
}
