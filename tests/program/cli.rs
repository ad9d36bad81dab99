//! The command line, as whoever types it meets it: the built program is run, and what it prints is read.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::program::{bad, good};
use serde_json::Value;

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "{}-{}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        );
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), bytes).unwrap();
        self.file(name)
    }

    /// The record of a short game of Phwar, with its text.
    fn record(&self) -> (String, Value) {
        let path = self.file("record.json");
        good(&["sim", "phwar", "--seed", "7", "--record", &path]);
        let record = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        (path, record)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const COMMANDS: [&str; 20] = [
    "serve",
    "games",
    "perft",
    "sim",
    "arena",
    "balance",
    "draw",
    "replay",
    "review",
    "import",
    "verify",
    "export",
    "backup",
    "restore",
    "compact",
    "check",
    "salvage",
    "config",
    "health",
    "completions",
];

#[test]
fn games_are_listed_with_their_seats_and_options() {
    let list = good(&["games"]);
    for entry in parlor::catalog::games() {
        assert!(list.lines().any(|line| line.starts_with(entry.meta.id)), "{list}");
        for spec in entry.meta.options {
            assert!(
                list.contains(&format!("{}={}", spec.name, spec.default_text())),
                "{list}"
            );
            assert!(list.contains(spec.help), "{list}");
        }
    }
    assert!(list.contains("2-3 players"), "{list}");
}

#[test]
fn help_names_every_command() {
    for arguments in [&["help"][..], &["--help"], &["-h"]] {
        let help = good(arguments);
        for command in COMMANDS {
            assert!(
                help.lines().any(|line| line.trim_start().starts_with(command)),
                "{command}"
            );
        }
    }
}

#[test]
fn help_of_a_command_names_its_options() {
    for command in COMMANDS {
        let help = good(&[command, "--help"]);
        assert!(help.contains(&format!("Usage: parlor {command}")), "{help}");
        assert_eq!(help, good(&["help", command]));
    }
    let help = good(&["sim", "--help"]);
    for option in [
        "--seats", "--set", "--seed", "--games", "--agents", "--jsonl", "--record",
    ] {
        assert!(help.contains(option), "{option}: {help}");
    }
    assert!(!help.contains("--depth"), "{help}");
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("parlor {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(good(&["--version"]), version);
    assert_eq!(good(&["-V"]), version);
}

#[test]
fn shells_get_their_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = good(&["completions", shell]);
        for word in ["balance", "restore", "jsonl"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    assert!(bad(&["completions"]).contains("SHELL"));
    assert!(bad(&["completions", "tin"]).contains("bash"));
}

#[test]
fn the_configuration_may_be_named_before_or_after_the_command() {
    let folder = Folder::new();
    let store = folder.file("store");
    let config = folder.write("parlor.toml", format!("[store]\npath = {store:?}\n"));
    for arguments in [
        ["--config", &config, "backup", "x"],
        ["backup", "x", "--config", &config],
    ] {
        assert_eq!(bad(&arguments), format!("there is no store at {store}"));
    }
    assert!(bad(&["--config", &config, "games"]).contains("--config has no meaning"));
    assert!(bad(&["games", "--config", &config]).contains("--config has no meaning for `games`"));
}

#[test]
fn perft_ends_with_the_bare_number() {
    let last = |arguments: &[&str]| good(arguments).lines().last().unwrap().to_owned();
    assert_eq!(last(&["perft", "phwar", "--depth", "2"]), "2818");
    assert_eq!(
        last(&["perft", "phwar", "--depth", "2", "--set", "centre=on"]),
        "2610"
    );
    assert_eq!(last(&["perft", "phwar", "--depth", "2", "--seats", "3"]), "3791");
    assert_eq!(last(&["perft", "Phwar", "--depth=0"]), "1");
}

#[test]
fn sim_prints_one_object_a_step() {
    let lines = good(&["sim", "phwar", "--seed", "1", "--games", "2", "--jsonl"]);
    let steps: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut games: Vec<u64> = steps.iter().map(|step| step["game"].as_u64().unwrap()).collect();
    games.dedup();
    assert_eq!(games, [1, 2]);
    for game in games {
        let steps: Vec<&Value> = steps.iter().filter(|step| step["game"] == game).collect();
        for (index, step) in steps.iter().enumerate() {
            let fields: Vec<&str> = step.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(
                fields,
                ["action", "game", "legal", "outcome", "seat", "step", "view"]
            );
            assert_eq!(step["step"], index as u64 + 1);
            let legal = step["legal"].as_array().unwrap();
            assert!(legal.contains(&step["action"]), "{step}");
            assert!((1..=2).contains(&step["seat"].as_u64().unwrap()));
            assert!(step["view"].is_object());
            let last = index + 1 == steps.len();
            assert_eq!(
                step["outcome"].is_object(),
                last,
                "an outcome at the end and not before"
            );
        }
        let outcome = &steps.last().unwrap()["outcome"];
        assert_eq!(outcome["ranks"].as_array().unwrap().len(), 2);
        assert!(outcome["reason"].is_string());
    }
}

#[test]
fn sim_of_the_same_seed_is_the_same() {
    let run = |seed: &str| good(&["sim", "phwar", "--seats", "3", "--seed", seed, "--jsonl"]);
    assert_eq!(run("a"), run("a"));
    assert_ne!(run("a"), run("b"));
    let summary = good(&["sim", "phwar", "--games", "3", "--seed", "x"]);
    assert!(summary.starts_with("3 games from seed x, "), "{summary}");
    let drawn = good(&["sim", "phwar"]);
    assert!(
        drawn.starts_with("1 game from seed "),
        "a seed is drawn and named: {drawn}"
    );
}

#[test]
fn a_recorded_game_is_verified_and_drawn() {
    let folder = Folder::new();
    let (path, record) = folder.record();
    let actions = record["actions"].as_array().unwrap().len();
    assert_eq!(record["game"], "phwar");
    for field in ["rules_version", "options", "seats", "seed", "actions"] {
        assert!(!record[field].is_null(), "{field}");
    }
    let verified = good(&["verify", &path]);
    assert!(
        verified.starts_with(&format!("{actions} steps of Phwar replayed\n")),
        "{verified}"
    );
    assert!(verified.contains("\nranks "), "{verified}");

    let picture = folder.file("board.png");
    for more in [
        &["--step", "0"][..],
        &["--seat", "2", "--theme", "dark"],
        &["--seat", "public", "--step", "3"],
    ] {
        good(&[&["draw", &path, "--out", &picture], more].concat());
        let file = fs::read(&picture).unwrap();
        assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"), "{more:?} gives no PNG");
        fs::remove_file(&picture).unwrap();
    }
    let board = good(&["draw", &path, "--step", "0", "--text"]);
    assert!(
        board.contains("[1o]") && board.contains("Player 1, your move."),
        "{board}"
    );
    let alt = good(&["draw", &path, "--step", "0", "--alt"]);
    assert_eq!(alt.lines().count(), 1);
    assert!(alt.starts_with("Phwar. "), "{alt}");
    assert_ne!(
        board,
        good(&["draw", &path, "--step", "0", "--text", "--seat", "2"]),
        "seen from the other side"
    );
}

#[test]
fn a_step_of_a_record_is_drawn_as_it_was_played() {
    let folder = Folder::new();
    let (path, record) = folder.record();
    let mut shorter = record.clone();
    shorter["actions"].as_array_mut().unwrap().truncate(5);
    shorter.as_object_mut().unwrap().remove("outcome");
    let short = folder.write("short.json", shorter.to_string());
    assert_eq!(
        good(&["draw", &path, "--step", "5", "--text", "--alt"]),
        good(&["draw", &short, "--text", "--alt"])
    );
    assert!(good(&["verify", &short]).ends_with("the match goes on\n"));
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let refused = [
        (&["frobnicate"][..], "there is no command `frobnicate`"),
        (&["game"], "did you mean `games`?"),
        (&["games", "phwar"], "I don't know what to do with `phwar`"),
        (&["games", "--seed", "1"], "--seed has no meaning for `games`"),
        (&["perft"], "which game?"),
        (&["perft", "chess", "--depth", "1"], "there's no game `chess`"),
        (&["perft", "phwra", "--depth", "1"], "did you mean `phwar`?"),
        (&["perft", "phwar"], "how deep?"),
        (&["perft", "phwar", "--depth"], "missing argument"),
        (
            &["perft", "phwar", "--depth", "deep"],
            "--depth takes a whole number, not `deep`",
        ),
        (
            &["perft", "phwar", "--depth", "-1"],
            "--depth takes a whole number",
        ),
        (
            &["perft", "phwar", "--depth", "4294967296"],
            "--depth takes a whole number",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--depth", "x"],
            "--depth takes a whole number",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--seats", "4"],
            "Phwar takes 2 to 3 players, not 4",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--seats", "0"],
            "Phwar takes 2 to 3 players, not 0",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--seats", "256"],
            "--seats takes a whole number",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--set", "centre"],
            "--set takes OPTION=VALUE",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--set", "center=on"],
            "did you mean `centre`?",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--set", "size=9"],
            "there's no option `size`",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--set", "centre=maybe"],
            "it takes on or off",
        ),
        (
            &["perft", "phwar", "--depth", "1", "--jsonl"],
            "--jsonl has no meaning for `perft`",
        ),
        (
            &["perft", "phwar", "fabric", "--depth", "1"],
            "I don't know what to do with `fabric`",
        ),
        (&["sim"], "which game?"),
        (
            &["sim", "phwar", "--games", "many"],
            "--games takes a whole number",
        ),
        (
            &["sim", "phwar", "--games", "2", "--record", "x.json"],
            "--record keeps one game",
        ),
        (&["sim", "phwar", "--unknown"], "--unknown"),
        (&["sim", "phwar", "-x"], "-x"),
        (&["sim", "phwar", "--jsonl=yes"], "--jsonl"),
        (&["draw"], "which record?"),
        (&["verify"], "which record?"),
        (&["verify", "a", "b"], "I don't know what to do with `b`"),
        (&["line\nbreak\u{1b}[31m"], "there is no command"),
    ];
    for (arguments, expected) in refused {
        let message = bad(arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn files_that_cannot_be_read_are_refused_in_one_line() {
    let folder = Folder::new();
    let missing = folder.file("missing.json");
    let here = folder.0.to_str().unwrap();
    let empty = folder.write("empty.json", "");
    let bytes = folder.write("bytes.json", b"\xff\xfe{\x00");
    let broken = folder.write("broken.json", "{\"format\": 1,\n \"game\": ");
    let other = folder.write("other.json", "[1, 2, 3]");
    let deep = folder.write("deep.json", "[".repeat(100_000));
    for path in [&missing, here, &empty, &bytes, &broken, &other, &deep] {
        for command in [&["verify", path][..], &["draw", path, "--text"]] {
            let message = bad(command);
            assert!(message.contains(path), "{message} names the file");
        }
    }
    assert!(bad(&["verify", &missing]).contains("can't read"));
    assert!(bad(&["verify", &broken]).contains("this isn't a match record"));
}

#[test]
fn records_that_cannot_be_played_are_refused_in_one_line() {
    let folder = Folder::new();
    let (_, record) = folder.record();
    let actions = record["actions"].as_array().unwrap().len();
    /// What is broken, how, and what is said about it.
    type Damage<'a> = (&'a str, &'a dyn Fn(&mut Value), &'a str);
    let changes: [Damage<'_>; 16] = [
        ("game", &|r| r["game"] = "chess".into(), "there's no game `chess`"),
        ("format", &|r| r["format"] = 99.into(), "format 99"),
        (
            "version",
            &|r| r["rules_version"] = 99.into(),
            "version 99 of Phwar's rules",
        ),
        (
            "option",
            &|r| r["options"]["size"] = "9".into(),
            "there's no option `size`",
        ),
        (
            "value",
            &|r| r["options"]["centre"] = "maybe".into(),
            "it takes on or off",
        ),
        (
            "seats",
            &|r| r["seats"] = 5.into(),
            "Phwar takes 2 to 3 players, not 5",
        ),
        (
            "no seats",
            &|r| r["seats"] = (-1).into(),
            "this isn't a match record",
        ),
        ("seed", &|r| r["seed"] = "short".into(), "64 hexadecimal digits"),
        ("field", &|r| r["colour"] = "red".into(), "unknown field `colour`"),
        (
            "seat",
            &|r| r["actions"][0]["seat"] = 3.into(),
            "step 1 names seat",
        ),
        (
            "seat 9",
            &|r| r["actions"][0]["seat"] = 9.into(),
            "there is no seat 9",
        ),
        (
            "turn",
            &|r| r["actions"][1]["seat"] = 1.into(),
            "step 2 can't be played: It isn't your turn to decide.",
        ),
        (
            "illegal",
            &|r| r["actions"][0]["action"] = "F1-F2".into(),
            "step 1 can't be played: Your own particle",
        ),
        (
            "words",
            &|r| r["actions"][2]["action"] = "banana\n\u{1b}[31m".into(),
            "step 3 can't be played",
        ),
        (
            "nothing",
            &|r| r["actions"][2]["action"] = "".into(),
            "step 3 can't be played",
        ),
        (
            "ranks",
            &|r| r["outcome"]["ranks"] = vec![3, 3].into(),
            "isn't the one that its actions lead to",
        ),
    ];
    for (name, change, expected) in changes {
        let mut spoilt = record.clone();
        change(&mut spoilt);
        let path = folder.write("spoilt.json", spoilt.to_string());
        let message = bad(&["verify", &path]);
        assert!(message.contains(expected), "{name}: {message}");
    }
    let text = serde_json::to_string_pretty(&record).unwrap();
    let truncated = folder.write("truncated.json", &text[..text.len() / 2]);
    assert!(bad(&["verify", &truncated]).contains("this isn't a match record"));
    let path = folder.write("good.json", &text);
    let step = (actions + 1).to_string();
    assert!(bad(&["draw", &path, "--step", &step, "--text"]).contains(&format!("there is no step {step}")));
}

#[test]
fn drawings_that_cannot_be_made_are_refused_in_one_line() {
    let folder = Folder::new();
    let (path, _) = folder.record();
    let nowhere = folder.file("no/such/folder/board.png");
    let here = folder.0.to_str().unwrap();
    assert!(bad(&["draw", &path]).contains("where to?"));
    assert!(bad(&["draw", &path, "--out", &nowhere]).contains("can't write"));
    assert!(bad(&["draw", &path, "--out", here]).contains("can't write"));
    assert!(bad(&["draw", &path, "--text", "--theme", "pink"]).contains("the themes are light, dark, safe"));
    for seat in ["0", "3", "256", "-1", "me", ""] {
        let message = bad(&["draw", &path, "--text", &format!("--seat={seat}")]);
        assert!(message.contains("--seat takes 1 to 2 or public"), "{message}");
    }
    assert!(bad(&["draw", &path, "--text", "--step", "last"]).contains("--step takes a whole number"));
    assert!(bad(&["sim", "phwar", "--record", &nowhere]).contains("can't write"));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused_in_one_line() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff\xfe");
    for before in [
        &[][..],
        &["perft"],
        &["verify"],
        &["perft", "phwar", "--depth"],
        &["sim", "phwar", "--set"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .args(before)
            .arg(strange)
            .output()
            .unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{before:?}: {complaint}");
        assert!(
            complaint.starts_with("parlor: ") && complaint.lines().count() == 1,
            "{before:?}: {complaint}"
        );
    }
}

/// `parlor sim … | head -1` is no failure.
#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["sim", "phwar", "--games", "50", "--seed", "1", "--jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
