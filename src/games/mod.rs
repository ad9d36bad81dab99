//! The rules, one folder a game. No game knows another.

pub mod breaker;
pub mod fabric;
pub mod glyphgrid;
pub mod phase;
pub mod phwar;
