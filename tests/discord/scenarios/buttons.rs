//! Every game against the bot by buttons alone, counted from outside: what is posted, and who is called.

use serde_json::json;

use super::{Dice, board_after, code_in, offers};
use crate::driver::{Town, User};
use crate::standin::model::Message;

/// So many turns are played of a game whose matches are long.
const SOME_TURNS: usize = 10;
/// No match is longer.
const MOST_TURNS: usize = 400;

#[test]
fn phwar_is_played_to_its_end_by_buttons() {
    play("phwar", "centre=on", MOST_TURNS);
}

#[test]
fn fabric_is_played_to_its_end_by_buttons() {
    play("fabric", "target=50", MOST_TURNS);
}

#[test]
fn breaker_is_played_to_its_end_by_buttons() {
    play("breaker", "variant=blind", MOST_TURNS);
}

#[test]
fn glyphgrid_is_played_by_buttons() {
    play("glyphgrid", "", SOME_TURNS);
}

#[test]
fn phase_is_played_by_buttons() {
    play("phase", "", SOME_TURNS);
}

/// Plays a game against the bot, each exchange of which is one message: to its end, if that comes before so many turns.
fn play(game: &str, more: &str, most: usize) {
    let town = Town::awake();
    // All of it where everybody looks.
    town.owner()
        .slash("parlor-settings", &json!({ "threads": false }))
        .answer();
    let ann = town.user("Ann");
    let bot = town.shared().with(|model| model.bot).to_string();
    let mut options = json!({ "player": bot, "game": game, "level": 1, "seating": "order" });
    if !more.is_empty() {
        options["options"] = json!(more);
    }
    let code = code_in(&ann.slash("challenge", &options).answer().text());
    let mut dice = Dice::new(11);
    let (mut last, mut turns, mut presses) = (0, 0, Vec::new());
    let mut ended = false;
    while !ended && turns < most {
        let board = board_after(&town.square, last, &code);
        ended = offers(&board, "Rematch");
        if !ended {
            assert!(board.pinged.iter().all(|who| *who == ann.id), "{}", board.text());
            last = board.id;
            turns += 1;
            presses.push(press_a_turn(&ann, &board, &mut dice));
        }
    }
    assert!(ended || most == SOME_TURNS, "no end after {turns} turns");
    // The reply to the last one.
    let end = board_after(&town.square, last, &code);
    assert!(!ended || end.text().contains(" is over. "), "{}", end.text());
    let posted = town.square.messages();
    let boards = posted.iter().filter(|message| {
        !message.attachments.is_empty() && message.everything().contains(&format!("#{code}"))
    });
    // Besides the exchanges there are the opening and the end.
    let (count, allowed) = (boards.count(), (turns + 2) as f64 * 1.15);
    println!("{game}: {count} messages in {turns} turns, presses {presses:?}");
    assert!(
        turns > 2 && count as f64 <= allowed,
        "{game}: {count} messages in {turns} turns"
    );
}

/// Presses whatever is offered until the turn is over; how often.
fn press_a_turn(user: &User, board: &Message, dice: &mut Dice) -> usize {
    let mut shown = board.clone();
    for presses in 0..200 {
        let asked = if let Some(label) = only_move(&shown) {
            user.press(&shown, &label)
        } else if !shown.choices().is_empty() {
            let choice = dice.pick(&shown.choices()).clone();
            user.pick(&shown, &choice)
        } else if presses == 0 {
            user.press(&shown, "Move")
        } else {
            return presses;
        };
        shown = asked.answer();
    }
    panic!("no end of pressing: {}", shown.everything());
}

/// The button of the only move there is.
fn only_move(shown: &Message) -> Option<String> {
    let mut widgets = shown.widgets();
    let only = widgets.find(|widget| {
        let command = widget["custom_id"].as_str().unwrap_or_default();
        widget["type"] == 2 && widget["disabled"] != true && command.starts_with("move ")
    })?;
    only["label"].as_str().map(str::to_owned)
}
