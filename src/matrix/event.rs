//! What was heard in a room: an event of the timeline, as far as it matters here.
//!
//! Events are read from their JSON field by field: the types of ruma refuse a whole message because of one odd field,
//! such as a mention that is no user id. Here an event is at worst one that doesn't matter.

use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedUserId, UserId};
use serde_json::Value;

use super::html;
use crate::matches::code::Code;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomEvent {
    pub id: OwnedEventId,
    pub sender: OwnedUserId,
    /// Milliseconds since 1970, as the sender's homeserver says.
    pub at: u64,
    pub what: EventKind,
}

/// What it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    TextMessage(TextMessage),
    /// Somebody writes a message of theirs anew.
    Edit {
        of: OwnedEventId,
        now: TextMessage,
    },
    Reaction {
        to: OwnedEventId,
        key: String,
    },
    /// Somebody came, went, or was invited; or only changed their name.
    Member {
        who: OwnedUserId,
        membership: MembershipState,
        /// What they were before.
        before: Option<MembershipState>,
    },
    /// The room has been replaced.
    Tombstone,
    /// Who may do what in the room has changed.
    PowerLevels,
    /// Nothing that concerns us: notices, edits, pictures, calls.
    Other,
}

/// A text message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMessage {
    /// The words, with ids in place of mentions.
    pub words: String,
    /// Whom the sender's client says it mentions; older ones don't say.
    pub mentions: Option<Vec<OwnedUserId>>,
    /// The root of the thread it is in.
    pub thread: Option<OwnedEventId>,
    /// The message it answers; not the one that a client without threads is shown instead.
    pub answers: Option<OwnedEventId>,
}

impl RoomEvent {
    /// Reads an event. One without a sender or an id is none.
    pub fn read(event: &Value) -> Option<Self> {
        Some(Self {
            id: EventId::parse(event.get("event_id")?.as_str()?).ok()?,
            sender: UserId::parse(event.get("sender")?.as_str()?).ok()?,
            at: event
                .get("origin_server_ts")
                .and_then(Value::as_u64)
                .unwrap_or_default(),
            what: what(event),
        })
    }
}

fn what(event: &Value) -> EventKind {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    match text("/type").unwrap_or_default() {
        "m.room.message" => match (edited(event), event.get("content").and_then(text_message)) {
            (Some(edit), _) => edit,
            (None, Some(message)) => EventKind::TextMessage(message),
            (None, None) => EventKind::Other,
        },
        "m.reaction" => {
            let to = text("/content/m.relates_to/event_id").and_then(|id| EventId::parse(id).ok());
            match (to, text("/content/m.relates_to/key")) {
                (Some(to), Some(key)) => EventKind::Reaction {
                    to,
                    key: key.to_owned(),
                },
                _ => EventKind::Other,
            }
        }
        "m.room.member" => {
            let who = text("/state_key").and_then(|id| UserId::parse(id).ok());
            match (who, text("/content/membership")) {
                (Some(who), Some(membership)) => EventKind::Member {
                    who,
                    membership: membership.into(),
                    before: text("/unsigned/prev_content/membership").map(MembershipState::from),
                },
                _ => EventKind::Other,
            }
        }
        "m.room.tombstone" if event.get("state_key").is_some() => EventKind::Tombstone,
        "m.room.power_levels" if event.get("state_key").is_some() => EventKind::PowerLevels,
        _ => EventKind::Other,
    }
}

/// What a message is replaced by.
fn edited(event: &Value) -> Option<EventKind> {
    let relation = event.pointer("/content/m.relates_to")?;
    if relation.get("rel_type")?.as_str()? != "m.replace" {
        return None;
    }
    Some(EventKind::Edit {
        of: EventId::parse(relation.get("event_id")?.as_str()?).ok()?,
        now: text_message(event.pointer("/content/m.new_content")?)?,
    })
}

fn text_message(content: &Value) -> Option<TextMessage> {
    let text = |pointer: &str| content.pointer(pointer).and_then(Value::as_str);
    // Other bots speak in notices, and an edit repeats what was said before.
    if text("/msgtype") != Some("m.text") || text("/m.relates_to/rel_type") == Some("m.replace") {
        return None;
    }
    // Another parlor calls people by texts, too.
    if content.get(MATCH).is_some() {
        return None;
    }
    let in_thread = text("/m.relates_to/rel_type") == Some("m.thread");
    let falls_back = content.pointer("/m.relates_to/is_falling_back") == Some(&Value::Bool(true));
    let answers = text("/m.relates_to/m.in_reply_to/event_id").and_then(|id| EventId::parse(id).ok());
    let body = text("/body")?;
    let words = match text("/formatted_body") {
        // Only mentions are worth reading HTML for: commands are what was typed.
        Some(formatted)
            if text("/format") == Some("org.matrix.custom.html") && formatted.contains("href") =>
        {
            html::words(formatted)
        }
        _ if answers.is_some() => without_quote(body).to_owned(),
        _ => body.to_owned(),
    };
    let mentions = content.get("m.mentions").map(|mentions| {
        let ids = mentions.get("user_ids").and_then(Value::as_array);
        let ids = ids.into_iter().flatten().filter_map(Value::as_str);
        ids.filter_map(|id| UserId::parse(id).ok()).collect()
    });
    Some(TextMessage {
        words: without_frame(words.trim()).to_owned(),
        mentions,
        thread: root_of(content),
        answers: answers.filter(|_| !(in_thread && falls_back)),
    })
}

/// The field in which our own messages name the match that they are about, by its code.
pub const MATCH: &str = "phase_parlor.match";

/// The match that a message of ours is about.
pub fn match_of(event: &Value) -> Option<Code> {
    event.get("content")?.get(MATCH)?.as_str()?.parse().ok()
}

/// The message with which the thread of an event begins.
pub fn thread_root(event: &Value) -> Option<OwnedEventId> {
    root_of(event.get("content")?)
}

fn root_of(content: &Value) -> Option<OwnedEventId> {
    let relation = content.get("m.relates_to")?;
    let in_thread = relation.get("rel_type").and_then(Value::as_str) == Some("m.thread");
    EventId::parse(relation.get("event_id").filter(|_| in_thread)?.as_str()?).ok()
}

/// The text without the quotes of something set in fixed width: commands and moves are shown like that.
fn without_frame(words: &str) -> &str {
    let inside = words
        .strip_prefix('`')
        .and_then(|words| words.strip_suffix('`'))
        .map(str::trim);
    inside
        .filter(|inside| !inside.is_empty() && !inside.contains('`'))
        .unwrap_or(words)
}

/// The text without the lines that older clients quote from the message it answers.
fn without_quote(body: &str) -> &str {
    let mut rest = body;
    while rest.starts_with("> ") {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    if rest.len() < body.len() {
        rest.trim_start_matches('\n')
    } else {
        body
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(content: &Value) -> EventKind {
        let event = json!({
            "type": "m.room.message", "event_id": "$1", "sender": "@ann:x.org", "origin_server_ts": 5,
            "content": content,
        });
        RoomEvent::read(&event).unwrap().what
    }

    fn words(content: &Value) -> String {
        match message(content) {
            EventKind::TextMessage(text) => text.words,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn notices_and_pictures_are_not_for_us_and_an_edit_is_told_from_what_it_replaces() {
        assert_eq!(
            message(&json!({"msgtype": "m.notice", "body": "!games"})),
            EventKind::Other
        );
        assert_eq!(
            message(&json!({"msgtype": "m.image", "body": "!games"})),
            EventKind::Other
        );
        assert_eq!(
            message(&json!({"msgtype": "m.text", "body": "!games", MATCH: "K7QF"})),
            EventKind::Other
        );
        let edit = json!({"msgtype": "m.text", "body": "* !games", "m.new_content": {"msgtype": "m.text", "body": "!games"},
            "m.relates_to": {"rel_type": "m.replace", "event_id": "$0"}});
        match message(&edit) {
            EventKind::Edit { of, now } => assert_eq!((of.as_str(), now.words.as_str()), ("$0", "!games")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_is_read_without_what_it_quotes() {
        let reply = json!({"msgtype": "m.text", "body": "> <@parlor:x.org> Your turn\n> and more\n\nF2-F5",
            "m.relates_to": {"m.in_reply_to": {"event_id": "$board"}}});
        assert_eq!(words(&reply), "F2-F5");
        assert_eq!(
            words(&json!({"msgtype": "m.text", "body": "> not a quote"})),
            "> not a quote"
        );
    }

    #[test]
    fn what_is_set_like_a_command_is_one() {
        let code = json!({"msgtype": "m.text", "body": "`!games`", "format": "org.matrix.custom.html",
            "formatted_body": "<code>!games</code>"});
        assert_eq!(words(&code), "!games");
        for other in ["`", "``", "`a` or `b`", "`a"] {
            assert_eq!(words(&json!({"msgtype": "m.text", "body": other})), other);
        }
    }

    #[test]
    fn mentions_are_read_as_far_as_they_make_sense() {
        let mentions =
            |value: Value| match message(&json!({"msgtype": "m.text", "body": "x", "m.mentions": value})) {
                EventKind::TextMessage(text) => text.mentions.unwrap(),
                other => panic!("{other:?}"),
            };
        assert_eq!(
            mentions(json!({"user_ids": ["@bea:x.org", 7, "bea"]})),
            ["@bea:x.org"]
        );
        match message(&json!({"msgtype": "m.text", "body": "x"})) {
            EventKind::TextMessage(text) => assert_eq!(text.mentions, None),
            other => panic!("{other:?}"),
        }
        for odd in [
            json!(null),
            json!([]),
            json!({"user_ids": "@bea:x.org"}),
            json!({"room": true}),
        ] {
            assert!(mentions(odd).is_empty());
        }
    }

    #[test]
    fn a_thread_is_told_from_an_answer() {
        let relation = |falls_back: bool| {
            json!({"msgtype": "m.text", "body": "x", "m.relates_to": {"rel_type": "m.thread", "event_id": "$root",
                "is_falling_back": falls_back, "m.in_reply_to": {"event_id": "$last"}}})
        };
        let ids = |what: EventKind| match what {
            EventKind::TextMessage(text) => (text.thread.is_some(), text.answers.is_some()),
            other => panic!("{other:?}"),
        };
        assert_eq!(ids(message(&relation(true))), (true, false));
        assert_eq!(ids(message(&relation(false))), (true, true));
    }

    #[test]
    fn anything_can_come() {
        for odd in [
            json!({}),
            json!([1]),
            json!({"event_id": "$1", "sender": "ann"}),
            json!({"event_id": "$1", "sender": "@a:b", "type": 7, "content": "x"}),
            json!({"event_id": "$1", "sender": "@a:b", "type": "m.room.message", "content": {"msgtype": "m.text", "body": 3}}),
            json!({"event_id": "$1", "sender": "@a:b", "type": "m.reaction", "content": {"m.relates_to": []}}),
            json!({"event_id": "$1", "sender": "@a:b", "type": "m.room.member", "state_key": "x", "content": {}}),
        ] {
            assert!(
                RoomEvent::read(&odd).is_none_or(|event| event.what == EventKind::Other),
                "{odd}"
            );
        }
    }
}
