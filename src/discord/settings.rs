//! `/parlor-settings`: what those who manage a server decide for it.

use serenity::model::permissions::Permissions;

use super::commands::setting;
use super::ids::{DiscordRoom, number};
use super::invocation::{InvocationContext, lacking_for_threads};
use crate::chat::community::Decree;
use crate::chat::message::Message;
use crate::chat::parlor::{Parlor, Reply};
use crate::chat::refusals;

/// Carries out what was filled in, and tells what holds then.
pub async fn settings(
    parlor: &Parlor,
    scene: &InvocationContext,
    allowed: Option<Permissions>,
    fields: &[(String, String)],
) -> Reply {
    let Some(community) = scene.community() else {
        return Reply::open(Message::text(refusals::NO_HOUSE));
    };
    if !scene.manages {
        return Reply::open(Message::text(refusals::NOT_YOUR_HOUSE));
    }
    let decrees = decrees(fields);
    let wants_threads = decrees.contains(&Decree::Threads(true));
    let mut reply = parlor.decree(community, decrees).await;
    let lacking = lacking_for_threads(allowed);
    if wants_threads && !lacking.is_empty() {
        reply.message.text.line(refusals::lacking(&lacking));
    }
    reply
}

/// What the fields decide.
fn decrees(fields: &[(String, String)]) -> Vec<Decree> {
    let field = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    };
    let room = |name: &str| {
        let channel = field(name).and_then(number)?;
        Some(DiscordRoom::Channel(channel.into()).room())
    };
    let mut decrees = Vec::new();
    if field(setting::EVERYWHERE) == Some("on") {
        decrees.push(Decree::Everywhere);
    }
    decrees.extend(room(setting::ALLOW).map(Decree::Admit));
    decrees.extend(room(setting::FORBID).map(Decree::Shut));
    decrees.extend(field(setting::THREADS).map(|threads| Decree::Threads(threads == "on")));
    if let Some(game) = field(setting::GAME) {
        let options = field(setting::OPTIONS).unwrap_or_default();
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
    use crate::matches::people::RoomId;

    #[test]
    fn fields_become_decrees() {
        let fields = [
            ("threads", "off"),
            ("allow", "77"),
            ("game", "x"),
            ("options", "size=9 swap:on"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(
            decrees(&fields),
            [
                Decree::Admit(RoomId::new("discord", "77")),
                Decree::Threads(false),
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
