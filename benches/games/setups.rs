//! Which places of GlyphGrid's pieces make it a game. Every formation in which the left half mirrors the right is played by both
//! seats alike; those that come out most even are played on. Not run by itself, since it takes long:
//!
//! ```sh
//! PARLOR_SETUPS="level5@20000 12 60" cargo bench --bench games -- setups
//! ```
//! plays twelve games from each, and sixty from the finalists and the two openings that the game has.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use parlor::ai::Agent;
use parlor::board::square::Square;
use parlor::game::{Awaiting, Game, GameRng, Seat, Seed, Silent};
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::glyphgrid::setup::{Army, Opening, Setup};
use parlor::games::glyphgrid::square::{BOARD, GridSquare};

use crate::share::share;

/// So many go on to the second round.
const FINALISTS: usize = 8;

/// The file of the Cores, in the middle.
const MIDDLE: i8 = BOARD.size / 2;

/// How the games from one set-up went.
struct Trial {
    name: String,
    setup: Setup,
    games: u64,
    /// Of the first seat; a draw is half a win.
    points: f64,
    drawn: u64,
    lengths: Vec<u64>,
    ways: BTreeMap<String, u64>,
}

impl Trial {
    fn new(name: String, setup: Setup) -> Self {
        Self {
            name,
            setup,
            games: 0,
            points: 0.0,
            drawn: 0,
            lengths: Vec::new(),
            ways: BTreeMap::new(),
        }
    }

    /// Plays up to so many games.
    fn play(mut self, player: &Agent, games: u64) -> Self {
        let never = AtomicBool::new(false);
        for number in self.games..games {
            // A stream of chance for the players; GlyphGrid itself has none.
            let mut chance = Seed::from_text(&format!("setups/{number}")).at(0);
            let mut game = GlyphGrid::try_from(self.setup.clone()).expect("a lawful opening");
            let mut steps = 0;
            while let Awaiting::Turn(seat) = game.awaiting() {
                let thought = player.act(&game, seat, chance.word(), &never).expect("an action");
                game.play(seat, &thought.action, &mut GameRng::quick(0), &mut Silent);
                steps += 1;
            }
            let outcome = game.outcome().expect("the end of a game");
            if outcome.is_draw() {
                self.drawn += 1;
                self.points += 0.5;
            } else if outcome.winners().contains(Seat::new(0)) {
                self.points += 1.0;
            }
            self.lengths.push(steps);
            *self.ways.entry(outcome.reason.into_owned()).or_default() += 1;
        }
        self.games = games;
        self.lengths.sort_unstable();
        self
    }

    /// How far from even the seats are, and drawn games besides.
    fn unevenness(&self) -> f64 {
        let games = self.games.max(1) as f64;
        (self.points / games - 0.5).abs() + self.drawn as f64 / games
    }

    fn print(&self) {
        let games = self.games.max(1) as f64;
        let median = self
            .lengths
            .get(self.lengths.len() / 2)
            .copied()
            .unwrap_or_default();
        let ways: Vec<String> = self
            .ways
            .iter()
            .map(|(way, count)| format!("{count} {way}"))
            .collect();
        println!(
            "{:<24} {:>3} games: first {} %, drawn {} %, median {median}; {}",
            self.name,
            self.games,
            share(self.points, games),
            share(self.drawn as f64, games),
            ways.join(", ")
        );
    }
}

/// The Core in the middle of the first rank, and two Shards of the left half with those that mirror them.
fn formations() -> impl Iterator<Item = Trial> {
    let left: Vec<(i8, i8)> = (0..MIDDLE)
        .flat_map(|file| (0..3).map(move |rank| (file, rank)))
        .collect();
    let pairs = (0..left.len()).flat_map(|one| (one + 1..9).map(move |other| (one, other)));
    pairs.collect::<Vec<_>>().into_iter().map(move |(one, other)| {
        let shards = [left[one], left[other]];
        let across = shards.map(|(file, rank)| (BOARD.size - 1 - file, rank));
        let all: Vec<(i8, i8)> = shards.into_iter().chain(across).collect();
        let army = |turn: fn(i8) -> i8| {
            let at = |(file, rank)| GridSquare::at(Square::new(file, turn(rank)));
            Army {
                core: Some(at((MIDDLE, 0))),
                shards: all.iter().map(|&place| at(place)).collect(),
                marks: vec![at((MIDDLE, 0))],
            }
        };
        let sun = army(|rank| rank);
        let name: Vec<String> = sun.shards.iter().map(GridSquare::to_string).collect();
        let setup = Setup {
            moon: army(|rank| BOARD.size - 1 - rank),
            sun,
            ..Setup::opening(Opening::Usual, false)
        };
        Trial::new(name.join(" "), setup)
    })
}

pub fn run() {
    let Ok(order) = std::env::var("PARLOR_SETUPS") else {
        return;
    };
    let words: Vec<&str> = order.split_whitespace().collect();
    let [player, first, last] = words[..] else {
        panic!("PARLOR_SETUPS is PLAYER GAMES GAMES, such as `level5@20000 12 60`");
    };
    let player: Agent = player.parse().expect("a player");
    let [first, last] = [first, last].map(|games| games.parse().expect("a number of games"));
    let mut trials: Vec<Trial> = formations()
        .map(|trial| trial.play(&player, first))
        .inspect(Trial::print)
        .collect();
    trials.sort_by(|one, other| one.unevenness().total_cmp(&other.unevenness()));
    println!("the finalists:");
    for trial in trials.into_iter().take(FINALISTS) {
        trial.play(&player, last).print();
    }
    for opening in [Opening::Usual, Opening::Classic] {
        let trial = Trial::new(
            format!("opening={}", opening.name()),
            Setup::opening(opening, false),
        );
        trial.play(&player, last).print();
    }
}
