//! `parlor arena` and `parlor sim --agents`, as whoever types them meets them.

use crate::program::{bad, good};

/// Wins, draws and losses of the line with this label.
fn tally(table: &str, label: &str) -> [u32; 3] {
    let line = table.lines().find(|line| line.starts_with(label)).unwrap();
    let words: Vec<&str> = line[label.len()..].split_whitespace().collect();
    ["won", "drawn", "lost"].map(|what| {
        let place = words.iter().position(|word| *word == what).unwrap();
        words[place - 1].parse().unwrap()
    })
}

/// All that does not depend on the clock.
fn timeless(table: &str) -> String {
    let lines = table.lines().filter(|line| !line.contains("a second"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_arena_counts_every_game_by_seat() {
    let arguments = [
        "arena",
        "glyphgrid",
        "--a",
        "level2",
        "--b",
        "random",
        "--games",
        "6",
        "--seed",
        "t",
    ];
    let table = good(&arguments);
    let [won, drew, lost] = tally(&table, "all");
    assert_eq!(won + drew + lost, 6, "{table}");
    let seats = ["seat 1", "seat 2"].map(|label| tally(&table, label));
    for tally in seats {
        assert_eq!(tally.iter().sum::<u32>(), 3, "{table}");
    }
    assert_eq!(seats[0][0] + seats[1][0], won);
    assert!(table.contains("6 games of"), "{table}");
    assert_eq!(table.matches("simulations a move").count(), 2, "{table}");
}

#[test]
fn an_arena_is_the_same_twice_on_any_number_of_threads() {
    let arguments = [
        "arena", "phwar", "--a", "level2", "--b", "greedy", "--games", "4", "--seed", "t",
    ];
    let once = timeless(&good(&arguments));
    let threads = [&arguments[..], &["--threads", "2"]].concat();
    assert_eq!(timeless(&good(&threads)), once);
}

#[test]
fn more_than_two_take_turns_at_the_seats() {
    let table = good(&[
        "arena", "phwar", "--a", "level2", "--b", "random", "--games", "3", "--seats", "3", "--seed", "t",
    ]);
    for label in ["seat 1", "seat 2", "seat 3"] {
        assert_eq!(tally(&table, label).iter().sum::<u32>(), 1, "{table}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    assert!(bad(&["arena"]).contains("which game"));
    assert!(bad(&["arena", "phwar", "--a", "random"]).contains("--b"));
    assert!(bad(&["arena", "phwar", "--a", "level9", "--b", "random"]).contains("level9"));
    assert!(bad(&["arena", "phwar", "--a", "random", "--b", "random", "--seats", "4"]).contains("2 to 3"));
    assert!(bad(&["arena", "phwar", "--a", "random", "--b", "random", "--depth", "4"]).contains("--depth"));
    assert!(bad(&["sim", "phwar", "--agents", "random"]).contains("one player a seat"));
    assert!(bad(&["sim", "phwar", "--agents", "random,nobody"]).contains("nobody"));
    assert!(bad(&["balance", "phase", "--agent", "nobody"]).contains("nobody"));
}

#[test]
fn named_players_play_simulated_games() {
    let steps = |agents: &str| {
        let lines = good(&[
            "sim",
            "fabric",
            "--set",
            "target=50",
            "--agents",
            agents,
            "--seed",
            "t",
            "--jsonl",
        ]);
        lines.lines().count()
    };
    // Who knows what to do gets there sooner.
    assert!(steps("level2,level2") < steps("random,random"));
}
