//! Phase Parlor.
pub mod board;
pub mod game;
pub mod games;
