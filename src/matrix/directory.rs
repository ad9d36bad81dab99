//! Who is meant by a mention.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use matrix_sdk::room::RoomMember;
use matrix_sdk::ruma::OwnedUserId;
use matrix_sdk::{Room, RoomMemberships};

use super::sender::player;
use super::trouble::MatrixError;
use crate::chat::command::{self, ReadError};
use crate::chat::grammar::{ArgumentKind, CommandSpec};
use crate::chat::opponent;
use crate::chat::parlor::{Directory, Parlor};
use crate::matches::bot::oneself;
use crate::matches::people::{PlayerId, RoomId};

/// The people who have been looked up for the command that is being read.
#[derive(Debug, Default)]
pub struct MatrixDirectory {
    found: Mutex<HashMap<(RoomId, String), PlayerId>>,
}

impl Directory for MatrixDirectory {
    fn find(&self, mention: &str, room: Option<&RoomId>) -> Option<PlayerId> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(&(room?.clone(), bare(mention))).cloned()
    }
}

impl MatrixDirectory {
    /// Looks up whom a command mentions, by id or by name, among those in the room; and notes what they are called. The
    /// line, in which ids stand for names that could not be told from the words around them.
    pub async fn look_up(
        &self,
        parlor: &Parlor,
        room: &Room,
        known_as: &RoomId,
        line: String,
        called: &[OwnedUserId],
    ) -> Result<String, MatrixError> {
        let names_somebody = match command::read(&line) {
            Ok(command) => !command.arguments.players.is_empty(),
            Err(
                ReadError::Argument { command, .. }
                | ReadError::Level { command, .. }
                | ReadError::Incomplete { command, .. },
            ) => takes_players(command),
            Err(ReadError::Empty | ReadError::Unknown { .. }) => false,
        };
        if !names_somebody {
            self.note(HashMap::new());
            return Ok(line);
        }
        let members = room.members(RoomMemberships::ACTIVE).await?;
        let mut people = find(&members, &line);
        let mut line = line;
        if people.is_none() {
            let spelt = spell_out(&line, &names(&members, called));
            people = find(&members, &spelt);
            if people.is_some() {
                line = spelt;
            }
        }
        let mut found = HashMap::new();
        for (mention, who) in people.unwrap_or_else(|| find_some(&members, &line)) {
            let who = match who {
                Who::Oneself => oneself(),
                Who::Member(member) => {
                    let who = player(member.user_id());
                    parlor.service.meet(&who, member.name()).await?;
                    who
                }
            };
            found.insert((known_as.clone(), mention), who);
        }
        self.note(found);
        Ok(line)
    }

    fn note(&self, found: HashMap<(RoomId, String), PlayerId>) {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
    }
}

/// Who is meant by a mention.
enum Who<'m> {
    /// The bot.
    Oneself,
    Member(&'m RoomMember),
}

fn takes_players(command: &CommandSpec) -> bool {
    let mut arguments = command.arguments.iter();
    arguments.any(|argument| argument.kind == ArgumentKind::Players)
}

/// Everybody whom a command mentions, by the name that it uses; none unless all of them are found.
fn find<'m>(members: &'m [RoomMember], line: &str) -> Option<Vec<(String, Who<'m>)>> {
    let mentions = command::read(line).ok()?.arguments.players;
    let unnamed = |mention: &str| mention.eq_ignore_ascii_case("me") || opponent::named(mention).is_some();
    let mentions = mentions.iter().filter(|mention| !unnamed(mention));
    mentions
        .map(|mention| Some((bare(mention), one(members, mention)?)))
        .collect()
}

/// Those of them who are found.
fn find_some<'m>(members: &'m [RoomMember], line: &str) -> Vec<(String, Who<'m>)> {
    let mentions = command::read(line).map(|command| command.arguments.players);
    let mentions = mentions.unwrap_or_default();
    let found = mentions
        .iter()
        .filter_map(|mention| Some((bare(mention), one(members, mention)?)));
    found.collect()
}

fn one<'m>(members: &'m [RoomMember], mention: &str) -> Option<Who<'m>> {
    let wanted = bare(mention);
    let by_id = members
        .iter()
        .find(|member| bare(member.user_id().as_str()) == wanted);
    let is_called =
        |member: &&RoomMember| bare(member.name()) == wanted || bare(member.user_id().localpart()) == wanted;
    // Whoever calls us by name means us, whoever else may be called so.
    let own = members.iter().find(|member| member.is_account_user());
    let mut by_name = members.iter().filter(is_called);
    // A name that two people have means neither.
    let member = by_id
        .or_else(|| own.filter(is_called))
        .or_else(|| by_name.next().filter(|_| by_name.next().is_none()))?;
    Some(if member.is_account_user() {
        Who::Oneself
    } else {
        Who::Member(member)
    })
}

/// The names that may be spelt out in a line, the longest first: those of several words, which a command would take for
/// several things, and those of people whom the sender's client says it mentions.
fn names(members: &[RoomMember], called: &[OwnedUserId]) -> Vec<(String, OwnedUserId)> {
    let is_called = |member: &&RoomMember| called.iter().any(|id| id == member.user_id());
    let named = members
        .iter()
        .filter(|member| is_called(member) || member.name().trim().contains(char::is_whitespace));
    let mut names: Vec<(String, OwnedUserId)> = named
        .map(|member| (member.name().trim().to_owned(), member.user_id().to_owned()))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    // A name that two people have means the one who is mentioned, or neither.
    names.sort_by_key(|(name, id)| (Reverse(name.chars().count()), !called.contains(id)));
    let shared = |name: &str| names.iter().filter(|(other, _)| same(other, name)).count() > 1;
    let clear = names
        .iter()
        .filter(|(name, id)| called.contains(id) || !shared(name));
    clear.cloned().collect()
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// A line with ids in place of these names.
fn spell_out(line: &str, names: &[(String, OwnedUserId)]) -> String {
    let mut spelt = String::with_capacity(line.len());
    let mut rest = line;
    'words: while let Some(letter) = rest.chars().next() {
        let begins = spelt.chars().next_back().is_none_or(char::is_whitespace);
        let head = rest.strip_prefix('@').unwrap_or(rest);
        for (name, id) in names.iter().filter(|_| begins) {
            if let Some(tail) = after(head, name) {
                spelt.push_str(id.as_str());
                rest = tail;
                continue 'words;
            }
        }
        spelt.push(letter);
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    spelt
}

/// What follows a name at the start of a text, whatever the case of its letters; none unless the name ends there.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut letters = text.chars();
    for wanted in name.chars() {
        let found = letters.next()?;
        if !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let tail = letters.as_str();
    let tail = tail.strip_prefix([':', ',']).unwrap_or(tail);
    (tail.is_empty() || tail.starts_with(char::is_whitespace)).then_some(tail)
}

/// A mention without its decoration.
fn bare(mention: &str) -> String {
    mention
        .trim_start_matches('@')
        .trim_end_matches([',', ':'])
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::user_id;

    use super::*;

    #[test]
    fn names_are_spelt_out_as_words_and_nothing_else() {
        let names = [
            ("Bea Fox".to_owned(), user_id!("@bea:x.org").to_owned()),
            ("Élise".to_owned(), user_id!("@elise:x.org").to_owned()),
        ];
        for (line, expected) in [
            ("!challenge Bea Fox phwar", "!challenge @bea:x.org phwar"),
            ("!challenge @bea fox: phwar", "!challenge @bea:x.org phwar"),
            (
                "!challenge Bea Fox, élise phwar",
                "!challenge @bea:x.org @elise:x.org phwar",
            ),
            ("!challenge Bea Foxes phwar", "!challenge Bea Foxes phwar"),
            ("!challenge LeBea Fox phwar", "!challenge LeBea Fox phwar"),
            ("Bea Fox", "@bea:x.org"),
            ("", ""),
        ] {
            assert_eq!(spell_out(line, &names), expected);
        }
    }
}
