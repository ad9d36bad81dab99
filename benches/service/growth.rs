//! How much a move leaves in the store, by game and by space: matches of 60 random moves, played through the chat and told
//! in the local room's feed, then ended and folded, as in the program; before old rows are pruned and after.
//!
//! Logical bytes are the lengths of all keys and values; bytes on disk are those of all files as they are when nobody has
//! wanted anything for a while. Nobody asks the store to become smaller.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parlor::catalog::games;
use parlor::chat::command::Nobody;
use parlor::chat::outbox::Outbox;
use parlor::chat::parlor::{Input, Parlor, Request};
use parlor::game::GameRng;
use parlor::local::Local;
use parlor::matches::code::Code;
use parlor::matches::entropy::OsEntropy;
use parlor::matches::people::{PlayerId, RoomId};
use parlor::matches::port::{Space, Store};
use parlor::matches::service::Service;
use parlor::matches::time::SystemClock;
use parlor::store::{SledOptions, SledStore};
use tokio::runtime::Runtime;

use crate::wanted::at_most;

/// How many matches of each game are played, and how many moves each has at most.
const MATCHES: usize = 200;
const MOVES: usize = 60;

/// How many rooms and players share them.
const ROOMS: usize = 4;
const PLAYERS: usize = 16;

/// How long nobody wants anything before it is measured.
const QUIET: Duration = Duration::from_secs(4);

pub fn run() {
    // Without `--bench` this is a test whether it runs at all.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let matches = if measuring { MATCHES } else { 2 };
    let runtime = Runtime::new().expect("a runtime");
    for entry in games() {
        runtime.block_on(grow(entry.meta.id, matches));
    }
}

/// Plays matches of a game to their ends, and tells how many bytes each move has left.
async fn grow(game: &str, matches: usize) {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let settings = SledOptions {
        idle: QUIET / 4,
        ..SledOptions::default()
    };
    let sled = SledStore::open_with(home.path(), &settings).expect("a store");
    let store: Arc<dyn Store> = Arc::new(sled);
    let service = Service::new(Arc::clone(&store), Arc::new(SystemClock), Arc::new(OsEntropy));
    let parlor = Arc::new(Parlor::new(Arc::new(service.expect("a service"))));
    let local = Local::open(Arc::clone(&parlor)).expect("a room");
    let outbox = Outbox::new(Arc::clone(&parlor), [local.postman()]);
    let delivering = tokio::spawn(async move { outbox.run(std::future::pending()).await });
    let mut rng = GameRng::quick(1);
    let mut guests = Guests {
        parlor: Arc::clone(&parlor),
        events: 0,
    };
    let mut moves = 0;
    for number in 0..matches {
        let (first, second) = (number % PLAYERS, (number + 1 + number / PLAYERS % 7) % PLAYERS);
        let room = format!("room{}", number % ROOMS);
        let opened = guests
            .say(first, &room, &format!("open {game} seating=order"))
            .await;
        let code: String = opened
            .split('#')
            .nth(1)
            .unwrap_or_default()
            .chars()
            .take(4)
            .collect();
        let code: Code = code.parse().unwrap_or_else(|_| panic!("no code: {opened}"));
        guests.say(second, &room, &format!("join #{code}")).await;
        for _ in 0..MOVES {
            let Some((mover, action)) = any_move(&parlor, &code, &mut rng) else {
                break;
            };
            guests.say(mover, &room, &format!("move #{code} {action}")).await;
            moves += 1;
        }
        if any_move(&parlor, &code, &mut rng).is_some() {
            guests.say(first, &room, &format!("resign #{code} sure")).await;
        }
    }
    while !parlor
        .service
        .repository()
        .all_undelivered(1)
        .expect("rows")
        .is_empty()
    {
        tokio::task::yield_now().await;
    }
    delivering.abort();
    let report = async |when: &str| {
        let bytes = count(store.as_ref());
        let total: usize = bytes.values().sum();
        let shares: Vec<String> = bytes
            .iter()
            .map(|(space, bytes)| format!("{space} {}", bytes / moves))
            .collect();
        tokio::time::sleep(QUIET).await;
        let (logical, on_disk) = (total / moves, size_of(home.path()) / moves as u64);
        println!(
            "{game}, {matches} matches, {moves} moves, {when}: {logical} bytes a move ({}), {on_disk} on disk ({}) ({})",
            at_most(logical, 600),
            at_most(on_disk, 1500),
            shares.join(", ")
        );
    };
    report("before pruning").await;
    parlor.service.tidy().await.expect("the store is tidied");
    local.prune().await.expect("the feed is pruned");
    report("after it").await;
}

/// Who is to move, and one of their moves; nothing if the match is over.
fn any_move(parlor: &Parlor, code: &Code, rng: &mut GameRng) -> Option<(usize, String)> {
    let found = parlor.service.find(code).expect("the match");
    let play = found.running()?;
    let table = found.table().expect("its table");
    let seat = table.awaiting().seats().iter().next()?;
    let legal = table.legal(seat);
    let name = play.players[seat.index()].parts().1;
    let mover = name.trim_start_matches("guest").parse().expect("a guest");
    Some((mover, legal[rng.below(legal.len())].clone()))
}

struct Guests {
    parlor: Arc<Parlor>,
    /// How many events there were.
    events: usize,
}

impl Guests {
    async fn say(&mut self, guest: usize, room: &str, line: &str) -> String {
        self.events += 1;
        let who = PlayerId::new("local", &format!("guest{guest}"));
        let request = Request {
            name: who.parts().1.to_owned(),
            room: Some(RoomId::new("local", room)),
            about: None,
            locale: None,
            // As long as those of the page.
            event: Some(format!("{who} 00000000-0000-4000-8000-{:012}", self.events)),
            gone: Vec::new(),
            input: Input::line(line, &Nobody),
            who,
        };
        let reply = self.parlor.handle(&request).await;
        reply.message.text.plain(ToString::to_string)
    }
}

fn size_of(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size_of(&entry.path())).sum(),
        Err(_) => std::fs::metadata(path).map_or(0, |file| file.len()),
    }
}

/// The bytes of all rows, by space; those of the rooms by the kind of row.
fn count(store: &dyn Store) -> BTreeMap<String, usize> {
    let mut bytes = BTreeMap::new();
    for space in Space::ALL {
        let rows = store
            .scan(space, &[][..]..=&[0xff; 64][..], usize::MAX)
            .expect("rows");
        for (key, value) in rows {
            let name = match (space, key.split(|byte| *byte == 0).nth(1)) {
                (Space::Rooms, Some(kind)) => format!("{space:?}/{}", String::from_utf8_lossy(kind)),
                _ => format!("{space:?}"),
            };
            *bytes.entry(name).or_default() += key.len() + value.len();
        }
    }
    bytes
}
