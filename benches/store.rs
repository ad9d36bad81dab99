//! How many moves a second are durable with 32 players at once, against SQLite doing the same writes on the same disk in the
//! same run; how long a store with 10,000 matches takes to open, and how much memory it takes; how long one with 100,000
//! finished matches beside takes to open after a kill, how large it is, and how long an answer waits while it is made smaller or
//! backed up.
//!
//! The players go about ten matches each, of 10,000 that are running. A move is what the service writes: the match anew (3 KB), a log entry, its index rows, its deadline, and two deliveries
//! that are deleted again. SQLite is used as well as one connection can be: WAL, synchronous=FULL, prepared statements, one
//! transaction a move.
//!
//! `PARLOR_BENCH_SECONDS` sets the length of a round. `PARLOR_SOAK_SECONDS=600` adds a soak, and
//! tells the longest standstill.

#[path = "wanted.rs"]
mod wanted;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use parlor::matches::port::{Batch, Space, Store, Write};
use parlor::store::SledStore;
use rusqlite::Connection;
use tokio::runtime::Runtime;

use wanted::{Latency, at_least, at_most, within};

const PLAYERS: u32 = 32;
const MATCHES: u32 = 10_000;
/// How many of them a player goes about.
const EACH: u32 = 10;
/// The environment variable by which a process is told to open a store and measure itself.
const OPEN: &str = "PARLOR_BENCH_OPEN";

/// The environment variable by which a process is told to fill a store and to be killed.
const FILL: &str = "PARLOR_BENCH_FILL";
/// The environment variable that names a store which was filled so before, to save the time.
const FILLED: &str = "PARLOR_BENCH_FILLED";
/// How many matches are over, how many moves each had, and how many those have had that go on.
const FINISHED: u32 = 100_000;
const MOVES: u32 = 60;
const MOVES_SO_FAR: u32 = 10;

fn main() {
    if let Some(path) = env::var_os(OPEN) {
        return measure_opening(Path::new(&path));
    }
    if let Some(path) = env::var_os(FILL) {
        fill_and_die(Path::new(&path));
    }
    if env::args().any(|argument| argument == "restart") {
        return measure_restart();
    }
    // Without `--bench` this is a test whether it runs at all.
    let measuring = env::args().any(|argument| argument == "--bench");
    let seconds = seconds("PARLOR_BENCH_SECONDS").unwrap_or(if measuring { 4.0 } else { 0.2 });
    let runtime = Runtime::new().expect("a runtime");
    // Not in /tmp, which may be memory.
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let path = home.path().join("sled");
    let sled: Arc<dyn Store> = Arc::new(SledStore::open(&path).expect("a store"));
    let sqlite = Arc::new(Sqlite::open(&home.path().join("sqlite")));
    runtime.block_on(fill(&sled, 0));
    sqlite.fill();

    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let rounds = if measuring { 3 } else { 1 };
    for _ in 0..rounds {
        theirs.push(runtime.block_on(play(seconds, {
            let sqlite = Arc::clone(&sqlite);
            move |batch| {
                let sqlite = Arc::clone(&sqlite);
                async move {
                    tokio::task::spawn_blocking(move || sqlite.commit(&batch))
                        .await
                        .expect("SQLite writes");
                }
            }
        })));
        ours.push(runtime.block_on(play(seconds, saver(&sled))));
    }
    report("sled", &mut ours);
    report("SQLite", &mut theirs);
    let ratio = median(&mut ours).moves / median(&mut theirs).moves;
    println!(
        "sled/SQLite: {ratio:.1} times as many moves ({})",
        at_least(ratio, 3.0)
    );

    if let Some(length) = env::var("PARLOR_SOAK_SECONDS")
        .ok()
        .and_then(|length| length.parse().ok())
    {
        let result = runtime.block_on(play(length, saver(&sled)));
        println!(
            "soak: {length} s, {:.0} moves/s, longest standstill {:?}",
            result.moves, result.standstill
        );
    }

    let size = size_of(&path);
    println!("on disk: {} MB for {MATCHES} matches after this", size >> 20);
    drop(sled);
    drop(runtime);
    let [opened, scanned, memory, pounded] = open_elsewhere(&path);
    println!(
        "opening after a close: {opened} ms, then all matches read in {scanned} ms, {} MB resident, {} MB after two moves in \
         each as fast as can be (after a kill: `restart`)",
        memory >> 20,
        pounded >> 20
    );
}

/// Has another process open a store and measure itself; see [`measure_opening`].
fn open_elsewhere(path: &Path) -> [u64; 4] {
    let this = env::current_exe().expect("this program");
    let output = Command::new(this).env(OPEN, path).output().expect("a process");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = output.split_whitespace().filter_map(|number| number.parse().ok());
    std::array::from_fn(|_| numbers.next().unwrap_or_else(|| panic!("{output}")))
}

fn seconds(variable: &str) -> Option<f64> {
    env::var(variable).ok()?.parse().ok()
}

/// A round's figures.
#[derive(Clone, Copy)]
struct Round {
    /// Acknowledged moves a second.
    moves: f64,
    /// The median time of one, in microseconds.
    wait: f64,
    standstill: Duration,
}

fn report(name: &str, rounds: &mut [Round]) {
    let all: Vec<String> = rounds.iter().map(|round| format!("{:.0}", round.moves)).collect();
    let middle = median(rounds);
    println!(
        "{name}: {:.0} durable moves/s with {PLAYERS} players (rounds: {}), {:.2} ms a move at the median",
        middle.moves,
        all.join(", "),
        middle.wait / 1000.0
    );
}

fn median(rounds: &mut [Round]) -> Round {
    rounds.sort_by(|one, other| one.moves.total_cmp(&other.moves));
    rounds[rounds.len() / 2]
}

fn saver(
    store: &Arc<dyn Store>,
) -> impl Fn(Batch) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> + Clone + Send + 'static {
    let store = Arc::clone(store);
    move |batch| {
        let store = Arc::clone(&store);
        Box::pin(async move { store.commit(batch).await.expect("the store writes") })
    }
}

/// Lets everyone play for a while, each waiting for the answer before the next move.
async fn play<F, A>(seconds: f64, commit: F) -> Round
where
    F: Fn(Batch) -> A + Clone + Send + 'static,
    A: Future<Output = ()> + Send,
{
    let over = Arc::new(AtomicBool::new(false));
    let count = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let players: Vec<_> = (0..PLAYERS)
        .map(|player| {
            let (over, count, commit) = (Arc::clone(&over), Arc::clone(&count), commit.clone());
            tokio::spawn(async move {
                let mut waits = Vec::new();
                let mut turn = 0;
                while !over.load(Ordering::Relaxed) {
                    // Each plays in turn in some of all the matches; the others rest.
                    let code = player + PLAYERS * (turn % EACH);
                    let started = Instant::now();
                    commit(a_move(code, turn)).await;
                    waits.push(started.elapsed());
                    count.fetch_add(1, Ordering::Relaxed);
                    turn += 1;
                }
                waits
            })
        })
        .collect();
    let mut standstill = Duration::ZERO;
    let mut last = (0, Instant::now());
    while started.elapsed().as_secs_f64() < seconds {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = count.load(Ordering::Relaxed);
        if now > last.0 {
            last = (now, Instant::now());
        }
        standstill = standstill.max(last.1.elapsed());
    }
    over.store(true, Ordering::Relaxed);
    let mut waits = Vec::new();
    for player in players {
        waits.extend(player.await.expect("a player plays"));
    }
    let took = started.elapsed().as_secs_f64();
    waits.sort_unstable();
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let moves = waits.len() as f64 / took;
    Round {
        moves,
        wait: waits
            .get(waits.len() / 2)
            .map_or(0.0, |wait| wait.as_secs_f64() * 1e6),
        standstill,
    }
}

/// What one move writes.
fn a_move(code: u32, turn: u32) -> Batch {
    let name = code_of(code);
    let mut batch = Batch::new();
    batch.put(
        Space::Matches,
        name.clone(),
        text(3000, code ^ turn.rotate_left(16)),
    );
    batch.put(
        Space::Log,
        [&name[..], &turn.to_be_bytes()].concat(),
        text(150, turn),
    );
    for (space, key) in [
        (Space::ByPlayer, format!("player {:06}/{}", code % 5000, turn % 2)),
        (Space::ByRoom, format!("room {:04}/{}", code % 100, turn % 2)),
    ] {
        batch.put(space, [key.as_bytes(), &name[..]].concat(), vec![1]);
        let other = key.replace(&format!("/{}", turn % 2), &format!("/{}", 1 - turn % 2));
        batch.delete(space, [other.as_bytes(), &name[..]].concat());
    }
    let deadline = |turn: u32| [&u64::from(turn).to_be_bytes()[..], &name[..]].concat();
    batch.put(Space::Deadlines, deadline(turn), name.clone());
    batch.delete(Space::Deadlines, deadline(turn.wrapping_sub(1)));
    for delivery in 0..2_u8 {
        let key = |turn: u32| [&turn.to_be_bytes()[..], &name[..], &[delivery]].concat();
        batch.put(Space::Outbox, key(turn), text(400, turn + u32::from(delivery)));
        batch.delete(Space::Outbox, key(turn.wrapping_sub(1)));
    }
    batch
}

fn code_of(code: u32) -> Vec<u8> {
    // Spread over the key space like codes drawn by lot.
    code.wrapping_mul(2_654_435_761).to_be_bytes().to_vec()
}

/// Something like text, cut from a long one, so that making it costs nobody's time.
fn text(length: usize, seed: u32) -> Vec<u8> {
    static LONG: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut state: u32 = 1;
        (0..1 << 16)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b'a' + u8::try_from(state >> 28).unwrap_or(0)
            })
            .collect()
    });
    let start = (seed % 50_021) as usize;
    LONG[start..start + length].to_vec()
}

async fn fill(store: &Arc<dyn Store>, turn: u32) {
    for code in 0..MATCHES {
        let saving = store.commit(a_move(code, turn));
        if code % 256 == 0 || code + 1 == MATCHES {
            saving.await.expect("the store writes");
        }
    }
}

/// The other side: one connection behind a lock.
struct Sqlite {
    connection: Mutex<Connection>,
}

impl Sqlite {
    fn open(path: &Path) -> Self {
        let connection = Connection::open(path).expect("a database");
        connection
            .execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
            .expect("WAL");
        for space in Space::ALL {
            // Short rows fare better without a rowid, long ones with.
            let kind = match space {
                Space::Matches | Space::Outbox => "",
                _ => "WITHOUT ROWID",
            };
            connection
                .execute_batch(&format!(
                    "CREATE TABLE space{} (key BLOB PRIMARY KEY, value BLOB NOT NULL) {kind};",
                    space as u8
                ))
                .expect("a table");
        }
        connection.set_prepared_statement_cache_capacity(64);
        Self {
            connection: Mutex::new(connection),
        }
    }

    fn commit(&self, batch: &Batch) {
        let mut connection = self.connection.lock().expect("the connection");
        let transaction = connection.transaction().expect("a transaction");
        Self::write(&transaction, batch);
        transaction.commit().expect("a commit");
    }

    fn write(connection: &Connection, batch: &Batch) {
        for write in &batch.0 {
            match write {
                Write::Put { space, key, value } => connection
                    .prepare_cached(&format!(
                        "INSERT OR REPLACE INTO space{} VALUES (?, ?)",
                        *space as u8
                    ))
                    .expect("a statement")
                    .execute((key, value)),
                Write::Delete { space, key } => connection
                    .prepare_cached(&format!("DELETE FROM space{} WHERE key = ?", *space as u8))
                    .expect("a statement")
                    .execute((key,)),
            }
            .expect("a write");
        }
    }

    fn fill(&self) {
        let mut connection = self.connection.lock().expect("the connection");
        let transaction = connection.transaction().expect("a transaction");
        for code in 0..MATCHES {
            Self::write(&transaction, &a_move(code, 0));
        }
        transaction.commit().expect("a commit");
    }
}

/// Opens a store, reads all matches as the service does when it starts, plays in all of them, and says how long the
/// opening and the reading took and how much memory there is before and after those moves. Most of the latter is what the
/// system's allocator keeps for the threads that have come and gone: with `MALLOC_ARENA_MAX=1` it is half.
fn measure_opening(path: &Path) {
    let started = Instant::now();
    let store = SledStore::open(path).expect("a store");
    let opened = started.elapsed().as_millis();
    let started = Instant::now();
    let mut next = Vec::new();
    let mut count = 0;
    loop {
        let rows = store.scan(Space::Matches, &next..=&[0xFF; 8], 500).expect("rows");
        let Some((last, _)) = rows.last() else { break };
        next = [&last[..], &[0]].concat();
        count += rows.len();
    }
    assert_eq!(count, usize::try_from(MATCHES).expect("a number"));
    let scanned = started.elapsed().as_millis();
    let memory = resident();
    let store: Arc<dyn Store> = Arc::new(store);
    Runtime::new().expect("a runtime").block_on(async {
        for turn in 1..3 {
            fill(&store, turn).await;
        }
    });
    println!("{opened} {scanned} {memory} {}", resident());
}

/// Fills a store with matches that are over and such that go on, moves in some of them, and dies without a word.
fn fill_and_die(path: &Path) -> ! {
    let store: Arc<dyn Store> = Arc::new(SledStore::open(path).expect("a store"));
    Runtime::new().expect("a runtime").block_on(async {
        for code in 0..FINISHED {
            let saving = store.commit(a_finished_match(code));
            if code % 256 == 0 {
                saving.await.expect("the store writes");
            }
        }
        for turn in 0..MOVES_SO_FAR {
            fill(&store, turn).await;
        }
        store.flush().await.expect("the store writes");
    });
    std::process::abort();
}

/// What stays of a match that is over: one value that can't be made smaller, and its index rows.
fn a_finished_match(code: u32) -> Batch {
    let name = code_of(code);
    let mut state = u64::from(code) + 1;
    let value: Vec<u8> = (0..2500)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    let mut batch = Batch::new();
    batch.put(Space::Archive, name.clone(), value);
    for seat in 0..2 {
        let player = format!("player {:06}/done", (code + seat) % 5000);
        batch.put(Space::ByPlayer, [player.as_bytes(), &name[..]].concat(), vec![1]);
    }
    batch
}

/// How long a large store takes to open after a kill, its size, and how long an answer waits while it is made smaller or
/// backed up.
fn measure_restart() {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let path = home.path().join("store");
    let this = env::current_exe().expect("this program");
    let started = Instant::now();
    match env::var_os(FILLED) {
        Some(filled) => copy(Path::new(&filled), &path),
        None => _ = Command::new(&this).env(FILL, &path).output().expect("a process"),
    }
    let moves = u64::from(FINISHED * MOVES + MATCHES * MOVES_SO_FAR);
    println!(
        "{FINISHED} finished and {MATCHES} running matches in {:.0} s: {} MB, of that sled {} MB",
        started.elapsed().as_secs_f64(),
        size_of(&path) >> 20,
        size_of(&path.join("sled")) >> 20,
    );
    let [opened, scanned, memory, _] = open_elsewhere(&path);
    println!(
        "opening after a kill: {opened} ms ({}), then all running matches read in {scanned} ms, {} MB resident",
        at_most(opened, 2000),
        memory >> 20
    );
    let store = Arc::new(SledStore::open(&path).expect("a store"));
    let runtime = Runtime::new().expect("a runtime");
    println!(
        "before it is made smaller: {}",
        told(&runtime.block_on(answers(&store, |given| given == 1000)))
    );
    let smaller = meanwhile(&runtime, &store, |store| {
        store.compact().expect("a smaller store");
    });
    println!("made smaller in {smaller}");
    let file = home.path().join("backup");
    let backed_up = meanwhile(&runtime, &store, {
        let file = file.clone();
        move |store| store.backup(&file).expect("a backup")
    });
    println!("backed up into {} MB in {backed_up}", size_of(&file) >> 20);
    let bytes = size_of(&path);
    let each = bytes / moves;
    println!(
        "then {} MB: {each} bytes a move on disk ({})",
        bytes >> 20,
        at_most(each, 1500)
    );
}

/// Does something with a store; how long that took, and how long answers waited meanwhile.
fn meanwhile(
    runtime: &Runtime,
    store: &Arc<SledStore>,
    work: impl FnOnce(&SledStore) + Send + 'static,
) -> String {
    let over = Arc::new(AtomicBool::new(false));
    let working = std::thread::spawn({
        let (store, over) = (Arc::clone(store), Arc::clone(&over));
        move || {
            let started = Instant::now();
            work(&store);
            over.store(true, Ordering::Relaxed);
            started.elapsed()
        }
    });
    let answers = runtime.block_on(answers(store, |_| over.load(Ordering::Relaxed)));
    let took = working.join().expect("the work is done");
    format!("{:.1} s, meanwhile: {}", took.as_secs_f64(), told(&answers))
}

/// Moves and reads, one after the other, and how long they waited.
async fn answers(store: &SledStore, over: impl Fn(u32) -> bool) -> Latency {
    let mut waits = Vec::new();
    for turn in 0.. {
        if over(turn) {
            break;
        }
        let started = Instant::now();
        let saving = store.commit(a_move(turn % MATCHES, turn));
        saving.await.expect("the store writes");
        let other = code_of(turn.wrapping_mul(7) % MATCHES);
        let found = store.get(Space::Matches, &other).expect("a row");
        assert!(found.is_some());
        waits.push(started.elapsed());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Latency::of(waits)
}

/// How long answers waited, and whether the longest was short enough.
fn told(answers: &Latency) -> String {
    let longest = answers.percent(100);
    format!(
        "answers at the median {:?}, the slowest 1 in 100 {:?}, the longest {longest:?} ({})",
        answers.percent(50),
        answers.percent(99),
        within(longest, Duration::from_millis(50))
    )
}

/// Resident memory in bytes, where the system tells.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

fn size_of(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::metadata(path).map_or(0, |file| file.len());
    };
    entries.flatten().map(|entry| size_of(&entry.path())).sum()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
