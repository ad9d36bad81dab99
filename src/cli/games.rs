//! `parlor games` and `parlor perft`.

use std::io::{self, Write};

use crate::catalog;
use crate::game::{Information, Seed};

use super::Failure;
use super::arguments::{Arguments, UsageError};

/// Lists the games.
pub fn games(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&[])?;
    arguments.expect_operands(0)?;
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

/// Counts sequences of actions; the last line is the bare number.
pub fn perft(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--depth", "--seats", "--set"])?;
    let entry = arguments.game()?;
    let depth = arguments
        .depth
        .ok_or_else(|| UsageError::new("how deep? give --depth N"))?;
    let options = arguments.options(entry)?;
    let table = entry
        .open(&options, arguments.seats(entry), &Seed::from_text("perft"))
        .map_err(|error| UsageError::new(error.to_string()))?;
    Ok(writeln!(io::stdout(), "{}", table.perft(depth))?)
}
