//! Attacks on links: what a stolen, foreign, guessed or ended one is good for, and what other sites can do.

use serde_json::json;

use super::links::{challenge, table};
use crate::web::guest::{Guest, get};
use crate::web::house::House;
use crate::web::http::ask;
use crate::web::visitor::{Visitor, link_in, parts, personal_link};

#[test]
fn a_key_opens_its_own_match_and_nothing_else() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let other = challenge(&bea, &ann, "fabric");
    let page = Visitor::open(&personal_link(&ann, &code));
    // Under another match's name, the key is worth nothing.
    let elsewhere = Visitor {
        base: format!("/m/{other}"),
        ..page.clone()
    };
    assert_eq!(elsewhere.get("").status, 401);
    let key = parts(&personal_link(&ann, &code)).2.unwrap();
    assert_eq!(elsewhere.post("/key", &json!({ "key": key })).status, 401);
    // Nor do commands lead out of the match: not by naming another, not by naming none, not by asking for something else.
    let settings = ann.hear("settings theme");
    for command in [
        &format!("board #{other}"),
        &format!("resign #{other} sure"),
        &format!("#{other} hand"),
        "resign sure",
        "matches",
        "settings theme dark",
        &format!("settings theme dark #{code}"),
        "deck list",
        &format!("link #{code}"),
        &format!("watch #{code}"),
        &format!("link #{code} off"),
        &format!("rematch #{code}"),
        &format!("replay #{other}"),
        "challenge bot phwar",
        "practice phwar",
        &format!("practice #{code} 1"),
        &format!("review #{other}"),
        &format!("note #{other} mine"),
        "catchup",
        &format!("join #{other}"),
        "help",
        "hello there",
        "F3-F5",
        "",
    ] {
        let reply = page.press(command);
        assert_eq!(reply["done"], false, "{command}: {reply}");
        assert!(
            reply["text"].as_str().unwrap().contains("one match"),
            "{command}: {reply}"
        );
        assert!(reply["picture"].is_null() && reply["file"].is_null(), "{command}");
    }
    assert_eq!(ann.hear("settings theme"), settings);
    assert_eq!(page.get("").status, 200);
    // Inside it, it is Ann who is asked, not Bea.
    let reply = page.press(&format!("move #{code} F9-F8"));
    assert_eq!(reply["done"], false);
}

#[test]
fn whoever_has_no_key_or_a_wrong_one_learns_nothing() {
    let house = House::with_pages(&[]);
    let (ann, _, code) = table(&house, "phwar");
    let address = house.pages.unwrap();
    let page = Visitor::open(&personal_link(&ann, &code));
    let refused = |path: &str, cookie: &str| {
        let answer = ask(address, "GET", path, &[("Cookie", cookie)], b"").unwrap();
        (answer.status, answer.text())
    };
    let guessed = format!("parlor-key={}", "0".repeat(64));
    let (status, words) = refused(&format!("/m/{code}"), "");
    assert_eq!(status, 401);
    assert!(!words.contains("Phwar") && !words.contains(&code), "{words}");
    // A match that isn't there, one that isn't yours, and a wrong key are told apart by nothing.
    for (path, cookie) in [
        (format!("/m/{code}"), guessed.as_str()),
        ("/m/ZZZZ".to_owned(), ""),
        ("/m/ZZZZ".to_owned(), guessed.as_str()),
        ("/m/nonsense!".to_owned(), ""),
        (format!("/m/{code}-{}", "0".repeat(32)), ""),
        (format!("/m/{code}-"), ""),
        (format!("/m/{code}/3"), ""),
    ] {
        assert_eq!(refused(&path, cookie), (401, words.clone()), "{path}");
    }
    for path in ["pictures/board.png", "pictures/hand.json", "events"] {
        assert_eq!(refused(&format!("/m/{code}/{path}"), "").0, 401, "{path}");
    }
    let blank = Visitor { cookie: None, ..page };
    assert_eq!(blank.post("/touch", &json!({ "version": 1 })).status, 401);
    assert_eq!(
        blank
            .post("/press", &json!({ "command": format!("board #{code}") }))
            .status,
        401
    );
    assert_eq!(blank.post("/key", &json!({ "key": "0".repeat(64) })).status, 401);
    assert_eq!(
        blank.post("/key", &json!({ "key": "0".repeat(9999) })).status,
        401
    );
}

#[test]
fn another_site_can_do_nothing() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    let page = Visitor::open(&personal_link(&ann, &code));
    let own = format!("http://{}", page.address);
    let version = page.version();
    let press = json!({ "command": format!("move #{code} F3-F5") });
    for headers in [
        &[][..],
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Origin", own.as_str()), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", own.as_str()), ("Sec-Fetch-Site", "same-site")],
    ] {
        for path in ["/press", "/touch", "/key"] {
            assert_eq!(
                page.post_with(path, &press, headers).status,
                403,
                "{path} {headers:?}"
            );
        }
    }
    // A form can't send what is read.
    let form = ask(
        page.address,
        "POST",
        &format!("{}/press", page.base),
        &[
            ("Origin", own.as_str()),
            ("Content-Type", "text/plain"),
            ("Cookie", page.cookie.as_deref().unwrap()),
        ],
        press.to_string().as_bytes(),
    );
    assert_eq!(form.unwrap().status, 415);
    assert_eq!(page.version(), version);
    // A domain that somebody points here is another site, too.
    assert_eq!(page.get_with("", &[("Host", "evil.example")]).status, 421);
    // What only our pages need is given to no other: neither a place in the stream, nor work for a picture. A link to a
    // picture may be followed.
    ann.say(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    let watcher = Visitor::open(&link_in(&ann.hear(&format!("watch #{code}"))));
    for page in [&page, &watcher] {
        for path in ["/events", "/pictures/board.png", "/pictures/board.json"] {
            for site in ["cross-site", "same-site"] {
                let headers = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "no-cors")];
                assert_eq!(page.get_with(path, &headers).status, 403, "{path} {site}");
            }
        }
        let followed = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
        let own = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")];
        for headers in [&followed[..], &own, &[]] {
            assert_eq!(page.get_with("/pictures/board.png", headers).status, 200);
        }
    }
    // Nobody is allowed to read from elsewhere, or to frame the page.
    let answer = page.get_with("", &[("Origin", "https://evil.example")]);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[test]
fn the_cookie_goes_to_its_own_page_alone() {
    let house = House::with_pages(&[]);
    let (ann, _, code) = table(&house, "phwar");
    let (address, base, key) = parts(&personal_link(&ann, &code));
    let page = Visitor {
        address,
        base,
        cookie: None,
    };
    let answer = page.post("/key", &json!({ "key": key }));
    let cookie = answer.header("set-cookie").unwrap();
    let base = answer.json()["base"].as_str().unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Strict", &format!("Path={base};")] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(base.starts_with(&format!("/m/{code}~")), "{base}");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    // Neither the page nor what it is answered shows the key.
    let page = Visitor::open(&personal_link(&ann, &code));
    let key = page.cookie.clone().unwrap().split_once('=').unwrap().1.to_owned();
    assert!(!page.page().contains(&key));
    assert!(!page.press(&format!("details #{code}")).to_string().contains(&key));
}

#[test]
fn a_watch_link_is_good_for_looking_and_nothing_else() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    assert!(
        !ann.hear(&format!("watch #{code}")).contains("http"),
        "Bea has not agreed"
    );
    bea.say(&format!("accept #{code}"));
    let link = link_in(&ann.hear(&format!("watch #{code}")));
    assert_eq!(link, link_in(&bea.hear(&format!("watch #{code}"))));
    let watcher = Visitor::open(&link);
    assert!(watcher.page().contains("Phwar"));
    assert_eq!(watcher.says("<main id=\"match\"", "data-own"), "false");
    assert!(!watcher.page().contains("data-command"));
    let version = watcher.version();
    assert_eq!(watcher.post("/touch", &json!({ "version": version })).status, 401);
    let press = json!({ "command": format!("move #{code} F3-F5") });
    assert_eq!(watcher.post("/press", &press).status, 401);
    // A player's cookie does not come along, and would not help.
    let player = Visitor::open(&personal_link(&ann, &code));
    let both = Visitor {
        cookie: player.cookie,
        ..watcher.clone()
    };
    assert_eq!(both.post("/press", &press).status, 401);
    // Any player may end it.
    assert!(
        bea.hear(&format!("watch #{code} off"))
            .contains("no longer works")
    );
    assert_eq!(watcher.get("").status, 401);
    let cy = Guest::come(house.address, "Cy");
    assert!(!cy.hear(&format!("watch #{code}")).contains("http"));
    assert_eq!(get(house.pages.unwrap(), &parts(&link).1).status, 401);
}

/// A picture of many names would be drawn, and kept, once for each.
#[test]
fn a_picture_has_one_name() {
    let house = House::with_pages(&[]);
    let (ann, bea, code) = table(&house, "phwar");
    ann.say(&format!("move #{code} F3-F5"));
    ann.say(&format!("watch #{code}"));
    bea.say(&format!("accept #{code}"));
    let watcher = Visitor::open(&link_in(&ann.hear(&format!("watch #{code}"))));
    let own = Visitor::open(&personal_link(&ann, &code));
    for page in [&watcher, &own] {
        let tag = |name: &str| {
            let answer = page.get(&format!("/pictures/{name}"));
            (answer.status, answer.header("etag").map(str::to_owned))
        };
        let (status, known) = tag("turn-1.png");
        assert_eq!(status, 200);
        assert!(known.is_some());
        // The moment that a name is of makes no other picture of it.
        for name in ["turn-1.1.abc.png", "turn-1.99.x.y.png"] {
            assert_eq!(tag(name), (200, known.clone()), "{name}");
        }
        for number in ["01", "001", "+1", "%2B1", "1%20", "%201", "-0", "1_0", "٣"] {
            for name in [format!("turn-{number}.png"), format!("turn-{number}.json")] {
                assert_eq!(tag(&name), (404, None), "{name}");
            }
            assert_eq!(page.get(&format!("/{number}")).status, 404, "{number}");
        }
        for name in [
            "Board.png",
            "board%20.png",
            "turn-2.png",
            "turn.png",
            ".png",
            "board",
        ] {
            assert_eq!(tag(name), (404, None), "{name}");
        }
        assert_eq!(page.get("/1").status, 200);
    }
}

#[test]
fn who_asks_without_end_waits_by_address_even_behind_a_proxy() {
    let here = "127.0.0.1".parse().unwrap();
    let house = House::with_pages(&[here]);
    let address = house.pages.unwrap();
    let own = format!("http://{address}");
    let body = json!({ "key": "0".repeat(64) }).to_string();
    let tried = |from: &str| {
        let headers = [
            ("Content-Type", "application/json"),
            ("Origin", own.as_str()),
            ("X-Forwarded-For", from),
        ];
        ask(address, "POST", "/m/K7QF/key", &headers, body.as_bytes())
            .unwrap()
            .status
    };
    let statuses: Vec<u16> = (0..60).map(|_| tried("198.51.100.7")).collect();
    assert!(statuses.contains(&401) && statuses.contains(&429), "{statuses:?}");
    // Whoever has a network of version 6 has an address for every try.
    let statuses: Vec<u16> = (0..60)
        .map(|number| tried(&format!("2001:db8:1:2::{number}")))
        .collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(tried("2001:db8:1:3::1"), 401, "the next network need not wait");
    assert_eq!(tried("198.51.100.8"), 401, "others need not wait");
    assert_eq!(
        tried("203.0.113.9, 198.51.100.7"),
        429,
        "what stands before may be made up"
    );
    // Who is no trusted proxy is not believed.
    let house = House::with_pages(&[]);
    let address = house.pages.unwrap();
    let own = format!("http://{address}");
    let statuses = (0..60).map(|number| {
        let from = format!("198.51.100.{number}");
        let headers = [
            ("Content-Type", "application/json"),
            ("Origin", own.as_str()),
            ("X-Forwarded-For", from.as_str()),
        ];
        ask(address, "POST", "/m/K7QF/key", &headers, body.as_bytes())
            .unwrap()
            .status
    });
    assert!(statuses.collect::<Vec<_>>().contains(&429));
}
