//! Phrases that players type for a move, with what they find: the notation and what it is said to do.

use parlor::catalog::{self, Table};
use parlor::game::completion::Completion;
use parlor::game::{OptionValues, Seed};

/// A game after these sentences, each of whoever is to move.
fn table(game: &str, sentences: &[&str]) -> Box<dyn Table> {
    table_with(game, &[], sentences)
}

fn table_with(game: &str, wishes: &[(&str, &str)], sentences: &[&str]) -> Box<dyn Table> {
    let entry = catalog::find(game).unwrap();
    let seed = Seed::from_text("phrases");
    let options = OptionValues::choose(entry.meta.options, wishes.iter().copied()).unwrap();
    let mut table = entry.open(&options, 2, &seed).unwrap();
    for (step, sentence) in (1..).zip(sentences) {
        let seat = table.awaiting().seats().iter().next().unwrap();
        table
            .play(seat, sentence, &seed, step * 10)
            .unwrap_or_else(|error| panic!("{sentence}: {error}"));
    }
    table
}

fn found(table: &dyn Table, typed: &str) -> Vec<Completion> {
    let seat = table.awaiting().seats().iter().next().unwrap();
    table.complete(seat, typed, 25)
}

/// Each phrase finds this first, and says this of it.
fn check(table: &dyn Table, phrases: &[(&str, &str, &str)]) {
    for (typed, action, label) in phrases {
        let found = found(table, typed);
        let first = found.first().unwrap_or_else(|| panic!("`{typed}` finds nothing"));
        assert_eq!(
            (first.action.as_str(), first.label.as_str()),
            (*action, *label),
            "{typed}: {found:?}"
        );
    }
}

/// The actions that a phrase finds, in the order of letters.
fn all(table: &dyn Table, typed: &str) -> Vec<String> {
    let mut all: Vec<String> = found(table, typed)
        .into_iter()
        .map(|found| found.action)
        .collect();
    all.sort();
    all
}

#[test]
fn particles_are_found_by_kind_start_and_goal() {
    let table = table("phwar", &[]);
    check(
        table.as_ref(),
        &[
            ("f3f5", "F3-F5", "electron F3 slides to F5"),
            ("to f5 with the electron", "F3-F5", "electron F3 slides to F5"),
            ("electrn f3 f5", "F3-F5", "electron F3 slides to F5"),
        ],
    );
    for typed in ["E5", "e5"] {
        let to_e5 = all(table.as_ref(), typed);
        assert!(!to_e5.is_empty());
        assert!(to_e5.iter().all(|action| action.ends_with("-E5")), "{to_e5:?}");
    }
    assert_eq!(
        all(table.as_ref(), "capture"),
        [""; 0],
        "nothing can be captured in the opening"
    );
    assert_eq!(all(table.as_ref(), "good luck"), [""; 0]);
}

#[test]
fn pieces_of_fabric_are_found_by_what_they_do() {
    let table = table("fabric", &["A b3", "P h8"]);
    check(
        table.as_ref(),
        &[
            ("relay b5 north", "R b5 N", "Relay on b5, facing north: sends 2"),
            ("north b5", "R b5 N", "Relay on b5, facing north: sends 2"),
            ("R b5 N", "R b5 N", "Relay on b5, facing north: sends 2"),
            ("rel b5 up", "R b5 N", "Relay on b5, facing north: sends 2"),
            ("d4 a", "A d4", "Anchor on d4"),
            ("anchor d4", "A d4", "Anchor on d4"),
            // North means nothing to an Anchor; what was said first counts.
            ("anchor d4 north", "A d4", "Anchor on d4"),
        ],
    );
    // Beside the Anchor on b3, and nowhere else, both neighbours of a Prism have energy 1.
    let scoring = ["P a3", "P b2", "P b4", "P c3"];
    assert_eq!(all(table.as_ref(), "score"), scoring);
    let prisms = found(table.as_ref(), "prism");
    assert!(
        scoring.contains(&prisms[0].action.as_str()),
        "what looks best comes first: {prisms:?}"
    );
    assert_eq!(
        prisms[0].label,
        format!("Prism on {}: you score 1", &prisms[0].action[2..])
    );
}

#[test]
fn glyphs_are_found_by_name_direction_and_deed() {
    let classic = [("opening", "classic")];
    let table = table_with("glyphgrid", &classic, &["lance c2-e4", "vector d7-d6"]);
    check(
        table.as_ref(),
        &[
            (
                "vector north core",
                "vector d1-d2",
                "VECTOR: Core d1 steps north to d2",
            ),
            ("d1 up", "vector d1-d2", "VECTOR: Core d1 steps north to d2"),
            ("knight a2 b4", "arc a2-b4", "ARC: Shard a2 leaps to b4"),
            ("mark g2", "anchor g2", "ANCHOR: Shard g2 stays and marks g2"),
        ],
    );
    // Capturing the Core wins.
    let capture = found(table.as_ref(), "capture");
    assert_eq!(
        capture[0].label, "ARC: Shard e4 captures the Core on d6. You win!",
        "{capture:?}"
    );
    assert_eq!(capture[0].action, "arc e4-d6");
    assert_eq!(
        found(table.as_ref(), "")[0],
        capture[0],
        "what wins comes first of all"
    );
}

#[test]
fn blocks_are_found_by_name_circuit_and_use() {
    let table = table("breaker", &["draw 3; add 0LFR II"]);
    check(
        table.as_ref(),
        &[
            (
                "annihilate",
                "draw annihilate",
                "draw ANNIHILATE: a block leaves the game",
            ),
            (
                "anihilate",
                "draw annihilate",
                "draw ANNIHILATE: a block leaves the game",
            ),
            (
                "circuit III",
                "add 0LFR III",
                "add 0LFR to circuit III: no power, three sockets",
            ),
            (
                "play 0lfr II",
                "add 0LFR II",
                "add 0LFR to circuit II: no power, three sockets",
            ),
            ("end", "pass", "pass the whole turn"),
            ("power 3", "draw 3", "draw 3: power 3, no socket"),
            (
                "take three blocks",
                "draw accelerate",
                "draw ACCELERATE: take three blocks",
            ),
        ],
    );
}
