//! Answers that have nothing more to say don't linger.

use serde_json::json;

use super::{code_in, offers};
use crate::driver::Town;
use crate::standin::model::Message;

#[test]
fn a_refusal_goes_with_the_next_command() {
    let town = Town::awake();
    let ann = town.user("Ann");
    let refused = ann.slash("move", &json!({ "move": "F2-F5" })).answer();
    assert!(shown(&town, &refused));
    let games = ann.slash("games", &json!({})).answer();
    town.shared().wait("the refusal to go", |model| {
        model.messages[&refused.id].deleted.then_some(())
    });
    // What was asked for stays.
    let refused = ann.slash("board", &json!({})).answer();
    ann.slash("games", &json!({})).answer();
    town.shared().wait("the second refusal to go", |model| {
        model.messages[&refused.id].deleted.then_some(())
    });
    assert!(shown(&town, &games));
}

#[test]
fn a_cancel_goes_when_the_table_waits_no_longer() {
    let town = Town::awake();
    let (ann, bob) = (town.user("Ann"), town.user("Bob"));
    let asked = json!({ "game": "phwar", "player": bob.id_text() });
    let seated = ann.slash("challenge", &asked).answer();
    let code = code_in(&seated.text());
    assert!(offers(&seated, "Cancel"));
    // As long as it waits, it can be cancelled.
    ann.slash("games", &json!({})).answer();
    ann.slash("matches", &json!({})).answer();
    assert!(shown(&town, &seated));
    bob.slash("accept", &json!({ "match": code })).answer();
    ann.slash("games", &json!({})).answer();
    town.shared().wait("the dead Cancel to go", |model| {
        model.messages[&seated.id].deleted.then_some(())
    });
}

fn shown(town: &Town, message: &Message) -> bool {
    town.shared().with(|model| !model.messages[&message.id].deleted)
}
