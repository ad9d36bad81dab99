//! What somebody does with the bot, and how it answers.

use serde_json::{Value, json};

use super::limits::{self, Way};
use super::messages;
use super::model::{EPHEMERAL, FIRST_ANSWER, Id, Interaction, InteractionKind, Message, Model, TOKEN_LIFE};
use super::permissions;
use super::refusal::Refusal;
use super::rest::{Answer, Answered, Call, unknown};

const MESSAGE: u64 = 4;
const DEFERRED: u64 = 5;
const DEFERRED_UPDATE: u64 = 6;
const UPDATE: u64 = 7;
const CHOICES: u64 = 8;
const FORM: u64 = 9;

/// The first answer.
pub fn callback(model: &mut Model, id: Id, token: &str, call: &Call) -> Answered {
    let now = model.clock.now();
    let found = model.interactions.get(&id).filter(|found| found.token == token);
    let interaction = found.cloned().ok_or(Refusal::UNKNOWN_INTERACTION)?;
    if interaction.first.is_some() {
        return Err(Refusal::ALREADY_ACKNOWLEDGED.into());
    }
    if now > interaction.at + FIRST_ANSWER {
        return Err(Refusal::UNKNOWN_INTERACTION.into());
    }
    let body = call.said();
    let data = &body["data"];
    let kind = body["type"].as_u64().unwrap_or_default();
    let fits = match interaction.kind {
        InteractionKind::Command => matches!(kind, MESSAGE | DEFERRED | FORM),
        InteractionKind::Component => matches!(kind, MESSAGE..=UPDATE | FORM),
        InteractionKind::Autocomplete => kind == CHOICES,
        InteractionKind::Modal => matches!(kind, MESSAGE..=UPDATE),
    };
    if !fits {
        return Err(Refusal::form("type", "does not answer this kind of interaction"));
    }
    let mut answered = Interaction {
        first: Some((now, kind)),
        ephemeral: data["flags"].as_u64().unwrap_or_default() & EPHEMERAL != 0,
        ..interaction
    };
    match kind {
        MESSAGE | DEFERRED => {
            let message = model.new_id();
            let mut message = Message::new(message, answered.channel, model.bot);
            message.interaction = Some(id);
            if answered.ephemeral {
                message.only_for = Some(answered.user);
                message.flags = EPHEMERAL;
            }
            message.set_loading(true);
            if kind == MESSAGE {
                limits::message(data, &call.files, &[], 0, Way::Interaction)?;
                messages::fill(model, &mut message, data, &call.files);
                messages::ping(model, &mut message, &data["allowed_mentions"]);
                answered.answers.push(message.id);
            } else if data["flags"].as_u64().unwrap_or_default() & !EPHEMERAL != 0 {
                return Err(Refusal::form("flags", "flags that can't be set here"));
            }
            answered.original = Some(message.id);
            model.messages.insert(message.id, message);
        }
        DEFERRED_UPDATE => answered.original = answered.message,
        UPDATE => {
            let message = answered.message.ok_or(Refusal::UNKNOWN_MESSAGE)?;
            messages::edit(model, message, data, &call.files)?;
            answered.original = Some(message);
            answered.answers.push(message);
        }
        CHOICES => {
            limits::choices(&data["choices"])?;
            answered.choices = data["choices"].as_array().cloned().unwrap_or_default();
        }
        _ => {
            limits::modal(data)?;
            answered.modal = Some(data.clone());
        }
    }
    model.interactions.insert(id, answered);
    Ok(Answer::NOTHING)
}

/// Later answers, by the interaction's token.
pub fn webhook(model: &mut Model, token: &str, rest: &[&str], call: &Call) -> Answered {
    let now = model.clock.now();
    let found = model.interactions.values().find(|found| found.token == token);
    let interaction = found.cloned().ok_or(Refusal::UNKNOWN_WEBHOOK)?;
    if now > interaction.at + TOKEN_LIFE {
        return Err(Refusal::INVALID_WEBHOOK_TOKEN.into());
    }
    if interaction.first.is_none() {
        return Err(Refusal::UNKNOWN_WEBHOOK.into());
    }
    match (call.method.as_str(), rest) {
        ("POST", []) => follow_up(model, interaction, call),
        (method @ ("GET" | "PATCH" | "DELETE"), ["messages", which]) => {
            let id = if *which == "@original" {
                interaction.original
            } else {
                let id = which.parse::<Id>().ok();
                id.filter(|id| interaction.answers.contains(id) || interaction.original == Some(*id))
            };
            let id = id.filter(|id| model.messages.get(id).is_some_and(|message| !message.deleted));
            let id = id.ok_or(Refusal::UNKNOWN_MESSAGE)?;
            match method {
                "PATCH" => {
                    messages::edit(model, id, &call.said(), &call.files)?;
                    answered_with(model, interaction.id, id);
                }
                "DELETE" => {
                    if let Some(message) = model.messages.get_mut(&id) {
                        message.deleted = true;
                    }
                    return Ok(Answer::NOTHING);
                }
                _ => {}
            }
            Ok(Answer::ok(model.message_json(&model.messages[&id])))
        }
        _ => unknown(model, call),
    }
}

fn answered_with(model: &mut Model, interaction: Id, message: Id) {
    if let Some(interaction) = model.interactions.get_mut(&interaction) {
        interaction.answers.push(message);
    }
}

fn follow_up(model: &mut Model, interaction: Interaction, call: &Call) -> Answered {
    let body = call.said();
    limits::message(&body, &call.files, &[], 0, Way::Interaction)?;
    let ephemeral = body["flags"].as_u64().unwrap_or_default() & EPHEMERAL != 0;
    let thinking = interaction
        .original
        .and_then(|original| model.messages.get(&original))
        .filter(|message| message.loading)
        .cloned();
    let id = if let Some(mut message) = thinking {
        // The first one fills in what was deferred, and is seen by whoever saw that.
        if ephemeral && !interaction.ephemeral {
            model.problem("a private message was put into an answer that everybody sees");
        }
        messages::fill(model, &mut message, &body, &call.files);
        let id = message.id;
        model.messages.insert(id, message);
        id
    } else {
        let id = model.new_id();
        let mut message = Message::new(id, interaction.channel, model.bot);
        message.interaction = Some(interaction.id);
        if ephemeral {
            message.only_for = Some(interaction.user);
            message.flags = EPHEMERAL;
        }
        messages::fill(model, &mut message, &body, &call.files);
        messages::ping(model, &mut message, &body["allowed_mentions"]);
        model.messages.insert(id, message);
        id
    };
    answered_with(model, interaction.id, id);
    Ok(Answer::ok(model.message_json(&model.messages[&id])))
}

/// Somebody does something: the bot is told.
pub fn begin(
    model: &mut Model,
    kind: InteractionKind,
    user: Id,
    channel: Id,
    data: &Value,
    message: Option<Id>,
) -> Id {
    let id = model.new_id();
    let mut interaction = Interaction {
        id,
        token: format!("token-of-{id}-{:x}", id.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        kind,
        user,
        channel,
        message,
        at: model.clock.now(),
        first: None,
        ephemeral: false,
        original: None,
        answers: Vec::new(),
        choices: Vec::new(),
        modal: None,
        told: Value::Null,
    };
    let place = &model.channels[&channel];
    let guild = place.guild.and_then(|guild| model.guilds.get(&guild));
    let bot_is_there = guild.is_some_and(|guild| guild.members.contains_key(&model.bot));
    let app_permissions = if guild.is_none() || bot_is_there {
        permissions::of(model, model.bot, channel)
    } else {
        // Installed by the user alone: the bot has what everybody has.
        permissions::ATTACH_FILES | permissions::EMBED_LINKS | permissions::MENTION_EVERYONE
    };
    let mut shown_channel = model.channel_json(place);
    shown_channel["permissions"] = json!(permissions::of(model, user, channel).to_string());
    let mut told = json!({
        "id": id.to_string(),
        "application_id": model.application.to_string(),
        "type": kind.number(),
        "data": data,
        "channel": shown_channel,
        "channel_id": channel.to_string(),
        "token": interaction.token,
        "version": 1,
        "app_permissions": app_permissions.to_string(),
        "locale": "en-GB",
        "entitlements": [],
        "attachment_size_limit": 10_485_760,
        "authorizing_integration_owners": {},
        "context": if guild.is_some() { 0 } else { 1 },
    });
    if let Some(guild) = guild {
        let mut member = model.member_json(guild, user);
        member["permissions"] = json!(permissions::of(model, user, channel).to_string());
        told["member"] = member;
        told["guild_id"] = json!(guild.id.to_string());
        told["guild"] = json!({ "id": guild.id.to_string(), "locale": "en-US", "features": [] });
        told["guild_locale"] = json!("en-US");
    } else {
        told["user"] = model.user_json(user);
    }
    told["authorizing_integration_owners"] = if bot_is_there {
        json!({ "0": guild.map(|guild| guild.id.to_string()) })
    } else {
        json!({ "1": user.to_string() })
    };
    if let Some(message) = message.and_then(|message| model.messages.get(&message)) {
        told["message"] = model.message_json(message);
    }
    let home = guild.filter(|_| bot_is_there).map(|guild| guild.id);
    interaction.told = told.clone();
    model.interactions.insert(id, interaction);
    model.journal.push(format!("interaction {id}: {data}"));
    model.sessions.dispatch(home, "INTERACTION_CREATE", &told);
    id
}
