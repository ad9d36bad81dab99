//! What is meant for one guest reaches no other.

use serde_json::{Value, json};

use crate::web::guest::{Guest, game_with_hands, get, read_all, sit_down};
use crate::web::house::House;
use crate::web::http::Events;

#[test]
fn private_messages_are_read_with_their_own_token_only() {
    let house = House::open();
    let [ann, bea, cy] = ["Ann", "Bea", "Cy"].map(|name| Guest::come(house.address, name));
    let mut watching = cy.events("/api/events?after=0");
    sit_down(&ann, &bea, &game_with_hands());
    let is_private = |message: &Value| message["private"] == true;
    let secret = ann.wait("a hand", is_private);
    let bea_secret = bea.wait("a hand", is_private);
    assert_ne!(secret["id"], bea_secret["id"]);
    assert!(secret["room"].is_null());
    let id = secret["id"].as_str().unwrap();

    // Neither another guest nor nobody reads it.
    let public = read_all(|after| get(house.address, &format!("/api/messages?after={after}")).json());
    let last = get(house.address, "/api/messages?limit=500").json();
    let last = last["messages"].as_array().unwrap();
    for message in public.iter().chain(&cy.everything()).chain(last) {
        assert!(!is_private(message), "{message}");
    }
    for message in bea.everything() {
        assert_ne!(message["id"], id);
    }
    // Cy's stream brings every public message and nothing else.
    for message in &public {
        let event = watching.wait("message");
        assert_eq!(event.data["id"], message["id"]);
    }

    // Nor does anybody get its picture, or press its buttons.
    if let Some(url) = secret["picture"]["url"].as_str() {
        assert_eq!(secret["picture"]["private"], true);
        assert_eq!(ann.get(url).status, 200);
        for theme in ["", "?theme=dark"] {
            assert_eq!(get(house.address, &format!("{url}{theme}")).status, 404);
            assert_eq!(bea.get(&format!("{url}{theme}")).status, 404);
        }
        // Nor what can be touched in it.
        let spots = secret["picture"]["spots"].as_str().unwrap();
        assert_eq!(ann.get(spots).status, 200);
        assert_eq!(get(house.address, spots).status, 404);
        assert_eq!(bea.get(spots).status, 404);
    }
    let press = json!({ "message": id, "command": "games" });
    assert_eq!(bea.post("/api/press", &press).status, 404);
}

#[test]
fn answers_reach_only_whoever_asked() {
    let house = House::open();
    let [ann, bea, cy] = ["Ann", "Bea", "Cy"].map(|name| Guest::come(house.address, name));
    sit_down(&ann, &bea, &game_with_hands());
    let mut own = ann.events("/api/events");
    own.wait("hello");
    let mut streams = [
        bea.events("/api/events"),
        Events::open(house.address, "/api/events", &[]).unwrap(),
    ];
    for stream in &mut streams {
        stream.wait("hello");
    }
    let reply = ann.say("hand")["reply"].clone();
    assert_eq!(
        (&reply["private"], &reply["reply"]["secret"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(own.wait("reply").data["id"], reply["id"]);
    // What comes next on the other streams is what is said aloud afterwards; Bea's own hand may come first.
    cy.say("\"well\"");
    for stream in &mut streams {
        let event = loop {
            let event = stream.next().unwrap();
            assert_eq!(event.name, "message", "only Ann has an answer");
            assert_ne!(event.data["id"], reply["id"]);
            if event.data["private"] == false {
                break event;
            }
        };
        assert_eq!(event.data["plain"], "well");
    }
    let url = reply["picture"]["url"].as_str().expect("a hand is drawn");
    assert_eq!(ann.get(url).status, 200);
    assert_eq!(bea.get(url).status, 404);
    assert_eq!(get(house.address, url).status, 404);
}

#[test]
fn a_line_in_a_match_with_secrets_is_not_said_aloud() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    sit_down(&ann, &bea, &game_with_hands());
    // Private messages come when they come; what counts is what is said aloud.
    let aloud = |guest: &Guest| {
        guest
            .everything()
            .iter()
            .filter(|message| message["private"] == false)
            .count()
    };
    let before = aloud(&bea);
    // A misspelt move, by whoever has the turn and by whoever has not.
    for guest in [&ann, &bea] {
        assert!(guest.say("my scret card to 7")["said"].is_null());
    }
    let wish = ann.say("\"good luck!\"");
    assert_eq!(wish["said"]["plain"], "good luck!");
    assert_eq!(aloud(&bea), before + 1);
    let after = bea.everything();
    assert!(!after.iter().any(|message| message.to_string().contains("scret")));
}

#[test]
fn no_token_is_ever_shown() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    sit_down(&ann, &bea, "phwar");
    ann.say("hello there, all of you");
    let shown = [
        bea.get("/api/messages").text(),
        bea.get("/api/rooms").text(),
        bea.get("/api/matches").text(),
        bea.get("/api/suggest?line=challenge%20@").text(),
        bea.get("/healthz").text(),
        format!("{}", bea.say("matches")),
    ];
    for text in shown {
        assert!(!text.contains(&ann.token) && !text.contains(&bea.token));
    }
}
