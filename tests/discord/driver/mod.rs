//! A small world for scenarios: a town with a bot in it, people who use it, and places where they meet.

pub mod boards;
pub mod hands;
pub mod house;
pub mod people;
pub mod places;
pub mod program;
pub mod town;

pub use people::User;
pub use places::Place;
pub use town::Town;
