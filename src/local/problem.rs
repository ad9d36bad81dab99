//! Requests that can't be answered: a status, and a sentence with the way out.

use axum::http::StatusCode;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::names::LONGEST_NAME;
use super::rooms::LONGEST_ROOM;
use crate::matches::port::Fault;
use crate::web;

/// What is wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum RoomProblem {
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
    #[error(
        "There's no space for another guest. Ask whoever runs this room to make some, or come back later."
    )]
    TooManyGuests,
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
    #[error("I no longer have that message, or it isn't for you. Type the command instead.")]
    NoSuchMessage,
    #[error("That message has no such button.")]
    NoSuchButton,
    #[error("There's no match with that code.")]
    NoSuchMatch,
    #[error("There's nothing here. The room is at /, and what scripts can ask is at /api.")]
    NoSuchPage,
    #[error("That method doesn't work here. GET /api lists what you can ask, and how.")]
    WrongMethod,
    #[error("That message is empty.")]
    SaidNothing,
    #[error("That is too long: at most {0} characters.")]
    TooLong(usize),
    #[error("This room answers only to its own machine: use http://localhost or http://127.0.0.1.")]
    ForeignHost,
    #[error("Another site's page can't act in this room.")]
    ForeignOrigin,
    /// What may be wrong on every page of ours.
    #[error(transparent)]
    Shared(#[from] web::problem::Problem),
}

impl From<Fault> for RoomProblem {
    fn from(fault: Fault) -> Self {
        Self::Shared(fault.into())
    }
}

impl RoomProblem {
    const fn status(&self) -> StatusCode {
        match self {
            Self::NameLength
            | Self::NameLetters
            | Self::NameReserved
            | Self::RoomName
            | Self::SaidNothing
            | Self::TooLong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NameTaken(_) | Self::NameAlike(_) | Self::TooManyRooms => StatusCode::CONFLICT,
            Self::TooManyGuests => StatusCode::SERVICE_UNAVAILABLE,
            Self::NoToken | Self::WrongToken => StatusCode::UNAUTHORIZED,
            Self::NoSuchRoom
            | Self::NoSuchMessage
            | Self::NoSuchButton
            | Self::NoSuchMatch
            | Self::NoSuchPage => StatusCode::NOT_FOUND,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::Shared(problem) => problem.status(),
        }
    }
}

impl IntoResponse for RoomProblem {
    fn into_response(self) -> Response {
        let status = self.status();
        let answer = (status, axum::Json(json!({ "error": self.to_string() })));
        match self {
            Self::NoToken | Self::WrongToken => ([(WWW_AUTHENTICATE, "Bearer")], answer).into_response(),
            Self::Shared(problem) => problem.into_response(),
            _ => answer.into_response(),
        }
    }
}
