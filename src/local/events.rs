//! Server-sent events: what is new, as soon as it is there.
//!
//! A stream reads the feed from its own cursor, so it misses nothing however slow its reader is;
//! answers and news of rooms come over a channel and may be lost, since nothing depends on them.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::CACHE_CONTROL;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::{broadcast, watch};

use super::Local;
use super::feed::FeedPage;
use super::guests::Guest;
use super::problem::RoomProblem;
use super::reading::ReaderId;
use super::wire::{self, Post};
use crate::connections::{Busy, Visit};
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::web::streams::CountedStream;

/// How often a silent stream shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How many messages are read at once.
const PAGE: usize = 100;

/// A stream that is behind by more than this reads when it is its turn.
const FEW: u64 = 10;

/// What is told without being kept.
#[derive(Clone, Debug)]
pub enum Push {
    /// An answer, for its asker only.
    RoomAnswer(PlayerId, Arc<Post>),
    /// There is a new room.
    Room(String),
}

struct Stream {
    local: Arc<Local>,
    address: IpAddr,
    _counted: CountedStream,
    _busy: Arc<Busy>,
    guest: Option<PlayerId>,
    cursor: u64,
    waiting: VecDeque<Result<Event, axum::Error>>,
    shown: watch::Receiver<u64>,
    pushes: broadcast::Receiver<Push>,
    closing: watch::Receiver<bool>,
}

/// A stream of everything after a cursor.
pub fn stream(
    local: &Arc<Local>,
    guest: Option<Guest>,
    visit: &Visit,
    after: Option<u64>,
) -> Result<Response, RoomProblem> {
    let cursor = after.unwrap_or_else(|| local.feed.newest());
    let guest = guest.map(|guest| guest.id);
    let stream = Stream {
        address: visit.address,
        _counted: local
            .streams
            .add(guest.as_ref().map(PlayerId::as_str), visit.address)?,
        _busy: Arc::clone(&visit.busy),
        guest,
        cursor,
        waiting: VecDeque::from([event("hello", &serde_json::json!({ "cursor": cursor }))]),
        shown: local.feed.watch(),
        pushes: local.pushes.subscribe(),
        closing: local.closing.subscribe(),
        local: Arc::clone(local),
    };
    let events = futures_util::stream::unfold(stream, |mut stream| async {
        let event = stream.next().await?;
        Some((event, stream))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("still here");
    // A proxy in between must not hold anything back or keep it.
    let headers = [(CACHE_CONTROL.as_str(), "no-store"), ("x-accel-buffering", "no")];
    Ok((headers, Sse::new(events).keep_alive(keep_alive)).into_response())
}

impl Stream {
    /// The next event; nothing if the stream has ended.
    async fn next(&mut self) -> Option<Result<Event, axum::Error>> {
        loop {
            if *self.closing.borrow() {
                return None;
            }
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let page = self.read().await;
            let page = page
                .inspect_err(
                    |error| tracing::error!(%error, cursor = self.cursor, "local: could not read the feed"),
                )
                .ok()?;
            self.cursor = page.cursor;
            self.waiting.extend(page.entries.iter().map(|entry| {
                let post = wire::entry(&self.local.parlor.service, entry);
                Ok(event("message", &post)?.id(entry.cursor.to_string()))
            }));
            if page.more || !self.waiting.is_empty() {
                continue;
            }
            tokio::select! {
                changed = self.shown.changed() => changed.ok()?,
                pushed = self.pushes.recv() => self.take(pushed),
                // The loop looks whether we are closing.
                _ = self.closing.changed() => {}
            }
        }
    }

    /// What is new. A little is read at once; who comes with an old cursor has much to catch up with.
    async fn read(&self) -> Result<FeedPage, Fault> {
        let (cursor, guest) = (self.cursor, self.guest.clone());
        if self.local.feed.newest().saturating_sub(cursor) <= FEW {
            return self.local.feed.after(cursor, guest.as_ref(), PAGE);
        }
        let reader = guest
            .clone()
            .map_or(ReaderId::Address(self.address), ReaderId::Guest);
        let feed = Arc::clone(&self.local.feed);
        let read = move || feed.after(cursor, guest.as_ref(), PAGE);
        self.local.reading.read(reader, read).await
    }

    fn take(&mut self, pushed: Result<Push, broadcast::error::RecvError>) {
        match pushed {
            Ok(Push::RoomAnswer(owner, post)) if self.guest.as_ref() == Some(&owner) => {
                self.waiting.push_back(event("reply", &*post));
            }
            Ok(Push::Room(name)) => self
                .waiting
                .push_back(event("room", &serde_json::json!({ "name": name }))),
            Ok(Push::RoomAnswer(..)) | Err(_) => {}
        }
    }
}

fn event(name: &str, data: &impl Serialize) -> Result<Event, axum::Error> {
    Event::default().event(name).json_data(data)
}
