//! Everything that is read and said, on every platform alike.
//!
//! [`grammar`] lists the commands; [`command`] reads them from typed text or from fields; [`parlor`] carries
//! them out; [`message`] is what comes back. [`notices`], [`alone`] and [`refusals`] hold the sentences.

pub mod alone;
mod collections;
pub mod command;
pub mod fields;
pub mod grammar;
mod hints;
pub mod house;
pub mod link;
mod lookups;
pub mod message;
pub mod notices;
mod opponent;
pub mod outbox;
pub mod paging;
pub mod parlor;
pub mod refusals;
mod settings;
pub mod suggest;
mod tables;
mod talk;
mod wanted;
