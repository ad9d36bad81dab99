//! Many people who play, each with a session of their own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use matrix_sdk::reqwest::{Client, Method};
use parlor::catalog::{self, Table};
use parlor::game::{OptionValues, Seed};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::GAME;
use crate::synapse::{Synapse, log_in};

/// So many matches one person plays: fewer than anybody may.
const EACH: usize = 10;

/// The people, with their rooms.
pub struct Crowd {
    seats: Vec<Seat>,
    heard: Arc<Heard>,
}

/// Somebody in a room, where they play both sides.
struct Seat {
    person: Arc<Person>,
    room: String,
    table: Mutex<Position>,
}

/// A match as it stands.
struct Position {
    table: Box<dyn Table>,
    step: u64,
}

struct Person {
    client: Client,
    homeserver: String,
    token: String,
}

/// What was said and heard.
#[derive(Default)]
struct Heard {
    /// What waits for the bot, by room: what kind of message, and since when.
    waiting: Mutex<HashMap<String, (&'static str, Instant)>>,
    took: Mutex<Latencies>,
    /// What the bot hinted at last in each room.
    last: Mutex<HashMap<String, String>>,
    news: Notify,
}

/// How long things took.
#[derive(Clone, Default)]
pub struct Latencies {
    pub answers: Vec<Duration>,
    pub boards: Vec<Duration>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Person {
    async fn ask(&self, method: Method, path: &str, body: &Value) -> Value {
        let url = format!("{}/_matrix/client/v3/{path}", self.homeserver);
        let request = self.client.request(method, url).bearer_auth(&self.token);
        let request = request
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = request.send().await.expect("the homeserver answers");
        let bytes = answer.bytes().await.expect("an answer");
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    async fn say(&self, room: &str, number: usize, text: &str) {
        let content = json!({ "msgtype": "m.text", "body": text });
        let path = format!("rooms/{room}/send/m.room.message/{number}");
        self.ask(Method::PUT, &path, &content).await;
    }
}

impl Crowd {
    /// Makes rooms, lets the bot in, and begins a match in each.
    pub async fn gather(synapse: &Synapse, bot: &str, matches: usize) -> Self {
        let heard = Arc::new(Heard::default());
        let mut seats = Vec::new();
        for number in 0..matches.div_ceil(EACH) {
            let account = synapse.register(&format!("player{number}"));
            let session = log_in(synapse, &account);
            let person = Arc::new(Person {
                client: Client::new(),
                homeserver: synapse.url(),
                token: session["access_token"].as_str().expect("a session").to_owned(),
            });
            tokio::spawn(listen(Arc::clone(&person), Arc::clone(&heard), bot.to_owned()));
            for _ in 0..EACH.min(matches - seats.len()) {
                let made = json!({ "preset": "private_chat", "invite": [bot] });
                let made = person.ask(Method::POST, "createRoom", &made).await;
                let room = made["room_id"].as_str().expect("a room").to_owned();
                let entry = catalog::find(GAME).expect("the game");
                let options = OptionValues::defaults(entry.meta.options);
                let opened = entry.open(&options, 2, &seed());
                let table = Mutex::new(Position {
                    table: opened.expect("a table"),
                    step: 0,
                });
                let person = Arc::clone(&person);
                // The first word of the bot says that it is here.
                heard.wait_for(&room, "m.notice");
                heard.until_heard(&room).await;
                heard.wait_for(&room, "m.image");
                person.say(&room, 0, &format!("!practice {GAME}")).await;
                heard.until_heard(&room).await;
                seats.push(Seat { person, room, table });
            }
        }
        *lock(&heard.took) = Latencies::default();
        Self { seats, heard }
    }

    /// One person plays against the bot in each of so many rooms, so many moves: what the bot hints at. Rooms play at once.
    pub async fn challenge_bot(synapse: &Synapse, bot: &str, rooms: usize, moves: usize) {
        let heard = Arc::new(Heard::default());
        let account = synapse.register("challenger");
        let session = log_in(synapse, &account);
        let person = Arc::new(Person {
            client: Client::new(),
            homeserver: synapse.url(),
            token: session["access_token"].as_str().expect("a session").to_owned(),
        });
        tokio::spawn(listen(Arc::clone(&person), Arc::clone(&heard), bot.to_owned()));
        let games: Vec<&str> = catalog::games().map(|entry| entry.meta.id).collect();
        let mut tables = Vec::new();
        for number in 0..rooms {
            let made = json!({ "preset": "private_chat", "invite": [bot] });
            let made = person.ask(Method::POST, "createRoom", &made).await;
            let room = made["room_id"].as_str().expect("a room").to_owned();
            heard.wait_for(&room, "m.notice");
            heard.until_heard(&room).await;
            let (person, heard) = (Arc::clone(&person), Arc::clone(&heard));
            let game = games[number % games.len()].to_owned();
            tables.push(tokio::spawn(async move {
                heard.wait_for(&room, "m.image");
                let begin = format!("!challenge bot {game} level=2 none order");
                person.say(&room, 0, &begin).await;
                heard.until_heard(&room).await;
                for step in 1..=moves {
                    heard.wait_for(&room, "m.notice");
                    person.say(&room, 2 * step, "!hint").await;
                    heard.until_heard(&room).await;
                    let Some(action) = heard.hinted(&room) else {
                        break;
                    };
                    heard.wait_for(&room, "m.image");
                    let line = format!("!move {action}");
                    person.say(&room, 2 * step + 1, &line).await;
                    // A match may be over, or go on without a picture.
                    let told = heard.until_heard(&room);
                    let _ = tokio::time::timeout(Duration::from_secs(20), told).await;
                }
            }));
        }
        for table in tables {
            table.await.expect("a table");
        }
    }

    /// Says so many commands a second, for so long; how many were said. Nobody says a thing before the last is answered.
    pub async fn speak(&self, rate: usize, length: Duration) -> usize {
        let begun = Instant::now();
        let mut pace = tokio::time::interval(Duration::from_secs_f64(1.0 / rate as f64));
        let mut sent = 0;
        while begun.elapsed() < length {
            pace.tick().await;
            let free = |seat: &&Seat| !lock(&self.heard.waiting).contains_key(&seat.room);
            let order = self.seats.iter().cycle().skip(sent % self.seats.len());
            let Some(seat) = order.take(self.seats.len()).find(free) else {
                continue;
            };
            sent += 1;
            let command = if sent % 2 == 0 { seat.next_move() } else { None };
            let (text, kind) = match command {
                Some(action) => (format!("!move {action}"), "m.image"),
                None => ("!text".to_owned(), "m.notice"),
            };
            self.heard.wait_for(&seat.room, kind);
            let (person, room, number) = (Arc::clone(&seat.person), seat.room.clone(), sent);
            tokio::spawn(async move { person.say(&room, number, &text).await });
        }
        sent
    }

    /// Waits until everything is answered; how long it took.
    pub async fn hear_out(&self) -> Latencies {
        for seat in &self.seats {
            self.heard.until_heard(&seat.room).await;
        }
        lock(&self.heard.took).clone()
    }
}

impl Seat {
    /// A move that is legal now; none when the match is over.
    fn next_move(&self) -> Option<String> {
        let mut position = lock(&self.table);
        let Position { table, step } = &mut *position;
        let seat = table.awaiting().seats().iter().next()?;
        let legal = table.legal(seat);
        let action = legal.get(*step as usize % legal.len().max(1))?.clone();
        *step += 1;
        table.play(seat, &action, &seed(), *step).ok()?;
        Some(action)
    }
}

/// The match is mirrored here, so chance must have no part in it.
fn seed() -> Seed {
    Seed::from_text("a load run")
}

impl Heard {
    fn wait_for(&self, room: &str, kind: &'static str) {
        lock(&self.waiting).insert(room.to_owned(), (kind, Instant::now()));
    }

    async fn until_heard(&self, room: &str) {
        loop {
            let news = self.news.notified();
            if !lock(&self.waiting).contains_key(room) {
                return;
            }
            let _ = tokio::time::timeout(Duration::from_millis(100), news).await;
        }
    }

    /// The move that the bot hinted at, if it said one.
    fn hinted(&self, room: &str) -> Option<String> {
        let words = lock(&self.last).remove(room)?;
        Some(words.split('`').nth(1)?.to_owned())
    }

    fn note(&self, room: &str, kind: &str, body: &str) {
        if body.starts_with("You might play") {
            lock(&self.last).insert(room.to_owned(), body.to_owned());
        }
        let mut waiting = lock(&self.waiting);
        let Some((wanted, since)) = waiting.get(room).copied() else {
            return;
        };
        if wanted == kind {
            waiting.remove(room);
            let mut took = lock(&self.took);
            match wanted {
                "m.image" => took.boards.push(since.elapsed()),
                _ => took.answers.push(since.elapsed()),
            }
            self.news.notify_waiters();
        }
    }
}

/// Hears what the bot says in the rooms of one person.
async fn listen(person: Arc<Person>, heard: Arc<Heard>, bot: String) {
    let mut since = String::new();
    loop {
        let path = format!("sync?timeout=10000{since}");
        let news = person.ask(Method::GET, &path, &Value::Null).await;
        if let Some(next) = news["next_batch"].as_str() {
            since = format!("&since={next}");
        }
        for (room, update) in news["rooms"]["join"].as_object().into_iter().flatten() {
            let events = update["timeline"]["events"].as_array();
            for event in events.into_iter().flatten() {
                if event["sender"] == bot.as_str() {
                    let content = &event["content"];
                    let text = |field: &str| content[field].as_str().unwrap_or_default();
                    heard.note(room, text("msgtype"), text("body"));
                }
            }
        }
    }
}
