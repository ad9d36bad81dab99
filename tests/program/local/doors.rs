//! Who is let in, and what is turned away.

use serde_json::json;

use crate::web::guest::{Guest, get, post};
use crate::web::house::House;
use crate::web::http::ask;

#[test]
fn a_name_is_given_once_and_kept_by_its_token() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    assert_eq!(ann.name, "Ann");
    assert!(ann.token.len() >= 32, "a token that can't be guessed");
    for taken in ["Ann", "ann", "ANN"] {
        let answer = post(house.address, "/api/guests", &json!({ "name": taken }));
        assert_eq!(answer.status, 409);
        assert!(answer.json()["error"].as_str().unwrap().contains("another name"));
        let wrong = json!({ "name": taken, "token": "0".repeat(64) });
        assert_eq!(post(house.address, "/api/guests", &wrong).status, 409);
        let right = json!({ "name": taken, "token": ann.token });
        let back = post(house.address, "/api/guests", &right).json();
        assert_eq!(
            (back["name"].as_str(), back["token"].as_str()),
            (Some("Ann"), Some(ann.token.as_str()))
        );
    }
    assert_ne!(Guest::come(house.address, "Bea").token, ann.token);
}

#[test]
fn names_are_one_word_that_can_be_seen() {
    let house = House::open();
    for bad in [
        "",
        " ",
        "two words",
        "new\nline",
        "\u{7}",
        "a\u{200b}b",
        "@ann",
        "me",
        "abcdefghijklmnopqrstuvwxyz",
    ] {
        let answer = post(house.address, "/api/guests", &json!({ "name": bad }));
        assert_eq!(answer.status, 422, "{bad:?}");
    }
    for good in ["x", "Zoë", "<b>x</b>", "李雷", "abcdefghijklmnopqrstuvwx"] {
        assert_eq!(Guest::come(house.address, good).name, good);
    }
}

#[test]
fn nobody_acts_without_a_token() {
    let house = House::open();
    Guest::come(house.address, "Ann");
    let bodies = [
        ("/api/say", json!({ "room": "parlor", "text": "games" })),
        ("/api/press", json!({ "message": "1", "command": "games" })),
        ("/api/rooms", json!({ "name": "attic" })),
    ];
    for (path, body) in &bodies {
        assert_eq!(post(house.address, path, body).status, 401, "{path}");
        for header in [
            "Bearer wrong".to_owned(),
            "Bearer ".to_owned(),
            format!("Basic {}", "0".repeat(64)),
        ] {
            let headers = [
                ("Content-Type", "application/json"),
                ("Authorization", header.as_str()),
            ];
            let answer = ask(house.address, "POST", path, &headers, body.to_string().as_bytes()).unwrap();
            assert_eq!(answer.status, 401, "{path} {header}");
        }
    }
    for path in [
        "/api/me",
        "/api/matches",
        "/api/suggest?line=g",
        "/api/messages?private=only",
    ] {
        assert_eq!(get(house.address, path).status, 401, "{path}");
    }
    // A wrong token is a mistake, even where none is needed.
    for path in ["/api/messages", "/api/events", "/api/pictures/1.png"] {
        let answer = ask(
            house.address,
            "GET",
            path,
            &[("Authorization", "Bearer wrong")],
            b"",
        )
        .unwrap();
        assert_eq!(answer.status, 401, "{path}");
    }
}

#[test]
fn a_request_has_to_name_this_machine() {
    let house = House::open();
    for host in [
        "evil.example",
        "localhost.evil.example:8787",
        "127.0.0.1.evil.example",
        "192.168.0.7",
    ] {
        for path in ["/", "/api/messages", "/healthz"] {
            let answer = ask(house.address, "GET", path, &[("Host", host)], b"").unwrap();
            assert_eq!(answer.status, 421, "{host} {path}");
            assert!(answer.json()["error"].is_string());
        }
    }
    for host in ["localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8787"] {
        let answer = ask(house.address, "GET", "/healthz", &[("Host", host)], b"").unwrap();
        assert_eq!(answer.status, 200, "{host}");
    }
}

#[test]
fn another_sites_page_changes_nothing() {
    let house = House::open();
    let own = format!("http://{}", house.address);
    let send = |headers: &[(&str, &str)]| {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend(headers);
        let body = json!({ "name": "Mallory" }).to_string();
        ask(house.address, "POST", "/api/guests", &all, body.as_bytes())
            .unwrap()
            .status
    };
    assert_eq!(send(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(send(&[("Origin", "null")]), 403);
    assert_eq!(send(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(send(&[("Sec-Fetch-Site", "same-site")]), 403);
    assert_eq!(
        send(&[("Origin", own.as_str()), ("Sec-Fetch-Site", "same-origin")]),
        200
    );
}

#[test]
fn what_cant_be_read_is_refused_in_words() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    let bearer = ann.bearer();
    let send = |kind: &str, body: &[u8]| {
        let headers = [("Content-Type", kind), ("Authorization", bearer.as_str())];
        let answer = ask(house.address, "POST", "/api/say", &headers, body).unwrap();
        assert!(answer.json()["error"].as_str().unwrap().len() > 10);
        answer.status
    };
    let json = "application/json; charset=utf-8";
    assert_eq!(send(json, b"{"), 400);
    assert_eq!(send(json, b""), 400);
    assert_eq!(send(json, b"[]"), 400);
    assert_eq!(send(json, b"\xff\xfe"), 400);
    assert_eq!(send(json, br#"{"room": "parlor"}"#), 400);
    assert_eq!(send(json, br#"{"room": "parlor", "text": 7}"#), 400);
    assert_eq!(send(json, br#"{"room": "parlor", "text": "  "}"#), 422);
    assert_eq!(send(json, br#"{"room": "nowhere", "text": "games"}"#), 404);
    assert_eq!(send("text/plain", br#"{"room": "parlor", "text": "hi"}"#), 415);
    assert_eq!(
        send(
            "application/x-www-form-urlencoded",
            br#"{"room": "parlor", "text": "hi"}"#
        ),
        415
    );
    let long = json!({ "room": "parlor", "text": "x".repeat(2001) });
    assert_eq!(ann.post("/api/say", &long).status, 422);
    let huge = json!({ "room": "parlor", "text": "x".repeat(1 << 20) });
    assert_eq!(ann.post("/api/say", &huge).status, 413);
    for path in [
        "/api/messages?after=x",
        "/api/messages?after=-1",
        "/api/events?after=x",
    ] {
        assert_eq!(ann.get(path).status, 400, "{path}");
    }
    assert_eq!(ann.get("/api/messages?room=nowhere").status, 404);
}

#[test]
fn wrong_methods_and_paths_are_refused_in_words() {
    let house = House::open();
    for (method, path, status) in [
        ("GET", "/api/say", 405),
        ("DELETE", "/api/messages", 405),
        ("PUT", "/", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/../Cargo.toml", 404),
        ("GET", "/favicon.ico", 404),
    ] {
        let answer = ask(house.address, method, path, &[], b"").unwrap();
        assert_eq!(answer.status, status, "{method} {path}");
        assert!(answer.json()["error"].is_string());
    }
}

#[test]
fn rooms_are_made_by_name() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    assert_eq!(ann.post("/api/rooms", &json!({ "name": "Attic" })).status, 201);
    assert_eq!(ann.post("/api/rooms", &json!({ "name": "attic" })).status, 200);
    for bad in ["", "two words", "a/b", &"x".repeat(33)] {
        assert_eq!(
            ann.post("/api/rooms", &json!({ "name": bad })).status,
            422,
            "{bad:?}"
        );
    }
    let rooms = get(house.address, "/api/rooms").json();
    let names: Vec<&str> = rooms["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|room| room["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["parlor", "attic"]);
    ann.post("/api/say", &json!({ "room": "attic", "text": "dusty up here" }));
    let said = |room: &str| {
        let page = get(house.address, &format!("/api/messages?room={room}")).json();
        page["messages"].as_array().unwrap().len()
    };
    assert_eq!((said("attic"), said("parlor")), (1, 0));
}

#[test]
fn health_tells_what_runs_and_no_secret() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    ann.say("\"hello\"");
    let health = get(house.address, "/healthz");
    let told = health.json();
    assert_eq!(told["status"], "ok");
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&told["guests"], &told["messages"]), (&json!(1), &json!(1)));
    assert!(!told["games"].as_array().unwrap().is_empty());
    let text = health.text();
    assert!(!text.contains(&ann.token) && !text.contains("Ann"));
}
