//! Walking through a game without players: random playouts and perft.

use super::{Awaiting, Game, GameRng, Seat, Silent};

/// Plays random legal actions to the end and returns how many there were. Stops after the game's own
/// bound, so that a game with a flaw can't hang its caller.
pub fn playout<G: Game>(game: &mut G, rng: &mut GameRng) -> u32 {
    let mut buffer = Vec::new();
    let mut steps = 0;
    while let Some(seat) = random_seat(game.awaiting(), rng) {
        let Some(action) = game.pick(seat, rng, &mut buffer) else {
            break;
        };
        game.play(seat, &action, rng, &mut Silent);
        steps += 1;
        if steps >= G::META.bound {
            break;
        }
    }
    steps
}

/// The seat that acts next in a random game: for an open window any of those who may.
pub fn random_seat(awaiting: Awaiting, rng: &mut GameRng) -> Option<Seat> {
    match awaiting {
        Awaiting::Turn(seat) => Some(seat),
        Awaiting::Each(seats) => seats.iter().next(),
        Awaiting::Any(seats) => seats.iter().nth(rng.below(seats.len())),
        Awaiting::Over => None,
    }
}

/// How many sequences of exactly `depth` actions there are. The last action of a sequence is
/// counted, not played. Simultaneous choices are taken in seat order, since they commute; in an open
/// window every seat's actions count. Chance is that of one fixed seed.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    let level = || Level {
        after: game.clone(),
        actions: Vec::new(),
    };
    let mut levels: Vec<Level<G>> = (0..depth).map(|_| level()).collect();
    let mut rng = GameRng::quick(0);
    perft_in(game, &mut rng, &mut levels)
}

/// What perft needs at each depth, made once: asking for memory again and again would take longer than
/// the rules of a fast game.
struct Level<G: Game> {
    actions: Vec<G::Action>,
    after: G,
}

fn perft_in<G: Game>(game: &G, rng: &mut GameRng, levels: &mut [Level<G>]) -> u64 {
    let Some((level, deeper)) = levels.split_first_mut() else {
        return 1;
    };
    let acting = match game.awaiting() {
        Awaiting::Each(seats) => seats.iter().take(1).collect(),
        awaiting => awaiting.seats(),
    };
    let mut leaves = 0;
    for seat in acting.iter() {
        if deeper.is_empty() {
            leaves += game.count_legal(seat) as u64;
            continue;
        }
        level.actions.clear();
        game.legal_into(seat, &mut level.actions);
        for action in &level.actions {
            level.after.clone_from(game);
            level.after.play(seat, action, rng, &mut Silent);
            leaves += perft_in(&level.after, rng, deeper);
        }
    }
    leaves
}
