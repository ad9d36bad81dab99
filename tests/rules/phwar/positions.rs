//! Positions as text: `n F1, e E5 / n F11, p H7` is one army a seat.

use parlor::game::{Awaiting, Game, GameRng, NotationError, Outcome, Seat, Told};
use parlor::games::phwar::cell::Cell;
use parlor::games::phwar::particle::Kind;
use parlor::games::phwar::setup::{Army, Setup};
use parlor::games::phwar::view::Event;
use parlor::games::phwar::{Action, Phwar};

/// The setup that a text describes; seat 1 is to move, without the centre rule.
pub fn setup(text: &str) -> Setup {
    Setup {
        armies: text.split('/').map(army).collect(),
        ..Setup::opening(2, false)
    }
}

fn army(text: &str) -> Army {
    let particles = text.split(',').map(|particle| {
        let (kind, cell) = particle.trim().split_once(' ').unwrap();
        let kind = match kind {
            "e" => Kind::Electron,
            "p" => Kind::Positron,
            "n" => Kind::Neutron,
            other => panic!("no particle is called {other}"),
        };
        (kind, Cell::named(cell).unwrap())
    });
    Army::of(particles).unwrap()
}

pub fn build(setup: Setup) -> Phwar {
    Phwar::try_from(setup).unwrap()
}

/// The position of a text with this seat to move.
pub fn position(text: &str, to_move: Seat) -> Phwar {
    build(Setup {
        to_move,
        ..setup(text)
    })
}

/// The same under the centre rule.
pub fn centred(text: &str, to_move: Seat) -> Phwar {
    build(Setup {
        to_move,
        centre: true,
        ..setup(text)
    })
}

pub fn mover(game: &Phwar) -> Seat {
    match game.awaiting() {
        Awaiting::Turn(seat) => seat,
        other => panic!("nobody is to move: {other:?}"),
    }
}

/// The legal actions of whoever is to move.
pub fn legal(game: &Phwar) -> Vec<String> {
    game.legal_actions(mover(game))
        .iter()
        .map(Action::to_string)
        .collect()
}

/// Reads what the player to move typed.
pub fn read(game: &Phwar, text: &str) -> Result<String, NotationError> {
    let (action, rest) = game.parse(mover(game), text)?;
    assert_eq!(rest, "");
    assert!(
        game.is_legal(mover(game), &action),
        "{action} was read from `{text}` and is not legal"
    );
    Ok(action.to_string())
}

/// The sentence with which a text is refused.
pub fn refusal(game: &Phwar, text: &str) -> String {
    match read(game, text) {
        Ok(action) => panic!("`{text}` should be refused and was read as {action}"),
        Err(error) => error.to_string(),
    }
}

/// Plays what is typed and returns what is told.
pub fn play(game: &mut Phwar, text: &str) -> Vec<Event> {
    let seat = mover(game);
    let (action, _) = game
        .parse(seat, text)
        .unwrap_or_else(|error| panic!("`{text}`: {error}"));
    assert!(game.is_legal(seat, &action), "`{text}` is not legal");
    let mut told = Told::new();
    game.play(seat, &action, &mut GameRng::quick(0), &mut told);
    told.events
}

pub fn outcome(game: &Phwar) -> Option<(Vec<u8>, String)> {
    game.outcome()
        .map(|Outcome { ranks, reason }| (ranks, reason.into_owned()))
}
