//! Geometry that games share: where cells are, what they are called, which way is north.

pub mod hex;
pub mod square;
