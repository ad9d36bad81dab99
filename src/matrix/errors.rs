//! What goes wrong between us and a homeserver, and whether it passes.

use std::time::Duration;

use matrix_sdk::ruma::api::error::{ErrorKind, FromHttpResponseError, RetryAfter};
use matrix_sdk::{Error, HttpError};

use crate::backoff::Backoff;
use crate::chat::link::LinkError;
use crate::chat::outbox::PostError;
use crate::matches::port::Fault;

/// Something that did not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatrixError {
    /// It may work later: somebody has to come first, or the homeserver wants us to wait.
    Passing { why: String, after: Option<Duration> },
    /// The homeserver can't be reached, or does not work.
    Away { why: String },
    /// The homeserver says no, and will say so again.
    Refused { why: String },
    /// The homeserver doesn't know our session any more.
    LoggedOut,
}

impl From<Error> for MatrixError {
    fn from(error: Error) -> Self {
        match &error {
            Error::Http(http) => Self::from_http(http),
            // We are not in the room, or not any more.
            Error::WrongRoomState(_) => Self::Refused {
                why: one_line(&error),
            },
            _ => Self::passing(one_line(&error)),
        }
    }
}

impl From<HttpError> for MatrixError {
    fn from(error: HttpError) -> Self {
        Self::from_http(&error)
    }
}

impl From<Fault> for MatrixError {
    fn from(fault: Fault) -> Self {
        Self::passing(fault.to_string())
    }
}

impl MatrixError {
    /// How long the homeserver wants us to wait, if it says so.
    pub const fn after(&self) -> Option<Duration> {
        match self {
            Self::Passing { after, .. } => *after,
            Self::Away { .. } | Self::Refused { .. } | Self::LoggedOut => None,
        }
    }

    pub const fn passing(why: String) -> Self {
        Self::Passing { why, after: None }
    }

    fn from_http(error: &HttpError) -> Self {
        if let HttpError::Cached(inner) = error {
            return Self::from_http(inner);
        }
        if let HttpError::Api(answer) = error
            && matches!(**answer, FromHttpResponseError::Deserialization(_))
        {
            // Such as a proxy gives whose server is away.
            let why = "it does not answer like a Matrix homeserver".to_owned();
            return Self::Away { why };
        }
        let why = one_line(error);
        let Some(api) = error.as_client_api_error() else {
            return Self::Away { why };
        };
        match api.error_kind() {
            Some(ErrorKind::UnknownToken(_) | ErrorKind::MissingToken) => Self::LoggedOut,
            Some(ErrorKind::LimitExceeded(limit)) => Self::Passing {
                why,
                after: match limit.retry_after {
                    Some(RetryAfter::Delay(delay)) => Some(delay),
                    _ => None,
                },
            },
            _ if api.status_code.is_client_error() && api.status_code.as_u16() != 429 => {
                Self::Refused { why }
            }
            // Whoever stands before it says that it is not there. What breaks inside it may concern one room only.
            _ if matches!(api.status_code.as_u16(), 502..=504) => Self::Away { why },
            _ => Self::passing(why),
        }
    }
}

impl From<MatrixError> for PostError {
    fn from(error: MatrixError) -> Self {
        match error {
            MatrixError::Passing { why, after } => Self::Later { why, after },
            MatrixError::Away { why } => Self::Later { why, after: None },
            MatrixError::Refused { why } => Self::Never { why },
            // Somebody has to log in again; then it can be text.
            MatrixError::LoggedOut => Self::Later {
                why: "the homeserver has ended our session".to_owned(),
                after: None,
            },
        }
    }
}

impl std::fmt::Display for MatrixError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Passing { why, .. } | Self::Away { why } | Self::Refused { why } => f.write_str(why),
            Self::LoggedOut => f.write_str("the homeserver has ended our session"),
        }
    }
}

/// The pauses between tries while the homeserver is away.
pub const fn backoff() -> Backoff {
    Backoff::new(Duration::from_millis(500), Duration::from_secs(60))
}

/// How often something is tried that fails and may pass.
const TRIES: u32 = 8;

/// Tries again while the error may pass, with pauses that grow, or as long as the homeserver says.
pub async fn retry<F: Future<Output = Result<(), MatrixError>>>(act: impl Fn() -> F) -> F::Output {
    let mut pauses = backoff();
    for _ in 1..TRIES {
        match act().await {
            Err(error @ (MatrixError::Passing { .. } | MatrixError::Away { .. })) => {
                tokio::time::sleep(error.after().unwrap_or_else(|| pauses.pause())).await;
            }
            done => return done,
        }
    }
    act().await
}

/// Turns errors into one line for the operator that begins with what was tried.
pub trait OrLinkError<T> {
    fn or_link_error(self, tried: impl std::fmt::Display) -> Result<T, LinkError>;
}

impl<T, E: std::error::Error + 'static> OrLinkError<T> for Result<T, E> {
    fn or_link_error(self, tried: impl std::fmt::Display) -> Result<T, LinkError> {
        self.map_err(|error| LinkError(format!("{tried}: {}", one_line(&error))))
    }
}

/// An error with its innermost cause, in one line.
pub fn one_line(error: &(dyn std::error::Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if inner.source().is_none() && !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = inner.source();
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
