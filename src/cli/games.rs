//! `parlor games` and `parlor perft`.

use std::io::{self, Write};

use crate::catalog;
use crate::game::{Information, Seed};

use super::Failure;
use super::arguments::{GameArguments, UsageError, whole};

/// Lists the games.
pub fn games() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for entry in catalog::games() {
        let meta = entry.meta;
        let (least, most) = (meta.seats.start(), meta.seats.end());
        let seats = if least == most {
            least.to_string()
        } else {
            format!("{least}-{most}")
        };
        let information = match meta.information {
            Information::Perfect => "all open",
            Information::Hidden => "hidden hands",
        };
        writeln!(
            out,
            "{:<10} {} — {seats} players, {information}; {}",
            meta.id, meta.name, meta.designer
        )?;
        writeln!(out, "           {}", meta.tagline)?;
        for spec in meta.options {
            writeln!(
                out,
                "           {}={} ({})",
                spec.name,
                spec.default_text(),
                spec.values_text()
            )?;
            writeln!(out, "             {}", spec.help)?;
        }
    }
    Ok(())
}

#[derive(Debug, clap::Args)]
pub struct PerftArguments {
    #[command(flatten)]
    game: GameArguments,
    /// How deep
    #[arg(long, value_name = "N", value_parser = whole::<u32>, allow_negative_numbers = true)]
    depth: u32,
}

/// Counts sequences of actions; the last line is the bare number.
pub fn perft(arguments: &PerftArguments) -> Result<(), Failure> {
    let GameArguments { game, .. } = arguments.game;
    let options = arguments.game.options()?;
    let seats = arguments.game.seats()?;
    let table = game
        .open(&options, seats, &Seed::from_text("perft"))
        .map_err(UsageError::new)?;
    Ok(writeln!(io::stdout(), "{}", table.perft(arguments.depth))?)
}
