//! How long people in Matrix rooms wait when many play at once: the program against a real Synapse, which
//! `tests/matrix/set-up` installs.
//!
//! `cargo bench --bench matrix -- 300 200 30` plays 300 matches, a room each, and says 200 commands a second for 30 seconds.
//! Half of them are moves, which bring a board, and half ask for the board as text. It prints how long both took until
//! their people read them, and what the bot used. The homeserver shares the processors with the bot: what it can't take is
//! said later, and the rate that was reached is printed too.
//!
//! `cargo bench --bench matrix -- memory` plays against the bot in each of 20 rooms, half of them encrypted, and prints what
//! memory the bot has then, and whether it is as little as is wanted.
#![recursion_limit = "256"]
#![allow(
    dead_code,
    reason = "the tests ask more of a homeserver, of people and of HTTP"
)]

#[path = "../../tests/matrix/person.rs"]
mod person;
#[path = "../../tests/matrix/synapse.rs"]
mod synapse;
#[path = "../../tests/web/mod.rs"]
mod web;

mod crowd;
mod process;
mod sealed;
#[path = "../wanted.rs"]
mod wanted;

use std::time::{Duration, Instant};

use crowd::{Crowd, Latencies};
use process::Process;
use synapse::{Limits, Synapse};
use wanted::{Latency, at_most};

/// What is played: a match of one person on both sides, without a bot that thinks.
const GAME: &str = "glyphgrid";

/// Rooms in which people play against the bot, and the memory that is enough for them, in MB.
const ROOMS: usize = 20;
const MOST_MEMORY: u64 = 120;
/// Moves of the person in each of them.
const MOVES: usize = 5;

fn main() {
    if std::env::args().any(|argument| argument == "memory") {
        return memory();
    }
    let numbers: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let number = |index: usize, usual: usize| numbers.get(index).copied().unwrap_or(usual);
    let (matches, rate, seconds) = (number(0, 300), number(1, 200), number(2, 30));
    let synapse = Synapse::start(Limits::None);
    let bot = Process::start(&synapse);
    println!("after login: {}", bot.used());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let crowd = Crowd::gather(&synapse, bot.id(), matches).await;
        println!("with {matches} matches: {}", bot.used());
        let before = bot.processor_time();
        let begun = Instant::now();
        let sent = crowd.speak(rate, Duration::from_secs(seconds as u64)).await;
        let spoken = begun.elapsed();
        let Latencies { answers, boards } = crowd.hear_out().await;
        println!(
            "{sent} commands in {:.1} s, {:.0} a second",
            spoken.as_secs_f64(),
            sent as f64 / spoken.as_secs_f64()
        );
        // They come at the homeserver's pace, of which nothing can be wanted here.
        wanted::tell("answers", &Latency::of(answers));
        wanted::tell("boards", &Latency::of(boards));
        let busy = bot.processor_time() - before;
        println!(
            "{}; {:.0} % of one processor",
            bot.used(),
            100.0 * busy.as_secs_f64() / begun.elapsed().as_secs_f64()
        );
    });
}

/// Rooms in which people play against the bot, which thinks, draws, and encrypts in every other one.
fn memory() {
    let synapse = Synapse::start(Limits::None);
    let bot = Process::start(&synapse);
    println!("after login: {}", bot.used());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let sealed = ROOMS / 2;
        tokio::join!(
            Crowd::challenge_bot(&synapse, bot.id(), ROOMS - sealed, MOVES),
            sealed::challenge_bot(&synapse, bot.id(), sealed, MOVES)
        );
        let used = bot.megabytes();
        println!(
            "with {ROOMS} rooms with bots, {sealed} of them encrypted: {} ({})",
            bot.used(),
            at_most(used, MOST_MEMORY)
        );
    });
}
