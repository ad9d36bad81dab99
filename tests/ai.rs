//! Opponents: that the search solves what can be solved, knows what its seat knows and nothing else, and that levels
//! keep what they promise.

mod program;
mod support;

#[path = "ai/arena.rs"]
mod arena;
#[path = "ai/fairness.rs"]
mod fairness;
#[path = "ai/levels.rs"]
mod levels;
#[path = "ai/peeking.rs"]
mod peeking;
#[path = "ai/sketch.rs"]
mod sketch;
#[path = "ai/solved.rs"]
mod solved;
