//! `parlor replay`: films and stories of recorded matches, and kind words where there is nothing to show.

use std::fs;
use std::path::Path;

use crate::program::{bad, good};

#[test]
fn a_record_is_shown_again_as_a_film_and_in_words() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replays-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (json, gif) = (path("game.json"), path("game.gif"));
    good(&["sim", "phwar", "--seed", "7", "--record", &json]);
    let story = good(&["replay", &json, "--text"]);
    let turns = story.lines().count();
    assert!(turns > 10 && story.starts_with("1. Player 1 "), "{story}");
    let some = good(&["replay", &json, "--text", "--from", "3", "--to", "5"]);
    let wanted: Vec<&str> = story.lines().skip(2).take(3).collect();
    assert_eq!(some.lines().collect::<Vec<&str>>(), wanted);
    let mut films = Vec::new();
    for more in [
        &["--to", "2"][..],
        &["--to", "2", "--theme", "dark"],
        &["--to", "2", "--seat", "2"],
        &["--from", "2", "--to", "2", "--delay", "250"],
    ] {
        good(&[&["replay", &json, "--out", &gif], more].concat());
        let film = fs::read(&gif).unwrap();
        assert!(film.starts_with(b"GIF89a") && film.ends_with(b";"), "{more:?}");
        films.push(film);
    }
    films.sort();
    films.dedup();
    assert_eq!(films.len(), 4, "each is another film");
    let beyond = (turns + 1).to_string();
    for (more, expected) in [
        (&["--from", "0"][..], "there are no turns 0 to"),
        (&["--to", beyond.as_str()], "the match has turns 1 to"),
        (&["--from", "5", "--to", "4"], "there are no turns 5 to 4"),
        (&["--seat", "3"], "--seat takes 1 to 2 or public, not `3`"),
        (&["--theme", "pink"], "there's no theme `pink`"),
        (&["--delay", "-1"], "--delay takes a whole number"),
    ] {
        let message = bad(&[&["replay", &json, "--text"], more].concat());
        assert!(message.contains(expected), "{more:?}: {message}");
    }
    assert!(bad(&["replay", &json]).contains("give --out FILE.gif or --text"));
    let apng = path("game.apng");
    good(&["replay", &json, "--to", "2", "--out", &apng]);
    assert!(fs::read(&apng).unwrap().starts_with(b"\x89PNG"));
    let empty = path("empty.json");
    let mut record: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    record["actions"] = serde_json::json!([]);
    record.as_object_mut().unwrap().remove("outcome");
    fs::write(&empty, record.to_string()).unwrap();
    assert!(bad(&["replay", &empty, "--text"]).contains("nobody has moved yet"));
    fs::remove_dir_all(folder).unwrap();
}

/// As in chat: hands are hidden while a match runs, and open when it is over, unless somebody asks for less.
#[test]
fn all_hands_of_a_match_that_is_over_are_shown() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hands-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (over, running) = (path("over.json"), path("running.json"));
    good(&[
        "sim",
        "breaker",
        "--set",
        "variant=blind",
        "--seed",
        "7",
        "--record",
        &over,
    ]);
    let mut record: serde_json::Value = serde_json::from_str(&fs::read_to_string(&over).unwrap()).unwrap();
    record["actions"].as_array_mut().unwrap().truncate(12);
    record.as_object_mut().unwrap().remove("outcome");
    fs::write(&running, record.to_string()).unwrap();
    let film = |record: &str, more: &[&str]| {
        let gif = path("film.gif");
        good(&[&["replay", record, "--to", "3", "--out", &gif], more].concat());
        fs::read(&gif).unwrap()
    };
    let everything = film(&over, &[]);
    let public = film(&over, &["--seat", "public"]);
    assert!(everything != public, "there is something to hide");
    assert!(everything != film(&over, &["--seat", "1"]));
    assert!(film(&running, &[]) == public);
    fs::remove_dir_all(folder).unwrap();
}
