//! The bot dies and comes back: nothing is lost, nothing doubled, nothing registered twice.

use serde_json::json;

use super::{Dice, actions, board_after, is_board, match_of, move_somehow, offers, record_so_far, to_move};
use crate::driver::Town;
use crate::standin::faults::Trouble;
use crate::standin::model::Message;
use crate::standin::rest::Call;

/// How the answer to a board is held up.
enum Held {
    /// The board is not there yet when the bot dies.
    Before,
    /// The board is there, but the bot never hears of it.
    After,
}

/// Ann moves, and the bot dies over the board; what is in the square when it is back.
fn killed_over_a_board(held: &Held) {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let first = board_after(&town.square, 0, &code);
    let square = town.square.id;
    let trouble = match held {
        Held::Before => Trouble::HoldBefore,
        Held::After => Trouble::HoldAfter,
    };
    town.hold(1, trouble, move |call| call.posts_to(square));
    let mut dice = Dice::new(5);
    let played = move_somehow(&ann, &code, &mut dice);
    town.shared().wait("the board to be held up", |model| {
        let held = |line: &String| line.contains("Hold");
        model.journal.iter().any(held).then_some(())
    });
    town.kill();
    town.shared().with(|model| model.faults.clear());
    town.start();
    let board = board_after(&town.square, first.id, &code);
    assert_eq!(to_move(&board, &[&ann, &bob]).id, bob.id);
    assert_eq!(board.pinged, [bob.id]);
    // What comes next comes after it, so a second one would have come by then.
    let answer = move_somehow(&bob, &code, &mut dice);
    let next = board_after(&town.square, board.id, &code);
    assert_eq!(to_move(&next, &[&ann, &bob]).id, ann.id);
    let pictures = town
        .square
        .messages()
        .into_iter()
        .filter(|message| !message.attachments.is_empty());
    assert_eq!(pictures.count(), 3, "one board for each moment of the match");
    let kept = actions(&record_so_far(&ann, &code));
    assert_eq!(kept, [played, answer]);
    town.square
        .wait_until(&first, "old buttons to go", |message| !message.has_widgets());
}

#[test]
fn a_bot_killed_before_the_board_brings_it_when_it_is_back() {
    killed_over_a_board(&Held::Before);
}

#[test]
fn a_bot_killed_before_it_hears_of_the_board_does_not_bring_it_twice() {
    killed_over_a_board(&Held::After);
}

#[test]
fn what_was_acknowledged_when_the_bot_died_is_done_and_answered_when_it_is_back() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    // The answers never leave the bot, though Discord has heard that they will come.
    town.hold(usize::MAX, Trouble::HoldBefore, |call| {
        call.is("PATCH", &["webhooks"])
    });
    let mut asked = Vec::new();
    for number in 0..6 {
        let guest = town.user(&format!("Guest{number}"));
        asked.push(match number % 3 {
            0 => guest.slash("games", &json!({})),
            1 => guest.press(&board, "My side"),
            _ => guest.slash("open", &json!({ "game": "phwar" })),
        });
    }
    asked.push(ann.slash("move", &json!({ "move": "D2-D3", "match": code })));
    for asked in &asked {
        asked.first();
    }
    town.kill();
    town.shared().with(|model| model.faults.clear());
    town.start();
    for asked in &asked {
        let words = asked.words();
        assert!(!words.is_empty() && !words.contains("went wrong"), "{words}");
    }
    // Each was done once, before or after.
    let next = board_after(&town.square, board.id, &code);
    assert_eq!(to_move(&next, &[&ann, &bob]).id, bob.id);
    assert_eq!(actions(&record_so_far(&ann, &code)), ["D2-D3"]);
    let tables = || {
        let messages = town.square.messages();
        messages.iter().filter(|message| offers(message, "Join")).count()
    };
    while tables() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(tables(), 2);
    // Nothing is left over that a second start would do again.
    let tokens: Vec<String> = asked.iter().map(|asked| asked.interaction().token).collect();
    town.kill();
    let answered = |town: &Town| town.shared().with(|model| model.interactions.clone());
    let before: Vec<usize> = answered(&town).values().map(|one| one.answers.len()).collect();
    town.start();
    ann.slash("games", &json!({})).answer();
    let after = answered(&town);
    let after: Vec<usize> = after
        .values()
        .take(before.len())
        .map(|one| one.answers.len())
        .collect();
    assert_eq!(after, before);
    for line in town.traces() {
        assert!(
            !tokens.iter().any(|token| line.contains(token)),
            "a token in the log: {line}"
        );
    }
}

#[test]
fn what_was_acknowledged_one_after_the_other_is_done_in_that_order() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    // Discord hears that answers will come, and the bot never hears that it has heard.
    town.hold(usize::MAX, Trouble::HoldAfter, Call::answers_first);
    let moves = ["D2-D3", "D10-D9", "D3-D2", "D9-D10", "D2-D3", "D10-D9"];
    let asked: Vec<_> = moves
        .iter()
        .zip([&ann, &bob].into_iter().cycle())
        .map(|(action, mover)| {
            let asked = mover.slash("move", &json!({ "move": action, "match": code }));
            asked.first();
            asked
        })
        .collect();
    town.kill();
    town.shared().with(|model| model.faults.clear());
    town.start();
    for asked in &asked {
        let words = asked.words();
        assert!(words.starts_with("Played"), "{words}");
    }
    assert_eq!(actions(&record_so_far(&ann, &code)), moves);
    board_after(&town.square, board.id, &code);
}

#[test]
fn an_answer_that_was_given_when_the_bot_died_stays_as_it_is() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&town.square, 0, &code);
    town.hold(1, Trouble::HoldAfter, |call| call.is("PATCH", &["webhooks"]));
    let asked = ann.slash("move", &json!({ "move": "D2-D3", "match": code }));
    let given = asked.answer();
    assert!(given.text().starts_with("Played"), "{}", given.text());
    town.kill();
    town.start();
    // What is answered later is answered after it.
    ann.slash("games", &json!({})).answer();
    town.program().stop();
    let now = town.shared().with(|model| model.messages[&given.id].clone());
    assert_eq!(now.revisions, given.revisions);
}

#[test]
fn what_discord_never_heard_would_be_answered_is_not_done_later() {
    let mut town = Town::awake();
    town.expect_refusals(&[10015]);
    let ann = town.user("Ann");
    town.hold(1, Trouble::HoldBefore, Call::answers_first);
    ann.slash("open", &json!({ "game": "phwar" }));
    town.shared().wait("the first answer to be held up", |model| {
        let held = |line: &String| line.contains("Hold");
        model.journal.iter().any(held).then_some(())
    });
    town.kill();
    town.start();
    town.shared().wait("the bot to ask what Discord heard", |model| {
        model.refusals.contains(&10015).then_some(())
    });
    let words = ann.slash("matches", &json!({})).words();
    assert_eq!(words.matches(" #").count(), 0, "{words}");
    assert!(town.square.messages().is_empty());
}

#[test]
fn a_match_goes_on_through_kill_after_kill() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let mut dice = Dice::new(6);
    let (mut last, mut moves) = (0, Vec::new());
    for round in 0..12 {
        let board = board_after(&town.square, last, &code);
        last = board.id;
        moves.push(move_somehow(to_move(&board, &[&ann, &bob]), &code, &mut dice));
        // Sometimes at once, sometimes while the board is on its way, sometimes when all is done.
        if round % 3 == 0 {
            town.kill();
            town.start();
        } else if round % 3 == 1 {
            board_after(&town.square, last, &code);
            town.kill();
            town.start();
        }
    }
    board_after(&town.square, last, &code);
    let pictures = town
        .square
        .messages()
        .into_iter()
        .filter(|message| !message.attachments.is_empty());
    assert_eq!(pictures.count(), moves.len() + 1);
    let nonces: Vec<Message> = town.square.messages();
    let mut nonces: Vec<&str> = nonces
        .iter()
        .filter_map(|message| message.nonce.as_deref())
        .collect();
    let all = nonces.len();
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(nonces.len(), all, "the same delivery twice");
    assert_eq!(actions(&record_so_far(&ann, &code)), moves);
    assert_eq!(
        town.shared().with(|model| model.registrations),
        1,
        "the commands have not changed"
    );
}

#[test]
fn buttons_and_menus_outlive_restarts_or_explain_themselves() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let invitation = town
        .square
        .messages()
        .into_iter()
        .find(|message| message.revisions[0].contains("Accept"))
        .unwrap();
    let board = board_after(&town.square, 0, &code);
    town.square
        .wait_until(&invitation, "the table to wait no longer", |message| {
            !offers(message, "Accept")
        });
    let menu = ann.press(&board, "Move").answer();
    let choice = menu.choices().first().unwrap().clone();

    town.kill();
    town.start();
    // The menu from before is as good as a new one.
    let mut shown = ann.pick(&menu, &choice).answer();
    let stale = shown.clone();
    while !shown.choices().is_empty() {
        shown = ann.pick(&shown, &shown.choices()[0].clone()).answer();
    }
    assert!(shown.text().starts_with("Played"), "{}", shown.text());
    let second = board_after(&town.square, board.id, &code);

    town.kill();
    town.start();
    // Clients that are behind: nothing is done twice, and they are told why.
    let old_menu = ann.pick_as_it_was(&stale, &stale.choices()[0]).answer();
    let text = old_menu.text();
    assert!(
        text.contains("has moved on") || text.contains("It isn't your turn"),
        "{text}"
    );
    let old_board = ann.press_as_it_was(&board, "Move").words();
    assert!(old_board.contains("It isn't your turn"), "{old_board}");
    let accepted = bob.press_as_it_was(&first_of(&invitation), "Accept").words();
    assert!(accepted.contains("the match is on"), "{accepted}");
    let own = bob.press_as_it_was(&board, "Move").answer();
    assert!(
        !own.choices().is_empty(),
        "an old board leads to the present one: {}",
        own.text()
    );
    town.square
        .wait_until(&board, "old buttons to go", |message| !message.has_widgets());
    let boards = town.square.messages();
    let boards: Vec<&Message> = boards.iter().filter(|message| is_board(message, &code)).collect();
    assert_eq!((boards.len(), boards[0].id), (1, second.id));
}

/// A message with the buttons that it had at first.
fn first_of(message: &Message) -> Message {
    let mut first = message.clone();
    let rows = first.revisions[0].lines().filter(|line| line.starts_with('{'));
    first.components = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    first
}

#[test]
fn a_bot_that_is_told_to_stop_finishes_and_says_good_bye() {
    let mut town = Town::awake();
    let ann = town.user("Ann");
    ann.slash("games", &json!({})).answer();
    let status = town.program().stop();
    assert!(status.success(), "{status}");
    town.shared().wait("the line to be closed", |model| {
        (!model.sessions.is_connected()).then_some(())
    });
}
