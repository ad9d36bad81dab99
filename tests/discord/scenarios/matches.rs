//! Whole matches, from the challenge to the record.

use serde_json::json;

use super::{
    Dice, actions, board_after, check_board, is_board, match_of, move_somehow, offers, record, to_move,
};
use crate::driver::{Town, User};
use crate::standin::model::Message;

/// Plays a match to its end in the square, each turn in the given way; what was played.
fn play(
    town: &Town,
    code: &str,
    players: &[&User],
    mut turn: impl FnMut(&User, &Message) -> String,
) -> Vec<String> {
    let (mut last, mut before, mut moves) = (0, None, Vec::new());
    loop {
        let board = board_after(&town.square, last, code);
        if offers(&board, "Rematch") {
            return moves;
        }
        let mover = to_move(&board, players);
        check_board(&board, mover, before);
        moves.push(turn(mover, &board));
        (last, before) = (board.id, Some(mover.id));
    }
}

/// What is left in the square when a match is over.
fn check_square(town: &Town, code: &str, moves: &[String]) {
    town.shared()
        .wait("earlier boards to lose their buttons", |model| {
            let boards = model
                .messages
                .values()
                .filter(|message| message.channel == town.square.id);
            (boards.filter(|message| is_board(message, code)).count() == 1).then_some(())
        });
    let messages = town.square.messages();
    let pictures = messages.iter().filter(|message| {
        !message.attachments.is_empty() && message.everything().contains(&format!("#{code}"))
    });
    assert_eq!(
        pictures.count(),
        moves.len() + 1,
        "one board for each move, and one to begin with"
    );
    let stripped = |message: &&Message| message.revisions.len() > 1;
    for message in messages.iter().filter(stripped) {
        assert!(!message.attachments.is_empty() || !message.text().is_empty());
    }
}

#[test]
fn two_players_type_their_moves_to_the_end() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({ "options": "centre=on" }));
    let mut dice = Dice::new(1);
    let moves = play(&town, &code, &[&ann, &bob], |mover, _| {
        move_somehow(mover, &code, &mut dice)
    });
    check_square(&town, &code, &moves);
    assert_eq!(actions(&record(&town, &bob, &code)), moves);
    let end = town.square.messages().pop().unwrap();
    assert!(end.text().contains(" wins: "), "{}", end.text());
    assert!(end.text().contains(" is over. "), "{}", end.text());
    // The loser wants to try again.
    bob.press(&end, "Rematch").answer();
    let offer = town
        .square
        .wait_after(end.id, "the rematch", |message| offers(message, "Accept"));
    assert_eq!(offer.pinged, [ann.id], "{}", offer.text());
    ann.press(&offer, "Decline").answer();
}

#[test]
fn two_players_type_turns_of_several_actions_to_the_end() {
    let town = Town::awake();
    // All of it where everybody looks.
    town.owner()
        .slash("parlor-settings", &json!({ "threads": false }))
        .answer();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "breaker", json!({}));
    let mut dice = Dice::new(5);
    let (mut last, mut before, mut turns, mut halves) = (0, None, 0, 0);
    let mut moves = Vec::new();
    loop {
        let board = board_after(&town.square, last, &code);
        if offers(&board, "Rematch") {
            break;
        }
        let mover = to_move(&board, &[&ann, &bob]);
        check_board(&board, mover, before);
        (last, before) = (board.id, Some(mover.id));
        turns += 1;
        // Whoever has more to do is told what, with the board so far.
        let asked = format!("{}, ", mover.mention());
        loop {
            let found = mover.autocomplete("move", &json!({ "move": "", "match": code }), "move");
            assert!(!found.is_empty(), "after {moves:?}, {} can move", mover.mention());
            let action = dice.pick(&found).1.as_str().unwrap().to_owned();
            let said = mover.slash("move", &json!({ "move": action, "match": code }));
            let answer = said.answer();
            assert!(
                answer.text().trim_start().starts_with("Played"),
                "{action}: {}",
                answer.text()
            );
            moves.push(action);
            if !answer.text().contains(&asked) {
                break;
            }
            assert_eq!((answer.only_for, answer.attachments.len()), (Some(mover.id), 1));
            halves += 1;
        }
    }
    assert!(
        halves >= turns / 2,
        "{halves} of {turns} turns had several actions"
    );
    assert_eq!(actions(&record(&town, &bob, &code)), moves);
    let messages = town.square.messages();
    let boards = messages.iter().filter(|message| {
        !message.attachments.is_empty() && message.everything().contains(&format!("#{code}"))
    });
    assert_eq!(
        boards.count(),
        turns + 1,
        "one board for each turn, and one for the end"
    );
}

#[test]
fn two_players_press_and_pick_their_moves_to_the_end() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    // Bob wants to see what he is about to do.
    bob.slash("settings", &json!({ "setting": "confirm", "value": "on" }))
        .answer();
    let code = match_of(&town, &[&ann, &bob], "glyphgrid", json!({}));
    let mut dice = Dice::new(2);
    let mut previews = 0;
    let moves = play(&town, &code, &[&ann, &bob], |mover, board| {
        let other = if mover.id == ann.id { &bob } else { &ann };
        // Where there is one move, its button stands in place of the way to all of them.
        let labels = board.buttons();
        let way = labels.first().expect("a way to move").clone();
        let refused = other.press(board, &way).answer();
        assert!(
            refused.text().contains("It isn't your turn"),
            "{}",
            refused.text()
        );
        assert_eq!(refused.only_for, Some(other.id));
        let menu = mover.press(board, &way).answer();
        let mut shown = menu.clone();
        while !shown.choices().is_empty() {
            assert_eq!(shown.only_for, Some(mover.id), "others see what they ponder");
            let choices = shown.choices();
            let entry: &String = dice.pick(&choices);
            shown = mover.pick(&shown, entry).answer();
            assert_eq!(shown.id, menu.id, "a move is picked in one message");
        }
        if offers(&shown, "Play it") {
            assert_eq!((mover.id, shown.attachments.len()), (bob.id, 1));
            previews += 1;
            shown = mover.press(&shown, "Play it").answer();
        }
        let text = shown.text();
        assert!(text.starts_with("Played"), "{text}");
        text
    });
    assert!(previews > 3, "{previews}");
    check_square(&town, &code, &moves);
    assert_eq!(actions(&record(&town, &ann, &code)).len(), moves.len());
}

#[test]
fn three_players_play_to_the_end() {
    let town = Town::awake();
    let [ann, bob, cy] = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let players = [&ann, &bob, &cy];
    let code = match_of(&town, &players, "phwar", json!({ "options": "centre=on" }));
    let mut dice = Dice::new(3);
    let mut movers = std::collections::BTreeSet::new();
    let moves = play(&town, &code, &players, |mover, _| {
        movers.insert(mover.id);
        move_somehow(mover, &code, &mut dice)
    });
    assert_eq!(movers.len(), 3);
    check_square(&town, &code, &moves);
    assert_eq!(actions(&record(&town, &cy, &code)), moves);
}

#[test]
fn proposals_are_answered_by_button_and_resigning_is_asked_twice() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    ann.slash("draw", &json!({})).answer();
    let offer = town
        .square
        .wait_after(board.id, "an offer", |message| offers(message, "Agree"));
    assert_eq!(offer.pinged, [bob.id]);
    bob.press(&offer, "No").answer();
    town.square
        .wait_until(&offer, "the offer to lose its buttons", |message| {
            !message.has_widgets()
        });
    let own = bob.press(&board, "My side").answer();
    assert_eq!((own.only_for, own.attachments.len()), (Some(bob.id), 1));
    let sure = bob.press(&own, "Resign").answer();
    assert!(
        sure.text().contains("Do you really want to resign"),
        "{}",
        sure.text()
    );
    assert!(
        board_after(&town.square, 0, &code).id == board.id,
        "nothing has happened yet"
    );
    let done = bob.press(&sure, "Resign").words();
    assert!(done.contains("You resign"), "{done}");
    let end = town
        .square
        .wait_for("the end", |message| offers(message, "Rematch"));
    assert!(end.text().contains("resigned"), "{}", end.text());
    town.square
        .wait_until(&board, "the board to lose its buttons", |message| {
            !message.has_widgets()
        });
}

#[test]
fn a_challenge_can_be_declined_and_a_table_cancelled() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let challenge = json!({ "player": bob.id_text(), "game": "phwar" });
    ann.slash("challenge", &challenge).answer();
    let invitation = town
        .square
        .wait_for("an invitation", |message| offers(message, "Decline"));
    assert_eq!(invitation.pinged, [bob.id], "{}", invitation.text());
    let stranger = town.user("Cy").press(&invitation, "Accept").words();
    assert!(stranger.contains("aren't invited"), "{stranger}");
    bob.press(&invitation, "Decline").answer();
    town.square
        .wait_until(&invitation, "the invitation to lose its buttons", |message| {
            !message.has_widgets()
        });
    let answer = ann.slash("open", &json!({ "game": "glyphgrid" })).answer();
    ann.press(&answer, "Cancel").answer();
    town.square.wait_for("the table to be called off", |message| {
        message.text().contains("cancels")
    });
    // The same answer again: the button is on an old message now, and explains itself.
    let again = bob.press_as_it_was(&invitation, "Accept").words();
    assert!(again.contains("called off"), "{again}");
}

#[test]
fn who_does_not_want_to_be_called_is_not_called() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    bob.slash("settings", &json!({ "setting": "ping", "value": "off" }))
        .answer();
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    assert_eq!(board.pinged, [ann.id]);
    let mut dice = Dice::new(17);
    move_somehow(&ann, &code, &mut dice);
    let next = board_after(&town.square, board.id, &code);
    assert_eq!((to_move(&next, &[&ann, &bob]).id, next.pinged.len()), (bob.id, 0));
    move_somehow(&bob, &code, &mut dice);
    assert_eq!(board_after(&town.square, next.id, &code).pinged, [ann.id]);
}

#[test]
fn a_board_that_somebody_deletes_is_not_missed() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    town.shared().with(|model| {
        if let Some(message) = model.messages.get_mut(&board.id) {
            message.deleted = true;
        }
    });
    let mut dice = Dice::new(18);
    move_somehow(&ann, &code, &mut dice);
    let next = board_after(&town.square, board.id, &code);
    move_somehow(&bob, &code, &mut dice);
    let last = board_after(&town.square, next.id, &code);
    town.square
        .wait_until(&next, "old buttons to go", |message| !message.has_widgets());
    assert_eq!(to_move(&last, &[&ann, &bob]).id, ann.id);
}
