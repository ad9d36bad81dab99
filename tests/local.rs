//! The local room over its HTTP API.

mod web;

#[path = "local/doors.rs"]
mod doors;
#[path = "local/page.rs"]
mod page;
#[path = "local/pictures.rs"]
mod pictures;
#[path = "local/secrets.rs"]
mod secrets;
#[path = "local/stream.rs"]
mod stream;
#[path = "local/talk.rs"]
mod talk;
