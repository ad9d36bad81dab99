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
use parlor::chat::outbox::{Outbox, Posting, Postman};
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
    let empty = runtime.block_on(delivery(0, moves));
    let full = runtime.block_on(delivery(if measuring { 100_000 } else { 100 }, moves));
    let ratio = full.as_secs_f64() / empty.as_secs_f64();
    println!(
        "a move and its delivery: {empty:?}; {full:?} while 100,000 wait for a platform that is away, {ratio:.2} times as long ({})",
        at_most(ratio, LONGER)
    );
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
struct Bell(tokio::sync::mpsc::UnboundedSender<()>);

impl Postman for Bell {
    fn platform(&self) -> &str {
        "local"
    }

    fn post<'a>(&'a self, _: &'a Delivery, _: Message) -> Posting<'a> {
        let _ = self.0.send(());
        Box::pin(async { Ok(()) })
    }
}

/// How long it takes from a move to the postman, while others wait for a platform that is away.
async fn delivery(waiting: u64, moves: usize) -> Duration {
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
    for number in 0..waiting {
        let mut delivery = pattern.clone();
        delivery.to = To::Room(RoomId::new("away", &format!("room{}", number % 50)));
        repository::put_delivery(&mut batch, number + 1_000_000, &delivery).expect("a row");
    }
    batch.put(Space::Meta, *b"bench", Time(0).0.to_be_bytes());
    parlor
        .service
        .store()
        .commit(batch)
        .await
        .expect("the store writes");
    let (bell, mut rung) = tokio::sync::mpsc::unbounded_channel();
    let outbox = Outbox::new(Arc::clone(&parlor), [Arc::new(Bell(bell)) as Arc<dyn Postman>]);
    let running = tokio::spawn(async move { outbox.run(std::future::pending()).await });
    rung.recv().await;
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
    median(waits)
}
