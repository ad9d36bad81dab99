//! Hidden things: what only one player may know is in nothing that the pages give to others.

use std::collections::BTreeSet;

use serde_json::Value;

use super::links::table;
use crate::web::guest::{Guest, game_with_hands};
use crate::web::house::House;
use crate::web::visitor::{Visitor, link_in, personal_link};

/// What chat tells a guest of their hand, card by card or as a list, and the other player is not told in any way: neither of
/// what is now nor of what was.
fn secrets(guest: &Guest, other: &Guest, code: &str) -> BTreeSet<String> {
    let shown = [
        format!("hand #{code}"),
        format!("text #{code}"),
        format!("replay #{code} text"),
    ]
    .map(|line| other.say(&line)["reply"].to_string())
    .concat();
    let said = guest.hear(&format!("hand #{code}"));
    let held = said.lines().filter_map(|line| {
        let card = line
            .split_once(" (cost ")
            .and_then(|(before, _)| before.split_once(". "));
        let list = line
            .strip_prefix("Your hand: ")
            .and_then(|list| list.split_once('.'));
        let (name, list) = (card.map(|(_, name)| name), list.map(|(list, _)| list));
        name.or(list).map(str::to_owned)
    });
    held.filter(|held| !shown.contains(held.as_str())).collect()
}

/// Everything that a page gives now: itself, its last step, what is behind every picture of it, and that as spots. Earlier
/// steps were looked at when they were the last.
fn everything(page: &Visitor, turns: usize) -> Vec<String> {
    let pages = [
        page.page(),
        page.get("?brief").text(),
        page.get(&format!("/{turns}")).text(),
    ];
    let mut given = Vec::new();
    for html in pages {
        for url in html
            .split('"')
            .filter(|part| part.starts_with('/') && part.contains("/pictures/"))
        {
            let answer = page.get(url.split('?').next().unwrap());
            assert_eq!(answer.status, 200, "{url}");
            if url.ends_with(".json") {
                given.push(answer.text());
            }
        }
        given.push(html);
    }
    given
}

fn watched(ann: &Guest, bea: &Guest, code: &str) -> Visitor {
    ann.hear(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    Visitor::open(&link_in(&ann.hear(&format!("watch #{code}"))))
}

/// How many moves are played between two looks, and how often everybody looks.
const MOVES: usize = 5;
const LOOKS: usize = 3;

/// Many hands are empty at first, and what is hidden changes: everybody looks again while the match is played.
#[test]
fn a_hand_is_on_its_own_page_and_on_no_other() {
    let house = House::with_pages(&[]);
    for (number, game) in [(1, game_with_hands()), (2, "phase".to_owned())] {
        let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, &format!("{name}{number}")));
        let code = super::links::challenge(&ann, &bea, &game);
        let watcher = watched(&ann, &bea, &code);
        let [one, two] = [&ann, &bea].map(|guest| Visitor::open(&personal_link(guest, &code)));
        let mut chance = 7;
        let mut hidden = BTreeSet::new();
        for look in 0..LOOKS {
            let moves = if look == 0 { 0 } else { MOVES };
            for _ in 0..moves {
                assert!([&one, &two].iter().any(|page| page.play_by_touch(&mut chance)));
            }
            let looks = [(&ann, &bea, &two), (&bea, &ann, &one)];
            for (guest, other, other_page) in looks {
                let secrets = secrets(guest, other, &code);
                for (who, page) in [(&other.name, other_page), (&"a watcher".to_owned(), &watcher)] {
                    for given in everything(page, turns(page)) {
                        for secret in &secrets {
                            assert!(!given.contains(secret), "{game}: {who} reads {secret}");
                        }
                    }
                }
                hidden.extend(secrets);
            }
            // Each is shown their own.
            let hands = [&one, &two].map(|page| page.get("/pictures/hand.png"));
            assert!(hands.iter().all(|hand| hand.status == 200));
            assert!(look == 0 || hands[0].body != hands[1].body, "{game}");
        }
        // Where nothing was hidden, nothing was looked for.
        assert!(!hidden.is_empty(), "{game}: nobody held anything");
        // Who watches has no hand at all.
        for path in [
            "/pictures/hand.png",
            "/pictures/hand.json",
            "/pictures/hand.1.x.png",
        ] {
            assert_eq!(watcher.get(path).status, 404);
        }
        assert!(!watcher.page().contains("pictures/hand"));
        // Nor when it is over.
        let last = secrets(&ann, &bea, &code);
        ann.say(&format!("resign #{code} sure"));
        assert_eq!(watcher.says("<main id=\"match\"", "data-running"), "false");
        assert_eq!(watcher.get("/pictures/hand.png").status, 404);
        for given in everything(&watcher, turns(&watcher)) {
            for secret in &last {
                assert!(
                    !given.contains(secret),
                    "{game}: a watcher reads {secret} after the end"
                );
            }
        }
    }
}

/// How many turns a page tells of.
fn turns(page: &Visitor) -> usize {
    let html = page.page();
    let told = html.split_once("class=\"step-at\">").unwrap().1;
    let words = told.split('<').next().unwrap();
    words.rsplit(' ').next().unwrap().parse().unwrap_or(0)
}

#[test]
fn pictures_that_one_player_sees_are_kept_nowhere() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, &game_with_hands());
    let page = Visitor::open(&personal_link(&ann, &code));
    for path in [
        "",
        "/0",
        "/pictures/board.png",
        "/pictures/board.json",
        "/pictures/hand.png",
        "/pictures/turn-0.png",
    ] {
        let answer = page.get(path);
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (200, Some("private, no-store")),
            "{path}"
        );
    }
    let watcher = watched(&ann, &bea, &code);
    for path in ["", "/pictures/board.png"] {
        assert_eq!(
            watcher.get(path).header("cache-control"),
            Some("no-cache"),
            "{path}"
        );
    }
}

#[test]
fn pictures_of_answers_are_for_whoever_asked() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let [own, other] = [&ann, &bea].map(|guest| Visitor::open(&personal_link(guest, &code)));
    let version = own.version();
    let reply = own.press(&format!("preview #{code}@{version} F3-F5"));
    let url = reply["picture"]["url"].as_str().expect("a picture").to_owned();
    assert_eq!(own.get(&url).status, 200);
    let file = url.strip_prefix(&own.base).unwrap();
    assert_eq!(other.get(file).status, 404);
    assert_eq!(watched(&ann, &bea, &code).get(file).status, 404);
}

/// A page without what goes on by itself: clocks, and how far away moments are.
pub fn without_time(page: &str) -> String {
    let mut left = page.to_owned();
    for (start, end) in [("<ul id=\"clocks\"", "</ul>"), ("<time ", "</time>")] {
        while let Some(at) = left.find(start) {
            let length = left[at..].find(end).unwrap() + end.len();
            left.replace_range(at..at + length, "");
        }
    }
    left
}

/// A wish that one player keeps to themselves changes nothing that others are given: not the page, not the tags of its
/// pictures, not the stream.
#[test]
fn a_private_wish_is_noticed_by_nobody() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phase");
    let watcher = watched(&ann, &bea, &code);
    let [own, other] = [&ann, &bea].map(|guest| Visitor::open(&personal_link(guest, &code)));
    let seen = |page: &Visitor| -> Vec<Option<String>> {
        let tag = |path: &str| page.get(path).header("etag").map(str::to_owned);
        vec![
            Some(without_time(&page.page())),
            tag("/pictures/board.png"),
            tag("/pictures/turn-0.png"),
            tag("/pictures/hand.png"),
        ]
    };
    let before = [seen(&other), seen(&watcher)];
    let own_before = seen(&own);
    let mut streams = [other.events(), watcher.events()];
    for stream in &mut streams {
        stream.wait("hello");
    }
    let said = ann.hear(&format!("move #{code} always defend"));
    assert_eq!([seen(&other), seen(&watcher)], before, "{said}");
    assert_ne!(seen(&own), own_before, "there was such a wish: {said}");
    // What is heard next is what is done openly.
    let version = watcher.version();
    bea.say(&format!("draw #{code}"));
    for stream in &mut streams {
        assert_eq!(stream.wait("changed").data, Value::Object(serde_json::Map::new()));
    }
    assert_ne!(watcher.version(), version);
}

#[test]
fn a_stream_says_that_something_has_changed_and_nothing_else() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let elsewhere = super::links::challenge(&bea, &ann, "fabric");
    let page = Visitor::open(&personal_link(&ann, &code));
    let mut stream = page.events();
    stream.wait("hello");
    bea.say(&format!("move #{elsewhere} A a1"));
    ann.say(&format!("move #{code} F3-F5"));
    let event = stream.next().unwrap();
    assert_eq!(
        (event.name.as_str(), event.data.to_string()),
        ("changed", "{}".to_owned())
    );
    bea.say(&format!("move #{code} F9-F8"));
    let event = stream.next().unwrap();
    assert_eq!(
        (event.name.as_str(), event.data.to_string()),
        ("changed", "{}".to_owned())
    );
    // With the link the stream ends.
    ann.say(&format!("link #{code} off"));
    assert!(stream.next().is_none());
}
