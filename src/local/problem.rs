//! Requests that can't be answered: a status, and a sentence with the way out.

use axum::http::StatusCode;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::guests::LONGEST_NAME;
use super::rooms::LONGEST_ROOM;
use crate::chat::refusals::BROKEN;
use crate::matches::port::Fault;

/// What is wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("A name has 1 to {LONGEST_NAME} characters.")]
    NameLength,
    #[error(
        "A name is one word of characters that can be seen, and it can't be `me` or begin with @, #, / or !."
    )]
    NameLetters,
    #[error(
        "Somebody is called {0} already. If it is you, go on in the browser you began in; else take another name."
    )]
    NameTaken(String),
    #[error("A room's name has 1 to {LONGEST_ROOM} letters, digits, hyphens or underscores.")]
    RoomName,
    #[error("There are as many rooms as this house has. Use one of them.")]
    TooManyRooms,
    #[error("There is no such room. POST /api/rooms makes one.")]
    NoSuchRoom,
    #[error("Say who you are: send the token from POST /api/guests as `Authorization: Bearer TOKEN`.")]
    NoToken,
    #[error("I don't know this token. Come in again with POST /api/guests.")]
    WrongToken,
    #[error("There is no such message for you.")]
    NoSuchMessage,
    #[error("That message has no such button.")]
    NoSuchButton,
    #[error("There is no such picture for you.")]
    NoSuchPicture,
    #[error("There is nothing here. The room is at /, what scripts can ask at /api.")]
    NoSuchPage,
    #[error("This can't be asked with that method. GET /api lists what can be asked, and how.")]
    WrongMethod,
    #[error("That says nothing.")]
    SaidNothing,
    #[error("That is too long: at most {0} characters.")]
    TooLong(usize),
    #[error("That is too large to read.")]
    TooLarge,
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
            Self::NameLength | Self::NameLetters | Self::RoomName | Self::SaidNothing | Self::TooLong(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::NameTaken(_) | Self::TooManyRooms => StatusCode::CONFLICT,
            Self::NoToken | Self::WrongToken => StatusCode::UNAUTHORIZED,
            Self::NoSuchRoom
            | Self::NoSuchMessage
            | Self::NoSuchButton
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
        if status == StatusCode::UNAUTHORIZED {
            ([(WWW_AUTHENTICATE, "Bearer")], answer).into_response()
        } else {
            answer.into_response()
        }
    }
}
