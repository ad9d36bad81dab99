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
    let mut buffers: Vec<Vec<G::Action>> = (0..depth).map(|_| Vec::new()).collect();
    let mut rng = GameRng::quick(0);
    perft_in(game, depth, &mut rng, &mut buffers)
}

fn perft_in<G: Game>(game: &G, depth: u32, rng: &mut GameRng, buffers: &mut [Vec<G::Action>]) -> u64 {
    let Some((buffer, rest)) = buffers.split_first_mut() else {
        return 1;
    };
    let acting = match game.awaiting() {
        Awaiting::Each(seats) => seats.iter().take(1).collect(),
        awaiting => awaiting.seats(),
    };
    let mut leaves = 0;
    for seat in acting.iter() {
        if depth == 1 {
            leaves += game.count_legal(seat) as u64;
            continue;
        }
        buffer.clear();
        game.legal_into(seat, buffer);
        for action in buffer.iter() {
            let mut after = game.clone();
            after.play(seat, action, rng, &mut Silent);
            leaves += perft_in(&after, depth - 1, rng, rest);
        }
    }
    leaves
}
