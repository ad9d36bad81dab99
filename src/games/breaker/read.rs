//! Reading a typed action: what was written first, whether it is legal second.

use super::Breaker;
use super::action::{Action, Pick};
use super::kind::Kind;
use super::refuse;
use super::socket::{Circuit, Port, Side, Socket};
use super::task::Task;
use crate::game::nearest::nearest;
use crate::game::{Game, NotationError, Seat, token};

const HINT: &str =
    "Try `draw 2L`, `add 3 II`, `add annihilate 7L`, `move 9 I` or `pass`; `rules moves` tells you more.";

/// A piece of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Number(u16),
    /// A number with letters out of L, F and R: a power block or a socket.
    Sided(u16, Vec<Side>),
    Word(String),
}

/// A token and where it starts.
type TokenAt = (usize, Token);

/// What a player wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Draw,
    Add,
    Move,
    Pass,
    Target,
    Keep,
}

impl Verb {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "draw" | "take" | "allocate" | "get" => Self::Draw,
            "add" | "play" | "assimilate" | "put" | "place" | "plug" => Self::Add,
            "move" | "aggregate" | "rearrange" | "shift" => Self::Move,
            "pass" | "skip" | "done" => Self::Pass,
            "target" | "destroy" | "remove" | "choose" => Self::Target,
            "keep" | "hold" => Self::Keep,
            _ => return None,
        })
    }

    /// The verb that a task waits for, so that it may be left out.
    const fn of(task: Task) -> Self {
        match task {
            Task::Annihilate { .. } | Task::AttenuateOwn | Task::AttenuateEnemy => Self::Target,
            Task::Automate => Self::Add,
            Task::Accelerate { .. } => Self::Draw,
            Task::Agitate { .. } => Self::Move,
            Task::AggravateOwn | Task::AggravateEnemy => Self::Keep,
        }
    }
}

/// Words that say nothing here.
const FILLERS: [&str; 16] = [
    "to", "into", "on", "onto", "in", "at", "the", "from", "of", "block", "socket", "circuit", "core", "and",
    "then", "my",
];

/// Reads one action and returns what is left: the next action starts with its verb.
pub(super) fn read<'t>(
    game: &Breaker,
    seat: Seat,
    text: &'t str,
) -> Result<(Action, &'t str), NotationError> {
    let tokens = tokens(text);
    let Some((_, first)) = tokens.first() else {
        return Err(NotationError::unreadable(text, HINT));
    };
    let spoken = match first {
        Token::Word(word) => Verb::named(word),
        Token::Number(_) | Token::Sided(..) => None,
    };
    let (verb, from) = match (spoken, game.task) {
        (Some(verb), _) => (verb, 1),
        (None, Some(task)) => (Verb::of(task), 0),
        (None, None) => return Err(no_verb(text, first)),
    };
    let is_verb = |(_, token): &TokenAt| matches!(token, Token::Word(word) if Verb::named(word).is_some());
    let until = tokens[from..]
        .iter()
        .position(is_verb)
        .map_or(tokens.len(), |index| from + index);
    let rest = tokens
        .get(until)
        .and_then(|&(start, _)| text.get(start..))
        .unwrap_or_default();
    let arguments: Vec<&Token> = tokens[from..until].iter().map(|(_, token)| token).collect();
    let action = Reader { game, seat, text }.action(verb, &arguments)?;
    Ok((action, rest))
}

fn no_verb(text: &str, first: &Token) -> NotationError {
    if let Token::Word(word) = first {
        let verbs = ["draw", "add", "move", "pass", "take", "target", "keep"];
        if let Some(verb) = nearest(word, verbs) {
            return NotationError::unreadable(text, format!("Did you mean `{verb}`? {HINT}"));
        }
    }
    NotationError::unreadable(text, HINT)
}

/// Cuts a text into tokens. A number and the sides behind it are one, however they are spaced.
fn tokens(text: &str) -> Vec<TokenAt> {
    let mut tokens: Vec<TokenAt> = Vec::new();
    for (start, token) in token::tokens(text, &FILLERS) {
        match (tokens.last_mut(), token) {
            (_, token::Token::Number(number)) => tokens.push((start, Token::Number(number))),
            (Some((_, last)), token::Token::Word(word)) => match (&*last, sides(&word)) {
                (Token::Number(number), Some(sides)) => *last = Token::Sided(*number, sides),
                _ => tokens.push((start, Token::Word(word))),
            },
            (None, token::Token::Word(word)) => tokens.push((start, Token::Word(word))),
        }
    }
    tokens
}

/// The sides that a word names, if it is made of nothing else.
fn sides(word: &str) -> Option<Vec<Side>> {
    match word {
        "left" => return Some(vec![Side::Left]),
        "forward" | "front" => return Some(vec![Side::Forward]),
        "right" => return Some(vec![Side::Right]),
        _ => {}
    }
    let mut sides: Vec<Side> = word.chars().map(Side::from_letter).collect::<Option<_>>()?;
    let count = sides.len();
    sides.sort_unstable();
    sides.dedup();
    (sides.len() == count).then_some(sides)
}

/// The socket of this name on the path of `owner`, for saves.
pub(super) fn socket_named(name: &str, owner: Seat) -> Option<Socket> {
    let [(_, token)] = &tokens(name)[..] else {
        return None;
    };
    let socket = read_socket(token)?;
    (socket.named(owner).to_string() == name).then_some(socket)
}

fn read_socket(token: &Token) -> Option<Socket> {
    match token {
        Token::Sided(number, sides) => match sides[..] {
            [side] => Some(Socket::Of(*number, side)),
            _ => None,
        },
        Token::Word(word) => Some(Socket::Core(match word.as_str() {
            "i" => Port::Over(Circuit::I),
            "ii" => Port::Over(Circuit::II),
            "iii" => Port::Over(Circuit::III),
            "w" | "e" | "west" | "east" => Port::End,
            _ => return None,
        })),
        Token::Number(_) => None,
    }
}

/// A block as it may be written; `Err` where that is close but not enough.
fn read_pick(token: &Token) -> Option<Result<Pick, NotationError>> {
    let known = |kind: Kind| Some(Ok(Pick::Known(kind)));
    match token {
        Token::Number(0) => known(Kind::ZeroLfr),
        Token::Number(3) => known(Kind::Three),
        Token::Number(power @ (1 | 2)) => Some(Err(NotationError::Ambiguous {
            ask: format!("There are three blocks of power {power}, with different sockets:"),
            choices: Kind::powers()
                .filter(|kind| u16::from(kind.power()) == *power)
                .map(|kind| kind.name().to_owned())
                .collect(),
        })),
        Token::Number(_) => None,
        Token::Sided(power, sides) => {
            let bits = sides.iter().fold(0, |bits, side| bits | side.bit());
            Kind::powers()
                .find(|kind| u16::from(kind.power()) == *power && kind.sockets() == bits)
                .map(|kind| Ok(Pick::Known(kind)))
        }
        Token::Word(word) => match word.as_str() {
            "command" | "commands" | "cmd" | "random" | "facedown" => Some(Ok(Pick::FaceDown)),
            word => read_command(word),
        },
    }
}

fn read_command(word: &str) -> Option<Result<Pick, NotationError>> {
    let fitting: Vec<Kind> = Kind::commands()
        .filter(|kind| kind.name().starts_with(word))
        .collect();
    match fitting[..] {
        [kind] => Some(Ok(Pick::Known(kind))),
        [] => {
            let near = nearest(word, Kind::commands().map(Kind::name))?;
            let kind = Kind::commands().find(|kind| kind.name() == near)?;
            Some(Ok(Pick::Known(kind)))
        }
        _ => Some(Err(NotationError::Ambiguous {
            ask: format!("Several commands begin with `{word}`:"),
            choices: fitting.iter().map(|kind| kind.name().to_owned()).collect(),
        })),
    }
}

/// What an action is read against.
struct Reader<'a> {
    game: &'a Breaker,
    seat: Seat,
    text: &'a str,
}

impl Reader<'_> {
    fn action(&self, verb: Verb, arguments: &[&Token]) -> Result<Action, NotationError> {
        match verb {
            Verb::Pass if arguments.is_empty() => self.check(Action::Pass),
            Verb::Pass => Err(self.unreadable()),
            Verb::Draw if matches!(self.game.task, Some(Task::Accelerate { .. })) => {
                self.one(arguments, Action::Take, "Which block do you take?")
            }
            Verb::Draw => self.one(arguments, Action::Draw, "Which block do you draw?"),
            Verb::Keep => self.one(arguments, Action::Keep, "Which block do you keep?"),
            Verb::Target => self.target(arguments),
            Verb::Add => self.add(arguments),
            Verb::Move => self.shift(arguments),
        }
    }

    fn unreadable(&self) -> NotationError {
        NotationError::unreadable(self.text, HINT)
    }

    fn check(&self, action: Action) -> Result<Action, NotationError> {
        if self.game.is_legal(self.seat, &action) {
            Ok(action)
        } else {
            Err(NotationError::illegal(refuse::why(self.game, self.seat, action)))
        }
    }

    /// The only legal action that fits; or a question with those that do, or a refusal.
    fn only(
        &self,
        ask: String,
        fits: impl Fn(Action) -> bool,
        refusal: impl FnOnce() -> NotationError,
    ) -> Result<Action, NotationError> {
        let mut legal = self.game.legal_actions(self.seat);
        legal.retain(|&action| fits(action));
        match legal[..] {
            [] => Err(refusal()),
            [action] => Ok(action),
            _ => Err(NotationError::Incomplete {
                ask,
                choices: legal
                    .iter()
                    .map(|&action| self.game.write(self.seat, action))
                    .collect(),
            }),
        }
    }

    /// The refusal of a verb that nothing can be done with now.
    fn nothing(&self) -> NotationError {
        NotationError::illegal(refuse::nothing(self.game))
    }

    fn one(
        &self,
        arguments: &[&Token],
        make: fn(Pick) -> Action,
        ask: &str,
    ) -> Result<Action, NotationError> {
        match arguments {
            [] => {
                let same = |action: Action| {
                    std::mem::discriminant(&action) == std::mem::discriminant(&make(Pick::FaceDown))
                };
                self.only(ask.to_owned(), same, || self.nothing())
            }
            [token] => match read_pick(token) {
                Some(pick) => self.check(make(pick?)),
                None => Err(self.unknown_block(token)),
            },
            _ => Err(self.unreadable()),
        }
    }

    fn unknown_block(&self, token: &Token) -> NotationError {
        let names: Vec<&str> = Kind::powers().map(Kind::name).collect();
        let what = match token {
            Token::Word(word) => word.clone(),
            Token::Number(number) => number.to_string(),
            Token::Sided(number, sides) => {
                let letters: String = sides.iter().map(|side| side.letter()).collect();
                format!("{number}{letters}")
            }
        };
        NotationError::unreadable(
            &what,
            format!(
                "Power blocks are {powers}; commands go by name: annihilate, automate, accelerate, attenuate, agitate, \
                 aggravate, authenticate.",
                powers = names.join(", ")
            ),
        )
    }

    fn target(&self, arguments: &[&Token]) -> Result<Action, NotationError> {
        match arguments {
            [] => self.only(
                "Which block?".to_owned(),
                |action| matches!(action, Action::Target(_)),
                || self.nothing(),
            ),
            [Token::Number(number)] => self.check(Action::Target(*number)),
            _ => Err(NotationError::unreadable(
                self.text,
                "A target is the number of a block on the table, such as `target 12`.",
            )),
        }
    }

    fn add(&self, arguments: &[&Token]) -> Result<Action, NotationError> {
        let is_add = |action: Action| matches!(action, Action::Add { .. });
        match arguments {
            [] => self.only("Which block, into which socket?".to_owned(), is_add, || {
                self.nothing()
            }),
            [token] => {
                if let Some(pick) = read_pick(token) {
                    let wanted = pick?;
                    let fits = |action: Action| matches!(action, Action::Add { pick, .. } if pick == wanted);
                    let ask = format!("Into which socket should the {block} go?", block = wanted.name());
                    return self.only(ask, fits, || {
                        NotationError::illegal(refuse::why_not_add(self.game, self.seat, wanted))
                    });
                }
                let Some(wanted) = read_socket(token) else {
                    return Err(self.unknown_block(token));
                };
                let fits = |action: Action| matches!(action, Action::Add { socket, .. } if socket == wanted);
                self.only("Which block should go there?".to_owned(), fits, || {
                    NotationError::illegal(refuse::why_not_socket(self.game, self.seat, self.seat, wanted))
                })
            }
            [one, two] => {
                let reading = |pick: &Token, socket: &Token| {
                    self.own_end(socket)?;
                    match (read_pick(pick), read_socket(socket)) {
                        (Some(pick), Some(socket)) => Ok(Some(Action::Add { pick: pick?, socket })),
                        _ => Ok(None),
                    }
                };
                let straight = reading(one, two);
                let turned = reading(two, one);
                // `add 2L 1F` and `add 1F 2L` mean the same; where both ways make sense the legal one is meant.
                if let (Ok(Some(straight)), Ok(Some(turned))) = (&straight, &turned) {
                    let legal = |action: &Action| self.game.is_legal(self.seat, action);
                    let meant = if !legal(straight) && legal(turned) {
                        turned
                    } else {
                        straight
                    };
                    return self.check(*meant);
                }
                // `add 2L 7` lacks the side of block 7, whatever a block of power 7 may be.
                let half = matches!(two, Token::Number(_)) && matches!(read_pick(one), Some(Ok(_)));
                match (straight, turned) {
                    (Ok(None), Ok(None) | Err(_)) if half => Err(self.misread_add(one, two)),
                    (Ok(Some(action)), _) | (_, Ok(Some(action))) => self.check(action),
                    (Err(error), _) | (_, Err(error)) => Err(error),
                    (Ok(None), Ok(None)) => Err(self.misread_add(one, two)),
                }
            }
            _ => Err(self.unreadable()),
        }
    }

    /// Only one of block and socket could be read.
    fn misread_add(&self, one: &Token, two: &Token) -> NotationError {
        if read_pick(one).is_none() {
            return self.unknown_block(one);
        }
        if let Token::Number(number) = two {
            return NotationError::unreadable(
                self.text,
                format!(
                    "A socket of block {number} is written with its side: {number}L, {number}F or {number}R."
                ),
            );
        }
        NotationError::unreadable(
            self.text,
            "A socket is I, II, III, your end of the Core (W or E), or a block's number with L, F or R, such as `7L`.",
        )
    }

    /// W belongs to seat 1 and E to seat 2.
    fn own_end(&self, token: &Token) -> Result<(), NotationError> {
        let path = self.game.path_of(self.seat);
        let other = if path.index() == 0 {
            ["e", "east"]
        } else {
            ["w", "west"]
        };
        match token {
            Token::Word(word) if other.contains(&word.as_str()) => Err(NotationError::illegal(format!(
                "That end of the Core belongs to the other path; this one has {end}.",
                end = Port::End.name(path)
            ))),
            _ => Ok(()),
        }
    }

    fn shift(&self, arguments: &[&Token]) -> Result<Action, NotationError> {
        let is_move = |action: Action| matches!(action, Action::Move { .. });
        match arguments {
            [] => self.only("Which block, to which socket?".to_owned(), is_move, || {
                self.nothing()
            }),
            [Token::Number(wanted)] => {
                let fits =
                    |action: Action| matches!(action, Action::Move { number, .. } if number == *wanted);
                self.only(format!("To which socket should block {wanted} go?"), fits, || {
                    NotationError::illegal(refuse::why_not_move(self.game, self.seat, *wanted))
                })
            }
            [Token::Number(number), socket] | [socket, Token::Number(number)] => {
                self.own_end(socket)?;
                match read_socket(socket) {
                    Some(socket) => self.check(Action::Move {
                        number: *number,
                        socket,
                    }),
                    None => Err(self.misread_add(&Token::Number(0), socket)),
                }
            }
            _ => Err(NotationError::unreadable(
                self.text,
                "A move is a block's number and a socket, such as `move 9 II` or `move 9 7L`.",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_free() {
        let plain = |text: &str| -> Vec<Token> { tokens(text).into_iter().map(|(_, token)| token).collect() };
        assert_eq!(plain("add 2L to 7 L"), plain("ADD2l 7-L"));
        assert_eq!(plain("add3II"), plain("add 3 ii"));
        assert_eq!(
            plain("0lfr 3"),
            [
                Token::Sided(0, vec![Side::Left, Side::Forward, Side::Right]),
                Token::Number(3)
            ]
        );
        assert_eq!(plain("99999999999L"), [Token::Sided(u16::MAX, vec![Side::Left])]);
    }

    #[test]
    fn a_socket_in_a_save_is_written_exactly() {
        let (one, two) = (Seat::new(0), Seat::new(1));
        assert_eq!(socket_named("7L", one), Some(Socket::Of(7, Side::Left)));
        assert_eq!(socket_named("E", two), Some(Socket::Core(Port::End)));
        for bad in ["E", "7l", "7", "", "7LF", "I I", "iv"] {
            assert_eq!(socket_named(bad, one), None, "{bad}");
        }
    }
}
