//! The local room over its HTTP API.

mod doors;
mod page;
mod pictures;
mod secrets;
mod stream;
mod talk;
