//! What the page and scripts can ask. See [`super`] for the whole of it in words.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request as HttpRequest, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Local;
use super::events;
use super::feed::{Draft, FeedPlace};
use super::guests::Guest;
use super::pictures::Pictures;
use super::problem::Problem;
use super::rooms::room_id;
use super::wire::{self, Post};
use crate::ai::Level;
use crate::catalog;
use crate::chat::message::{Button, Inline, Message, Picture, Text};
use crate::chat::parlor::{Input, Request};
use crate::chat::suggest::{MOST, Suggestion};
use crate::matches::bot::USUAL_LEVEL;
use crate::matches::clock::SeatClock;
use crate::matches::people::{RoomId, ThemeName};
use crate::matches::state::{Match, Play, Stage};

/// The largest body that is read.
const LARGEST_BODY: usize = 64 * 1024;

/// The longest line, in characters.
const LONGEST_LINE: usize = 2000;

/// The longest event id of a client, in characters.
const LONGEST_EVENT: usize = 100;

/// A line that begins so is talk, whatever it says.
const ALOUD: [char; 2] = ['"', '“'];

/// Routes of the API.
pub fn routes() -> Router<Arc<Local>> {
    Router::new()
        .route("/healthz", get(health))
        .route("/api/guests", post(admit))
        .route("/api/me", get(me))
        .route("/api/games", get(games))
        .route("/api/rooms", get(rooms).post(make_room))
        .route("/api/matches", get(matches))
        .route("/api/say", post(say))
        .route("/api/press", post(press))
        .route("/api/suggest", get(suggest))
        .route("/api/messages", get(messages))
        .route("/api/events", get(stream))
        .route("/api/pictures/{name}", get(picture))
}

/// A guest who has shown their token.
struct Asker(Guest);

/// A guest who has shown their token, or somebody who has shown none. A wrong one is refused.
struct Reader(Option<Guest>);

impl FromRequestParts<Arc<Local>> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, local: &Arc<Local>) -> Result<Self, Problem> {
        let Some(header) = parts.headers.get(AUTHORIZATION) else {
            return Ok(Self(None));
        };
        let token = bearer(header.to_str().unwrap_or_default());
        let guest = token.and_then(|token| local.guests.of_token(token));
        guest
            .map(|guest| Self(Some(guest)))
            .ok_or_else(Problem::wrong_token)
    }
}

impl FromRequestParts<Arc<Local>> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, local: &Arc<Local>) -> Result<Self, Problem> {
        match Reader::from_request_parts(parts, local).await? {
            Reader(Some(guest)) => Ok(Self(guest)),
            Reader(None) => Err(Problem::no_token()),
        }
    }
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A body of JSON.
struct Sent<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: HttpRequest, _: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Problem::not_json());
        }
        let body = axum::body::to_bytes(request.into_body(), LARGEST_BODY);
        let body = body.await.map_err(|_| Problem::too_large())?;
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| Problem::bad_json(&error))
    }
}

/// What follows the `?`.
struct Asked<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::from_request_parts(parts, state).await;
        query
            .map(|Query(asked)| Self(asked))
            .map_err(|error| Problem::bad_query(error.body_text()))
    }
}

async fn health(State(local): State<Arc<Local>>) -> Json<Value> {
    let service = &local.parlor.service;
    let games: Vec<Value> = catalog::games()
        .map(|entry| json!({ "id": entry.meta.id, "rules_version": entry.meta.rules_version }))
        .collect();
    Json(json!({
        "status": "ok",
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "up_seconds": service.now().since(local.started).0 / 1000,
        "games": games,
        "rooms": local.rooms.names().len(),
        "guests": local.guests.count(),
        "messages": local.feed.newest(),
        "streams": local.streams.load(Ordering::Relaxed),
    }))
}

#[derive(Deserialize)]
struct Newcomer {
    name: String,
    token: Option<String>,
}

async fn admit(
    State(local): State<Arc<Local>>,
    headers: HeaderMap,
    Sent(newcomer): Sent<Newcomer>,
) -> Result<Json<Value>, Problem> {
    let header = headers.get(AUTHORIZATION);
    let header = header.and_then(|header| bearer(header.to_str().unwrap_or_default()));
    let token = newcomer.token.as_deref().or(header);
    let service = &local.parlor.service;
    let admitted = local
        .guests
        .admit(newcomer.name.trim(), token, service.entropy(), service.now())
        .await?;
    Ok(Json(json!({
        "id": admitted.guest.id,
        "name": admitted.guest.name,
        "token": admitted.token,
    })))
}

async fn me(State(local): State<Arc<Local>>, Asker(guest): Asker) -> Result<Json<Value>, Problem> {
    let settings = local.parlor.service.person(&guest.id)?.settings;
    Ok(Json(json!({
        "id": guest.id,
        "name": guest.name,
        "theme": settings.theme,
    })))
}

async fn games() -> Json<Value> {
    let game = |entry: &catalog::Entry| {
        json!({
            "id": entry.meta.id,
            "name": entry.meta.name,
            "tagline": entry.meta.tagline,
            "seats": [entry.meta.seats.start(), entry.meta.seats.end()],
        })
    };
    let level = |level: Level| json!({ "level": level.to_string(), "help": level.describe() });
    Json(json!({
        "games": catalog::games().map(game).collect::<Vec<_>>(),
        "levels": Level::ALL.map(level),
        "usual_level": USUAL_LEVEL.to_string(),
    }))
}

async fn rooms(State(local): State<Arc<Local>>) -> Result<Json<Value>, Problem> {
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
    Sent(wanted): Sent<NewRoom>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let (name, new) = local.rooms.make(&wanted.name).await?;
    let status = if new {
        // Nobody may be listening.
        let _ = local.pushes.send(events::Push::Room(name.clone()));
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok((status, Json(json!({ "name": name }))))
}

/// The guest's matches that are not over, those that wait for them first.
async fn matches(State(local): State<Arc<Local>>, Asker(guest): Asker) -> Result<Json<Value>, Problem> {
    let service = &local.parlor.service;
    let mut found: Vec<(bool, Value)> = Vec::new();
    for code in service.repository().alive_of(&guest.id)? {
        let Some(the_match) = service.repository().find(&code)? else {
            continue;
        };
        let players = the_match.people();
        let players: Vec<_> = players
            .into_iter()
            .map(|player| wire::named(service, player))
            .collect();
        let own_turn = awaits(&the_match, &guest);
        let deadline = the_match
            .play()
            .and_then(|play| play.clocks.iter().filter_map(SeatClock::deadline).min());
        let rooms = the_match
            .rooms
            .iter()
            .filter(|room| room.platform() == super::PLATFORM);
        let rooms: Vec<&str> = rooms.map(|room| room.parts().1).collect();
        let thinking: Vec<_> = (the_match.play().into_iter())
            .flat_map(Play::thinkers)
            .map(|bot| wire::named(service, bot))
            .collect();
        let shown = json!({
            "code": code.to_string(),
            "game": the_match.game,
            "running": the_match.play().is_some(),
            "players": players,
            "your_turn": own_turn,
            "thinking": thinking,
            "deadline": deadline.map(|deadline| deadline.0),
            "rooms": rooms,
        });
        found.push((own_turn, shown));
    }
    found.sort_by_key(|(own_turn, _)| !own_turn);
    let found: Vec<Value> = found.into_iter().map(|(_, shown)| shown).collect();
    Ok(Json(json!({ "matches": found })))
}

/// Whether a clock of this guest runs in the match.
fn awaits(the_match: &Match, guest: &Guest) -> bool {
    match &the_match.stage {
        Stage::Running(play) => play
            .seats_of(&guest.id)
            .iter()
            .any(|seat| play.clocks[seat.index()].running.is_some()),
        Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => false,
    }
}

#[derive(Deserialize)]
struct Said {
    room: String,
    text: String,
    event: Option<String>,
}

async fn say(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    Sent(said): Sent<Said>,
) -> Result<Json<Value>, Problem> {
    let room = room_id(&local.rooms.find(&said.room)?);
    let line = check_line(&said.text)?;
    let event = event_id(&guest, said.event)?;
    if let Some(talk) = line.strip_prefix(ALOUD) {
        let talk = talk.trim_end_matches(['"', '”']).trim();
        if talk.is_empty() {
            return Err(Problem::said_nothing());
        }
        let post = local.say_aloud(&guest, room, talk, event).await?;
        return Ok(Json(json!({ "said": post, "reply": null })));
    }
    let request = Request {
        who: guest.id.clone(),
        name: guest.name.clone(),
        room: Some(room.clone()),
        event: event.clone(),
        input: Input::Line(line.to_owned()),
    };
    if !local.parlor.is_talk(&request) {
        let reply = local.answer(request, line, None).await?;
        return Ok(Json(json!({ "said": null, "reply": reply })));
    }
    // Talk is answered too: it may have been meant as a command. That is a hint to whoever asked, and not worth
    // telling their other tabs.
    let said = local.say_aloud(&guest, room, line, event).await?;
    let hint = local.ask(request, line, None).await?;
    Ok(Json(json!({ "said": said, "reply": hint })))
}

#[derive(Deserialize)]
struct Pressed {
    message: String,
    command: String,
    /// Where the guest is, if the message is in no room.
    room: Option<String>,
    event: Option<String>,
}

async fn press(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    Sent(pressed): Sent<Pressed>,
) -> Result<Json<Value>, Problem> {
    let line = check_line(&pressed.command)?;
    let here = match &pressed.room {
        Some(name) => Some(room_id(&local.rooms.find(name)?)),
        None => None,
    };
    let room = local.pressed_in(&pressed.message, line, &guest)?.or(here);
    let request = Request {
        who: guest.id.clone(),
        name: guest.name.clone(),
        room,
        event: event_id(&guest, pressed.event)?,
        input: Input::Line(line.to_owned()),
    };
    let reply = local.answer(request, line, Some(pressed.message)).await?;
    Ok(Json(json!({ "reply": reply })))
}

fn check_line(text: &str) -> Result<&str, Problem> {
    let line = text.trim();
    if line.is_empty() {
        return Err(Problem::said_nothing());
    }
    if line.chars().count() > LONGEST_LINE {
        return Err(Problem::too_long(LONGEST_LINE));
    }
    Ok(line)
}

/// A client's event id, which counts for this guest only.
fn event_id(guest: &Guest, event: Option<String>) -> Result<Option<String>, Problem> {
    match event {
        Some(event) if event.chars().count() > LONGEST_EVENT => Err(Problem::too_long(LONGEST_EVENT)),
        Some(event) => Ok(Some(format!("{} {event}", guest.id))),
        None => Ok(None),
    }
}

impl Local {
    /// Puts what a guest says into the room.
    async fn say_aloud(
        &self,
        guest: &Guest,
        room: RoomId,
        line: &str,
        event: Option<String>,
    ) -> Result<Post, Problem> {
        let service = &self.parlor.service;
        service.meet(&guest.id, &guest.name).await?;
        let number = self
            .feed
            .say(Draft {
                at: service.now(),
                place: FeedPlace::Room(room),
                author: Some(guest.id.clone()),
                key: event.map(|event| format!("said {event}")),
                message: Message::text(Text(vec![Inline::Plain(line.to_owned())])),
            })
            .await?;
        let entry = self.feed.find(number)?.ok_or_else(Problem::no_such_message)?;
        Ok(wire::entry(service, &entry))
    }

    /// The room in which a button was pressed, if the message is in one. A button that the message
    /// doesn't have can't be pressed; of an answer that is forgotten nobody knows.
    fn pressed_in(&self, id: &str, command: &str, guest: &Guest) -> Result<Option<RoomId>, Problem> {
        let (room, message) = match id.parse() {
            Ok(number) => {
                let entry = self.feed.find(number)?;
                let entry = entry.filter(|entry| entry.place.is_open_to(Some(&guest.id)));
                let entry = entry.ok_or_else(Problem::no_such_message)?;
                let room = match entry.place {
                    FeedPlace::Room(room) => Some(room),
                    FeedPlace::Guest(_) => None,
                };
                (room, entry.message)
            }
            Err(_) => match self.replies.find(id, &guest.id) {
                Some(answer) => (answer.room, answer.message),
                None => return Ok(None),
            },
        };
        let has = |buttons: &[Button]| buttons.iter().any(|button| button.command == command);
        if has(&message.buttons) || has(&message.menu) {
            Ok(room)
        } else {
            Err(Problem::no_such_button())
        }
    }
}

#[derive(Deserialize)]
struct Typed {
    room: Option<String>,
    #[serde(default)]
    line: String,
}

async fn suggest(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    Asked(typed): Asked<Typed>,
) -> Result<Json<Value>, Problem> {
    let room = match &typed.room {
        Some(name) => Some(room_id(&local.rooms.find(name)?)),
        None => None,
    };
    if typed.line.chars().count() > LONGEST_LINE {
        return Err(Problem::too_long(LONGEST_LINE));
    }
    // Whom a mention may mean is known here; the rest is the parlor's business.
    let start = typed.line.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let (before, word) = typed.line.split_at(start.min(typed.line.len()));
    let suggestions = match word.strip_prefix('@') {
        Some(name) => {
            let names = local.guests.names(name, MOST);
            let names = names.into_iter().filter(|name| *name != guest.name);
            names
                .map(|name| Suggestion {
                    line: format!("{before}@{name} "),
                    label: format!("@{name}"),
                    help: String::new(),
                })
                .collect()
        }
        None => local.parlor.suggest(&guest.id, room.as_ref(), &typed.line),
    };
    Ok(Json(json!({ "suggestions": suggestions })))
}

#[derive(Deserialize)]
struct Wanted {
    room: Option<String>,
    after: Option<u64>,
    before: Option<u64>,
    limit: Option<usize>,
    /// Whether private messages are wanted: `only`, `no`, or as well.
    private: Option<String>,
}

async fn messages(
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
    if private == "only" && guest.is_none() {
        return Err(Problem::no_token());
    }
    if private != "only" {
        let rooms = match &wanted.room {
            Some(name) => vec![local.rooms.find(name)?],
            None => local.rooms.names(),
        };
        places.extend(rooms.iter().map(|name| FeedPlace::Room(room_id(name))));
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
struct From {
    after: Option<u64>,
}

async fn stream(
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

#[derive(Deserialize)]
struct Look {
    theme: Option<String>,
}

async fn picture(
    State(local): State<Arc<Local>>,
    Reader(guest): Reader,
    Path(name): Path<String>,
    Asked(look): Asked<Look>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = name.strip_suffix(".png").ok_or_else(Problem::no_such_picture)?;
    let mut picture = local
        .picture_of(id, guest.as_ref())?
        .ok_or_else(Problem::no_such_picture)?;
    if let Some(theme) = look.theme {
        let theme = theme
            .parse()
            .map_err(|error| Problem::bad_query(format!("{error}")))?;
        picture.theme = ThemeName(theme);
    }
    let tag = Pictures::tag(&picture)?;
    let quoted = format!("\"{tag}\"");
    let known = headers.get(IF_NONE_MATCH);
    let about = [(ETAG, quoted.as_str()), (CACHE_CONTROL, "private, no-cache")];
    if known.is_some_and(|known| known.as_bytes() == quoted.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let png = local.pictures.draw(&local.parlor, &tag, picture).await?;
    Ok((about, [(CONTENT_TYPE, "image/png")], png).into_response())
}

impl Local {
    /// The picture of a message or an answer that this reader may see.
    fn picture_of(&self, id: &str, guest: Option<&Guest>) -> Result<Option<Picture>, Problem> {
        let reader = guest.map(|guest| &guest.id);
        let Ok(number) = id.parse() else {
            let answer = reader.and_then(|reader| self.replies.find(id, reader));
            return Ok(answer.and_then(|answer| answer.message.picture));
        };
        let entry = self.feed.find(number)?;
        let entry = entry.filter(|entry| entry.place.is_open_to(reader));
        Ok(entry.and_then(|entry| entry.message.picture))
    }
}
