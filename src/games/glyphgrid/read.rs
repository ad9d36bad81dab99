//! Reading a typed move: what was written first, whether it is legal second.

use super::piece::Glyph;
use super::refuse;
use super::square::GridSquare;
use super::{Action, GlyphGrid};
use crate::board::square::LEAPS;
use crate::game::cells::{CellToken, tokens};
use crate::game::nearest::nearest;
use crate::game::notation::{excerpt, one_of};
use crate::game::{Game, NotationError, Seat};

pub(super) const HINT: &str = "A move is a glyph, a piece and a square, such as `lance b2-d4`; `anchor b2` marks the square under a piece.";

/// What the text says, legal or not.
enum Spoken {
    Swap,
    Cast(Named, Squares),
}

/// The glyph that was named.
#[derive(Clone, Copy)]
enum Named {
    Nothing,
    /// A bare `a`: ARC if the squares are a knight's leap apart, else ANCHOR.
    A,
    Glyph(Glyph),
}

/// The squares that were named.
#[derive(Clone, Copy)]
enum Squares {
    None,
    One(GridSquare),
    Two(GridSquare, GridSquare),
}

pub(super) fn read(game: &GlyphGrid, seat: Seat, text: &str) -> Result<Action, NotationError> {
    match syntax(text)? {
        Spoken::Swap if game.awaiting().includes(seat) && game.may_swap() => Ok(Action::Swap),
        Spoken::Swap => Err(NotationError::illegal(refuse::swap(game))),
        Spoken::Cast(named, squares) => cast(game, seat, named, squares),
    }
}

/// Words that people put around a move.
const FILLERS: [&str; 19] = [
    "move", "moves", "cast", "use", "with", "by", "from", "to", "at", "on", "the", "my", "x", "takes",
    "captures", "core", "shard", "piece", "and",
];

/// Words for ANCHOR that say what it does: `stay` and `mark` name no second square.
const STAYS: [&str; 2] = ["stay", "mark"];

/// Words and squares in any order, with anything between them that people write there. The last
/// letter before a digit belongs to a square, so `lc2e4` reads as `l c2 e4`.
fn syntax(text: &str) -> Result<Spoken, NotationError> {
    let unreadable = || NotationError::unreadable(text, HINT);
    let lower = text.to_lowercase();
    let (mut named, mut squares, mut swap, mut stay) = (Named::Nothing, Vec::new(), false, false);
    for token in tokens(&lower) {
        let word = match token {
            CellToken::Cell(name) => {
                squares.push(square(&name)?);
                continue;
            }
            CellToken::Sign(sign) if !sign.is_alphanumeric() => continue,
            CellToken::Sign(_) | CellToken::Number(_) => return Err(unreadable()),
            CellToken::Word(word) => word,
        };
        match (word, named, glyph(word)) {
            ("swap", ..) => swap = true,
            _ if STAYS.contains(&word) => stay = true,
            _ if FILLERS.contains(&word) => {}
            (_, Named::Nothing, Some(glyph)) => named = glyph,
            (_, _, Some(_)) => {
                return Err(NotationError::unreadable(
                    text,
                    "One glyph a turn: pick one of them.",
                ));
            }
            (_, _, None) => return Err(unknown_word(text, word)),
        }
    }
    if stay && let Named::Nothing | Named::A = named {
        named = Named::Glyph(Glyph::Anchor);
    }
    match (swap, &squares[..]) {
        (true, []) if matches!(named, Named::Nothing) => Ok(Spoken::Swap),
        (false, [from, to]) => Ok(Spoken::Cast(named, Squares::Two(*from, *to))),
        // `anchor c3 stay` is what guided entry spells.
        (false, [square]) if stay => Ok(Spoken::Cast(named, Squares::Two(*square, *square))),
        (false, [square]) => Ok(Spoken::Cast(named, Squares::One(*square))),
        (false, []) if !matches!(named, Named::Nothing) => Ok(Spoken::Cast(named, Squares::None)),
        _ => Err(unreadable()),
    }
}

fn square(name: &str) -> Result<GridSquare, NotationError> {
    GridSquare::named(name).ok_or_else(|| {
        NotationError::illegal(format!(
            "There's no square {name}: files go from a to g and ranks from 1 to 7.",
            name = excerpt(name)
        ))
    })
}

/// A glyph by its beginning. Only `a` begins two of them.
fn glyph(word: &str) -> Option<Named> {
    match word {
        "a" => Some(Named::A),
        "push" => Some(Named::Glyph(Glyph::Pulse)),
        "claim" => Some(Named::Glyph(Glyph::Anchor)),
        _ => Glyph::ALL
            .into_iter()
            .find(|glyph| glyph.word().starts_with(word))
            .map(Named::Glyph),
    }
}

fn unknown_word(text: &str, word: &str) -> NotationError {
    let known = Glyph::ALL.map(Glyph::word).into_iter().chain(["swap"]);
    match nearest(word, known) {
        Some(near) => NotationError::unreadable(text, format!("Did you mean `{near}`?")),
        None => NotationError::unreadable(text, HINT),
    }
}

fn cast(game: &GlyphGrid, seat: Seat, named: Named, squares: Squares) -> Result<Action, NotationError> {
    let legal = Legal::of(game, seat);
    match (resolve(named, squares), squares) {
        (Some(glyph), Squares::Two(from, to)) => {
            let action = Action::cast(glyph, from, to);
            if legal.0.contains(&action) {
                Ok(action)
            } else {
                Err(NotationError::illegal(refuse::cast(game, seat, glyph, from, to)))
            }
        }
        (None, Squares::Two(from, to)) => {
            let fitting = legal.filter(|_, start, goal| (start, goal) == (from, to));
            one_of(
                fitting,
                || format!("By which glyph from {from} to {to}?"),
                Action::to_string,
            )
            .unwrap_or_else(|| Err(NotationError::illegal(refuse::squares(game, seat, from, to))))
        }
        (glyph, Squares::One(square)) => one_square(game, seat, &legal, glyph, square),
        (Some(glyph), Squares::None) => legal.ask(
            |how, _, _| how == glyph,
            format!("Which piece acts by {glyph}, and where?"),
            || format!("None of your pieces can act by {glyph} now."),
        ),
        // An `a` and nothing else.
        (None, Squares::None) => legal.ask(
            |how, _, _| matches!(how, Glyph::Arc | Glyph::Anchor),
            "ARC or ANCHOR, with which piece?".to_owned(),
            || "None of your pieces can act by ARC or ANCHOR now.".to_owned(),
        ),
    }
}

/// The glyph that was meant, as far as it is certain.
fn resolve(named: Named, squares: Squares) -> Option<Glyph> {
    match (named, squares) {
        (Named::Glyph(glyph), _) => Some(glyph),
        (Named::Nothing, _) | (Named::A, Squares::None) => None,
        (Named::A, Squares::Two(from, to)) if LEAPS.contains(&from.offset(to)) => Some(Glyph::Arc),
        (Named::A, Squares::One(_) | Squares::Two(..)) => Some(Glyph::Anchor),
    }
}

/// A single square: ANCHOR marks it; otherwise it is a goal that only one action reaches, or a piece
/// whose action is still to be told.
fn one_square(
    game: &GlyphGrid,
    seat: Seat,
    legal: &Legal,
    glyph: Option<Glyph>,
    square: GridSquare,
) -> Result<Action, NotationError> {
    let meant = |how: Glyph| glyph.is_none_or(|glyph| how == glyph);
    let own = game.grid.pieces(game.side(seat)).contains(square);
    if own && glyph == Some(Glyph::Anchor) {
        let action = Action::cast(Glyph::Anchor, square, square);
        return if legal.0.contains(&action) {
            Ok(action)
        } else {
            Err(NotationError::illegal(refuse::cast(
                game,
                seat,
                Glyph::Anchor,
                square,
                square,
            )))
        };
    }
    if own {
        let kind = game.grid.at(square).map_or("piece", |(_, kind)| kind.name());
        return legal.ask(
            |how, from, _| from == square && meant(how),
            match glyph {
                Some(glyph) => format!("Where should the {kind} on {square} go by {glyph}?"),
                None => format!("What should the {kind} on {square} do?"),
            },
            || match glyph {
                Some(glyph) => refuse::cast(game, seat, glyph, square, square),
                None => format!("The {kind} on {square} can do nothing now."),
            },
        );
    }
    let arriving = legal.filter(|how, _, to| to == square && meant(how));
    one_of(
        arriving,
        || format!("Several moves end on {square}. Which one?"),
        Action::to_string,
    )
    .unwrap_or_else(|| Err(NotationError::illegal(refuse::goal(game, seat, glyph, square))))
}

/// The legal actions of the player who typed.
struct Legal(Vec<Action>);

impl Legal {
    fn of(game: &GlyphGrid, seat: Seat) -> Self {
        Self(game.legal_actions(seat))
    }

    /// Those whose glyph, start and goal pass a test.
    fn filter(&self, test: impl Fn(Glyph, GridSquare, GridSquare) -> bool) -> Vec<Action> {
        let fits = |action: &Action| action.parts().is_some_and(|(how, from, to)| test(how, from, to));
        self.0.iter().copied().filter(fits).collect()
    }

    /// Asks which of those that pass a test is meant, or says why there are none.
    fn ask(
        &self,
        test: impl Fn(Glyph, GridSquare, GridSquare) -> bool,
        ask: String,
        none: impl FnOnce() -> String,
    ) -> Result<Action, NotationError> {
        let choices: Vec<String> = self.filter(test).iter().map(Action::to_string).collect();
        if choices.is_empty() {
            Err(NotationError::illegal(none()))
        } else {
            Err(NotationError::Incomplete { ask, choices })
        }
    }
}
