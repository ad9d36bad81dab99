//! Playing against the bot.

use serde_json::json;

use super::{Dice, actions, board_after, code_in, is_board, move_somehow, offers, record};
use crate::driver::Town;

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
            board.text().contains(&format!("{} is to move", ann.mention())),
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
    assert_eq!(boards.count(), moves + 1, "one message for each move of Ann's");
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
        answer.text().contains("is a bot that does not play here"),
        "{}",
        answer.text()
    );
}
