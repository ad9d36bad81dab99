//! A record as a short text that people read and write: a few header lines, an empty line, and a line for each step.
//!
//! ```text
//! Parlor record: 1
//! Game: phwar
//! Rules: 2
//! Option centre: on
//! Seats: 2
//! Player 1: Ann
//! Player 2: Bea
//! Seed: 0000…
//! Result: 1 2 Bea has no electrons left
//!
//! 1. 1: F3-F5
//! 2. 2: F9-F8
//! 3. 2 leaves: resigned
//! Note 1 after 2: that was close
//! ```
//!
//! What a line can't hold (a line end in a name or a note) becomes a space; otherwise nothing is lost on the way there and
//! back.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::notes::RecordedNote;
use super::record::{Deed, FORMAT, Record, RecordError, RecordedOutcome, RecordedStep};
use crate::game::Seat;
use crate::game::notation::excerpt;

/// What the first line begins with.
const FIRST: &str = "Parlor record";

/// A line of a text that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    pub line: usize,
    pub problem: String,
}

/// A text on one line.
fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
    words.join(" ").trim().to_owned()
}

impl Record {
    /// Reads a record in either form, as JSON or in short notation.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with(FIRST) {
            from_notation(text)
        } else {
            Self::from_json(text)
        }
    }

    /// The same in short notation.
    pub fn to_notation(&self) -> String {
        let mut text = String::new();
        // Writing into a string can't fail.
        let mut line = |line: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "{line}");
        };
        line(format_args!("{FIRST}: {}", self.format));
        line(format_args!("Game: {}", flat(&self.game)));
        line(format_args!("Rules: {}", self.rules_version));
        for (name, value) in &self.options {
            line(format_args!("Option {}: {}", flat(name), flat(value)));
        }
        line(format_args!("Seats: {}", self.seats));
        for (number, name) in (1..).zip(&self.players) {
            line(format_args!("Player {}: {}", number, flat(name)));
        }
        line(format_args!("Seed: {}", flat(&self.seed)));
        if let Some(outcome) = &self.outcome {
            let ranks: Vec<String> = outcome.ranks.iter().map(u8::to_string).collect();
            line(format_args!(
                "Result: {} {}",
                ranks.join(" "),
                flat(&outcome.reason)
            ));
        }
        line(format_args!(""));
        for (number, step) in (1..).zip(&self.actions) {
            let seat = step.seat;
            match &step.deed {
                Deed::Action(action) => line(format_args!("{number}. {seat}: {}", flat(action))),
                Deed::Leaves(why) => line(format_args!("{number}. {seat} leaves: {}", flat(why))),
                Deed::Lapses(why) => line(format_args!("{number}. {seat} lapses: {}", flat(why))),
            }
        }
        for note in &self.notes {
            line(format_args!(
                "Note {} after {}: {}",
                note.seat,
                note.step,
                flat(&note.text)
            ));
        }
        text
    }
}

fn from_notation(text: &str) -> Result<Record, RecordError> {
    let mut record = Record {
        format: 0,
        game: String::new(),
        rules_version: 0,
        options: BTreeMap::new(),
        seats: 0,
        players: Vec::new(),
        seed: String::new(),
        actions: Vec::new(),
        outcome: None,
        notes: Vec::new(),
    };
    for (line, number) in text.lines().zip(1..) {
        let wrong = |problem: String| LineError {
            line: number,
            problem,
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let (head, value) = line
            .split_once(':')
            .ok_or_else(|| wrong("there is no `:` in it".to_owned()))?;
        read_line(&mut record, head.trim(), value.trim()).map_err(wrong)?;
        if record.format != FORMAT {
            return Err(RecordError::Format(record.format));
        }
    }
    for (missing, name) in [
        (record.game.is_empty(), "Game"),
        (record.rules_version == 0, "Rules"),
        (record.seats == 0, "Seats"),
        (record.seed.is_empty(), "Seed"),
    ] {
        if missing {
            let problem = format!("a line `{name}: …` is missing");
            return Err(LineError { line: 1, problem }.into());
        }
    }
    Ok(record)
}

/// Reads one line, whatever it is.
fn read_line(record: &mut Record, head: &str, value: &str) -> Result<(), String> {
    let whole = |text: &str| -> Result<u32, String> {
        text.parse()
            .map_err(|_| format!("`{}` isn't a whole number", excerpt(text)))
    };
    let small = |text: &str| -> Result<u8, String> {
        u8::try_from(whole(text)?).map_err(|_| format!("{text} is too much"))
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    match words[..] {
        ["Parlor", "record"] => record.format = whole(value)?,
        ["Game"] => value.clone_into(&mut record.game),
        ["Rules"] => {
            record.rules_version =
                u16::try_from(whole(value)?).map_err(|_| format!("there are no rules {value}"))?;
        }
        ["Option", name] => {
            if record.options.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(format!("option `{}` comes twice", excerpt(name)));
            }
        }
        ["Seats"] => record.seats = small(value)?,
        ["Player", number] => {
            if usize::from(small(number)?) != record.players.len() + 1 {
                return Err(format!("player {} should come here", record.players.len() + 1));
            }
            record.players.push(value.to_owned());
        }
        ["Seed"] => value.clone_into(&mut record.seed),
        ["Result"] => record.outcome = Some(result(value)),
        ["Note", by, "after", step] => {
            let (seat, step) = (seat(by)?, whole(step)?);
            let text = value.to_owned();
            record.notes.push(RecordedNote { seat, step, text });
        }
        [number, by, ref what @ ..] if number.ends_with('.') => {
            let given = whole(number.trim_end_matches('.'))?;
            let expected = record.actions.len() + 1;
            if given as usize != expected {
                return Err(format!("step {expected} should come here, not step {given}"));
            }
            let deed = match what {
                [] => Deed::Action(value.to_owned()),
                ["leaves"] => Deed::Leaves(value.to_owned()),
                ["lapses"] => Deed::Lapses(value.to_owned()),
                [word, ..] => return Err(format!("`{}` is nothing that a seat does", excerpt(word))),
            };
            record.actions.push(RecordedStep {
                seat: seat(by)?,
                deed,
            });
        }
        [..] => return Err(format!("I don't know what `{}` is", excerpt(head))),
    }
    Ok(())
}

fn seat(text: &str) -> Result<Seat, String> {
    let number = text.parse().ok();
    let seat = number.and_then(|number| Seat::numbered(number, crate::game::MAX_SEATS));
    seat.ok_or_else(|| format!("`{}` isn't a seat", excerpt(text)))
}

/// Ranks, seat by seat, and then the reason.
fn result(value: &str) -> RecordedOutcome {
    let mut ranks = Vec::new();
    let mut rest = value;
    while let Some((rank, after)) = next_rank(rest) {
        ranks.push(rank);
        rest = after;
    }
    RecordedOutcome {
        ranks,
        reason: rest.to_owned(),
    }
}

fn next_rank(text: &str) -> Option<(u8, &str)> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rank = word.parse().ok().filter(|rank| *rank <= crate::game::MAX_SEATS)?;
    Some((rank, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let text = include_str!("../../tests/data/records/phase-rules-2-two.json");
        let mut record = Record::from_json(text).unwrap();
        record.players = vec!["Ann: the one".to_owned(), "Béa".to_owned()];
        record.outcome = Some(RecordedOutcome {
            ranks: vec![2, 1],
            reason: "nobody is left: resignation".to_owned(),
        });
        record.notes.push(RecordedNote {
            seat: Seat::new(1),
            step: 3,
            text: "well: here it is".to_owned(),
        });
        record.actions.push(RecordedStep {
            seat: Seat::new(0),
            deed: Deed::Leaves("resigned".to_owned()),
        });
        record.actions.push(RecordedStep {
            seat: Seat::new(1),
            deed: Deed::Lapses("time".to_owned()),
        });
        record
    }

    #[test]
    fn nothing_is_lost_on_the_way_there_and_back() {
        let record = record();
        let text = record.to_notation();
        assert!(
            text.starts_with("Parlor record: 1\nGame: phase\nRules: 2\n"),
            "{text}"
        );
        assert_eq!(Record::read(&text).unwrap(), record);
        assert_eq!(Record::read(&record.to_json().unwrap()).unwrap(), record);
        // As some programs save it.
        let saved = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(Record::read(&saved).unwrap(), record);
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        let text = record().to_notation();
        let lines = text.lines().count();
        let error = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            Record::read(&changed).unwrap_err().to_string()
        };
        assert!(error("1. 1:", "2. 1:").contains("step 1 should come here, not step 2"));
        assert!(error("\n1. 1:", "\n1. 9:").contains("`9` isn't a seat"));
        assert!(error("Seats: 2", "Seats: two").contains("`two` isn't a whole number"));
        assert!(error("Game:", "Games:").contains("I don't know what `Games` is"));
        assert!(error("Player 2:", "Player 3:").contains("player 2 should come here"));
        assert!(error("leaves:", "sleeps:").contains("`sleeps` is nothing that a seat does"));
        assert!(error(": 1\n", ": 9\n").contains("format 9"));
        let without_seed: Vec<&str> = text.lines().filter(|line| !line.starts_with("Seed")).collect();
        let error = Record::read(&without_seed.join("\n")).unwrap_err().to_string();
        assert!(error.contains("`Seed: …` is missing"), "{error}");
        assert!(lines > 10);
    }

    #[test]
    fn no_text_breaks_the_reader() {
        let text = record().to_notation();
        for cut in (0..text.len())
            .step_by(7)
            .filter(|cut| text.is_char_boundary(*cut))
        {
            let _ = Record::read(&text[..cut]);
            let _ = Record::read(&format!("{}:{}", &text[..cut], &text[cut..]));
        }
    }
}
