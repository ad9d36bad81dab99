//! Reading a typed placement: what was written first, whether it is legal second.
//!
//! A placement is a piece, a cell and, for a Relay, a facing, in any order: `R d4 N`, `d4rn`,
//! "place a relay on d4 facing north", `➤ d4 ↑`.

use super::cell::{Cell, LARGEST};
use super::piece::{Facing, Kind, Piece};
use super::{Action, Fabric};
use crate::board::square::SquareBoard;
use crate::game::nearest::nearest;
use crate::game::{Game, NotationError, Seat, cells};

const HINT: &str = "A move is a piece and a cell: `A d4` for an Anchor, `P d4` for a Prism, `R d4 N` for a Relay \
                    that faces north.";

/// A word that means something here.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Kind(Kind),
    Facing(Facing),
    /// The name of a cell, on whatever board.
    Cell(String),
    /// A letter alone: a file, or a piece, or a facing; see [`syntax`].
    Letter(u8),
}

/// What the text says, legal or not.
#[derive(Default)]
struct Spoken {
    kind: Option<Kind>,
    facing: Option<Facing>,
    cell: Option<String>,
    /// A file without a rank.
    file: Option<u8>,
}

pub(super) fn read(game: &Fabric, seat: Seat, text: &str) -> Result<Action, NotationError> {
    let Spoken {
        kind,
        facing,
        cell,
        file,
    } = syntax(text)?;
    let cell = cell.map(|name| on_board(game, &name)).transpose()?;
    if let Some(cell) = cell {
        empty(game, seat, cell)?;
    }
    if let (Some(kind @ (Kind::Anchor | Kind::Prism)), Some(_)) = (kind, facing) {
        let at = cell.map_or("d4".to_owned(), |cell| cell.to_string());
        return Err(NotationError::illegal(format!(
            "Only a Relay faces somewhere. Write `{letter} {at}`, or `R {at} N` for a Relay.",
            letter = kind.letter()
        )));
    }
    let fits = |action: &Action| {
        kind.is_none_or(|kind| kind == action.piece.kind())
            && cell.is_none_or(|cell| cell == action.at)
            && file.is_none_or(|file| file == action.at.file())
            // A facing is part of a Relay only, so asking for one is asking for a Relay.
            && facing.is_none_or(|facing| action.piece == Piece::Relay(facing))
    };
    let choices = || -> Vec<String> {
        let legal = game.legal_actions(seat);
        legal
            .iter()
            .filter(|action| fits(action))
            .map(Action::to_string)
            .collect()
    };
    let incomplete = |ask: String| {
        Err(NotationError::Incomplete {
            ask,
            choices: choices(),
        })
    };
    match (kind, cell, facing) {
        (Some(Kind::Relay), Some(cell), None) => {
            incomplete(format!("The Relay on {cell} needs a facing. Which way?"))
        }
        (Some(Kind::Relay) | None, Some(at), Some(facing)) => Ok(Action {
            at,
            piece: Piece::Relay(facing),
        }),
        (Some(Kind::Anchor), Some(at), _) => Ok(Action {
            at,
            piece: Piece::Anchor,
        }),
        (Some(Kind::Prism), Some(at), _) => Ok(Action {
            at,
            piece: Piece::Prism,
        }),
        (None, Some(cell), None) => incomplete(format!("Which piece should go on {cell}?")),
        (Some(kind), None, _) => incomplete(match file {
            Some(file) => format!("Which cell of column {column}?", column = letter_of(file)),
            None => format!("Where should the {piece} go?", piece = kind.name()),
        }),
        (None, None, _) => Err(NotationError::unreadable(text, HINT)),
    }
}

/// All words of a text, put together.
fn syntax(text: &str) -> Result<Spoken, NotationError> {
    let lower = text.to_lowercase();
    let tokens = tokens(&lower, text)?;
    let two = |what: &str| {
        NotationError::unreadable(
            text,
            format!("That names two {what}, but you place one piece a turn. {HINT}"),
        )
    };
    let in_full = Kind::ALL
        .iter()
        .any(|kind| lower.contains(&kind.name().to_lowercase()));
    let mut spoken = Spoken::default();
    // What can mean one thing only comes first; letters then take the places left.
    let mut letters = Vec::new();
    for token in tokens {
        match token {
            Token::Kind(kind) if spoken.kind.is_none_or(|before| before == kind) => spoken.kind = Some(kind),
            Token::Kind(_) => return Err(two("pieces")),
            Token::Facing(facing) if spoken.facing.is_none_or(|before| before == facing) => {
                spoken.facing = Some(facing);
            }
            Token::Facing(_) => return Err(two("facings")),
            Token::Cell(name) if spoken.cell.as_ref().is_none_or(|before| *before == name) => {
                spoken.cell = Some(name);
            }
            Token::Cell(_) => return Err(two("cells")),
            Token::Letter(letter) => letters.push(letter),
        }
    }
    for letter in letters {
        let facing = facing_of(letter);
        match letter {
            // "a relay": an article.
            b'a' if in_full => {}
            b'a' if spoken.kind.is_none() => spoken.kind = Some(Kind::Anchor),
            b'p' if spoken.kind.is_none() => spoken.kind = Some(Kind::Prism),
            b'r' if spoken.kind.is_none() => spoken.kind = Some(Kind::Relay),
            b'p' | b'r' => return Err(two("pieces")),
            // East is a file too, where a file is still wanted and a facing is not.
            b'e' if matches!(spoken.kind, Some(Kind::Anchor | Kind::Prism)) && spoken.cell.is_none() => {
                spoken.file = Some(letter - b'a');
            }
            _ if facing.is_some() => {
                if spoken.facing.is_some() && spoken.facing != facing {
                    return Err(two("facings"));
                }
                spoken.facing = facing;
            }
            _ if letter - b'a' < LARGEST && spoken.cell.is_none() && spoken.file.is_none() => {
                spoken.file = Some(letter - b'a');
            }
            _ if letter == b'a' => return Err(two("pieces")),
            _ => return Err(NotationError::unreadable(text, HINT)),
        }
    }
    Ok(spoken)
}

/// The words and signs of a text, and what they mean.
fn tokens(lower: &str, text: &str) -> Result<Vec<Token>, NotationError> {
    let unreadable = || NotationError::unreadable(text, HINT);
    let mut tokens = Vec::new();
    for token in cells::tokens(lower) {
        match token {
            cells::CellToken::Word(word) => words(word, text, &mut tokens)?,
            cells::CellToken::Cell(name) => tokens.push(Token::Cell(name)),
            cells::CellToken::Sign(sign) => tokens.extend(symbol(sign).ok_or_else(unreadable)?),
            cells::CellToken::Number(_) => return Err(unreadable()),
        }
    }
    Ok(tokens)
}

/// What a sign stands for, which may be nothing.
fn symbol(sign: char) -> Option<Option<Token>> {
    Some(match sign {
        '↑' | '⬆' | '^' | '▲' | '🔼' => Some(Token::Facing(Facing::North)),
        '→' | '➡' | '>' | '▶' => Some(Token::Facing(Facing::East)),
        '↓' | '⬇' | '▼' | '🔽' => Some(Token::Facing(Facing::South)),
        '←' | '⬅' | '<' | '◀' => Some(Token::Facing(Facing::West)),
        '●' => Some(Token::Kind(Kind::Anchor)),
        '◇' | '◆' => Some(Token::Kind(Kind::Prism)),
        '➤' => Some(Token::Kind(Kind::Relay)),
        // The last is what makes an emoji of an arrow.
        '-' | '–' | '—' | ',' | '.' | ':' | '(' | ')' | '[' | ']' | '@' | '=' | '\u{fe0f}' => None,
        _ => return None,
    })
}

/// The meaning of a run of letters.
fn words(run: &str, text: &str, tokens: &mut Vec<Token>) -> Result<(), NotationError> {
    const FACINGS: [(&str, Facing); 8] = [
        ("north", Facing::North),
        ("east", Facing::East),
        ("south", Facing::South),
        ("west", Facing::West),
        ("up", Facing::North),
        ("right", Facing::East),
        ("down", Facing::South),
        ("left", Facing::West),
    ];
    const FILLERS: [&str; 18] = [
        "place", "put", "play", "an", "the", "on", "at", "to", "in", "facing", "faces", "face", "pointing",
        "towards", "toward", "cell", "column", "my",
    ];
    let bare = run
        .strip_suffix("wards")
        .or(run.strip_suffix("ward"))
        .unwrap_or(run);
    let kind = Kind::named(run);
    let facing = FACINGS.iter().find(|(name, _)| *name == bare);
    match (run.as_bytes(), kind, facing) {
        (_, Some(kind), _) => tokens.push(Token::Kind(kind)),
        (_, _, Some(&(_, facing))) => tokens.push(Token::Facing(facing)),
        (&[letter], ..) => tokens.push(Token::Letter(letter)),
        (&[b'r', other] | &[other, b'r'], ..) if facing_of(other).is_some() => {
            tokens.extend([Token::Kind(Kind::Relay), Token::Letter(other)]);
        }
        _ if FILLERS.contains(&run) => {}
        (&[b'n' | b's', b'e' | b'w'], ..) => {
            return Err(NotationError::illegal(
                "A Relay faces north, east, south or west, never diagonally.",
            ));
        }
        _ => {
            let known = Kind::ALL.iter().map(|kind| kind.name());
            let known = known.chain(FACINGS.iter().map(|(name, _)| *name));
            return Err(match nearest(run, known) {
                Some(near) => NotationError::unreadable(text, format!("Did you mean `{near}`? {HINT}")),
                None => NotationError::unreadable(text, HINT),
            });
        }
    }
    Ok(())
}

/// The facing that a letter stands for; `v` is an arrow that is easy to type.
fn facing_of(letter: u8) -> Option<Facing> {
    match letter {
        b'n' => Some(Facing::North),
        b'e' => Some(Facing::East),
        b's' | b'v' => Some(Facing::South),
        b'w' => Some(Facing::West),
        _ => None,
    }
}

fn letter_of(file: u8) -> char {
    char::from(b'a'.saturating_add(file))
}

fn on_board(game: &Fabric, name: &str) -> Result<Cell, NotationError> {
    let there = |cell: &Cell| cell.file() < game.size && cell.rank() < game.size;
    Cell::named(name).filter(there).ok_or_else(|| {
        let board = SquareBoard {
            size: game.size as i8,
        };
        NotationError::illegal(format!(
            "There's no such cell: {extent}.",
            extent = board.extent()
        ))
    })
}

fn empty(game: &Fabric, seat: Seat, cell: Cell) -> Result<(), NotationError> {
    let Some(there) = game.field.at(cell) else {
        return Ok(());
    };
    let whose = if there.seat == seat {
        "Your own"
    } else {
        "Your opponent's"
    };
    Err(NotationError::illegal(format!(
        "{whose} {piece} is on {cell}. Choose an empty cell.",
        piece = there.piece.kind().name()
    )))
}
