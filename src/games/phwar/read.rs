//! Reading a typed move: what was written first, whether it is legal second.

use super::cell::Cell;
use super::{Action, Phwar};
use crate::game::cells::{TwoCells, TypedCells};
use crate::game::{Game, NotationError, Seat};

pub(super) fn read(game: &Phwar, seat: Seat, text: &str) -> Result<Action, NotationError> {
    if !text.trim().eq_ignore_ascii_case("pass") {
        return TwoCells::read(game, seat, text);
    }
    let must_move = "You can pass only when you can't move, and you can.";
    let passes = game.is_legal(seat, &Action::Pass);
    passes
        .then_some(Action::Pass)
        .ok_or_else(|| NotationError::illegal(must_move))
}

impl TwoCells for Phwar {
    type Cell = Cell;

    const HINT: &'static str = "A move is two cells, such as `F2-F5`; a capture can be written `F2xF5`.";
    const PIECE: &'static str = "particle";
    const PIECES: &'static str = "particles";
    const VERBS: &'static [&'static str] = &["slide"];

    fn cell(&self, name: &str) -> Result<Cell, NotationError> {
        Cell::named(name).ok_or_else(|| {
            NotationError::illegal(format!(
                "There's no cell {name}. Columns run from A to K; the row numbers are on the board.",
                name = name.to_uppercase()
            ))
        })
    }

    fn ends(&self, action: &Action) -> Option<(Cell, Cell)> {
        action.cells()
    }

    fn piece_on(&self, cell: Cell) -> &'static str {
        self.field
            .at(cell)
            .map_or(Self::PIECE, |particle| particle.kind().name())
    }

    fn why_not(&self, seat: Seat, typed: TypedCells<Cell>) -> String {
        match typed {
            TypedCells::One(cell) => match self.field.at(cell) {
                Some(particle) if particle.seat == seat => stuck(self, seat, cell),
                Some(_) => why_not_captured(self, seat, cell),
                None => format!(
                    "None of your particles can go to {cell} now.{captures}",
                    captures = must_capture(self, seat)
                ),
            },
            TypedCells::Two(from, to) => why_not_two(self, seat, from, to),
        }
    }
}

fn why_not_two(game: &Phwar, seat: Seat, from: Cell, to: Cell) -> String {
    match (game.field.at(from), game.field.at(to)) {
        (None, _) => format!("There's no particle on {from}."),
        (Some(particle), _) if particle.seat != seat => format!("The particle on {from} isn't yours."),
        (_, Some(target)) if target.seat == seat => format!("Your own particle is on {to}."),
        (_, Some(target)) if game.field.captures_of(target, seat) == 0 => why_not_captured(game, seat, to),
        (_, Some(_)) => format!(
            "The particle on {from} isn't in line of sight of {to}.{captures}",
            captures = must_capture(game, seat)
        ),
        (Some(_), None) if game.victims(seat).next().is_some() => {
            must_capture(game, seat).trim_start().to_owned()
        }
        (Some(_), None) => cannot_reach(game, seat, from, to),
    }
}

fn cannot_reach(game: &Phwar, seat: Seat, from: Cell, to: Cell) -> String {
    let goals: Vec<String> = game
        .legal_actions(seat)
        .into_iter()
        .filter_map(Action::cells)
        .filter(|&(start, _)| start == from)
        .map(|(_, goal)| goal.to_string())
        .collect();
    let kind = game.piece_on(from);
    if goals.is_empty() {
        return format!("The {kind} on {from} is shut in and can't move.");
    }
    format!(
        "The {kind} on {from} can't slide to {to}: it goes in a straight line over empty cells. It can reach {goals}.",
        goals = goals.join(", ")
    )
}

fn stuck(game: &Phwar, seat: Seat, cell: Cell) -> String {
    let must = must_capture(game, seat);
    if must.is_empty() {
        format!("Your particle on {cell} is shut in and can't move.")
    } else {
        format!("Your particle on {cell} can't capture.{must}")
    }
}

/// The reason why an enemy is safe, by the two conditions of a capture.
fn why_not_captured(game: &Phwar, seat: Seat, cell: Cell) -> String {
    let own = game
        .field
        .in_sight(cell)
        .filter(|particle| particle.seat == seat)
        .count();
    let charge: i8 = game
        .field
        .in_sight(cell)
        .map(|particle| particle.kind().charge())
        .sum();
    let must = must_capture(game, seat);
    match own {
        0 => format!(
            "The particle on {cell} is safe: a capture needs two of your particles in its line of sight, and there is \
             none.{must}"
        ),
        1 => format!(
            "The particle on {cell} is safe: a capture needs two of your particles in its line of sight, and there is \
             one.{must}"
        ),
        _ => format!(
            "The particle on {cell} is safe: the charges in its line of sight add up to {charge:+}, and a capture \
             needs 0.{must}"
        ),
    }
}

/// A reminder that captures are compulsory, if there are any; starts with a space.
fn must_capture(game: &Phwar, seat: Seat) -> String {
    let mut captures = Vec::new();
    game.captures_into(seat, &mut captures);
    if captures.is_empty() || !game.awaiting().includes(seat) {
        return String::new();
    }
    captures.sort_unstable();
    let names: Vec<String> = captures.iter().map(Action::to_string).collect();
    format!(" You must capture: {cells}.", cells = names.join(", "))
}
