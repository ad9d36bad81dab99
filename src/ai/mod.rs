//! Opponents: what the bot plays when it takes a seat.
//!
//! [`think`] is given a position, a seat and an [`Errand`], and answers with a [`Thought`]. It knows what its seat
//! knows and nothing else: all that it looks at are worlds from [`Game::determinize`].

pub mod level;

use std::sync::atomic::AtomicBool;

pub use level::Level;

use crate::game::{Game, GameRng, Insight, Seat};

/// What is asked of a player made of code.
#[derive(Clone, Copy, Debug)]
pub struct Errand<'a> {
    pub level: Level,
    /// Its chance: the same position, seed and number of simulations give the same move.
    pub seed: u64,
    /// Set from outside when nobody waits for the answer any more.
    pub stop: &'a AtomicBool,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<A> {
    pub action: A,
    /// What the seat may expect, from 0 (lost) to 1 (won), as far as that was found out.
    pub chances: Option<f32>,
    pub simulations: u64,
}

impl<A> Thought<A> {
    /// The same thought with its action said in another way.
    pub fn map<B>(self, say: impl FnOnce(A) -> B) -> Thought<B> {
        Thought {
            action: say(self.action),
            chances: self.chances,
            simulations: self.simulations,
        }
    }
}

/// What a player of that level does; nothing unless the seat is awaited, or if it was stopped.
pub fn think<G: Insight>(game: &G, seat: Seat, errand: &Errand<'_>) -> Option<Thought<G::Action>> {
    let mut rng = GameRng::quick(errand.seed);
    let action = Game::pick(game, seat, &mut rng, &mut Vec::new())?;
    Some(Thought {
        action,
        chances: None,
        simulations: 0,
    })
}
