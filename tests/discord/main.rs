//! The bot on Discord: the program as it is, against a stand-in that is stricter than Discord.
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the stand-in can do more than any one scenario asks of it"
)]

#[path = "../web/mod.rs"]
mod web;

mod driver;
mod scenarios;
mod standin;
mod strict;
