//! Requests that can't be answered: a status, and a sentence with the way out.

use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::names::LONGEST_NAME;
use super::rooms::LONGEST_ROOM;
use crate::chat::refusals::BROKEN;
use crate::matches::port::Fault;

/// What is wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("A name has 1 to {LONGEST_NAME} characters.")]
    NameLength,
    #[error("Use one word. It can't start with @, #, / or !.")]
    NameLetters,
    #[error("That word means something else here. Pick another name.")]
    NameReserved,
    #[error(
        "The name {0} is taken. If it's yours, go on in the browser you began in; otherwise pick another name."
    )]
    NameTaken(String),
    #[error("That looks too much like {0}, who is here already. Pick another name.")]
    NameAlike(String),
    #[error("The house is full. Ask whoever runs it to make space, or come back later.")]
    HouseFull,
    #[error("A room's name has 1 to {LONGEST_ROOM} letters, digits, hyphens or underscores.")]
    RoomName,
    #[error("There's no space for another room. Use one of the rooms there are.")]
    TooManyRooms,
    #[error("There's no such room. POST /api/rooms makes one.")]
    NoSuchRoom,
    #[error("Say who you are: send the token from POST /api/guests as `Authorization: Bearer TOKEN`.")]
    NoToken,
    #[error("I don't know this token. Come in again with POST /api/guests.")]
    WrongToken,
    #[error("I don't have that message any more, or it isn't for you. Type the command instead.")]
    NoSuchMessage,
    #[error("That message has no such button.")]
    NoSuchButton,
    #[error("There's no match with that code.")]
    NoSuchMatch,
    #[error("There's no such picture, or it isn't for you.")]
    NoSuchPicture,
    #[error("There's nothing here. The room is at /, and what scripts can ask is at /api.")]
    NoSuchPage,
    #[error("That method doesn't work here. GET /api lists what you can ask, and how.")]
    WrongMethod,
    #[error("That message is empty.")]
    SaidNothing,
    #[error("That is too long: at most {0} characters.")]
    TooLong(usize),
    #[error("That is too large to read.")]
    TooLarge,
    #[error("That took too long to arrive. Send it again.")]
    TooSlow,
    #[error("That's too fast for me. Try again in {}.", seconds(.0))]
    TooFast(Duration),
    #[error("This room is open in too many places. Close a tab or two, then try again.")]
    TooManyStreams,
    #[error("Send JSON, with `Content-Type: application/json`.")]
    NotJson,
    #[error("I can't read that: {0}.")]
    BadJson(serde_json::Error),
    #[error("I can't read what follows the `?`: {0}.")]
    BadQuery(String),
    #[error("This room answers only to its own machine: use http://localhost or http://127.0.0.1.")]
    ForeignHost,
    #[error("Another site's page can't act in this room.")]
    ForeignOrigin,
    #[error("{BROKEN}")]
    Broken,
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        tracing::error!(error = %fault, "local: could not answer a request");
        Self::Broken
    }
}

impl Problem {
    const fn status(&self) -> StatusCode {
        match self {
            Self::NameLength
            | Self::NameLetters
            | Self::NameReserved
            | Self::RoomName
            | Self::SaidNothing
            | Self::TooLong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NameTaken(_) | Self::NameAlike(_) | Self::TooManyRooms => StatusCode::CONFLICT,
            Self::HouseFull => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooFast(_) | Self::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            Self::NoToken | Self::WrongToken => StatusCode::UNAUTHORIZED,
            Self::NoSuchRoom
            | Self::NoSuchMessage
            | Self::NoSuchButton
            | Self::NoSuchMatch
            | Self::NoSuchPicture
            | Self::NoSuchPage => StatusCode::NOT_FOUND,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BadJson(_) | Self::BadQuery(_) => StatusCode::BAD_REQUEST,
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let answer = (status, axum::Json(json!({ "error": self.to_string() })));
        match self {
            Self::NoToken | Self::WrongToken => ([(WWW_AUTHENTICATE, "Bearer")], answer).into_response(),
            Self::TooFast(wait) => {
                let wait = whole_seconds(&wait).to_string();
                ([(RETRY_AFTER, wait)], answer).into_response()
            }
            // Whoever wants so many connections shall not keep this one.
            Self::TooManyStreams => ([(RETRY_AFTER, "5"), (CONNECTION, "close")], answer).into_response(),
            Self::TooSlow => ([(CONNECTION, "close")], answer).into_response(),
            _ => answer.into_response(),
        }
    }
}

/// Whole seconds, at least one: a little more than the wait.
const fn whole_seconds(wait: &Duration) -> u64 {
    wait.as_secs() + 1
}

fn seconds(wait: &Duration) -> String {
    match whole_seconds(wait) {
        1 => "a second".to_owned(),
        many => format!("{many} seconds"),
    }
}
