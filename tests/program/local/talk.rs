//! Saying, pressing, typing.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::web::guest::{Guest, sit_down};
use crate::web::house::House;
use crate::web::visitor::{Visitor, personal_link};

#[test]
fn talk_is_said_aloud_and_commands_are_not() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let talk = ann.say("hello <b>Bea</b>, *shall* we play? @everyone");
    assert_eq!(talk["said"]["from"]["name"], "Ann");
    let command = ann.say("games");
    assert!(command["said"].is_null());
    assert!(
        command["reply"]["plain"]
            .as_str()
            .unwrap()
            .starts_with("The games")
    );
    let heard = bea.everything();
    assert_eq!(heard.len(), 1);
    // What was typed stays what was typed, in one plain piece.
    let text = "hello <b>Bea</b>, *shall* we play? @everyone";
    assert_eq!(heard[0]["text"], json!([{ "kind": "plain", "text": text }]));
    assert_eq!(heard[0]["ping"], json!([]));
}

#[test]
fn a_near_miss_is_told_the_nearest_command() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    assert!(ann.hear("gmaes").contains("games"));
    assert!(ann.hear("/chalenge").contains("challenge"));
}

#[test]
fn a_challenge_finds_a_guest_in_any_case_and_buttons_answer_it() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    assert!(ann.hear("challenge @nobody phwar").contains("don't know anybody"));
    ann.say("challenge @BEA phwar");
    let offer = bea.wait("the challenge", |m| {
        m["ping"].as_array().unwrap().contains(&json!(bea.id))
    });
    let command = offer["buttons"][0]["command"].as_str().unwrap();
    assert!(command.starts_with("accept"));
    let press = |command: &str| {
        bea.post(
            "/api/press",
            &json!({ "message": offer["id"], "command": command }),
        )
    };
    assert_eq!(press("accept #0000").status, 404, "only what the message offers");
    assert_eq!(press(command).status, 200);
    bea.wait("the board", |m| m["picture"].is_object());
    let own = bea.get("/api/matches").json();
    assert_eq!(own["matches"][0]["running"], true);
}

#[test]
fn whoever_looks_sees_that_a_bot_thinks() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    ann.say("challenge bot phwar order level=5");
    let look = || ann.get("/api/matches").json()["matches"][0].clone();
    assert_eq!(
        (&look()["your_turn"], &look()["thinking"]),
        (&json!(true), &json!([]))
    );
    let moves = ann
        .post("/api/say", &json!({ "room": "parlor", "text": "hint" }))
        .json();
    let command = moves["reply"]["buttons"][0]["command"].as_str().unwrap();
    ann.say(command);
    // At this level it takes its time, even in an opening.
    let own = look();
    assert_eq!(own["your_turn"], false);
    assert_eq!(own["thinking"][0]["name"], "Parlor (level 5)");
}

#[test]
fn typing_is_helped_with_commands_names_and_own_moves() {
    let house = House::open();
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(house.address, name));
    let labels = |guest: &Guest, line: &str| -> Vec<String> {
        let line: String = line.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = guest.get(&format!("/api/suggest?room=parlor&line={line}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer = answer.json();
        let all = answer["suggestions"].as_array().unwrap().iter();
        all.map(|one| one["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&ann, "cha"), ["challenge"]);
    assert_eq!(labels(&ann, "challenge @b"), ["@Bea"]);
    assert!(labels(&ann, "challenge @Bea ph").contains(&"phwar".to_owned()));
    sit_down(&ann, &bea, "phwar");
    let own = ann.get("/api/matches").json();
    let (turn, other) = if own["matches"][0]["your_turn"] == true {
        (&ann, &bea)
    } else {
        (&bea, &ann)
    };
    assert!(!labels(turn, "move ").is_empty());
    // Moves are found by what they do.
    let slides = labels(turn, "move electron slides");
    assert!(!slides.is_empty());
    assert!(
        slides.iter().all(|label| label.starts_with("electron ")),
        "{slides:?}"
    );
    assert_eq!(labels(turn, "electron slides"), slides);
    assert!(labels(other, "move ").is_empty());
    assert!(labels(&ann, "ünï ✓ %").is_empty());
}

#[test]
fn a_hundred_odd_lines_break_nothing() {
    let house = House::open();
    let ann = Guest::come(house.address, "Ann");
    ann.say("practice phwar");
    for number in 0..100_u32 {
        let odd: String = (0..1 + number % 17)
            .map(|step| {
                char::from_u32((number * 7919 + step * 104_729) % 0xd7ff)
                    .filter(|c| !c.is_control() && !c.is_whitespace())
                    .unwrap_or('#')
            })
            .collect();
        ann.say(&format!("x{odd}"));
    }
    assert_eq!(ann.get("/healthz").status, 200);
}

/// The program as an operator runs it, with a log that tells whenever it reads a line, be it a command, a move or talk.
#[cfg(unix)]
#[test]
fn a_line_is_read_once_on_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .current_dir(folder.path())
        .env("PARLOR_STORE_PATH", folder.path().join("data"))
        .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
        .env("PARLOR_WEB_LISTEN", "127.0.0.1:0")
        .env("RUST_LOG", "parlor::chat::command=trace")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let opened = output.find_map(|line| {
        let line = line.unwrap();
        Some(line.strip_prefix("Phase Parlor is open: http://")?.to_owned())
    });
    let ann = Guest::come(opened.unwrap().parse().unwrap(), "Ann");
    let lines = [
        "games",
        "challenge bot phwar level=1",
        "matches",
        "F3-F5",
        "lovely weather today",
    ];
    for line in lines {
        ann.say(line);
    }
    // What is looked at in the room has never been a line, and what is pressed on a page is read there.
    let begun = ann.hear("practice fabric");
    let (_, rest) = begun.split_once('#').expect("a code");
    let code: String = rest.chars().take(4).collect();
    assert_eq!(ann.get(&format!("/api/matches/{code}")).status, 200);
    let page = Visitor::open(&personal_link(&ann, &code));
    let pressed = [format!("hint #{code}"), format!("board #{code}")];
    for command in &pressed {
        page.press(command);
    }
    let besides = ["practice", "link"];
    let stopped = Command::new("kill").arg(child.id().to_string()).status();
    assert!(stopped.unwrap().success());
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(child.wait().unwrap().success(), "{log}");
    let read = log.lines().filter(|line| line.contains("chat: reading"));
    assert_eq!(read.count(), lines.len() + besides.len() + pressed.len(), "{log}");
}
