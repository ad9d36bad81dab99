//! Links: how they are given, what they open, and when they end.

use std::sync::Arc;

use parlor::matches::port::{Space, Store};
use parlor::store::MemoryStore;
use serde_json::{Value, json};

use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::visitor::{Visitor, link_in, parts, personal_link};

/// Ann and Bea at a board, Ann in the first seat; with the code of the match.
pub fn table(house: &House, game: &str) -> (Guest, Guest, String) {
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let code = challenge(&ann, &bea, game);
    (ann, bea, code)
}

pub fn challenge(host: &Guest, other: &Guest, game: &str) -> String {
    let reply = host.hear(&format!("challenge @{} {game} order", other.name));
    let code: String = reply
        .split('#')
        .nth(1)
        .unwrap_or_else(|| panic!("no table: {reply}"))
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    other.say(&format!("accept #{code}"));
    code
}

#[test]
fn a_link_is_given_to_a_player_alone_and_says_what_it_is() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let reply = ann.say(&format!("link #{code}"))["reply"].clone();
    assert_eq!(reply["private"], true);
    assert_eq!(reply["reply"]["secret"], true);
    let said = reply["plain"].as_str().unwrap();
    assert!(said.contains("plays as you in this match"), "{said}");
    let (address, path, key) = parts(&link_in(said));
    assert_eq!((Some(address), path), (house.pages, format!("/m/{code}")));
    assert_eq!(key.expect("a key").len(), 64, "256 bits");
    // Nobody else hears of it, and nobody else may have one.
    assert!(
        !bea.everything()
            .iter()
            .any(|message| message.to_string().contains("#k="))
    );
    let cy = Guest::come(house.address, "Cy");
    assert!(!cy.hear(&format!("link #{code}")).contains("#k="));
    assert!(!cy.hear("link").contains("#k="));
}

#[test]
fn where_there_are_no_pages_nobody_is_given_a_link() {
    let house = House::open();
    let (ann, _, code) = table(&house, "phwar");
    for line in ["link", "watch"] {
        let said = ann.hear(&format!("{line} #{code}"));
        assert!(said.contains("no pages") && !said.contains("http"), "{said}");
    }
    let board = ann.wait("a board", |message| message["picture"].is_object());
    assert!(!board.to_string().contains("Open board"));
}

#[test]
fn a_turn_offers_the_page_within_one_row() {
    let house = House::with_pages(&[]);
    for (game, number) in [("phwar", 1), ("breaker variant=blind", 2), ("phase", 3)] {
        let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, &format!("{name}{number}")));
        let code = challenge(&ann, &bea, game);
        let board = ann.wait("the first board", |message| {
            message["private"] == false && message.to_string().contains(&format!("moves #{code}@"))
        });
        let buttons = board["buttons"].as_array().unwrap();
        let labels: Vec<&str> = buttons.iter().map(|one| one["label"].as_str().unwrap()).collect();
        assert_eq!(labels[..2], ["Move", "Open board"], "{labels:?}");
        assert!(labels.len() <= 5, "{labels:?}");
        let open = buttons.iter().find(|one| one["label"] == "Open board").unwrap();
        assert_eq!(open["command"], format!("link #{code}"));
    }
}

#[test]
fn a_match_is_played_through_a_link() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let page = Visitor::open(&personal_link(&ann, &code));
    let before = page.version();
    let touched = |touches: Value| {
        let answer = page.post("/touch", &json!({ "version": before, "touches": touches }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let picked = touched(json!([{ "spot": "F3" }]));
    let spots = picked["spots"].as_array().unwrap();
    let goal = spots.iter().find(|spot| spot["word"] == "F5").unwrap();
    let command = goal["command"].as_str().unwrap();
    assert_eq!(command, format!("move #{code}@{before} F3-F5"));
    let reply = page.press(command);
    assert_eq!(reply["done"], true, "{reply}");
    // Chat and page agree.
    bea.wait("the move in the room", |message| {
        message["plain"].as_str().unwrap().contains("F3")
    });
    assert_ne!(page.version(), before);
    assert_eq!(page.says("<main id=\"match\"", "data-your-turn"), "false");
    // The same button again is for an earlier board.
    let stale = page.press(command);
    assert_eq!((&stale["done"], &stale["passing"]), (&json!(false), &json!(true)));
    // And the other way round.
    let other = Visitor::open(&personal_link(&bea, &code));
    bea.say(&format!("move #{code} F9-F8"));
    assert_eq!(page.says("<main id=\"match\"", "data-your-turn"), "true");
    assert_eq!(other.version(), page.version());
}

/// Two seats in one browser: each has a page of its own, with a cookie that goes to no other.
#[test]
fn every_key_has_a_page_of_its_own() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let [one, two] = [&ann, &bea].map(|guest| Visitor::open(&personal_link(guest, &code)));
    assert_ne!(one.base, two.base);
    for page in [&one, &two] {
        assert!(page.base.starts_with(&format!("/m/{code}~")), "{}", page.base);
        assert_eq!(page.get("").status, 200);
    }
    assert_eq!(one.says("<main id=\"match\"", "data-your-turn"), "true");
    assert_eq!(two.says("<main id=\"match\"", "data-your-turn"), "false");
    // A cookie that got to another page, or to none, opens nothing.
    for base in [two.base.clone(), format!("/m/{code}"), format!("/m/{code}~")] {
        let mixed = Visitor {
            base: base.clone(),
            ..one.clone()
        };
        assert_eq!(mixed.get("").status, 401, "{base}");
        assert_eq!(mixed.get("/pictures/board.png").status, 401, "{base}");
    }
    // A key that is brought to another one's page opens its own.
    let key = parts(&personal_link(&ann, &code)).2.unwrap();
    let answer = two.post("/key", &json!({ "key": key })).json();
    assert_ne!(answer["base"], json!(two.base));
}

#[test]
fn the_same_event_is_carried_out_once() {
    let house = House::with_pages(&[]);
    let (ann, _, code) = table(&house, "phwar");
    let page = Visitor::open(&personal_link(&ann, &code));
    let pause = json!({ "command": format!("undo #{code}"), "event": "one" });
    page.press(&format!("move #{code} F3-F5"));
    let first = page.post("/press", &pause).json();
    assert_eq!(first["done"], true, "{first}");
    let version = page.version();
    assert_eq!(page.post("/press", &pause).json()["done"], false);
    assert_eq!(page.version(), version);
}

#[test]
fn links_end_when_their_player_says_so_and_when_the_match_does() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let [first, second] = [0, 1].map(|_| Visitor::open(&personal_link(&ann, &code)));
    let other = Visitor::open(&personal_link(&bea, &code));
    assert!(ann.hear(&format!("link #{code} off")).contains("no longer work"));
    for ended in [&first, &second] {
        assert_eq!(ended.get("").status, 401);
        assert_eq!(
            ended
                .post("/press", &json!({ "command": format!("move #{code} F3-F5") }))
                .status,
            401
        );
    }
    assert_eq!(other.get("").status, 200, "another player's links go on");
    assert!(ann.hear(&format!("link #{code} off")).contains("no links"));
    // The end of the match ends what a key can do; what was played can be looked at.
    ann.say(&format!("resign #{code} sure"));
    assert_eq!(other.get("").status, 200);
    assert_eq!(other.says("<main id=\"match\"", "data-running"), "false");
    let version = other.version();
    for command in ["move F9-F8", "undo", "draw", "resign sure", "accept"] {
        let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
        let reply = other.press(&format!("{verb} #{code} {rest}"));
        assert_eq!(reply["done"], false, "{command}: {reply}");
    }
    assert_eq!(other.version(), version);
    // It can be seen again, and a note on it is kept; what was played before stays offered nowhere.
    let replay = other.press(&format!("replay #{code}"));
    let film = replay["picture"]["url"].as_str().expect("a film");
    assert_eq!(other.get(film).header("content-type"), Some("image/apng"));
    for button in replay["buttons"].as_array().unwrap() {
        let command = button["command"].as_str().unwrap();
        assert!(command.contains(&code), "{command}");
        let answer = other.press(command);
        assert!(
            !answer["text"].as_str().unwrap().contains("one match"),
            "{command}"
        );
    }
    other.press(&format!("note #{code} the left side"));
    let notes = other.press(&format!("note #{code}"));
    assert!(
        notes["text"].as_str().unwrap().contains("the left side"),
        "{notes}"
    );
    let again = other.press(&format!("resign #{code} sure"));
    assert_eq!(again["buttons"], json!([]), "a rematch is for the chat");
    // Even now the link can be ended.
    assert!(bea.hear(&format!("link #{code} off")).contains("no longer work"));
    assert_eq!(other.get("").status, 401);
    assert!(
        !bea.hear(&format!("link #{code}")).contains("#k="),
        "a match that is over has no new links"
    );
}

#[test]
fn a_player_has_only_so_many_links() {
    let house = House::with_pages(&[]);
    let (ann, _, code) = table(&house, "phwar");
    let pages: Vec<Visitor> = (0..7)
        .map(|_| Visitor::open(&personal_link(&ann, &code)))
        .collect();
    let open = pages.iter().map(|page| page.get("").status == 200);
    assert_eq!(
        open.collect::<Vec<_>>(),
        [false, false, true, true, true, true, true]
    );
}

#[test]
fn links_survive_a_restart_and_no_store_holds_them() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let house = House::with_pages_over(Arc::clone(&store), &[]);
    let (ann, _, code) = table(&house, "phwar");
    let link = personal_link(&ann, &code);
    let page = Visitor::open(&link);
    drop(house);
    let house = House::with_pages_over(Arc::clone(&store), &[]);
    let again = Visitor {
        address: house.pages.unwrap(),
        ..page
    };
    assert_eq!(again.get("").status, 200);
    let key = parts(&link).2.unwrap();
    for space in Space::ALL {
        for (row, value) in store.scan(space, &b""[..]..=&[0xff; 64][..], usize::MAX).unwrap() {
            for bytes in [row, value] {
                assert!(!String::from_utf8_lossy(&bytes).contains(&key), "{space:?}");
            }
        }
    }
}
