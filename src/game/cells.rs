//! Reading moves that name cells: "F2-F5", "f2 f5", "R d4 N", "lance c2-e4".
//!
//! [`tokens`] cuts a text into words and cells for any game on a board. Where a move is one cell and another,
//! [`TwoCells`] does all the reading and asking, and the game tells only what it knows.

use std::fmt::Display;

use super::notation::{NotationError, one_of};
use super::{Game, Seat};
use crate::text::{after_first, leading};

/// A piece of what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellToken<'t> {
    /// Letters from a to z.
    Word(&'t str),
    /// A letter and a number, as in `d4`; whether there is such a cell is for the game to say.
    Cell(String),
    /// A number that no letter stands before.
    Number(&'t str),
    /// Anything else that can be seen.
    Sign(char),
}

/// Cuts a text in small letters. The last letter before a number belongs to a cell, so that `rd4n` reads like `r d4 n`,
/// and so does a letter alone that is spaced from its number: `d 4`, but not `anchor 4`.
pub fn tokens(lower: &str) -> Vec<CellToken<'_>> {
    let mut tokens = Vec::new();
    let mut rest = lower.trim_start();
    while let Some(first) = rest.chars().next() {
        let (letters, after) = leading(rest, |letter| letter.is_ascii_lowercase());
        let near = if letters.len() == 1 {
            after.trim_start()
        } else {
            after
        };
        let (digits, behind) = leading(near, |letter| letter.is_ascii_digit());
        let column = letters.chars().last().map(String::from).unwrap_or_default();
        let word = letters.strip_suffix(&column).unwrap_or_default();
        rest = match (letters, digits) {
            ("", "") => {
                tokens.push(CellToken::Sign(first));
                after_first(rest)
            }
            ("", digits) => {
                tokens.push(CellToken::Number(digits));
                behind
            }
            (_, "") => {
                tokens.push(CellToken::Word(letters));
                after
            }
            (_, digits) => {
                if !word.is_empty() {
                    tokens.push(CellToken::Word(word));
                }
                tokens.push(CellToken::Cell(format!("{column}{digits}")));
                behind
            }
        }
        .trim_start();
    }
    tokens
}

/// The cells of a move, as far as they were typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedCells<C> {
    One(C),
    Two(C, C),
}

/// A game whose moves go from one cell to another. [`TwoCells::read`] then reads them however people write them; one
/// cell is enough where only one move ends there, and otherwise what can follow is listed. `examples/own_game.rs` uses it, and
/// so does Phwar:
///
/// ```
/// use parlor::game::cells::TwoCells;
/// use parlor::game::{Game, NotationError, OptionValues, Seat, Seed};
/// use parlor::games::phwar::Phwar;
///
/// let options = OptionValues::defaults(Phwar::META.options);
/// let game = Phwar::new(&options, 2, &mut Seed::from_text("cells").at(0));
/// let white = Seat::new(0);
/// for typed in ["F3-F5", "f3 f5", "from F3 to F5"] {
///     assert_eq!(game.read(white, typed).unwrap().to_string(), "F3-F5");
/// }
/// // Where the particle on F3 should go is asked.
/// let Err(NotationError::Incomplete { ask, choices }) = game.read(white, "f3") else { panic!() };
/// assert!(ask.starts_with("Where should the"), "{ask}");
/// assert!(choices.contains(&"F3-F5".to_owned()));
/// ```
pub trait TwoCells: Game {
    type Cell: Copy + Eq + Display;

    /// What a move looks like, as a sentence with an example.
    const HINT: &'static str;
    /// What stands on cells, in plain words: "particle", and several of them: "particles".
    const PIECE: &'static str;
    const PIECES: &'static str;
    /// Words that people write with a move and that change nothing: `slide`. Those of every game, such as `from` and
    /// `takes`, need not be told.
    const VERBS: &'static [&'static str] = &[];

    /// The cell of this name, in small letters, or a refusal that says which cells there are.
    fn cell(&self, name: &str) -> Result<Self::Cell, NotationError>;

    /// Where an action starts and ends; nothing for one that is not a move, and the same cell twice for one that a single
    /// cell says all of.
    fn ends(&self, action: &Self::Action) -> Option<(Self::Cell, Self::Cell)>;

    /// What stands on a cell, to be asked where it shall go.
    fn piece_on(&self, cell: Self::Cell) -> &'static str {
        let _ = cell;
        Self::PIECE
    }

    /// Why no legal action fits, in whole sentences, with the way out.
    fn why_not(&self, seat: Seat, typed: TypedCells<Self::Cell>) -> String;

    /// The move that a text means.
    fn read(&self, seat: Seat, text: &str) -> Result<Self::Action, NotationError> {
        let typed = typed(self, text)?;
        let legal = self.legal_actions(seat);
        let fitting = |test: &dyn Fn(Self::Cell, Self::Cell) -> bool| -> Vec<Self::Action> {
            let fits = |action: &&Self::Action| self.ends(action).is_some_and(|(from, to)| test(from, to));
            legal.iter().filter(fits).cloned().collect()
        };
        let notate = |action: &Self::Action| self.notate(seat, action);
        let found = match typed {
            TypedCells::Two(start, goal) => fitting(&|from, to| (from, to) == (start, goal)),
            TypedCells::One(cell) => fitting(&|_, to| to == cell),
        };
        let several = || match typed {
            TypedCells::One(cell) => format!("Several of your {} can go to {cell}. Which one?", Self::PIECES),
            TypedCells::Two(from, to) => format!("There are several ways from {from} to {to}. Which one?"),
        };
        if let Some(read) = one_of(found, several, notate) {
            return read;
        }
        if let TypedCells::One(cell) = typed {
            let choices: Vec<String> = fitting(&|from, _| from == cell).iter().map(notate).collect();
            if !choices.is_empty() {
                let ask = format!("Where should the {} on {cell} go?", self.piece_on(cell));
                return Err(NotationError::Incomplete { ask, choices });
            }
        }
        Err(NotationError::illegal(self.why_not(seat, typed)))
    }
}

/// Cells with anything between them that people write there.
fn typed<G: TwoCells>(game: &G, text: &str) -> Result<TypedCells<G::Cell>, NotationError> {
    const FILLERS: [&str; 8] = ["move", "from", "captures", "capture", "takes", "take", "to", "x"];
    let mut cells = Vec::new();
    for token in tokens(&text.to_lowercase()) {
        match token {
            CellToken::Cell(name) => cells.push(game.cell(&name)?),
            CellToken::Word(word) if FILLERS.contains(&word) || G::VERBS.contains(&word) => {}
            CellToken::Sign(sign) if "-–—:>→*,.()".contains(sign) => {}
            CellToken::Word(_) | CellToken::Sign(_) | CellToken::Number(_) => {
                return Err(NotationError::unreadable(text, G::HINT));
            }
        }
    }
    match cells[..] {
        [cell] => Ok(TypedCells::One(cell)),
        [from, to] => Ok(TypedCells::Two(from, to)),
        _ => Err(NotationError::unreadable(text, G::HINT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_however_they_are_spaced() {
        let cell = |name: &str| CellToken::Cell(name.to_owned());
        assert_eq!(
            tokens("rd4n"),
            [CellToken::Word("r"), cell("d4"), CellToken::Word("n")]
        );
        assert_eq!(
            tokens(" c 2 - e4"),
            [cell("c2"), CellToken::Sign('-'), cell("e4")]
        );
        assert_eq!(
            tokens("anchor 4"),
            [CellToken::Word("anchor"), CellToken::Number("4")]
        );
        assert_eq!(
            tokens("→é4"),
            [CellToken::Sign('→'), CellToken::Sign('é'), CellToken::Number("4")]
        );
        assert_eq!(tokens("  "), []);
    }
}
