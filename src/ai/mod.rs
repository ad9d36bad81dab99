//! Opponents: what the bot plays when it takes a seat.
//!
//! [`think`] is given a position, a seat and an [`Errand`], and answers with a [`Thought`]. It knows what its seat
//! knows and nothing else: all that it looks at are worlds from [`Game::determinize`].
//!
//! [`mod@search`] is the search for all games, [`mod@look_ahead`] another for open games of two; [`agent`] all players there are by their names. How a level goes about a game is a
//! [`Plan`], which the game itself draws up, together with what it knows of playing well
//! ([`Insight`]).
//!
//! [`Game::determinize`]: crate::game::Game::determinize
//! [`Plan`]: crate::game::insight::Plan

pub mod agent;
pub mod level;
pub mod look_ahead;
mod playout;
pub mod search;
mod tree;

use std::sync::atomic::AtomicBool;

pub use agent::Agent;
pub use level::Level;

use crate::game::insight::Plan;
use crate::game::{Insight, Seat};

/// A position in which a seat looks for an action, and how it goes about that.
#[derive(Debug)]
pub struct SearchTask<'a, G: Insight> {
    pub game: &'a G,
    pub seat: Seat,
    /// Nothing else is thought of at first; all legal actions are, if none are named.
    pub among: Option<&'a [G::Action]>,
    pub plan: &'a Plan,
    /// Its chance.
    pub seed: u64,
    /// Set from outside when nobody waits for the answer any more.
    pub stop: &'a AtomicBool,
}

// Not derived: a task is copied, and not the game in it.
impl<G: Insight> Clone for SearchTask<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Insight> Copy for SearchTask<'_, G> {}

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
    Agent::level(errand.level).act(game, seat, errand.seed, errand.stop)
}
