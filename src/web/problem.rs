//! What may be wrong with a request to any page of ours: a status, and a sentence with the way out.

use std::time::Duration;

use axum::http::header::{CONNECTION, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::touching::MOST_TOUCHES;
use crate::chat::refusals::BROKEN;
use crate::matches::port::Fault;

/// What is wrong with a request.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("There's no such picture, or it isn't for you.")]
    NoSuchPicture,
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
    #[error("That is too long: at most {0} characters.")]
    TooLong(usize),
    #[error("These are too many touches: a move has {MOST_TOUCHES} at most.")]
    TooManyTouches,
    #[error(
        "This link doesn't open the match, or no longer does. Ask me for another one in the chat, with `link`."
    )]
    NotYours,
    #[error("There's nothing here.")]
    NothingHere,
    #[error("That doesn't work here.")]
    WrongMethod,
    #[error("These pages have another address.")]
    ForeignHost,
    #[error("Another site's page can't act here.")]
    ForeignOrigin,
    #[error("{BROKEN}")]
    Broken,
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        tracing::error!(error = %fault, "web: could not answer a request");
        Self::Broken
    }
}

impl Problem {
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::NoSuchPicture | Self::NothingHere => StatusCode::NOT_FOUND,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooFast(_) | Self::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BadJson(_) | Self::BadQuery(_) => StatusCode::BAD_REQUEST,
            Self::TooLong(_) | Self::TooManyTouches => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NotYours => StatusCode::UNAUTHORIZED,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What a browser is told besides: when to come again, and whether to keep the connection.
    pub fn about(&self) -> HeaderMap {
        let mut about = HeaderMap::new();
        let wait = match self {
            Self::TooFast(wait) => Some(whole_seconds(wait)),
            Self::TooManyStreams => Some(5),
            _ => None,
        };
        if let Some(wait) = wait {
            about.insert(RETRY_AFTER, HeaderValue::from(wait));
        }
        // Whoever wants so many connections shall not keep this one.
        if matches!(self, Self::TooManyStreams | Self::TooSlow) {
            about.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        about
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let words = axum::Json(json!({ "error": self.to_string() }));
        (self.status(), self.about(), words).into_response()
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
