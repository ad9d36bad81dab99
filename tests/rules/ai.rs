//! Opponents: that the search solves what can be solved, knows what its seat knows and nothing else, and that levels
//! keep what they promise.

mod arena;
mod fairness;
mod levels;
mod minimax;
mod peeking;
mod sketch;
mod solved;
