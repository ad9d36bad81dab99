//! A move, from the request to the durable answer, on the store in memory: what the way through the code costs, without
//! a disk or a network.
//!
//! `PARLOR_RIVAL=path/to/another/build/of/this/program` runs that one in turn with this one and prints the ratio. On a busy
//! machine instructions tell more than time: `valgrind --tool=callgrind --toggle-collect='*timed_move*' PROGRAM moves --once`,
//! with `PARLOR_GAME` and `PARLOR_ENTRIES` for another game and a longer log.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor::chat::command::Nobody;
use parlor::chat::message::Message;
use parlor::chat::outbox::{Outbox, PostError, Posting, Postman};
use parlor::chat::parlor::{Input, Parlor, Request};
use parlor::matches::code::Code;
use parlor::matches::delivery::{Delivery, To};
use parlor::matches::entropy::OsEntropy;
use parlor::matches::people::{PlayerId, RoomId};
use parlor::matches::port::{Batch, Space, Store};
use parlor::matches::repository;
use parlor::matches::service::Service;
use parlor::matches::time::{SystemClock, Time};
use parlor::store::MemoryStore;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::wanted::{at_least, at_most};

/// How many moves are timed.
const MOVES: usize = 400;

/// How much longer things may take where much has been played, or much waits.
const LONGER: f64 = 1.2;

/// How much longer the program before took for a move.
const FASTER: f64 = 2.0;

pub fn run() {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let runtime = Runtime::new().expect("a runtime");
    if std::env::args().any(|argument| argument == "--once") {
        println!("{}", moves_and_undoings(&runtime).as_nanos());
        return;
    }
    let moves = if measuring { MOVES } else { 5 };
    for game in ["phwar", "fabric", "glyphgrid", "breaker"] {
        let short = runtime.block_on(median_move(game, 10, moves));
        let long = runtime.block_on(median_move(game, if measuring { 1000 } else { 20 }, moves));
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        println!(
            "{game}: {short:?} a move at the median; {long:?} after 1,000 log entries, {ratio:.2} times as long ({})",
            at_most(ratio, LONGER)
        );
    }
    let empty = runtime.block_on(delivery(Crowd::NOBODY, moves));
    println!(
        "a move and its delivery: {:?}; the outbox holds {} KB ({} MB resident)",
        empty.median,
        empty.outbox >> 10,
        empty.resident >> 20
    );
    for rooms in [50, 10_000, 100_000] {
        let crowd = if measuring {
            Crowd {
                rooms,
                waiting: 100_000,
                tries: TRIES,
            }
        } else {
            Crowd {
                rooms: rooms.min(20),
                waiting: 100,
                tries: 1,
            }
        };
        let full = runtime.block_on(delivery(crowd, moves));
        let ratio = full.median.as_secs_f64() / empty.median.as_secs_f64();
        println!(
            "while {} wait in {} rooms of a platform that is away: {:?}, {ratio:.2} times as long ({}); the outbox holds {} KB \
             ({} MB resident, nearly all of it the store in memory)",
            crowd.waiting,
            crowd.rooms,
            full.median,
            at_most(ratio, LONGER),
            full.outbox >> 10,
            full.resident >> 20
        );
    }
    if let Ok(rival) = std::env::var("PARLOR_RIVAL") {
        let mut ratios: Vec<f64> = (0..5).map(|_| once(&rival) / once(&own())).collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "a move of the rival takes {:.2} times as long, the median of 5 ({})",
            ratios[2],
            at_least(ratios[2], FASTER)
        );
    }
}

fn own() -> String {
    let path = std::env::current_exe().expect("this program");
    path.to_string_lossy().into_owned()
}

/// What another run of such a program measures, in nanoseconds.
fn once(program: &str) -> f64 {
    let output = Command::new(program)
        .args(["moves", "--once"])
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().expect("a number of nanoseconds")
}

fn parlor() -> Arc<Parlor> {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).expect("a service");
    Arc::new(Parlor::new(Arc::new(service)))
}

fn request(line: &str) -> Request {
    Request {
        who: PlayerId::new("local", "ann"),
        name: "Ann".to_owned(),
        room: Some(RoomId::new("local", "parlor")),
        about: None,
        locale: None,
        event: None,
        gone: Vec::new(),
        input: Input::line(line, &Nobody),
    }
}

async fn say(parlor: &Parlor, line: &str) -> String {
    parlor
        .handle(&request(line))
        .await
        .message
        .text
        .plain(ToString::to_string)
}

/// The time of a move in a match whose log has so many entries, at the median.
async fn median_move(game: &str, entries: usize, moves: usize) -> Duration {
    let parlor = parlor();
    let mut waits = Vec::new();
    while waits.len() < moves {
        let begun = say(&parlor, &format!("practice {game}")).await;
        let code = code_in(&begun);
        let action = first_move(&parlor, &code);
        let (play, undo) = (format!("move #{code} {action}"), format!("undo #{code}"));
        // A move and its undoing are two entries.
        for _ in 0..entries / 2 {
            say(&parlor, &play).await;
            say(&parlor, &undo).await;
        }
        for _ in 0..5 {
            let asked = request(&play);
            let start = Instant::now();
            let reply = parlor.handle(&asked).await;
            waits.push(start.elapsed());
            assert!(reply.told, "the move was played");
            say(&parlor, &undo).await;
        }
        if entries < 1000 {
            say(&parlor, &format!("abort #{code}")).await;
        } else {
            // Growing the log takes a while: one match is enough.
            while waits.len() < moves {
                let asked = request(&play);
                let start = Instant::now();
                parlor.handle(&asked).await;
                waits.push(start.elapsed());
                say(&parlor, &undo).await;
            }
        }
    }
    median(waits)
}

/// The median time of a move in one match, each taken back before the next.
fn moves_and_undoings(runtime: &Runtime) -> Duration {
    let variable = |name, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let entries = variable("PARLOR_ENTRIES", "10");
    let entries: usize = entries.parse().expect("a number of entries");
    let parlor = parlor();
    let begun = runtime.block_on(say(
        &parlor,
        &format!("practice {}", variable("PARLOR_GAME", "phwar")),
    ));
    let code = code_in(&begun);
    let action = first_move(&parlor, &code);
    let (play, undo) = (format!("move #{code} {action}"), format!("undo #{code}"));
    for _ in 0..entries / 2 {
        runtime.block_on(say(&parlor, &play));
        runtime.block_on(say(&parlor, &undo));
    }
    let mut waits = Vec::new();
    for _ in 0..MOVES {
        let asked = request(&play);
        let start = Instant::now();
        timed_move(runtime, &parlor, &asked);
        waits.push(start.elapsed());
        runtime.block_on(say(&parlor, &undo));
    }
    median(waits)
}

/// A function of its own, so that its instructions can be counted alone.
#[inline(never)]
fn timed_move(runtime: &Runtime, parlor: &Parlor, asked: &Request) {
    let reply = runtime.block_on(parlor.handle(asked));
    assert!(reply.told, "the move was played");
}

/// The code of the table that was just opened.
fn code_in(begun: &str) -> Code {
    let code = begun.split('#').nth(1);
    let code = code.map(|rest| rest.chars().take(4).collect::<String>());
    code.and_then(|code| code.parse().ok()).expect("a code")
}

fn first_move(parlor: &Parlor, code: &Code) -> String {
    let found = parlor.service.find(code).expect("the match");
    let table = found.table().expect("its table");
    let seat = table.awaiting().seats().iter().next().expect("somebody to move");
    table.legal(seat).into_iter().next().expect("a move")
}

fn median(mut waits: Vec<Duration>) -> Duration {
    waits.sort_unstable();
    waits[waits.len() / 2]
}

/// Says when something has been brought.
struct Bell(UnboundedSender<()>);

impl Postman for Bell {
    fn platform(&self) -> &str {
        "local"
    }

    fn post<'a>(&'a self, _: &'a Delivery, _: Message) -> Posting<'a> {
        let _ = self.0.send(());
        Box::pin(async { Ok(()) })
    }
}

/// Brings nothing, since the platform is away, and says whenever it was tried.
struct Absent(UnboundedSender<()>);

impl Postman for Absent {
    fn platform(&self) -> &str {
        "away"
    }

    fn post<'a>(&'a self, _: &'a Delivery, _: Message) -> Posting<'a> {
        let _ = self.0.send(());
        Box::pin(async {
            Err(PostError::Later {
                why: "away".to_owned(),
                after: None,
            })
        })
    }
}

/// What waits for a platform that is away.
#[derive(Clone, Copy)]
struct Crowd {
    rooms: u64,
    waiting: u64,
    /// How often each room is tried before anything is measured.
    tries: u64,
}

impl Crowd {
    const NOBODY: Self = Self {
        rooms: 0,
        waiting: 0,
        tries: 0,
    };
}

/// After so many tries a room is left alone for a quarter of a minute and more: it is the many that rest which are measured,
/// and not how they are tried.
const TRIES: u64 = 6;

/// What a delivery costs, and what is held for those that wait.
struct Measured {
    median: Duration,
    /// What the program holds in memory, in bytes, and by how much the outbox has made that larger.
    resident: u64,
    outbox: u64,
}

/// How long it takes from a move to the postman, while others wait for a platform that is away.
async fn delivery(crowd: Crowd, moves: usize) -> Measured {
    let parlor = parlor();
    let begun = say(&parlor, "practice phwar").await;
    let code = code_in(&begun);
    let pattern = parlor
        .service
        .repository()
        .all_undelivered(1)
        .expect("rows")
        .pop()
        .expect("a delivery");
    let pattern: Delivery = repository::decode(&pattern.1).expect("a delivery");
    let mut batch = Batch::new();
    for number in 0..crowd.waiting {
        let mut delivery = pattern.clone();
        delivery.to = To::Room(RoomId::new("away", &format!("room{}", number % crowd.rooms)));
        repository::put_delivery(&mut batch, number + 1_000_000, &delivery).expect("a row");
    }
    batch.put(Space::Meta, *b"bench", Time(0).0.to_be_bytes());
    parlor
        .service
        .store()
        .commit(batch)
        .await
        .expect("the store writes");
    let before = resident();
    let (bell, mut rung) = unbounded_channel();
    let (absent, mut tried) = unbounded_channel();
    let postmen: [Arc<dyn Postman>; 2] = [Arc::new(Bell(bell)), Arc::new(Absent(absent))];
    let outbox = Outbox::new(Arc::clone(&parlor), postmen);
    let running = tokio::spawn(async move { outbox.run(std::future::pending()).await });
    rung.recv().await;
    hear(&mut tried, crowd.rooms * crowd.tries).await;
    let resident = resident();
    let action = first_move(&parlor, &code);
    let mut waits = Vec::new();
    for _ in 0..moves {
        let asked = request(&format!("move #{code} {action}"));
        let start = Instant::now();
        parlor.handle(&asked).await;
        rung.recv().await;
        waits.push(start.elapsed());
        say(&parlor, &format!("undo #{code}")).await;
        rung.recv().await;
    }
    running.abort();
    Measured {
        median: median(waits),
        resident,
        outbox: resident.saturating_sub(before),
    }
}

/// Waits for so many.
async fn hear(tried: &mut UnboundedReceiver<()>, count: u64) {
    for _ in 0..count {
        tried.recv().await;
    }
}

/// What this program holds in memory, in bytes; nothing where nobody tells.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}
