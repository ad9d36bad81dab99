//! Brings deliveries to channels, threads and users.
//!
//! A delivery's key becomes the nonce of its message: sent again after a crash, Discord knows it and shows it once.

use std::sync::Arc;

use serde_json::json;
use serenity::model::id::{ChannelId, MessageId, UserId};
use sha2::{Digest, Sha256};

use super::PLATFORM;
use super::context::{DiscordContext, MessageStyle, PATIENCE, REVOKED};
use super::errors::{DiscordError, code};
use super::ids::{DiscordRoom, user_of};
use super::rest::OutgoingMessage;
use super::storage::{ClosedDms, LiveMessages, PostedMessage};
use super::threads;
use crate::chat::message::Message;
use crate::chat::notices::game_name;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::refusals;
use crate::matches::delivery::{Delivery, Notice, To};
use crate::matches::people::RoomId;
use crate::matches::port::Fault;
use crate::text::hex;

/// The longest nonce that Discord takes.
const NONCE: usize = 25;

/// What a picture needs.
const PICTURES: [&str; 2] = ["Attach Files", "Embed Links"];

/// The postman of Discord.
pub struct DiscordPostman {
    pub(super) context: Arc<DiscordContext>,
}

impl std::fmt::Debug for DiscordPostman {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiscordPostman")
    }
}

impl Postman for DiscordPostman {
    fn platform(&self) -> &str {
        PLATFORM
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
        Box::pin(async move {
            // A channel may make us wait for minutes; when it is time to stop, the delivery waits for the next start.
            let stopped = async {
                self.context.stop.told().await;
                tokio::time::sleep(PATIENCE).await;
            };
            tokio::select! {
                posted = self.deliver(delivery, message) => posted,
                () = stopped => Err(PostError::Later {
                    why: "the bot stops".to_owned(),
                    after: None,
                }),
            }
        })
    }
}

impl DiscordPostman {
    async fn deliver(&self, delivery: &Delivery, message: Message) -> Result<(), PostError> {
        let outgoing = self.outgoing(delivery, &message).await;
        let nowhere = || PostError::Never {
            why: "there is no such place on Discord".to_owned(),
        };
        match &delivery.to {
            To::Player(player) => {
                let user = user_of(player).ok_or_else(nowhere)?;
                self.post_to_user(user, outgoing).await?;
                Ok(())
            }
            To::Room(room) => {
                let place = DiscordRoom::of(room).ok_or_else(nowhere)?;
                let posted = match place {
                    DiscordRoom::Dm(user) => self.post_to_user(user, outgoing).await?,
                    DiscordRoom::Channel(channel) => {
                        let posted = self
                            .post_to_channel(room, channel, delivery, &message, outgoing)
                            .await;
                        posted.map_err(|error| self.refused(error))?
                    }
                };
                let tidied = self.tidy(room, delivery, &message, posted).await;
                Ok(tidied.map_err(DiscordError::from)?)
            }
        }
    }

    async fn outgoing(&self, delivery: &Delivery, message: &Message) -> OutgoingMessage {
        let style = MessageStyle {
            title: Some(format!("{} #{}", game_name(&delivery.game), delivery.code)),
            ..MessageStyle::default()
        };
        let mut outgoing = self.context.outgoing(message, style).await;
        outgoing.body["nonce"] = json!(nonce(&delivery.key));
        outgoing.body["enforce_nonce"] = json!(true);
        outgoing
    }

    /// Posts in a channel, or in the thread of the match below it. Where no picture may be shown, the words come
    /// without it and tell what is missing.
    async fn post_to_channel(
        &self,
        room: &RoomId,
        channel: ChannelId,
        delivery: &Delivery,
        message: &Message,
        outgoing: OutgoingMessage,
    ) -> Result<Option<PostedMessage>, DiscordError> {
        let pictured = outgoing.upload.is_some();
        let posted = threads::post(&self.context, room, channel, delivery, outgoing).await;
        let bare = match &posted {
            Err(error) if pictured && error.code() == Some(code::MISSING_PERMISSIONS) => {
                let mut bare = message.clone().with_picture(None);
                bare.text.line(refusals::lacking(&PICTURES));
                bare
            }
            Err(error @ DiscordError::Refused { .. }) => {
                // Our own mistake; the words at least should arrive.
                tracing::error!(table = %delivery.code, %error, "discord: message refused; sending words only");
                Message {
                    ping: message.ping.clone(),
                    ..Message::text(message.text.clone())
                }
            }
            Ok(_) | Err(_) => return posted,
        };
        let outgoing = self.outgoing(delivery, &bare).await;
        threads::post(&self.context, room, channel, delivery, outgoing).await
    }

    async fn post_to_user(
        &self,
        user: UserId,
        outgoing: OutgoingMessage,
    ) -> Result<Option<PostedMessage>, PostError> {
        let posted = self.write_to_user(user, outgoing).await;
        match &posted {
            Ok(_) => self.note_closed(user, None).await,
            Err(DiscordError::Forbidden { .. }) => self.note_closed(user, Some(ClosedDms::default())).await,
            Err(_) => {}
        }
        posted.map_err(|error| self.refused(error))
    }

    async fn write_to_user(
        &self,
        user: UserId,
        outgoing: OutgoingMessage,
    ) -> Result<Option<PostedMessage>, DiscordError> {
        let channel = self.context.dm(user).await?;
        let message = self.context.rest.post(channel, outgoing).await?;
        Ok(posted(channel, message))
    }

    /// Stores whether a user takes private messages, to tell them once if they don't. Whoever allows them and
    /// forbids them again is told again.
    async fn note_closed(&self, user: UserId, closed: Option<ClosedDms>) {
        let noted = async {
            let known = self.context.storage.closed(user)?;
            if known.is_some() != closed.is_some() {
                self.context.storage.note_closed(user, closed).await?;
            }
            Ok::<_, Fault>(())
        };
        if let Err(error) = noted.await {
            tracing::error!(%user, %error, "discord: could not store whether a user takes private messages");
        }
    }

    fn refused(&self, error: DiscordError) -> PostError {
        if error == DiscordError::Revoked {
            self.context.give_up(REVOKED);
        }
        error.into()
    }

    /// Takes the buttons off what this message replaces.
    async fn tidy(
        &self,
        room: &RoomId,
        delivery: &Delivery,
        message: &Message,
        posted: Option<PostedMessage>,
    ) -> Result<(), Fault> {
        let mut live = self.context.storage.live(room, &delivery.code)?;
        let before = live.clone();
        let presses = !message.buttons.is_empty() || !message.menu.is_empty();
        let old = turn_over(&mut live, &delivery.notice, message.picture.is_some());
        for old in old.into_iter().filter(|old| Some(*old) != posted) {
            match self.context.rest.strip(old.channel, old.message).await {
                Ok(())
                | Err(
                    DiscordError::Gone { .. } | DiscordError::Forbidden { .. } | DiscordError::Refused { .. },
                ) => {}
                Err(DiscordError::Later { .. } | DiscordError::Revoked) => live.loose.push(old),
            }
        }
        if let Some(posted) = posted.filter(|_| presses) {
            match rank(&delivery.notice, message.picture.is_some()) {
                // Nothing replaces the last word about a match.
                Rank::Last => {}
                Rank::Board => live.board = Some(posted),
                Rank::Answer | Rank::Aside => {
                    if !live.loose.contains(&posted) {
                        live.loose.push(posted);
                    }
                }
            }
        }
        if live != before {
            self.context
                .storage
                .note_live(room, &delivery.code, &live)
                .await?;
        }
        Ok(())
    }
}

/// What a message does to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// The end: all buttons before it go.
    Last,
    /// The match as it is now: the same.
    Board,
    /// The answer to a proposal, which needs its buttons no longer.
    Answer,
    /// Beside the board, which stays as it is.
    Aside,
}

fn rank(notice: &Notice, shows_board: bool) -> Rank {
    match notice {
        Notice::CalledOff(_) | Notice::Ended { .. } => Rank::Last,
        Notice::Gathering { .. }
        | Notice::Started { .. }
        | Notice::Moved { .. }
        | Notice::Resumed { .. }
        | Notice::Brought { .. } => Rank::Board,
        Notice::Settled { .. } | Notice::StoodIn { .. } if shows_board => Rank::Board,
        Notice::Settled { .. } | Notice::StoodIn { .. } => Rank::Answer,
        Notice::Proposed { .. }
        | Notice::Reminder { .. }
        | Notice::Hand { .. }
        | Notice::PlanDropped { .. }
        | Notice::RoomLost => Rank::Aside,
    }
}

/// Takes out the messages whose buttons have to go.
fn turn_over(live: &mut LiveMessages, notice: &Notice, shows_board: bool) -> Vec<PostedMessage> {
    let mut old = Vec::new();
    match rank(notice, shows_board) {
        Rank::Last | Rank::Board => {
            old.extend(live.board.take());
            old.append(&mut live.loose);
        }
        Rank::Answer => old.append(&mut live.loose),
        Rank::Aside => {}
    }
    old
}

pub(super) fn posted(channel: ChannelId, message: Option<MessageId>) -> Option<PostedMessage> {
    message.map(|message| PostedMessage { channel, message })
}

/// The nonce of a delivery: its key, or what stands for a key that is too long.
fn nonce(key: &str) -> String {
    if (1..=NONCE).contains(&key.len()) {
        return key.to_owned();
    }
    let mut nonce = hex(&Sha256::digest(key));
    nonce.truncate(NONCE);
    nonce
}

/// Whether a thread is no longer of use.
pub(super) fn is_lost(error: &DiscordError) -> bool {
    matches!(error, DiscordError::Gone { .. } | DiscordError::Forbidden { .. })
        || error.code() == Some(code::ARCHIVED_THREAD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::state::CalledOff;

    fn message(id: u64) -> PostedMessage {
        PostedMessage {
            channel: ChannelId::new(1),
            message: MessageId::new(id),
        }
    }

    #[test]
    fn nonces_fit_and_differ() {
        assert_eq!(nonce("K7QF-65537"), "K7QF-65537");
        let long = [nonce(&"x".repeat(30)), nonce(&"y".repeat(30))];
        assert!(long[0] != long[1] && long.iter().all(|nonce| nonce.len() == NONCE));
    }

    #[test]
    fn the_last_word_takes_all_buttons_away() {
        let mut live = LiveMessages {
            board: Some(message(2)),
            loose: vec![message(3)],
        };
        let old = turn_over(&mut live, &Notice::CalledOff(CalledOff::Expired), false);
        assert_eq!(old, [message(2), message(3)]);
        assert_eq!(live, LiveMessages::default());
    }

    #[test]
    fn a_reminder_leaves_the_board_alone() {
        let whole = LiveMessages {
            board: Some(message(2)),
            loose: Vec::new(),
        };
        let mut live = whole.clone();
        let reminder = Notice::Reminder {
            players: Vec::new(),
            seat: crate::game::Seat::new(0),
            left: crate::matches::time::Span::hours(1),
            deadline: crate::matches::time::Time(0),
        };
        assert!(turn_over(&mut live, &reminder, false).is_empty());
        assert_eq!(live, whole);
    }
}
