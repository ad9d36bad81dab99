//! `parlor draw`, `parlor verify` and `parlor import`: recorded matches, as JSON or in short notation.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::catalog::{Frame, Table};
use crate::draw::Theme;
use crate::game::{Seat, Viewer};
use crate::matches::record::Record;
use crate::text;

use super::Failure;
use super::arguments::{UsageError, whole, write_file};

#[derive(Debug, clap::Args)]
pub struct DrawArguments {
    /// The file of the record
    record: PathBuf,
    /// The position after N steps
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    step: Option<usize>,
    /// For whom, and from whose side: a number, or public
    #[arg(long, value_name = "N|public", allow_negative_numbers = true)]
    seat: Option<String>,
    /// light, dark or safe
    #[arg(long, value_name = "NAME", value_parser = theme, default_value = "light")]
    theme: Theme,
    /// Where the picture goes
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the text board
    #[arg(long)]
    text: bool,
    /// Print the alt text
    #[arg(long)]
    alt: bool,
    /// The private hand of --seat N instead of the board
    #[arg(long)]
    hand: bool,
    /// As --seat N sees it who has picked these words of a move so far; none as yet if empty
    #[arg(long, value_name = "WORDS", requires = "seat")]
    picked: Option<String>,
}

pub(super) fn theme(name: &str) -> Result<Theme, String> {
    let names = Theme::ALL.map(Theme::name).join(", ");
    name.parse()
        .map_err(|_| format!("there's no theme `{name}`; the themes are {names}"))
}

/// Draws a position of a recorded match, or writes it out.
pub fn draw(arguments: &DrawArguments) -> Result<(), Failure> {
    let path = &arguments.record;
    if arguments.out.is_none() && !arguments.text && !arguments.alt {
        return Err(UsageError::new("where to? give --out FILE.png, --text or --alt").into());
    }
    let record = read_record(path)?;
    let table = record
        .replay(arguments.step)
        .map_err(|error| in_file(path, error))?;
    let viewer = viewer_of(arguments.seat.as_deref(), table.as_ref())?;
    let names = names_of(&record, table.as_ref());
    let picked = arguments.picked.as_ref();
    let picked: Option<Vec<String>> =
        picked.map(|words| words.split_whitespace().map(str::to_owned).collect());
    let frame = Frame {
        theme: arguments.theme,
        picking: picked.as_deref(),
        ..Frame::new(viewer, &names)
    };
    let no_hand = || UsageError::new("there is no private hand; give --seat N, in a game that has hands");
    if let Some(out) = &arguments.out {
        let picture = if arguments.hand {
            let hand = table.hand_picture(&frame).map_err(io::Error::other)?;
            hand.ok_or_else(no_hand)?
        } else {
            table.picture(&frame).map_err(io::Error::other)?
        };
        write_file(out, picture)?;
    }
    let (text, alt) = if arguments.hand {
        let hand = table.hand(&frame).ok_or_else(no_hand)?;
        (hand.text, hand.alt)
    } else {
        (table.text(&frame), table.alt(&frame))
    };
    let mut out = io::stdout().lock();
    if arguments.text {
        writeln!(out, "{}", text.trim_end())?;
    }
    if arguments.alt {
        writeln!(out, "{}", alt.trim_end())?;
    }
    Ok(())
}

/// Replays a recorded match and says how it ended.
pub fn verify(path: &Path) -> Result<(), Failure> {
    let record = read_record(path)?;
    let table = record.verify().map_err(|error| in_file(path, error))?;
    let mut out = io::stdout().lock();
    let seed = crate::game::Seed::from_hex(&record.seed);
    writeln!(
        out,
        "{} of {} replayed",
        text::counted(record.actions.len(), "step", "steps"),
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

#[derive(Debug, clap::Args)]
pub struct ImportArguments {
    /// The file of the record, as JSON or in short notation
    record: PathBuf,
    /// Write it in short notation instead of JSON
    #[arg(long)]
    text: bool,
    /// Where to write it; by default the terminal
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Reads a record in either form, checks that it can be played again, and writes it in one of them.
pub fn import(arguments: &ImportArguments) -> Result<(), Failure> {
    let path = &arguments.record;
    let record = read_record(path)?;
    record.verify().map_err(|error| in_file(path, error))?;
    let written = if arguments.text {
        record.to_notation()
    } else {
        let json = record.to_json().map_err(io::Error::other)?;
        format!("{json}\n")
    };
    match &arguments.out {
        Some(out) => write_file(out, written)?,
        None => io::stdout().lock().write_all(written.as_bytes())?,
    }
    Ok(())
}

pub(super) fn read_record(path: &Path) -> Result<Record, UsageError> {
    let text = fs::read_to_string(path)
        .map_err(|error| UsageError(format!("can't read {}: {error}", path.display())))?;
    Record::read(&text).map_err(|error| in_file(path, error))
}

pub(super) fn in_file(path: &Path, error: impl std::fmt::Display) -> UsageError {
    UsageError(format!("{}: {error}", path.display()))
}

/// What the players of a record are called, one a seat.
pub(super) fn names_of(record: &Record, table: &dyn Table) -> Vec<String> {
    let name = |seat: Seat| match record.players.get(seat.index()) {
        Some(name) => name.clone(),
        None => format!("Player {seat}"),
    };
    Seat::all(table.seats()).map(name).collect()
}

pub(super) fn viewer_of(wish: Option<&str>, table: &dyn Table) -> Result<Viewer, UsageError> {
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
