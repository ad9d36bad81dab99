//! Brings deliveries to channels, threads and users.
//!
//! A delivery's key becomes the nonce of its message: sent again after a crash, Discord knows it and shows it once. What is
//! written on a sheet that is there already becomes an edit of its message, which does the same however often it is sent.

use std::sync::Arc;

use serde_json::json;
use serenity::model::id::{ChannelId, MessageId, UserId};
use sha2::{Digest, Sha256};

use super::PLATFORM;
use super::card::{self, Accent};
use super::context::{DiscordContext, MessageStyle, PATIENCE, REVOKED};
use super::errors::{DiscordError, code};
use super::ids::{DiscordRoom, user_of};
use super::invocation::{ATTACH_FILES, EMBED_LINKS};
use super::limiter::Urgency;
use super::render::Form;
use super::rest::{OutgoingMessage, SUPPRESS_NOTIFICATIONS};
use super::storage::{ClosedDms, LiveMessage, Missed, PostedMessage};
use super::threads;
use super::tidying::{Rank, rank, turn_over};
use crate::chat::link::Sending;
use crate::chat::message::Message;
use crate::chat::notices::game_name;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::refusals;
use crate::draw::palette::{Ink, Rgb};
use crate::game::Seat;
use crate::matches::delivery::{Delivery, Notice, Sheet, Sound, To, Writing};
use crate::matches::people::RoomId;
use crate::matches::port::Fault;
use crate::text::hex;

/// The longest nonce that Discord takes.
const NONCE: usize = 25;

/// How many rooms, and how many players, may wait for their turn at once.
const PLACES: usize = 1024;

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

    /// Whoever waits does so in our own order.
    fn places(&self) -> usize {
        PLACES
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
        Box::pin(async move {
            // A channel may make us wait for minutes; when it is time to stop, the delivery waits for the next start.
            let stopped = async {
                self.context.stop.told().await;
                tokio::time::sleep(PATIENCE).await;
            };
            tokio::select! {
                posted = self.deliver(delivery, message) => {
                    let connection = &self.context.connection;
                    match &posted {
                        Ok(()) | Err(PostError::Never { .. }) => connection.note_sent(&delivery.to, Sending::Works),
                        Err(PostError::Later { after: None, .. }) => {
                            connection.note_sent(&delivery.to, Sending::Fails);
                        }
                        // Often it is ourselves who put it off.
                        Err(PostError::Later { after: Some(_), .. }) => {}
                    }
                    posted
                }
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
        self.open_talk(delivery).await?;
        let outgoing = self.outgoing(delivery, &message, form(delivery, &message)).await;
        match &delivery.to {
            To::Player(player) => {
                let user = user_of(player).ok_or_else(nowhere)?;
                match delivery.sheet {
                    Some(Sheet::Hand { seat }) => {
                        self.deliver_hand(user, delivery, seat, message.sound, outgoing)
                            .await
                    }
                    // The board of somebody whom no room reaches is kept as in a room.
                    Some(Sheet::Turn { .. }) => {
                        let room = DiscordRoom::Dm(user).room();
                        self.deliver_to_room(&room, delivery, &message, outgoing).await
                    }
                    None => {
                        let missed = (!delivery.is_spare()).then_some(Missed::News);
                        self.post_to_user(user, outgoing, missed).await?;
                        Ok(())
                    }
                }
            }
            To::Room(room) => {
                self.deliver_to_room(room, delivery, &message, outgoing).await?;
                if let Some(DiscordRoom::Dm(user)) = DiscordRoom::of(room) {
                    self.tell_apart(user, delivery).await?;
                }
                Ok(())
            }
        }
    }

    /// Opens the talk with whoever is told alone. Many may wait for that, and nothing is drawn for them before.
    async fn open_talk(&self, delivery: &Delivery) -> Result<(), PostError> {
        let user = match &delivery.to {
            To::Player(player) => user_of(player),
            To::Room(room) => match DiscordRoom::of(room) {
                Some(DiscordRoom::Dm(user)) => Some(user),
                Some(DiscordRoom::Channel(_)) | None => None,
            },
        };
        let Some(user) = user else {
            return Ok(());
        };
        let closed = self.context.storage.closed(user).map_err(DiscordError::from)?;
        if closed.is_some() {
            return Ok(());
        }
        match self.context.dm(user).await {
            Err(error) if error.may_pass() => Err(self.refused(error)),
            // Whoever can't be reached is noted when they are written to.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn deliver_to_room(
        &self,
        room: &RoomId,
        delivery: &Delivery,
        message: &Message,
        outgoing: OutgoingMessage,
    ) -> Result<(), PostError> {
        let place = DiscordRoom::of(room).ok_or_else(nowhere)?;
        let posted = match self.write_anew(room, delivery, &outgoing).await? {
            Sheeted::Anew(board) => Some(board),
            Sheeted::Closed => return Ok(()),
            Sheeted::NotThere => match place {
                DiscordRoom::Dm(user) => {
                    let card = card::without_rows(&outgoing.body);
                    let posted = self.post_to_user(user, outgoing, Some(Missed::News)).await?;
                    posted.map(|at| LiveMessage { at, card })
                }
                DiscordRoom::Channel(channel) => {
                    let posted = self
                        .post_to_channel(room, channel, delivery, message, outgoing)
                        .await;
                    posted.map_err(|error| self.refused(error))?
                }
            },
        };
        let noted = self.note_buttons(room, delivery, message, posted).await;
        Ok(noted.map_err(DiscordError::from)?)
    }

    /// A talk with one player reaches no other: where a match has no channel, everybody is told in their own.
    async fn tell_apart(&self, here: UserId, delivery: &Delivery) -> Result<(), DiscordError> {
        let service = &self.context.parlor.service;
        let Ok(the_match) = service.find(&delivery.code) else {
            return Ok(());
        };
        let mut talks = Vec::new();
        for room in the_match.rooms.iter().filter_map(DiscordRoom::of) {
            match room {
                DiscordRoom::Channel(_) => return Ok(()),
                DiscordRoom::Dm(user) => talks.push(user),
            }
        }
        // Of several talks, one speaks for all.
        let players = the_match.play().map_or(&[][..], |play| &play.players);
        if talks.first() != Some(&here) {
            return Ok(());
        }
        for player in players {
            if let Some(user) = user_of(player)
                && !talks.contains(&user)
            {
                service.also_tell(delivery, player).await?;
                talks.push(user);
            }
        }
        Ok(())
    }

    async fn outgoing(&self, delivery: &Delivery, message: &Message, form: Form) -> OutgoingMessage {
        let style = MessageStyle {
            title: Some(format!("{} #{}", game_name(&delivery.game), delivery.code)),
            urgency: urgency(delivery),
            form,
            ..MessageStyle::default()
        };
        let mut outgoing = self.context.outgoing(message, style).await;
        outgoing.body["nonce"] = json!(nonce(&delivery.key));
        outgoing.body["enforce_nonce"] = json!(true);
        if message.sound == Sound::Silent {
            let flags = outgoing.body["flags"].as_u64().unwrap_or_default();
            outgoing.body["flags"] = json!(flags | SUPPRESS_NOTIFICATIONS);
        }
        outgoing
    }

    /// Writes a board on the message that shows the same turn, if there is one.
    async fn write_anew(
        &self,
        room: &RoomId,
        delivery: &Delivery,
        outgoing: &OutgoingMessage,
    ) -> Result<Sheeted, PostError> {
        let Some(Sheet::Turn { number, writing }) = delivery.sheet else {
            return Ok(Sheeted::NotThere);
        };
        let storage = &self.context.storage;
        let mut live = storage.live(room, &delivery.code).map_err(DiscordError::from)?;
        let known = live.board.as_ref().filter(|_| live.sheet == Some(number));
        let known = known.map(|board| board.at);
        let card = card::without_rows(&outgoing.body);
        // A message stays of the kind that it is.
        let fits = live
            .board
            .as_ref()
            .is_some_and(|board| board.card.is_some() == card.is_some());
        let written = match known.filter(|_| fits) {
            Some(board) => self.try_edit(board, outgoing.clone()).await?,
            None => Written::NotThere,
        };
        if writing == Writing::Closing {
            if known.is_some() {
                live.board = None;
                let noted = storage.note_live(room, &delivery.code, &live, Vec::new());
                noted.await.map_err(DiscordError::from)?;
            }
            return Ok(Sheeted::Closed);
        }
        Ok(match (written, known) {
            (Written::Done, Some(at)) => Sheeted::Anew(LiveMessage { at, card }),
            (Written::Done | Written::NotThere, _) => Sheeted::NotThere,
        })
    }

    /// A hand is one message a match: written anew, or, if it is to be heard, put in place of the old one.
    async fn deliver_hand(
        &self,
        user: UserId,
        delivery: &Delivery,
        seat: Seat,
        sound: Sound,
        outgoing: OutgoingMessage,
    ) -> Result<(), PostError> {
        let storage = &self.context.storage;
        let old = storage
            .hand(user, &delivery.code, seat)
            .map_err(DiscordError::from)?;
        if let (Some(old), Sound::Silent) = (old, sound)
            && self.try_edit(old, outgoing.clone()).await? == Written::Done
        {
            return Ok(());
        }
        let Some(posted) = self.post_to_user(user, outgoing, Some(Missed::Hand)).await? else {
            return Ok(());
        };
        let old = old.filter(|old| *old != posted);
        let noted = storage.note_hand(user, &delivery.code, seat, posted, old);
        noted.await.map_err(DiscordError::from)?;
        self.context.stale.notify_one();
        Ok(())
    }

    /// Writes a message anew, if it is still there.
    async fn try_edit(
        &self,
        message: PostedMessage,
        outgoing: OutgoingMessage,
    ) -> Result<Written, PostError> {
        match self.context.rest.edit(message, outgoing).await {
            Ok(()) => Ok(Written::Done),
            Err(error) if error.may_pass() => Err(self.refused(error)),
            Err(error) => {
                tracing::debug!(%error, "discord: could not edit a message; posting it again");
                Ok(Written::NotThere)
            }
        }
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
    ) -> Result<Option<LiveMessage>, DiscordError> {
        let pictured = outgoing.upload.is_some();
        let card = card::without_rows(&outgoing.body);
        let posted = threads::post(&self.context, room, channel, delivery, outgoing).await;
        let posted = match posted {
            Err(error) if pictured && error.code() == Some(code::MISSING_PERMISSIONS) => {
                self.post_without(room, channel, delivery, message).await
            }
            Err(error @ DiscordError::Refused { .. }) => {
                // Our own mistake; the words at least should arrive.
                tracing::error!(table = %delivery.code, %error, "discord: message refused; sending words only");
                let bare = Message {
                    ping: message.ping.clone(),
                    ..Message::text(message.text.clone())
                };
                let outgoing = self.outgoing(delivery, &bare, Form::Embed).await;
                threads::post(&self.context, room, channel, delivery, outgoing).await
            }
            posted => return Ok(posted?.map(|at| LiveMessage { at, card })),
        };
        Ok(posted?.map(|at| LiveMessage { at, card: None }))
    }

    /// Posts without what the bot may not do here, and names it: first without a card round the picture, then without
    /// the picture.
    async fn post_without(
        &self,
        room: &RoomId,
        channel: ChannelId,
        delivery: &Delivery,
        message: &Message,
    ) -> Result<Option<PostedMessage>, DiscordError> {
        let mut plain = message.clone();
        plain.text.line(refusals::lacking(&[EMBED_LINKS]));
        let outgoing = self.outgoing(delivery, &plain, Form::Plain).await;
        match threads::post(&self.context, room, channel, delivery, outgoing).await {
            Err(error) if error.code() == Some(code::MISSING_PERMISSIONS) => {}
            posted => return posted,
        }
        let mut bare = message.clone().with_picture(None);
        bare.text.line(refusals::lacking(&[ATTACH_FILES]));
        let outgoing = self.outgoing(delivery, &bare, Form::Plain).await;
        threads::post(&self.context, room, channel, delivery, outgoing).await
    }

    /// Writes to a user, unless they have been found a short time ago to take no private messages. It is noted what they miss by
    /// that, if it is anything.
    async fn post_to_user(
        &self,
        user: UserId,
        outgoing: OutgoingMessage,
        missed: Option<Missed>,
    ) -> Result<Option<PostedMessage>, PostError> {
        let now = self.context.parlor.service.now();
        let known = self.context.storage.closed(user).map_err(DiscordError::from)?;
        if known.is_some_and(|closed| !closed.may_be_over(now)) {
            tracing::debug!(%user, "discord: left out a private message to somebody who takes none");
            return Ok(None);
        }
        let posted = self.write_to_user(user, outgoing).await;
        match &posted {
            Ok(_) if known.is_some() => self.note_closed(user, None).await,
            Err(DiscordError::Forbidden { .. }) => {
                // What can be spared was missed by nobody, but the door is known to be closed.
                if let Some(missed) = missed.or(known.as_ref().map(|known| known.missed)) {
                    let closed = ClosedDms {
                        tried: now,
                        missed,
                        told: known.is_some_and(|known| known.told),
                        seen: false,
                    };
                    self.note_closed(user, Some(closed)).await;
                }
            }
            Ok(_) | Err(_) => {}
        }
        posted.map_err(|error| self.refused(error))
    }

    async fn write_to_user(
        &self,
        user: UserId,
        outgoing: OutgoingMessage,
    ) -> Result<Option<PostedMessage>, DiscordError> {
        let channel = self.context.dm(user).await?;
        match self.context.rest.post(channel, outgoing.clone()).await {
            // Some talks are opened for Discord only when they are first written in.
            Err(DiscordError::TooManyTalks) => Err(DiscordError::put_off(self.context.rest_from_talks())),
            // A talk is kept as long as both have their accounts; if Discord knows better, a new one is opened.
            Err(DiscordError::Gone { .. }) => {
                self.context.storage.note_talk(user, None).await?;
                let channel = self.context.dm(user).await?;
                Ok(posted(channel, self.context.rest.post(channel, outgoing).await?))
            }
            message => Ok(posted(channel, message?)),
        }
    }

    /// Stores whether a user takes private messages, to tell them once if they don't. Whoever allows them and
    /// forbids them again is told again.
    async fn note_closed(&self, user: UserId, closed: Option<ClosedDms>) {
        if let Err(error) = self.context.storage.note_closed(user, closed).await {
            tracing::error!(%user, %error, "discord: could not store whether a user takes private messages");
        }
    }

    fn refused(&self, error: DiscordError) -> PostError {
        if error == DiscordError::Revoked {
            self.context.give_up(REVOKED);
        }
        error.into()
    }

    /// Notes which buttons there are now. Those of what this message replaces are taken off later.
    async fn note_buttons(
        &self,
        room: &RoomId,
        delivery: &Delivery,
        message: &Message,
        posted: Option<LiveMessage>,
    ) -> Result<(), Fault> {
        let mut live = self.context.storage.live(room, &delivery.code)?;
        let before = live.clone();
        let presses = !message.buttons.is_empty() || !message.menu.is_empty();
        let mut old = turn_over(&mut live, &delivery.notice, message.picture.is_some());
        let new = posted.as_ref().map(|posted| posted.at);
        old.retain(|old| Some(old.at) != new);
        if let Some(posted) = posted.filter(|_| presses) {
            match rank(&delivery.notice, message.picture.is_some()) {
                // Nothing replaces the last word about a match.
                Rank::Last => {}
                Rank::Board => {
                    live.board = Some(posted);
                    live.sheet = match delivery.sheet {
                        Some(Sheet::Turn { number, .. }) => Some(number),
                        Some(Sheet::Hand { .. }) | None => None,
                    };
                }
                Rank::Answer | Rank::Aside => {
                    live.loose.retain(|loose| loose.at != posted.at);
                    live.loose.push(posted);
                }
            }
        }
        if live != before || !old.is_empty() {
            let noted = self.context.storage.note_live(room, &delivery.code, &live, old);
            noted.await?;
            self.context.stale.notify_one();
        }
        Ok(())
    }
}

fn nowhere() -> PostError {
    PostError::Never {
        why: "there is no such place on Discord".to_owned(),
    }
}

/// What came of writing a message anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Done,
    /// There is no such message, or not any more.
    NotThere,
}

/// What came of a board that belongs on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sheeted {
    /// It stands on this message now.
    Anew(LiveMessage),
    /// It was the last word on its sheet, and nothing is to be posted.
    Closed,
    NotThere,
}

fn urgency(delivery: &Delivery) -> Urgency {
    match (&delivery.notice, delivery.sheet) {
        (Notice::Hand { .. } | Notice::Missed { .. }, _) | (_, Some(Sheet::Hand { .. })) => Urgency::Private,
        (
            Notice::Gathering { .. }
            | Notice::CalledOff(_)
            | Notice::Started { .. }
            | Notice::RoomLost
            | Notice::Reviewed,
            _,
        ) => Urgency::News,
        _ => Urgency::Turn,
    }
}

/// A turn is a card with an edge in the colour of whoever is to move.
fn form(delivery: &Delivery, message: &Message) -> Form {
    let Some(Sheet::Turn { .. }) = delivery.sheet else {
        return Form::Embed;
    };
    let mover = delivery.notice.turn().and_then(|turn| turn.awaited.first());
    let theme = message.picture.as_ref().map(|picture| picture.theme.0);
    Form::Card(mover.map(|seat| {
        let Rgb([red, green, blue]) = theme.unwrap_or_default().rgb(Ink::seat(seat.index()));
        Accent(u32::from_be_bytes([0, red, green, blue]))
    }))
}

pub(super) fn posted(channel: ChannelId, message: Option<MessageId>) -> Option<PostedMessage> {
    message.map(|message| PostedMessage { channel, message })
}

/// The nonce of a delivery: its key, or what stands for a key that is too long.
pub(super) fn nonce(key: &str) -> String {
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

    #[test]
    fn nonces_fit_and_differ() {
        assert_eq!(nonce("K7QF-65537"), "K7QF-65537");
        let long = [nonce(&"x".repeat(30)), nonce(&"y".repeat(30))];
        assert!(long[0] != long[1] && long.iter().all(|nonce| nonce.len() == NONCE));
    }
}
