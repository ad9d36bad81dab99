//! What is understood, what is answered, and what never happens whatever is typed.

mod room;

#[path = "chat/finding.rs"]
mod finding;
#[path = "chat/meant.rs"]
mod meant;
#[path = "chat/moves.rs"]
mod moves;
#[path = "chat/shown.rs"]
mod shown;
#[path = "chat/strange.rs"]
mod strange;

use parlor::chat::parlor::Request;
use room::player;

/// A line that somebody types in the parlour, under any name.
fn request(who: &str, name: &str, line: &str) -> Request {
    Request {
        who: player(who),
        name: name.to_owned(),
        room: Some(room::room("parlour")),
        event: None,
        about: None,
        locale: None,
        input: room::typed(&player(who), line),
    }
}
