//! Who said something, and where.

use serenity::model::application::{
    AuthorizingIntegrationOwner, AuthorizingIntegrationOwners, CommandInteraction, ComponentInteraction,
    InteractionContext,
};
use serenity::model::channel::{ChannelType, PartialChannel};
use serenity::model::guild::Member;
use serenity::model::id::{ChannelId, GuildId, UserId};
use serenity::model::permissions::Permissions;
use serenity::model::user::User;

use serde::{Deserialize, Serialize};

use super::ids::{self, DiscordRoom};
use super::storage::DiscordStore;
use crate::matches::code::Code;
use crate::matches::community::RoomCommunity;
use crate::matches::people::{CommunityId, PlayerId, RoomId};
use crate::matches::port::Fault;
use crate::text::is_unseen;

/// Where an event comes from, as Discord tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventOrigin {
    guild: Option<GuildId>,
    channel: ChannelId,
    /// The channel that this one is a thread of.
    thread_of: Option<ChannelId>,
    user: UserId,
    name: String,
    /// What the bot may do here.
    pub allowed: Option<Permissions>,
    place: Presence,
    manages: bool,
}

/// Whether the bot itself is where somebody said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Presence {
    /// It is, and can speak.
    There,
    /// It was brought along by a user, and can answer only.
    Brought,
}

impl From<&CommandInteraction> for EventOrigin {
    fn from(event: &CommandInteraction) -> Self {
        Self {
            guild: event.guild_id,
            channel: event.channel_id,
            thread_of: thread_of(event.channel.as_ref()),
            user: event.user.id,
            name: name_in(&event.user, event.member.as_deref()),
            allowed: event.app_permissions,
            place: presence(
                event.guild_id,
                &event.authorizing_integration_owners,
                event.context,
            ),
            manages: manages(event.member.as_deref()),
        }
    }
}

impl From<&ComponentInteraction> for EventOrigin {
    fn from(event: &ComponentInteraction) -> Self {
        Self {
            guild: event.guild_id,
            channel: event.channel_id,
            thread_of: thread_of(event.channel.as_ref()),
            user: event.user.id,
            name: name_in(&event.user, event.member.as_ref()),
            allowed: event.app_permissions,
            place: presence(
                event.guild_id,
                &event.authorizing_integration_owners,
                event.context,
            ),
            manages: manages(event.member.as_ref()),
        }
    }
}

fn presence(
    guild: Option<GuildId>,
    owners: &AuthorizingIntegrationOwners,
    context: Option<InteractionContext>,
) -> Presence {
    let by_guild =
        |owner: &AuthorizingIntegrationOwner| matches!(owner, AuthorizingIntegrationOwner::GuildInstall(_));
    let there = match guild {
        Some(_) => owners.0.is_empty() || owners.0.iter().any(by_guild),
        None => context != Some(InteractionContext::PrivateChannel),
    };
    if there { Presence::There } else { Presence::Brought }
}

/// The channel above, if this is a thread. A thread whose channel is not told counts as its own.
fn thread_of(channel: Option<&PartialChannel>) -> Option<ChannelId> {
    let thread = channel.filter(|channel| {
        matches!(
            channel.kind,
            ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread
        )
    })?;
    Some(thread.parent_id.unwrap_or(thread.id))
}

fn name_in(user: &User, member: Option<&Member>) -> String {
    name_of(user, member.and_then(|member| member.nick.as_deref()))
}

fn manages(member: Option<&Member>) -> bool {
    let may = member.and_then(|member| member.permissions);
    may.is_some_and(|may| may.intersects(Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR))
}

/// Who said something, and where.
#[derive(Clone, Debug)]
pub struct InvocationContext {
    pub user: UserId,
    pub who: PlayerId,
    pub name: String,
    /// Where the match is shown. The thread of a match stands for the room in which it was opened; a thread that
    /// somebody else made is a room like any other. Where only a user has installed the bot, it can answer and do
    /// nothing else; their matches are shown in their talk with it.
    pub room: RoomId,
    /// What is known of the room, in a server.
    pub room_community: Option<RoomCommunity>,
    /// The match whose thread this is.
    pub code: Option<Code>,
    /// What the bot lacks here to show a match.
    pub lacking: Vec<&'static str>,
    /// Whether this user manages the server.
    pub manages: bool,
}

/// What pictures need, as Discord's own pages call it.
pub const EMBED_LINKS: &str = "Embed Links";
pub const ATTACH_FILES: &str = "Attach Files";

/// What a match needs, and what Discord's own pages call it.
const NEEDED: [(Permissions, &str); 4] = [
    (Permissions::VIEW_CHANNEL, "View Channel"),
    (Permissions::SEND_MESSAGES, "Send Messages"),
    (Permissions::EMBED_LINKS, EMBED_LINKS),
    (Permissions::ATTACH_FILES, ATTACH_FILES),
];
const IN_THREADS: (Permissions, &str) = (Permissions::SEND_MESSAGES_IN_THREADS, "Send Messages in Threads");
const THREADS: (Permissions, &str) = (Permissions::CREATE_PUBLIC_THREADS, "Create Public Threads");

/// What is missing for every match to get its thread.
pub fn lacking_for_threads(allowed: Option<Permissions>) -> Vec<&'static str> {
    lacking(allowed, NEEDED.into_iter().chain([THREADS, IN_THREADS]))
}

fn lacking(
    allowed: Option<Permissions>,
    needed: impl IntoIterator<Item = (Permissions, &'static str)>,
) -> Vec<&'static str> {
    let Some(allowed) = allowed.filter(|allowed| !allowed.contains(Permissions::ADMINISTRATOR)) else {
        return Vec::new();
    };
    let missing = needed.into_iter().filter(|(one, _)| !allowed.contains(*one));
    missing.map(|(_, name)| name).collect()
}

impl InvocationContext {
    pub fn new(origin: &EventOrigin, storage: &DiscordStore) -> Result<Self, Fault> {
        let user = origin.user;
        let present = origin.is_present();
        let in_thread = origin.thread_of.is_some();
        let (mut room, mut code) = (DiscordRoom::Dm(user).room(), None);
        if present && origin.guild.is_some() {
            room = DiscordRoom::Channel(origin.channel).room();
            if in_thread && let Some(match_thread) = storage.match_thread(origin.channel)? {
                room = match_thread.room;
                code = Some(match_thread.code);
            }
        }
        let room_community = origin.guild.filter(|_| present).map(|guild| RoomCommunity {
            community: ids::community(guild),
            within: origin
                .thread_of
                .filter(|parent| code.is_none() && *parent != origin.channel)
                .map(|parent| DiscordRoom::Channel(parent).room()),
        });
        let lacking = match (&room_community, in_thread) {
            (None, _) => Vec::new(),
            (Some(_), false) => lacking(origin.allowed, NEEDED),
            (Some(_), true) => {
                let needed = NEEDED
                    .into_iter()
                    .filter(|(one, _)| *one != Permissions::SEND_MESSAGES);
                lacking(origin.allowed, needed.chain([IN_THREADS]))
            }
        };
        Ok(Self {
            user,
            who: ids::player(user),
            name: origin.name.clone(),
            room,
            room_community,
            code,
            lacking,
            manages: origin.manages,
        })
    }

    /// The server, if it is one.
    pub fn community(&self) -> Option<&CommunityId> {
        self.room_community
            .as_ref()
            .map(|room_community| &room_community.community)
    }
}

impl EventOrigin {
    /// Whether the bot itself is here, and can speak.
    pub fn is_present(&self) -> bool {
        self.place == Presence::There
    }

    /// The user whose private talk with the bot this is, and its channel.
    pub fn talk(&self) -> Option<(UserId, ChannelId)> {
        (self.guild.is_none() && self.is_present()).then_some((self.user, self.channel))
    }
}

/// What a user is called here: the first of their names of which something can be seen.
pub fn name_of(user: &User, nick: Option<&str>) -> String {
    let names = [nick, user.global_name.as_deref()];
    let seen = names
        .into_iter()
        .flatten()
        .find(|name| !name.chars().all(is_unseen));
    seen.unwrap_or(&user.name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(global_name: &str) -> User {
        serde_json::from_value(serde_json::json!({
            "id": "7", "username": "ann7", "global_name": global_name, "discriminator": "0", "avatar": null,
        }))
        .unwrap()
    }

    #[test]
    fn a_name_that_shows_nothing_is_passed_over() {
        assert_eq!(name_of(&user("Ann"), Some("Captain")), "Captain");
        for blank in [
            "",
            " ",
            "\u{3164}",
            "\u{200b}\u{2060}",
            "\u{115f}\u{1160} \u{ffa0}",
            "\u{ad}",
            "\u{2800}",
        ] {
            assert_eq!(name_of(&user("Ann"), Some(blank)), "Ann", "{blank:?}");
            assert_eq!(name_of(&user(blank), Some(blank)), "ann7", "{blank:?}");
        }
    }
}
