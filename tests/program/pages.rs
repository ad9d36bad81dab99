//! The pages of matches over HTTP: who gets in, what they see, and what they can do.

mod attacks;
mod config;
mod hidden;
mod links;
mod shown;
