//! `parlor`: one file for each group of subcommands.
//!
//! It is part of the library so that the platforms' code is compiled once and not again for the program.

mod arena;
mod arguments;
mod balance;
mod games;
mod keep;
mod picture;
mod serve;
mod simulate;

use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Arguments, UsageError};

use crate::catalog::{self, Entry};

const HELP: &str = "\
Phase Parlor hosts board and card games in chat rooms.

Usage: parlor [COMMAND]

  serve                     run the bot; so does no command at all
  games                     list the games with their seats and options
  perft GAME --depth N      count the sequences of N actions from the opening
  sim GAME                  play games to the end, at random if nobody is named
  arena GAME --a X --b Y    let two players made of code play, and print how they fare
  balance phase             play the ready decks against each other and print how they fare
  draw RECORD --out F.png   draw a position of a recorded match
  verify RECORD             replay a recorded match and check its end
  export CODE               write the record of a match that is kept here
  backup FILE               write everything that is kept here into one file
  restore FILE              make a new store from a backup
  help                      show this

Options
  --config FILE             where the configuration is; ./config.toml if not said
  --seats N                 how many play
  --set OPTION=VALUE        choose a game option; may be repeated
  --depth N                 perft: how deep
  --seed TEXT               sim, arena, balance: where chance comes from
  --games K                 sim, arena: how many games; balance: how many a pairing
  --threads N               arena, balance: how many games at once
  --a X, --b Y              arena: who plays: random, greedy, level1 to level5, or level5@2000 for so many
                            simulations a move; with more than two seats b takes all but one
  --agents X,Y,...          sim: who plays, one a seat, instead of random players
  --agent X                 balance: who plays; greedy if not said
  --jsonl                   sim: print one JSON object a step
  --record FILE             sim: write the match record
  --step N                  draw: the position after N steps
  --seat N|public           draw: for whom, and from whose side
  --theme NAME              draw: light, dark or safe
  --out FILE                draw, export: where it goes
  --text, --alt             draw: print the text board or the alt text
  --hand                    draw: the private hand of --seat N instead of the board
";

/// Runs the program: 0 if all went well, 2 if it was asked for something it can't do, 1 if something
/// broke.
pub fn run() -> ExitCode {
    run_with([])
}

/// Runs the program with more games than those of this crate: the whole `main` of a game of one's own.
///
/// `examples/own_game.rs` is such a program.
pub fn run_with(games: impl IntoIterator<Item = Entry>) -> ExitCode {
    match start(games).and_then(|()| Arguments::from_env().and_then(dispatch)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(error)) => {
            complain(&error.to_string());
            ExitCode::from(2)
        }
        // A reader that has seen enough, such as `head`, is no failure.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Adds the games and sees to it that each of them is whole, before anything is opened.
fn start(games: impl IntoIterator<Item = Entry>) -> Result<(), Failure> {
    let added = games.into_iter().try_for_each(catalog::add);
    added.map_err(|error| UsageError(error.to_string()))?;
    Ok(catalog::check().map_err(io::Error::other)?)
}

/// One line on standard error, whatever the message holds.
fn complain(message: &str) {
    let line: Vec<&str> = message.split_whitespace().collect();
    let _ = writeln!(io::stderr(), "parlor: {}", line.join(" "));
}

/// Why a command did not do what it was asked to.
enum Failure {
    Usage(UsageError),
    Io(io::Error),
}

impl From<UsageError> for Failure {
    fn from(error: UsageError) -> Self {
        Self::Usage(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command() {
        None | Some("serve") => serve::serve(&arguments),
        Some("help") => {
            arguments.expect_operands(0)?;
            Ok(write!(io::stdout(), "{HELP}")?)
        }
        Some("games") => games::games(&arguments),
        Some("perft") => games::perft(&arguments),
        Some("sim") => simulate::sim(&arguments),
        Some("arena") => arena::arena(&arguments),
        Some("balance") => balance::balance(&arguments),
        Some("draw") => picture::draw(&arguments),
        Some("verify") => picture::verify(&arguments),
        Some("export") => keep::export(&arguments),
        Some("backup") => keep::backup(&arguments),
        Some("restore") => keep::restore(&arguments),
        Some(other) => Err(UsageError::unknown_command(other).into()),
    }
}
