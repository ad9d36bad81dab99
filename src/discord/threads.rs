//! A thread for each match, where a server wants it.
//!
//! The message by which a match begins stays in the channel, and the thread hangs under it: it has the message's id, so
//! that it is found again even if we died before noting it down. Everything after that is said in the thread. If the
//! thread is deleted, locked or out of bounds, the match goes on in the channel.

use serenity::model::id::ChannelId;

use super::desk::Desk;
use super::errors::Trouble;
use super::memory::{Posted, Seat};
use super::postman::{is_lost, posted};
use super::rest::Letter;
use crate::chat::notices::game_name;
use crate::matches::delivery::{Delivery, Notice};
use crate::matches::people::RoomId;
use crate::matches::port::Fault;

/// Posts about a match: in its thread, or in the channel.
pub async fn post(
    desk: &Desk,
    room: &RoomId,
    channel: ChannelId,
    delivery: &Delivery,
    letter: Letter,
) -> Result<Option<Posted>, Trouble> {
    let code = &delivery.code;
    let begins = matches!(delivery.notice, Notice::Started { .. });
    // The beginning always goes to the channel: said again after a crash, it must not turn up in its own thread.
    let thread = desk.memory.thread(room, code).map_err(fault)?.filter(|_| !begins);
    if let Some(thread) = thread {
        match post_in_thread(desk, thread, letter.clone()).await {
            Err(trouble) if is_lost(&trouble) => {
                tracing::warn!(%trouble, %code, "a match leaves its thread");
                desk.memory.forget_thread(room, code).await.map_err(fault)?;
            }
            outcome => return outcome,
        }
    }
    let posted = posted(channel, desk.rest.post(channel, letter).await?);
    if let Some(beginning) = posted.filter(|_| begins) {
        start(desk, room, beginning, delivery).await;
    }
    Ok(posted)
}

/// A thread that has gone to sleep is woken up; usually a message does that by itself.
async fn post_in_thread(desk: &Desk, thread: ChannelId, letter: Letter) -> Result<Option<Posted>, Trouble> {
    let first = desk.rest.post(thread, letter.clone()).await;
    let message = match first {
        Err(trouble) if is_lost(&trouble) && !matches!(trouble, Trouble::Gone { .. }) => {
            desk.rest.unarchive(thread).await?;
            desk.rest.post(thread, letter).await?
        }
        outcome => outcome?,
    };
    Ok(posted(thread, message))
}

/// Starts the thread of a match under the message by which it begins, if the server wants threads. If that can't be
/// done the match is played in the channel: a thread is a nicety.
async fn start(desk: &Desk, room: &RoomId, beginning: Posted, delivery: &Delivery) {
    let started = async {
        let wanted = desk.parlor.service.rules_in(room).map_err(fault)?.threads;
        let there = desk.memory.thread(room, &delivery.code).map_err(fault)?;
        if !wanted || there.is_some() {
            return Ok(());
        }
        let name = format!("{} #{}", game_name(&delivery.game), delivery.code);
        let thread = desk
            .rest
            .start_thread(beginning.channel, beginning.message, &name)
            .await?;
        let seat = Seat {
            room: room.clone(),
            code: delivery.code.clone(),
        };
        desk.memory.note_thread(&seat, thread).await.map_err(fault)
    };
    if let Err(trouble) = started.await {
        tracing::warn!(%trouble, code = %delivery.code, "a match gets no thread");
    }
}

fn fault(fault: Fault) -> Trouble {
    Trouble::later(fault.to_string())
}
