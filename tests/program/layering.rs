//! Dependencies point one way: main, adapters, chat, matches, catalog, then draw and ai, games, and at the
//! bottom board and game. This test reads the sources and fails on an edge that points up.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use parlor::chat::grammar::{ArgumentKind, COMMANDS, CommandSpec};

/// The parts of the program with those that each may look into. A part that is not listed is a mistake:
/// say here what it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("backoff", &[]),
    ("files", &[]),
    ("connections", &[]),
    ("game", &[]),
    ("board", &[]),
    ("games", &["board", "game"]),
    ("ai", &["games", "board", "game"]),
    ("draw", &["games", "board", "game"]),
    ("catalog", &["draw", "ai", "games", "board", "game"]),
    ("matches", &["catalog", "draw", "ai", "game"]),
    ("store", &["matches", "catalog", "draw", "game"]),
    // What a bot says of a match that is over.
    ("review", &["matches", "catalog", "draw", "ai", "game"]),
    ("chat", &["review", "matches", "catalog", "draw", "ai", "game"]),
    (
        "local",
        &[
            "web", "chat", "matches", "catalog", "draw", "ai", "game", "config",
        ],
    ),
    // Pages, and what the local room shares with them.
    (
        "web",
        &["chat", "matches", "catalog", "draw", "ai", "game", "config"],
    ),
    (
        "discord",
        &["chat", "matches", "catalog", "draw", "ai", "game", "config"],
    ),
    (
        "matrix",
        &["chat", "matches", "catalog", "draw", "ai", "game", "config"],
    ),
    // Watches over what the adapters do, and does nothing for players itself.
    ("operate", &["chat", "matches", "config"]),
    ("config", &["matches", "catalog", "draw", "game"]),
    // The binary: command line and wiring. It sees everything.
    (
        "main",
        &[
            "local", "web", "discord", "matrix", "operate", "chat", "review", "store", "matches", "catalog",
            "draw", "ai", "games", "board", "game", "config", "cli",
        ],
    ),
    (
        "cli",
        &[
            "local", "web", "discord", "matrix", "operate", "chat", "review", "store", "matches", "catalog",
            "draw", "ai", "games", "board", "game", "config", "main",
        ],
    ),
];

/// Rooms that every other room may look into.
const SHARED: [&str; 4] = ["text", "backoff", "files", "connections"];

/// Rooms that know no game by name.
const BLIND: [&str; 10] = [
    "chat", "review", "matches", "store", "local", "web", "discord", "matrix", "operate", "config",
];

/// One source file: its room, the game it belongs to if any, and its text.
#[derive(Debug)]
pub struct Source {
    pub path: String,
    room: String,
    pub game: Option<String>,
    pub text: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let mut parts = path.split('/').map(|part| part.trim_end_matches(".rs"));
        let room = parts.next().unwrap_or_default().to_owned();
        let game = parts.next().filter(|&part| room == "games" && part != "mod");
        Self {
            path: path.to_owned(),
            game: game.map(str::to_owned),
            room,
            text: code_of(text),
        }
    }
}

/// The text without comments and without unit tests: examples in docs may name anything, and a test may
/// borrow a game to play with.
fn code_of(text: &str) -> String {
    let code: Vec<&str> = text
        .lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .map(|line| {
            // A name in a save is that of a field.
            if line.trim_start().starts_with("//") || line.trim_start().starts_with("#[serde(rename") {
                ""
            } else {
                line.split(" // ").next().unwrap_or("")
            }
        })
        .collect();
    code.join("\n")
}

/// Every `crate::` or `parlor::` path in a text, as lists of names; groups in braces are spread out.
fn paths_in(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut paths = Vec::new();
    for root in ["crate::", "parlor::"] {
        for (at, _) in text.match_indices(root) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let line = text[..at].matches('\n').count() + 1;
            spread(&text[at + root.len()..], &[], &mut |path| {
                paths.push((line, path));
            });
        }
    }
    paths
}

/// Calls `found` for each path that a tail such as `a::{b, c::D}` stands for; two names are enough.
fn spread(tail: &str, before: &[String], found: &mut dyn FnMut(Vec<String>)) {
    let tail = tail.trim_start();
    if let Some(group) = tail.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    if !group[start..at].trim().is_empty() {
                        spread(&group[start..at], before, found);
                    }
                    start = at + 1;
                    if letter == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let end = tail
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(tail.len());
    let mut path = before.to_vec();
    path.push(tail[..end].to_owned());
    match tail[end..].strip_prefix("::") {
        Some(more) if path.len() < 2 => spread(more, &path, found),
        _ => found(path),
    }
}

/// All edges that point up or sideways, each as a line for people.
fn violations(sources: &[Source], games: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources {
        let Source { path, room, .. } = source;
        if room == "lib" {
            continue;
        }
        let Some((_, may_use)) = ROOMS.iter().find(|(name, _)| name == room) else {
            wrong.push(format!(
                "src/{path}: the room `{room}` is not in the plan of tests/program/layering.rs"
            ));
            continue;
        };
        for (line, used) in paths_in(&source.text) {
            let goal = used[0].as_str();
            let is_room = ROOMS.iter().any(|(name, _)| *name == goal);
            let shared = SHARED.contains(&goal) && !SHARED.contains(&room.as_str());
            if is_room && goal != room && !shared && !may_use.contains(&goal) {
                wrong.push(format!("src/{path}:{line}: `{room}` must not use `{goal}`"));
            }
            let other_game = (goal == "games").then(|| used.get(1)).flatten();
            if let (Some(own), Some(other)) = (&source.game, other_game)
                && own != other
            {
                wrong.push(format!(
                    "src/{path}:{line}: the game `{own}` must not use the game `{other}`"
                ));
            }
        }
        if BLIND.contains(&room.as_str()) {
            for (index, line) in source.text.lines().enumerate() {
                let lower = line.to_lowercase();
                if let Some(game) = games.iter().find(|game| names(&lower, game)) {
                    wrong.push(format!(
                        "src/{path}:{}: `{room}` names the game `{game}`",
                        index + 1
                    ));
                }
            }
        }
    }
    wrong.dedup();
    wrong
}

/// Whether a line names a game: by a path, by its id between quotes, or in a command. A game may be called by a word that
/// sentences and commands need, such as `go` or `open`.
fn names(line: &str, game: &str) -> bool {
    let whole = |after: &str| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let path = format!("games::{game}");
    if line
        .match_indices(&path)
        .any(|(at, _)| whole(&line[at + path.len()..]))
    {
        return true;
    }
    let is_command = COMMANDS
        .iter()
        .any(|spec| spec.name == game || spec.aliases.contains(&game));
    (!is_command && line.contains(&format!("\"{game}\"")))
        || line.split(['"', '`']).any(|said| plays(said, game))
}

/// Whether a line is a command with a game, and not a sentence that begins like one.
fn plays(said: &str, game: &str) -> bool {
    let words: Vec<&str> = said.split_whitespace().collect();
    let Some((verb, rest)) = words.split_first() else {
        return false;
    };
    let takes_game = |spec: &CommandSpec| {
        spec.arguments
            .iter()
            .any(|argument| argument.kind == ArgumentKind::Game)
    };
    let starts = COMMANDS.iter().any(|spec| spec.name == *verb && takes_game(spec));
    starts && rest.len() <= 4 && rest.contains(&game)
}

fn read_sources(folder: &Path, root: &Path, out: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read_sources(&path, root, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            // Tests may name whatever they like, in files of their own as well as at the end of others.
            if name.ends_with("/tests.rs") {
                continue;
            }
            out.push(Source::new(&name, &fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Every source file of the program.
pub fn all_sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    read_sources(&root, &root, &mut sources);
    sources
}

fn game_ids() -> Vec<&'static str> {
    parlor::catalog::games().map(|entry| entry.meta.id).collect()
}

#[test]
fn dependencies_point_one_way() {
    let sources = all_sources();
    let rooms: BTreeSet<&str> = sources.iter().map(|source| source.room.as_str()).collect();
    assert!(
        rooms.contains("game") && rooms.contains("catalog"),
        "the sources were read: {rooms:?}"
    );
    let edges: usize = sources.iter().map(|source| paths_in(&source.text).len()).sum();
    assert!(edges > 50, "the edges were read: {edges}");
    let wrong = violations(&sources, &game_ids());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_of_rules_is_a_game_of_the_catalog() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap());
    let folders: BTreeSet<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let ids: BTreeSet<String> = game_ids().into_iter().map(str::to_owned).collect();
    assert_eq!(folders, ids, "a game has a folder and a line in src/catalog.rs");
}

/// The checker itself sees what it should, on sources that are made up.
#[test]
fn an_edge_that_points_up_is_found() {
    let found = |path: &str, text: &str| violations(&[Source::new(path, text)], &game_ids());
    assert_eq!(
        found("game/seat.rs", "use std::fmt;\nuse crate::catalog::Table;\n"),
        ["src/game/seat.rs:2: `game` must not use `catalog`"]
    );
    assert_eq!(
        found("games/phwar/mod.rs", "fn f() { crate::draw::canvas::new(); }"),
        ["src/games/phwar/mod.rs:1: `games` must not use `draw`"]
    );
    assert_eq!(
        found(
            "matches/clock.rs",
            "use crate::{game::Seat, store::{self, Sled}};"
        ),
        ["src/matches/clock.rs:1: `matches` must not use `store`"]
    );
    assert_eq!(
        found(
            "games/fabric/mod.rs",
            "use crate::games::{fabric::X, phwar::cell};"
        ),
        ["src/games/fabric/mod.rs:1: the game `fabric` must not use the game `phwar`"]
    );
    assert_eq!(
        found("discord/mod.rs", "use crate::matrix::Thing;"),
        ["src/discord/mod.rs:1: `discord` must not use `matrix`"]
    );
    assert_eq!(
        found("chat/mod.rs", "use crate::config::Config;\nlet id = \"phwar\";"),
        [
            "src/chat/mod.rs:1: `chat` must not use `config`",
            "src/chat/mod.rs:2: `chat` names the game `phwar`"
        ]
    );
    assert_eq!(
        found("text.rs", "use crate::backoff::Backoff;\nuse crate::game::Seat;"),
        [
            "src/text.rs:1: `text` must not use `backoff`",
            "src/text.rs:2: `text` must not use `game`"
        ]
    );
    assert_eq!(
        found("kitchen/mod.rs", ""),
        ["src/kitchen/mod.rs: the room `kitchen` is not in the plan of tests/program/layering.rs"]
    );
    assert_eq!(found("chat/phase.rs", "let game = find(\"phase\");").len(), 1);
    assert_eq!(
        found("chat/phwar.rs", "let hint = \"Say `challenge bot phwar`.\";").len(),
        1
    );
    assert_eq!(
        found("matches/a.rs", "let path = \"games::phwar::mod\";").len(),
        1
    );
}

#[test]
fn a_game_may_be_called_by_a_word_that_is_said_anyway() {
    let ordinary = ["hex", "go", "open", "set", "phase"];
    let wrong = violations(&all_sources(), &ordinary);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let by_name = "let (a, b) = (\"hex\", \"challenge bot open level=3\");";
    assert_eq!(
        violations(&[Source::new("chat/a.rs", by_name)], &ordinary).len(),
        1
    );
    for text in [
        "say!(\"open a table and go on there\")",
        "let hex = \"hexadecimal: hex digits\";",
    ] {
        let source = Source::new("chat/a.rs", text);
        assert_eq!(violations(&[source], &ordinary), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn edges_that_point_down_and_words_in_comments_are_let_be() {
    let found = |path: &str, text: &str| violations(&[Source::new(path, text)], &game_ids());
    let fine = [
        (
            "chat/mod.rs",
            "/// Such as `challenge @bo phwar`.\nuse crate::{matches, catalog::find};\n",
        ),
        ("store/sled.rs", "use crate::matches::port::Store;"),
        ("game/rng.rs", "use crate::text::hex;"),
        (
            "local/page.rs",
            "let title = \"Phase Parlor\"; // phwar\nlet unbreakable = \"icebreakers\";",
        ),
        (
            "games/phwar/read.rs",
            "use crate::games::phwar::cell::Cell;\nuse crate::game::Seat;",
        ),
        (
            "chat/a.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests { const GAME: &str = \"phwar\"; }",
        ),
        (
            "main.rs",
            "use parlor::discord; use parlor::store::Sled; mod cli;",
        ),
        ("cli/mod.rs", "use parlor::catalog::{self, Frame}; let phwar = 1;"),
    ];
    for (path, text) in fine {
        assert_eq!(found(path, text), Vec::<String>::new(), "{path}");
    }
}

/// Only chat reads and writes commands: an adapter makes an `Input` of what was said, or of a `Command`, and everything
/// else is asked of that.
#[test]
fn adapters_leave_reading_to_chat() {
    let splices: Vec<String> = (COMMANDS.iter())
        .map(|command| format!("format!(\"{} #", command.name))
        .collect();
    let readers = ["command::read(", "command::read_reference(", "from_fields("];
    for source in all_sources() {
        if !["discord", "matrix", "local", "web"].contains(&source.room.as_str()) {
            continue;
        }
        for reader in readers {
            assert!(
                !source.text.contains(reader),
                "{} reads commands itself",
                source.path
            );
        }
        for splice in &splices {
            assert!(
                !source.text.contains(splice),
                "{} writes commands itself: {splice}",
                source.path
            );
        }
    }
}
