//! One name for one thing: two public types of the same name are a trap for whoever searches for one of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::layering::{Source, all_sources};

/// The name of the public type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()
}

/// Names that stand for types of several files, with those files. What each game calls alike (`Action`, `View`, `Position`, …) is
/// the same notion there, and a game never meets another one: of all games that have a type of a name, one counts.
fn several(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut files: BTreeMap<&str, BTreeMap<Option<&str>, BTreeSet<&str>>> = BTreeMap::new();
    for source in sources {
        for name in source.text.lines().filter_map(declared) {
            let in_game = files.entry(name).or_default();
            let of_game = in_game.entry(source.game.as_deref()).or_default();
            of_game.insert(&source.path);
        }
    }
    files.retain(|_, by_game| {
        let games = by_game.keys().flatten().count();
        let outside = by_game.get(&None).map_or(0, BTreeSet::len);
        let twice_in_a_game = by_game
            .iter()
            .any(|(game, files)| game.is_some() && files.len() > 1);
        outside > 1 || (outside == 1 && games > 0) || twice_in_a_game
    });
    let all = |by_game: BTreeMap<_, BTreeSet<_>>| by_game.into_values().flatten().collect();
    files
        .into_iter()
        .map(|(name, by_game)| (name, all(by_game)))
        .collect()
}

#[test]
fn no_two_public_types_have_one_name() {
    let sources = all_sources();
    let found = several(&sources);
    assert!(found.is_empty(), "give one of them another name: {found:#?}");
}

#[test]
fn a_name_that_is_used_twice_is_found() {
    let source = |path: &str, text: &str| Source::new(path, text);
    let sources = [
        source(
            "chat/a.rs",
            "pub struct Way {\n}\npub(super) struct Hidden;\npub enum Only {}",
        ),
        source(
            "ai/b.rs",
            "    pub enum Way {}\nstruct Only;\npub(super) struct Hidden;",
        ),
        source(
            "games/one/x.rs",
            "pub trait Action {}\npub type Twice = u8;\npub struct Seat;",
        ),
        source("games/one/y.rs", "pub struct Twice<'a>(&'a str);"),
        source("games/two/x.rs", "pub enum Action {}"),
        source("game/seat.rs", "pub struct Seat(u8);\n// pub struct Action;"),
    ];
    let found: Vec<&str> = several(&sources).into_keys().collect();
    assert_eq!(found, ["Seat", "Twice", "Way"]);
}
