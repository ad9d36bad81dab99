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

use super::ids::{self, DiscordRoom};
use super::storage::DiscordStore;
use crate::matches::code::Code;
use crate::matches::community::RoomCommunity;
use crate::matches::people::{CommunityId, PlayerId, RoomId};
use crate::matches::port::Fault;

/// Where an event comes from, as Discord tells it.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    guild: Option<GuildId>,
    channel: ChannelId,
    about: Option<&'a PartialChannel>,
    member: Option<&'a Member>,
    user: &'a User,
    allowed: Option<Permissions>,
    owners: &'a AuthorizingIntegrationOwners,
    context: Option<InteractionContext>,
}

impl<'a> From<&'a CommandInteraction> for Origin<'a> {
    fn from(event: &'a CommandInteraction) -> Self {
        Self {
            guild: event.guild_id,
            channel: event.channel_id,
            about: event.channel.as_ref(),
            member: event.member.as_deref(),
            user: &event.user,
            allowed: event.app_permissions,
            owners: &event.authorizing_integration_owners,
            context: event.context,
        }
    }
}

impl<'a> From<&'a ComponentInteraction> for Origin<'a> {
    fn from(event: &'a ComponentInteraction) -> Self {
        Self {
            guild: event.guild_id,
            channel: event.channel_id,
            about: event.channel.as_ref(),
            member: event.member.as_ref(),
            user: &event.user,
            allowed: event.app_permissions,
            owners: &event.authorizing_integration_owners,
            context: event.context,
        }
    }
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

/// What a match needs, and what Discord's own pages call it.
const NEEDED: [(Permissions, &str); 4] = [
    (Permissions::VIEW_CHANNEL, "View Channel"),
    (Permissions::SEND_MESSAGES, "Send Messages"),
    (Permissions::EMBED_LINKS, "Embed Links"),
    (Permissions::ATTACH_FILES, "Attach Files"),
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
    pub fn new(origin: Origin<'_>, storage: &DiscordStore) -> Result<Self, Fault> {
        let user = origin.user.id;
        let present = origin.is_present();
        let in_thread = origin.is_thread();
        let (mut room, mut code) = (DiscordRoom::Dm(user).room(), None);
        if present && origin.guild.is_some() {
            room = DiscordRoom::Channel(origin.channel).room();
            if in_thread && let Some(match_thread) = storage.match_thread(origin.channel)? {
                room = match_thread.room;
                code = Some(match_thread.code);
            }
        }
        let parent = origin.about.and_then(|channel| channel.parent_id);
        let room_community = origin.guild.filter(|_| present).map(|guild| RoomCommunity {
            community: ids::community(guild),
            within: parent
                .filter(|_| in_thread && code.is_none())
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
            name: name_of(
                origin.user,
                origin.member.and_then(|member| member.nick.as_deref()),
            ),
            room,
            room_community,
            code,
            lacking,
            manages: origin
                .member
                .and_then(|member| member.permissions)
                .is_some_and(|may| may.intersects(Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR)),
        })
    }

    /// The server, if it is one.
    pub fn community(&self) -> Option<&CommunityId> {
        self.room_community
            .as_ref()
            .map(|room_community| &room_community.community)
    }
}

impl Origin<'_> {
    /// Whether the bot itself is here, and can speak.
    pub fn is_present(&self) -> bool {
        match self.guild {
            Some(_) => {
                let owners = &self.owners.0;
                let by_guild = |owner: &AuthorizingIntegrationOwner| {
                    matches!(owner, AuthorizingIntegrationOwner::GuildInstall(_))
                };
                owners.is_empty() || owners.iter().any(by_guild)
            }
            None => self.context != Some(InteractionContext::PrivateChannel),
        }
    }

    fn is_thread(&self) -> bool {
        self.about.is_some_and(|channel| {
            matches!(
                channel.kind,
                ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread
            )
        })
    }
}

/// What a user is called here.
pub fn name_of(user: &User, nick: Option<&str>) -> String {
    let name = nick.or(user.global_name.as_deref()).unwrap_or(&user.name);
    name.to_owned()
}
