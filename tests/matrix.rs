//! The Matrix adapter against a real homeserver, with real clients, from outside: Synapse, matrix-sdk, matrix-nio, and the
//! program as an operator runs it. `tests/matrix/set-up` installs what it needs of PyPI.
#![cfg(feature = "matrix")]

mod web;

#[path = "matrix/against.rs"]
mod against;
#[path = "matrix/away.rs"]
mod away;
#[path = "matrix/bot.rs"]
mod bot;
#[path = "matrix/encrypted.rs"]
mod encrypted;
#[path = "matrix/hands.rs"]
mod hands;
#[path = "matrix/independent.rs"]
mod independent;
#[path = "matrix/operator.rs"]
mod operator;
#[path = "matrix/party.rs"]
mod party;
#[path = "matrix/person.rs"]
mod person;
#[path = "matrix/plain.rs"]
mod plain;
#[path = "matrix/proxy.rs"]
mod proxy;
#[path = "matrix/rooms.rs"]
mod rooms;
#[path = "matrix/script.rs"]
mod script;
#[path = "matrix/sessions.rs"]
mod sessions;
#[path = "matrix/synapse.rs"]
mod synapse;
