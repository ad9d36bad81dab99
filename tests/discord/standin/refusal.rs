//! How the stand-in says no.

use serde_json::{Value, json};

/// An error answer of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    pub code: i64,
    pub message: String,
}

/// A refusal that needs no further words.
macro_rules! known {
    ($($name:ident = $status:literal, $code:literal, $message:literal;)*) => {
        impl Refusal {
            $(pub const $name: Known = Known { status: $status, code: $code, message: $message };)*
        }
    };
}

/// A refusal that is always worded alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub status: u16,
    pub code: i64,
    pub message: &'static str,
}

known! {
    UNAUTHORIZED = 401, 0, "401: Unauthorized";
    NOT_FOUND = 404, 0, "404: Not Found";
    UNKNOWN_CHANNEL = 404, 10003, "Unknown Channel";
    UNKNOWN_GUILD = 404, 10004, "Unknown Guild";
    UNKNOWN_MEMBER = 404, 10007, "Unknown Member";
    UNKNOWN_MESSAGE = 404, 10008, "Unknown Message";
    UNKNOWN_USER = 404, 10013, "Unknown User";
    UNKNOWN_WEBHOOK = 404, 10015, "Unknown Webhook";
    UNKNOWN_INTERACTION = 404, 10062, "Unknown interaction";
    UNKNOWN_COMMAND = 404, 10063, "Unknown application command";
    TOO_MANY_TALKS = 403, 40003, "You are opening direct messages too fast.";
    ALREADY_ACKNOWLEDGED = 400, 40060, "Interaction has already been acknowledged.";
    MISSING_ACCESS = 403, 50001, "Missing Access";
    NOT_YOURS = 403, 50005, "Cannot edit a message authored by another user";
    EMPTY_MESSAGE = 400, 50006, "Cannot send an empty message";
    CLOSED_DMS = 403, 50007, "Cannot send messages to this user";
    MISSING_PERMISSIONS = 403, 50013, "Missing Permissions";
    INVALID_WEBHOOK_TOKEN = 401, 50027, "Invalid Webhook Token";
    ARCHIVED = 400, 50083, "Thread is archived";
    THREAD_EXISTS = 400, 160_004, "A thread has already been created for this message";
}

impl From<Known> for Refusal {
    fn from(known: Known) -> Self {
        Self {
            status: known.status,
            code: known.code,
            message: known.message.to_owned(),
        }
    }
}

impl Refusal {
    /// A body that breaks a limit: which field, and how.
    pub fn form(field: impl Into<String>, why: impl AsRef<str>) -> Self {
        Self {
            status: 400,
            code: 50035,
            message: format!("Invalid Form Body: {}: {}", field.into(), why.as_ref()),
        }
    }

    pub fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}
