//! Messages: page by page, or as they come.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::request::{Asked, Reader};
use crate::local::feed::FeedPlace;
use crate::local::problem::Problem;
use crate::local::rooms::room_id;
use crate::local::wire::{self, Post};
use crate::local::{Local, events};

#[derive(Deserialize)]
pub struct Wanted {
    room: Option<String>,
    after: Option<u64>,
    before: Option<u64>,
    limit: Option<usize>,
    /// Whether private messages are wanted: `only`, `no`, or as well.
    private: Option<String>,
}

pub async fn messages(
    State(local): State<Arc<Local>>,
    Reader(guest): Reader,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Value>, Problem> {
    let limit = wanted.limit.unwrap_or(100).clamp(1, 500);
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
        return Err(Problem::NoToken);
    }
    let page = match wanted.after {
        Some(after) => local.feed.at_after(&places, after, limit)?,
        None => local.feed.at_before(&places, wanted.before, limit)?,
    };
    let service = &local.parlor.service;
    let posts: Vec<Post> = page
        .entries
        .iter()
        .map(|entry| wire::entry(service, entry))
        .collect();
    Ok(Json(
        json!({ "messages": posts, "cursor": page.cursor, "more": page.more }),
    ))
}

#[derive(Deserialize)]
pub struct From {
    after: Option<u64>,
}

pub async fn stream(
    State(local): State<Arc<Local>>,
    Reader(guest): Reader,
    headers: HeaderMap,
    Asked(from): Asked<From>,
) -> Response {
    // A browser's own event source tells where it was when it comes back.
    let last = headers.get("last-event-id");
    let last = last.and_then(|last| last.to_str().ok()?.parse().ok());
    events::stream(&local, guest, last.or(from.after))
}
