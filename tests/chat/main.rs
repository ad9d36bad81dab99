//! Chat without a platform: what is understood, what is answered, what never happens whatever is typed, and whole matches
//! between people and bots, with their clocks and deliveries.

#[path = "../support/frames.rs"]
mod frames;
#[path = "../room/mod.rs"]
mod room;

mod bots;
mod called;
mod catching_up;
mod clocks;
mod collections;
mod finding;
mod folding;
mod journeys;
mod links;
mod meant;
mod moves;
mod notes;
mod openings;
mod outages;
mod outbox;
mod phase_matches;
mod picking;
mod quiet;
mod replays;
mod reviews;
mod several;
mod shown;
mod strange;
mod talk;
mod together;
mod what_if;

use parlor::chat::parlor::Request;
use room::player;

/// A line that somebody types in the parlour, under any name.
fn request(who: &str, name: &str, line: &str) -> Request {
    Request {
        who: player(who),
        name: name.to_owned(),
        room: Some(room::room("parlour")),
        event: None,
        gone: Vec::new(),
        about: None,
        locale: None,
        input: room::typed(&player(who), line),
    }
}
