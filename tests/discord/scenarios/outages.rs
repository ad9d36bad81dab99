//! Discord has trouble: everything arrives once and in order, and nobody waits for somebody else's trouble.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    Dice, actions, board_after, code_in, match_in, match_of, move_somehow, offers, record_so_far, to_move,
};
use crate::driver::{Town, User};
use crate::standin::faults::Trouble;
use crate::standin::model::Message;
use crate::standin::permissions::{ATTACH_FILES, EMBED_LINKS, SEND_MESSAGES};
use crate::standin::rest::Call;

/// Plays a few moves as fast as they are answered, not waiting for boards; the boards that follow.
fn hurry(town: &Town, code: &str, players: [&User; 2], moves: usize, dice: &mut Dice) -> Vec<Message> {
    let start = board_after(&town.square, 0, code);
    let mut mover = usize::from(to_move(&start, &players).id != players[0].id);
    for _ in 0..moves {
        move_somehow(players[mover], code, dice);
        mover = 1 - mover;
    }
    let mut boards = vec![start];
    for _ in 0..moves {
        let last = boards.last().map_or(0, |board| board.id);
        boards.push(
            town.square
                .wait_after(last, "the next board", |message| !message.attachments.is_empty()),
        );
    }
    boards
}

/// Boards in the order of the moves, each for the player whose turn it then was.
fn check_order(boards: &[Message], players: [&User; 2]) {
    let movers: Vec<u64> = boards.iter().map(|board| to_move(board, &players).id).collect();
    for pair in movers.windows(2) {
        assert_ne!(pair[0], pair[1], "boards out of order, or doubled");
    }
}

#[test]
fn a_rate_limited_channel_gets_everything_in_order() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&town.square, 0, &code);
    town.shared().with(|model| {
        model.rates.limit_channels(2, Duration::from_millis(600));
        model.clock.run();
    });
    let boards = hurry(&town, &code, [&ann, &bob], 6, &mut Dice::new(7));
    check_order(&boards, [&ann, &bob]);
    let refused = town.shared().with(|model| model.rates.refused);
    assert!(
        refused <= 4,
        "{refused} requests too many: the limit is not heeded"
    );
    // A global limit, out of the blue.
    let square = town.square.id;
    town.shared().with(|model| {
        let trouble = Trouble::TooMany {
            after: 0.3,
            global: true,
        };
        model.faults.add(1, trouble, move |call| call.posts_to(square));
    });
    let last = boards.last().unwrap();
    move_somehow(to_move(last, &[&ann, &bob]), &code, &mut Dice::new(8));
    board_after(&town.square, last.id, &code);
}

#[test]
fn an_outage_and_lost_answers_double_nothing() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&town.square, 0, &code);
    let square = town.square.id;
    town.shared().with(|model| {
        for trouble in [
            Trouble::Status(502),
            Trouble::DropAnswer,
            Trouble::Status(503),
            Trouble::Drop,
        ] {
            model.faults.add(1, trouble, move |call| call.posts_to(square));
        }
    });
    let boards = hurry(&town, &code, [&ann, &bob], 4, &mut Dice::new(9));
    check_order(&boards, [&ann, &bob]);
    assert_eq!(boards.len(), 5);
    let pictures = town
        .square
        .messages()
        .into_iter()
        .filter(|message| !message.attachments.is_empty());
    assert_eq!(pictures.count(), 5);
}

#[test]
fn old_buttons_hold_up_no_board_and_go_whatever_happens() {
    let mut town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let tidies = |call: &Call| call.is("PATCH", &["channels"]);
    town.hold(usize::MAX, Trouble::HoldBefore, tidies);
    let boards = hurry(&town, &code, [&ann, &bob], 4, &mut Dice::new(17));
    check_order(&boards, [&ann, &bob]);
    let has_buttons = |town: &Town, board: &Message| {
        town.shared()
            .with(|model| model.messages[&board.id].has_widgets())
    };
    assert!(boards.iter().all(|board| has_buttons(&town, board)));
    // The bot dies before any are off, and comes back.
    town.kill();
    town.shared().with(|model| model.faults.clear());
    town.start();
    let (last, old) = boards.split_last().unwrap();
    let are_off = |message: &Message| !message.has_widgets();
    for board in old {
        town.square.wait_until(board, "old buttons to go", are_off);
    }
    assert!(has_buttons(&town, last));
    // Nothing comes after the end that would see to them.
    town.shared()
        .with(|model| model.faults.add(3, Trouble::Status(503), tidies));
    let sure = bob.slash("resign", &json!({ "match": code })).answer();
    bob.press(&sure, "Resign").answer();
    town.square.wait_until(last, "the last buttons to go", are_off);
}

#[test]
fn answers_come_through_a_stumbling_api() {
    let town = Town::awake();
    let ann = town.user("Ann");
    for trouble in [Trouble::Status(500), Trouble::Drop, Trouble::DropAnswer] {
        let first = trouble.clone();
        town.shared().with(|model| {
            model.faults.add(1, first, Call::answers_first);
            model
                .faults
                .add(1, trouble, |call| call.is("PATCH", &["webhooks"]));
        });
        let words = ann.slash("games", &json!({})).words();
        assert!(words.contains("Phwar"), "{words}");
    }
    // A first answer that was heard and not confirmed is given again, and refused: that is all right.
    let refusals = town.shared().with(|model| model.refusals.clone());
    assert!(refusals.iter().all(|code| *code == 40060), "{refusals:?}");
    town.shared().with(|model| model.refusals.clear());
}

#[test]
fn a_slow_channel_holds_up_nobody_else() {
    let town = Town::awake();
    let [ann, bob, cy] = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let meadow = town.channel("meadow");
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let square = town.square.id;
    let gate = town.hold(usize::MAX, Trouble::HoldBefore, move |call| call.posts_to(square));
    move_somehow(&ann, &code, &mut Dice::new(10));
    // The square is stuck: everything else goes on, there and elsewhere.
    let own = bob.press(&board, "My side").answer();
    assert_eq!(own.attachments.len(), 1);
    let other = match_in(&meadow, &[&cy, &ann], "phwar", json!({}));
    let there = board_after(&meadow, 0, &other);
    move_somehow(&cy.at(&meadow), &other, &mut Dice::new(11));
    board_after(&meadow, there.id, &other);
    assert!(
        !town
            .square
            .messages()
            .iter()
            .any(|message| message.id > board.id && !message.attachments.is_empty())
    );
    gate.open();
    let next = board_after(&town.square, board.id, &code);
    assert_eq!(to_move(&next, &[&ann, &bob]).id, bob.id);
}

#[test]
fn a_deleted_channel_ends_no_match() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let meadow = town.channel("meadow");
    let lost = match_in(&meadow, &[&ann, &bob], "phwar", json!({}));
    let other = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&meadow, 0, &lost);
    meadow.delete();
    move_somehow(&ann, &lost, &mut Dice::new(12));
    town.shared().wait("the channel to be missed", |model| {
        model.refusals.contains(&10003).then_some(())
    });
    // The match is still there for whoever asks.
    let menu = bob.slash("board", &json!({ "match": lost })).answer();
    assert_eq!(menu.attachments.len(), 1, "{}", menu.text());
    move_somehow(&bob, &lost, &mut Dice::new(13));
    let board = board_after(&town.square, 0, &other);
    move_somehow(&ann, &other, &mut Dice::new(14));
    board_after(&town.square, board.id, &other);
    let missed = town
        .shared()
        .with(|model| model.refusals.iter().filter(|code| **code == 10003).count());
    assert!(missed <= 4, "{missed} knocks at a door that is gone");
}

/// How often somebody was shown a board in their talk with the bot and called to move by it.
fn calls_alone(player: &User, code: &str) -> usize {
    let messages = player.dm().messages();
    let called = |message: &&Message| {
        let call = format!("{}, ", player.mention());
        message.attachments.len() == 1
            && message.everything().contains(code)
            && message.text().lines().any(|line| line.starts_with(&call))
    };
    messages.iter().filter(called).count()
}

#[test]
fn without_their_channel_both_players_are_called_alone_at_every_turn() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let meadow = town.channel("meadow");
    let code = match_in(&meadow, &[&ann, &bob], "phwar", json!({}));
    board_after(&meadow, 0, &code);
    meadow.delete();
    let mut dice = Dice::new(50);
    let players = [&ann, &bob];
    for turn in 0..6 {
        // Halfway one of them makes their own talk a home of the match. That takes nothing from the other.
        if turn == 3 {
            ann.at(&ann.dm())
                .slash("join", &json!({ "match": code }))
                .answer();
        }
        let [mover, next] = [players[turn % 2], players[(turn + 1) % 2]];
        let before = calls_alone(next, &code);
        move_somehow(&mover.at(&mover.dm()), &code, &mut dice);
        while calls_alone(next, &code) == before {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    // Told once, with whose turn it was: Ann's move was the first of which the channel could not be told.
    for player in players {
        let seen = player.dm().messages();
        let told = seen
            .iter()
            .filter(|message| message.text().contains("can no longer post"));
        let [told] = told.collect::<Vec<_>>()[..] else {
            panic!("told once: {seen:#?}");
        };
        let call = format!("{}, ", bob.mention());
        let text = told.text();
        assert!(text.lines().any(|line| line.starts_with(&call)), "{text}");
    }
}

#[test]
fn whoever_takes_no_calls_is_told_so_and_nothing_of_hands() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let meadow = town.channel("meadow");
    let code = match_in(&meadow, &[&ann, &bob], "phwar", json!({}));
    board_after(&meadow, 0, &code);
    bob.close_dms();
    meadow.delete();
    move_somehow(&ann, &code, &mut Dice::new(51));
    town.shared().wait("the closed door to be found", |model| {
        model.refusals.contains(&50007).then_some(())
    });
    // With the first answer after that was noted; and not again.
    let games = || bob.slash("games", &json!({})).words();
    let told = std::iter::repeat_with(games).find(|words| words.contains("private messages"));
    let told = told.unwrap_or_default();
    assert!(
        told.contains("can't call you there") && !told.contains("your hand"),
        "{told}"
    );
    assert!(!games().contains("private messages"));
}

#[test]
fn a_first_answer_that_is_too_much_is_given_when_discord_says() {
    let town = Town::awake();
    let ann = town.user("Ann");
    town.shared().with(|model| {
        let trouble = Trouble::TooMany {
            after: 1.0,
            global: false,
        };
        model.faults.add(1, trouble, Call::answers_first);
    });
    let asked = ann.slash("games", &json!({}));
    assert!(asked.words().contains("Phwar"));
    let tries = town.shared().with(|model| {
        let id = asked.id.to_string();
        let tries = model
            .journal
            .iter()
            .filter(|line| line.contains(&format!("/interactions/{id}")));
        tries.count()
    });
    assert_eq!(tries, 2, "it was not tried again before its time");
}

#[test]
fn a_kicked_bot_goes_on_elsewhere_and_comes_back() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&town.square, 0, &code);
    let kicked = town.kick();
    // Whatever was on its way is given up.
    move_somehow(&ann.at(&ann.dm()), &code, &mut Dice::new(15));
    town.shared().wait("the lost server to be missed", |model| {
        model.refusals.contains(&50001).then_some(())
    });
    town.invite(kicked);
    let table = ann.slash("open", &json!({ "game": "phwar" })).answer();
    let table = code_in(&table.text());
    town.square.wait_for("a table in the old place", |message| {
        offers(message, "Join") && message.everything().contains(&table)
    });
}

#[test]
fn missing_permissions_are_named() {
    let town = Town::awake();
    let ann = town.user("Ann");
    for (denied, names) in [
        (ATTACH_FILES, &["Attach Files"][..]),
        (EMBED_LINKS, &["Embed Links"]),
        (SEND_MESSAGES | ATTACH_FILES, &["Send Messages", "Attach Files"]),
    ] {
        town.deny(&town.square, denied);
        let answer = ann.slash("open", &json!({ "game": "phwar" })).answer();
        assert_eq!(answer.only_for, Some(ann.id));
        for name in names {
            assert!(answer.text().contains(name), "{}", answer.text());
        }
    }
    assert!(town.square.messages().is_empty());
    town.deny(&town.square, 0);
    ann.slash("open", &json!({ "game": "phwar" })).answer();
    town.square.wait_for("a table", |message| offers(message, "Join"));
}

#[test]
fn what_discord_no_longer_waits_for_is_not_done() {
    let mut town = Town::awake();
    town.expect_refusals(&[10062]);
    let ann = town.user("Ann");
    let gate = town.hold(1, Trouble::HoldBefore, Call::answers_first);
    ann.slash("open", &json!({ "game": "phwar" }));
    town.shared().wait("the first answer to be held up", |model| {
        model
            .journal
            .iter()
            .any(|line| line.contains("HoldBefore"))
            .then_some(())
    });
    town.shared()
        .with(|model| model.clock.advance(Duration::from_secs(4)));
    gate.open();
    town.shared().wait("it to be too late", |model| {
        model.refusals.contains(&10062).then_some(())
    });
    // Ann was told by Discord that nothing came of it, and tries again.
    let code = code_in(&ann.slash("open", &json!({ "game": "phwar" })).words());
    let table = town.square.wait_for("a table", |message| offers(message, "Join"));
    assert!(
        table.everything().contains(&code),
        "a table that nobody was told of: {}",
        table.text()
    );
    let words = ann.slash("matches", &json!({})).words();
    assert_eq!(words.matches(" #").count(), 1, "{words}");
}

#[test]
fn an_answer_that_comes_after_a_quarter_of_an_hour_is_given_up_and_the_move_stands() {
    let mut town = Town::awake();
    town.expect_refusals(&[50027]);
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let gate = town.hold(1, Trouble::HoldBefore, |call| call.is("PATCH", &["webhooks"]));
    ann.slash("move", &json!({ "move": "D2-D3", "match": code }));
    let next = board_after(&town.square, board.id, &code);
    assert_eq!(to_move(&next, &[&ann, &bob]).id, bob.id);
    town.shared()
        .with(|model| model.clock.advance(Duration::from_secs(16 * 60)));
    gate.open();
    town.shared().wait("it to be too late", |model| {
        model.refusals.contains(&50027).then_some(())
    });
    move_somehow(&bob, &code, &mut Dice::new(16));
    board_after(&town.square, next.id, &code);
}

#[test]
fn what_is_told_twice_is_done_once() {
    let mut town = Town::awake();
    town.expect_refusals(&[40060]);
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let table = ann.slash("open", &json!({ "game": "phwar" }));
    let asked = ann.slash("move", &json!({ "move": "D2-D3", "match": code }));
    assert!(asked.words().starts_with("Played"));
    board_after(&town.square, board.id, &code);
    assert!(!table.words().is_empty());
    town.repeat(&asked);
    town.repeat(&table);
    town.shared().wait("the repetition to be noticed", |model| {
        (model.refusals.iter().filter(|code| **code == 40060).count() == 2).then_some(())
    });
    let words = ann.slash("matches", &json!({})).words();
    assert_eq!(words.matches(" #").count(), 2, "{words}");
    assert_eq!(actions(&record_so_far(&ann, &code)), ["D2-D3"]);
}

#[test]
fn a_permission_that_is_lost_during_a_match_is_named_and_the_match_goes_on() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    town.deny(&town.square, ATTACH_FILES);
    let mut dice = Dice::new(19);
    move_somehow(&ann.at(&ann.dm()), &code, &mut dice);
    let bare = town
        .square
        .wait_after(board.id, "word of what is missing", |message| {
            message.text().contains("Attach Files")
        });
    assert_eq!((bare.attachments.len(), &bare.pinged[..]), (0, &[bob.id][..]));
    assert!(
        !bare.text().contains("Embed Links"),
        "only what is missing is named: {}",
        bare.text()
    );
    // Cards need no Embed Links.
    town.deny(&town.square, EMBED_LINKS);
    move_somehow(&bob.at(&bob.dm()), &code, &mut dice);
    let plain = board_after(&town.square, bare.id, &code);
    assert_eq!((plain.pictures().len(), &plain.pinged[..]), (1, &[ann.id][..]));
    assert!(!plain.text().contains("I need"), "{}", plain.text());
    // If Discord wants it all the same, the picture stands below the words.
    let square = town.square.id;
    town.shared().with(|model| {
        let trouble = Trouble::Code(403, 50013);
        model.faults.add(1, trouble, move |call| call.posts_to(square));
    });
    move_somehow(&ann.at(&ann.dm()), &code, &mut dice);
    let below = town
        .square
        .wait_after(plain.id, "a board without a card", |message| {
            message.attachments.len() == 1 && message.pictures().is_empty()
        });
    let text = below.text();
    assert!(
        text.contains("Embed Links") && !text.contains("Attach Files"),
        "{text}"
    );
    move_somehow(&bob.at(&bob.dm()), &code, &mut dice);
    let bare = board_after(&town.square, below.id, &code);
    town.square
        .wait_until(&below, "its buttons to go", |message| !message.has_widgets());
    town.deny(&town.square, SEND_MESSAGES);
    move_somehow(&ann.at(&ann.dm()), &code, &mut dice);
    town.shared().wait("the board to be given up", |model| {
        let given_up = |line: &String| line.contains("outbox: delivery given up");
        model.journal.iter().any(given_up).then_some(())
    });
    town.deny(&town.square, 0);
    move_somehow(&bob, &code, &mut dice);
    let next = board_after(&town.square, bare.id, &code);
    assert_eq!(to_move(&next, &[&ann, &bob]).id, ann.id);
}

/// How often the program has said this to its operator.
fn said(town: &Town, words: &str) -> usize {
    let said = |line: &&String| line.starts_with("the program: ") && line.contains(words);
    town.shared()
        .with(|model| model.journal.iter().filter(said).count())
}

/// Waits until the program has said this so many times.
fn until_said(town: &Town, words: &str, times: usize) {
    town.shared().wait(words, |model| {
        let said = model.journal.iter().filter(|line| line.contains(words)).count();
        (said >= times).then_some(())
    });
}

#[test]
fn while_discord_answers_nothing_time_stands_still_for_its_players() {
    const AWAY: &str = "clocks: a platform is away";
    const BACK: &str = "clocks: a platform is back";
    let town = Town::awake();
    // It is reached once it has said that it is ready.
    until_said(&town, BACK, 1);
    assert_eq!((said(&town, AWAY), said(&town, BACK)), (1, 1));
    let square = town.square.id;
    town.shared().with(|model| {
        model
            .faults
            .add(2, Trouble::Status(503), move |call| call.posts_to(square));
    });
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    until_said(&town, AWAY, 2);
    board_after(&town.square, 0, &code);
    until_said(&town, BACK, 2);
}

#[test]
fn what_waits_goes_out_at_once_when_discord_answers_again() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    let square = town.square.id;
    town.shared().with(|model| {
        let away = || Trouble::Status(503);
        model
            .faults
            .add(usize::MAX, away(), move |call| call.posts_to(square));
        model
            .faults
            .add(usize::MAX, away(), |call| call.is("GET", &["gateway"]));
    });
    move_somehow(&ann, &code, &mut Dice::new(23));
    // The board is tried again and again, each time after twice the pause.
    let until_tried = |times: usize| {
        town.shared().wait("another try", |model| {
            let posts = |line: &&String| line.starts_with("POST /channels/") && line.contains("Status(503)");
            let tries = model.journal.iter().filter(posts).count();
            (tries >= times).then(Instant::now)
        })
    };
    let (fifth, sixth) = (until_tried(5), until_tried(6));
    town.shared().with(|model| model.faults.clear());
    let back = Instant::now();
    board_after(&town.square, board.id, &code);
    let (grown, waited) = (sixth - fifth, back.elapsed());
    assert!(
        waited < grown,
        "it waited for its pause: {waited:?} after {grown:?}"
    );
}
