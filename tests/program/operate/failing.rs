//! A store that can't be written to: everybody is told the truth, and the log is not flooded.

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parlor::chat::refusals::{BROKEN, UNSAVED};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::port::{Batch, Fault, Health, Row, Saving, Space, Store};
use parlor::matches::service::Service;
use parlor::matches::time::{SystemClock, Time};
use parlor::operate::bot_status::{BotStatus, Verdict};
use parlor::store::{MemoryStore, SledStore};
use serde_json::{Value, json};

use super::bot::Bot;
use crate::web::guest::{Guest, get};
use crate::web::house::House;
use crate::web::http::Answer;
use crate::web::wait_for;

/// A store whose disk may be full.
#[derive(Default)]
struct FullStore {
    rows: MemoryStore,
    full: AtomicBool,
}

impl FullStore {
    fn fill(&self, full: bool) {
        self.full.store(full, Ordering::SeqCst);
    }
}

impl Store for FullStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.rows.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        self.rows.scan(space, range, limit)
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        if self.full.load(Ordering::SeqCst) {
            let fault = Fault::new("writing the journal", "no space left on device");
            return Box::pin(std::future::ready(Err(fault)));
        }
        self.rows.commit(batch)
    }

    fn flush(&self) -> Saving<'_> {
        self.commit(Batch::new())
    }

    fn health(&self) -> Health {
        if self.full.load(Ordering::SeqCst) {
            Health::Failing {
                since: Time(1_000),
                reason: "no space left on device".to_owned(),
            }
        } else {
            Health::Good
        }
    }
}

#[test]
fn while_nothing_can_be_saved_everybody_is_told_so_and_then_all_is_well_again() {
    let store = Arc::new(FullStore::default());
    let house = House::over(Arc::<FullStore>::clone(&store));
    let ann = Guest::come(house.address, "Ann");
    ann.hear("games");
    store.fill(true);
    assert_eq!(ann.hear("practice phwar"), UNSAVED);
    let health = get(house.address, "/healthz");
    assert_eq!(health.status, 503);
    assert_eq!(health.json()["reason"], "no space left on device");
    // Who only looks is answered as ever.
    assert!(ann.hear("games").starts_with("The games"));
    store.fill(false);
    assert_eq!(get(house.address, "/healthz").json()["status"], "ok");
    assert_ne!(ann.hear("practice phwar"), UNSAVED);
}

#[test]
fn a_bot_whose_store_fails_is_neither_alive_nor_ready() {
    let store = Arc::new(FullStore::default());
    let kept: Arc<dyn Store> = Arc::<FullStore>::clone(&store);
    let service = Service::new(kept, Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap();
    let status = BotStatus::new("nowhere".into());
    status.opened(Arc::new(service));
    status.connected(Vec::new());
    assert_eq!((status.alive(), status.ready()), (Verdict::Well, Verdict::Well));
    store.fill(true);
    let reason = "store: nothing can be saved since 1: no space left on device";
    let unwell = Verdict::Unwell(vec![reason.to_owned()]);
    assert_eq!((status.alive(), status.ready()), (unwell.clone(), unwell));
}

/// The largest file under a folder, in bytes.
fn largest(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sizes = entries.map(|path| {
        if path.is_dir() {
            largest(&path)
        } else {
            path.metadata().unwrap().len()
        }
    });
    sizes.max().unwrap_or(0)
}

/// Says something, and once more if the room asks for patience.
fn say(guest: &Guest, text: &str) -> Answer {
    wait_for("an answer", || {
        let answer = guest.post("/api/say", &json!({ "room": "parlor", "text": text }));
        (answer.status != 429).then_some(answer)
    })
}

fn was_not_saved(answer: &Answer) -> bool {
    answer.status >= 500 || answer.text().contains(UNSAVED) || answer.text().contains(BROKEN)
}

/// A bot that may write no file beyond a size, which is to it as if the disk were full, and guests who were there before.
fn soon_full(store: &Path) -> (Bot, [Guest; 4]) {
    let bot = Bot::start(store);
    let guests = ["Ann", "Bea", "Cem", "Dora"].map(|name| Guest::come(bot.room, name));
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
    let kilobytes = largest(store) / 1024 + 64;
    let mut command = Command::new("bash");
    let program = env!("CARGO_BIN_EXE_parlor");
    let limited = format!("trap '' XFSZ; ulimit -S -f {kilobytes}; exec {program} serve");
    command.args(["-c", &limited]);
    let bot = Bot::run(command, store);
    let guests = guests.map(|guest| Guest {
        address: bot.room,
        ..guest
    });
    (bot, guests)
}

/// Has the guests play until something can't be saved.
fn fill(guests: &[Guest]) {
    let mut turns = guests.iter().cycle().take(2000);
    let full = turns
        .find(|guest| was_not_saved(&say(guest, "practice phwar")) || was_not_saved(&say(guest, "abort")));
    assert!(full.is_some(), "the disk never was full");
}

#[test]
fn a_bot_that_could_not_save_everything_does_not_end_as_if_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let (bot, guests) = soon_full(&store);
    fill(&guests);
    for guest in guests.iter().cycle().take(100) {
        assert!(was_not_saved(&say(guest, "practice fabric")));
    }
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(75), "{logged}");
    assert!(logged.lines().count() < 20, "the log is flooded: {logged}");
    let entries = logged.lines().filter(|line| line.starts_with('{'));
    let entries: Vec<Value> = entries.map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed = entries
        .iter()
        .filter(|entry| entry["message"] == "chat: command failed");
    // What breaks the store and what comes of it may be said in different words, each once.
    assert!((1..=2).contains(&failed.count()), "said once: {logged}");
}

/// What is wrong is not the machine, so waiting is no use: the next process finds out whether the store can be mended, and says
/// what is the matter if it can't.
#[test]
fn a_bot_that_can_not_help_itself_any_more_ends_so_that_it_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let (bot, guests) = soon_full(&store);
    // Somebody takes the journal away. The file in which the bot writes is still open, and no other can be begun.
    std::fs::rename(store.join("journal"), folder.path().join("journal")).unwrap();
    std::fs::write(store.join("journal"), "in the way").unwrap();
    fill(&guests);
    let (ended, logged) = bot.wait();
    assert_eq!(ended.code(), Some(75), "{logged}");
    assert!(logged.contains("another start may help"), "{logged}");
    let complaint = logged.lines().last().unwrap();
    assert!(
        complaint.contains("(os error"),
        "the reason is not told: {complaint}"
    );
    // Put back in its place, it has everything.
    std::fs::remove_file(store.join("journal")).unwrap();
    std::fs::rename(folder.path().join("journal"), store.join("journal")).unwrap();
    let (ended, logged) = Bot::start(&store).end();
    assert_eq!(ended.code(), Some(0), "{logged}");
}

/// `parlor check` by cron, or a salvage, may have the store when systemd starts the bot again: that passes, and 2 would end the
/// bot for good.
#[test]
fn a_bot_whose_store_a_tool_has_is_to_be_started_again_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let tool = SledStore::open(&store).unwrap();
    let run = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .arg(command)
            .env("PARLOR_STORE_PATH", &store)
            .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (ended, words) = run("serve");
    assert_eq!(ended, Some(75), "{words}");
    assert!(words.contains("is in use"), "{words}");
    // Another tool is asked for by somebody who can wait.
    let (ended, words) = run("compact");
    assert_eq!(ended, Some(2), "{words}");
    drop(tool);
    let (ended, logged) = Bot::start(&store).end();
    assert_eq!(ended.code(), Some(0), "{logged}");
}
