//! Users, servers, channels and messages as Discord writes them.

use serde_json::{Value, json};

use super::model::{Channel, ChannelKind, Guild, Id, Message, Model};

impl Model {
    pub fn user_json(&self, id: Id) -> Value {
        let Some(user) = self.users.get(&id) else {
            return json!({ "id": id.to_string(), "username": "gone", "discriminator": "0", "avatar": null });
        };
        json!({
            "id": id.to_string(),
            "username": user.username,
            "global_name": user.global_name,
            "discriminator": "0",
            "avatar": null,
            "bot": user.bot,
            "public_flags": 0,
            "flags": 0,
        })
    }

    pub fn member_json(&self, guild: &Guild, user: Id) -> Value {
        let member = guild.members.get(&user).cloned().unwrap_or_default();
        json!({
            "user": self.user_json(user),
            "nick": member.nick,
            "avatar": null,
            "roles": member.roles.iter().map(Id::to_string).collect::<Vec<_>>(),
            "joined_at": "2024-01-01T00:00:00.000000+00:00",
            "deaf": false,
            "mute": false,
            "flags": 0,
            "pending": false,
        })
    }

    pub fn channel_json(&self, channel: &Channel) -> Value {
        let mut shown = json!({
            "id": channel.id.to_string(),
            "type": channel.kind.number(),
            "last_message_id": null,
            "flags": 0,
        });
        if let Some(recipient) = channel.recipient {
            shown["recipients"] = json!([self.user_json(recipient)]);
            return shown;
        }
        let overwrites = channel.overwrites.iter().map(|overwrite| {
            let is_role = self
                .guilds
                .values()
                .any(|guild| guild.roles.contains_key(&overwrite.id));
            json!({
                "id": overwrite.id.to_string(),
                "type": if is_role { 0 } else { 1 },
                "allow": overwrite.allow.to_string(),
                "deny": overwrite.deny.to_string(),
            })
        });
        shown["permission_overwrites"] = overwrites.collect();
        shown["name"] = json!(channel.name);
        shown["guild_id"] = json!(channel.guild.map(|id| id.to_string()));
        shown["parent_id"] = json!(channel.parent.map(|id| id.to_string()));
        shown["position"] = json!(0);
        if channel.kind == ChannelKind::PublicThread {
            shown["owner_id"] = json!(self.bot.to_string());
            shown["message_count"] = json!(0);
            shown["member_count"] = json!(channel.thread_members.len().min(50));
            shown["thread_metadata"] = json!({
                "archived": channel.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": self.clock.timestamp(),
                "locked": channel.locked,
            });
        }
        shown
    }

    /// The whole server, as the gateway tells of it.
    pub fn guild_json(&self, guild: &Guild) -> Value {
        let roles = guild.roles.iter().map(|(id, permissions)| {
            json!({
                "id": id.to_string(),
                "name": if *id == guild.id { "@everyone" } else { "role" },
                "color": 0,
                "colors": { "primary_color": 0, "secondary_color": null, "tertiary_color": null },
                "hoist": false,
                "managed": false,
                "mentionable": false,
                "permissions": permissions.to_string(),
                "position": 0,
                "flags": 0,
            })
        });
        let in_guild = |kind: ChannelKind| {
            self.channels
                .values()
                .filter(move |channel| channel.guild == Some(guild.id) && channel.kind == kind)
                .map(|channel| self.channel_json(channel))
                .collect::<Vec<_>>()
        };
        // Without the privileged intent a bot is told of itself only.
        json!({
            "id": guild.id.to_string(),
            "name": guild.name,
            "icon": null,
            "splash": null,
            "discovery_splash": null,
            "owner_id": guild.owner.to_string(),
            "afk_channel_id": null,
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "roles": roles.collect::<Vec<_>>(),
            "emojis": [],
            "features": [],
            "mfa_level": 0,
            "application_id": null,
            "system_channel_id": null,
            "system_channel_flags": 0,
            "rules_channel_id": null,
            "vanity_url_code": null,
            "description": null,
            "banner": null,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": "en-US",
            "public_updates_channel_id": null,
            "nsfw_level": 0,
            "stickers": [],
            "premium_progress_bar_enabled": false,
            "joined_at": "2024-01-01T00:00:00.000000+00:00",
            "large": false,
            "unavailable": false,
            "member_count": guild.members.len(),
            "voice_states": [],
            "members": [self.member_json(guild, self.bot)],
            "channels": in_guild(ChannelKind::Text),
            "threads": in_guild(ChannelKind::PublicThread),
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "safety_alerts_channel_id": null,
            "max_members": 500_000,
        })
    }

    pub fn message_json(&self, message: &Message) -> Value {
        let attachments = message.attachments.iter().map(|attachment| {
            let url = format!(
                "https://cdn.discordapp.com/attachments/{}/{}/{}",
                message.channel, attachment.id, attachment.name
            );
            json!({
                "id": attachment.id.to_string(),
                "filename": attachment.name,
                "description": attachment.alt,
                "size": attachment.bytes.len(),
                "url": url,
                "proxy_url": url,
            })
        });
        json!({
            "id": message.id.to_string(),
            "channel_id": message.channel.to_string(),
            "author": self.user_json(message.author),
            "content": message.content,
            "timestamp": "2024-01-01T00:00:00.000000+00:00",
            "edited_timestamp": null,
            "tts": false,
            "mention_everyone": message.pinged_everyone,
            "mentions": message.pinged.iter().map(|id| self.user_json(*id)).collect::<Vec<_>>(),
            "mention_roles": [],
            "attachments": attachments.collect::<Vec<_>>(),
            "embeds": message.embeds,
            "components": message.components,
            "nonce": message.nonce,
            "pinned": false,
            "type": if message.interaction.is_some() { 20 } else { 0 },
            "flags": message.flags,
            "application_id": self.application.to_string(),
        })
    }
}
