//! Positions drawn as text, and short ways to ask about them.

use parlor::game::{Game, GameRng, Seat, Seed, Viewer, sentence::play_sentence};
use parlor::games::fabric::Fabric;
use parlor::games::fabric::cell::Cell;
use parlor::games::fabric::piece::{Facing, Piece};
use parlor::games::fabric::setup::{Setup, Standing};
use parlor::games::fabric::view::{Event, View};

pub const ONE: Seat = Seat::new(0);
pub const TWO: Seat = Seat::new(1);

/// A position, north at the top. `..` is an empty cell; a piece is its sign (`A`, `P`, or `^ > v <`
/// for a Relay) and the number of its owner. Seat 1 is to move.
pub fn drawn(rows: &str) -> Setup {
    let rows: Vec<Vec<&str>> = rows
        .lines()
        .map(|row| row.split_whitespace().collect())
        .filter(|row: &Vec<&str>| !row.is_empty())
        .collect();
    let size = rows.len() as u8;
    let mut setup = Setup::opening(size, 500);
    for (row, rank) in rows.iter().zip((0..size).rev()) {
        assert_eq!(row.len(), rows.len(), "the board is square");
        for (sign, file) in row.iter().zip(0..) {
            let piece = match &sign[..1] {
                "." => continue,
                "A" => Piece::Anchor,
                "P" => Piece::Prism,
                "^" => Piece::Relay(Facing::North),
                ">" => Piece::Relay(Facing::East),
                "v" => Piece::Relay(Facing::South),
                "<" => Piece::Relay(Facing::West),
                other => panic!("what is {other}?"),
            };
            let number: u8 = sign[1..].parse().expect("an owner");
            setup.pieces.push(Standing {
                cell: Cell::at(file, rank),
                seat: Seat::numbered(number, 2).expect("seat 1 or 2"),
                piece,
            });
        }
    }
    setup.pieces.sort_unstable();
    setup.placed = 100;
    setup
}

pub fn position(rows: &str) -> Fabric {
    Fabric::try_from(drawn(rows)).expect("a good position")
}

pub fn empty() -> Fabric {
    Fabric::try_from(Setup::opening(8, 500)).expect("the opening")
}

pub fn cell(name: &str) -> Cell {
    Cell::named(name).expect("a cell")
}

pub fn look(game: &Fabric) -> View {
    game.view(Viewer::Public)
}

pub fn energy(game: &Fabric, name: &str) -> u8 {
    look(game).energy_at(cell(name))
}

/// The cells with energy, as `d4=1 d5=2`.
pub fn charged(game: &Fabric) -> String {
    let view = look(game);
    let charged = view.cells().filter(|&cell| view.energy_at(cell) > 0);
    let named: Vec<String> = charged
        .map(|cell| format!("{cell}={}", view.energy_at(cell)))
        .collect();
    named.join(" ")
}

/// The pieces left, as `A1 d4`.
pub fn pieces(game: &Fabric) -> Vec<String> {
    let view = look(game);
    let written = |piece: &parlor::games::fabric::view::PieceView| {
        format!("{}{} {}", piece.piece.kind().letter(), piece.seat, piece.cell)
    };
    view.pieces.iter().map(written).collect()
}

/// Plays one placement of the player to move and returns what was told.
pub fn play(game: &mut Fabric, action: &str) -> Vec<Event> {
    let seat = game.awaiting().seats().iter().next().expect("somebody to move");
    let sentence = play_sentence(game, seat, action, &Seed::from_text("x"), 1).expect(action);
    assert_eq!(sentence.notations, [action]);
    *game = sentence.game;
    sentence.told.events
}

pub fn rng() -> GameRng {
    GameRng::quick(1)
}
