//! Everything that is read and said, on every platform alike.
//!
//! [`grammar`] lists the commands; [`command`] reads them from typed text or from fields; [`parlor`] carries
//! them out; [`message`] is what comes back. [`outbox`] delivers what has to be said besides.
//!
//! Each family of commands has a file that carries them out, sentences and all: `start` begins matches, `play` plays,
//! `agree` does what needs the others' consent, `look` shows, `details` tells how a match is set up, `replays` shows it again, `catching_up` what somebody has missed of it, `reviews` tells what the bot says of it, `notes` keeps what players write down,
//! `learn` explains, `meaning` finds out what a line means that names no command, `target` which match is meant, [`touch`] what
//! touched pictures mean, `links` gives links to the pages of matches and [`pages`] tells what stands on them, `collect` builds lists; `hints` puts hints
//! into words, [`settings`] and [`community`] keep what people choose. Other sentences are in
//! [`refusals`] for what can't be done, in [`notices`] for deliveries, and in [`alone`] for the way to a private word.

mod agree;
pub mod alone;
mod catching_up;
mod collect;
pub mod command;
pub mod community;
mod details;
pub mod fields;
pub mod grammar;
mod hints;
mod learn;
pub mod link;
mod links;
mod look;
mod meaning;
pub mod message;
mod notes;
pub mod notices;
pub mod opponent;
pub mod outbox;
pub mod pages;
pub mod paging;
pub mod parlor;
mod pictures;
mod play;
pub mod refusals;
mod replays;
mod reviews;
mod rules;
pub mod settings;
pub mod shorthand;
mod start;
pub mod suggest;
mod talk;
mod target;
pub mod touch;
mod wanted;
