//! What the page and scripts can ask. See [`super`] for the whole of it in words.

mod asker;
mod games;
mod lines;
mod matches;
mod messages;
mod pictures;
mod touch;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use self::asker::{Asker, bearer};
use super::Local;
use super::events::Push;
use super::problem::RoomProblem;
use super::rooms::room_id;
use crate::catalog::{self, Entry};
use crate::connections::Visit;
use crate::matches::port::Health;
use crate::web::rates::Activity;
use crate::web::request::Body;

/// Routes of the API.
pub fn routes() -> Router<Arc<Local>> {
    Router::new()
        .route("/healthz", get(health))
        .route("/api/guests", post(admit))
        .route("/api/me", get(me))
        .route("/api/games", get(games::games))
        .route("/api/rooms", get(rooms).post(make_room))
        .route("/api/matches", get(matches::matches))
        .route("/api/matches/{code}", get(matches::one))
        .route("/api/matches/{code}/touch", post(touch::touch))
        .route("/api/say", post(lines::say))
        .route("/api/press", post(lines::press))
        .route("/api/suggest", get(lines::suggest))
        .route("/api/messages", get(messages::messages))
        .route("/api/events", get(messages::stream))
        .route("/api/pictures/{name}", get(pictures::picture))
}

async fn health(State(local): State<Arc<Local>>) -> (StatusCode, Json<Value>) {
    let (code, status, reason) = match local.parlor.service.store().health() {
        Health::Good => (StatusCode::OK, "ok", None),
        Health::Failing { reason, .. } => (StatusCode::SERVICE_UNAVAILABLE, "store failing", Some(reason)),
    };
    let game = |entry: &Entry| json!({ "id": entry.meta.id, "rules_version": entry.meta.rules_version });
    let answer = json!({
        "status": status,
        "reason": reason,
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "up_seconds": local.parlor.service.now().since(local.started).0 / 1000,
        "games": catalog::games().map(game).collect::<Vec<_>>(),
        "rooms": local.rooms.names().len(),
        "guests": local.guests.count(),
        "messages": local.feed.newest(),
        "streams": local.streams.count(),
    });
    (code, Json(answer))
}

#[derive(Deserialize)]
struct Newcomer {
    name: String,
    token: Option<String>,
}

async fn admit(
    State(local): State<Arc<Local>>,
    visit: Visit,
    headers: HeaderMap,
    Body(newcomer): Body<Newcomer>,
) -> Result<Json<Value>, RoomProblem> {
    let token = newcomer.token.as_deref().or_else(|| bearer(&headers));
    let name = newcomer.name.trim();
    let admitted = match local.guests.welcome_back(name, token)? {
        Some(admitted) => admitted,
        None => {
            local.rates.take(Activity::Enter, None, visit.address)?;
            let service = &local.parlor.service;
            local.guests.admit(name, service.entropy(), service.now()).await?
        }
    };
    Ok(Json(json!({
        "id": admitted.guest.id,
        "name": admitted.guest.name,
        "token": admitted.token,
    })))
}

async fn me(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
) -> Result<Json<Value>, RoomProblem> {
    local
        .rates
        .take(Activity::Read, Some(guest.id.as_str()), visit.address)?;
    let settings = local.parlor.service.person(&guest.id)?.settings;
    Ok(Json(
        json!({ "id": guest.id, "name": guest.name, "theme": settings.chosen_theme(), "ping": settings.ping }),
    ))
}

async fn rooms(State(local): State<Arc<Local>>, visit: Visit) -> Result<Json<Value>, RoomProblem> {
    local.rates.take(Activity::Read, None, visit.address)?;
    let mut rooms = Vec::new();
    for name in local.rooms.names() {
        let matches = local.parlor.service.repository().alive_in(&room_id(&name))?.len();
        rooms.push(json!({ "name": name, "matches": matches }));
    }
    Ok(Json(json!({ "rooms": rooms })))
}

#[derive(Deserialize)]
struct NewRoom {
    name: String,
}

async fn make_room(
    State(local): State<Arc<Local>>,
    Asker(_): Asker,
    Body(wanted): Body<NewRoom>,
) -> Result<(StatusCode, Json<Value>), RoomProblem> {
    let (name, new) = local.rooms.make(&wanted.name).await?;
    let answer = Json(json!({ "name": name }));
    if !new {
        return Ok((StatusCode::OK, answer));
    }
    // Nobody may be listening.
    let _ = local.pushes.send(Push::Room(name));
    Ok((StatusCode::CREATED, answer))
}
