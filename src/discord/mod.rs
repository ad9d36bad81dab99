//! The parlor on Discord, by slash commands, buttons and menus; no message is ever read.
//!
//! # Who sees what
//! The answer to a command is shown to the asker alone (it is ephemeral); what the command changes is told to the room by
//! the deliveries that it causes. Hands go by private message, and by a button or `/hand` to whoever asks for their own.
//!
//! # Rooms
//! A channel is a room, and so is the talk between a user and the bot. If a server wants it, a match gets a thread under
//! the message by which it begins; the thread stands for the channel, and a command in it means this match. A thread that
//! somebody else made is a room of its own, allowed where its channel is. Where a user has installed the bot for
//! themselves only, it can answer but not speak: their matches are shown in their talk with it, and joined by code.
//!
//! # State
//! Buttons carry commands, so they outlive restarts; see [`component_id`]. What is kept is in [`storage`]. Deliveries
//! carry their key as nonce.
//!
//! ```text
//! connect       reaching Discord, staying connected   rest        requests over HTTPS
//! commands      slash commands from the grammar       options     what was filled in
//! interact      commands, buttons, suggestions        invocation  who said something, and where
//! postman       deliveries                            threads     a thread for each match
//! render        messages within Discord's limits      write       texts in Discord's mark-up
//! card          a turn in one piece                   tidying     which buttons are old
//! tidier        takes old buttons off
//! component_id  what buttons carry                    escape      letters that mean nothing
//! settings      what holds on a server                storage     what is kept
//! errors        what went wrong                       context     what all of these work with
//! limiter       how fast, and what goes first         dms         private talks
//! asked         what is kept until it is answered     closing     why Discord closed a line
//! past_answers  what has nothing more to say          command_links  commands to press
//! ```

mod asked;
mod card;
mod closing;
mod command_links;
mod commands;
pub mod component_id;
mod connect;
mod context;
mod dms;
mod errors;
mod escape;
mod ids;
mod interact;
mod invocation;
mod limiter;
pub mod options;
mod past_answers;
mod postman;
mod render;
mod rest;
mod settings;
mod storage;
mod threads;
mod tidier;
mod tidying;
mod write;

pub use self::closing::listener;
pub use self::connect::connect;
pub use self::postman::DiscordPostman;

/// The name of this platform in the ids of players and rooms.
pub const PLATFORM: &str = "discord";
