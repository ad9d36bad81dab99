//! What people do with the bot, and what befalls it.

mod bots;
mod buttons;
mod closed;
mod gateway;
mod hands;
mod load;
mod matches;
mod menus;
mod names;
mod once;
mod outages;
mod pages;
mod past_answers;
mod places;
mod replays;
mod restarts;
mod servers;
mod slow;
mod starts;

use serde_json::{Value, json};

pub use crate::driver::boards::{board_after, code_in, is_board, next_board, offers, to_move};
use crate::driver::{Place, Town, User};
use crate::standin::model::{Attachment, Id, Message};

/// Challenges somebody and lets everybody accept by button; the code. The host moves first.
pub fn match_of(town: &Town, players: &[&User], game: &str, more: Value) -> String {
    match_in(&town.square, players, game, more)
}

/// The same in another channel.
pub fn match_in(place: &Place, players: &[&User], game: &str, more: Value) -> String {
    let (host, others) = players.split_first().expect("somebody plays");
    let mut options = json!({ "game": game, "seating": "order" });
    for (number, other) in others.iter().enumerate() {
        let name = if number == 0 {
            "player".to_owned()
        } else {
            format!("player{}", number + 1)
        };
        options[name] = json!(other.id_text());
    }
    for (key, value) in more.as_object().into_iter().flatten() {
        options[key] = value.clone();
    }
    let answer = host.at(place).slash("challenge", &options).answer();
    let code = code_in(&answer.text());
    let mut last = 0;
    for other in others {
        let invitation = place.wait_after(last, "an invitation", |message| {
            offers(message, "Accept") && message.everything().contains(&code)
        });
        last = invitation.id;
        let words = other.at(place).press(&invitation, "Accept").words();
        assert!(words.contains(&code), "{words}");
    }
    code
}

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        &things[(mixed >> 33) as usize % things.len()]
    }
}

/// Types one of the moves that are suggested; which one.
pub fn move_somehow(player: &User, code: &str, dice: &mut Dice) -> String {
    let found = player.autocomplete("move", &json!({ "move": "", "match": code }), "move");
    assert!(!found.is_empty(), "whoever has the turn can move");
    let action = dice.pick(&found).1.as_str().unwrap().to_owned();
    let words = player
        .slash("move", &json!({ "move": action, "match": code }))
        .words();
    assert!(words.starts_with("Played"), "{action}: {words}");
    action
}

/// What every board in a channel has to have.
pub fn check_board(board: &Message, mover: &User, before: Option<Id>) {
    let text = board.text();
    assert_eq!(board.attachments.len(), 1, "{text}");
    let picture = &board.attachments[0];
    assert!(picture.bytes.starts_with(b"\x89PNG"));
    let [(url, alt)] = &board.pictures()[..] else {
        panic!("no picture: {text}");
    };
    assert_eq!(*url, format!("attachment://{}", picture.name));
    assert!(alt.len() > 20, "{text}");
    // One card, with an edge in a colour.
    assert_eq!(board.components.len(), 1, "{text}");
    assert!(board.components[0]["accent_color"].is_u64(), "{text}");
    assert!(
        text.contains("<t:") && text.contains(":R>"),
        "no deadline: {text}"
    );
    assert!(board.nonce.is_some(), "{text}");
    // Whoever has just become the one to move is pinged, and nobody else ever is.
    let expected = if before == Some(mover.id) {
        Vec::new()
    } else {
        vec![mover.id]
    };
    assert_eq!(board.pinged, expected, "{text}");
    // A notification shows little more than the first line: it names the match.
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains('#'), "{text}");
    assert!(!board.pinged_everyone);
}

/// The record of a finished match, checked by the program itself.
pub fn record(town: &Town, player: &User, code: &str) -> Value {
    let file = record_file(player, code);
    let path = town.folder().join(&file.name);
    std::fs::write(&path, &file.bytes).unwrap();
    let verified = std::process::Command::new(env!("CARGO_BIN_EXE_parlor"))
        .arg("verify")
        .arg(&path)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    serde_json::from_slice(&file.bytes).unwrap()
}

/// What a player may know of a match that still runs.
pub fn record_so_far(player: &User, code: &str) -> Value {
    serde_json::from_slice(&record_file(player, code).bytes).unwrap()
}

fn record_file(player: &User, code: &str) -> Attachment {
    let answer = player.slash("record", &json!({ "match": code })).answer();
    let [file] = &answer.attachments[..] else {
        panic!("no record: {}", answer.text());
    };
    file.clone()
}

/// The actions in a record.
pub fn actions(record: &Value) -> Vec<String> {
    let steps = record["actions"].as_array().unwrap().iter();
    steps
        .map(|step| step["action"].as_str().unwrap().to_owned())
        .collect()
}
