//! How long a player waits for the bots: in every game, at every level, from the command to the board that shows the
//! whole reply. And how long somebody else waits for an answer while ten bots think.
//!
//! All of it over the local room's API. The player takes the hint, so that matches are played as people play them.

use std::time::{Duration, Instant};

use parlor::catalog::games;
use serde_json::Value;

use crate::wanted::within;
use crate::web::guest::Guest;
use crate::web::house::House;
use crate::web::wait_for;

pub fn run() {
    // Without `--bench` this is a test whether it runs at all.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let (moves, strong_moves, levels) = if measuring { (12, 4, 1..=5) } else { (1, 0, 1..=1) };
    let house = House::open();
    for entry in games() {
        for level in levels.clone() {
            let bots = usize::from(*entry.meta.seats.end()) - 1;
            for bots in [1, bots].into_iter().take(bots.min(2)) {
                let moves = if level == 5 { strong_moves } else { moves };
                let waits = play(&house, entry.meta.id, bots, level, moves);
                let (slowest, median) = (waits.last().copied().unwrap_or_default(), median(&waits));
                let wanted = Duration::from_secs(if level == 5 { 10 } else { 1 });
                println!(
                    "{} against {bots} at level {level}: {median:?} at the median, {slowest:?} at worst ({}), of {}",
                    entry.meta.name,
                    within(slowest, wanted),
                    waits.len()
                );
            }
        }
    }
    if measuring {
        others(&house);
    }
}

/// What a match against so many bots makes a player wait, shortest first.
fn play(house: &House, game: &str, bots: usize, level: u8, moves: usize) -> Vec<Duration> {
    let guest = Guest::come(house.address, &format!("{game}-{bots}-{level}"));
    let bots = vec!["bot"; bots].join(" ");
    guest.say(&format!("challenge {bots} {game} level={level}"));
    let mut waits = Vec::new();
    for _ in 0..moves {
        let Some(code) = await_turn(&guest) else {
            return sorted(waits);
        };
        let play_it = hint(&guest, &code);
        let begun = Instant::now();
        guest.say(&play_it);
        await_turn(&guest);
        waits.push(begun.elapsed());
    }
    let own = matches(&guest);
    if let Some(code) = own.first().and_then(|own| own["code"].as_str()) {
        guest.say(&format!("abort #{code}"));
    }
    sorted(waits)
}

/// Ten bots think, each in a match of its own, and somebody asks for the games.
fn others(house: &House) {
    let players: Vec<Guest> = (0..10)
        .map(|number| Guest::come(house.address, &format!("player-{number}")))
        .collect();
    let games = games().map(|entry| entry.meta.id).cycle();
    for (player, game) in players.iter().zip(games) {
        player.say(&format!("challenge bot {game} level=5 order"));
    }
    for player in &players {
        let code = await_turn(player).expect("a match");
        player.say(&hint(player, &code));
    }
    let other = Guest::come(house.address, "other");
    let mut waits = Vec::new();
    while players.iter().any(|player| !is_own_turn(player)) {
        let begun = Instant::now();
        other.say("games");
        waits.push(begun.elapsed());
    }
    let waits = sorted(waits);
    let (median, slowest) = (median(&waits), waits.last().copied().unwrap_or_default());
    println!(
        "while ten think, others are answered in {median:?} at the median ({}), {slowest:?} at worst",
        within(median, Duration::from_millis(20))
    );
}

/// The command that plays what the bot would.
fn hint(guest: &Guest, code: &str) -> String {
    let hint = guest.say(&format!("hint #{code}"));
    let play_it = hint["reply"]["buttons"][0]["command"].as_str();
    play_it.expect("a button").to_owned()
}

/// Waits until it is this guest's turn; the code of the match, unless it is over.
fn await_turn(guest: &Guest) -> Option<String> {
    wait_for("a turn", || {
        let own = matches(guest);
        match own.first() {
            None => Some(None),
            Some(own) if own["your_turn"] == true => Some(own["code"].as_str().map(str::to_owned)),
            Some(_) => None,
        }
    })
}

fn is_own_turn(guest: &Guest) -> bool {
    matches(guest).iter().all(|own| own["your_turn"] == true)
}

fn matches(guest: &Guest) -> Vec<Value> {
    let own = guest.get("/api/matches").json();
    own["matches"].as_array().cloned().unwrap_or_default()
}

fn sorted(mut waits: Vec<Duration>) -> Vec<Duration> {
    waits.sort_unstable();
    waits
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
