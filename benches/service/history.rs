//! How long a guest waits for an answer while another reads page after page of a long history.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use parlor::catalog::games;

use crate::room::{Bot, time};
use crate::wanted::within;
use crate::web::guest::Guest;

/// How many messages there are to read, and how many read them at once.
const MESSAGES: u32 = 600;
const READERS: usize = 8;

pub fn run() {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let (messages, questions) = if measuring { (MESSAGES, 1000) } else { (30, 20) };
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let bot = Bot::start(&home.path().join("store"));
    let [ann, bea] = ["Ann", "Bea"].map(|name| Guest::come(bot.address, name));
    fill(&ann, messages);

    let alone = slowest_of_a_hundred(&bea, questions);
    let (reading, pages) = (AtomicBool::new(true), AtomicU32::new(0));
    let crowded = std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                while reading.load(Ordering::Relaxed) {
                    ann.get("/api/messages?limit=500");
                    pages.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let crowded = slowest_of_a_hundred(&bea, questions);
        reading.store(false, Ordering::Relaxed);
        crowded
    });
    println!("one answer of a hundred takes longer than {alone:?}");
    println!(
        "{READERS} readers of {} pages: longer than {crowded:?} ({}: ten times as long, or 20 ms)",
        pages.into_inner(),
        within(crowded, (alone * 10).max(Duration::from_millis(20)))
    );
}

/// Boards and talk, as they are in a room where somebody plays.
fn fill(guest: &Guest, messages: u32) {
    let practice = format!("practice {}", games().next().expect("a game").meta.id);
    guest.hear(&practice);
    for number in 0..messages {
        if number % 4 > 0 {
            guest.say(&format!("\"this is line {number} of many"));
            continue;
        }
        let legal = guest.get("/api/suggest?room=parlor&line=move%20").json();
        let line = legal["suggestions"][0]["line"].as_str();
        guest.hear(line.unwrap_or(&practice));
    }
}

/// Of a hundred questions the slowest but one.
fn slowest_of_a_hundred(guest: &Guest, questions: usize) -> Duration {
    let mut waits: Vec<Duration> = (0..questions).map(|_| time(|| guest.hear("games"))).collect();
    waits.sort_unstable();
    waits[(questions - 1) * 99 / 100]
}
