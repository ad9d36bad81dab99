//! The Matrix adapter against a real homeserver, with real clients, from outside: Synapse, matrix-sdk, matrix-nio, and the
//! program as an operator runs it. `tests/matrix/set-up` installs what it needs of PyPI.
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the stand-in for Discord can do more than is asked of it here"
)]

#[cfg(feature = "discord")]
#[path = "../discord/driver/mod.rs"]
mod driver;
#[cfg(feature = "discord")]
#[path = "../discord/standin/mod.rs"]
mod standin;
#[path = "../web/mod.rs"]
mod web;

mod abreast;
mod against;
mod away;
mod bot;
#[cfg(feature = "discord")]
mod crossplay;
mod encrypted;
mod hands;
mod homes;
mod independent;
mod links;
mod no_dead_ends;
mod operator;
mod party;
mod person;
mod pictures;
mod plain;
mod proxy;
mod rooms;
mod script;
mod sessions;
mod synapse;
mod turns;
