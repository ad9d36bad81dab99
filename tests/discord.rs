//! The bot on Discord: the program as it is, against a stand-in that is stricter than Discord.
#![cfg(feature = "discord")]
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the stand-in can do more than any one scenario asks of it"
)]

#[path = "discord/driver/mod.rs"]
mod driver;
#[path = "discord/scenarios/mod.rs"]
mod scenarios;
#[path = "discord/standin/mod.rs"]
mod standin;

#[path = "discord/strict/mod.rs"]
mod strict;
