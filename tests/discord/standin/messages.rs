//! Messages in channels.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::cards::CARDS;
use super::limits::{self, Way};
use super::model::{Attachment, ChannelKind, Id, Message, Model, NONCE_LIFE};
use super::permissions::{self, CREATE_PUBLIC_THREADS, MENTION_EVERYONE, READ_MESSAGE_HISTORY, VIEW_CHANNEL};
use super::places;
use super::refusal::Refusal;
use super::rest::{Answer, Answered, Call, File, unknown};

pub fn answer(model: &mut Model, channel: Id, rest: &[&str], call: &Call) -> Answered {
    let known = |model: &Model, id: &str| -> Result<Id, Refusal> {
        permissions::need(model, channel, VIEW_CHANNEL)?;
        let id = id.parse::<Id>().ok();
        let found = id.and_then(|id| model.messages.get(&id));
        match found {
            Some(message) if message.channel == channel && !message.deleted && message.only_for.is_none() => {
                Ok(message.id)
            }
            _ => Err(Refusal::UNKNOWN_MESSAGE.into()),
        }
    };
    match (call.method.as_str(), rest) {
        ("POST", []) => send(model, channel, call),
        ("GET", [message]) => {
            permissions::need(model, channel, READ_MESSAGE_HISTORY)?;
            let id = known(model, message)?;
            Ok(Answer::ok(model.message_json(&model.messages[&id])))
        }
        ("PATCH", [message]) => {
            let id = known(model, message)?;
            if model.messages[&id].author != model.bot {
                return Err(Refusal::NOT_YOURS.into());
            }
            refuse_archived(model, channel)?;
            edit(model, id, &call.said(), &call.files)?;
            Ok(Answer::ok(model.message_json(&model.messages[&id])))
        }
        ("DELETE", [message]) => {
            let id = known(model, message)?;
            if let Some(message) = model.messages.get_mut(&id) {
                message.deleted = true;
            }
            Ok(Answer::NOTHING)
        }
        ("POST", [message, "threads"]) => {
            permissions::need(model, channel, CREATE_PUBLIC_THREADS)?;
            let id = known(model, message)?;
            places::open_thread(model, channel, id, &call.said())
        }
        _ => unknown(model, call),
    }
}

fn refuse_archived(model: &Model, channel: Id) -> Result<(), Refusal> {
    match model.channels.get(&channel) {
        Some(channel) if channel.archived => Err(Refusal::ARCHIVED.into()),
        _ => Ok(()),
    }
}

fn send(model: &mut Model, channel: Id, call: &Call) -> Answered {
    let body = call.said();
    let has_embeds = body["embeds"].as_array().is_some_and(|embeds| !embeds.is_empty());
    permissions::to_send(model, channel, has_embeds, !call.files.is_empty())?;
    let place = model.channels.get_mut(&channel).ok_or(Refusal::UNKNOWN_CHANNEL)?;
    if place.archived && place.locked {
        return Err(Refusal::ARCHIVED.into());
    }
    // Writing wakes a thread that nobody has locked.
    place.archived = false;
    let recipient = place.recipient.filter(|_| place.kind == ChannelKind::Dm);
    if recipient.is_some_and(|user| model.users.get(&user).is_none_or(|user| !user.dms_open)) {
        return Err(Refusal::CLOSED_DMS.into());
    }
    limits::message(&body, &call.files, &[], 0, Way::Channel)?;
    let nonce = match &body["nonce"] {
        Value::Null => None,
        Value::String(nonce) => Some(nonce.clone()),
        number => Some(number.to_string()),
    };
    if body["enforce_nonce"] == true
        && let Some(nonce) = &nonce
        && let Some(id) = said_before(model, nonce, channel)
    {
        return Ok(Answer::ok(model.message_json(&model.messages[&id])));
    }
    let id = model.new_id();
    let mut message = Message::new(id, channel, model.bot);
    message.nonce.clone_from(&nonce);
    message.at = model.clock.now();
    message.flags |= body["flags"].as_u64().unwrap_or_default();
    fill(model, &mut message, &body, &call.files);
    ping(model, &mut message, &body["allowed_mentions"]);
    if let Some(nonce) = nonce {
        let now = model.clock.now();
        model.nonces.insert(nonce, (id, now));
    }
    model.messages.insert(id, message);
    Ok(Answer::ok(model.message_json(&model.messages[&id])))
}

/// The message that was sent with this nonce a short while ago.
fn said_before(model: &mut Model, nonce: &str, channel: Id) -> Option<Id> {
    let (id, at) = *model.nonces.get(nonce)?;
    if at + NONCE_LIFE <= model.clock.now() {
        return None;
    }
    // A nonce counts for all that its author says anywhere.
    if model
        .messages
        .get(&id)
        .is_some_and(|message| message.channel != channel)
    {
        model.problem(format!("the nonce {nonce} was used in two channels"));
    }
    Some(id)
}

/// Changes a message that is there.
pub fn edit(model: &mut Model, id: Id, body: &Value, files: &[File]) -> Result<(), Refusal> {
    let mut message = model.messages.get(&id).cloned().ok_or(Refusal::UNKNOWN_MESSAGE)?;
    let kept = kept(&message, body);
    let names: Vec<String> = kept.iter().map(|attachment| attachment.name.clone()).collect();
    limits::message(body, files, &names, message.flags, Way::Edit)?;
    if body["flags"].as_u64().unwrap_or_default() & CARDS != 0 && message.flags & CARDS == 0 {
        let blank = message.content.is_empty() && message.embeds.is_empty();
        if !blank && !message.loading {
            return Err(Refusal::form(
                "flags",
                "content and embeds stand in the way of IS_COMPONENTS_V2",
            ));
        }
        message.flags |= CARDS;
    }
    for field in ["nonce", "enforce_nonce", "tts"] {
        if body.get(field).is_some() {
            return Err(Refusal::form(field, "only for new messages"));
        }
    }
    for attachment in body["attachments"].as_array().into_iter().flatten() {
        let id = id_text(&attachment["id"]);
        let known =
            kept.iter().any(|kept| kept.id.to_string() == id) || files.iter().any(|file| file.number == id);
        if !known {
            return Err(Refusal::form("attachments.id", "no such attachment"));
        }
    }
    message.attachments = kept;
    fill(model, &mut message, body, files);
    let blank = message.content.is_empty() && message.embeds.is_empty() && message.attachments.is_empty();
    if blank && message.flags & CARDS == 0 {
        return Err(Refusal::EMPTY_MESSAGE.into());
    }
    model.messages.insert(id, message);
    Ok(())
}

/// The attachments that stay: all, unless the edit lists those to keep.
fn kept(message: &Message, body: &Value) -> Vec<Attachment> {
    let Some(listed) = body.get("attachments") else {
        return message.attachments.clone();
    };
    let ids: BTreeSet<String> = listed
        .as_array()
        .into_iter()
        .flatten()
        .map(|attachment| id_text(&attachment["id"]))
        .collect();
    let stays = |attachment: &&Attachment| ids.contains(&attachment.id.to_string());
    message.attachments.iter().filter(stays).cloned().collect()
}

fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// Writes into a message what the body says; what it does not mention stays.
pub fn fill(model: &mut Model, message: &mut Message, body: &Value, files: &[File]) {
    if let Some(content) = body.get("content") {
        message.content = content.as_str().unwrap_or_default().to_owned();
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    if let Some(embeds) = body.get("embeds") {
        message.embeds = list(embeds);
    }
    if let Some(components) = body.get("components") {
        message.components = list(components);
    }
    for file in files {
        let described = body["attachments"].as_array().into_iter().flatten();
        let alt = described
            .filter(|attachment| id_text(&attachment["id"]) == file.number)
            .find_map(|attachment| attachment["description"].as_str());
        message.attachments.push(Attachment {
            id: model.new_id(),
            name: file.name.clone(),
            alt: alt.map(str::to_owned),
            bytes: Arc::clone(&file.bytes),
        });
    }
    message.set_loading(false);
    message.revisions.push(message.everything());
    check_links(model, &message.text());
}

/// Commands are linked by name and id; a link that fits no command is shown as plain letters.
fn check_links(model: &mut Model, text: &str) {
    let links = without_code(text);
    for link in links.split("</").skip(1) {
        let link = link.split('>').next().unwrap_or_default();
        let fits = link.split_once(':').is_some_and(|(name, id)| {
            let mut commands = model.commands.iter();
            commands.any(|command| command["name"] == name && command["id"] == id)
        });
        if !fits {
            model.problem(format!("</{link}> is no command"));
        }
    }
}

/// Finds out who is notified of a new message.
pub fn ping(model: &Model, message: &mut Message, allowed: &Value) {
    let content = without_code(&message.ringing());
    let parse = |kind: &str| {
        allowed["parse"]
            .as_array()
            .is_some_and(|parse| parse.iter().any(|parsed| parsed == kind))
    };
    let listed = |id: Id| {
        let users = allowed["users"].as_array();
        users.is_some_and(|users| users.iter().any(|user| id_text(user) == id.to_string()))
    };
    let named = |id: Id| content.contains(&format!("<@{id}>")) || content.contains(&format!("<@!{id}>"));
    message.pinged = model
        .users
        .keys()
        .copied()
        .filter(|id| named(*id) && (parse("users") || listed(*id)))
        .collect();
    let shouts = content.contains("@everyone") || content.contains("@here");
    let may = permissions::of(model, model.bot, message.channel) & MENTION_EVERYONE != 0;
    message.pinged_everyone = shouts && may && parse("everyone");
}

/// The text without what stands between back quotes, where nobody is mentioned.
fn without_code(text: &str) -> String {
    let outside =
        |text: &str, quote: &str| -> String { text.split(quote).step_by(2).collect::<Vec<_>>().join(" ") };
    outside(&outside(text, "```"), "`")
}
