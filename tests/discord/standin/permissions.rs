//! Who may do what where.

use super::model::{ChannelKind, Id, Model};
use super::refusal::Refusal;

pub const ADMINISTRATOR: u64 = 1 << 3;
pub const MANAGE_GUILD: u64 = 1 << 5;
pub const VIEW_CHANNEL: u64 = 1 << 10;
pub const SEND_MESSAGES: u64 = 1 << 11;
pub const EMBED_LINKS: u64 = 1 << 14;
pub const ATTACH_FILES: u64 = 1 << 15;
pub const READ_MESSAGE_HISTORY: u64 = 1 << 16;
pub const MENTION_EVERYONE: u64 = 1 << 17;
pub const USE_APPLICATION_COMMANDS: u64 = 1 << 31;
pub const MANAGE_THREADS: u64 = 1 << 34;
pub const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
pub const SEND_MESSAGES_IN_THREADS: u64 = 1 << 38;

const ALL: u64 = (1 << 50) - 1;

/// What everybody may do in a server as it is made; even ping everybody, which is what makes a careless bot
/// dangerous.
pub const EVERYONE: u64 = VIEW_CHANNEL
    | SEND_MESSAGES
    | READ_MESSAGE_HISTORY
    | MENTION_EVERYONE
    | USE_APPLICATION_COMMANDS
    | SEND_MESSAGES_IN_THREADS;

/// What the bot is given when it is invited as its README says.
pub const INVITED: u64 = VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | CREATE_PUBLIC_THREADS
    | MANAGE_THREADS
    | SEND_MESSAGES_IN_THREADS;

/// What a user may do in a channel.
pub fn of(model: &Model, user: Id, channel: Id) -> u64 {
    let Some(channel) = model.channels.get(&channel) else {
        return 0;
    };
    let Some(guild) = channel.guild.and_then(|guild| model.guilds.get(&guild)) else {
        // In a private channel everything that makes sense there is allowed.
        return if channel.kind == ChannelKind::Dm {
            VIEW_CHANNEL | SEND_MESSAGES | EMBED_LINKS | ATTACH_FILES | READ_MESSAGE_HISTORY
        } else {
            0
        };
    };
    let Some(member) = guild.members.get(&user) else {
        return 0;
    };
    if guild.owner == user {
        return ALL;
    }
    let everyone = guild.roles.get(&guild.id).copied().unwrap_or_default();
    let base = member.roles.iter().fold(everyone, |base, role| {
        base | guild.roles.get(role).copied().unwrap_or_default()
    });
    if base & ADMINISTRATOR != 0 {
        return ALL;
    }
    // A thread has the overwrites of its channel.
    let overwrites = match channel.parent.and_then(|parent| model.channels.get(&parent)) {
        Some(parent) if channel.kind == ChannelKind::PublicThread => &parent.overwrites,
        _ => &channel.overwrites,
    };
    let apply = |permissions: u64, fits: &dyn Fn(Id) -> bool| {
        let fitting = overwrites.iter().filter(|overwrite| fits(overwrite.id));
        let (allow, deny) = fitting.fold((0, 0), |(allow, deny), overwrite| {
            (allow | overwrite.allow, deny | overwrite.deny)
        });
        (permissions & !deny) | allow
    };
    let permissions = apply(base, &|id| id == guild.id);
    let permissions = apply(permissions, &|id| member.roles.contains(&id));
    let permissions = apply(permissions, &|id| id == user);
    if permissions & VIEW_CHANNEL == 0 {
        0
    } else {
        permissions
    }
}

/// Refuses what the bot may not do in a channel.
pub fn need(model: &Model, channel: Id, wanted: u64) -> Result<(), Refusal> {
    let found = model.channels.get(&channel).ok_or(Refusal::UNKNOWN_CHANNEL)?;
    let in_guild = found.guild.is_none_or(|guild| {
        let guild = model.guilds.get(&guild);
        guild.is_some_and(|guild| guild.members.contains_key(&model.bot))
    });
    let has = of(model, model.bot, channel);
    if !in_guild || has & VIEW_CHANNEL == 0 {
        return Err(Refusal::MISSING_ACCESS.into());
    }
    if has & wanted != wanted {
        return Err(Refusal::MISSING_PERMISSIONS.into());
    }
    Ok(())
}

/// What it takes to write in a channel.
pub fn to_send(model: &Model, channel: Id, has_embeds: bool, has_files: bool) -> Result<(), Refusal> {
    let is_thread = model
        .channels
        .get(&channel)
        .is_some_and(|channel| channel.kind == ChannelKind::PublicThread);
    let mut wanted = if is_thread {
        SEND_MESSAGES_IN_THREADS
    } else {
        SEND_MESSAGES
    };
    if has_embeds {
        wanted |= EMBED_LINKS;
    }
    if has_files {
        wanted |= ATTACH_FILES;
    }
    need(model, channel, wanted)
}
