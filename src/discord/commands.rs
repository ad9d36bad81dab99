//! The slash commands, made from the grammar, and their registration.

use serde_json::{Value, json};
use serenity::builder::CreateCommandOption;
use serenity::model::application::CommandOptionType as Kind;
use serenity::model::channel::ChannelType;
use serenity::model::id::{ApplicationId, UserId};
use serenity::model::permissions::Permissions;
use sha2::{Digest, Sha256};

use super::command_links::CommandLinks;
use super::context::{DiscordContext, REVOKED, backoff};
use super::errors::DiscordError;
use super::write::label;
use crate::ai::Level;
use crate::chat::command::settings::SHARED_SIDES;
use crate::chat::grammar::{ArgumentKind, ArgumentSpec, COMMANDS, CommandSpec};
use crate::draw::Theme;
use crate::game::MAX_SEATS;
use crate::text::hex;

/// The command by which servers are set up.
pub const SETTINGS: &str = "parlor-settings";

/// Its options.
pub mod setting {
    pub const THREADS: &str = "threads";
    pub const WATCH: &str = "watch";
    pub const ALLOW: &str = "allow";
    pub const FORBID: &str = "forbid";
    pub const EVERYWHERE: &str = "everywhere";
    pub const GAME: &str = "game";
    pub const OPTIONS: &str = "options";
    pub const THEME: &str = "theme";
    pub const SIDE: &str = "side";
}

/// What the options that name players begin with: `player`, `player2`, and so on.
pub const PLAYER: &str = "player";

/// The argument of the grammar that they fill in.
pub const PLAYERS: &str = "players";

/// The longest name of a choice.
const CHOICE: usize = 100;

/// The most hours that can be asked for: thirty days.
const MOST_HOURS: u64 = 720;

/// All commands as Discord wants them.
pub fn all() -> Vec<Value> {
    let mut all: Vec<Value> = COMMANDS.iter().map(command).collect();
    all.push(settings());
    all
}

fn command(spec: &CommandSpec) -> Value {
    // What is needed has to come first, also where one argument becomes several.
    let mut options: Vec<_> = spec.arguments.iter().flat_map(options).collect();
    options.sort_by_key(|(needed, _)| !needed);
    let options: Vec<_> = options.into_iter().map(|(_, option)| option).collect();
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

/// An argument as one option, or as several, and whether each is needed.
fn options(argument: &ArgumentSpec) -> Vec<(bool, CreateCommandOption)> {
    let option =
        |kind| CreateCommandOption::new(kind, argument.name, argument.help).required(argument.required);
    let up_to = |most: u64| option(Kind::Integer).min_int_value(1).max_int_value(most);
    let one_of = |words: &[&str]| {
        let add = |option: CreateCommandOption, word: &&str| option.add_string_choice(*word, *word);
        words.iter().fold(option(Kind::String), add)
    };
    let option = match argument.kind {
        ArgumentKind::Players => {
            let player = |number| {
                let needed = number == 1 && argument.required;
                let player = option(Kind::User).name(player_option(number));
                (needed, player.required(needed))
            };
            return (1..MAX_SEATS).map(player).collect();
        }
        ArgumentKind::Seats => up_to(MAX_SEATS.into()),
        ArgumentKind::Level => Level::ALL
            .into_iter()
            .fold(option(Kind::Integer), |option, level| {
                let name = format!("{level}: {}", level.describe());
                option.add_int_choice(label(&name, CHOICE), level.number().into())
            }),
        ArgumentKind::Hours => up_to(MOST_HOURS),
        ArgumentKind::Turn => option(Kind::Integer).min_int_value(0),
        ArgumentKind::Seating => one_of(&["lot", "order"]),
        ArgumentKind::Word(words) => one_of(words),
        ArgumentKind::Game
        | ArgumentKind::Options
        | ArgumentKind::Clock
        | ArgumentKind::Match
        | ArgumentKind::Move
        | ArgumentKind::Words => option(Kind::String).set_autocomplete(true),
    };
    vec![(argument.required, option)]
}

fn player_option(number: u8) -> String {
    if number == 1 {
        PLAYER.to_owned()
    } else {
        format!("{PLAYER}{number}")
    }
}

fn settings() -> Value {
    let option = |kind, name: &str, description: &str| CreateCommandOption::new(kind, name, description);
    // Channels in which people write.
    let channel = |name: &str, description: &str| {
        option(Kind::Channel, name, description).channel_types(vec![ChannelType::Text, ChannelType::News])
    };
    let suggested =
        |name: &str, description: &str| option(Kind::String, name, description).set_autocomplete(true);
    let one_of = |name: &str, description: &str, words: &[&str]| {
        let add = |option: CreateCommandOption, word: &&str| option.add_string_choice(*word, *word);
        words.iter().fold(option(Kind::String, name, description), add)
    };
    json!({
        "type": 1,
        "name": SETTINGS,
        "description": "This server's settings: rooms, threads, boards, default options",
        "options": [
            option(Kind::Boolean, setting::THREADS, "Whether every match gets a thread of its own"),
            option(Kind::Boolean, setting::WATCH, "Whether any player may give others a link to watch, without asking the rest"),
            channel(setting::ALLOW, "A channel where players may open matches; the others close unless you name them too"),
            channel(setting::FORBID, "A channel where players may no longer open matches"),
            option(Kind::Boolean, setting::EVERYWHERE, "Let players open matches in every channel again"),
            one_of(setting::THEME, "The theme for boards", &Theme::ALL.map(Theme::name)),
            one_of(setting::SIDE, "The side that boards show where several people play", SHARED_SIDES),
            suggested(setting::GAME, "The game whose default options you set"),
            suggested(setting::OPTIONS, "Its default options, such as centre=on; leave this out to go back to the game's own"),
        ],
        "default_member_permissions": Permissions::MANAGE_GUILD.bits(),
        "integration_types": [0],
        "contexts": [0],
    })
}

/// Registers the commands, if they are not those that are registered already, and has them linked.
async fn register(
    context: &DiscordContext,
    application: ApplicationId,
    own: UserId,
) -> Result<(), DiscordError> {
    let storage = &context.storage;
    let commands = all();
    let hash = hash(&commands);
    if storage.registered(application)?.as_deref() == Some(&hash)
        && let Some(links) = storage.links(application)?
    {
        context.link_commands(links);
        return Ok(());
    }
    let registered = context.rest.register(application, &commands).await?;
    let links = CommandLinks {
        ids: registered
            .into_iter()
            .map(|command| (command.name, command.id))
            .collect(),
        own: Some(own),
    };
    storage.note_registered(application, &hash, &links).await?;
    context.link_commands(links);
    tracing::info!(commands = commands.len(), "discord: commands registered");
    Ok(())
}

/// Registers the commands, however long it takes; tells the operator if it can't be done.
pub async fn register_surely(context: &DiscordContext, application: ApplicationId, own: UserId) {
    let mut pauses = backoff();
    loop {
        let error = match register(context, application, own).await {
            Ok(()) => return,
            Err(DiscordError::Revoked) => return context.give_up(REVOKED),
            Err(error @ DiscordError::Forbidden { .. }) => {
                return context.give_up(format!(
                    "Discord does not let the bot register its commands: {error}. Invite it again with the scopes bot and applications.commands; the README has the link."
                ));
            }
            Err(error @ (DiscordError::Refused { .. } | DiscordError::Gone { .. })) => {
                // The commands of an earlier version may still be there, and buttons work without any.
                tracing::error!(%error, "discord: could not register the commands");
                return;
            }
            Err(error @ (DiscordError::Later { .. } | DiscordError::TooManyTalks)) => error,
        };
        tracing::warn!(%error, "discord: could not register the commands; trying again");
        tokio::time::sleep(pauses.pause()).await;
    }
}

fn hash(commands: &[Value]) -> String {
    hex(&Sha256::digest(json!(commands).to_string()))
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
