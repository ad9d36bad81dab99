//! Boards in a channel, and what they say.

use super::{Place, User};
use crate::standin::model::{Id, Message};

/// The code of the table that a text tells of.
pub fn code_in(text: &str) -> String {
    text.match_indices('#')
        .map(|(at, _)| {
            let rest = text[at + 1..].chars();
            rest.take_while(char::is_ascii_alphanumeric).collect::<String>()
        })
        .find(|code| code.len() >= 4)
        .unwrap_or_else(|| panic!("no code in {text:?}"))
}

pub fn offers(message: &Message, label: &str) -> bool {
    message.buttons().iter().any(|button| button == label)
}

/// Whether a message shows a match that goes on, or its end.
pub fn is_board(message: &Message, code: &str) -> bool {
    // In place of "Move" stands the only move there is.
    let is_turn = ["Move", "My side", "Hint"]
        .iter()
        .any(|label| offers(message, label));
    message.everything().contains(&format!("#{code}")) && (is_turn || offers(message, "Rematch"))
}

/// Waits for the board of a match that came after another message.
pub fn board_after(place: &Place, after: Id, code: &str) -> Message {
    place.wait_after(after, &format!("a board of {code}"), |message| {
        is_board(message, code)
    })
}

/// Waits for the next board of a match: another message, or the same written anew.
pub fn next_board(place: &Place, before: &Message, code: &str) -> Message {
    place.wait_for(&format!("the next board of {code}"), |message| {
        let anew = message.id == before.id && message.revisions.len() > before.revisions.len();
        is_board(message, code) && (message.id > before.id || anew)
    })
}

/// Who is to move, as a board says.
pub fn to_move<'u>(board: &Message, players: &[&'u User]) -> &'u User {
    let text = board.text();
    let found = players.iter().find(|player| calls(&text, player));
    found.unwrap_or_else(|| panic!("nobody is to move: {text}"))
}

/// Whether a text calls somebody to move: a line of it begins with their name and asks.
fn calls(text: &str, player: &User) -> bool {
    let call = format!("{}, ", player.mention());
    text.lines()
        .any(|line| line.starts_with(&call) && line.contains("You have until"))
}
