//! Every parser, held to what it promises: that no text makes it panic, and that what it reads and writes reads the same.
//!
//! Each function takes any text and says whether it was understood. `tests/program/parsers.rs` throws a fixed number of
//! texts at each, and the targets of cargo-fuzz as many as there is time for.
#![allow(dead_code, reason = "each fuzz target takes one of them")]

use std::fs;
use std::path::Path;

use parlor::catalog::{self, Entry, Table};
use parlor::chat::command::{self, Command, Nobody, ReadError};
use parlor::config::{Config, ConfigError};
use parlor::game::{OptionValues, Seat, Seed};
use parlor::games::phase::card::load::{self, Source};
use parlor::games::phase::card::{DeckCode, list};
use parlor::matches::record::Record;

/// A game of the catalog after so many steps, and the seat that is to move.
pub fn position(game: usize, steps: u64) -> (Box<dyn Table>, Seat) {
    let games: Vec<&Entry> = catalog::games().collect();
    let entry = games[game % games.len()];
    let options = OptionValues::defaults(entry.meta.options);
    let mut table = entry.open(&options, *entry.meta.seats.start(), &seed()).unwrap();
    let mut seat = Seat::new(0);
    for step in 1..=steps + 1 {
        let Some(next) = table.awaiting().seats().iter().next() else {
            break;
        };
        seat = next;
        let legal = table.legal(seat);
        let action = &legal[seed().at(step).below(legal.len())];
        if step <= steps {
            table.play(seat, action, &seed(), step).unwrap();
        }
    }
    (table, seat)
}

fn seed() -> Seed {
    Seed::from_text("parsers")
}

/// A move, typed by whoever is to move.
pub fn moves(table: &dyn Table, seat: Seat, text: &str) -> bool {
    // Steps only choose the chance that is drawn; no match is as long.
    const STEP: u64 = 1 << 40;
    table.complete(seat, text, 25);
    table.guide(seat, &text.split_whitespace().take(8).collect::<Vec<_>>());
    let mut played = table.copy();
    match played.play(seat, text, &seed(), STEP) {
        Ok(told) if told.aside.is_none() => {
            let mut again = table.copy();
            let canonical = told.actions.join("; ");
            let read = again.play(seat, &canonical, &seed(), STEP).unwrap();
            assert_eq!(read.actions, told.actions, "{text:?} was played as {canonical:?}");
            assert_eq!(again.save().unwrap(), played.save().unwrap());
            true
        }
        Ok(_) => true,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// How a typed line is read.
fn read_line(line: &str) -> Result<Command, ReadError> {
    command::read(line, &Nobody)
}

/// A line in chat.
pub fn chat_line(line: &str) -> bool {
    let read = read_line(line);
    // A leading mark is welcome and needless.
    if !line.trim_start().starts_with(['/', '!']) && read != Err(ReadError::TooLong) {
        assert_eq!(read, read_line(&format!("/{line}")), "{line:?}");
    }
    read.is_ok()
}

/// The operator's file.
pub fn config(text: &str) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    is_good(Config::load(Some(file.path()), []))
}

/// The environment, a line `NAME=value` for each variable.
pub fn environment(text: &str) -> bool {
    let variables = text.lines().filter_map(|line| line.split_once('='));
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    is_good(Config::load(Some(Path::new("/dev/null")), variables))
}

fn is_good(config: Result<Config, ConfigError>) -> bool {
    if let Err(error) = &config {
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    config.is_ok()
}

/// The record of a match.
pub fn record(text: &str) -> bool {
    let Ok(record) = Record::read(text) else {
        return false;
    };
    assert_eq!(Record::from_json(&record.to_json().unwrap()).unwrap(), record);
    match record.verify() {
        Ok(table) => {
            assert_eq!(table.seats(), record.seats);
            // What can be played can be written in short notation and read again.
            assert!(Record::read(&record.to_notation()).is_ok());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    true
}

/// A file of cards.
pub fn card_file(text: &str) -> bool {
    let source = Source {
        name: "any.cards",
        text,
    };
    let _ = load::load(&[source]);
    match load::draft(&source) {
        Ok(set) => {
            for face in set.faces() {
                assert!(!face.name.is_empty());
            }
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "refused without a reason");
            false
        }
    }
}

/// A deck: its code, or a list of cards.
pub fn deck(text: &str) -> bool {
    if let Ok(code) = text.parse::<DeckCode>() {
        assert_eq!(code.to_string().parse(), Ok(code), "{text:?}");
    }
    let Ok(cards) = list::read(text) else {
        return false;
    };
    assert_eq!(list::read(&list::write("any", &cards)), Ok(cards), "{text:?}");
    true
}

/// What Discord tells of a command or a button.
#[cfg(feature = "discord")]
pub fn discord_interaction(text: &str) -> bool {
    use parlor::discord::component_id::{self, ComponentId};
    use parlor::discord::options;
    use serenity::model::application::Interaction;
    use serenity::model::id::UserId;

    match serde_json::from_str::<Interaction>(text) {
        Ok(Interaction::Command(event) | Interaction::Autocomplete(event)) => {
            let fields = options::fields(&event.data.options, UserId::new(1));
            let _ = command::from_fields(&event.data.name, fields, &Nobody);
            true
        }
        Ok(Interaction::Component(event)) => {
            let id = ComponentId::read(&event.data.custom_id);
            if let ComponentId::Turn { page, line } = &id
                && let Some(written) = component_id::page(*page, line)
            {
                assert_eq!(ComponentId::read(&written), id);
            }
            true
        }
        _ => false,
    }
}

/// An event of a Matrix room.
#[cfg(feature = "matrix")]
pub fn matrix_event(text: &str) -> bool {
    use parlor::matrix::event::RoomEvent;

    let Ok(event) = serde_json::from_str(text) else {
        return false;
    };
    RoomEvent::read(&event).is_some()
}

/// The HTML of a message in a Matrix room.
#[cfg(feature = "matrix")]
pub fn matrix_html(html: &str) -> bool {
    use parlor::matrix::event::{EventKind, RoomEvent};

    let event = serde_json::json!({
        "event_id": "$one:example.org", "sender": "@ann:example.org", "type": "m.room.message",
        "content": { "msgtype": "m.text", "body": html, "format": "org.matrix.custom.html", "formatted_body": html },
    });
    let event = RoomEvent::read(&event).unwrap();
    let EventKind::TextMessage(message) = event.what else {
        panic!("a text is a text: {html:?}");
    };
    !message.words.is_empty()
}
