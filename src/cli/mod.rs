//! `parlor`: one file for each group of subcommands.
//!
//! It is part of the library so that the platforms' code is compiled once and not again for the program.

mod allocator;
mod arena;
mod arguments;
mod balance;
mod check;
mod check_store;
mod control;
mod game_health;
mod games;
mod interval;
mod pace;
mod parallel;
mod records;
mod replay;
mod review;
mod scheduled_backups;
mod serve;
mod signals;
mod simulate;
mod storage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Arguments, ConfigDeed, ConfigFile, ProgramCommand, UsageError};
use clap::{CommandFactory, Parser};

use crate::catalog::{self, Entry};

/// The store could not be written to or closed. It has nothing to do with what was asked for, and may be over by the
/// next start: sysexits.h calls this a temporary failure.
const STORE_FAILING: u8 = 75;

/// Runs the program: 0 if it did what it was asked for, 2 if it was asked for something it can't do or its configuration
/// is wrong, 75 if the store failed and another start may help, 1 if something else broke.
pub fn run() -> ExitCode {
    run_with([])
}

/// Runs the program with more games than those of this crate: the whole `main` of a game of one's own.
///
/// `examples/own_game.rs` is such a program.
pub fn run_with(games: impl IntoIterator<Item = Entry>) -> ExitCode {
    run_line(games, std::env::args_os())
}

/// The same for a line of one's own, which begins with the program's name.
pub fn run_line(
    games: impl IntoIterator<Item = Entry>,
    line: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    match carry_out(games, line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(error)) => {
            complain(&error.to_string());
            ExitCode::from(2)
        }
        Err(Failure::StoreFailing(reason)) => {
            complain(&reason);
            ExitCode::from(STORE_FAILING)
        }
        // A reader that has seen enough, such as `head`, is no failure.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Adds the games first, since a command line names them, and sees to it that each of them is whole before anything is opened.
fn carry_out(
    games: impl IntoIterator<Item = Entry>,
    line: impl IntoIterator<Item = OsString>,
) -> Result<(), Failure> {
    let added = games.into_iter().try_for_each(catalog::add);
    added.map_err(|error| UsageError(error.to_string()))?;
    match Arguments::try_parse_from(line) {
        Ok(arguments) => {
            catalog::check().map_err(io::Error::other)?;
            dispatch(arguments)
        }
        Err(error) if error.use_stderr() => Err(UsageError::from(&error).into()),
        // Somebody asked for help or for the version.
        Err(error) => write!(io::stdout(), "{error}").map_err(Failure::from),
    }
}

/// One line on standard error, whatever the message holds.
fn complain(message: &str) {
    let line: Vec<&str> = message.split_whitespace().collect();
    let _ = writeln!(io::stderr(), "parlor: {}", line.join(" "));
}

/// Why a command did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Usage(#[from] UsageError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The store failed in a way that may be over at the next start.
    #[error("{0}")]
    StoreFailing(String),
}

fn no_config() -> Failure {
    UsageError::new("--config has no meaning for this command; leave it out").into()
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    let early = arguments.config;
    // It may stand before the command, too.
    let config = |late: ConfigFile| ConfigFile {
        path: late.path.or(early.path.clone()),
    };
    match arguments.command {
        None => serve::serve(&early),
        Some(ProgramCommand::Serve(late)) => serve::serve(&config(late)),
        Some(ProgramCommand::Export {
            code,
            out,
            config: late,
        }) => storage::export(&code, out.as_deref(), &config(late)),
        Some(ProgramCommand::Backup { file, config: late }) => storage::backup(&file, &config(late)),
        Some(ProgramCommand::Restore { backup, config: late }) => storage::restore(&backup, &config(late)),
        Some(ProgramCommand::Config {
            deed: ConfigDeed::Check(late),
        }) => check::config_check(&config(late)),
        Some(ProgramCommand::Health(mut arguments)) => {
            let file = config(std::mem::take(&mut arguments.config));
            match arguments.game() {
                Some(_) if file.path.is_some() => Err(no_config()),
                Some(game) => game_health::game_health(&game, &arguments.trial),
                None => check::health(&arguments, &file),
            }
        }
        Some(ProgramCommand::Compact(late)) => storage::compact(&config(late)),
        Some(ProgramCommand::Check(late)) => storage::check(&config(late)),
        Some(_) if early.path.is_some() => Err(no_config()),
        Some(ProgramCommand::Salvage { from, to }) => storage::salvage(&from, &to),
        Some(ProgramCommand::Games) => games::games(),
        Some(ProgramCommand::Perft(arguments)) => games::perft(&arguments),
        Some(ProgramCommand::Sim(arguments)) => simulate::sim(&arguments),
        Some(ProgramCommand::Arena(arguments)) => arena::arena(&arguments),
        Some(ProgramCommand::Balance(arguments)) => balance::balance(&arguments),
        Some(ProgramCommand::Draw(arguments)) => records::draw(&arguments),
        Some(ProgramCommand::Replay(arguments)) => replay::replay(&arguments),
        Some(ProgramCommand::Review(arguments)) => review::review(&arguments),
        Some(ProgramCommand::Import(arguments)) => records::import(&arguments),
        Some(ProgramCommand::Verify { record }) => records::verify(&record),
        Some(ProgramCommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "parlor", &mut script);
            Ok(io::stdout().write_all(&script)?)
        }
    }
}
