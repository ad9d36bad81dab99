//! The command line: what can be asked, and one clear line where it makes no sense.

use std::error::Error;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::error::{ContextKind, ErrorKind};
use clap::{Args, Parser, Subcommand};

use super::arena::ArenaArguments;
use super::balance::BalanceArguments;
use super::games::PerftArguments;
use super::records::{DrawArguments, ImportArguments};
use super::replay::ReplayArguments;
use super::review::ReviewArguments;
use super::simulate::SimArguments;
use crate::ai::Agent;
use crate::ai::agent::UnknownAgent;
use crate::catalog::{self, Entry, UnknownGame};
use crate::game::OptionValues;

/// Phase Parlor hosts board and card games in chat rooms.
#[derive(Debug, Parser)]
#[command(name = "parlor", version, args_override_self = true)]
pub struct Arguments {
    #[command(flatten)]
    pub config: ConfigFile,
    #[command(subcommand)]
    pub command: Option<ProgramCommand>,
}

#[derive(Debug, Subcommand)]
pub enum ProgramCommand {
    /// Run the bot; the same as no command
    Serve(ConfigFile),
    /// List the games with their seats and options
    Games,
    /// Count the sequences of N actions from the opening
    Perft(PerftArguments),
    /// Play games to the end, at random unless you name players
    Sim(SimArguments),
    /// Let two bots play each other, and print how they fare
    Arena(ArenaArguments),
    /// Let the ready decks of Phase play each other, and print how they fare
    Balance(BalanceArguments),
    /// Draw a position of a recorded match
    Draw(DrawArguments),
    /// Show a recorded match again, as an animated picture or in words
    Replay(ReplayArguments),
    /// Look at a recorded match with a bot's eyes: its swings, and what it would have played
    Review(ReviewArguments),
    /// Replay a recorded match and check its end
    Verify {
        /// The record, a file
        record: PathBuf,
    },
    /// Read a record as JSON or in short notation, check it, and write it as either
    Import(ImportArguments),
    /// Write a match's record
    Export {
        /// Its table code, such as #K7QF
        code: String,
        /// Where to write it; by default the terminal
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        config: ConfigFile,
    },
    /// Write the whole store into one file; works while the bot runs
    Backup {
        /// The new file
        file: PathBuf,
        #[command(flatten)]
        config: ConfigFile,
    },
    /// Make a new store from a backup
    Restore {
        /// The backup, a file
        backup: PathBuf,
        #[command(flatten)]
        config: ConfigFile,
    },
    /// Make the store as small as possible; works while the bot runs
    Compact(ConfigFile),
    /// Read the whole store, and replay every match
    Check(ConfigFile),
    /// Read what can be read of a damaged store into a new one
    Salvage {
        /// The damaged store's folder; it stays as it is
        from: PathBuf,
        /// A new folder
        to: PathBuf,
    },
    /// Look at the configuration without starting anything
    Config {
        #[command(subcommand)]
        deed: ConfigDeed,
    },
    /// Ask the running bot how it is, at its [operate] address; or, of a GAME, how its matches go
    Health(HealthArguments),
    /// Print what a shell needs to complete commands and options
    Completions { shell: clap_complete::Shell },
}

/// What can be done with a configuration.
#[derive(Debug, Subcommand)]
pub enum ConfigDeed {
    /// Tell what would be started, and what looks wrong
    Check(ConfigFile),
}

/// What is asked of a running bot, or of a game.
#[derive(Debug, Args)]
pub struct HealthArguments {
    /// Let players made of code play it, and print length, wins by seat, draws, decisions and ways to win
    #[arg(value_name = "GAME", value_parser = game)]
    game: Option<&'static Entry>,
    #[command(flatten)]
    pub trial: TrialArguments,
    /// Ask whether every platform is connected, too
    #[arg(long, conflicts_with = "game")]
    pub ready: bool,
    #[command(flatten)]
    pub config: ConfigFile,
}

impl HealthArguments {
    /// The game that is asked about, if it isn't the bot.
    pub fn game(&self) -> Option<GameArguments> {
        Some(GameArguments {
            game: self.game?,
            seats: self.trial.seats,
            settings: self.trial.settings.clone(),
        })
    }
}

/// How a game is tried out.
#[derive(Debug, Args)]
pub struct TrialArguments {
    /// Who plays: one for all seats, or one a seat; level3 if not said
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',', requires = "game")]
    pub agents: Vec<NamedAgent>,
    /// How many games
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true, requires = "game")]
    pub games: Option<u64>,
    /// Where chance comes from
    #[arg(long, value_name = "TEXT", requires = "game")]
    pub seed: Option<String>,
    /// How many games at once
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<usize>,
        allow_negative_numbers = true,
        default_value = "1",
        requires = "game"
    )]
    pub threads: usize,
    /// How many play; as few as the game allows if not said
    #[arg(long, value_name = "N", value_parser = whole::<u8>, allow_negative_numbers = true, requires = "game")]
    seats: Option<u8>,
    /// Choose a game option; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = setting, requires = "game")]
    settings: Vec<(String, String)>,
}

/// Where the configuration is.
#[derive(Debug, Default, Args)]
pub struct ConfigFile {
    /// The configuration file; by default ./config.toml
    #[arg(long = "config", value_name = "FILE")]
    pub path: Option<PathBuf>,
}

/// Which game is played, and how.
#[derive(Debug, Args)]
pub struct GameArguments {
    /// Its name; `parlor games` lists them
    #[arg(value_name = "GAME", value_parser = game)]
    pub game: &'static Entry,
    /// How many play; by default as few as the game allows
    #[arg(long, value_name = "N", value_parser = whole::<u8>, allow_negative_numbers = true)]
    seats: Option<u8>,
    /// Choose a game option; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
}

impl GameArguments {
    pub fn options(&self) -> Result<OptionValues, UsageError> {
        let settings = self.settings.iter();
        let pairs = settings.map(|(name, value)| (name.as_str(), value.as_str()));
        OptionValues::choose(self.game.meta.options, pairs)
            .map_err(|error| UsageError(format!("{}: {error}", self.game.meta.id)))
    }

    /// How many play.
    pub fn seats(&self) -> Result<u8, UsageError> {
        let seats = self.seats.unwrap_or(*self.game.meta.seats.start());
        self.game.check_seats(seats).map_err(UsageError::new)?;
        Ok(seats)
    }
}

/// How many games are played, and from what chance.
#[derive(Debug, Args)]
pub struct Games {
    /// The seed of everything random
    #[arg(long, value_name = "TEXT")]
    pub seed: Option<String>,
    /// How many games; for `balance`, how many a pairing
    #[arg(long = "games", value_name = "K", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub count: Option<u64>,
}

/// A player made of code, by the name that was typed.
#[derive(Clone, Debug)]
pub struct NamedAgent {
    pub name: String,
    pub agent: Agent,
}

impl FromStr for NamedAgent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        let name = text.trim().to_owned();
        let agent = name.parse()?;
        Ok(Self { name, agent })
    }
}

fn game(name: &str) -> Result<&'static Entry, UnknownGame> {
    catalog::find(name)
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("takes OPTION=VALUE, not `{text}`"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Reads a number.
pub fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("takes a whole number, not `{text}`"))
}

/// A command line that makes no sense, in one line that says what to do instead.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl UsageError {
    pub fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }
}

/// Writes a file that somebody named.
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), UsageError> {
    std::fs::write(path, content)
        .map_err(|error| UsageError(format!("can't write {}: {error}", path.display())))
}

/// Writes a file that holds secrets, such as the seed of a match: only this user may read it, also if it was there.
pub fn write_private_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), UsageError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || {
        let mut file = options.open(path)?;
        #[cfg(unix)]
        if file.metadata()?.is_file() {
            file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        }
        std::io::Write::write_all(&mut file, content.as_ref())
    };
    write().map_err(|error| UsageError(format!("can't write {}: {error}", path.display())))
}

impl From<&clap::Error> for UsageError {
    fn from(error: &clap::Error) -> Self {
        let about = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
        let first = |kind| about(kind).split(", ").next().unwrap_or_default().to_owned();
        let argument = first(ContextKind::InvalidArg);
        let option = argument.split(' ').next().unwrap_or_default();
        let value = about(ContextKind::InvalidValue);
        Self(match error.kind() {
            ErrorKind::InvalidSubcommand => {
                let help = match first(ContextKind::SuggestedSubcommand) {
                    near if near.is_empty() => "`parlor help` lists them".to_owned(),
                    near => format!("did you mean `{near}`?"),
                };
                let command = about(ContextKind::InvalidSubcommand);
                format!("there is no command `{command}`; {help}")
            }
            ErrorKind::UnknownArgument if argument.starts_with('-') => {
                let usage = about(ContextKind::Usage);
                // "Usage: parlor COMMAND …"
                let command = usage.split_whitespace().nth(2).unwrap_or_default();
                format!(
                    "{argument} has no meaning for `{command}`; `parlor help {command}` shows its options"
                )
            }
            ErrorKind::UnknownArgument => format!("I don't know what to do with `{argument}`"),
            ErrorKind::MissingRequiredArgument => {
                let missing = about(ContextKind::InvalidArg);
                // What stands without a name comes first on the line, too.
                question(
                    missing
                        .split(", ")
                        .find(|one| one.starts_with('<'))
                        .unwrap_or(&argument),
                )
            }
            ErrorKind::InvalidValue if value.is_empty() => format!("missing argument for {option}"),
            ErrorKind::InvalidValue => {
                format!("{option} takes {}, not `{value}`", about(ContextKind::ValidValue))
            }
            ErrorKind::ValueValidation => match error.source().map(ToString::to_string) {
                // Such a reason goes on where the option ends.
                Some(reason) if reason.starts_with("takes ") => format!("{option} {reason}"),
                Some(reason) if option.starts_with('-') => format!("{option}: {reason}"),
                reason => reason.unwrap_or_default(),
            },
            _ => {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                line.trim_start_matches("error: ").to_owned()
            }
        })
    }
}

/// Asks for what is missing.
fn question(argument: &str) -> String {
    match argument {
        "<GAME>" => "which game? `parlor games` lists them".to_owned(),
        "<RECORD>" => "which record? give its file".to_owned(),
        "<CODE>" => "which match? give its table code, such as #K7QF".to_owned(),
        "<FILE>" => "where to? give the file for the backup".to_owned(),
        "<FROM>" => "which store? give its folder, and a new one".to_owned(),
        "<TO>" => "where to? give a new folder".to_owned(),
        "<BACKUP>" => "from what? give the backup's file".to_owned(),
        "--depth <N>" => "how deep? give --depth N".to_owned(),
        "--a <X>" => "who plays? Say --a random, greedy or level1 to level5".to_owned(),
        "--b <Y>" => "who plays? Say --b random, greedy or level1 to level5".to_owned(),
        other => format!("{other} is missing"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_makes_sense_to_clap() {
        Arguments::command().debug_assert();
    }
}
