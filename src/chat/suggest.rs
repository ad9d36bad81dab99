//! Suggestions while somebody types: commands, games, options, codes, legal moves.

use super::command::take_reference;
use super::grammar::{self, ArgumentKind, BOT, COMMANDS, CommandSpec, Verb};
use super::notices::game_name;
use super::parlor::Parlor;
use super::wanted::{Wanted, at_hand};
use crate::ai::Level;
use crate::catalog::{self, Entry, games};
use crate::game::completion::FoundBy;
use crate::matches::change::{running, seat_of};
use crate::matches::clock::ClockKind;
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::refusal::Failure;
use crate::matches::service::MatchRef;

/// The most suggestions that any platform shows at once.
pub const MOST: usize = 25;

/// The clocks to choose from, and what each means. That of the game's rulebook comes first.
pub(super) fn clocks(game: Option<&Entry>) -> Vec<(String, String)> {
    const CLOCKS: [(&str, &str); 4] = [
        ("relaxed", "10 days each"),
        ("daily", "two days each"),
        ("live", "five minutes each"),
        ("none", "no clock"),
    ];
    let rulebook = game.and_then(rulebook_clock).map(|clock| {
        let bank = clock
            .bank()
            .map(|bank| format!("{bank} each, as in the rulebook"));
        (clock.to_string(), bank.unwrap_or_default())
    });
    let all = CLOCKS.map(|(clock, help)| (clock.to_owned(), help.to_owned()));
    rulebook.into_iter().chain(all).collect()
}

/// The clock that a game's rulebook plays with.
pub(super) fn rulebook_clock(game: &Entry) -> Option<ClockKind> {
    game.meta.rulebook_clock?.parse().ok()
}

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
        let moves = || self.moves_like(who, room, None, start);
        let Some((word, rest)) = start.split_once(char::is_whitespace) else {
            return match commands(start) {
                all if start.is_empty() => all,
                none if none.is_empty() => suggestions(moves(), ""),
                some => with_moves(some, moves()),
            };
        };
        let rest = rest.trim_start();
        match grammar::find(word) {
            Some(command) if takes(command, ArgumentKind::Move) => {
                suggestions(self.moves_like(who, room, None, rest), command.name)
            }
            // A match is being named, and no move has a mark like that.
            Some(command) if rest.starts_with('#') => self.arguments(who, command, rest),
            Some(command) => with_moves(self.arguments(who, command, rest), moves()),
            None => suggestions(moves(), ""),
        }
    }

    fn arguments(&self, who: &PlayerId, command: &CommandSpec, rest: &str) -> Vec<Suggestion> {
        let has = |kind: ArgumentKind| takes(command, kind);
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
                for (clock, help) in clocks(Some(entry)) {
                    all.push(suggest(&clock, &help));
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
        if command.verb == Verb::Help {
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

    /// The asker's own moves that what was typed may mean, in the match that is named or in those that wait for them. If
    /// there are several, these come first.
    pub(super) fn moves_like(
        &self,
        who: &PlayerId,
        room: Option<&RoomId>,
        about: Option<MatchRef>,
        typed: &str,
    ) -> Vec<FoundMove> {
        let found = || -> Result<Vec<FoundMove>, Failure> {
            let (words, named) = take_reference(typed);
            let code = named.as_ref().map(|named| named.code.clone());
            if let Some(reference) = named.or(about) {
                let found = self.service.target(&reference)?.found;
                return Ok(moves_in(&found, who, &words, MOST, code)?.collect());
            }
            let waiting = self.fitting(who, room, Wanted::MyTurn)?;
            match &waiting[..] {
                [only] if !typed.starts_with('#') => Ok(moves_in(only, who, &words, MOST, None)?.collect()),
                _ => self.moves_in_several(waiting, who, typed.trim()),
            }
        };
        let mut found = found().unwrap_or_default();
        found.truncate(MOST);
        found
    }

    /// The matches, and then their moves, each with what it is a move of; those of the match at hand before others.
    fn moves_in_several(
        &self,
        mut waiting: Vec<Loaded>,
        who: &PlayerId,
        typed: &str,
    ) -> Result<Vec<FoundMove>, Failure> {
        if let Some(place) = at_hand(&waiting, who) {
            waiting[..=place].rotate_right(1);
        }
        let titles = self.titles(&waiting, who);
        let named = |(the_match, title): (&Loaded, &String)| {
            let label = format!("{title}: your turn");
            let name = format!("#{} {title}", the_match.code).to_lowercase();
            let fits = typed
                .to_lowercase()
                .split_whitespace()
                .all(|word| name.contains(word));
            fits.then(|| FoundMove {
                code: Some(the_match.code.clone()),
                action: None,
                label,
                by: FoundBy::Guess,
            })
        };
        let mut all: Vec<FoundMove> = waiting.iter().zip(&titles).filter_map(named).collect();
        if typed.starts_with('#') {
            return Ok(all);
        }
        let each = MOST.saturating_sub(all.len()) / waiting.len().max(1);
        for (the_match, title) in waiting.iter().zip(&titles) {
            let code = Some(the_match.code.clone());
            all.extend(
                moves_in(the_match, who, typed, each, code)?.map(|found| FoundMove {
                    label: format!("{title}: {}", found.label),
                    ..found
                }),
            );
        }
        Ok(all)
    }
}

/// A move that somebody may mean, or a match in which they may move.
pub(super) struct FoundMove {
    /// The match, where it has to be named.
    code: Option<Code>,
    /// In canonical notation; nothing if it is only the match that is suggested.
    action: Option<String>,
    /// What it does.
    pub(super) label: String,
    by: FoundBy,
}

impl FoundMove {
    /// What stands behind `move`.
    pub(super) fn said(&self) -> String {
        match (&self.code, &self.action) {
            (Some(code), Some(action)) => format!("#{code} {action}"),
            (Some(code), None) => format!("#{code}"),
            (None, action) => action.clone().unwrap_or_default(),
        }
    }
}

/// Commands that a line may become, and moves: some games have words of ours in their notation, and `draw 3` offers no draw.
/// What is typed as the notation has it comes first; what was only guessed at is left out.
fn with_moves(commands: Vec<Suggestion>, mut moves: Vec<FoundMove>) -> Vec<Suggestion> {
    moves.retain(|found| found.by != FoundBy::Guess);
    let (mut first, last): (Vec<_>, Vec<_>) =
        (moves.into_iter()).partition(|found| found.by == FoundBy::Notation);
    first.truncate(MOST.saturating_sub(commands.len()));
    let mut all = suggestions(first, "");
    all.extend(commands);
    all.extend(suggestions(last, ""));
    all.truncate(MOST);
    all
}

/// Moves as lines that begin with this verb, if there is one.
fn suggestions(moves: Vec<FoundMove>, verb: &str) -> Vec<Suggestion> {
    let suggestion = |found: FoundMove| {
        let said = found.said();
        // A match that is named needs a command before it, and a move behind it.
        let verb = if verb.is_empty() && found.code.is_some() {
            grammar::spec(Verb::Move).name
        } else {
            verb
        };
        let line = format!("{verb} {said}");
        Suggestion {
            line: match found.action {
                Some(_) => line.trim_start().to_owned(),
                None => format!("{} ", line.trim_start()),
            },
            help: if found.label == said { String::new() } else { said },
            label: found.label,
        }
    };
    moves.into_iter().map(suggestion).collect()
}

fn takes(command: &CommandSpec, kind: ArgumentKind) -> bool {
    command.arguments.iter().any(|argument| argument.kind == kind)
}

/// Legal moves of a player in a match that fit what was typed.
fn moves_in(
    found: &Loaded,
    who: &PlayerId,
    typed: &str,
    limit: usize,
    code: Option<Code>,
) -> Result<impl Iterator<Item = FoundMove> + use<>, Failure> {
    let play = running(found)?;
    let table = found.table()?;
    let seat = seat_of(found, play, who, table.awaiting().seats())?;
    let completions = table.complete(seat, typed, limit).into_iter();
    Ok(completions.map(move |completion| FoundMove {
        code: code.clone(),
        action: Some(completion.action),
        label: completion.label,
        by: completion.by,
    }))
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
