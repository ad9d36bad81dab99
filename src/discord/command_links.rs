//! Commands as Discord links them: pressed, a link opens the command, ready to be filled in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serenity::model::id::{CommandId, UserId};

use super::escape;
use crate::chat::grammar;

/// What is needed to link commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLinks {
    /// The ids of the commands, by name.
    pub ids: BTreeMap<String, CommandId>,
    /// The bot as a user: whoever plays against it picks it among the users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<UserId>,
}

impl CommandLinks {
    /// A command with what is to be filled in, or the words of it while its id is not known.
    pub fn write(&self, command: &str) -> String {
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        let Some(id) = self.ids.get(name) else {
            return escape::code(&format!("/{command}"));
        };
        let mut written = format!("</{name}:{id}>");
        let mut add = |piece: &str| {
            if !piece.is_empty() {
                written.push(' ');
                written.push_str(piece);
            }
        };
        match (rest.strip_prefix(grammar::BOT), self.own) {
            (Some(rest), Some(own)) if grammar::names_players(command) && is_apart(rest) => {
                add(&format!("<@{own}>"));
                add(&escape::code(rest));
            }
            _ => add(&escape::code(rest)),
        }
        written
    }
}

/// Whether a word ends where this begins.
fn is_apart(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_link_and_what_follows_is_to_be_filled_in() {
        let links = CommandLinks {
            ids: [("move", 7), ("challenge", 8)]
                .map(|(name, id)| (name.to_owned(), CommandId::new(id)))
                .into(),
            own: Some(UserId::new(9)),
        };
        for (command, written) in [
            ("move", "</move:7>"),
            ("move F3-F5", "</move:7> `F3-F5`"),
            ("move bot", "</move:7> `bot`"),
            ("challenge bot", "</challenge:8> <@9>"),
            ("challenge bot phwar", "</challenge:8> <@9> `phwar`"),
            ("challenge both", "</challenge:8> `both`"),
            ("challenge @friend phwar", "</challenge:8> `@friend phwar`"),
            ("games", "`/games`"),
        ] {
            assert_eq!(links.write(command), written, "{command}");
        }
        assert_eq!(CommandLinks::default().write("move F3"), "`/move F3`");
    }
}
