//! The rules, one folder a game. No game knows another.

pub mod breaker;
pub mod glyphgrid;
pub mod phwar;
