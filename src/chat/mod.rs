//! Everything that is read and said, on every platform alike.
//!
//! [`grammar`] lists the commands; [`command`] reads them from typed text or from fields; [`parlor`] carries
//! them out; [`message`] is what comes back. [`outbox`] delivers what has to be said besides.
//!
//! Sentences stand where they are needed: in `tables` for commands that change a match, in `help`, `lookups`, `hints` and
//! `collections` for those that only look or build lists, in `settings` and [`community`] for what people choose, in
//! [`refusals`] for what can't be done, in [`notices`] for deliveries, and in [`alone`] for the way to a private word.

pub mod alone;
mod collections;
pub mod command;
pub mod community;
pub mod fields;
pub mod grammar;
mod help;
mod hints;
pub mod link;
mod lookups;
pub mod message;
pub mod notices;
pub mod opponent;
pub mod outbox;
pub mod paging;
pub mod parlor;
mod pictures;
pub mod refusals;
mod settings;
pub mod suggest;
mod tables;
mod talk;
mod wanted;
