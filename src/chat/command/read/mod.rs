//! From typed text, or from the fields of a slash command, to a command.

mod arguments;
mod error;
mod opponents;

pub use self::error::{Missing, ReadError};
use self::opponents::known;
use super::decks::{DeckDeed, DeckOrder, take_collector};
use super::reference::{is_reference, read_reference, take_reference};
use super::settings::{Setting, SettingsWish};
use super::{
    About, Challenge, Command, Leave, Linking, OpenTable, Opponent, People, Practice, RecordForm, ReplayWish,
    ReviewPart, Terms,
};
use crate::ai::Level;
use crate::catalog::{self, Entry, UnknownGame};
use crate::chat::grammar::{self, ArgumentKind, ArgumentSpec, COMMANDS, CommandSpec, Verb};
use crate::game::nearest::nearest;
use crate::game::notation::excerpt;
use crate::matches::clock::ClockKind;
use crate::matches::people::PlayerId;
use crate::matches::state::Seating;

/// The most letters that are read at once: more than anybody needs for one turn.
pub const LONGEST_LINE: usize = 1000;

/// Reads a typed line. A leading `/` or `!` is welcome and needless.
pub fn read(line: &str, people: &dyn People) -> Result<Command, ReadError> {
    tracing::trace!("chat: reading a line");
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
    tracing::trace!("chat: reading a form");
    let command = grammar::find(name).ok_or_else(|| ReadError::Unknown {
        word: excerpt(name),
        near: None,
    })?;
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
            FieldValue::Number(number) => reader.number(kind, number)?,
            FieldValue::Player(player) => reader.given.opponents.push(known(player)),
        }
    }
    reader.finish()
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
            Verb::Card => {
                let (game, words) = take_collector(&words);
                Command::Card {
                    game,
                    words: words.to_owned(),
                }
            }
            Verb::Deck => {
                let deed = word.and_then(DeckDeed::named).unwrap_or(DeckDeed::List);
                let (game, words) = take_collector(&words);
                let order = DeckOrder::read(deed, words, about).map_err(ReadError::Deck)?;
                Command::Deck { game, order }
            }
            Verb::Settings => {
                let wish = SettingsWish::read(word.and_then(Setting::named), &words);
                Command::Settings(wish.map_err(ReadError::Setting)?)
            }
        })
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
