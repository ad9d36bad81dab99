//! The life of a match.

pub mod port;
pub mod record;
pub mod time;
