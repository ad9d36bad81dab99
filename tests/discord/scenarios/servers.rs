//! What those who manage a server decide, and threads.

use serde_json::json;

use super::{Dice, board_after, code_in, match_of, move_somehow, offers, to_move};
use crate::driver::{Place, Town, User};
use crate::standin::permissions::{
    CREATE_PUBLIC_THREADS, MANAGE_GUILD, MANAGE_THREADS, SEND_MESSAGES_IN_THREADS,
};

/// Somebody who may manage the server.
fn manager(town: &Town) -> User {
    let user = town.user("Mayor");
    town.grant(&user, MANAGE_GUILD);
    user
}

#[test]
fn settings_are_for_those_who_manage_the_server() {
    let town = Town::awake();
    let (mayor, ann) = (manager(&town), town.user("Ann"));
    assert!(mayor.may_use("parlor-settings") && !ann.may_use("parlor-settings"));
    let words = mayor
        .slash("parlor-settings", &json!({ "threads": false }))
        .words();
    assert!(words.contains("Settings here"), "{words}");
    // A server may show the command to others; they still can't change anything.
    let words = ann
        .slash_unshown("parlor-settings", &json!({ "threads": true }))
        .words();
    assert!(words.contains("Only people who manage"), "{words}");
    let words = mayor.slash("parlor-settings", &json!({})).words();
    assert!(words.contains("without threads"), "{words}");
}

#[test]
fn matches_are_opened_where_the_server_wants_them() {
    let town = Town::awake();
    let (mayor, ann) = (manager(&town), town.user("Ann"));
    let meadow = town.channel("meadow");
    mayor
        .slash("parlor-settings", &json!({ "allow": meadow.id.to_string() }))
        .answer();
    let words = ann.slash("open", &json!({ "game": "phwar" })).words();
    assert!(words.contains(&format!("<#{}>", meadow.id)), "{words}");
    assert!(town.square.messages().is_empty());
    ann.at(&meadow)
        .slash("open", &json!({ "game": "phwar" }))
        .answer();
    meadow.wait_for("a table", |message| offers(message, "Join"));
    mayor
        .slash("parlor-settings", &json!({ "everywhere": true }))
        .answer();
    ann.slash("open", &json!({ "game": "phwar" })).answer();
    town.square.wait_for("a table", |message| offers(message, "Join"));
}

#[test]
fn a_server_has_its_own_default_options() {
    let mut town = Town::awake();
    let (mayor, ann) = (manager(&town), town.user("Ann"));
    let suggested = mayor.autocomplete(
        "parlor-settings",
        &json!({ "game": "phwar", "options": "" }),
        "options",
    );
    assert!(
        suggested.iter().any(|(_, value)| value == "centre=on"),
        "{suggested:?}"
    );
    mayor
        .slash(
            "parlor-settings",
            &json!({ "game": "phwar", "options": "centre=on" }),
        )
        .answer();
    let wrong = mayor
        .slash(
            "parlor-settings",
            &json!({ "game": "phwar", "options": "centr=on" }),
        )
        .words();
    assert!(wrong.contains("centre"), "{wrong}");
    town.kill();
    town.start();
    let table = |more: serde_json::Value| {
        let mut options = json!({ "game": "phwar" });
        for (key, value) in more.as_object().unwrap() {
            options[key] = value.clone();
        }
        let code = code_in(&ann.slash("open", &options).words());
        town.square
            .wait_for("a table", |message| {
                message.everything().contains(&format!("#{code}"))
            })
            .text()
    };
    let usual = table(json!({})).to_lowercase();
    assert!(usual.contains("centre on"), "{usual}");
    // Who plays by the game's own rules reads nothing of options.
    let chosen = table(json!({ "options": "centre=off" })).to_lowercase();
    assert!(!chosen.contains("centre"), "{chosen}");
}

/// A match in a thread of its own.
fn in_thread(town: &Town, players: &[&User; 2]) -> (String, Place) {
    manager(town)
        .slash("parlor-settings", &json!({ "threads": true }))
        .answer();
    let code = match_of(town, players, "phwar", json!({}));
    let beginning = board_after(&town.square, 0, &code);
    assert!(beginning.text().contains("begins"), "{}", beginning.text());
    let thread = town.square.wait_for_thread();
    assert_eq!(
        thread.id, beginning.id,
        "the thread hangs under the message by which the match began"
    );
    assert!(thread.channel().name.contains(&code));
    (code, thread)
}

#[test]
fn a_match_has_a_thread_where_the_server_wants_it() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let (code, thread) = in_thread(&town, &[&ann, &bob]);
    let other = match_of(&town, &[&ann, &bob], "glyphgrid", json!({}));
    let mut dice = Dice::new(20);
    // In the thread no code is needed, however many matches there are.
    let (ann, bob) = (ann.at(&thread), bob.at(&thread));
    let found = ann.autocomplete("move", &json!({ "move": "" }), "move");
    let action = dice.pick(&found).1.clone();
    let words = ann.slash("move", &json!({ "move": action })).words();
    assert!(words.starts_with("Played"), "{words}");
    let board = board_after(&thread, 0, &code);
    assert_eq!(to_move(&board, &[&ann, &bob]).id, bob.id);
    assert_eq!(board.pinged, [bob.id]);
    let menu = bob.press(&board, "Move").answer();
    assert!(!menu.choices().is_empty());
    // The thread falls asleep, and is woken by the next move.
    thread.change(|channel| channel.archived = true);
    move_somehow(&bob, &code, &mut dice);
    let next = board_after(&thread, board.id, &code);
    assert!(!thread.channel().archived);
    thread.wait_until(&board, "old buttons to go", |message| !message.has_widgets());
    // Somebody locks it: the match goes on there as long as the bot may wake it.
    thread.change(|channel| (channel.archived, channel.locked) = (true, true));
    move_somehow(&ann, &code, &mut dice);
    let after = board_after(&thread, next.id, &code);
    assert_eq!(to_move(&after, &[&ann, &bob]).id, bob.id);
    assert!(
        town.square
            .messages()
            .iter()
            .any(|message| message.everything().contains(&other))
    );
}

#[test]
fn a_game_with_hidden_hands_has_a_thread_unless_the_server_decides_otherwise() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let open = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    board_after(&town.square, 0, &open);
    assert!(town.square.threads().is_empty(), "little to tell");
    let code = match_of(&town, &[&ann, &bob], "breaker", json!({}));
    let thread = town.square.wait_for_thread();
    assert!(thread.channel().name.contains(&code));
    let [ann_there, bob_there] = [ann.at(&thread), bob.at(&thread)];
    let mut dice = Dice::new(41);
    move_somehow(&ann_there, &code, &mut dice);
    board_after(&thread, 0, &code);
    // The channel hears how it ended, and of nothing in between.
    let before = town.square.messages().len();
    let sure = bob_there.slash("resign", &json!({ "match": code })).answer();
    bob_there.press(&sure, "Resign").answer();
    let told = town.square.wait_for("the end", |message| {
        message.everything().contains(&code) && message.text().contains("resigned")
    });
    assert!(told.pinged.is_empty() && !told.has_widgets());
    assert_eq!(town.square.messages().len(), before + 1);
    thread.wait_for("the end", |message| message.text().contains("resigned"));
    manager(&town)
        .slash("parlor-settings", &json!({ "threads": false }))
        .answer();
    let plain = match_of(&town, &[&ann, &bob], "breaker", json!({}));
    board_after(&town.square, told.id, &plain);
    assert_eq!(town.square.threads().len(), 1);
}

#[test]
fn a_match_leaves_a_thread_that_is_deleted_or_shut() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let (code, thread) = in_thread(&town, &[&ann, &bob]);
    let start = town.square.messages().last().unwrap().id;
    thread.delete();
    move_somehow(&ann, &code, &mut Dice::new(21));
    let board = board_after(&town.square, start, &code);
    assert_eq!(board.pinged, [bob.id]);
    move_somehow(&bob, &code, &mut Dice::new(22));
    board_after(&town.square, board.id, &code);
}

#[test]
fn a_thread_that_may_not_be_made_is_done_without() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    town.deny(
        &town.square,
        CREATE_PUBLIC_THREADS | MANAGE_THREADS | SEND_MESSAGES_IN_THREADS,
    );
    let words = manager(&town)
        .slash("parlor-settings", &json!({ "threads": true }))
        .words();
    assert!(words.contains("Create Public Threads"), "{words}");
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    move_somehow(&ann, &code, &mut Dice::new(23));
    board_after(&town.square, board.id, &code);
    assert!(town.square.threads().is_empty());
}
