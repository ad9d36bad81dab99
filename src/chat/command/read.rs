//! From typed text, or from the fields of a slash command, to a command.

use super::{
    About, Challenge, Command, DeckDeed, Leave, Linking, OpenTable, Opponent, People, Practice, RecordForm,
    ReplayWish, ReviewPart, Setting, Terms,
};
use crate::ai::Level;
use crate::catalog::{self, Entry, UnknownGame};
use crate::chat::grammar::{self, ArgumentKind, ArgumentSpec, BOT, COMMANDS, CommandSpec, Verb};
use crate::chat::opponent::{self, BotName, Strength};
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::matches::bot::{USUAL_LEVEL, is_oneself};
use crate::matches::clock::ClockKind;
use crate::matches::people::PlayerId;
use crate::matches::service::MatchRef;
use crate::matches::state::Seating;
use crate::text;

/// Why a text is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Nothing was said.
    Empty,
    /// More was said than is read at once.
    TooLong,
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
    /// There is no such game.
    Game(UnknownGame),
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

impl ReadError {
    fn missing(command: &'static CommandSpec, argument: &ArgumentSpec) -> Self {
        // What comes after a semicolon is advice.
        let (help, _) = argument.help.split_once(';').unwrap_or((argument.help, ""));
        Self::Argument {
            command,
            problem: format!("Something is missing: {}.", help.to_lowercase()),
        }
    }

    /// A command that needs to know which table is meant was not told.
    pub fn missing_code(command: &'static CommandSpec) -> Self {
        let mut arguments = command.arguments.iter();
        match arguments.find(|argument| argument.kind == ArgumentKind::Match) {
            Some(argument) => Self::missing(command, argument),
            None => Self::Empty,
        }
    }
}

/// What is missing from a command that begins a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Game,
    Players,
    Both,
}

/// The most letters that are read at once: more than anybody needs for one turn.
pub const LONGEST_LINE: usize = 1000;

/// Reads a typed line. A leading `/` or `!` is welcome and needless.
pub fn read(line: &str, people: &dyn People) -> Result<Command, ReadError> {
    if line.chars().nth(LONGEST_LINE).is_some() {
        return Err(ReadError::TooLong);
    }
    let line = line.trim();
    let line = line.strip_prefix(['/', '!']).unwrap_or(line).trim_start();
    // A code may come first of all: `#K7QF board`. Alone it asks for the board.
    let turned = match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
        (code, "") if is_reference(code) => Some(format!("{} {code}", grammar::spec(Verb::Board).name)),
        (code, rest) if is_reference(code) => Some(format!("{} {code}", rest.trim())),
        _ => None,
    };
    let line = turned.as_deref().unwrap_or(line);
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
    tracing::trace!(command = command.name, "chat: command read");
    Reader::new(command, people).read(rest.trim())
}

/// What stands in a field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    Text(String),
    Number(i64),
    Player(PlayerId),
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Reads the fields of a form, such as a slash command, each by the name of its argument.
pub fn from_fields<'a>(
    name: &str,
    fields: impl IntoIterator<Item = (&'a str, FieldValue)>,
    people: &dyn People,
) -> Result<Command, ReadError> {
    let command = grammar::find(name).ok_or_else(|| ReadError::Unknown {
        word: excerpt(name),
        near: None,
    })?;
    tracing::trace!(command = command.name, "chat: command read");
    let mut reader = Reader::new(command, people);
    let mut letters = 0;
    for (field, value) in fields {
        let kind = command
            .arguments
            .iter()
            .find(|argument| argument.name == field)
            .map(|argument| argument.kind);
        let Some(kind) = kind else {
            return Err(reader.problem(format!("There's no field `{}`.", excerpt(field))));
        };
        match value {
            FieldValue::Text(text) => {
                letters += text.chars().count();
                if letters > LONGEST_LINE {
                    return Err(ReadError::TooLong);
                }
                reader.field(kind, &text)?;
            }
            FieldValue::Number(number) => reader.field(kind, &number.to_string())?,
            FieldValue::Player(player) => reader.given.opponents.push(known(player)),
        }
    }
    reader.finish()
}

/// Takes a reference such as `#K7QF`, `K7QF` or `#K7QF@12`.
pub fn read_reference(text: &str) -> About {
    let (code, version) = match text.split_once('@') {
        Some((code, version)) => (code, Some(version.parse().ok()?)),
        None => (text, None),
    };
    let code = code.parse().ok()?;
    Some(MatchRef { code, version })
}

/// A command of ours as it is shown to whoever types it. Who types a move means the board that they see, so they need not
/// say which moment they mean; an answer to what somebody proposes keeps it.
///
/// ```
/// use parlor::chat::command::of_the_moment;
///
/// assert_eq!(of_the_moment("move #K7QF@12 F2-F5"), "move #K7QF F2-F5");
/// assert_eq!(of_the_moment("accept #K7QF@12"), "accept #K7QF@12");
/// ```
pub fn of_the_moment(line: &str) -> String {
    let mut parts = line.splitn(3, ' ');
    let verb = parts.next().and_then(grammar::find).map(|command| command.verb);
    let about = parts.next().and_then(read_reference);
    match (verb, about) {
        (Some(Verb::Move | Verb::Moves | Verb::Preview), Some(MatchRef { code, .. })) => {
            let (head, _) = line.split_once(' ').unwrap_or((line, ""));
            let rest = parts.next().map(|rest| format!(" {rest}"));
            format!("{head} {}{}", MatchRef::from(code), rest.unwrap_or_default())
        }
        (Some(_) | None, _) => line.to_owned(),
    }
}

/// Whether a word is a code with its `#`.
fn is_reference(word: &str) -> bool {
    word.starts_with('#') && read_reference(word).is_some()
}

/// Takes the code of a match, with its `#`, out of a text, wherever it stands.
pub fn take_reference(text: &str) -> (String, About) {
    let Some(code) = text.split_whitespace().find(|word| is_reference(word)) else {
        return (text.to_owned(), None);
    };
    let others: Vec<&str> = text.split_whitespace().filter(|word| *word != code).collect();
    (others.join(" "), read_reference(code))
}

/// Which turns of a match are meant.
fn replay_wish(command: &'static CommandSpec, words: &str) -> Result<ReplayWish, ReadError> {
    words.parse().map_err(|_| ReadError::Argument {
        command,
        problem: format!(
            "I don't know which turns `{}` means. Say `12-20`, `last 5`, `step 12` or nothing for all of them, and `side 2` or `dark` behind it.",
            excerpt(words)
        ),
    })
}

/// What of a review is meant.
fn review_part(command: &'static CommandSpec, words: &str) -> Result<ReviewPart, ReadError> {
    words.parse().map_err(|_| ReadError::Argument {
        command,
        problem: format!(
            "I don't know what `{}` means here. Say `1`, `2` or `3` for a swing, `numbers`, or nothing for all of it.",
            excerpt(words)
        ),
    })
}

/// A player who was found. Whoever means the bot itself wants to play against it.
fn known(player: PlayerId) -> Opponent {
    if is_oneself(&player) {
        Opponent::Bot(None)
    } else {
        Opponent::Player(player)
    }
}

/// What has been read so far, before it is known to be enough.
#[derive(Default)]
struct Given {
    game: Option<Result<&'static Entry, UnknownGame>>,
    opponents: Vec<Opponent>,
    seats: Option<u8>,
    level: Option<Level>,
    options: Vec<(String, String)>,
    clock: Option<ClockKind>,
    seating: Option<Seating>,
    about: About,
    /// A move, a section, a value: the rest of the line.
    words: String,
    /// One of the words that the grammar lists.
    word: Option<&'static str>,
    hours: Option<u64>,
    turn: Option<u32>,
}

struct Reader<'p> {
    command: &'static CommandSpec,
    people: &'p dyn People,
    given: Given,
}

impl<'p> Reader<'p> {
    fn new(command: &'static CommandSpec, people: &'p dyn People) -> Self {
        Self {
            command,
            people,
            given: Given::default(),
        }
    }

    fn read(mut self, line: &str) -> Result<Command, ReadError> {
        let mut rest = line;
        while !rest.is_empty() {
            let (word, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let tail = tail.trim_start();
            // A code with its `#` may stand anywhere before the rest of the line begins.
            if word.starts_with('#')
                && let Some(about) = read_reference(word)
            {
                self.given.about = Some(about);
                rest = tail;
                continue;
            }
            if self.takes_line() && (self.only_line_left() || self.leaves_game_out(word, tail)) {
                self.given.words = rest.to_owned();
                break;
            }
            if self.kind(ArgumentKind::Players)
                && let Some((player, tail)) = self.people.leading(rest)
            {
                self.given.opponents.push(known(player));
                rest = tail.trim_start();
                continue;
            }
            rest = self.word(word, tail)?;
        }
        self.check_complete(line)?;
        self.finish()
    }

    /// The command that has been read, with all that it needs.
    fn finish(mut self) -> Result<Command, ReadError> {
        // Behind a move, too, a code names the match.
        if self.takes_line() && self.kind(ArgumentKind::Match) && self.given.about.is_none() {
            (self.given.words, self.given.about) = take_reference(&self.given.words);
        }
        // Whoever names only the match is shown what can be done there.
        if self.command.verb == Verb::Move && self.given.words.is_empty() && self.given.about.is_some() {
            self.command = grammar::spec(Verb::Moves);
        }
        self.check_needed()?;
        let Given {
            game: named_game,
            opponents,
            seats,
            level,
            options,
            clock,
            seating,
            about,
            words,
            word,
            hours,
            turn,
        } = self.given;
        // What needs a game has been checked to have one.
        let game = || {
            let named = named_game.clone();
            named
                .unwrap_or_else(|| catalog::find(""))
                .map_err(ReadError::Game)
        };
        let some = |words: String| (!words.is_empty()).then_some(words);
        let terms = |game: &'static Entry, options| Terms {
            game,
            options,
            clock,
            seating: seating.unwrap_or(Seating::Lot),
        };
        Ok(match self.command.verb {
            Verb::Games => Command::Games,
            Verb::Rules => Command::Rules {
                about,
                game: named_game.transpose().map_err(ReadError::Game)?,
                words,
            },
            Verb::What => Command::What { words },
            Verb::Help => Command::Help { topic: some(words) },
            Verb::Challenge => Command::Challenge(Challenge {
                opponents,
                level,
                terms: terms(game()?, options),
            }),
            Verb::Open => Command::Open(OpenTable {
                seats,
                terms: terms(game()?, options),
            }),
            Verb::Practice if about.is_some() && named_game.is_none() => {
                Command::PracticeFrom { about, turn, level }
            }
            Verb::Practice if named_game.is_none() => {
                return Err(ReadError::Incomplete {
                    command: self.command,
                    missing: Missing::Game,
                    line: String::new(),
                });
            }
            Verb::Practice => Command::Practice(Practice {
                game: game()?,
                seats,
                level,
                options,
            }),
            Verb::Fill => Command::Fill { table: about, level },
            Verb::Join => Command::Join(about),
            Verb::Accept => Command::Accept(about),
            Verb::Decline => Command::Decline(about),
            Verb::Cancel => Command::Cancel(about),
            Verb::Rematch => Command::Rematch { about, level },
            Verb::Move => Command::Move {
                about,
                sentence: words,
            },
            Verb::Preview => Command::Preview {
                about,
                sentence: words,
            },
            Verb::Moves => Command::Moves { about, picked: words },
            Verb::Hint => Command::Hint(about),
            Verb::Board => Command::Board(about),
            Verb::Hand => Command::Hand(about),
            Verb::Text => Command::Text(about),
            Verb::Record => Command::Record {
                about,
                form: word.and_then(RecordForm::named).unwrap_or_default(),
            },
            Verb::Replay => Command::Replay {
                about,
                wish: replay_wish(self.command, &words)?,
            },
            Verb::CatchUp => Command::CatchUp(about),
            Verb::Review => Command::Review {
                about,
                part: review_part(self.command, &words)?,
            },
            Verb::Note => Command::Note { about, text: words },
            Verb::Details => Command::Details(about),
            Verb::Link => Command::Link {
                about,
                linking: Linking::of(word),
            },
            Verb::Watch => Command::Watch {
                about,
                linking: Linking::of(word),
            },
            Verb::Undo => Command::Undo(about),
            Verb::Draw => Command::Draw(about),
            Verb::Resign => Command::Resign {
                about,
                how: word.and_then(Leave::of).unwrap_or_default(),
            },
            Verb::Replace => Command::Replace { about, level },
            Verb::Abort => Command::Abort(about),
            Verb::Pause => Command::Pause(about),
            Verb::Resume => Command::Resume(about),
            Verb::Extend => Command::Extend { about, hours },
            Verb::Claim => Command::Claim(about),
            Verb::Matches => Command::Matches,
            Verb::Card => Command::Card { words },
            Verb::Deck => Command::Deck {
                deed: word.and_then(DeckDeed::named).unwrap_or(DeckDeed::List),
                words,
            },
            Verb::Settings => Command::Settings {
                setting: word.and_then(Setting::named),
                value: words,
            },
        })
    }

    /// Whom a word means.
    fn opponent(&self, word: &str) -> Opponent {
        if word.eq_ignore_ascii_case("me") {
            return Opponent::Oneself;
        }
        match opponent::named(word) {
            Some(BotName::Plain) => return Opponent::Bot(None),
            Some(BotName::At(level)) => return Opponent::Bot(Some(level)),
            Some(BotName::Unknown(_)) | None => {}
        }
        match self.people.find(word) {
            Some(player) => known(player),
            None if opponent::may_mean_bot(word) => Opponent::Bot(None),
            None => Opponent::Unknown(word.to_owned()),
        }
    }

    fn challenge(&mut self, word: &str) {
        let opponent = self.opponent(word);
        self.given.opponents.push(opponent);
    }

    /// Whoever types may leave out what can be asked with buttons.
    fn check_complete(&self, line: &str) -> Result<(), ReadError> {
        let lacks = |kind| {
            let mut needed = self.command.arguments.iter().filter(|argument| argument.required);
            needed.any(|argument| argument.kind == kind)
        };
        // A match stands for its game.
        let named = self.given.game.is_some() || self.given.about.is_some();
        let game = (lacks(ArgumentKind::Game) || self.command.verb == Verb::Practice) && !named;
        let players = lacks(ArgumentKind::Players) && self.given.opponents.is_empty();
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

    /// Whether a command that needs no game is not told one here.
    fn leaves_game_out(&self, word: &str, tail: &str) -> bool {
        let needed = |argument: &ArgumentSpec| argument.kind == ArgumentKind::Game && argument.required;
        let second = tail.split_whitespace().next().unwrap_or_default();
        let names_game = || catalog::find(word).is_ok() || catalog::find(&format!("{word} {second}")).is_ok();
        self.kind(ArgumentKind::Game) && !self.command.arguments.iter().any(needed) && !names_game()
    }

    /// Whether everything that comes before the free text has been read.
    fn only_line_left(&self) -> bool {
        let game_missing = self.kind(ArgumentKind::Game) && self.given.game.is_none();
        let word_missing = self.given.word.is_none()
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
            self.challenge(word);
            return Ok(tail);
        }
        // Behind a match comes the turn, and nothing of a game.
        if self.kind(ArgumentKind::Turn) && self.given.about.is_some() {
            if word.eq_ignore_ascii_case("turn") {
                return Ok(tail);
            }
            if word.eq_ignore_ascii_case(BOT) {
                self.given.level = self.given.level.or(Some(USUAL_LEVEL));
                return Ok(tail);
            }
            if let Ok(turn) = word.parse() {
                self.given.turn = Some(turn);
                return Ok(tail);
            }
            return Err(self.problem(format!("`{}` isn't the number of a turn.", excerpt(word))));
        }
        if self.kind(ArgumentKind::Game) && self.given.game.is_none() {
            // A game's name may have two words.
            let second = tail.split_whitespace().next().unwrap_or_default();
            let both = format!("{word} {second}");
            if let Ok(entry) = catalog::find(&both) {
                self.given.game = Some(Ok(entry));
                return Ok(tail.strip_prefix(second).unwrap_or_default().trim_start());
            }
            let knows_players = self.kind(ArgumentKind::Players) && self.given.opponents.is_empty();
            if knows_players && catalog::find(word).is_err() {
                self.challenge(word);
                return Ok(tail);
            }
            self.given.game = Some(catalog::find(word));
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Clock)
            && let Ok(clock) = word.parse::<ClockKind>()
        {
            return Ok(self.clock(clock, word, tail));
        }
        // A bare number is the level, where it can't be the number of seats.
        if self.kind(ArgumentKind::Level)
            && !self.kind(ArgumentKind::Seats)
            && self.given.level.is_none()
            && word.parse::<u32>().is_ok()
        {
            self.field(ArgumentKind::Level, word)?;
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seats)
            && let Ok(seats) = word.parse()
        {
            self.given.seats = Some(seats);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Seating)
            && let Some(seating) = seating(word)
        {
            self.given.seating = Some(seating);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Hours)
            && let Ok(hours) = word.trim_end_matches(['h', 'H']).parse()
        {
            self.given.hours = Some(hours);
            return Ok(tail);
        }
        for argument in self.command.arguments {
            if let ArgumentKind::Word(words) = argument.kind
                && self.given.word.is_none()
            {
                // What is no such word may still be the code of a table.
                let near = nearest(word, words.iter().copied());
                if !self.kind(ArgumentKind::Match) || near.is_some() {
                    self.given.word = Some(self.known(word, words)?);
                    return Ok(tail);
                }
            }
        }
        if self.kind(ArgumentKind::Match) {
            self.given.about = Some(self.reference(word)?);
            return Ok(tail);
        }
        if self.kind(ArgumentKind::Players) {
            self.challenge(word);
            return Ok(tail);
        }
        Err(self.problem(format!("I don't know what to do with `{}`.", excerpt(word))))
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
            self.given
                .opponents
                .extend((0..count).map(|_| Opponent::Bot(None)));
            return Ok(Some(tail.strip_prefix(next).unwrap_or_default().trim_start()));
        }
        match opponent::named(word) {
            Some(BotName::Unknown(said)) => Err(self.no_level(&said)),
            Some(bot) => {
                self.given.opponents.push(match bot {
                    BotName::At(level) => Opponent::Bot(Some(level)),
                    BotName::Plain | BotName::Unknown(_) => Opponent::Bot(None),
                });
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
                    .map_err(|_| self.problem(format!("`{name}` takes a number.")))?;
                self.given.seats = Some(seats);
            }
            "seating" => self.field(ArgumentKind::Seating, value)?,
            "game" => self.given.game = Some(catalog::find(value)),
            _ => self.given.options.push((name.to_owned(), value.to_owned())),
        }
        Ok(tail)
    }

    /// `live` may be followed by its minutes.
    fn clock<'t>(&mut self, clock: ClockKind, word: &str, tail: &'t str) -> &'t str {
        self.given.clock = Some(clock);
        let minutes = tail.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("live")
            && minutes.starts_with(|c: char| c.is_ascii_digit())
            && let Ok(clock) = format!("live {minutes}").parse()
        {
            self.given.clock = Some(clock);
            return tail.strip_prefix(minutes).unwrap_or_default().trim_start();
        }
        tail
    }

    /// One field of a slash command.
    fn field(&mut self, kind: ArgumentKind, value: &str) -> Result<(), ReadError> {
        let value = value.trim();
        match kind {
            ArgumentKind::Game => self.given.game = Some(catalog::find(value)),
            ArgumentKind::Players => value.split_whitespace().for_each(|word| self.challenge(word)),
            ArgumentKind::Seats => {
                let seats = value
                    .parse()
                    .map_err(|_| self.problem("`seats` takes a number.".to_owned()))?;
                self.given.seats = Some(seats);
            }
            ArgumentKind::Level => {
                let level = opponent::level(value).ok_or_else(|| self.no_level(value))?;
                self.given.level = Some(level);
            }
            ArgumentKind::Options => {
                for pair in value.split_whitespace() {
                    let (name, value) =
                        pair.split_once('=')
                            .or_else(|| pair.split_once(':'))
                            .ok_or_else(|| {
                                self.problem(format!(
                                    "Write options as `name=value`, not `{}`.",
                                    excerpt(pair)
                                ))
                            })?;
                    self.given.options.push((name.to_owned(), value.to_owned()));
                }
            }
            ArgumentKind::Clock => {
                let clock = value.parse().map_err(|error| self.problem(format!("{error}")))?;
                self.given.clock = Some(clock);
            }
            ArgumentKind::Seating => {
                let strange = || self.problem("`seating` is `lot` or `order`.".to_owned());
                self.given.seating = Some(seating(value).ok_or_else(strange)?);
            }
            ArgumentKind::Match => self.given.about = Some(self.reference(value)?),
            ArgumentKind::Move | ArgumentKind::Words => self.given.words = value.to_owned(),
            ArgumentKind::Word(words) => self.given.word = Some(self.known(value, words)?),
            ArgumentKind::Turn => {
                let turn = value
                    .parse()
                    .map_err(|_| self.problem("`turn` takes the number of a turn.".to_owned()))?;
                self.given.turn = Some(turn);
            }
            ArgumentKind::Hours => {
                let hours = value
                    .parse()
                    .map_err(|_| self.problem("`hours` takes a number.".to_owned()))?;
                self.given.hours = Some(hours);
            }
        }
        Ok(())
    }

    /// One of a few known words.
    fn known(&self, word: &str, words: &[&'static str]) -> Result<&'static str, ReadError> {
        if let Some(known) = words.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return Ok(known);
        }
        let said = excerpt(word);
        Err(self.problem(match nearest(word, words.iter().copied()) {
            Some(near) => format!("There's no `{said}`. Did you mean `{near}`?"),
            None => format!("There's no `{said}`. Try {}.", text::either(words)),
        }))
    }

    fn reference(&self, word: &str) -> Result<MatchRef, ReadError> {
        read_reference(word).ok_or_else(|| {
            self.problem(format!(
                "`{}` isn't a table code. A code looks like `#K7QF`.",
                excerpt(word)
            ))
        })
    }

    fn check_needed(&self) -> Result<(), ReadError> {
        for argument in self.command.arguments.iter().filter(|argument| argument.required) {
            let missing = match argument.kind {
                ArgumentKind::Game => self.given.game.is_none(),
                ArgumentKind::Players => self.given.opponents.is_empty(),
                // The platform may know which match is meant.
                ArgumentKind::Match => false,
                ArgumentKind::Move | ArgumentKind::Words => self.given.words.is_empty(),
                ArgumentKind::Seats
                | ArgumentKind::Level
                | ArgumentKind::Options
                | ArgumentKind::Clock
                | ArgumentKind::Seating
                | ArgumentKind::Word(_)
                | ArgumentKind::Hours
                | ArgumentKind::Turn => false,
            };
            if missing {
                return Err(ReadError::missing(self.command, argument));
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

/// How the grammar writes ways to sit down.
fn seating(word: &str) -> Option<Seating> {
    match word.to_lowercase().as_str() {
        "lot" => Some(Seating::Lot),
        "order" => Some(Seating::AsChallenged),
        _ => None,
    }
}
