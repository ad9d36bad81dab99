//! The bot on Discord under load, against the stand-in with Discord's own limits. Every figure is printed beside what is
//! wanted, and whether it is met.
//!
//! `cargo bench --bench discord` runs both parts; `-- load` or `-- hands` runs one.
//! - `load`: 300 matches, 200 commands a second for 30 seconds: how soon the first answer and the board come, and what it
//!   costs.
//! - `hands`: 200 tables with hidden hands begin at once, while two people play on elsewhere. Their board is never late, and
//!   the hands come as fast as Discord lets the bot open private talks: ten in ten seconds, so this takes seven minutes.
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the stand-in and its people can do more than this run asks of them"
)]

#[path = "../../tests/discord/driver/mod.rs"]
mod driver;
#[path = "../../tests/discord/standin/mod.rs"]
mod standin;

mod hands;
#[path = "../wanted.rs"]
mod wanted;

use std::time::{Duration, Instant};

use driver::boards::{board_after, code_in, offers};
use driver::people::Asked;
use driver::{Place, Town, User};
use serde_json::json;
use wanted::{Latency, at_most, print};

const MATCHES: usize = 300;
const SECONDS: usize = 30;
const COMMANDS_A_SECOND: usize = 200;
/// So many of them are moves: each brings a board and takes the buttons off another, which is what 50 requests a second
/// leave room for.
const MOVES_A_SECOND: usize = 20;

/// A match of Phwar in a channel of its own.
struct Table {
    place: Place,
    players: [User; 2],
    code: String,
}

fn main() {
    // Cargo builds benches to test them, too; that is no time for a run of a minute.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let parts: Vec<String> = std::env::args()
        .filter(|argument| ["load", "hands"].contains(&argument.as_str()))
        .collect();
    let runs = |part: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == part);
    if runs("load") {
        load();
    }
    if runs("hands") {
        hands::run();
    }
}

/// What is wanted: the first answer, and the board after a move, of all but one in a hundred.
const FIRST_ANSWER: Duration = Duration::from_millis(100);
const BOARD: Duration = Duration::from_secs(1);

/// Town with Discord's limits, in which time goes by.
fn town() -> Town {
    let town = Town::awake();
    town.shared().with(|model| {
        model.rates.limit_as_discord_does();
        model.clock.run();
    });
    town
}

fn load() {
    let mut town = town();
    let tables: Vec<Table> = begin(&town);
    let moves = opening(&tables[0]);
    let pid = town.program().id();
    let before = (processor_time(pid), Instant::now());
    let (asked, moved) = run(&town, &tables, &moves);
    let boards = boards(&town, &moved);
    let first: Vec<Duration> = asked
        .iter()
        .chain(moved.iter().map(|(asked, _)| asked))
        .map(Asked::first)
        .collect();
    let seconds = before.1.elapsed().as_secs_f64();
    let busy = processor_time(pid) - before.0;
    println!(
        "{} matches, {} commands in {seconds:.1} s, {} of them moves",
        MATCHES,
        first.len(),
        moved.len()
    );
    print("first answer", &Latency::of(first), FIRST_ANSWER);
    print("board", &Latency::of(boards), BOARD);
    println!("memory: {}", memory(pid));
    println!("processor: {busy:.1} s, {:.0} % of one", 100.0 * busy / seconds);
    let rates = town.shared().with(|model| {
        let rates = &model.rates;
        (rates.refused, rates.unheeded, rates.busiest)
    });
    let (refused, unheeded, busiest) = rates;
    println!(
        "requests: at most {busiest} in a second ({}); {refused} answered 429 ({}), {unheeded} after a global one ({})",
        at_most(busiest, 50),
        at_most(refused, 0),
        at_most(unheeded, 0)
    );
}

/// Opens all tables and lets everybody accept.
fn begin(town: &Town) -> Vec<Table> {
    let invited: Vec<(Asked, Table)> = (0..MATCHES)
        .map(|number| {
            let place = town.channel(&format!("hall{number}"));
            let players = ["Host", "Guest"].map(|name| town.user(&format!("{name}{number}")).at(&place));
            let options = json!({ "game": "phwar", "seating": "order", "player": players[1].id_text() });
            let asked = players[0].slash("challenge", &options);
            let code = String::new();
            (asked, Table { place, players, code })
        })
        .collect();
    let tables: Vec<Table> = invited
        .into_iter()
        .map(|(asked, table)| {
            let code = code_in(&asked.words());
            let invitation = table
                .place
                .wait_for("an invitation", |message| offers(message, "Accept"));
            table.players[1].press(&invitation, "Accept");
            Table { code, ..table }
        })
        .collect();
    for table in &tables {
        board_after(&table.place, 0, &table.code);
    }
    tables
}

/// The first moves of every match but the first, which is played to find them.
fn opening(table: &Table) -> [String; 2] {
    [0, 1].map(|mover| {
        let player = &table.players[mover];
        let found = player.autocomplete("move", &json!({ "move": "", "match": table.code }), "move");
        let action = found[0].1.as_str().expect("a move is text").to_owned();
        player
            .slash("move", &json!({ "move": action, "match": table.code }))
            .answer();
        action
    })
}

/// Asks at an even pace; what was asked, and the moves among it with the number of their tables.
fn run(town: &Town, tables: &[Table], moves: &[String; 2]) -> (Vec<Asked>, Vec<(Asked, Place)>) {
    let (mut asked, mut moved) = (Vec::new(), Vec::new());
    let begun = Instant::now();
    let tick = Duration::from_secs(1) / u32::try_from(COMMANDS_A_SECOND).expect("a small number");
    let playing = &tables[1..];
    for number in 0..SECONDS * COMMANDS_A_SECOND {
        let due = begun + tick * u32::try_from(number).expect("a small number");
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let each = COMMANDS_A_SECOND / MOVES_A_SECOND;
        let turn = number / each;
        if number % each == 0 && turn < 2 * playing.len() {
            let (table, mover) = (&playing[turn % playing.len()], turn / playing.len());
            let options = json!({ "move": moves[mover], "match": table.code });
            moved.push((table.players[mover].slash("move", &options), table.place.clone()));
            continue;
        }
        let table = &tables[number % tables.len()];
        let user = &table.players[number % 2];
        asked.push(match number % 6 {
            0 => user.slash("games", &json!({})),
            1 => user.slash("matches", &json!({})),
            2 => user.slash("moves", &json!({ "match": table.code })),
            3 => user.slash("text", &json!({ "match": table.code })),
            4 => user.slash("help", &json!({})),
            _ => user.slash("details", &json!({ "match": table.code })),
        });
    }
    town.shared().wait("all answers", |model| {
        let answered = |asked: &Asked| model.interactions[&asked.id].first.is_some();
        let all = asked
            .iter()
            .chain(moved.iter().map(|(asked, _)| asked))
            .all(answered);
        all.then_some(())
    });
    (asked, moved)
}

/// How long after each move its board came.
fn boards(town: &Town, moved: &[(Asked, Place)]) -> Vec<Duration> {
    let mut times = Vec::new();
    for (asked, place) in moved {
        let at = asked.interaction().at;
        let came = town.shared().wait("a board", |model| {
            let boards = model.messages.values().filter(|message| {
                message.channel == place.id && message.at >= at && !message.attachments.is_empty()
            });
            boards.map(|message| message.at).min()
        });
        times.push(came - at);
    }
    times
}

/// Seconds of processor time that a program has used.
fn processor_time(pid: u32) -> f64 {
    /// What the kernel counts in, on every machine that this runs on.
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / TICKS_A_SECOND
}

fn memory(pid: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = |name: &str| {
        let found = status.lines().find_map(|line| line.strip_prefix(name));
        found.unwrap_or("unknown").trim().to_owned()
    };
    format!("{} now, {} at most", line("VmRSS:"), line("VmHWM:"))
}
