//! `parlor arena`, `parlor health GAME` and `parlor sim --agents`, as whoever types them meets them.

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

/// The figures of the line with this label, in the order in which they stand there.
fn figures(table: &str, label: &str) -> Vec<f64> {
    let line = table.lines().find(|line| line.starts_with(label)).unwrap();
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit());
        word.parse().ok()
    };
    line[label.len()..]
        .split_whitespace()
        .filter_map(number)
        .collect()
}

#[test]
fn the_health_of_a_game_adds_up() {
    let arguments = [
        "health",
        "glyphgrid",
        "--agents",
        "greedy",
        "--games",
        "12",
        "--seed",
        "t",
    ];
    let table = good(&arguments);
    assert!(
        table.starts_with("glyphgrid: 12 games, greedy against greedy\n"),
        "{table}"
    );
    // The median lies within its eight of ten, and each share within its interval.
    let [median, least, most, mean, low, high] = figures(&table, "length")[..] else {
        panic!("{table}");
    };
    assert!(
        least <= median && median <= most && low <= mean && mean <= high,
        "{table}"
    );
    let seats = ["seat 1", "seat 2"].map(|seat| figures(&table, seat));
    for seat in &seats {
        assert!(seat[1] <= seat[0] && seat[0] <= seat[2], "{table}");
    }
    assert!((seats[0][0] + seats[1][0] - 100.0).abs() < 0.11, "{table}");
    // Seat 1 begins, and one action is a turn.
    assert_eq!(figures(&table, "first turn")[0], seats[0][0]);
    assert!(
        (figures(&table, "hand-overs")[0] - (mean - 1.0)).abs() < 0.11,
        "{table}"
    );
    assert!(
        (figures(&table, "decisions")[0] - mean / 2.0).abs() < 0.11,
        "{table}"
    );
    let ends = table.lines().skip_while(|line| *line != "how it ended").skip(1);
    let ended: u32 = ends
        .map(|line| line.split_whitespace().next().unwrap().parse::<u32>().unwrap())
        .sum();
    assert_eq!(ended, 12, "{table}");
    // The same twice, on any number of threads; and each seat may have a player of its own.
    assert_eq!(good(&[&arguments[..], &["--threads", "2"]].concat()), table);
    let unlike = good(&[
        "health",
        "glyphgrid",
        "--agents",
        "level2,random",
        "--games",
        "8",
        "--seed",
        "t",
    ]);
    assert!(figures(&unlike, "seat 1")[0] > 60.0, "{unlike}");
}

#[test]
fn the_health_of_no_game_is_refused_in_one_line() {
    assert!(bad(&["health", "chess"]).contains("there's no game `chess`"));
    assert!(bad(&["health", "phwar", "--agents", "random,random,random"]).contains("one a seat: 2, not 3"));
    assert!(bad(&["health", "phwar", "--ready"]).contains("--ready"));
    assert!(bad(&["health", "--games", "3"]).contains("game"));
    assert!(bad(&["health", "phwar", "--config", "x.toml"]).contains("--config has no meaning"));
}
