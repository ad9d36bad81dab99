//! The slash commands, made from the grammar, and their registration.

use serde_json::{Value, json};
use serenity::model::id::ApplicationId;
use serenity::model::permissions::Permissions;
use sha2::{Digest, Sha256};

use super::context::DiscordContext;
use super::errors::DiscordError;
use super::rest::RestClient;
use super::storage::DiscordStore;
use super::write::label;
use crate::ai::Level;
use crate::chat::grammar::{ArgumentKind, ArgumentSpec, COMMANDS, CommandSpec};
use crate::game::MAX_SEATS;
use crate::matches::port::Fault;

/// The command by which servers are set up.
pub const SETTINGS: &str = "parlor-settings";

/// Its options.
pub mod setting {
    pub const THREADS: &str = "threads";
    pub const ALLOW: &str = "allow";
    pub const FORBID: &str = "forbid";
    pub const EVERYWHERE: &str = "everywhere";
    pub const GAME: &str = "game";
    pub const OPTIONS: &str = "options";
}

/// What the options that name players begin with: `player`, `player2`, and so on.
pub const PLAYER: &str = "player";

/// The argument of the grammar that they fill in.
pub const PLAYERS: &str = "players";

/// Discord's numbers for kinds of options.
mod kind {
    pub const TEXT: u8 = 3;
    pub const WHOLE: u8 = 4;
    pub const SWITCH: u8 = 5;
    pub const USER: u8 = 6;
    pub const CHANNEL: u8 = 7;
}

/// Discord's numbers for channels in which people write: of text, and of announcements.
const WRITTEN_CHANNELS: [u8; 2] = [0, 5];

/// The longest name of a choice.
const CHOICE: usize = 100;

/// The most hours that can be asked for: thirty days.
const MOST_HOURS: u32 = 720;

/// All commands as Discord wants them.
pub fn all() -> Vec<Value> {
    let mut all: Vec<Value> = COMMANDS.iter().map(command).collect();
    all.push(settings());
    all
}

fn command(spec: &CommandSpec) -> Value {
    // What is needed has to come first, also where one argument becomes several.
    let options = spec.arguments.iter().flat_map(options);
    let (needed, others): (Vec<Value>, Vec<Value>) = options.partition(|option| option["required"] == true);
    let options: Vec<Value> = needed.into_iter().chain(others).collect();
    json!({
        "type": 1,
        "name": spec.name,
        "description": spec.help,
        "options": options,
        // Installed by a server or by a user; in servers, in talks with the bot, in talks among friends.
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
    })
}

/// An argument as one option, or as several.
fn options(argument: &ArgumentSpec) -> Vec<Value> {
    let option = |kind: u8| {
        json!({
            "type": kind,
            "name": argument.name,
            "description": argument.help,
            "required": argument.required,
        })
    };
    let with = |kind: u8, more: Value| {
        let mut option = option(kind);
        if let (Some(option), Value::Object(more)) = (option.as_object_mut(), more) {
            option.extend(more);
        }
        option
    };
    let one_of = |words: &[&str]| {
        let choices: Vec<Value> = words
            .iter()
            .map(|word| json!({ "name": word, "value": word }))
            .collect();
        with(kind::TEXT, json!({ "choices": choices }))
    };
    match argument.kind {
        ArgumentKind::Players => (1..MAX_SEATS)
            .map(|number| {
                let first = number == 1;
                let mut player = option(kind::USER);
                player["name"] = json!(player_option(number));
                player["required"] = json!(first && argument.required);
                player
            })
            .collect(),
        ArgumentKind::Seats => vec![with(
            kind::WHOLE,
            json!({ "min_value": 1, "max_value": MAX_SEATS }),
        )],
        ArgumentKind::Level => {
            let choices = Level::ALL.map(|level| {
                let name = format!("{level}: {}", level.describe());
                json!({ "name": label(&name, CHOICE), "value": level.number() })
            });
            vec![with(kind::WHOLE, json!({ "choices": choices }))]
        }
        ArgumentKind::Hours => vec![with(
            kind::WHOLE,
            json!({ "min_value": 1, "max_value": MOST_HOURS }),
        )],
        ArgumentKind::Seating => vec![one_of(&["lot", "order"])],
        ArgumentKind::Word(words) => vec![one_of(words)],
        ArgumentKind::Game
        | ArgumentKind::Options
        | ArgumentKind::Clock
        | ArgumentKind::Match
        | ArgumentKind::Move
        | ArgumentKind::Words => vec![with(kind::TEXT, json!({ "autocomplete": true }))],
    }
}

fn player_option(number: u8) -> String {
    if number == 1 {
        PLAYER.to_owned()
    } else {
        format!("{PLAYER}{number}")
    }
}

fn settings() -> Value {
    let option = |kind: u8, name: &str, description: &str| json!({ "type": kind, "name": name, "description": description });
    let channel = |name: &str, description: &str| {
        let mut option = option(kind::CHANNEL, name, description);
        option["channel_types"] = json!(WRITTEN_CHANNELS);
        option
    };
    let suggested = |name: &str, description: &str| {
        let mut option = option(kind::TEXT, name, description);
        option["autocomplete"] = json!(true);
        option
    };
    json!({
        "type": 1,
        "name": SETTINGS,
        "description": "What holds on this server: rooms, threads, default options",
        "options": [
            option(kind::SWITCH, setting::THREADS, "Whether every match gets a thread of its own"),
            channel(setting::ALLOW, "A channel in which matches may be opened; others only if you name them too"),
            channel(setting::FORBID, "A channel that you had named, and in which no more matches may be opened"),
            option(kind::SWITCH, setting::EVERYWHERE, "Let matches be opened in every channel again"),
            suggested(setting::GAME, "The game whose default options you set"),
            suggested(setting::OPTIONS, "Its default options, such as centre=on; leave it out to go back to the game's own"),
        ],
        "default_member_permissions": Permissions::MANAGE_GUILD.bits(),
        "integration_types": [0],
        "contexts": [0],
    })
}

/// Why the commands could not be registered.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    #[error(transparent)]
    Discord(#[from] DiscordError),
    #[error(transparent)]
    Store(#[from] Fault),
}

/// Registers the commands, if they are not those that are registered already.
pub async fn register(
    rest: &RestClient,
    storage: &DiscordStore,
    application: ApplicationId,
) -> Result<(), RegisterError> {
    let commands = all();
    let hash = hash(&commands);
    if storage.registered(application)?.as_deref() == Some(&hash) {
        return Ok(());
    }
    rest.register(application, &commands).await?;
    storage.note_registered(application, &hash).await?;
    tracing::info!(commands = commands.len(), "the commands are registered");
    Ok(())
}

/// Registers the commands, however long it takes; tells the operator if it can't be done.
pub async fn register_surely(context: &DiscordContext, application: ApplicationId) {
    let mut pauses = super::pause::Pauses::default();
    loop {
        let why = match register(&context.rest, &context.storage, application).await {
            Ok(()) => return,
            Err(RegisterError::Discord(DiscordError::Revoked)) => return context.fatal.revoked(),
            Err(RegisterError::Discord(trouble @ DiscordError::Forbidden { .. })) => {
                return context.fatal.report(format!(
                    "Discord does not let the bot register its commands: {trouble}. Invite it again with the scopes bot and applications.commands; the README has the link."
                ));
            }
            Err(RegisterError::Discord(
                trouble @ (DiscordError::Refused { .. } | DiscordError::Gone { .. }),
            )) => {
                // The commands of an earlier version may still be there, and buttons work without any.
                tracing::error!(%trouble, "the commands can't be registered");
                return;
            }
            Err(error @ (RegisterError::Discord(DiscordError::Later { .. }) | RegisterError::Store(_))) => {
                error
            }
        };
        tracing::warn!(%why, "the commands are not registered yet");
        tokio::time::sleep(pauses.next()).await;
    }
}

fn hash(commands: &[Value]) -> String {
    let digest = Sha256::digest(json!(commands).to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::discord::write::length;

    fn name_is_fit(name: &str) -> bool {
        (1..=32).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    }

    fn text<'a>(value: &'a Value, field: &str) -> &'a str {
        value[field].as_str().unwrap()
    }

    #[test]
    fn commands_keep_discords_limits() {
        let all = all();
        assert!(all.len() <= 100);
        let mut names = HashSet::new();
        for command in &all {
            let name = text(command, "name");
            assert!(name_is_fit(name) && names.insert(name.to_owned()), "{name}");
            assert!(
                (1..=100).contains(&length(text(command, "description"))),
                "{name}"
            );
            let options = command["options"].as_array().unwrap();
            assert!(options.len() <= 25);
            let mut own = HashSet::new();
            let mut optional_seen = false;
            for option in options {
                let option_name = text(option, "name");
                assert!(
                    name_is_fit(option_name) && own.insert(option_name),
                    "{name} {option_name}"
                );
                let description = text(option, "description");
                assert!((1..=100).contains(&length(description)), "{name}: {description}");
                let required = option["required"] == true;
                assert!(!(required && optional_seen), "{name} {option_name}");
                optional_seen |= !required;
                let choices = option["choices"].as_array().map_or(0, Vec::len);
                assert!(choices <= 25);
                assert!(choices == 0 || option["autocomplete"] != true);
            }
        }
    }

    #[test]
    fn a_challenge_takes_users() {
        let challenge = all()
            .into_iter()
            .find(|command| command["name"] == "challenge")
            .unwrap();
        let options: Vec<(&str, u64, bool)> = challenge["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|option| {
                (
                    text(option, "name"),
                    option["type"].as_u64().unwrap(),
                    option["required"] == true,
                )
            })
            .collect();
        assert_eq!(
            options[..5],
            [
                ("player", 6, true),
                ("game", 3, true),
                ("player2", 6, false),
                ("player3", 6, false),
                ("player4", 6, false)
            ]
        );
    }

    #[test]
    fn settings_are_for_those_who_manage_the_server() {
        let settings = settings();
        assert_eq!(settings["default_member_permissions"], 32);
        assert_eq!(settings["contexts"], json!([0]));
    }
}
