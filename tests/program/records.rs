//! Records in their two forms: what is written fits the schema that is handed out, and every tool reads both.

use std::fs;
use std::path::{Path, PathBuf};

use parlor::game::Seat;
use parlor::matches::notes::RecordedNote;
use parlor::matches::record::{Deed, Record, RecordedStep};
use serde_json::{Value, json};

use crate::program::{bad, good};

fn schema() -> jsonschema::Validator {
    let text = include_str!("../../assets/record.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    jsonschema::meta::validate(&schema).expect("the schema is sound");
    jsonschema::draft202012::new(&schema).expect("the schema is sound")
}

fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("records-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A record of every game, as the program writes them.
fn records(folder: &Path) -> Vec<String> {
    parlor::catalog::games()
        .map(|entry| {
            let path = path(folder, &format!("{}.json", entry.meta.id));
            good(&["sim", entry.meta.id, "--seed", "7", "--record", &path]);
            path
        })
        .collect()
}

#[test]
fn what_is_written_fits_the_schema() {
    let schema = schema();
    let folder = folder("schema");
    for path in records(&folder) {
        let text = fs::read_to_string(&path).unwrap();
        let errors: Vec<String> = (schema.iter_errors(&serde_json::from_str(&text).unwrap()))
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, [""; 0], "{path}");
        // With everything that a record can hold.
        let mut record = Record::read(&text).unwrap();
        record.players = vec!["Ann".to_owned(), "Bea".to_owned()];
        let seat = Seat::new(1);
        for deed in [Deed::Leaves("resigned".into()), Deed::Lapses("time".into())] {
            record.actions.push(RecordedStep { seat, deed });
        }
        record.notes.push(RecordedNote {
            seat,
            step: 2,
            text: "hm".to_owned(),
        });
        let whole = serde_json::to_value(&record).unwrap();
        assert!(schema.is_valid(&whole), "{path}");
        assert_eq!(Record::read(&whole.to_string()).unwrap(), record);
    }
    fs::remove_dir_all(folder).unwrap();
}

/// What the program takes for no record the schema takes for none either.
#[test]
fn the_schema_is_as_strict_as_the_program() {
    let schema = schema();
    let good = json!({
        "format": 1, "game": "phwar", "rules_version": 1, "options": {}, "seats": 2,
        "seed": "0".repeat(64), "actions": [{"seat": 1, "action": "F3-F5"}],
    });
    assert!(schema.is_valid(&good));
    let mut wrong = Vec::new();
    for (field, value) in [
        ("format", json!(2)),
        ("game", json!(7)),
        ("seats", json!("two")),
        ("options", json!({"centre": true})),
        ("actions", json!([{"seat": 0, "action": "x"}])),
        ("actions", json!([{"seat": 1}])),
        ("actions", json!([{"seat": 1, "does": "x"}])),
        ("surprise", json!(1)),
        ("notes", json!([{"seat": 1, "text": "x"}])),
    ] {
        let mut record = good.clone();
        record[field] = value;
        wrong.push(record);
    }
    for field in [
        "format",
        "game",
        "rules_version",
        "options",
        "seats",
        "seed",
        "actions",
    ] {
        let mut record = good.clone();
        record.as_object_mut().unwrap().remove(field);
        wrong.push(record);
    }
    for record in wrong {
        assert!(!schema.is_valid(&record), "{record}");
        assert!(Record::read(&record.to_string()).is_err(), "{record}");
    }
}

#[test]
fn every_tool_reads_both_forms() {
    let folder = folder("both");
    for json in records(&folder) {
        let text = json.replace(".json", ".txt");
        let back = json.replace(".json", "-back.json");
        good(&["import", &json, "--text", "--out", &text]);
        assert!(
            fs::read_to_string(&text)
                .unwrap()
                .starts_with("Parlor record: 1\n")
        );
        good(&["import", &text, "--out", &back]);
        let read = |path: &str| Record::read(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(read(&json), read(&back));
        assert_eq!(good(&["verify", &json]), good(&["verify", &text]));
        let step = ["--step", "1", "--alt"];
        assert_eq!(
            good(&[&["draw", &json], &step[..]].concat()),
            good(&[&["draw", &text], &step[..]].concat())
        );
        let short = ["--text", "--to", "2"];
        assert_eq!(
            good(&[&["replay", &json], &short[..]].concat()),
            good(&[&["replay", &text], &short[..]].concat())
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_record_in_the_readme_is_one() {
    let folder = folder("readme");
    let readme = include_str!("../../README.md");
    let start = readme
        .find("Parlor record: ")
        .expect("an example of the notation");
    let (example, _) = readme[start..].split_once("```").unwrap();
    let text = path(&folder, "readme.txt");
    fs::write(&text, example).unwrap();
    assert_eq!(good(&["import", &text, "--text"]), example);
    let whole: Value = serde_json::from_str(&good(&["import", &text])).unwrap();
    assert!(schema().is_valid(&whole));
    assert!(readme.contains("`assets/record.schema.json`"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_that_can_not_be_played_is_refused() {
    let folder = folder("broken");
    let (json, text) = (path(&folder, "phwar.json"), path(&folder, "phwar.txt"));
    good(&["sim", "phwar", "--seed", "7", "--record", &json]);
    good(&["import", &json, "--text", "--out", &text]);
    let written = fs::read_to_string(&text).unwrap();
    for (from, to, expected) in [
        ("1. 1:", "7. 1:", "step 1 should come here, not step 7"),
        ("1. 1: ", "1. 1: up and away ", "step 1 can't be played"),
        ("Game: phwar", "Game: chess", "no game `chess`"),
        ("Seed: ", "Seed: x", "seed"),
    ] {
        let broken = path(&folder, "broken.txt");
        fs::write(&broken, written.replacen(from, to, 1)).unwrap();
        for tool in ["import", "verify"] {
            let message = bad(&[tool, &broken]);
            assert!(message.contains(expected), "{tool}: {message}");
        }
    }
    let message = bad(&["import", &path(&folder, "nothing")]);
    assert!(message.contains("can't read"), "{message}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_is_reviewed() {
    let folder = folder("review");
    let (json, short) = (path(&folder, "phwar.json"), path(&folder, "short.json"));
    good(&["sim", "phwar", "--seed", "7", "--record", &json]);
    let mut record = Record::read(&fs::read_to_string(&json).unwrap()).unwrap();
    record.actions.truncate(4);
    record.outcome = None;
    fs::write(&short, record.to_json().unwrap()).unwrap();
    let told = good(&["review", &short, "--level", "3"]);
    assert!(
        told.contains("Player 1: ") && told.contains("moves as good as the bot's"),
        "{told}"
    );
    let review: Value = serde_json::from_str(&good(&["review", &short, "--level", "2", "--json"])).unwrap();
    assert_eq!(review["looked_at"], 4);
    assert_eq!(review["decisions"].as_array().unwrap().len(), 4);
    let graph = path(&folder, "graph.png");
    good(&[
        "review", &short, "--level", "2", "--out", &graph, "--theme", "dark",
    ]);
    assert!(fs::read(&graph).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
    let message = bad(&["review", &short, "--level", "9"]);
    assert!(message.contains("levels go from 1 to 5"), "{message}");
    fs::remove_dir_all(folder).unwrap();
}
