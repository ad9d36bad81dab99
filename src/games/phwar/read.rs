//! Reading a typed move: what was written first, whether it is legal second.

use super::cell::Cell;
use super::{Action, Phwar};
use crate::game::{Game, NotationError, Seat};

const HINT: &str = "A move is two cells, such as `F2-F5`; a capture can be written `F2xF5`.";

/// What the text says, legal or not.
enum Spoken {
    Pass,
    One(Cell),
    Two(Cell, Cell),
}

pub(super) fn read(game: &Phwar, seat: Seat, text: &str) -> Result<Action, NotationError> {
    match syntax(text)? {
        Spoken::Pass => pass(game, seat),
        Spoken::One(cell) => one_cell(game, seat, cell),
        Spoken::Two(from, to) => two_cells(game, seat, from, to),
    }
}

/// Cells with anything between them that people write there.
fn syntax(text: &str) -> Result<Spoken, NotationError> {
    let unreadable = || NotationError::unreadable(text, HINT);
    let lower = text.to_lowercase();
    if lower.trim() == "pass" {
        return Ok(Spoken::Pass);
    }
    let mut cells = Vec::new();
    let mut rest = lower.as_str();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "-–—:>→*,.()".contains(c));
        let Some(first) = rest.chars().next() else { break };
        let digits = rest[first.len_utf8()..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        if digits > 0 && first.is_ascii_alphabetic() {
            let (name, after) = rest.split_at(1 + digits);
            let cell = Cell::named(name).ok_or_else(|| {
                NotationError::illegal(format!(
                    "There is no cell {}: columns go from A to K, and the picture shows their numbers.",
                    name.to_uppercase()
                ))
            })?;
            cells.push(cell);
            rest = after;
            continue;
        }
        const FILLERS: [&str; 8] = ["move", "slide", "captures", "capture", "takes", "take", "to", "x"];
        rest = FILLERS
            .iter()
            .find_map(|filler| rest.strip_prefix(filler))
            .ok_or_else(unreadable)?;
    }
    match cells[..] {
        [cell] => Ok(Spoken::One(cell)),
        [from, to] => Ok(Spoken::Two(from, to)),
        _ => Err(unreadable()),
    }
}

fn pass(game: &Phwar, seat: Seat) -> Result<Action, NotationError> {
    if game.is_legal(seat, &Action::Pass) {
        Ok(Action::Pass)
    } else {
        Err(NotationError::illegal(
            "You can pass only when you have no move, and you have some.",
        ))
    }
}

fn one_cell(game: &Phwar, seat: Seat, cell: Cell) -> Result<Action, NotationError> {
    let legal = game.legal_actions(seat);
    let ending = |action: &&Action| action.cells().is_some_and(|(_, to)| to == cell);
    let arriving: Vec<Action> = legal.iter().filter(ending).copied().collect();
    match arriving[..] {
        [action] => return Ok(action),
        [_, _, ..] => {
            return Err(NotationError::Ambiguous {
                ask: format!("Several of your particles can go to {cell}. Which one?"),
                choices: arriving.iter().map(Action::to_string).collect(),
            });
        }
        [] => {}
    }
    let starting = |action: &&Action| action.cells().is_some_and(|(from, _)| from == cell);
    let choices: Vec<String> = legal.iter().filter(starting).map(Action::to_string).collect();
    if choices.is_empty() {
        let why = match game.field.at(cell) {
            Some(particle) if particle.seat == seat => stuck(game, seat, cell),
            Some(_) => why_not_captured(game, seat, cell),
            None => format!(
                "None of your particles can go to {cell} now.{}",
                must_capture(game, seat)
            ),
        };
        return Err(NotationError::illegal(why));
    }
    let kind = game
        .field
        .at(cell)
        .map_or("particle", |particle| particle.kind().name());
    Err(NotationError::Incomplete {
        ask: format!("Where shall the {kind} on {cell} go?"),
        choices,
    })
}

fn two_cells(game: &Phwar, seat: Seat, from: Cell, to: Cell) -> Result<Action, NotationError> {
    let legal = game.legal_actions(seat);
    if let Some(&action) = legal.iter().find(|action| action.cells() == Some((from, to))) {
        return Ok(action);
    }
    let why = match (game.field.at(from), game.field.at(to)) {
        (None, _) => format!("There is no particle on {from}."),
        (Some(particle), _) if particle.seat != seat => format!("The particle on {from} isn't yours."),
        (_, Some(target)) if target.seat == seat => format!("Your own particle is on {to}."),
        (_, Some(target)) if game.field.captures_of(target, seat) == 0 => why_not_captured(game, seat, to),
        (_, Some(_)) => format!(
            "The particle on {from} isn't in line of sight of {to}.{}",
            must_capture(game, seat)
        ),
        (Some(_), None) if game.victims(seat).next().is_some() => {
            must_capture(game, seat).trim_start().to_owned()
        }
        (Some(_), None) => cannot_reach(game, from, to, &legal),
    };
    Err(NotationError::illegal(why))
}

fn cannot_reach(game: &Phwar, from: Cell, to: Cell, legal: &[Action]) -> String {
    let goals: Vec<String> = legal
        .iter()
        .filter_map(|action| action.cells())
        .filter(|&(start, _)| start == from)
        .map(|(_, goal)| goal.to_string())
        .collect();
    let kind = game
        .field
        .at(from)
        .map_or("particle", |particle| particle.kind().name());
    if goals.is_empty() {
        return format!("The {kind} on {from} is shut in and can't move.");
    }
    format!(
        "The {kind} on {from} can't slide to {to}: it goes in a straight line over empty cells. It can reach {}.",
        goals.join(", ")
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
    if own < 2 {
        format!(
            "The particle on {cell} is safe: a capture needs two of your particles in its line of sight, and \
             there {}.{must}",
            if own == 1 { "is one" } else { "is none" }
        )
    } else {
        format!(
            "The particle on {cell} is safe: the charges in its line of sight add up to {charge:+}, and a capture \
             needs 0.{must}"
        )
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
    format!(" You must capture: {}.", names.join(", "))
}
