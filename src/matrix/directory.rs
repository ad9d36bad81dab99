//! Whom people mean when they name somebody in a room.

use std::cmp::Reverse;

use matrix_sdk::room::RoomMember;
use matrix_sdk::ruma::{OwnedUserId, UserId};
use matrix_sdk::{Room, RoomMemberships};

use super::address::MARK;
use super::errors::MatrixError;
use super::sender::player;
use crate::chat::command::{Command, Opponent, People};
use crate::chat::message::Message;
use crate::chat::opponent;
use crate::chat::parlor::Parlor;
use crate::matches::bot::oneself;
use crate::matches::people::PlayerId;

/// The people of a room, as somebody who speaks there can name them.
#[derive(Debug, Default)]
pub struct RoomPeople {
    members: Vec<RoomMember>,
    /// The names that a line may begin with, the longest first: those of several words, and those of people whom the
    /// sender's client says it mentions.
    names: Vec<(String, OwnedUserId)>,
}

impl RoomPeople {
    /// Everybody in a room; `called` are those whom the sender's client says it mentions.
    pub async fn of(room: &Room, called: &[OwnedUserId]) -> Result<Self, MatrixError> {
        let members = room.members(RoomMemberships::ACTIVE).await?;
        Ok(Self {
            names: names(&members, called),
            members,
        })
    }

    /// Asks which of several people of one name is meant, if a line names them: a command each, complete. A name of several
    /// words may keep a line from being read as a command.
    pub fn which(&self, line: &str, command: Option<&Command>) -> Option<Message> {
        let unknown = match command {
            Some(command) => Some(unknown_in(command)?),
            None => None,
        };
        let members = self.members.iter();
        let people: Vec<NamedUser<'_>> = members
            .map(|member| NamedUser {
                name: member.name(),
                id: member.user_id(),
            })
            .collect();
        let Namesakes { name, people, line } = namesakes(line, unknown, &people)?;
        let choices = people.iter().map(|person| {
            let complete = line.with(person.id.as_str());
            (format!("{} ({})", person.name, person.id), complete)
        });
        Some(opponent::which_one(name, choices.collect()))
    }

    /// Notes what those are called whom a command names.
    pub async fn meet(&self, parlor: &Parlor, command: &Command) -> Result<(), MatrixError> {
        for opponent in command.opponents() {
            let Opponent::Player(named) = opponent else {
                continue;
            };
            let found = self
                .members
                .iter()
                .find(|member| player(member.user_id()) == *named);
            if let Some(member) = found {
                let known = parlor.service.person(named)?.name;
                let name = shown_name(member, &self.members, &known);
                parlor.service.meet(named, &name).await?;
            }
        }
        Ok(())
    }
}

impl People for RoomPeople {
    fn find(&self, word: &str) -> Option<PlayerId> {
        let member = one(&self.members, word)?;
        Some(if member.is_account_user() {
            oneself()
        } else {
            player(member.user_id())
        })
    }

    fn leading<'t>(&self, text: &'t str) -> Option<(PlayerId, &'t str)> {
        let (id, rest) = leading(text, &self.names)?;
        let own = |member: &RoomMember| member.is_account_user() && member.user_id() == id;
        let who = if self.members.iter().any(own) {
            oneself()
        } else {
            player(id)
        };
        Some((who, rest))
    }
}

/// What somebody is to be called who speaks in a room, and is known by a name already.
pub async fn name_in(room: &Room, user: &UserId, known: &str) -> Result<String, MatrixError> {
    // Whether somebody else here is called the same is known when everybody is.
    let Some(member) = room.get_member(user).await? else {
        return Ok(user.localpart().to_owned());
    };
    let others = if member.name_ambiguous() {
        room.members(RoomMemberships::ACTIVE).await?
    } else {
        Vec::new()
    };
    Ok(shown_name(&member, &others, known))
}

/// What somebody is called among others.
fn shown_name(member: &RoomMember, others: &[RoomMember], known: &str) -> String {
    let others = others.iter().filter(|other| other.user_id() != member.user_id());
    let namesakes = others.filter(|other| same(other.name(), member.name()));
    let namesakes: Vec<&UserId> = namesakes.map(|other| other.user_id()).collect();
    told_apart(
        member.name(),
        member.user_id(),
        &namesakes,
        member.name_ambiguous(),
        known,
    )
}

/// A name, with as much of the id as tells its owner from those of the same name. A name goes with somebody wherever they
/// speak: what told them apart once goes on doing so where they are alone, as long as they are called the same.
fn told_apart(name: &str, id: &UserId, namesakes: &[&UserId], ambiguous: bool, known: &str) -> String {
    let short = format!("{name} (@{})", id.localpart());
    let whole = format!("{name} ({id})");
    let confused = namesakes.iter().any(|other| other.localpart() == id.localpart());
    if confused || known == whole {
        whole
    } else if ambiguous || !namesakes.is_empty() || known == short {
        short
    } else {
        name.to_owned()
    }
}

/// The member whom a word means: by id, or by a name that nobody else has.
fn one<'m>(members: &'m [RoomMember], mention: &str) -> Option<&'m RoomMember> {
    let wanted = bare(mention);
    let by_id = members
        .iter()
        .find(|member| bare(member.user_id().as_str()) == wanted);
    let is_called = |member: &&RoomMember| is_called(member, &wanted);
    // Set like an id, it is one, whoever else is called like that.
    let local = |member: &&RoomMember| bare(member.user_id().localpart()) == wanted;
    let mut local = members.iter().filter(local);
    let by_local = local
        .next()
        .filter(|_| mention.starts_with('@') && local.next().is_none());
    // Whoever calls us by name means us, whoever else may be called so.
    let own = members.iter().find(|member| member.is_account_user());
    let mut by_name = members.iter().filter(is_called);
    // A name that two people have means neither.
    by_id
        .or_else(|| own.filter(is_called))
        .or(by_local)
        .or_else(|| by_name.next().filter(|_| by_name.next().is_none()))
}

/// Somebody whom a command names and nobody knows by that name alone.
fn unknown_in(command: &Command) -> Option<&str> {
    command.opponents().iter().find_map(|opponent| match opponent {
        Opponent::Unknown(name) => Some(name.as_str()),
        Opponent::Player(_) | Opponent::Bot(_) | Opponent::Oneself => None,
    })
}

fn is_called(member: &RoomMember, wanted: &str) -> bool {
    goes_by(member.name(), member.user_id(), wanted)
}

fn goes_by(name: &str, id: &UserId, wanted: &str) -> bool {
    bare(name) == wanted || bare(id.localpart()) == wanted
}

/// Somebody in a room, by the name that others see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NamedUser<'p> {
    name: &'p str,
    id: &'p UserId,
}

/// Several people whom one name may mean.
#[derive(Debug, PartialEq, Eq)]
struct Namesakes<'p> {
    name: &'p str,
    people: Vec<NamedUser<'p>>,
    line: LineWithGap<'p>,
}

/// A command with a gap where somebody is named.
#[derive(Debug, PartialEq, Eq)]
struct LineWithGap<'t> {
    before: Vec<&'t str>,
    after: &'t str,
}

impl LineWithGap<'_> {
    /// The command with somebody named there.
    fn with(&self, name: &str) -> String {
        let words = self.before.iter().copied().chain([name, self.after]);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.join(" ").trim_start_matches(MARK).to_owned()
    }
}

/// Whom a line may mean that names somebody whom nobody knows by that name alone: those who share a name of several words,
/// of which `unknown` may be one, or those who share `unknown` itself, if one word was found that is no name. A line begins
/// with what it wants, whoever is called so, too.
fn namesakes<'p>(line: &'p str, unknown: Option<&'p str>, people: &[NamedUser<'p>]) -> Option<Namesakes<'p>> {
    let (command, mut rest) = line.trim_start().split_once(char::is_whitespace)?;
    let mut before = vec![command];
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let shared = sharing(rest, people);
        let of_one_word = || {
            let unknown = unknown.filter(|unknown| *unknown == word)?;
            let wanted = bare(unknown);
            let named = people
                .iter()
                .filter(|person| goes_by(person.name, person.id, &wanted));
            Some((unknown, named.copied().collect::<Vec<_>>(), behind))
        };
        if let Some((name, people, after)) = shared.or_else(of_one_word) {
            let line = LineWithGap {
                before,
                after: after.trim_start(),
            };
            return (people.len() > 1).then_some(Namesakes { name, people, line });
        }
        before.push(word);
        rest = behind;
    }
}

/// Those who share a name of several words with which a text begins, the longest there is; and what follows it.
fn sharing<'p>(text: &'p str, people: &[NamedUser<'p>]) -> Option<(&'p str, Vec<NamedUser<'p>>, &'p str)> {
    let text = text.strip_prefix('@').unwrap_or(text);
    let mut named: Vec<(&str, &str)> = people
        .iter()
        .map(|person| person.name.trim())
        .filter(|name| name.contains(char::is_whitespace))
        .filter_map(|name| Some((name, after(text, name)?)))
        .collect();
    named.sort_by_key(|(name, _)| Reverse(name.chars().count()));
    named.into_iter().find_map(|(name, after)| {
        let all: Vec<_> = (people.iter().copied())
            .filter(|person| same(person.name.trim(), name))
            .collect();
        (all.len() > 1).then_some((name, all, after))
    })
}

/// The names with which a line may begin, the longest first: those of several words, which a command would take for
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

/// Whose name a text begins with, and what follows it.
fn leading<'t, 'n>(text: &'t str, names: &'n [(String, OwnedUserId)]) -> Option<(&'n OwnedUserId, &'t str)> {
    let text = text.strip_prefix('@').unwrap_or(text);
    names.iter().find_map(|(name, id)| Some((id, after(text, name)?)))
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
    fn people_of_one_name_are_told_apart_by_as_much_of_their_ids_as_is_needed() {
        let bea = user_id!("@bea:x.org");
        let (other, abroad) = (user_id!("@bea2:x.org"), user_id!("@bea:y.org"));
        let name = |namesakes: &[&UserId], known: &str| {
            told_apart("Bea", bea, namesakes, !namesakes.is_empty(), known)
        };
        assert_eq!(name(&[], "@bea:x.org"), "Bea");
        assert_eq!(name(&[other], "Bea"), "Bea (@bea)");
        assert_eq!(name(&[other, abroad], "Bea (@bea)"), "Bea (@bea:x.org)");
        // Alone with us, they are still who they were.
        assert_eq!(name(&[], "Bea (@bea)"), "Bea (@bea)");
        assert_eq!(name(&[], "Bea (@bea:x.org)"), "Bea (@bea:x.org)");
        assert_eq!(name(&[other], "Bea (@bea:x.org)"), "Bea (@bea:x.org)");
        // Called something else, they are called just that.
        assert_eq!(name(&[], "Beatrice (@bea)"), "Bea");
    }

    #[test]
    fn people_of_one_name_are_asked_about_whatever_they_are_called() {
        let person = |name, id| NamedUser { name, id };
        let people = [
            person("Allen", user_id!("@a1:x.org")),
            person("allen", user_id!("@a2:x.org")),
            person("Bea Fox", user_id!("@bea1:x.org")),
            person("bea  fox ", user_id!("@other:x.org")),
            person("Bea Fox", user_id!("@bea2:x.org")),
            person("Ge", user_id!("@g1:x.org")),
            person("GE", user_id!("@g2:x.org")),
            person("Cy", user_id!("@cy:x.org")),
            person("Lee the Third", user_id!("@l1:x.org")),
            person("Lee The Third", user_id!("@l2:x.org")),
        ];
        let asked = |line: &str, unknown: &str| {
            let found = namesakes(line, Some(unknown), &people)?;
            let commands = found
                .people
                .iter()
                .map(|person| found.line.with(person.id.as_str()));
            Some(commands.collect::<Vec<_>>())
        };
        let both = |one: &str, other: &str| Some(vec![one.to_owned(), other.to_owned()]);
        assert_eq!(
            asked("!challenge allen phwar", "allen"),
            both("challenge @a1:x.org phwar", "challenge @a2:x.org phwar")
        );
        // Within the command's own name stands "ge", too.
        assert_eq!(
            asked("challenge @Ge: phwar  order", "@Ge:"),
            both(
                "challenge @g1:x.org phwar  order",
                "challenge @g2:x.org phwar  order"
            )
        );
        assert_eq!(
            asked("!challenge bea fox phwar", "bea"),
            both("challenge @bea1:x.org phwar", "challenge @bea2:x.org phwar")
        );
        // Somebody else may be called by a part of it.
        assert_eq!(
            asked("!challenge cy @Bea Fox, fabric", "Fox,"),
            both(
                "challenge cy @bea1:x.org fabric",
                "challenge cy @bea2:x.org fabric"
            )
        );
        assert_eq!(
            asked("!challenge lee the third", "lee"),
            both("challenge @l1:x.org", "challenge @l2:x.org")
        );
        // Of a line that can't be read, only names of several words are looked for.
        let unread = |line: &str| namesakes(line, None, &people).map(|found| found.people.len());
        assert_eq!(unread("!challenge bea fox phwar"), Some(2));
        assert_eq!(unread("!challenge allen foxes"), None);
        for (line, unknown) in [
            ("!challenge dan phwar", "dan"),
            ("!challenge bea foxes phwar", "bea"),
            ("!challenge", "allen"),
            ("allen", "allen"),
        ] {
            assert_eq!(asked(line, unknown), None, "{line}");
        }
    }

    #[test]
    fn names_of_several_words_are_read_as_a_whole() {
        let names = [
            ("Bea Fox".to_owned(), user_id!("@bea:x.org").to_owned()),
            ("Élise".to_owned(), user_id!("@elise:x.org").to_owned()),
        ];
        let read = |text| leading(text, &names).map(|(id, rest)| (id.as_str(), rest));
        for (text, expected) in [
            ("Bea Fox phwar", Some(("@bea:x.org", " phwar"))),
            ("@bea fox: phwar", Some(("@bea:x.org", " phwar"))),
            ("élise phwar", Some(("@elise:x.org", " phwar"))),
            ("Bea Fox", Some(("@bea:x.org", ""))),
            ("Bea Foxes phwar", None),
            ("LeBea Fox phwar", None),
            ("", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
