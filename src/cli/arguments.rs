//! Reading the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::ai::Agent;
use crate::ai::agent::UnknownAgent;
use crate::catalog::{self, Entry};
use crate::draw::palette::Theme;
use crate::game::OptionValues;
use crate::game::nearest::nearest;

/// What was asked for, as it was written; each command takes what it knows.
#[derive(Debug, Default)]
pub struct Arguments {
    command: Option<String>,
    operands: Vec<OsString>,
    pub settings: Vec<(String, String)>,
    pub seats: Option<u8>,
    pub depth: Option<u32>,
    pub seed: Option<String>,
    pub games: Option<u64>,
    pub threads: Option<usize>,
    pub a: Option<String>,
    pub b: Option<String>,
    pub agent: Option<String>,
    pub agents: Option<String>,
    pub record: Option<PathBuf>,
    pub step: Option<usize>,
    pub seat: Option<String>,
    theme: Option<String>,
    pub out: Option<PathBuf>,
    pub config: Option<PathBuf>,
    pub jsonl: bool,
    pub text: bool,
    pub alt: bool,
    pub hand: bool,
    given: Vec<&'static str>,
}

/// A command line that makes no sense, in one line that says what to do instead.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl UsageError {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    pub fn unknown_command(command: &str) -> Self {
        const COMMANDS: [&str; 12] = [
            "serve", "games", "perft", "sim", "arena", "balance", "draw", "verify", "export", "backup",
            "restore", "help",
        ];
        let help = match nearest(command, COMMANDS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`parlor help` lists them".to_owned(),
        };
        Self(format!("there is no command `{command}`; {help}"))
    }
}

impl From<lexopt::Error> for UsageError {
    fn from(error: lexopt::Error) -> Self {
        Self(format!("{error}; `parlor help` shows the options"))
    }
}

impl Arguments {
    pub fn from_env() -> Result<Self, super::Failure> {
        Ok(Self::read(lexopt::Parser::from_env())?)
    }

    fn read(mut parser: lexopt::Parser) -> Result<Self, UsageError> {
        use lexopt::prelude::*;
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            let name = match argument {
                Value(value) if arguments.command.is_none() => {
                    arguments.command = Some(value.string()?);
                    continue;
                }
                Value(value) => {
                    arguments.operands.push(value);
                    continue;
                }
                Short('h') | Long("help") => {
                    arguments.command = Some("help".to_owned());
                    return Ok(arguments);
                }
                Long("seats") => {
                    arguments.seats = Some(number("--seats", &parser.value()?.string()?)?);
                    "--seats"
                }
                Long("set") => {
                    let setting = parser.value()?.string()?;
                    let (name, value) = setting
                        .split_once('=')
                        .ok_or_else(|| UsageError(format!("--set takes OPTION=VALUE, not `{setting}`")))?;
                    arguments.settings.push((name.to_owned(), value.to_owned()));
                    "--set"
                }
                Long("depth") => {
                    arguments.depth = Some(number("--depth", &parser.value()?.string()?)?);
                    "--depth"
                }
                Long("seed") => {
                    arguments.seed = Some(parser.value()?.string()?);
                    "--seed"
                }
                Long("games") => {
                    arguments.games = Some(number("--games", &parser.value()?.string()?)?);
                    "--games"
                }
                Long("threads") => {
                    arguments.threads = Some(number("--threads", &parser.value()?.string()?)?);
                    "--threads"
                }
                Long("a") => {
                    arguments.a = Some(parser.value()?.string()?);
                    "--a"
                }
                Long("b") => {
                    arguments.b = Some(parser.value()?.string()?);
                    "--b"
                }
                Long("agent") => {
                    arguments.agent = Some(parser.value()?.string()?);
                    "--agent"
                }
                Long("agents") => {
                    arguments.agents = Some(parser.value()?.string()?);
                    "--agents"
                }
                Long("record") => {
                    arguments.record = Some(parser.value()?.into());
                    "--record"
                }
                Long("step") => {
                    arguments.step = Some(number("--step", &parser.value()?.string()?)?);
                    "--step"
                }
                Long("seat") => {
                    arguments.seat = Some(parser.value()?.string()?);
                    "--seat"
                }
                Long("theme") => {
                    arguments.theme = Some(parser.value()?.string()?);
                    "--theme"
                }
                Long("out") => {
                    arguments.out = Some(parser.value()?.into());
                    "--out"
                }
                Long("config") => {
                    arguments.config = Some(parser.value()?.into());
                    "--config"
                }
                Long("jsonl") => {
                    arguments.jsonl = true;
                    "--jsonl"
                }
                Long("text") => {
                    arguments.text = true;
                    "--text"
                }
                Long("alt") => {
                    arguments.alt = true;
                    "--alt"
                }
                Long("hand") => {
                    arguments.hand = true;
                    "--hand"
                }
                other => return Err(other.unexpected().into()),
            };
            arguments.given.push(name);
        }
        Ok(arguments)
    }

    pub fn command(&self) -> Option<&str> {
        self.command.as_deref()
    }

    /// Refuses options that the command has no use for: a mistyped wish must not pass unnoticed.
    pub fn allow(&self, known: &[&str]) -> Result<(), UsageError> {
        match self.given.iter().find(|name| !known.contains(name)) {
            None => Ok(()),
            Some(name) => Err(UsageError(format!(
                "{name} has no meaning for `{}`; `parlor help` shows the options",
                self.command.as_deref().unwrap_or_default()
            ))),
        }
    }

    pub fn expect_operands(&self, count: usize) -> Result<(), UsageError> {
        match self.operands.get(count) {
            None => Ok(()),
            Some(extra) => Err(UsageError(format!(
                "I don't know what to do with `{}`",
                extra.to_string_lossy()
            ))),
        }
    }

    /// The game that the first operand names.
    pub fn game(&self) -> Result<&'static Entry, UsageError> {
        self.expect_operands(1)?;
        let name = self
            .operands
            .first()
            .ok_or_else(|| UsageError::new("which game? `parlor games` lists them"))?;
        catalog::find(&name.to_string_lossy()).map_err(|error| UsageError(error.to_string()))
    }

    /// The only operand, which names a file or a match; `ask` is said if it is missing.
    pub fn operand(&self, ask: &str) -> Result<PathBuf, UsageError> {
        self.expect_operands(1)?;
        self.operands
            .first()
            .map(PathBuf::from)
            .ok_or_else(|| UsageError::new(ask))
    }

    pub fn options(&self, entry: &Entry) -> Result<OptionValues, UsageError> {
        let pairs = self
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        OptionValues::choose(entry.meta.options, pairs)
            .map_err(|error| UsageError(format!("{}: {error}", entry.meta.id)))
    }

    /// How many play: as few as the game allows if nothing is said.
    pub fn seats(&self, entry: &Entry) -> u8 {
        self.seats.unwrap_or(*entry.meta.seats.start())
    }

    pub fn theme(&self) -> Result<Theme, UsageError> {
        let Some(name) = &self.theme else {
            return Ok(Theme::Light);
        };
        name.parse().map_err(|_| {
            let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
            UsageError(format!(
                "there is no theme `{name}`; there is {}",
                names.join(", ")
            ))
        })
    }
}

/// The player of this name.
pub fn agent(option: &str, name: &str) -> Result<Agent, UsageError> {
    name.parse()
        .map_err(|error: UnknownAgent| UsageError(format!("{option}: {error}")))
}

fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N, UsageError> {
    text.parse()
        .map_err(|_| UsageError(format!("{option} takes a whole number, not `{text}`")))
}
