//! What somebody filled in: the options of a slash command as the fields of the grammar.

use serenity::model::application::{CommandDataOption, CommandDataOptionValue};
use serenity::model::id::UserId;

use super::commands::PLAYER;
use crate::chat::grammar::{self, ArgumentKind, BOT};
use crate::matches::code::Code;

/// The options that were filled in, by name, as text. Players become one field of mentions.
pub fn fields(options: &[CommandDataOption]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut players = Vec::new();
    for option in options {
        let Some(value) = text(&option.value) else {
            continue;
        };
        if matches!(option.value, CommandDataOptionValue::User(_)) && is_player(&option.name) {
            players.push(value);
        } else {
            fields.push((option.name.clone(), value));
        }
    }
    if !players.is_empty() {
        fields.push(("players".to_owned(), players.join(" ")));
    }
    fields
}

fn is_player(name: &str) -> bool {
    name.strip_prefix(PLAYER)
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn text(value: &CommandDataOptionValue) -> Option<String> {
    match value {
        CommandDataOptionValue::String(text) => Some(text.clone()),
        CommandDataOptionValue::Autocomplete { value, .. } => Some(value.clone()),
        CommandDataOptionValue::Integer(number) => Some(number.to_string()),
        CommandDataOptionValue::Boolean(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        CommandDataOptionValue::User(user) => Some(format!("<@{user}>")),
        CommandDataOptionValue::Channel(channel) => Some(channel.to_string()),
        _ => None,
    }
}

/// Whoever picks the bot itself among the users wants to play against it.
pub fn name_bot(fields: &mut [(String, String)], own: UserId) {
    let own = format!("<@{own}>");
    for (name, value) in fields {
        if name == "players" {
            *value = value.replace(&own, BOT);
        }
    }
}

/// The field of a command in which a table's code stands.
fn code_field(command: &str) -> Option<&'static str> {
    let arguments = grammar::find(command)?.arguments.iter();
    let mut codes = arguments.filter(|argument| argument.kind == ArgumentKind::Match);
    codes.next().map(|argument| argument.name)
}

/// In the thread of a match, a command that names no match means this one.
pub fn aim(command: &str, fields: &mut Vec<(String, String)>, code: &Code) {
    if let Some(field) = code_field(command)
        && !fields.iter().any(|(name, _)| name == field)
    {
        fields.push((field.to_owned(), code.to_string()));
    }
}

/// The same as one typed line, by which a menu can be called up again.
pub fn line(command: &str, fields: &[(String, String)]) -> String {
    let code = code_field(command);
    let (codes, others): (Vec<_>, Vec<_>) = fields.iter().partition(|(name, _)| Some(name.as_str()) == code);
    let mut line = command.to_owned();
    for (_, code) in codes {
        line.push_str(" #");
        line.push_str(code.trim().trim_start_matches('#'));
    }
    for (_, value) in others {
        line.push(' ');
        line.push_str(value.trim());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(json: serde_json::Value) -> Vec<CommandDataOption> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn players_become_one_field() {
        let given = options(serde_json::json!([
            { "name": "player", "type": 6, "value": "11" },
            { "name": "game", "type": 3, "value": "phwar" },
            { "name": "player2", "type": 6, "value": "12" },
            { "name": "seats", "type": 4, "value": 3 },
        ]));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            fields(&given),
            [
                pair("game", "phwar"),
                pair("seats", "3"),
                pair("players", "<@11> <@12>")
            ]
        );
    }

    #[test]
    fn whoever_picks_the_bot_plays_against_it() {
        let mut given = fields(&options(serde_json::json!([
            { "name": "player", "type": 6, "value": "77" },
            { "name": "player2", "type": 6, "value": "12" },
            { "name": "player3", "type": 6, "value": "77" },
        ])));
        name_bot(&mut given, UserId::new(77));
        assert_eq!(given, [("players".to_owned(), "bot <@12> bot".to_owned())]);
    }

    #[test]
    fn in_a_thread_its_match_is_meant() {
        let code: Code = "K7QF".parse().unwrap();
        let aimed = |command: &str, fields: &[(&str, &str)]| {
            let mut fields: Vec<(String, String)> = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            aim(command, &mut fields, &code);
            line(command, &fields)
        };
        assert_eq!(aimed("moves", &[]), "moves #K7QF");
        assert_eq!(aimed("moves", &[("match", "ABCD")]), "moves #ABCD");
        assert_eq!(aimed("games", &[]), "games");
    }

    #[test]
    fn a_line_brings_the_same_menu_again() {
        let fields = [
            ("move".to_owned(), "F2".to_owned()),
            ("match".to_owned(), "k7qf".to_owned()),
        ];
        assert_eq!(line("moves", &fields), "moves #k7qf F2");
        assert_eq!(line("matches", &[]), "matches");
    }
}
