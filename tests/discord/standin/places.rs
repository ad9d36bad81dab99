//! Who and what is there: the gateway's address, users, servers, channels, threads.

use serde_json::{Value, json};

use super::model::{Channel, ChannelKind, Id, Model};
use super::permissions::{
    self, CREATE_PUBLIC_THREADS, MANAGE_THREADS, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS, VIEW_CHANNEL,
};
use super::refusal::Refusal;
use super::rest::{Answer, Answered, Call, unknown};

/// Answers what is asked about users, servers and the application.
pub fn answer(model: &mut Model, call: &Call) -> Answered {
    match (call.method.as_str(), &call.path()[..]) {
        ("GET", ["gateway"]) => Ok(Answer::ok(json!({ "url": model.gateway_url }))),
        ("GET", ["gateway", "bot"]) => Ok(Answer::ok(json!({
            "url": model.gateway_url,
            "shards": model.shards,
            "session_start_limit": {
                "total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1,
            },
        }))),
        ("GET", ["users", "@me"]) => {
            let mut user = model.user_json(model.bot);
            user["verified"] = json!(true);
            user["mfa_enabled"] = json!(true);
            Ok(Answer::ok(user))
        }
        ("GET", ["users", user]) => match user.parse::<Id>() {
            Ok(id) if model.users.contains_key(&id) => Ok(Answer::ok(model.user_json(id))),
            _ => Err(Refusal::UNKNOWN_USER.into()),
        },
        ("POST", ["users", "@me", "channels"]) => open_dm(model, &call.said()),
        ("GET", ["applications", "@me"] | ["oauth2", "applications", "@me"]) => {
            Ok(Answer::ok(application(model)))
        }
        ("GET", ["guilds", guild, rest @ ..]) => {
            let id = guild
                .parse::<Id>()
                .map_err(|_| Refusal::from(Refusal::UNKNOWN_GUILD))?;
            self::guild(model, id, rest, call)
        }
        _ => unknown(model, call),
    }
}

fn application(model: &Model) -> Value {
    json!({
        "id": model.application.to_string(),
        "name": "Phase Parlor",
        "icon": null,
        "description": "",
        "bot_public": true,
        "bot_require_code_grant": false,
        "verify_key": "00",
        "team": null,
        "flags": 0,
        "owner": model.guilds.values().next().map(|guild| model.user_json(guild.owner)),
    })
}

fn guild(model: &mut Model, id: Id, rest: &[&str], call: &Call) -> Answered {
    let guild = model.guilds.get(&id).ok_or(Refusal::UNKNOWN_GUILD)?;
    if !guild.members.contains_key(&model.bot) {
        return Err(Refusal::MISSING_ACCESS.into());
    }
    let whole = model.guild_json(guild);
    match rest {
        [] => Ok(Answer::ok(whole)),
        ["channels"] => Ok(Answer::ok(whole["channels"].clone())),
        ["roles"] => Ok(Answer::ok(whole["roles"].clone())),
        ["members", member] => match member.parse::<Id>() {
            Ok(user) if guild.members.contains_key(&user) => Ok(Answer::ok(model.member_json(guild, user))),
            _ => Err(Refusal::UNKNOWN_MEMBER.into()),
        },
        _ => unknown(model, call),
    }
}

fn open_dm(model: &mut Model, body: &Value) -> Answered {
    let user = body["recipient_id"].as_str().and_then(|id| id.parse::<Id>().ok());
    let user = user.ok_or_else(|| Refusal::form("recipient_id", "is not snowflake"))?;
    if !model.users.contains_key(&user) {
        return Err(Refusal::UNKNOWN_USER.into());
    }
    if model.too_many_talks {
        return Err(Refusal::TOO_MANY_TALKS.into());
    }
    // Closed doors show only when somebody writes.
    let dm = model.dm(user);
    Ok(Answer::ok(model.channel_json(&model.channels[&dm])))
}

/// Answers what is asked about one channel, other than its messages.
pub fn channel(model: &mut Model, id: Id, rest: &[&str], call: &Call) -> Answered {
    match (call.method.as_str(), rest) {
        ("GET", []) => {
            permissions::need(model, id, VIEW_CHANNEL)?;
            Ok(Answer::ok(model.channel_json(&model.channels[&id])))
        }
        ("PATCH", []) => change_thread(model, id, &call.said()),
        ("POST", ["typing"]) => {
            permissions::need(model, id, SEND_MESSAGES)?;
            Ok(Answer::NOTHING)
        }
        ("POST", ["threads"]) => {
            permissions::need(model, id, CREATE_PUBLIC_THREADS)?;
            if call.said()["type"] != 11 {
                return Err(Refusal::form(
                    "type",
                    "a public thread, since moderators read private ones too",
                ));
            }
            let thread = model.new_id();
            open_thread(model, id, thread, &call.said())
        }
        ("PUT", ["thread-members", who]) => {
            permissions::need(model, id, VIEW_CHANNEL)?;
            let user = if *who == "@me" {
                Some(model.bot)
            } else {
                who.parse().ok()
            };
            let user = user.filter(|user| model.users.contains_key(user));
            let user = user.ok_or(Refusal::UNKNOWN_MEMBER)?;
            let channel = model.channels.get_mut(&id).ok_or(Refusal::UNKNOWN_CHANNEL)?;
            if channel.archived {
                return Err(Refusal::ARCHIVED.into());
            }
            channel.thread_members.insert(user);
            Ok(Answer::NOTHING)
        }
        _ => unknown(model, call),
    }
}

/// Opens a thread, below a message if the thread has its id.
pub fn open_thread(model: &mut Model, parent: Id, id: Id, body: &Value) -> Answered {
    let above = model.channels.get(&parent).ok_or(Refusal::UNKNOWN_CHANNEL)?;
    if above.kind != ChannelKind::Text {
        return Err(Refusal::form(
            "channel_id",
            "Cannot execute action on this channel type",
        ));
    }
    let name = body["name"].as_str().unwrap_or_default();
    if !(1..=100).contains(&name.chars().count()) {
        return Err(Refusal::form("name", "Must be between 1 and 100 in length."));
    }
    let duration = &body["auto_archive_duration"];
    if !duration.is_null() && !matches!(duration.as_u64(), Some(60 | 1440 | 4320 | 10_080)) {
        return Err(Refusal::form(
            "auto_archive_duration",
            "Value must be one of 60, 1440, 4320, 10080.",
        ));
    }
    if model.channels.contains_key(&id) {
        return Err(Refusal::THREAD_EXISTS.into());
    }
    let guild = above.guild;
    let mut thread = Channel {
        guild,
        parent: Some(parent),
        name: name.to_owned(),
        ..Channel::new(id, ChannelKind::PublicThread)
    };
    thread.thread_members.insert(model.bot);
    model.put_channel(thread);
    let shown = model.channel_json(&model.channels[&id]);
    model.sessions.dispatch(guild, "THREAD_CREATE", &shown);
    Ok(Answer {
        status: 201,
        body: Some(shown),
    })
}

/// A thread is woken up, sent to sleep, renamed.
fn change_thread(model: &mut Model, id: Id, body: &Value) -> Answered {
    permissions::need(model, id, VIEW_CHANNEL)?;
    let has = permissions::of(model, model.bot, id);
    let channel = model.channels.get_mut(&id).ok_or(Refusal::UNKNOWN_CHANNEL)?;
    if channel.kind != ChannelKind::PublicThread {
        return Err(Refusal::MISSING_PERMISSIONS.into());
    }
    let only_wakes = body.as_object().is_some_and(|body| {
        body.iter()
            .all(|(key, value)| key == "archived" && *value == false)
    });
    let enough = if only_wakes && !channel.locked {
        SEND_MESSAGES_IN_THREADS
    } else {
        MANAGE_THREADS
    };
    if has & enough == 0 {
        return Err(Refusal::MISSING_PERMISSIONS.into());
    }
    for (key, value) in body.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("archived", Value::Bool(archived)) => channel.archived = *archived,
            ("locked", Value::Bool(locked)) => channel.locked = *locked,
            ("name", Value::String(name)) if (1..=100).contains(&name.chars().count()) => {
                channel.name.clone_from(name);
            }
            ("auto_archive_duration", _) => {}
            _ => return Err(Refusal::form(key.clone(), "can't be changed so")),
        }
    }
    Ok(Answer::ok(model.channel_json(&model.channels[&id])))
}
