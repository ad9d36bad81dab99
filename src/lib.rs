//! Phase Parlor.
#![forbid(unsafe_code)]
pub mod board;
pub mod catalog;
pub mod chat;
pub mod draw;
pub mod game;
pub mod games;
pub mod matches;
