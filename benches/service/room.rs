//! The whole bot with 10,000 running matches: how long until it answers after a start, how much memory it
//! takes, and how long a command waits for its answer.
//!
//! The matches are real ones, opened and joined through the service; then the program itself is started on
//! them, as an operator would, and spoken to over the local room's API.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor::catalog::games;
use parlor::matches::clock::ClockKind;
use parlor::matches::code::Code;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::gather::Wishes;
use parlor::matches::people::{PlayerId, RoomId};
use parlor::matches::port::{Batch, Space, Store};
use parlor::matches::service::{Caller, Service};
use parlor::matches::state::Seating;
use parlor::matches::time::SystemClock;
use parlor::store::SledStore;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::wanted::{at_most, within};
use crate::web::guest::Guest;

const MATCHES: u32 = 10_000;

/// What is wanted: of a start, and of an answer.
const START: Duration = Duration::from_secs(2);
const ANSWER: Duration = Duration::from_millis(5);

pub fn run() {
    // Without `--bench` this is a test whether it runs at all.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let matches = if measuring { MATCHES } else { 50 };
    // Not in /tmp, which may be memory.
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let path = home.path().join("store");
    fill(&path, matches);

    let started = Instant::now();
    let mut bot = Bot::start(&path);
    let start = started.elapsed();
    let soon = within(start, START);
    println!("{matches} running matches: {start:?} from the start to the first answer ({soon})");

    let ann = Guest::come(bot.address, "Ann");
    let bea = Guest::come(bot.address, "Bea");
    let (asked, played) = (asking(&ann), playing(&ann, &bea));
    let soon = within(asked, ANSWER);
    println!("a command that only asks: {asked:?} at the median ({soon})");
    let soon = within(played, ANSWER);
    println!("a move, on disk before the answer: {played:?} at the median ({soon})");
    let memory = bot.resident() >> 20;
    println!("memory: {memory} MB ({})", at_most(memory, 150));
    // Killed, not closed: what was not tidied up has to be looked through.
    bot.stop();
    let started = Instant::now();
    drop(Bot::start(&path));
    let again = started.elapsed();
    let soon = within(again, START);
    println!("{again:?} from a start after a kill to the first answer ({soon})");
}

/// Lets pairs of players begin matches of all games.
fn fill(path: &Path, matches: u32) {
    const AT_ONCE: usize = 64;
    let store: Arc<dyn Store> = Arc::new(SledStore::open(path).expect("a store"));
    let service = Service::new(Arc::clone(&store), Arc::new(SystemClock), Arc::new(OsEntropy));
    let service = Arc::new(service.expect("a service"));
    Runtime::new().expect("a runtime").block_on(async {
        let mut tasks = JoinSet::new();
        for number in 0..matches {
            let service = Arc::clone(&service);
            tasks.spawn(async move { begin(&service, number).await });
            if tasks.len() >= AT_ONCE {
                tasks.join_next().await;
            }
        }
        while let Some(done) = tasks.join_next().await {
            done.expect("a match begins");
        }
        // What was to be said about them has been said long ago.
        while let Ok(rows) = service.repository().all_undelivered(1000)
            && !rows.is_empty()
        {
            let mut batch = Batch::new();
            for (row, _) in rows {
                batch.delete(Space::Outbox, row);
            }
            store.commit(batch).await.expect("the store writes");
        }
        store.flush().await.expect("the store writes");
    });
}

async fn begin(service: &Service, number: u32) -> Code {
    let caller = |name: String| Caller {
        player: PlayerId::new("elsewhere", &name),
        event: None,
    };
    let (host, guest) = (caller(format!("host{number}")), caller(format!("guest{number}")));
    let room = RoomId::new("elsewhere", &format!("room{}", number % 100));
    let wishes = Wishes {
        game: games().cycle().nth(number as usize).unwrap().meta.id.to_owned(),
        seats: Some(2),
        challenged: Vec::new(),
        options: Vec::new(),
        clock: ClockKind::Relaxed,
        seating: Seating::Lot,
        rematch: None,
    };
    let opened = service.open(&host, &room, &wishes).await.expect("a table");
    let joined = service.join(&guest, opened.into(), Some(&room)).await;
    joined.expect("a match").code.clone()
}

/// The program itself.
pub struct Bot {
    process: Child,
    pub address: SocketAddr,
}

impl Bot {
    pub fn start(path: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .env("PARLOR_STORE_PATH", path)
            .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let output = process.stdout.take().expect("its output");
        let line = BufReader::new(output).lines().next();
        let line = line.expect("a line").expect("a line");
        let address = line.rsplit("http://").next().and_then(|at| at.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address: {line}"));
        assert_eq!(crate::web::guest::get(address, "/healthz").status, 200);
        Self { process, address }
    }

    /// Resident memory in bytes, where the system tells.
    fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.unwrap_or(0) << 10
    }

    fn stop(&mut self) {
        self.process.kill().expect("it ends");
        self.process.wait().expect("it ended");
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How long questions wait, at the median.
fn asking(guest: &Guest) -> Duration {
    median((0..200).map(|number| {
        let question = ["games", "matches", "help", "settings", "rules phwar"][number % 5];
        time(|| guest.hear(question))
    }))
}

/// How long moves wait, at the median.
fn playing(ann: &Guest, bea: &Guest) -> Duration {
    let game = games().next().unwrap().meta.id;
    let mut waits = Vec::new();
    for _ in 0..10 {
        let opened = ann.hear(&format!("open {game} seating=order"));
        let code = opened
            .split('#')
            .nth(1)
            .map(|rest| rest.chars().take(4).collect::<String>());
        let code = code.unwrap_or_else(|| panic!("no code: {opened}"));
        bea.hear(&format!("join {code}"));
        for turn in 0..10 {
            let mover = if turn % 2 == 0 { ann } else { bea };
            let path = format!("/api/suggest?room=parlor&line=move%20%23{code}%20");
            let legal = mover.get(&path).json();
            let line = legal["suggestions"][0]["line"].as_str().map(str::to_owned);
            let line = line.unwrap_or_else(|| panic!("no move: {legal}"));
            waits.push(time(|| mover.hear(&line)));
        }
        ann.hear(&format!("resign #{code} sure"));
    }
    median(waits)
}

pub fn time<T>(deed: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    std::hint::black_box(deed());
    started.elapsed()
}

fn median(waits: impl IntoIterator<Item = Duration>) -> Duration {
    let mut waits: Vec<Duration> = waits.into_iter().collect();
    waits.sort_unstable();
    waits[waits.len() / 2]
}
