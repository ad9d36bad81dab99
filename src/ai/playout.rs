//! Judging a position by playing on.

use crate::game::explore::random_seat;
use crate::game::insight::Plan;
use crate::game::insight::{Chances, chances_of};
use crate::game::{GameRng, Insight, MAX_SEATS, Silent};

/// How many steps a playout may go on past its depth until the position is settled.
const PATIENCE: u32 = 60;

/// Plays on as the plan says and tells what everybody may expect.
pub(super) fn judge<G: Insight>(
    game: &mut G,
    plan: &Plan,
    rng: &mut GameRng,
    buffer: &mut Vec<G::Action>,
) -> Chances {
    let mut steps = 0;
    loop {
        if steps >= plan.depth && (game.is_settled() || steps - plan.depth >= PATIENCE) {
            let judged = match game.outcome() {
                Some(outcome) => Some(chances_of(&outcome)),
                None => game.chances(),
            };
            if let Some(chances) = judged {
                return chances;
            }
        }
        let Some(seat) = random_seat(game.awaiting(), rng) else {
            break;
        };
        let action = if plan.guided > 0.0 && unit(rng) < plan.guided {
            game.hunch(seat, rng, buffer)
        } else {
            game.pick(seat, rng, buffer)
        };
        let Some(action) = action else {
            break;
        };
        game.play(seat, &action, rng, &mut Silent);
        steps += 1;
        if steps >= G::META.bound {
            break;
        }
    }
    match game.outcome() {
        Some(outcome) => chances_of(&outcome),
        // A game that doesn't end within its bound breaks a law; nobody is ahead in it.
        None => [1.0 / f32::from(game.seats().clamp(1, MAX_SEATS)); MAX_SEATS as usize],
    }
}

/// A number from 0 to 1, which it does not reach.
pub(super) fn unit(rng: &mut GameRng) -> f32 {
    (rng.word() >> 40) as f32 / (1u64 << 24) as f32
}
