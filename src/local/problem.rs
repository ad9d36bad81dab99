//! Requests that can't be answered: a status, and a sentence with the way out.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::guests::LONGEST_NAME;
use super::rooms::LONGEST_ROOM;
use crate::chat::refusals::BROKEN;
use crate::matches::port::Fault;

/// What is wrong with a request.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    sentence: String,
}

impl Problem {
    fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self {
            status,
            sentence: sentence.into(),
        }
    }

    pub fn name_length() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("A name has 1 to {LONGEST_NAME} characters."),
        )
    }

    pub fn name_letters() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "A name is one word of characters that can be seen, and it can't be `me` or begin with @, #, / or !.",
        )
    }

    pub fn name_taken(name: &str) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            format!(
                "Somebody is called {name} already. If it is you, go on in the browser you began in; else take another name."
            ),
        )
    }

    pub fn room_name() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("A room's name has 1 to {LONGEST_ROOM} letters, digits, hyphens or underscores."),
        )
    }

    pub fn too_many_rooms() -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "There are as many rooms as this house has. Use one of them.",
        )
    }

    pub fn no_such_room() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "There is no such room. POST /api/rooms makes one.",
        )
    }

    pub fn no_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "Say who you are: send the token from POST /api/guests as `Authorization: Bearer TOKEN`.",
        )
    }

    pub fn wrong_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "I don't know this token. Come in again with POST /api/guests.",
        )
    }

    pub fn no_such_message() -> Self {
        Self::new(StatusCode::NOT_FOUND, "There is no such message for you.")
    }

    pub fn no_such_button() -> Self {
        Self::new(StatusCode::NOT_FOUND, "That message has no such button.")
    }

    pub fn no_such_picture() -> Self {
        Self::new(StatusCode::NOT_FOUND, "There is no such picture for you.")
    }

    pub fn no_such_page() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "There is nothing here. The room is at /, what scripts can ask at /api.",
        )
    }

    pub fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "This can't be asked with that method. GET /api lists what can be asked, and how.",
        )
    }

    pub fn said_nothing() -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "That says nothing.")
    }

    pub fn too_long(most: usize) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("That is too long: at most {most} characters."),
        )
    }

    pub fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "That is too large to read.")
    }

    pub fn not_json() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Send JSON, with `Content-Type: application/json`.",
        )
    }

    pub fn bad_json(error: &serde_json::Error) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("I can't read that: {error}."))
    }

    pub fn bad_query(error: impl std::fmt::Display) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            format!("I can't read what follows the `?`: {error}."),
        )
    }

    pub fn foreign_host() -> Self {
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "This room answers only to its own machine: use http://localhost or http://127.0.0.1.",
        )
    }

    pub fn foreign_origin() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "Another site's page can't act in this room.",
        )
    }

    pub fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, BROKEN)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        tracing::error!(%fault, "a request to the local room failed");
        Self::broken()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = axum::Json(json!({ "error": self.sentence }));
        let mut response = (self.status, body).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(
                axum::http::header::WWW_AUTHENTICATE,
                axum::http::HeaderValue::from_static("Bearer"),
            );
        }
        response
    }
}
