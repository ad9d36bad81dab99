//! Short names for what is too long for a button: a long sentence, or many picked words.
//!
//! A button carries [`LONGEST_COMMAND`] bytes, and an attack of ten warriors takes more. Such a choice goes by a sum of its
//! words, `~1f3a90c2`, by which it is found among what can be played when it is pressed; where nothing of that name can be
//! played any more, the match has gone on.

use super::command::Command;
use super::message::LONGEST_COMMAND;
use crate::catalog::Table;
use crate::game::Seat;
use crate::matches::service::MatchRef;

/// What a short name begins with; no game reads it.
const SIGN: char = '~';

fn short(words: &str) -> String {
    format!("{SIGN}{:08x}", crc32fast::hash(words.as_bytes()))
}

fn fits(command: Command) -> Option<String> {
    let command = String::from(command);
    (command.len() <= LONGEST_COMMAND).then_some(command)
}

/// The command that goes on picking after these words, in whatever a button can carry.
pub(super) fn moves(about: MatchRef, picked: &str) -> String {
    let command = |picked: String| Command::Moves {
        about: Some(about.clone()),
        picked,
    };
    fits(command(picked.to_owned())).unwrap_or_else(|| command(short(picked)).into())
}

/// The command that plays a sentence, or shows what it would do.
pub(super) fn play(about: &MatchRef, sentence: &str, confirm: bool) -> String {
    let command = |sentence: String| {
        let about = Some(about.clone());
        if confirm {
            Command::Preview { about, sentence }
        } else {
            Command::Move { about, sentence }
        }
    };
    fits(command(sentence.to_owned())).unwrap_or_else(|| command(short(sentence)).into())
}

/// The only one of several that goes by a short name.
fn found(said: &str, all: impl Iterator<Item = String>) -> Option<String> {
    let mut fitting: Vec<String> = all.filter(|words| short(words) == said).collect();
    fitting.dedup();
    fitting.pop().filter(|_| fitting.is_empty())
}

/// Whether this is a short name.
pub fn is_short(said: &str) -> bool {
    said.starts_with(SIGN)
}

/// The sentence of a short name, if it can be played now.
pub fn sentence(table: &dyn Table, seat: Seat, said: &str) -> Option<String> {
    let mut sentences: Vec<String> = table.ways(seat).into_iter().map(|way| way.sentence).collect();
    sentences.sort_unstable();
    found(said, sentences.into_iter())
}

/// The words of a short name, if something that can be played begins with them.
pub fn picked(table: &dyn Table, seat: Seat, said: &str) -> Option<String> {
    let mut beginnings: Vec<String> = Vec::new();
    for way in table.ways(seat) {
        let words: Vec<&str> = way.words.iter().map(|word| word.text.as_str()).collect();
        beginnings.extend((1..words.len()).filter_map(|count| Some(words.get(..count)?.join(" "))));
    }
    beginnings.sort_unstable();
    found(said, beginnings.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;
    use crate::game::{OptionValues, Seed};
    use crate::matches::code::Code;

    fn about() -> MatchRef {
        MatchRef {
            code: "K7QF".parse::<Code>().unwrap(),
            version: Some(12),
        }
    }

    #[test]
    fn what_fits_stands_as_it_is_and_what_does_not_goes_by_a_short_name() {
        assert_eq!(play(&about(), "F2-F5", false), "move #K7QF@12 F2-F5");
        assert_eq!(play(&about(), "F2-F5", true), "preview #K7QF@12 F2-F5");
        assert_eq!(moves(about(), "F2"), "moves #K7QF@12 F2");
        let long = format!("attack nexus with {}", "3 ".repeat(60));
        for command in [
            play(&about(), &long, false),
            play(&about(), &long, true),
            moves(about(), &long),
        ] {
            assert!(command.len() <= LONGEST_COMMAND, "{command}");
            assert!(command.contains(" ~"), "{command}");
        }
    }

    #[test]
    fn everything_that_can_be_played_is_found_by_its_short_name() {
        for game in ["phwar", "fabric", "glyphgrid", "breaker", "phase"] {
            let entry = find(game).unwrap();
            let seed = Seed::from_text("short");
            let table = entry
                .open(&OptionValues::defaults(entry.meta.options), 2, &seed)
                .unwrap();
            let seat = table.awaiting().seats().iter().next().unwrap();
            let ways = table.ways(seat);
            assert!(!ways.is_empty(), "{game}");
            for way in ways {
                let name = short(&way.sentence);
                assert_eq!(sentence(table.as_ref(), seat, &name), Some(way.sentence.clone()));
                if way.words.len() > 1 {
                    let first = way.words[0].text.clone();
                    assert_eq!(picked(table.as_ref(), seat, &short(&first)), Some(first));
                }
            }
            assert_eq!(sentence(table.as_ref(), seat, &short("nothing like it")), None);
        }
    }
}
