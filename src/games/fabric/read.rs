//! Reading a typed placement: what was written first, whether it is legal second.
//!
//! A placement is a piece, a cell and, for a Relay, a facing, in any order: `R d4 N`, `d4rn`,
//! "place a relay on d4 facing north", `➤ d4 ↑`.

use super::cell::{Cell, LARGEST};
use super::piece::{Facing, Kind, Piece};
use super::{Action, Fabric};
use crate::game::nearest::nearest;
use crate::game::{Game, NotationError, Seat};

const HINT: &str = "A move is a piece and a cell: `A d4` for an Anchor, `P d4` for a Prism, `R d4 N` for a Relay \
                    that faces north.";

/// A word that means something here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Kind(Kind),
    Facing(Facing),
    /// File and rank, counted from zero, on whatever board.
    Cell(u8, u8),
    /// A letter alone: a file, or what [`letter`] makes of it.
    Letter(u8),
    Filler,
}

/// What the text says, legal or not.
#[derive(Default)]
struct Spoken {
    kind: Option<Kind>,
    facing: Option<Facing>,
    cell: Option<(u8, u8)>,
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
    let cell = cell.map(|place| on_board(game, place)).transpose()?;
    if let Some(cell) = cell {
        empty(game, seat, cell)?;
    }
    if let (Some(kind @ (Kind::Anchor | Kind::Prism)), Some(_)) = (kind, facing) {
        let at = cell.map_or("d4".to_owned(), |cell| cell.to_string());
        return Err(NotationError::illegal(format!(
            "Only a Relay faces somewhere. Write `{} {at}`, or `R {at} N` for a Relay.",
            kind.letter()
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
        (None, Some(cell), None) => incomplete(format!("Which piece shall go on {cell}?")),
        (Some(kind), None, _) => incomplete(match file {
            Some(file) => format!("Which cell of column {}?", letter_of(file)),
            None => format!("Where shall the {} go?", kind.name()),
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
            format!("That names two {what}, and a turn places one piece. {HINT}"),
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
            Token::Cell(file, rank) if spoken.cell.is_none_or(|before| before == (file, rank)) => {
                spoken.cell = Some((file, rank));
            }
            Token::Cell(..) => return Err(two("cells")),
            Token::Letter(letter) => letters.push(letter),
            Token::Filler => {}
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

/// Cuts a text into words. A letter and the digits after it are a cell, however they are spaced;
/// letters before that are a word of their own, so `Rd4N` reads like `R d4 N`.
fn tokens(lower: &str, text: &str) -> Result<Vec<Token>, NotationError> {
    let mut tokens = Vec::new();
    let mut rest = lower;
    while let Some(first) = rest.chars().next() {
        let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        if letters == 0 {
            tokens.push(symbol(first).ok_or_else(|| NotationError::unreadable(text, HINT))?);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (run, after) = rest.split_at(letters);
        let spaced = after.trim_start();
        let digits = spaced.bytes().take_while(u8::is_ascii_digit).count();
        // A spaced number belongs to a single letter only: "d 4", but not "anchor 4".
        if digits == 0 || (spaced.len() != after.len() && letters > 1) {
            words(run, text, &mut tokens)?;
            rest = after;
            continue;
        }
        let (word, file) = run.split_at(letters - 1);
        words(word, text, &mut tokens)?;
        let rank = spaced[..digits].parse().unwrap_or(u8::MAX);
        let file = file.bytes().map(|letter| letter - b'a').sum();
        tokens.push(Token::Cell(file, rank.wrapping_sub(1)));
        rest = &spaced[digits..];
    }
    Ok(tokens)
}

/// Signs that stand for a word, or for nothing.
fn symbol(sign: char) -> Option<Token> {
    Some(match sign {
        '↑' | '⬆' | '^' | '▲' | '🔼' => Token::Facing(Facing::North),
        '→' | '➡' | '>' | '▶' => Token::Facing(Facing::East),
        '↓' | '⬇' | '▼' | '🔽' => Token::Facing(Facing::South),
        '←' | '⬅' | '<' | '◀' => Token::Facing(Facing::West),
        '●' => Token::Kind(Kind::Anchor),
        '◇' | '◆' => Token::Kind(Kind::Prism),
        '➤' => Token::Kind(Kind::Relay),
        // The last is what makes an emoji of an arrow.
        ' ' | '\t' | '-' | '–' | '—' | ',' | '.' | ':' | '(' | ')' | '[' | ']' | '@' | '=' | '\u{fe0f}' => {
            Token::Filler
        }
        _ if sign.is_whitespace() => Token::Filler,
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
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.name().eq_ignore_ascii_case(run));
    let facing = FACINGS.iter().find(|(name, _)| *name == bare);
    match (run.as_bytes(), kind, facing) {
        ([], ..) => {}
        (_, Some(kind), _) => tokens.push(Token::Kind(kind)),
        (_, _, Some(&(_, facing))) => tokens.push(Token::Facing(facing)),
        (&[letter], ..) => tokens.push(Token::Letter(letter)),
        (&[b'r', other] | &[other, b'r'], ..) if facing_of(other).is_some() => {
            tokens.extend([Token::Kind(Kind::Relay), Token::Letter(other)]);
        }
        _ if FILLERS.contains(&run) => {}
        (&[b'n' | b's', b'e' | b'w'], ..) => {
            return Err(NotationError::illegal(
                "A Relay faces straight, never aslant: north, east, south or west.",
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

fn on_board(game: &Fabric, (file, rank): (u8, u8)) -> Result<Cell, NotationError> {
    if file < game.size && rank < game.size {
        return Ok(Cell::at(file, rank));
    }
    Err(NotationError::illegal(format!(
        "There is no such cell: columns go from a to {}, and rows from 1 to {}.",
        letter_of(game.size - 1),
        game.size
    )))
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
        "{whose} {} is on {cell}. Choose an empty cell.",
        there.piece.kind().name()
    )))
}
