//! The local room over its HTTP API.

mod crowd;
mod doors;
mod guests;
mod matches;
mod page;
mod pictures;
mod queries;
mod secrets;
mod stream;
mod talk;
mod touch;
