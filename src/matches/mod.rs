//! The life of a match.

pub mod attend;
pub mod change;
pub mod clock;
pub mod code;
pub mod consent;
pub mod delivery;
pub mod entropy;
pub mod export;
pub mod gather;
pub mod home;
pub mod house;
pub mod lists;
pub mod lock;
pub mod moves;
pub mod people;
pub mod port;
pub mod record;
pub mod refusal;
pub mod service;
pub mod shelf;
pub mod state;
pub mod time;
