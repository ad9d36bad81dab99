//! Why a move that reads well can't be played, with the way out.

use super::grid::Grid;
use super::piece::{Glyph, Kind, Side};
use super::square::{GridSquare, Squares};
use super::{Action, GlyphGrid};
use crate::game::{Game, Seat};

/// Why `swap` is refused.
pub(super) fn swap(game: &GlyphGrid) -> String {
    if !game.swap {
        "This game is played without `swap`.".to_owned()
    } else if game.swapped {
        "The sides have been swapped already.".to_owned()
    } else {
        "Only the second player may swap, right after the first move.".to_owned()
    }
}

/// Why a glyph can't take a piece from one square to another.
pub(super) fn cast(game: &GlyphGrid, seat: Seat, glyph: Glyph, from: GridSquare, to: GridSquare) -> String {
    if let Some(why) = not_yours(game, seat, from) {
        return why;
    }
    let side = game.side(seat);
    let why = match glyph {
        Glyph::Anchor => anchor(&game.grid, side, from, to),
        _ if from == to => format!("{glyph} moves a piece: name the square it goes to. Only ANCHOR stays."),
        _ if game.grid.pieces(side).contains(to) => format!("Your own piece stands on {to}."),
        Glyph::Pulse => pulse(&game.grid, side, from, to),
        Glyph::Vector if !from.neighbours().contains(to) => {
            format!("VECTOR goes one step, and {to} isn't next to {from}.")
        }
        Glyph::Lance if !from.far().contains(to) => {
            format!("LANCE goes exactly two steps straight or diagonally, and {from} to {to} isn't that.")
        }
        Glyph::Arc if !from.leaps().contains(to) => {
            format!("ARC leaps like a knight, two squares and one to the side; {from} to {to} isn't that.")
        }
        Glyph::Lance if lance_blocked(&game.grid, from, to) => {
            format!("LANCE can't jump: a piece stands between {from} and {to}.")
        }
        Glyph::Vector | Glyph::Lance | Glyph::Arc => shard_prey(to),
    };
    format!("{why}{instead}", instead = instead(game, seat, from, to))
}

/// Why nothing takes a piece from one square to another.
pub(super) fn squares(game: &GlyphGrid, seat: Seat, from: GridSquare, to: GridSquare) -> String {
    if let Some(why) = not_yours(game, seat, from) {
        return why;
    }
    let side = game.side(seat);
    let adjacent = from.neighbours().contains(to);
    if from == to {
        cast(game, seat, Glyph::Anchor, from, to)
    } else if game.grid.pieces(side).contains(to) {
        format!("Your own piece stands on {to}.")
    } else if adjacent && game.grid.occupied().contains(to) {
        format!(
            "{capture} {push}",
            capture = shard_prey(to),
            push = pulse(&game.grid, side, from, to)
        )
    } else if from.far().contains(to) && lance_blocked(&game.grid, from, to) {
        format!("LANCE can't jump: a piece stands between {from} and {to}.")
    } else if game.grid.occupied().contains(to) && (from.far() | from.leaps()).contains(to) {
        shard_prey(to)
    } else {
        format!(
            "No glyph goes from {from} to {to}: VECTOR goes one step, LANCE two in a straight line, ARC leaps like a \
             knight.{reach}",
            reach = from_here(game, seat, from)
        )
    }
}

/// Why nothing of the player's ends on a square that holds no piece of theirs.
pub(super) fn goal(game: &GlyphGrid, seat: Seat, glyph: Option<Glyph>, square: GridSquare) -> String {
    let enemy = game.grid.at(square).filter(|_| game.awaiting().includes(seat));
    match (enemy, glyph) {
        (Some((_, kind)), Some(glyph)) => {
            format!(
                "The {kind} on {square} isn't yours, and none of your pieces can act on it by {glyph} now."
            )
        }
        (Some((_, kind)), None) => {
            format!("The {kind} on {square} isn't yours, and none of your pieces can act on it now.")
        }
        (None, Some(glyph)) => format!("None of your pieces can go to {square} by {glyph} now."),
        (None, None) => format!("None of your pieces can go to {square} now."),
    }
}

fn not_yours(game: &GlyphGrid, seat: Seat, from: GridSquare) -> Option<String> {
    match game.grid.at(from) {
        None => Some(format!("There's no piece on {from}.")),
        Some((side, kind)) if game.owner(side) != seat => Some(format!("The {kind} on {from} isn't yours.")),
        Some(_) => None,
    }
}

fn shard_prey(to: GridSquare) -> String {
    format!("A Shard can capture only the enemy Core by moving onto it, and a Shard stands on {to}.")
}

fn lance_blocked(grid: &Grid, from: GridSquare, to: GridSquare) -> bool {
    let between = from.neighbours() & to.neighbours() & grid.occupied();
    between.iter().any(|square| from.mirrored(square) == Some(to))
}

/// Why PULSE doesn't work from one square on another that is not the player's own.
fn pulse(grid: &Grid, side: Side, from: GridSquare, to: GridSquare) -> String {
    let kind = |square| grid.at(square).map(|(_, kind)| kind);
    match kind(to) {
        _ if !from.neighbours().contains(to) => {
            format!("PULSE pushes an enemy on a neighbouring square, and {to} isn't next to {from}.")
        }
        None => format!("PULSE pushes an enemy, and {to} is empty."),
        Some(Kind::Core) if kind(from) == Some(Kind::Shard) => "A Shard can't PULSE a Core.".to_owned(),
        Some(kind) if grid.marks(side.other()).contains(to) => {
            format!("The {kind} on {to} stands on a mark of its own side, so PULSE can't push it.")
        }
        // A Core or Shard that may be pushed is never refused.
        Some(kind) => format!("PULSE can push the {kind} on {to}."),
    }
}

fn anchor(grid: &Grid, side: Side, from: GridSquare, to: GridSquare) -> String {
    if from == to {
        return format!(
            "Your mark is on {to} already.{claims}",
            claims = claims(grid, side, from)
        );
    }
    if !from.neighbours().contains(to) {
        format!("ANCHOR claims a neighbouring square, and {to} isn't next to {from}.")
    } else if grid.occupied().contains(to) {
        format!("ANCHOR claims only empty squares, and a piece stands on {to}.")
    } else {
        format!(
            "ANCHOR steps only onto an enemy's mark, and there is none on {to}. To mark {from} itself, type `anchor {from}`."
        )
    }
}

fn claims(grid: &Grid, side: Side, from: GridSquare) -> String {
    let open: Squares = (from.neighbours() & grid.marks(side.other())) - grid.occupied();
    match open.first() {
        Some(square) => format!(" It could claim {square}: `anchor {from}-{square}`."),
        None => String::new(),
    }
}

/// What the same two squares do allow; starts with a space.
fn instead(game: &GlyphGrid, seat: Seat, from: GridSquare, to: GridSquare) -> String {
    let fitting = game.legal_actions(seat).into_iter().filter(|action| {
        action
            .parts()
            .is_some_and(|(_, start, goal)| (start, goal) == (from, to))
    });
    let names: Vec<String> = fitting.map(|action| format!("`{action}`")).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" {moves} is possible.", moves = names.join(" or "))
    }
}

/// Where a piece can go; starts with a space.
fn from_here(game: &GlyphGrid, seat: Seat, from: GridSquare) -> String {
    let goals: Squares = game
        .legal_actions(seat)
        .iter()
        .copied()
        .filter_map(Action::parts)
        .filter(|&(_, start, goal)| start == from && goal != from)
        .map(|(_, _, goal)| goal)
        .collect();
    let names: Vec<String> = goals.iter().map(|square| square.to_string()).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" From there it can reach {squares}.", squares = names.join(", "))
    }
}
