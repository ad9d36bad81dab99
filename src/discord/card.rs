//! A turn as one card: words, picture and buttons together, with an edge in the colour of whoever is to move.
//!
//! Discord calls this its components of the second kind. A message that has them has no other content, and stays of that
//! kind for good: it is taken apart by sending what is to remain, never by sending nothing.

use serde_json::{Value, json};
use serenity::model::id::UserId;

use super::render::{ALT, DiscordWriter, picture, picture_entry, picture_name};
use super::rest::OutgoingMessage;
use super::write::{self, label, length};
use crate::chat::message::Message;
use crate::chat::parlor::Drawn;

/// The flag that says so.
pub const FLAG: u64 = 1 << 15;

/// Kinds of components.
const ROW: u64 = 1;
const TEXT: u64 = 10;
const GALLERY: u64 = 12;
const CONTAINER: u64 = 17;

/// How many characters the words of a message may have, all told. Whether what is read aloud counts among them is not
/// said, so it does.
const CHARACTERS: usize = 4000;

/// A colour as Discord writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent(pub u32);

/// Writes a message as a card.
pub fn outgoing(
    writer: &DiscordWriter<'_>,
    message: &Message,
    drawn: Option<Drawn>,
    pinged: &[UserId],
    accent: Option<Accent>,
) -> OutgoingMessage {
    let shown = drawn
        .as_ref()
        .map(|drawn| (picture_name(drawn), label(&drawn.alt, ALT)));
    let spoken = shown.as_ref().map_or(0, |(_, alt)| length(alt));
    // Whoever is to be called is named in the words as a rule, and a mention in them rings.
    let named = write::text(&message.text, CHARACTERS, writer.names).text;
    let heading = if writer.calls_all(&named, pinged) {
        let title = writer.own_title(message);
        title.map(|title| format!("**{}**", super::escape::plain(title, false)))
    } else {
        Some(writer.call(pinged))
    };
    let left = CHARACTERS - spoken - heading.as_deref().map_or(0, length);
    let words = write::text(&message.text, left, writer.names).text;
    let mut parts: Vec<Value> = [heading, Some(words)]
        .into_iter()
        .flatten()
        .filter(|words| !words.trim().is_empty())
        .map(|words| json!({ "type": TEXT, "content": words }))
        .collect();
    if let Some((name, alt)) = shown {
        let mut item = json!({ "media": { "url": format!("attachment://{name}") } });
        if !alt.is_empty() {
            item["description"] = json!(alt);
        }
        parts.push(json!({ "type": GALLERY, "items": [item] }));
    }
    parts.extend(writer.rows(message).iter().map(|row| json!(row)));
    let mut container = json!({ "type": CONTAINER, "components": parts });
    if let Some(Accent(colour)) = accent {
        container["accent_color"] = json!(colour);
    }
    let attachments: Vec<Value> = drawn.iter().map(picture_entry).collect();
    OutgoingMessage {
        body: json!({
            "flags": FLAG,
            "components": [container],
            "attachments": attachments,
            // Nobody is called but these.
            "allowed_mentions": { "parse": [], "users": pinged },
        }),
        upload: drawn.map(picture),
        urgency: writer.urgency,
    }
}

/// The card of a message without its buttons and menus; none if the message is no card.
pub fn without_rows(body: &Value) -> Option<Value> {
    body["flags"].as_u64().filter(|flags| flags & FLAG != 0)?;
    let mut container = body["components"].get(0)?.clone();
    if let Some(parts) = container["components"].as_array_mut() {
        parts.retain(|part| part["type"] != ROW);
    }
    Some(container)
}
