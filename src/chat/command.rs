//! From typed text, or from the fields of a slash command, to a command.

use super::grammar::{self, ArgumentKind, BOT, COMMANDS, CommandSpec, Verb};
use super::opponent::{self, BotName, Strength};
use crate::ai::Level;
use crate::catalog;
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::matches::clock::ClockKind;
use crate::matches::code::Code;

/// A command with its arguments, as they were given. What they mean is decided when it is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub verb: Verb,
    pub arguments: Arguments,
}

/// The arguments of a command. Those that a command has no use for stay empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    pub game: Option<String>,
    /// As they were mentioned.
    pub players: Vec<String>,
    pub seats: Option<u8>,
    pub level: Option<Level>,
    pub options: Vec<(String, String)>,
    pub clock: Option<ClockKind>,
    pub seating: Option<String>,
    pub target: Option<(Code, Option<u64>)>,
    /// A move, a section, a value: the rest of the line.
    pub words: String,
    pub word: Option<String>,
    pub hours: Option<u64>,
}

impl Arguments {
    /// How many letters are in those that may hold any text.
    pub fn length(&self) -> usize {
        let players = self.players.iter().map(String::as_str);
        let options = self
            .options
            .iter()
            .flat_map(|(name, value)| [name.as_str(), value]);
        let texts = [Some(self.words.as_str()), self.game.as_deref()];
        texts
            .into_iter()
            .flatten()
            .chain(players)
            .chain(options)
            .map(|text| text.chars().count())
            .sum()
    }
}

/// Why a text is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Nothing was said.
    Empty,
    /// No command begins with this word.
    Unknown {
        word: String,
        near: Option<&'static str>,
    },
    /// The command is known, but not what follows it.
    Argument {
        command: &'static CommandSpec,
        problem: String,
    },
    /// There is no such level.
    Level {
        command: &'static CommandSpec,
        said: String,
    },
    /// It was not said who shall play, or what.
    Incomplete {
        command: &'static CommandSpec,
        missing: Missing,
        /// What was said behind the command.
        line: String,
    },
}

/// What is missing from a command that begins a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Game,
    Players,
    Both,
}

/// Reads a typed line. A leading `/` or `!` is welcome and needless.
pub fn read(line: &str) -> Result<Command, ReadError> {
    let line = line.trim();
    let line = line.strip_prefix(['/', '!']).unwrap_or(line).trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if word.is_empty() {
        return Err(ReadError::Empty);
    }
    let Some(command) = grammar::find(word) else {
        return Err(ReadError::Unknown {
            word: excerpt(word),
            near: nearest(word, COMMANDS.iter().map(|command| command.name)),
        });
    };
    let arguments = Reader {
        command,
        arguments: Arguments::default(),
    }
    .read(rest.trim())?;
    Ok(Command {
        verb: command.verb,
        arguments,
    })
}

/// Reads the fields of a slash command, each by the name of its argument.
pub fn from_fields<'a>(
    name: &str,
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Command, ReadError> {
    let command = grammar::find(name).ok_or_else(|| ReadError::Unknown {
        word: excerpt(name),
        near: None,
    })?;
    let mut reader = Reader {
        command,
        arguments: Arguments::default(),
    };
    for (field, value) in fields {
        let kind = command
            .arguments
            .iter()
            .find(|argument| argument.name == field)
            .map(|argument| argument.kind);
        match kind {
            Some(kind) => reader.field(kind, value)?,
            None => return Err(reader.problem(format!("there is no `{}` in it", excerpt(field)))),
        }
    }
    reader.check_needed()?;
    Ok(Command {
        verb: command.verb,
        arguments: reader.arguments,
    })
}

/// Takes a target such as `#K7QF`, `K7QF` or `#K7QF@12`.
pub fn read_target(text: &str) -> Option<(Code, Option<u64>)> {
    let (code, version) = match text.split_once('@') {
        Some((code, version)) => (code, Some(version.parse().ok()?)),
        None => (text, None),
    };
    Some((code.parse().ok()?, version))
}

struct Reader {
    command: &'static CommandSpec,
    arguments: Arguments,
}

impl Reader {
    fn read(mut self, line: &str) -> Result<Arguments, ReadError> {
        let mut rest = line;
        while !rest.is_empty() {
            let (word, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let tail = tail.trim_start();
            // A code with its `#` may stand anywhere before the rest of the line begins.
            if word.starts_with('#')
                && let Some(target) = read_target(word)
            {
                self.arguments.target = Some(target);
                rest = tail;
                continue;
            }
            if self.takes_line() && self.only_line_left() {
                self.arguments.words = rest.to_owned();
                break;
            }
            rest = self.word(word, tail)?;
        }
        self.check_complete(line)?;
        self.check_needed()?;
        Ok(self.arguments)
    }

    /// Whoever types may leave out what can be asked with buttons.
    fn check_complete(&self, line: &str) -> Result<(), ReadError> {
        let lacks = |kind| {
            let mut needed = self.command.arguments.iter().filter(|argument| argument.required);
            needed.any(|argument| argument.kind == kind)
        };
        let game = lacks(ArgumentKind::Game) && self.arguments.game.is_none();
        let players = lacks(ArgumentKind::Players) && self.arguments.players.is_empty();
        let missing = match (game, players) {
            (false, false) => return Ok(()),
            (true, false) => Missing::Game,
            (false, true) => Missing::Players,
            (true, true) => Missing::Both,
        };
        Err(ReadError::Incomplete {
            command: self.command,
            missing,
            line: line.to_owned(),
        })
    }

    fn kind(&self, wanted: ArgumentKind) -> bool {
        self.command
            .arguments
            .iter()
            .any(|argument| argument.kind == wanted)
    }

    /// Whether the command ends in free text.
    fn takes_line(&self) -> bool {
        self.kind(ArgumentKind::Move) || self.kind(ArgumentKind::Words)
    }

    /// Whether everything that comes before the free text has been read.
    fn only_line_left(&self) -> bool {
        let game_missing = self.kind(ArgumentKind::Game) && self.arguments.game.is_none();
        let word_missing = self.arguments.word.is_none()
            && self
                .command
                .arguments
                .iter()
                .any(|argument| matches!(argument.kind, ArgumentKind::Word(_)));
        !game_missing && !word_missing
    }

    /// Reads one word, and more if they belong to it; returns the rest of the line.
    fn word<'t>(&mut self, word: &str, tail: &'t str) -> Result<&'t str, ReadError> {
        if self.kind(ArgumentKind::Level)
            && let Some(tail) = self.strength(word, tail)?
        {
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Players)
            && let Some(tail) = self.bots(word, tail)?
        {
            return Ok(tail);
        }
        if let Some((name, value)) = word.split_once('=').or_else(|| word.split_once(':'))
            && !word.starts_with('@')
            && (self.kind(ArgumentKind::Options)
                || self.kind(ArgumentKind::Seats)
                || self.kind(ArgumentKind::Level))
        {
            return self.named(&name.to_lowercase(), value, tail);
        }
        let is_player = |word: &str| word.starts_with('@') || word.eq_ignore_ascii_case("me");
        if self.kind(ArgumentKind::Players) && is_player(word) {
            self.arguments.players.push(word.to_owned());
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Game) && self.arguments.game.is_none() {
            // A game's name may have two words.
            let second = tail.split_whitespace().next().unwrap_or_default();
            let both = format!("{word} {second}");
            if let Ok(entry) = catalog::find(&both) {
                self.arguments.game = Some(entry.meta.id.to_owned());
                return Ok(tail[second.len()..].trim_start());
            }
            let knows_players = self.kind(ArgumentKind::Players) && self.arguments.players.is_empty();
            if knows_players && catalog::find(word).is_err() {
                self.arguments.players.push(word.to_owned());
                return Ok(tail);
            }
            self.arguments.game = Some(word.to_owned());
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Clock)
            && let Ok(clock) = word.parse::<ClockKind>()
        {
            return Ok(self.clock(clock, word, tail));
        }
        // A bare number is the level, where it can't be the number of seats.
        if self.kind(ArgumentKind::Level) && self.arguments.level.is_none() && word.parse::<u32>().is_ok() {
            self.field(ArgumentKind::Level, word)?;
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seats)
            && let Ok(seats) = word.parse()
        {
            self.arguments.seats = Some(seats);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seating) && is_seating(word) {
            self.arguments.seating = Some(word.to_lowercase());
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Hours)
            && let Ok(hours) = word.trim_end_matches(['h', 'H']).parse()
        {
            self.arguments.hours = Some(hours);
            return Ok(tail);
        }
        for argument in self.command.arguments {
            if let ArgumentKind::Word(words) = argument.kind
                && self.arguments.word.is_none()
            {
                // What is no such word may still be the code of a table.
                let near = nearest(word, words.iter().copied());
                if !self.kind(ArgumentKind::Match) || near.is_some() {
                    self.arguments.word = Some(self.known(word, words)?);
                    return Ok(tail);
                }
            }
        }
        if self.kind(ArgumentKind::Match) {
            self.arguments.target = Some(self.target(word)?);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Players) {
            self.arguments.players.push(word.to_owned());
            return Ok(tail);
        }
        Err(self.problem(format!("I don't know what to do with `{}`", excerpt(word))))
    }

    /// Reads what is said of the level: `level=3`, `lvl 3`. Returns the rest of the line, if that is what it was.
    fn strength<'t>(&mut self, word: &str, tail: &'t str) -> Result<Option<&'t str>, ReadError> {
        let tail = match opponent::strength(word) {
            Some(Strength::Said(number)) => {
                self.field(ArgumentKind::Level, number)?;
                tail
            }
            Some(Strength::Next) => {
                let tail = tail.trim_start_matches([':', '=']).trim_start();
                let (number, tail) = tail.split_once(char::is_whitespace).unwrap_or((tail, ""));
                self.field(ArgumentKind::Level, number)?;
                tail.trim_start()
            }
            None if opponent::means_strength(word) => return Err(self.no_level(word)),
            None => return Ok(None),
        };
        Ok(Some(tail))
    }

    /// Reads what is said of bots: `bot`, `bot:3`, `two bots`. Returns the rest of the line, if that is what it was.
    fn bots<'t>(&mut self, word: &str, tail: &'t str) -> Result<Option<&'t str>, ReadError> {
        let next = tail.split_whitespace().next().unwrap_or_default();
        if let Some(count) = opponent::several(word, next) {
            self.arguments.players.extend((0..count).map(|_| BOT.to_owned()));
            return Ok(Some(tail[next.len()..].trim_start()));
        }
        match opponent::named(word) {
            Some(BotName::Unknown(said)) => Err(self.no_level(&said)),
            Some(bot) => {
                self.arguments.players.push(bot.word());
                Ok(Some(tail))
            }
            None => Ok(opponent::is_filler(word).then_some(tail)),
        }
    }

    fn no_level(&self, said: &str) -> ReadError {
        ReadError::Level {
            command: self.command,
            said: if said.is_empty() {
                String::new()
            } else {
                excerpt(said)
            },
        }
    }

    /// `name=value`: an option of the game, or the clock, the seats, the seating.
    fn named<'t>(&mut self, name: &str, value: &str, tail: &'t str) -> Result<&'t str, ReadError> {
        match name {
            "clock" => {
                let clock = value.parse().map_err(|error| self.problem(format!("{error}")))?;
                return Ok(self.clock(clock, value, tail));
            }
            "seats" | "players" => {
                let seats = value
                    .parse()
                    .map_err(|_| self.problem(format!("`{name}` takes a number")))?;
                self.arguments.seats = Some(seats);
            }
            "seating" => self.field(ArgumentKind::Seating, value)?,
            "game" => self.arguments.game = Some(value.to_owned()),
            _ => self.arguments.options.push((name.to_owned(), value.to_owned())),
        }
        Ok(tail)
    }

    /// `live` may be followed by its minutes.
    fn clock<'t>(&mut self, clock: ClockKind, word: &str, tail: &'t str) -> &'t str {
        self.arguments.clock = Some(clock);
        let minutes = tail.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("live")
            && minutes.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(clock) = format!("live {minutes}").parse()
        {
            self.arguments.clock = Some(clock);
            return tail[minutes.len()..].trim_start();
        }
        tail
    }

    /// One field of a slash command.
    fn field(&mut self, kind: ArgumentKind, value: &str) -> Result<(), ReadError> {
        let value = value.trim();
        match kind {
            ArgumentKind::Game => self.arguments.game = Some(value.to_owned()),
            ArgumentKind::Players => self
                .arguments
                .players
                .extend(value.split_whitespace().map(str::to_owned)),
            ArgumentKind::Seats => {
                let seats = value
                    .parse()
                    .map_err(|_| self.problem("`seats` takes a number".to_owned()))?;
                self.arguments.seats = Some(seats);
            }
            ArgumentKind::Level => {
                let level = opponent::level(value).ok_or_else(|| self.no_level(value))?;
                self.arguments.level = Some(level);
            }
            ArgumentKind::Options => {
                for pair in value.split_whitespace() {
                    let (name, value) =
                        pair.split_once('=')
                            .or_else(|| pair.split_once(':'))
                            .ok_or_else(|| {
                                self.problem(format!(
                                    "write options as `name=value`, not `{}`",
                                    excerpt(pair)
                                ))
                            })?;
                    self.arguments.options.push((name.to_owned(), value.to_owned()));
                }
            }
            ArgumentKind::Clock => {
                let clock = value.parse().map_err(|error| self.problem(format!("{error}")))?;
                self.arguments.clock = Some(clock);
            }
            ArgumentKind::Seating if is_seating(value) => self.arguments.seating = Some(value.to_lowercase()),
            ArgumentKind::Seating => return Err(self.problem("`seating` is `lot` or `order`".to_owned())),
            ArgumentKind::Match => self.arguments.target = Some(self.target(value)?),
            ArgumentKind::Move | ArgumentKind::Words => self.arguments.words = value.to_owned(),
            ArgumentKind::Word(words) => self.arguments.word = Some(self.known(value, words)?),
            ArgumentKind::Hours => {
                let hours = value
                    .parse()
                    .map_err(|_| self.problem("`hours` takes a number".to_owned()))?;
                self.arguments.hours = Some(hours);
            }
        }
        Ok(())
    }

    /// One of a few known words.
    fn known(&self, word: &str, words: &[&'static str]) -> Result<String, ReadError> {
        if let Some(known) = words.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return Ok((*known).to_owned());
        }
        let help = nearest(word, words.iter().copied()).map_or_else(
            || format!("there is {}", words.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Err(self.problem(format!("there is no `{}`; {help}", excerpt(word))))
    }

    fn target(&self, word: &str) -> Result<(Code, Option<u64>), ReadError> {
        read_target(word).ok_or_else(|| {
            self.problem(format!(
                "`{}` is no table code; a code looks like `K7QF`",
                excerpt(word)
            ))
        })
    }

    fn check_needed(&self) -> Result<(), ReadError> {
        for argument in self.command.arguments.iter().filter(|argument| argument.required) {
            let missing = match argument.kind {
                ArgumentKind::Game => self.arguments.game.is_none(),
                ArgumentKind::Players => self.arguments.players.is_empty(),
                ArgumentKind::Match => self.arguments.target.is_none(),
                ArgumentKind::Move | ArgumentKind::Words => self.arguments.words.is_empty(),
                ArgumentKind::Seats
                | ArgumentKind::Level
                | ArgumentKind::Options
                | ArgumentKind::Clock
                | ArgumentKind::Seating
                | ArgumentKind::Word(_)
                | ArgumentKind::Hours => false,
            };
            if missing {
                // What comes after a semicolon is advice.
                let (help, _) = argument.help.split_once(';').unwrap_or((argument.help, ""));
                let help = help.to_lowercase();
                return Err(self.problem(format!("{help} is missing")));
            }
        }
        Ok(())
    }

    fn problem(&self, problem: String) -> ReadError {
        ReadError::Argument {
            command: self.command,
            problem,
        }
    }
}

fn is_seating(word: &str) -> bool {
    ["lot", "order"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
