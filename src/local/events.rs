//! Server-sent events: what is new, as soon as it is there.
//!
//! A stream reads the feed from its own cursor, so it misses nothing however slow its reader is;
//! answers and news of rooms come over a channel and may be lost, since nothing depends on them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::{broadcast, watch};

use super::Local;
use super::guests::Guest;
use super::wire::{self, Post};
use crate::matches::people::PlayerId;

/// How often a silent stream shows that it is alive.
const PULSE: Duration = Duration::from_secs(15);

/// How many messages are read at once.
const PAGE: usize = 100;

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
    guest: Option<PlayerId>,
    cursor: u64,
    waiting: VecDeque<String>,
    shown: watch::Receiver<u64>,
    pushes: broadcast::Receiver<Push>,
    closing: watch::Receiver<bool>,
}

/// A stream of everything after a cursor.
pub fn stream(local: &Arc<Local>, guest: Option<Guest>, after: Option<u64>) -> Response {
    let cursor = after.unwrap_or_else(|| local.feed.newest());
    local.streams.fetch_add(1, Ordering::Relaxed);
    let hello = event("hello", None, &serde_json::json!({ "cursor": cursor }));
    let stream = Stream {
        guest: guest.map(|guest| guest.id),
        cursor,
        waiting: hello.into_iter().collect(),
        shown: local.feed.watch(),
        pushes: local.pushes.subscribe(),
        closing: local.closing.subscribe(),
        local: Arc::clone(local),
    };
    let parts = futures_util::stream::unfold(stream, |mut stream| async {
        let part = stream.next().await?;
        Some((Ok::<Bytes, Infallible>(Bytes::from(part)), stream))
    });
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        // A proxy in between must not hold anything back.
        ("x-accel-buffering", "no"),
    ];
    (headers, Body::from_stream(parts)).into_response()
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.local.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream {
    /// The next part of the stream; nothing if it has ended.
    async fn next(&mut self) -> Option<String> {
        loop {
            if *self.closing.borrow() {
                return None;
            }
            if !self.waiting.is_empty() {
                return Some(self.waiting.drain(..).collect());
            }
            match self.local.feed.after(self.cursor, self.guest.as_ref(), PAGE) {
                Ok(page) => {
                    self.cursor = page.cursor;
                    for entry in &page.entries {
                        let post = wire::entry(&self.local.parlor.service, entry);
                        self.waiting.extend(event("message", Some(entry.number), &post));
                    }
                    if page.more || !self.waiting.is_empty() {
                        continue;
                    }
                }
                Err(fault) => {
                    tracing::error!(%fault, "the message stream can't be read");
                    return None;
                }
            }
            let pushed = tokio::select! {
                changed = self.shown.changed() => {
                    changed.ok()?;
                    continue;
                }
                pushed = self.pushes.recv() => pushed,
                // The loop looks whether we are closing.
                _ = self.closing.changed() => continue,
                () = tokio::time::sleep(PULSE) => return Some(": still here\n\n".to_owned()),
            };
            self.take(pushed);
        }
    }

    fn take(&mut self, pushed: Result<Push, broadcast::error::RecvError>) {
        let event = match pushed {
            Ok(Push::RoomAnswer(owner, post)) if self.guest.as_ref() == Some(&owner) => {
                event("reply", None, &*post)
            }
            Ok(Push::Room(name)) => event("room", None, &serde_json::json!({ "name": name })),
            Ok(Push::RoomAnswer(..)) | Err(_) => None,
        };
        self.waiting.extend(event);
    }
}

/// An event as text. JSON has no raw line breaks, so it is one line of data.
fn event(name: &str, id: Option<u64>, data: &impl Serialize) -> Option<String> {
    let data = match serde_json::to_string(data) {
        Ok(data) => data,
        Err(error) => {
            tracing::error!(%error, "an event can't be written");
            return None;
        }
    };
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    Some(format!("{id}event: {name}\ndata: {data}\n\n"))
}
