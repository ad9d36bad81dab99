//! First answers, later ones, and their deadlines.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Client, with, words};
use crate::standin::model::InteractionKind::{Autocomplete, Command, Component};

fn answer(data: &Value) -> Value {
    json!({ "type": 4, "data": data })
}

const DEFER: u64 = 5;

fn defer(flags: u64) -> Value {
    json!({ "type": DEFER, "data": { "flags": flags } })
}

fn advance(client: &Client, by: Duration) {
    client.standin.shared.with(|model| model.clock.advance(by));
}

#[test]
fn a_first_answer_comes_within_three_seconds_or_not_at_all() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    advance(&client, Duration::from_secs(3));
    assert_eq!(client.call_back(id, &token, &answer(&words("In time"))).0, 204);
    let (id, token) = client.begin(Command, None);
    advance(&client, Duration::from_millis(3001));
    let (status, code, _) = client.call_back(id, &token, &answer(&words("Too late")));
    assert_eq!((status, code), (404, 10062));
    assert_eq!(
        client.call_back(id, "another-token", &answer(&words("x"))).1,
        10062
    );
}

#[test]
fn time_stands_still_until_it_is_let_run() {
    let client = Client::new();
    let now = || client.standin.shared.with(|model| model.clock.now());
    let before = now();
    assert_eq!(now(), before);
    client.standin.shared.with(|model| model.clock.run());
    while now() == before {}
    client.standin.shared.with(|model| model.clock.hold());
    let held = now();
    assert!(held > before && now() == held);
}

#[test]
fn there_is_one_first_answer() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    assert_eq!(client.call_back(id, &token, &defer(0)).0, 204);
    let (status, code, _) = client.call_back(id, &token, &answer(&words("Again")));
    assert_eq!((status, code), (400, 40060));
}

#[test]
fn a_refused_first_answer_leaves_room_for_a_better_one() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    assert_eq!(
        client
            .call_back(id, &token, &answer(&json!({ "content": "x" })))
            .1,
        50035
    );
    assert_eq!(client.call_back(id, &token, &answer(&words("x"))).0, 204);
}

#[test]
fn answers_fit_what_was_asked() {
    let client = Client::new();
    let suggestions = |count: usize, name: &str| {
        let choices = vec![json!({ "name": name, "value": "v" }); count];
        json!({ "type": 8, "data": { "choices": choices } })
    };
    let (id, token) = client.begin(Autocomplete, None);
    assert_eq!(client.call_back(id, &token, &defer(0)).1, 50035);
    assert_eq!(client.call_back(id, &token, &suggestions(26, "x")).1, 50035);
    assert_eq!(
        client.call_back(id, &token, &suggestions(1, &"x".repeat(101))).1,
        50035
    );
    assert_eq!(client.call_back(id, &token, &suggestions(25, "x")).0, 204);
    let (id, token) = client.begin(Command, None);
    assert_eq!(client.call_back(id, &token, &json!({ "type": 6 })).1, 50035);
    assert_eq!(client.call_back(id, &token, &suggestions(1, "x")).1, 50035);
}

#[test]
fn a_token_lives_a_quarter_of_an_hour_and_only_after_the_first_answer() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    let edit = || client.webhook("PATCH", &token, "/messages/@original", Some(&words("Filled in")));
    assert_eq!(edit().1, 10015);
    client.call_back(id, &token, &defer(0));
    advance(&client, Duration::from_secs(15 * 60));
    assert_eq!(edit().0, 200);
    advance(&client, Duration::from_secs(1));
    assert_eq!((edit().0, edit().1), (401, 50027));
    assert_eq!(
        client.webhook("POST", "no-such-token", "", Some(&words("x"))).1,
        10015
    );
}

#[test]
fn what_was_deferred_in_private_stays_private_and_pings_nobody() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    client.call_back(id, &token, &defer(64));
    let ping = format!("<@{}>", client.user);
    let body = json!({ "content": ping, "allowed_mentions": { "parse": ["users"] } });
    assert_eq!(client.webhook("POST", &token, "", Some(&body)).0, 200);
    assert_eq!(client.webhook("POST", &token, "", Some(&body)).0, 200);
    let seen: Vec<(Option<u64>, usize)> = client.standin.shared.with(|model| {
        let messages = model.messages.values();
        messages
            .map(|message| (message.only_for, message.pinged.len()))
            .collect()
    });
    // The first filled in what was deferred; the second was a message of its own, for all to see.
    assert_eq!(seen, [(Some(client.user), 0), (None, 1)]);
    assert!(client.standin.problems(&[]).is_empty());
}

#[test]
fn a_private_message_in_a_public_answer_is_a_leak() {
    let client = Client::new();
    let (id, token) = client.begin(Command, None);
    client.call_back(id, &token, &defer(0));
    client.webhook("POST", &token, "", Some(&with(json!({ "flags": 64 }))));
    assert_eq!(client.standin.problems(&[]).len(), 1);
}

#[test]
fn an_update_keeps_the_picture_unless_it_lists_none() {
    let client = Client::new();
    let picture = reqwest::multipart::Part::bytes(vec![7; 9]).file_name("board.png");
    let form = reqwest::multipart::Form::new()
        .text("payload_json", words("A board").to_string())
        .part("files[0]", picture);
    let path = format!("/channels/{}/messages", client.channel);
    let (_, _, sent) = client
        .send(client.request("POST", &path).multipart(form))
        .unwrap();
    let message: u64 = sent["id"].as_str().unwrap().parse().unwrap();
    let files = || {
        client
            .standin
            .shared
            .with(|model| model.messages[&message].attachments.len())
    };
    let update = |data: &Value| {
        let (id, token) = client.begin(Component, Some(message));
        client.call_back(id, &token, &json!({ "type": 7, "data": data }))
    };
    assert_eq!(update(&words("Still a board")).0, 204);
    assert_eq!(files(), 1);
    assert_eq!(update(&with(json!({ "attachments": [] }))).0, 204);
    assert_eq!(files(), 0);
    assert_eq!(update(&with(json!({ "attachments": [{ "id": "5" }] }))).1, 50035);
}
