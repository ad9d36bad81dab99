//! What went wrong with a request, and what that means.

use std::time::Duration;

use serenity::http::{ErrorResponse, HttpError, StatusCode};

use crate::chat::outbox::PostError;
use crate::matches::port::Fault;

/// Discord's own numbers for what went wrong.
pub mod code {
    pub const UNKNOWN_MEMBER: isize = 10007;
    pub const UNKNOWN_INTERACTION: isize = 10062;
    /// Private talks are opened faster than Discord likes. It is no word about the user, and says nothing of how long to wait.
    pub const TOO_MANY_TALKS: isize = 40003;
    /// Somebody has answered this interaction already.
    pub const ANSWERED: isize = 40060;
    pub const MISSING_ACCESS: isize = 50001;
    pub const CLOSED_DMS: isize = 50007;
    pub const MISSING_PERMISSIONS: isize = 50013;
    /// The token of an interaction has run out; the bot's own is fine.
    pub const BAD_WEBHOOK_TOKEN: isize = 50027;
    pub const ARCHIVED_THREAD: isize = 50083;
    pub const NO_COMMON_SERVER: isize = 50278;
    /// The message has a thread already.
    pub const THREAD_EXISTS: isize = 160_004;
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscordError {
    #[error("Discord does not accept the bot's token")]
    Revoked,
    #[error("it is gone: {message} ({code})")]
    Gone { code: isize, message: String },
    #[error("{} ({code})", forbidden(*code, message))]
    Forbidden { code: isize, message: String },
    /// What we asked for makes no sense to Discord: our own mistake.
    #[error("Discord refuses it: {message} ({status}, {code})")]
    Refused {
        status: u16,
        code: isize,
        message: String,
    },
    #[error("{why}")]
    Later { why: String, after: Option<Duration> },
    #[error("Discord wants fewer private talks to be opened at a time")]
    TooManyTalks,
}

/// How long somebody waits to whom nothing could be written because of that, unless it is known better.
const TALKS_REST: Duration = Duration::from_secs(60);

/// What is not allowed, in words for the operator.
fn forbidden(code: isize, message: &str) -> String {
    match code {
        code::MISSING_ACCESS => {
            "the bot can't see this channel: it lacks View Channel, or was removed".to_owned()
        }
        code::MISSING_PERMISSIONS => {
            "the bot lacks a permission here: Send Messages, Embed Links or Attach Files".to_owned()
        }
        code::CLOSED_DMS | code::NO_COMMON_SERVER => "this user takes no private messages".to_owned(),
        _ => format!("the bot may not do that: {message}"),
    }
}

impl DiscordError {
    pub fn later(why: impl Into<String>) -> Self {
        Self::Later {
            why: why.into(),
            after: None,
        }
    }

    /// Discord's number for it.
    pub const fn code(&self) -> Option<isize> {
        match self {
            Self::Gone { code, .. } | Self::Forbidden { code, .. } | Self::Refused { code, .. } => {
                Some(*code)
            }
            Self::Revoked | Self::Later { .. } | Self::TooManyTalks => None,
        }
    }

    /// Whether the same may work another time, for all that is known. A token may be put right again.
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Revoked | Self::Later { .. } | Self::TooManyTalks => true,
            Self::Gone { .. } | Self::Forbidden { .. } | Self::Refused { .. } => false,
        }
    }

    /// Discord wants us to come again after a while.
    pub fn put_off(after: Duration) -> Self {
        Self::Later {
            why: "too many requests".to_owned(),
            after: Some(after),
        }
    }

    pub fn answered(error: ErrorResponse) -> Self {
        let code = error.error.code;
        let message = HttpError::UnsuccessfulRequest(error.clone()).to_string();
        // What these say they say under any status.
        match code {
            code::TOO_MANY_TALKS => return Self::TooManyTalks,
            code::CLOSED_DMS | code::NO_COMMON_SERVER => return Self::Forbidden { code, message },
            _ => {}
        }
        match error.status_code {
            StatusCode::UNAUTHORIZED if code != code::BAD_WEBHOOK_TOKEN => Self::Revoked,
            StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND => Self::Gone { code, message },
            StatusCode::FORBIDDEN => Self::Forbidden { code, message },
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Self::later("too many requests"),
            status if status.is_server_error() => Self::later(format!("Discord answers {status}")),
            status => Self::Refused {
                status: status.as_u16(),
                code,
                message,
            },
        }
    }
}

impl From<serenity::Error> for DiscordError {
    fn from(error: serenity::Error) -> Self {
        match error {
            serenity::Error::Http(HttpError::UnsuccessfulRequest(answer)) => Self::answered(answer),
            serenity::Error::Http(HttpError::Request(error)) => Self::from(error),
            serenity::Error::Http(HttpError::InvalidHeader(_)) => Self::Revoked,
            other => Self::later(other.to_string()),
        }
    }
}

impl From<reqwest::Error> for DiscordError {
    fn from(error: reqwest::Error) -> Self {
        // Its words may hold an address with a token in it.
        let why = innermost(&error.without_url());
        Self::later(format!("Discord can't be reached: {why}"))
    }
}

/// What is at the bottom of an error.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

impl From<Fault> for DiscordError {
    fn from(fault: Fault) -> Self {
        Self::later(fault.to_string())
    }
}

impl From<DiscordError> for PostError {
    fn from(error: DiscordError) -> Self {
        let why = error.to_string();
        match error {
            // A token may be put right again; until then everything waits.
            DiscordError::Revoked => Self::Later { why, after: None },
            DiscordError::Gone { .. } | DiscordError::Forbidden { .. } | DiscordError::Refused { .. } => {
                Self::Never { why }
            }
            DiscordError::Later { why, after } => Self::Later { why, after },
            DiscordError::TooManyTalks => Self::Later {
                why,
                after: Some(TALKS_REST),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, code: isize) -> DiscordError {
        // The type can't be built outside its crate, so it is made the way the crate makes it.
        let body = serde_json::json!({ "code": code, "message": "No." }).to_string();
        let answer = axum::http::Response::builder().status(status).body(body).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        DiscordError::answered(runtime.block_on(ErrorResponse::from_response(
            reqwest::Response::from(answer),
            reqwest::Method::POST,
        )))
    }

    #[test]
    fn closed_dms_and_too_many_talks_are_told_apart_under_any_status() {
        for status in [400, 403, 429] {
            let too_many = answered(status, code::TOO_MANY_TALKS);
            assert_eq!(too_many, DiscordError::TooManyTalks, "{status}");
            // Whoever keeps the order of deliveries is told when to come again: Discord itself is there.
            assert!(
                matches!(PostError::from(too_many), PostError::Later { after: Some(_), .. }),
                "{status}"
            );
            for closed in [code::CLOSED_DMS, code::NO_COMMON_SERVER] {
                let error = answered(status, closed);
                assert!(
                    matches!(error, DiscordError::Forbidden { code, .. } if code == closed),
                    "{status}: {error}"
                );
            }
        }
    }

    #[test]
    fn what_can_pass_is_tried_again_and_nothing_else() {
        for (status, code) in [(500, 0), (503, 0), (429, 0)] {
            assert!(
                matches!(answered(status, code), DiscordError::Later { .. }),
                "{status}"
            );
        }
        assert_eq!(answered(401, 0), DiscordError::Revoked);
        assert!(matches!(
            answered(401, code::BAD_WEBHOOK_TOKEN),
            DiscordError::Gone { .. }
        ));
        assert!(matches!(answered(404, 10003), DiscordError::Gone { .. }));
        assert!(matches!(
            PostError::from(answered(403, code::MISSING_PERMISSIONS)),
            PostError::Never { why } if why.contains("Send Messages")
        ));
        assert!(matches!(
            PostError::from(answered(400, 50035)),
            PostError::Never { .. }
        ));
    }
}
