//! A thread for each match, for games that have much to tell, or as a server wants it.
//!
//! The message by which a match begins stays in the channel, and the thread hangs under it: it has the message's id, so
//! that it is found again even if we died before noting it down. Everything after that is said in the thread, and in the
//! channel again how it ended. If the
//! thread is deleted, locked or out of bounds, the match goes on in the channel.

use serde_json::json;
use serenity::model::id::ChannelId;

use super::card;
use super::context::DiscordContext;
use super::errors::{DiscordError, code};
use super::postman::{is_lost, nonce, posted};
use super::rest::OutgoingMessage;
use super::storage::{MatchThread, PostedMessage};
use crate::catalog;
use crate::chat::notices::game_name;
use crate::matches::delivery::{Delivery, Notice};
use crate::matches::people::RoomId;

/// Posts about a match: in its thread, or in the channel.
pub async fn post(
    context: &DiscordContext,
    room: &RoomId,
    channel: ChannelId,
    delivery: &Delivery,
    outgoing: OutgoingMessage,
) -> Result<Option<PostedMessage>, DiscordError> {
    let table = &delivery.code;
    let begins = matches!(delivery.notice, Notice::Started { .. });
    // The beginning always goes to the channel: said again after a crash, it must not turn up in its own thread.
    let thread = context.storage.thread(room, table)?.filter(|_| !begins);
    if let Some(thread) = thread {
        let pictured = outgoing.upload.is_some();
        match post_in_thread(context, thread, outgoing.clone()).await {
            // Perhaps it is only the picture that may not be shown.
            Err(error) if pictured && error.code() == Some(code::MISSING_PERMISSIONS) => {
                return Err(error);
            }
            Err(error) if is_lost(&error) => {
                tracing::warn!(%table, %error, "discord: could not post in the thread; using the channel");
                context.storage.forget_thread(room, table).await?;
            }
            outcome => {
                if outcome.is_ok() && matches!(delivery.notice, Notice::Ended { .. }) {
                    tell_channel(context, channel, outgoing).await?;
                }
                return outcome;
            }
        }
    }
    let posted = posted(channel, context.rest.post(channel, outgoing).await?);
    if let Some(beginning) = posted.filter(|_| begins) {
        start(context, room, beginning, delivery).await?;
    }
    Ok(posted)
}

/// Tells the channel how a match ended that was played in a thread. Whoever is concerned has been called there.
async fn tell_channel(
    context: &DiscordContext,
    channel: ChannelId,
    mut outgoing: OutgoingMessage,
) -> Result<(), DiscordError> {
    let own = outgoing.body["nonce"].as_str().unwrap_or_default();
    outgoing.body["nonce"] = json!(nonce(&format!("the end of {own}")));
    outgoing.body["allowed_mentions"] = json!({ "parse": [] });
    outgoing.body["components"] = json!(card::without_rows(&outgoing.body).as_slice());
    match context.rest.post(channel, outgoing).await {
        Err(error) if error.may_pass() => Err(error),
        // The thread knows it.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A thread that has gone to sleep is woken up; usually a message does that by itself.
async fn post_in_thread(
    context: &DiscordContext,
    thread: ChannelId,
    outgoing: OutgoingMessage,
) -> Result<Option<PostedMessage>, DiscordError> {
    let first = context.rest.post(thread, outgoing.clone()).await;
    let message = match first {
        Err(error) if is_lost(&error) && !matches!(error, DiscordError::Gone { .. }) => {
            context.rest.unarchive(thread).await.map_err(shut)?;
            context.rest.post(thread, outgoing).await?
        }
        outcome => outcome?,
    };
    Ok(posted(thread, message))
}

/// Starts the thread of a match under the message by which it begins, if the server wants threads. If that can't be
/// done the match is played in the channel: it works without a thread.
async fn start(
    context: &DiscordContext,
    room: &RoomId,
    beginning: PostedMessage,
    delivery: &Delivery,
) -> Result<(), DiscordError> {
    let started = async {
        let threads = context.parlor.service.rules_in(room)?.threads;
        let wanted = catalog::find(&delivery.game).is_ok_and(|entry| threads.for_game(entry.meta));
        let there = context.storage.thread(room, &delivery.code)?;
        if !wanted || there.is_some() {
            return Ok(());
        }
        let name = format!("{} #{}", game_name(&delivery.game), delivery.code);
        let thread = context
            .rest
            .start_thread(beginning.channel, beginning.message, &name)
            .await?;
        let match_thread = MatchThread {
            room: room.clone(),
            code: delivery.code.clone(),
        };
        context.storage.note_thread(&match_thread, thread).await?;
        Ok::<_, DiscordError>(())
    };
    match started.await {
        // The beginning is said again under the same nonce, and then has its thread.
        Err(error @ DiscordError::Later { after: Some(_), .. }) => return Err(error),
        Err(error) => {
            tracing::warn!(table = %delivery.code, %error, "discord: could not start a thread for the match");
        }
        Ok(()) => {}
    }
    Ok(())
}

/// A thread that may not be woken is as good as gone.
fn shut(error: DiscordError) -> DiscordError {
    match error {
        DiscordError::Forbidden { message, .. } => DiscordError::Gone {
            code: code::ARCHIVED_THREAD,
            message,
        },
        other => other,
    }
}
