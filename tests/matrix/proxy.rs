//! The line between the bot and its homeserver, which may be bad.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::{Router, serve};
use matrix_sdk::reqwest;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::synapse::Synapse;

/// How the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Good,
    /// Of three messages that the bot sends, one gets through, of one the answer is lost on the way back, and one is
    /// refused for the moment. And what the homeserver tells, it tells again and again.
    Bad,
    /// The bot hears, and nothing that it says gets through.
    Mute,
    /// The bot can't look for what it has missed.
    Forgetful,
    /// Whatever the bot sends is too much the first time.
    Strict,
    /// Nothing gets through either way.
    Cut,
}

pub struct Proxy {
    pub url: String,
    line: Arc<Line>,
    serving: JoinHandle<()>,
}

struct Line {
    homeserver: String,
    client: reqwest::Client,
    manner: Mutex<Manner>,
    /// Everything that the bot has tried to send.
    tried: Mutex<Vec<(Instant, String)>>,
    sent: AtomicU32,
    /// How often the bot has looked in vain for what it has missed.
    missed: AtomicU32,
    repeated: AtomicU32,
    /// How often the bot has asked in vain what is new.
    cut: AtomicU32,
    /// The last events of each room.
    told: Mutex<HashMap<String, Vec<Value>>>,
    /// Somebody whose homeserver can't be reached.
    unreachable: Mutex<Option<String>>,
    /// Whether that has been found out.
    found_out: watch::Sender<bool>,
    invitations: Invitations,
    /// How often the bot has asked who it is.
    asked_who: AtomicU32,
}

/// Rooms to which somebody was to be invited whose homeserver can't be reached.
#[derive(Default)]
struct Invitations {
    tried: AtomicU32,
    /// How often the bot has not waited for the answer.
    given_up: AtomicU32,
}

impl Proxy {
    pub async fn start(synapse: &Synapse, manner: Manner) -> Self {
        let line = Arc::new(Line {
            homeserver: synapse.url(),
            client: reqwest::Client::new(),
            manner: Mutex::new(manner),
            tried: Mutex::default(),
            sent: AtomicU32::new(0),
            missed: AtomicU32::new(0),
            repeated: AtomicU32::new(0),
            cut: AtomicU32::new(0),
            told: Mutex::default(),
            unreachable: Mutex::default(),
            found_out: watch::Sender::new(false),
            invitations: Invitations::default(),
            asked_who: AtomicU32::new(0),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(pass).with_state(Arc::clone(&line));
        let serving = tokio::spawn(async move { serve(listener, router).await.unwrap() });
        Self { url, line, serving }
    }

    pub fn now_is(&self, manner: Manner) {
        *self.line.manner.lock().unwrap() = manner;
    }

    /// How often the bot has tried to send something whose transaction begins like this.
    pub fn tried(&self, transaction: &str) -> usize {
        self.tries(transaction).len()
    }

    /// When it did.
    pub fn tries(&self, transaction: &str) -> Vec<Instant> {
        let tried = self.line.tried.lock().unwrap();
        let begins = |path: &str| path.contains(&format!("/{transaction}"));
        let tried = tried.iter().filter(|(_, path)| begins(path));
        tried.map(|(at, _)| *at).collect()
    }

    /// From now on somebody can't be invited: their homeserver does not answer.
    pub fn lose(&self, user: &str) {
        *self.line.unreachable.lock().unwrap() = Some(user.to_owned());
    }

    /// The bot's homeserver has waited long enough for it.
    pub fn find_out(&self) {
        self.line.found_out.send_replace(true);
    }

    /// How often the bot has tried to invite them, and how often it has not waited for an answer.
    pub fn invitations(&self) -> (u32, u32) {
        let Invitations { tried, given_up } = &self.line.invitations;
        (tried.load(Ordering::SeqCst), given_up.load(Ordering::SeqCst))
    }

    /// How often the bot has asked who it is.
    pub fn asked_who(&self) -> u32 {
        self.line.asked_who.load(Ordering::SeqCst)
    }

    /// How often the bot has looked in vain for what it has missed.
    pub fn missed(&self) -> u32 {
        self.line.missed.load(Ordering::SeqCst)
    }

    /// How often the bot has asked in vain what is new.
    pub fn cut(&self) -> u32 {
        self.line.cut.load(Ordering::SeqCst)
    }

    /// How many messages the bot has tried to send, and how many events were told twice.
    pub fn mischief(&self) -> (u32, u32) {
        (
            self.line.sent.load(Ordering::SeqCst),
            self.line.repeated.load(Ordering::SeqCst),
        )
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn pass(State(line): State<Arc<Line>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().unwrap().as_str();
    let manner = *line.manner.lock().unwrap();
    let sends = parts.method == Method::PUT && path.contains("/send/");
    let mut again = false;
    if sends {
        let mut tried = line.tried.lock().unwrap();
        again = tried.iter().any(|(_, before)| before == path);
        tried.push((Instant::now(), path.to_owned()));
    }
    if manner == Manner::Cut {
        line.cut
            .fetch_add(u32::from(path.contains("/sync")), Ordering::SeqCst);
        return answer(StatusCode::BAD_GATEWAY, Vec::new());
    }
    let count = if sends {
        line.sent.fetch_add(1, Ordering::SeqCst)
    } else {
        0
    };
    let turn = if manner == Manner::Bad { count % 3 } else { 0 };
    let looks_back = path.contains("/messages?");
    if looks_back && manner == Manner::Forgetful {
        line.missed.fetch_add(1, Ordering::SeqCst);
        return answer(StatusCode::BAD_GATEWAY, Vec::new());
    }
    if sends && manner == Manner::Mute {
        return answer(StatusCode::BAD_GATEWAY, Vec::new());
    }
    if sends && (turn == 2 || manner == Manner::Strict && !again) {
        let limited = json!({ "errcode": "M_LIMIT_EXCEEDED", "error": "Too many", "retry_after_ms": 150 });
        return answer(StatusCode::TOO_MANY_REQUESTS, limited.to_string().into_bytes());
    }
    if path.ends_with("/account/whoami") {
        line.asked_who.fetch_add(1, Ordering::SeqCst);
    }
    let body = to_bytes(body, usize::MAX).await.unwrap();
    if path.ends_with("/createRoom") && line.is_in_vain(&body) {
        line.invite_in_vain().await;
        let error = json!({ "errcode": "M_UNKNOWN", "error": "Failed to reach the other homeserver" });
        return answer(StatusCode::BAD_GATEWAY, error.to_string().into_bytes());
    }
    let mut forwarded = line
        .client
        .request(parts.method.clone(), format!("{}{path}", line.homeserver));
    for name in ["authorization", "content-type"] {
        if let Some(value) = parts.headers.get(name) {
            forwarded = forwarded.header(name, value.as_bytes());
        }
    }
    let Ok(answered) = forwarded.body(body).send().await else {
        return answer(StatusCode::BAD_GATEWAY, Vec::new());
    };
    let status = StatusCode::from_u16(answered.status().as_u16()).unwrap();
    let bytes = answered.bytes().await.unwrap().to_vec();
    if sends && turn == 1 {
        return answer(StatusCode::BAD_GATEWAY, b"the line is bad".to_vec());
    }
    if manner == Manner::Bad && path.contains("/sync") && status.is_success() {
        return answer(status, line.repeat(&bytes));
    }
    answer(status, bytes)
}

impl Line {
    /// Whether somebody is invited who can't be reached.
    fn is_in_vain(&self, body: &[u8]) -> bool {
        let wanted: Value = serde_json::from_slice(body).unwrap_or_default();
        let unreachable = self.unreachable.lock().unwrap();
        let invited = wanted["invite"].as_array().into_iter().flatten();
        unreachable.is_some()
            && invited
                .into_iter()
                .any(|id| id.as_str() == unreachable.as_deref())
    }

    /// Lets the bot wait until it is found out that somebody can't be reached.
    async fn invite_in_vain(&self) {
        /// Dropped while it waits, the bot has hung up.
        struct Waiting<'a>(Option<&'a AtomicU32>);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                if let Some(given_up) = self.0 {
                    given_up.fetch_add(1, Ordering::SeqCst);
                }
            }
        }
        self.invitations.tried.fetch_add(1, Ordering::SeqCst);
        let mut waiting = Waiting(Some(&self.invitations.given_up));
        let mut found_out = self.found_out.subscribe();
        found_out.wait_for(|found| *found).await.unwrap();
        waiting.0 = None;
    }

    /// Puts in front of every room's news what was told there before.
    fn repeat(&self, bytes: &[u8]) -> Vec<u8> {
        let mut news: Value = serde_json::from_slice(bytes).unwrap();
        let mut told = self.told.lock().unwrap();
        if let Some(rooms) = news.pointer_mut("/rooms/join").and_then(Value::as_object_mut) {
            for (room, update) in rooms {
                let Some(events) = update
                    .pointer_mut("/timeline/events")
                    .and_then(Value::as_array_mut)
                else {
                    continue;
                };
                let before = told.entry(room.clone()).or_default();
                let fresh = events.clone();
                self.repeated.fetch_add(before.len() as u32, Ordering::SeqCst);
                events.splice(0..0, before.iter().cloned());
                before.extend(fresh);
                let old = before.len().saturating_sub(20);
                before.drain(..old);
            }
        }
        news.to_string().into_bytes()
    }
}

fn answer(status: StatusCode, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let json = "application/json".parse().unwrap();
    response.headers_mut().insert("content-type", json);
    response
}
