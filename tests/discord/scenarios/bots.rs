//! Playing against the bot.

use serde_json::json;

use super::{
    Dice, actions, board_after, code_in, is_board, match_in, match_of, move_somehow, offers, record,
};
use crate::driver::Town;
use crate::standin::faults::{Gate, Trouble};
use crate::standin::rest::Call;

#[test]
fn the_bot_plays_on_for_somebody_who_has_left_the_server() {
    let mut town = Town::awake();
    town.expect_refusals(&[10007]);
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let words = ann.slash("replace", &json!({ "match": code })).words();
    assert!(words.contains("no empty seat"), "Bob is there: {words}");
    move_somehow(&ann, &code, &mut Dice::new(60));
    let board = board_after(&town.square, board.id, &code);
    town.leave(&bob);
    let words = ann
        .slash("replace", &json!({ "match": code, "level": 1 }))
        .words();
    assert!(!words.contains("no empty seat"), "{words}");
    let next = board_after(&town.square, board.id, &code);
    assert!(
        next.text().contains(&format!("{}, your move", ann.mention())),
        "the bot has moved for Bob: {}",
        next.text()
    );
}

#[test]
fn the_bot_plays_on_for_somebody_who_has_left_after_the_channel_was_deleted() {
    let mut town = Town::awake();
    town.expect_refusals(&[10007]);
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let meadow = town.channel("meadow");
    let code = match_in(&meadow, &[&ann, &bob], "phwar", json!({}));
    board_after(&meadow, 0, &code);
    meadow.delete();
    move_somehow(&ann, &code, &mut Dice::new(61));
    let told = board_after(&bob.dm(), 0, &code);
    let words = ann.slash("replace", &json!({ "match": code })).words();
    assert!(words.contains("no empty seat"), "Bob is there: {words}");
    town.leave(&bob);
    let words = ann
        .slash("replace", &json!({ "match": code, "level": 1 }))
        .words();
    assert!(!words.contains("no empty seat"), "{words}");
    ann.dm().wait_after(told.id, "Ann to be called", |message| {
        is_board(message, &code) && message.text().contains(&format!("{}, your move", ann.mention()))
    });
}

#[test]
fn somebody_challenges_the_bot_and_every_exchange_is_one_message() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let bot = town.shared().with(|model| model.bot).to_string();
    // As Discord offers it: the bot among the users, and the level as a choice.
    let options =
        json!({ "player": bot, "game": "phwar", "level": 1, "seating": "order", "options": "centre=on" });
    let answer = ann.slash("challenge", &options).answer();
    assert!(answer.text().contains("has begun"), "{}", answer.text());
    let code = code_in(&answer.text());
    let mut dice = Dice::new(5);
    let (mut last, mut moves) = (0, 0);
    let end = loop {
        let board = board_after(&town.square, last, &code);
        last = board.id;
        assert_eq!(board.attachments.len(), 1, "{}", board.text());
        if offers(&board, "Rematch") {
            break board;
        }
        assert!(
            board.text().contains(&format!("{}, your move", ann.mention())),
            "{}",
            board.text()
        );
        assert!(board.text().contains("Parlor"), "{}", board.text());
        move_somehow(&ann, &code, &mut dice);
        moves += 1;
    };
    assert!(moves > 1);
    let boards = town.square.messages();
    let boards = boards.iter().filter(|message| {
        !message.attachments.is_empty() && message.everything().contains(&format!("#{code}"))
    });
    // If the bot's reply ended it, the end is a message of its own.
    let count = boards.clone().count();
    assert!(
        (moves + 1..=moves + 2).contains(&count),
        "{count} messages for {moves} moves"
    );
    let thought = boards.filter(|message| message.revisions.iter().any(|text| text.contains("is thinking")));
    assert!(
        thought.count() >= moves - 1,
        "every move was shown before the reply"
    );
    assert!(is_board(&end, &code));
    let record = record(&town, &ann, &code);
    assert!(actions(&record).len() > moves);
    assert!(
        record["players"]
            .as_array()
            .unwrap()
            .contains(&json!("Parlor (level 1)"))
    );
    // A hint, for the asker alone.
    let again = ann.press(&end, "Rematch").answer();
    let code = code_in(&again.text());
    let board = board_after(&town.square, last, &code);
    let hint = ann.press(&board, "Hint").answer();
    assert!(hint.text().contains("You might play"), "{}", hint.text());
    assert_eq!(hint.only_for, Some(ann.id));
    ann.press(&hint, "Play it").answer();
    board_after(&town.square, board.id, &code);
}

/// Whether a request writes a board anew.
fn rewrites(call: &Call) -> bool {
    call.method == "PATCH" && !call.files.is_empty() && call.route.starts_with("/channels/")
}

/// Ann moves, the bot dies over a board, and comes back: what is in the square then.
fn killed_while_thinking(trouble: Trouble, fits: impl Fn(&Call) -> bool + Send + Sync + 'static) {
    let mut town = Town::awake();
    let ann = town.user("Ann");
    let bot = town.shared().with(|model| model.bot).to_string();
    let options = json!({ "player": bot, "game": "phwar", "level": 1, "seating": "order" });
    let code = code_in(&ann.slash("challenge", &options).answer().text());
    let start = board_after(&town.square, 0, &code);
    town.shared().with(|model| model.faults.add(1, trouble, fits));
    move_somehow(&ann, &code, &mut Dice::new(5));
    town.shared().wait("the board to be held up", |model| {
        model
            .journal
            .iter()
            .any(|line| line.contains("Hold"))
            .then_some(())
    });
    town.kill();
    town.shared().with(|model| model.faults.clear());
    town.start();
    let board = board_after(&town.square, start.id, &code);
    assert!(
        board.text().contains(&format!("{}, your move", ann.mention())),
        "{}",
        board.text()
    );
    let pictures = town
        .square
        .messages()
        .into_iter()
        .filter(|message| !message.attachments.is_empty());
    assert_eq!(
        pictures.count(),
        2,
        "the start, and one message for the move and its reply"
    );
}

#[test]
fn a_move_and_its_reply_are_one_message_whenever_the_bot_dies() {
    let shut = Gate::shut;
    let posts =
        |call: &Call| call.method == "POST" && !call.files.is_empty() && call.route.starts_with("/channels/");
    killed_while_thinking(Trouble::HoldBefore(shut()), posts);
    killed_while_thinking(Trouble::HoldAfter(shut()), posts);
    killed_while_thinking(Trouble::HoldBefore(shut()), rewrites);
    killed_while_thinking(Trouble::HoldAfter(shut()), rewrites);
}

#[test]
fn a_reply_whose_message_is_gone_is_posted_again() {
    let mut town = Town::awake();
    town.expect_refusals(&[10008]);
    let ann = town.user("Ann");
    let bot = town.shared().with(|model| model.bot).to_string();
    let options = json!({ "player": bot, "game": "phwar", "level": 1, "seating": "order" });
    let code = code_in(&ann.slash("challenge", &options).answer().text());
    let start = board_after(&town.square, 0, &code);
    let gate = Gate::shut();
    let trouble = Trouble::HoldBefore(gate.clone());
    town.shared().with(|model| model.faults.add(1, trouble, rewrites));
    move_somehow(&ann, &code, &mut Dice::new(5));
    let thinking = town.square.wait_after(start.id, "the move", |message| {
        message.text().contains("is thinking")
    });
    town.shared().wait("the reply", |model| {
        model
            .journal
            .iter()
            .any(|line| line.contains("Hold"))
            .then_some(())
    });
    town.shared()
        .with(|model| model.messages.get_mut(&thinking.id).unwrap().deleted = true);
    gate.open();
    let board = board_after(&town.square, thinking.id, &code);
    assert_eq!(board.attachments.len(), 1);
}

#[test]
fn other_bots_are_still_no_players() {
    let town = Town::awake();
    let (ann, other) = (town.user("Ann"), town.user("Robot"));
    town.shared()
        .with(|model| model.users.get_mut(&other.id).unwrap().bot = true);
    let answer = ann
        .slash(
            "challenge",
            &json!({ "player": other.id_text(), "game": "phwar" }),
        )
        .answer();
    assert!(
        answer.text().contains("is a bot that doesn't play here"),
        "{}",
        answer.text()
    );
}
