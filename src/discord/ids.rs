//! Where on Discord something is said: ids of people and rooms, there and here.

use serenity::model::id::{ChannelId, GuildId, UserId};

use super::PLATFORM;
use crate::chat::command::People;
use crate::matches::people::{CommunityId, PlayerId, RoomId};

/// A room of Discord's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiscordRoom {
    /// A channel of a server, or a thread that somebody made there.
    Channel(ChannelId),
    /// The talk between one user and the bot.
    Dm(UserId),
}

/// What the ids of private talks begin with.
const DM: &str = "dm-";

impl DiscordRoom {
    /// The place that a room stands for.
    pub fn of(room: &RoomId) -> Option<Self> {
        let (platform, id) = room.parts();
        if platform != PLATFORM {
            return None;
        }
        match id.strip_prefix(DM) {
            Some(user) => number(user).map(|user| Self::Dm(UserId::new(user))),
            None => number(id).map(|channel| Self::Channel(ChannelId::new(channel))),
        }
    }

    pub fn room(self) -> RoomId {
        match self {
            Self::Channel(channel) => RoomId::new(PLATFORM, &channel.to_string()),
            Self::Dm(user) => RoomId::new(PLATFORM, &format!("{DM}{user}")),
        }
    }
}

/// The player that a user is.
pub fn player(user: UserId) -> PlayerId {
    PlayerId::new(PLATFORM, &user.to_string())
}

/// The user that a player is, if they are one of Discord's.
pub fn user_of(player: &PlayerId) -> Option<UserId> {
    let (platform, id) = player.parts();
    let id = (platform == PLATFORM).then(|| number(id)).flatten();
    id.map(UserId::new)
}

/// The community that a server is.
pub fn community(guild: GuildId) -> CommunityId {
    CommunityId::new(PLATFORM, &guild.to_string())
}

/// The server that a community is, if it is one of Discord's.
pub fn guild_of(community: &CommunityId) -> Option<GuildId> {
    let (platform, id) = community.parts();
    let id = (platform == PLATFORM).then(|| number(id)).flatten();
    id.map(GuildId::new)
}

/// An id of Discord's; none is zero.
pub fn number(id: &str) -> Option<u64> {
    id.parse().ok().filter(|id| *id != 0)
}

/// The user whom a mention means.
pub fn mentioned(mention: &str) -> Option<UserId> {
    let inner = mention.strip_prefix("<@")?.strip_suffix('>')?;
    number(inner.strip_prefix('!').unwrap_or(inner)).map(UserId::new)
}

/// Discord writes mentions as ids, so they can be read without asking anybody.
#[derive(Clone, Copy, Debug)]
pub struct Mentions;

impl People for Mentions {
    fn find(&self, word: &str) -> Option<PlayerId> {
        mentioned(word).map(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_and_people_are_found_again() {
        for place in [
            DiscordRoom::Channel(ChannelId::new(7)),
            DiscordRoom::Dm(UserId::new(8)),
        ] {
            assert_eq!(DiscordRoom::of(&place.room()), Some(place));
        }
        assert_eq!(user_of(&player(UserId::new(9))), Some(UserId::new(9)));
        for strange in [
            RoomId::new("matrix", "7"),
            RoomId::new("discord", "0"),
            RoomId::new("discord", "x"),
        ] {
            assert_eq!(DiscordRoom::of(&strange), None);
        }
        assert_eq!(user_of(&PlayerId::new("matrix", "9")), None);
    }

    #[test]
    fn mentions_are_read() {
        assert_eq!(mentioned("<@12>"), Some(UserId::new(12)));
        assert_eq!(mentioned("<@!12>"), Some(UserId::new(12)));
        for strange in ["@12", "<@0>", "<@&12>", "<@1x>", "12"] {
            assert_eq!(mentioned(strange), None, "{strange}");
        }
    }
}
