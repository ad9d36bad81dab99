//! What somebody filled in: the options of a slash command as the fields of the grammar.

use serenity::model::application::{CommandDataOption, CommandDataOptionValue};
use serenity::model::id::UserId;

use super::commands::{PLAYER, PLAYERS};
use super::ids;
use crate::chat::command::FieldValue;
use crate::matches::bot::oneself;

/// The options that were filled in, by name. Whoever picks the bot itself among the users wants to play against it.
pub fn fields(options: &[CommandDataOption], own: UserId) -> Vec<(&str, FieldValue)> {
    options.iter().filter_map(|option| field(option, own)).collect()
}

fn field(option: &CommandDataOption, own: UserId) -> Option<(&str, FieldValue)> {
    let name = option.name.as_str();
    let value = match &option.value {
        CommandDataOptionValue::User(user) if is_player(name) => {
            let player = if *user == own {
                oneself()
            } else {
                ids::player(*user)
            };
            return Some((PLAYERS, FieldValue::Player(player)));
        }
        CommandDataOptionValue::String(text) => FieldValue::Text(text.clone()),
        CommandDataOptionValue::Integer(number) => FieldValue::Number(*number),
        _ => return None,
    };
    Some((name, value))
}

fn is_player(name: &str) -> bool {
    name.strip_prefix(PLAYER)
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The options as they are written so far, for suggestions.
pub fn texts(options: &[CommandDataOption]) -> impl Iterator<Item = (&str, &str)> {
    options.iter().filter_map(|option| match &option.value {
        CommandDataOptionValue::String(text) | CommandDataOptionValue::Autocomplete { value: text, .. } => {
            Some((option.name.as_str(), text.as_str()))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(json: serde_json::Value) -> Vec<CommandDataOption> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn players_are_players_and_numbers_are_numbers() {
        let given = options(serde_json::json!([
            { "name": "player", "type": 6, "value": "11" },
            { "name": "game", "type": 3, "value": "phwar" },
            { "name": "player2", "type": 6, "value": "77" },
            { "name": "seats", "type": 4, "value": 3 },
        ]));
        let player = |id: u64| FieldValue::Player(ids::player(UserId::new(id)));
        assert_eq!(
            fields(&given, UserId::new(77)),
            [
                (PLAYERS, player(11)),
                ("game", FieldValue::from("phwar")),
                (PLAYERS, FieldValue::Player(oneself())),
                ("seats", FieldValue::Number(3)),
            ],
            "whoever picks the bot plays against it"
        );
    }
}
