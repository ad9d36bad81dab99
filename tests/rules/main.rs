//! The games: their rules by example, the laws that hold for all of them, pictures, playthroughs, and opponents.

#[path = "../support/program.rs"]
mod program;
#[cfg(feature = "external-tests")]
#[path = "../support/python.rs"]
mod python;
#[path = "../support/mod.rs"]
mod support;

mod ai;
mod breaker;
mod choices;
mod fabric;
mod films;
mod glyphgrid;
mod kernel;
mod lawbreakers;
mod laws;
mod perft;
mod phase;
mod phrases;
mod phwar;
mod pictures;
mod playthroughs;
mod review;
mod spots;
