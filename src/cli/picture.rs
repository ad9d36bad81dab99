//! `parlor draw` and `parlor verify`: recorded matches.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::catalog::{Frame, Table};
use crate::game::{Seat, Viewer};
use crate::matches::record::Record;

use super::Failure;
use super::arguments::{Arguments, UsageError};

/// Draws a position of a recorded match, or writes it out.
pub fn draw(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&[
        "--step", "--seat", "--theme", "--out", "--text", "--alt", "--hand",
    ])?;
    let path = arguments.operand("which record? give its file")?;
    let theme = arguments.theme()?;
    if arguments.out.is_none() && !arguments.text && !arguments.alt {
        return Err(UsageError::new("where to? give --out FILE.png, --text or --alt").into());
    }
    let record = read_record(&path)?;
    let table = record
        .replay(arguments.step)
        .map_err(|error| in_file(&path, error))?;
    let viewer = viewer(arguments.seat.as_deref(), table.as_ref())?;
    let names: Vec<String> = Seat::all(table.seats())
        .map(|seat| match record.players.get(seat.index()) {
            Some(name) => name.clone(),
            None => format!("Player {seat}"),
        })
        .collect();
    let side = match viewer {
        Viewer::Seat(seat) => seat,
        Viewer::Public | Viewer::Omniscient => Seat::new(0),
    };
    let frame = Frame {
        viewer,
        side,
        theme,
        names: &names,
    };
    if arguments.hand {
        return hand(arguments, table.as_ref(), &frame);
    }
    if let Some(out) = &arguments.out {
        let picture = table.picture(&frame).map_err(io::Error::other)?;
        fs::write(out, picture)
            .map_err(|error| UsageError(format!("can't write {}: {error}", out.display())))?;
    }
    let mut out = io::stdout().lock();
    if arguments.text {
        writeln!(out, "{}", table.text(&frame).trim_end())?;
    }
    if arguments.alt {
        writeln!(out, "{}", table.alt(&frame).trim_end())?;
    }
    Ok(())
}

/// What only one seat sees, drawn or written out.
fn hand(arguments: &Arguments, table: &dyn Table, frame: &Frame<'_>) -> Result<(), Failure> {
    let nothing = || UsageError::new("there is no private hand; give --seat N, in a game that has hands");
    if let Some(out) = &arguments.out {
        let picture = table.hand_picture(frame).map_err(io::Error::other)?;
        fs::write(out, picture.ok_or_else(nothing)?)
            .map_err(|error| UsageError(format!("can't write {}: {error}", out.display())))?;
    }
    if arguments.text || arguments.alt {
        let hand = table.hand(frame).ok_or_else(nothing)?;
        let mut out = io::stdout().lock();
        if arguments.text {
            writeln!(out, "{}", hand.text.trim_end())?;
        }
        if arguments.alt {
            writeln!(out, "{}", hand.alt.trim_end())?;
        }
    }
    Ok(())
}

/// Replays a recorded match and says how it ended.
pub fn verify(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&[])?;
    let path = arguments.operand("which record? give its file")?;
    let record = read_record(&path)?;
    let table = record.verify().map_err(|error| in_file(&path, error))?;
    let mut out = io::stdout().lock();
    let seed = crate::game::Seed::from_hex(&record.seed);
    writeln!(
        out,
        "{} steps of {} replayed",
        record.actions.len(),
        table.meta().name
    )?;
    if let Some(seed) = seed {
        writeln!(out, "commitment {}", seed.commitment())?;
    }
    match table.outcome() {
        Some(outcome) => {
            let ranks: Vec<String> = outcome.ranks.iter().map(u8::to_string).collect();
            writeln!(out, "ranks {}: {}", ranks.join("-"), outcome.reason)?;
        }
        None => writeln!(out, "the match goes on")?,
    }
    Ok(())
}

fn read_record(path: &Path) -> Result<Record, UsageError> {
    let text = fs::read_to_string(path)
        .map_err(|error| UsageError(format!("can't read {}: {error}", path.display())))?;
    Record::from_json(&text).map_err(|error| in_file(path, error))
}

fn in_file(path: &Path, error: impl std::fmt::Display) -> UsageError {
    UsageError(format!("{}: {error}", path.display()))
}

fn viewer(wish: Option<&str>, table: &dyn Table) -> Result<Viewer, UsageError> {
    let Some(wish) = wish.filter(|wish| !wish.eq_ignore_ascii_case("public")) else {
        return Ok(Viewer::Public);
    };
    let seats = table.seats();
    wish.parse()
        .ok()
        .and_then(|number| Seat::numbered(number, seats))
        .map(Viewer::Seat)
        .ok_or_else(|| UsageError(format!("--seat takes 1 to {seats} or public, not `{wish}`")))
}
