//! The life of a match.

pub mod record;
