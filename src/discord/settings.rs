//! `/parlor-settings`: what those who manage a server decide for it.

use serenity::model::application::{CommandDataOption, CommandDataOptionValue};
use serenity::model::permissions::Permissions;

use super::commands::setting;
use super::ids::DiscordRoom;
use super::invocation::{InvocationContext, lacking_for_threads};
use crate::chat::command::settings::board_side;
use crate::chat::community::Decree;
use crate::chat::message::Message;
use crate::chat::parlor::{Parlor, Reply};
use crate::chat::refusals;
use crate::matches::people::ThemeName;

/// Carries out what was filled in, and tells what holds then.
pub async fn settings(
    parlor: &Parlor,
    caller: &InvocationContext,
    allowed: Option<Permissions>,
    options: &[CommandDataOption],
) -> Reply {
    let Some(community) = caller.community() else {
        return Reply::open(Message::text(refusals::NO_COMMUNITY));
    };
    if !caller.manages {
        return Reply::open(Message::text(refusals::NOT_YOUR_COMMUNITY));
    }
    let decrees = decrees(options);
    let wants_threads = decrees.contains(&Decree::Threads(true));
    let mut reply = parlor.decree(community, decrees).await;
    let lacking = lacking_for_threads(allowed);
    if wants_threads && !lacking.is_empty() {
        reply.message.text.line(refusals::lacking(&lacking));
    }
    reply
}

/// What the options decide.
fn decrees(options: &[CommandDataOption]) -> Vec<Decree> {
    let value = |name: &str| {
        let found = options.iter().find(|option| option.name == name);
        found.map(|option| &option.value)
    };
    let text = |name: &str| value(name).and_then(CommandDataOptionValue::as_str);
    let switch = |name: &str| value(name).and_then(CommandDataOptionValue::as_bool);
    let room = |name: &str| {
        let channel = value(name).and_then(CommandDataOptionValue::as_channel_id);
        channel.map(|channel| DiscordRoom::Channel(channel).room())
    };
    let mut decrees = Vec::new();
    if switch(setting::EVERYWHERE) == Some(true) {
        decrees.push(Decree::Everywhere);
    }
    decrees.extend(room(setting::ALLOW).map(Decree::Admit));
    decrees.extend(room(setting::FORBID).map(Decree::Shut));
    decrees.extend(switch(setting::THREADS).map(Decree::Threads));
    decrees.extend(switch(setting::WATCH).map(Decree::Watch));
    let theme = text(setting::THEME).and_then(|name| name.parse().ok());
    decrees.extend(theme.map(|theme| Decree::Theme(ThemeName(theme))));
    decrees.extend(text(setting::SIDE).and_then(board_side).map(Decree::Side));
    if let Some(game) = text(setting::GAME) {
        let options = text(setting::OPTIONS).unwrap_or_default();
        let pair = |pair: &str| {
            let (name, value) = pair.split_once(['=', ':']).unwrap_or((pair, ""));
            (name.to_owned(), value.to_owned())
        };
        decrees.push(Decree::Options {
            game: game.to_owned(),
            options: options.split_whitespace().map(pair).collect(),
        });
    }
    decrees
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Theme;
    use crate::matches::community::BoardSide;
    use crate::matches::people::RoomId;

    #[test]
    fn options_become_decrees() {
        let options: Vec<CommandDataOption> = serde_json::from_value(serde_json::json!([
            { "name": "threads", "type": 5, "value": false },
            { "name": "theme", "type": 3, "value": "dark" },
            { "name": "side", "type": 3, "value": "mover" },
            { "name": "allow", "type": 7, "value": "77" },
            { "name": "game", "type": 3, "value": "x" },
            { "name": "options", "type": 3, "value": "size=9 swap:on" },
        ]))
        .unwrap();
        assert_eq!(
            decrees(&options),
            [
                Decree::Admit(RoomId::new("discord", "77")),
                Decree::Threads(false),
                Decree::Theme(ThemeName(Theme::Dark)),
                Decree::Side(BoardSide::Mover),
                Decree::Options {
                    game: "x".to_owned(),
                    options: vec![
                        ("size".to_owned(), "9".to_owned()),
                        ("swap".to_owned(), "on".to_owned())
                    ],
                },
            ]
        );
        assert_eq!(decrees(&[]), []);
    }
}
