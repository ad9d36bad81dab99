//! Positions drawn as text.
//!
//! Seven rows, rank 7 first; a cell is a piece (`C` `S` of Sun, `c` `s` of Moon, `.` none) and a mark
//! (`+` Sun's, `-` Moon's, `_` none), cells apart by spaces.

use parlor::game::{Awaiting, Game, GameRng, Seat};
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::glyphgrid::piece::Side;
use parlor::games::glyphgrid::setup::{Army, Setup};
use parlor::games::glyphgrid::square::GridSquare;
use parlor::games::glyphgrid::view::Event;

pub const SUN: Seat = Seat::new(0);
pub const MOON: Seat = Seat::new(1);

pub fn square(name: &str) -> GridSquare {
    GridSquare::named(name).expect(name)
}

/// The setup that a drawing shows.
pub fn setup(drawing: &str, to_move: Side) -> Setup {
    let (mut sun, mut moon) = (Army::default(), Army::default());
    let rows: Vec<&str> = drawing
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .collect();
    assert_eq!(rows.len(), 7, "seven ranks");
    for (row, rank) in rows.iter().zip((1..=7).rev()) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells.len(), 7, "seven files in {row}");
        for (cell, file) in cells.iter().zip("abcdefg".chars()) {
            let at = square(&format!("{file}{rank}"));
            let mut signs = cell.chars();
            match signs.next() {
                Some('C') => sun.core = Some(at),
                Some('S') => sun.shards.push(at),
                Some('c') => moon.core = Some(at),
                Some('s') => moon.shards.push(at),
                other => assert_eq!(other, Some('.'), "{cell}"),
            }
            match signs.next() {
                Some('+') => sun.marks.push(at),
                Some('-') => moon.marks.push(at),
                other => assert_eq!(other, Some('_'), "{cell}"),
            }
        }
    }
    Setup {
        swap: false,
        swapped: false,
        sun,
        moon,
        to_move,
        pending: None,
        moves: 20,
        seen: Vec::new(),
        end: None,
    }
}

/// The position that a drawing shows, Sun to move.
pub fn drawn(drawing: &str) -> GlyphGrid {
    GlyphGrid::try_from(setup(drawing, Side::Sun)).expect("a position")
}

/// The drawing of a position.
pub fn draw(game: &GlyphGrid) -> String {
    let setup = Setup::from(game.clone());
    let mut text = String::new();
    for rank in (1..=7).rev() {
        for file in "abcdefg".chars() {
            let at = square(&format!("{file}{rank}"));
            let piece = match at {
                at if setup.sun.core == Some(at) => 'C',
                at if setup.moon.core == Some(at) => 'c',
                at if setup.sun.shards.contains(&at) => 'S',
                at if setup.moon.shards.contains(&at) => 's',
                _ => '.',
            };
            let mark = if setup.sun.marks.contains(&at) {
                '+'
            } else if setup.moon.marks.contains(&at) {
                '-'
            } else {
                '_'
            };
            text.extend([piece, mark, if file == 'g' { '\n' } else { ' ' }]);
        }
    }
    text
}

/// What a drawing says, without its indentation.
pub fn same(drawing: &str) -> String {
    let rows = drawing.lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| format!("{row}\n")).collect()
}

/// Plays actions for whoever is to move, and returns what the last one told.
pub fn play(game: &mut GlyphGrid, actions: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in actions {
        let Awaiting::Turn(seat) = game.awaiting() else {
            panic!("over before {text}: {:?}", game.outcome());
        };
        let (action, rest) = game
            .parse(seat, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((game.notate(seat, &action).as_str(), rest), (*text, ""));
        events = game
            .apply(seat, &action, &mut GameRng::quick(0))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    events
}

/// The legal actions of whoever is to move that contain a text.
pub fn legal(game: &GlyphGrid, part: &str) -> Vec<String> {
    let seats = game.awaiting().seats();
    let mut all = Vec::new();
    for seat in seats.iter() {
        all.extend(
            game.legal_actions(seat)
                .iter()
                .map(|action| game.notate(seat, action)),
        );
    }
    all.retain(|action| action.contains(part));
    all
}

/// How it ended: the winner, if there is one, and why.
pub fn ended(game: &GlyphGrid) -> Option<(Option<Seat>, String)> {
    let outcome = game.outcome()?;
    let winner = (!outcome.is_draw())
        .then(|| outcome.winners().iter().next())
        .flatten();
    Some((winner, outcome.reason.into_owned()))
}
