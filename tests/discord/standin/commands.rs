//! The application's commands.

use serde_json::{Value, json};

use super::limits;
use super::model::{Id, Model};
use super::refusal::Refusal;
use super::rest::{Answer, Answered, Call, unknown};

pub fn answer(model: &mut Model, call: &Call, rest: &[&str]) -> Answered {
    match (call.method.as_str(), rest) {
        ("GET", ["commands"]) => Ok(Answer::ok(Value::Array(model.commands.clone()))),
        ("PUT", ["commands"]) => {
            let Some(all) = call.said().as_array().cloned() else {
                return Err(Refusal::form("commands", "a list is wanted"));
            };
            limits::commands(&all)?;
            model.registrations += 1;
            model.commands = all
                .into_iter()
                .map(|command| registered(model, command))
                .collect();
            Ok(Answer::ok(Value::Array(model.commands.clone())))
        }
        ("POST", ["commands"]) => {
            let command = call.said();
            let mut all = model.commands.clone();
            all.retain(|known| known["name"] != command["name"]);
            all.push(command.clone());
            limits::commands(&all)?;
            model.registrations += 1;
            let command = registered(model, command);
            if let Some(last) = all.last_mut() {
                *last = command.clone();
            }
            model.commands = all;
            Ok(Answer {
                status: 201,
                body: Some(command),
            })
        }
        ("DELETE", ["commands", id]) => {
            let before = model.commands.len();
            model.commands.retain(|command| command["id"] != *id);
            model.registrations += 1;
            if model.commands.len() == before {
                return Err(Refusal::UNKNOWN_COMMAND.into());
            }
            Ok(Answer::NOTHING)
        }
        // Commands of one server are never used: they would show up twice beside the others.
        _ => unknown(model, call),
    }
}

/// A command as Discord gives it back: with ids, and with everything that was left out filled in.
fn registered(model: &mut Model, mut command: Value) -> Value {
    let known = model
        .commands
        .iter()
        .find(|known| known["name"] == command["name"])
        .and_then(|known| known["id"].as_str()?.parse::<Id>().ok());
    let id = known.unwrap_or_else(|| model.new_id());
    let version = model.new_id();
    command["id"] = json!(id.to_string());
    command["application_id"] = json!(model.application.to_string());
    command["version"] = json!(version.to_string());
    for (key, default) in [
        ("type", json!(1)),
        ("name_localizations", Value::Null),
        ("description_localizations", Value::Null),
        ("default_member_permissions", Value::Null),
        ("nsfw", json!(false)),
        ("integration_types", json!([0])),
        ("contexts", Value::Null),
    ] {
        if command.get(key).is_none_or(Value::is_null) {
            command[key] = default;
        }
    }
    without_defaults(&mut command);
    command
}

/// Discord leaves out of its answers what says nothing: empty lists, `required: false`.
fn without_defaults(command: &mut Value) {
    for option in command["options"].as_array_mut().into_iter().flatten() {
        without_defaults(option);
        let Some(fields) = option.as_object_mut() else {
            continue;
        };
        fields.retain(|key, value| match key.as_str() {
            "required" | "autocomplete" => *value == true,
            "choices" | "options" | "channel_types" => value.as_array().is_some_and(|list| !list.is_empty()),
            _ => !value.is_null(),
        });
    }
    if command["options"].as_array().is_none_or(Vec::is_empty)
        && let Some(fields) = command.as_object_mut()
    {
        fields.remove("options");
    }
}
