//! Lines: said, pressed as a button, or on the way to be.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};

use super::asker::Asker;
use crate::chat::message::{Button, Inline, Message, Text};
use crate::chat::parlor::{Input, Request};
use crate::chat::suggest::{MOST, Suggestion};
use crate::connections::Visit;
use crate::local::Local;
use crate::local::feed::{FeedPlace, NewMessage};
use crate::local::guests::Guest;
use crate::local::problem::RoomProblem;
use crate::local::wire::{self, Post};
use crate::matches::people::RoomId;
use crate::web::rates::Activity;
use crate::web::request::{Body, UrlQuery, locale};

/// The longest line, in characters.
const LONGEST_LINE: usize = 2000;

/// The longest event id of a client, in characters.
const LONGEST_EVENT: usize = 100;

/// A line that begins so is talk, whatever it says.
const ALOUD: [char; 2] = ['"', '“'];

#[derive(Deserialize)]
pub struct Said {
    room: String,
    text: String,
    event: Option<String>,
}

pub async fn say(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
    headers: HeaderMap,
    Body(said): Body<Said>,
) -> Result<Json<Value>, RoomProblem> {
    local
        .rates
        .take(Activity::Say, Some(guest.id.as_str()), visit.address)?;
    let room = local.rooms.find(&said.room)?;
    let line = check_line(&said.text)?;
    let event = event_id(&guest, said.event)?;
    if let Some(talk) = line.strip_prefix(ALOUD) {
        let talk = check_line(talk.trim_end_matches(['"', '”']))?;
        let post = local.say_aloud(&guest, room, talk, event).await?;
        return Ok(Json(json!({ "said": post, "reply": null })));
    }
    let request = local.request(
        &guest,
        Some(room.clone()),
        event.clone(),
        local.typed(line),
        &headers,
    );
    if !local.parlor.is_talk(&request) {
        let reply = local.answer(request, line, None).await?;
        return Ok(Json(json!({ "said": null, "reply": reply })));
    }
    // Talk that may have been meant as a command is answered too. That is a hint to whoever asked, and not worth telling
    // their other tabs.
    let said = local.say_aloud(&guest, room, line, event).await?;
    if !local.parlor.is_worth_an_answer(&request) {
        return Ok(Json(json!({ "said": said, "reply": null })));
    }
    let hint = local.ask(request, line, None).await?;
    Ok(Json(json!({ "said": said, "reply": hint })))
}

#[derive(Deserialize)]
pub struct Pressed {
    message: String,
    command: String,
    /// Where the guest is, if the message is in no room.
    room: Option<String>,
    event: Option<String>,
}

pub async fn press(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
    headers: HeaderMap,
    Body(pressed): Body<Pressed>,
) -> Result<Json<Value>, RoomProblem> {
    local
        .rates
        .take(Activity::Say, Some(guest.id.as_str()), visit.address)?;
    let line = check_line(&pressed.command)?;
    let here = pressed.room.map(|name| local.rooms.find(&name)).transpose()?;
    let room = local.pressed_in(&pressed.message, line, &guest)?.or(here);
    let event = event_id(&guest, pressed.event)?;
    let request = local.request(&guest, room, event, local.typed(line), &headers);
    let reply = local.answer(request, line, Some(pressed.message)).await?;
    Ok(Json(json!({ "reply": reply })))
}

fn check_line(text: &str) -> Result<&str, RoomProblem> {
    let line = text.trim();
    if line.is_empty() {
        return Err(RoomProblem::SaidNothing);
    }
    check_length(line, LONGEST_LINE)?;
    Ok(line)
}

fn check_length(text: &str, longest: usize) -> Result<(), RoomProblem> {
    if text.chars().count() > longest {
        return Err(RoomProblem::TooLong(longest));
    }
    Ok(())
}

/// A client's event id, which counts for this guest only.
fn event_id(guest: &Guest, event: Option<String>) -> Result<Option<String>, RoomProblem> {
    let Some(event) = event else {
        return Ok(None);
    };
    check_length(&event, LONGEST_EVENT)?;
    Ok(Some(format!("{} {event}", guest.id)))
}

impl Local {
    /// A line of a guest, who may name the others.
    fn typed(&self, line: &str) -> Input {
        Input::line(line, self.guests.as_ref())
    }

    /// What a guest says, as the parlor hears it.
    pub(super) fn request(
        &self,
        guest: &Guest,
        room: Option<RoomId>,
        event: Option<String>,
        input: Input,
        headers: &HeaderMap,
    ) -> Request {
        Request {
            who: guest.id.clone(),
            name: guest.name.clone(),
            room,
            about: None,
            gone: Vec::new(),
            locale: locale(headers),
            event,
            input,
        }
    }

    /// Puts what a guest says into the room.
    async fn say_aloud(
        &self,
        guest: &Guest,
        room: RoomId,
        line: &str,
        event: Option<String>,
    ) -> Result<Post, RoomProblem> {
        let service = &self.parlor.service;
        service.meet(&guest.id, &guest.name).await?;
        let draft = NewMessage {
            at: service.now(),
            place: FeedPlace::Room(room),
            author: Some(guest.id.clone()),
            key: event.map(|event| format!("said {event}")),
            sheet: None,
            message: Message::text(Text(vec![Inline::Plain(line.to_owned())])),
        };
        let number = self.feed.say(draft).await?;
        let entry = self.feed.find(number)?.ok_or(RoomProblem::NoSuchMessage)?;
        Ok(wire::entry(service, &entry))
    }

    /// The room in which a button was pressed, if the message is in one. A button that the message
    /// doesn't have can't be pressed; of an answer that is forgotten nobody knows.
    fn pressed_in(&self, id: &str, command: &str, guest: &Guest) -> Result<Option<RoomId>, RoomProblem> {
        let (room, message) = if let Ok(number) = id.parse() {
            let entry = self.feed.find_for(number, Some(&guest.id))?;
            let entry = entry.ok_or(RoomProblem::NoSuchMessage)?;
            let room = match entry.place {
                FeedPlace::Room(room) => Some(room),
                FeedPlace::Guest(_) => None,
            };
            (room, entry.message)
        } else if let Some(answer) = self.replies.find(id, &guest.id) {
            (answer.room, answer.message)
        } else {
            return Ok(None);
        };
        let is_meant = |button: &Button| button.command == command;
        if message.buttons.iter().chain(&message.menu).any(is_meant) {
            Ok(room)
        } else {
            Err(RoomProblem::NoSuchButton)
        }
    }
}

#[derive(Deserialize)]
pub struct TypedLine {
    room: Option<String>,
    #[serde(default)]
    line: String,
}

pub async fn suggest(
    State(local): State<Arc<Local>>,
    Asker(guest): Asker,
    visit: Visit,
    UrlQuery(typed): UrlQuery<TypedLine>,
) -> Result<Json<Value>, RoomProblem> {
    local
        .rates
        .take(Activity::Say, Some(guest.id.as_str()), visit.address)?;
    let room = typed.room.map(|name| local.rooms.find(&name)).transpose()?;
    check_length(&typed.line, LONGEST_LINE)?;
    // Whom a mention may mean is known here; the rest is the parlor's business.
    let before = typed
        .line
        .trim_end_matches(|letter: char| !letter.is_whitespace());
    let word = typed.line.strip_prefix(before).unwrap_or_default();
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
