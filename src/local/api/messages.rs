//! Messages: page by page, or as they come.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::asker::PageReader;
use crate::connections::Visit;
use crate::local::feed::FeedPlace;
use crate::local::problem::RoomProblem;
use crate::local::reading::ReaderId;
use crate::local::rooms::room_id;
use crate::local::wire::{self, Post};
use crate::local::{Local, events};
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::web::rates::Activity;
use crate::web::request::UrlQuery;

/// The most messages of a page.
const LARGEST_PAGE: usize = 100;

#[derive(Deserialize)]
pub struct MessagesQuery {
    room: Option<String>,
    after: Option<u64>,
    before: Option<u64>,
    limit: Option<usize>,
    /// Whether private messages are wanted: `only`, `no`, or as well.
    private: Option<String>,
}

pub async fn messages(
    State(local): State<Arc<Local>>,
    PageReader(guest): PageReader,
    visit: Visit,
    UrlQuery(wanted): UrlQuery<MessagesQuery>,
) -> Result<Response, RoomProblem> {
    let id = guest.as_ref().map(|guest| &guest.id);
    local
        .rates
        .take(Activity::Read, id.map(PlayerId::as_str), visit.address)?;
    let reader = id
        .cloned()
        .map_or(ReaderId::Address(visit.address), ReaderId::Guest);
    let limit = wanted.limit.unwrap_or(LARGEST_PAGE).clamp(1, LARGEST_PAGE);
    let private = wanted.private.as_deref().unwrap_or("yes");
    let mut places = Vec::new();
    if let Some(guest) = guest.as_ref().filter(|_| private != "no") {
        places.push(FeedPlace::Guest(guest.id.clone()));
    }
    if private != "only" {
        let rooms = match &wanted.room {
            Some(name) => vec![local.rooms.find(name)?],
            None => local.rooms.names().iter().map(|name| room_id(name)).collect(),
        };
        places.extend(rooms.into_iter().map(FeedPlace::Room));
    } else if guest.is_none() {
        return Err(RoomProblem::NoToken);
    }
    let read = {
        let local = Arc::clone(&local);
        move || local.page(&places, wanted.after, wanted.before, limit)
    };
    let page = local.reading.read(reader, read).await?;
    Ok(([(CONTENT_TYPE, "application/json")], page).into_response())
}

/// A page as it is written.
#[derive(Serialize)]
struct Page {
    messages: Vec<Post>,
    cursor: u64,
    more: bool,
}

impl Local {
    /// A page of what was said at some places, as JSON.
    fn page(
        &self,
        places: &[FeedPlace],
        after: Option<u64>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<u8>, Fault> {
        let page = match after {
            Some(after) => self.feed.at_after(places, after, limit)?,
            None => self.feed.at_before(places, before, limit)?,
        };
        let service = &self.parlor.service;
        let messages = page.entries.iter().map(|entry| wire::entry(service, entry));
        let page = Page {
            messages: messages.collect(),
            cursor: page.cursor,
            more: page.more,
        };
        serde_json::to_vec(&page).map_err(|error| Fault::new("writing a page of messages", error))
    }
}

#[derive(Deserialize)]
pub struct From {
    after: Option<u64>,
}

pub async fn stream(
    State(local): State<Arc<Local>>,
    PageReader(guest): PageReader,
    visit: Visit,
    headers: HeaderMap,
    UrlQuery(from): UrlQuery<From>,
) -> Result<Response, RoomProblem> {
    let id = guest.as_ref().map(|guest| &guest.id);
    local
        .rates
        .take(Activity::Read, id.map(PlayerId::as_str), visit.address)?;
    // A browser's own event source tells where it was when it comes back.
    let last = headers.get("last-event-id");
    let last = last.and_then(|last| last.to_str().ok()?.parse().ok());
    events::stream(&local, guest, &visit, last.or(from.after))
}
