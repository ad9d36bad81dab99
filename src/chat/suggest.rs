//! Suggestions while somebody types: commands, games, options, codes, legal moves.

use super::command::read_reference;
use super::grammar::{self, ArgumentKind, BOT, COMMANDS, CommandSpec};
use super::notices::game_name;
use super::parlor::Parlor;
use super::wanted::Wanted;
use crate::ai::Level;
use crate::catalog::{self, games};
use crate::matches::change::{running, seat_of};
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::Failure;
use crate::matches::service::MatchRef;

/// The most suggestions that any platform shows at once.
pub const MOST: usize = 25;

/// The clocks to choose from.
pub(super) const CLOCKS: [(&str, &str); 4] = [
    ("relaxed", "10 days each"),
    ("daily", "two days each"),
    ("live", "five minutes each"),
    ("none", "no clock"),
];

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Suggestion {
    /// What the whole line would be.
    pub line: String,
    /// What is shown.
    pub label: String,
    pub help: String,
}

impl Parlor {
    /// What the line that somebody types may become.
    pub fn suggest(&self, who: &PlayerId, room: Option<&RoomId>, line: &str) -> Vec<Suggestion> {
        let start = line.trim_start().trim_start_matches(['/', '!']);
        let Some((word, rest)) = start.split_once(char::is_whitespace) else {
            let mut all = commands(start);
            // What is no command may be a move.
            if all.is_empty() && !start.is_empty() {
                all = self.legal_moves(who, room, None, start, "");
            }
            return all;
        };
        match grammar::find(word) {
            Some(command) => self.arguments(who, room, command, rest.trim_start()),
            None => self.legal_moves(who, room, None, start, ""),
        }
    }

    fn arguments(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        command: &CommandSpec,
        rest: &str,
    ) -> Vec<Suggestion> {
        let has = |kind: ArgumentKind| command.arguments.iter().any(|argument| argument.kind == kind);
        if has(ArgumentKind::Move) {
            if rest.starts_with('#') && !rest.contains(char::is_whitespace) {
                let typed = rest.to_uppercase();
                let code = |(code, help): (String, String)| Suggestion {
                    line: format!("{} #{code} ", command.name),
                    label: format!("#{code}"),
                    help,
                };
                let codes = self.codes(who).into_iter().map(code);
                return codes.filter(|code| code.label.starts_with(&typed)).collect();
            }
            let (target, typed) = match rest.split_once(char::is_whitespace) {
                Some((word, typed)) if word.starts_with('#') => (Some(word), typed),
                _ => (None, rest),
            };
            let before = target.map_or_else(
                || format!("{} ", command.name),
                |target| format!("{} {target} ", command.name),
            );
            return self.legal_moves(who, room, target, typed, &before);
        }
        let (done, last) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
        let done_words: Vec<&str> = done.split_whitespace().collect();
        let before = [&[command.name], &done_words[..]].concat().join(" ");
        let suggest = |word: &str, help: &str| Suggestion {
            line: format!("{before} {word}"),
            label: word.to_owned(),
            help: help.to_owned(),
        };
        let begins = |word: &str| word.to_lowercase().starts_with(&last.to_lowercase());
        let mut all = Vec::new();
        if has(ArgumentKind::Players) {
            all.push(suggest(BOT, "I play against you"));
        }
        let game = done_words.iter().find_map(|word| catalog::find(word).ok());
        if has(ArgumentKind::Game) && game.is_none() {
            all.extend(games().map(|entry| suggest(entry.meta.id, entry.meta.tagline)));
        }
        if let Some(entry) = game {
            if has(ArgumentKind::Options) {
                for spec in entry.meta.options {
                    all.push(suggest(
                        &format!("{}={}", spec.name, spec.default_text()),
                        spec.help,
                    ));
                    for value in spec.examples() {
                        all.push(suggest(&format!("{}={value}", spec.name), spec.help));
                    }
                }
            }
            if has(ArgumentKind::Clock) {
                for (clock, help) in CLOCKS {
                    all.push(suggest(clock, help));
                }
            }
        }
        let with_bots = !has(ArgumentKind::Players) || done_words.contains(&BOT);
        if has(ArgumentKind::Level) && with_bots {
            for level in Level::ALL {
                all.push(suggest(&format!("level={level}"), level.describe()));
            }
        }
        if has(ArgumentKind::Match) {
            all.extend(
                self.codes(who)
                    .into_iter()
                    .map(|(code, help)| suggest(&format!("#{code}"), &help)),
            );
        }
        for argument in command.arguments {
            if let ArgumentKind::Word(words) = argument.kind
                && done_words.is_empty()
            {
                all.extend(words.iter().map(|word| suggest(word, argument.help)));
            }
        }
        if command.verb == grammar::Verb::Help {
            all.extend(COMMANDS.iter().map(|command| suggest(command.name, command.help)));
        }
        all.retain(|suggestion| begins(&suggestion.label));
        let mut seen = std::collections::HashSet::new();
        all.retain(|suggestion| seen.insert(suggestion.label.clone()));
        all.truncate(MOST);
        all
    }

    fn codes(&self, who: &PlayerId) -> Vec<(String, String)> {
        let codes = self.service.repository().alive_of(who).unwrap_or_default();
        let named = codes.into_iter().filter_map(|code| {
            let the_match = self.service.repository().find(&code).ok()??;
            Some((code.to_string(), game_name(&the_match.game)))
        });
        named.collect()
    }

    /// Legal moves of the match that is meant, as far as they begin like what was typed. Only ever the
    /// asker's own.
    fn legal_moves(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        target: Option<&str>,
        typed: &str,
        before: &str,
    ) -> Vec<Suggestion> {
        let suggestion = |action: String| Suggestion {
            line: format!("{before}{action}"),
            label: action,
            help: String::new(),
        };
        let moves = self.moves_like(who, room, target.and_then(read_reference), typed);
        moves.into_iter().map(suggestion).collect()
    }

    /// The same, as they are written.
    pub(super) fn moves_like(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        about: Option<MatchRef>,
        typed: &str,
    ) -> Vec<String> {
        let found = || -> Result<Vec<String>, Failure> {
            let target = match about {
                Some(reference) => self.service.target(&reference)?,
                None => self.only_match(who, room, Wanted::MyTurn)?,
            };
            let found = target.found;
            let play = running(&found)?;
            let table = found.table()?;
            let seat = seat_of(&found, play, who, table.awaiting().seats())?;
            Ok(table.complete(seat, typed, MOST))
        };
        found().unwrap_or_default()
    }
}

fn commands(start: &str) -> Vec<Suggestion> {
    let begins = |command: &&CommandSpec| command.name.starts_with(&start.to_lowercase());
    let suggestion = |command: &CommandSpec| Suggestion {
        line: if command.arguments.is_empty() {
            command.name.to_owned()
        } else {
            format!("{} ", command.name)
        },
        label: command.name.to_owned(),
        help: command.help.to_owned(),
    };
    COMMANDS.iter().filter(begins).map(suggestion).collect()
}
