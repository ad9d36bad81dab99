//! A match that is played on Discord and, by a link, on its page.

use serde_json::json;

use super::{board_after, match_of, next_board, offers};
use crate::driver::Town;
use crate::web::visitor::{Visitor, link_in, parts};

#[test]
fn a_player_opens_their_board_and_plays_on_its_page() {
    let mut town = Town::asleep();
    town.start_with(&[("PARLOR_WEB_LISTEN", "127.0.0.1:0")]);
    let [ann, bob, cy] = ["Ann", "Bob", "Cy"].map(|name| town.user(name));
    let code = match_of(&town, &[&ann, &bob], "phwar", json!({}));
    let board = board_after(&town.square, 0, &code);
    assert!(offers(&board, "Open board"));
    // The button answers whoever presses it, and nobody else.
    let answer = ann.press(&board, "Open board").answer();
    assert_eq!(answer.only_for, Some(ann.id));
    let link = link_in(&answer.text());
    let key = parts(&link).2.expect("a key");
    assert!(answer.text().contains("plays as you"));
    let refused = cy.press(&board, "Open board").answer();
    assert!(!refused.text().contains("#k="), "{}", refused.text());
    for other in [&bob, &cy] {
        for message in other.everything_seen() {
            assert!(!message.everything().contains(&key));
        }
    }
    // What is played on the page is a turn like any other on Discord.
    let page = Visitor::open(&link);
    let version = page.version();
    let touched = page.post(
        "/touch",
        &json!({ "version": version, "touches": [{ "spot": "F3" }, { "spot": "F5" }] }),
    );
    let command = touched.json()["command"].as_str().unwrap().to_owned();
    assert_eq!(page.press(&command)["done"], true);
    let next = next_board(&town.square, &board, &code);
    assert!(next.text().contains("F3"), "{}", next.text());
    assert_eq!(next.pinged, [bob.id]);
    // And the other way round: the page follows what is played on Discord.
    let mut stream = page.events();
    stream.wait("hello");
    let words = bob
        .slash("move", &json!({ "move": "F9-F8", "match": code }))
        .words();
    assert!(words.starts_with("Played"), "{words}");
    stream.wait("changed");
    assert_eq!(page.says("<main id=\"match\"", "data-your-turn"), "true");
    // It lives through the death of the program; the link does not live through its end.
    let address = page.address.to_string();
    town.kill();
    town.start_with(&[("PARLOR_WEB_LISTEN", &address)]);
    assert_eq!(page.get("").status, 200);
    let words = ann.slash("link", &json!({ "match": code, "off": "off" })).words();
    assert!(words.contains("no longer work"), "{words}");
    assert_eq!(page.get("").status, 401);
    assert_eq!(page.post("/press", &json!({ "command": command })).status, 401);
    // The key is in no line that the program wrote.
    for line in town.program().lines() {
        assert!(!line.contains(&key), "{line}");
    }
}
