//! That something has changed, as server-sent events. They say nothing of what: the page reads it as its own viewer.

use std::time::Duration;

use axum::http::header::CACHE_CONTROL;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

use super::problem::Problem;
use super::rates::Activity;
use super::streams::CountedStream;
use super::visitor::PageRequest;
use crate::matches::code::Code;

/// How often a silent stream shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

struct Listening {
    /// Who came, and with what: both may cease to open the match.
    asked: PageRequest,
    code: Code,
    news: broadcast::Receiver<Code>,
    closing: watch::Receiver<bool>,
    greeted: bool,
    _counted: CountedStream,
}

pub async fn stream(asked: PageRequest) -> Result<Response, Problem> {
    let visitor = asked.enter(Activity::Read)?;
    let web = &asked.web;
    let listening = Listening {
        _counted: web.streams.add(visitor.counted.as_deref(), asked.visit.address)?,
        news: web.parlor.service.hear_news(),
        closing: web.closing.subscribe(),
        code: visitor.code,
        greeted: false,
        asked,
    };
    let events = futures_util::stream::unfold(listening, |mut listening| async {
        let event = listening.next().await?;
        Some((Ok::<Event, axum::Error>(event), listening))
    });
    // An event and no comment: a page is told of it, and so notices a line that is dead.
    let alive = Event::default().event("alive").data("{}");
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).event(alive);
    // A proxy in between must not hold anything back or keep it.
    let headers = [(CACHE_CONTROL.as_str(), "no-store"), ("x-accel-buffering", "no")];
    Ok((headers, Sse::new(events).keep_alive(keep_alive)).into_response())
}

impl Listening {
    /// The next event; nothing when the stream has ended.
    async fn next(&mut self) -> Option<Event> {
        if !self.greeted {
            self.greeted = true;
            // What happened before this was said is read by whoever asks then.
            return Some(Event::default().event("hello").data("{}"));
        }
        loop {
            if *self.closing.borrow() {
                return None;
            }
            let changed = tokio::select! {
                news = self.news.recv() => match news {
                    Ok(code) => code == self.code,
                    // Something was missed: it may have been this match.
                    Err(RecvError::Lagged(_)) => true,
                    Err(RecvError::Closed) => return None,
                },
                _ = self.closing.changed() => false,
            };
            if changed {
                // Whoever may no longer look hears nothing more.
                self.asked.visitor().ok()?;
                return Some(Event::default().event("changed").data("{}"));
            }
        }
    }
}
