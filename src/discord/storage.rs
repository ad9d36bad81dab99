//! What this adapter keeps for itself.
//!
//! Keys in [`Space::Adapters`], all under `discord`:
//! ```text
//! commands APPLICATION   the commands as they were last registered, hashed
//! links APPLICATION      the ids of these commands, and whose they are
//! standing ROOM CODE     the messages about a match that still have buttons, and the sheet that the board is
//! stale CHANNEL MESSAGE  a message that has had its time, until its buttons are off, or it is gone
//! hand USER CODE SEAT    the message with a hand
//! thread ROOM CODE       the thread of a match in a room
//! match THREAD           the match of a thread, and its room
//! talk USER              the channel of the private talk with a user
//! asked INTERACTION      what somebody asked, until it is answered
//! closed USER            somebody takes no private messages; whether they have been told
//! ```
//! Nothing here is needed to go on: without it, old boards keep their buttons and threads are left alone.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, UserId};

use super::PLATFORM;
use super::asked::Asked;
use super::command_links::CommandLinks;
use crate::game::Seat;
use crate::matches::code::Code;
use crate::matches::people::RoomId;
use crate::matches::port::{Batch, Fault, Space, Store};
use crate::matches::repository::{decode, encode};
use crate::matches::time::{Span, Time};

/// A message of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostedMessage {
    pub channel: ChannelId,
    pub message: MessageId,
}

/// A message that has buttons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveMessage {
    #[serde(flatten)]
    pub at: PostedMessage,
    /// What is to be left of it without them, if it is a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Value>,
}

/// The messages about a match, in one room, that have buttons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveMessages {
    /// The last board, or the table that waits.
    pub board: Option<LiveMessage>,
    /// Which sheet of the match that board is: what comes for the same is written on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<u32>,
    /// Proposals and reminders.
    pub loose: Vec<LiveMessage>,
}

/// A message that has had its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaleMessage {
    /// Its buttons are to go.
    Buttons(LiveMessage),
    /// It is to go as a whole.
    Whole(PostedMessage),
}

impl StaleMessage {
    pub const fn channel(&self) -> ChannelId {
        self.at().channel
    }

    const fn at(&self) -> PostedMessage {
        match self {
            Self::Buttons(live) => live.at,
            Self::Whole(at) => *at,
        }
    }
}

/// A stale message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleRow {
    pub key: Vec<u8>,
    /// None if it can't be read.
    pub message: Option<StaleMessage>,
}

/// What a thread is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchThread {
    pub room: RoomId,
    pub code: Code,
}

/// Somebody takes no private messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedDms {
    pub told: bool,
    /// What they were to get when it was found out.
    #[serde(default, skip_serializing_if = "Missed::is_hand")]
    pub missed: Missed,
    /// When it was last found out.
    #[serde(default)]
    pub tried: Time,
    /// Whether they have used the bot since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
}

/// How long somebody who takes no private messages is left alone, and how long if they are there.
const CLOSED_FOR: Span = Span::days(1);
const CLOSED_TO_THE_SEEN: Span = Span::hours(1);

impl ClosedDms {
    /// Whether it may have changed, so that it is worth another try.
    pub fn may_be_over(&self, now: Time) -> bool {
        let pause = if self.seen { CLOSED_TO_THE_SEEN } else { CLOSED_FOR };
        now.since(self.tried) >= pause
    }
}

/// What somebody does not get who takes no private messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    #[default]
    Hand,
    /// Turns, and whatever else is told to them alone.
    News,
}

impl Missed {
    const fn is_hand(&self) -> bool {
        matches!(self, Self::Hand)
    }
}

pub struct DiscordStore {
    store: Arc<dyn Store>,
}

impl DiscordStore {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    pub fn registered(&self, application: ApplicationId) -> Result<Option<String>, Fault> {
        self.read(&["commands", &application.to_string()])
    }

    pub fn links(&self, application: ApplicationId) -> Result<Option<CommandLinks>, Fault> {
        self.read(&["links", &application.to_string()])
    }

    pub async fn note_registered(
        &self,
        application: ApplicationId,
        hash: &str,
        links: &CommandLinks,
    ) -> Result<(), Fault> {
        let application = application.to_string();
        let mut batch = Batch::new();
        batch.put(Space::Adapters, key(&["commands", &application]), encode(&hash)?);
        batch.put(Space::Adapters, key(&["links", &application]), encode(links)?);
        self.store.commit(batch).await
    }

    pub fn live(&self, room: &RoomId, code: &Code) -> Result<LiveMessages, Fault> {
        let found = self.read(&["standing", room.as_str(), code.as_str()])?;
        Ok(found.unwrap_or_default())
    }

    /// Notes what has buttons, and what is to lose them; forgets about a match of which nothing has any.
    pub async fn note_live(
        &self,
        room: &RoomId,
        code: &Code,
        live: &LiveMessages,
        old: Vec<LiveMessage>,
    ) -> Result<(), Fault> {
        let some = (*live != LiveMessages::default()).then_some(live);
        let mut batch = Batch::new();
        put(&mut batch, &["standing", room.as_str(), code.as_str()], some)?;
        for old in old {
            put_stale(&mut batch, &StaleMessage::Buttons(old))?;
        }
        self.store.commit(batch).await
    }

    /// The messages that have had their time, those behind a key; at most `limit`.
    pub fn stale(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<StaleRow>, Fault> {
        let first = key(&["stale", ""]);
        let last = [&first[..], &[0xff; 16]].concat();
        let from = after.map_or(first, |after| [after, &[0]].concat());
        let rows = self.store.scan(Space::Adapters, &from..=&last, limit)?;
        let row = |(key, value): (Vec<u8>, Vec<u8>)| StaleRow {
            key,
            message: decode(&value).ok(),
        };
        Ok(rows.into_iter().map(row).collect())
    }

    pub async fn forget_stale(&self, keys: Vec<Vec<u8>>) -> Result<(), Fault> {
        if keys.is_empty() {
            return Ok(());
        }
        let mut batch = Batch::new();
        for key in keys {
            batch.delete(Space::Adapters, key);
        }
        self.store.commit(batch).await
    }

    pub fn thread(&self, room: &RoomId, code: &Code) -> Result<Option<ChannelId>, Fault> {
        self.read(&["thread", room.as_str(), code.as_str()])
    }

    /// The message with the hand of a seat.
    pub fn hand(&self, user: UserId, code: &Code, seat: Seat) -> Result<Option<PostedMessage>, Fault> {
        self.read(&["hand", &user.to_string(), code.as_str(), &seat.to_string()])
    }

    /// Notes the message with the hand of a seat; the one before it is to go.
    pub async fn note_hand(
        &self,
        user: UserId,
        code: &Code,
        seat: Seat,
        hand: PostedMessage,
        old: Option<PostedMessage>,
    ) -> Result<(), Fault> {
        let (user, seat) = (user.to_string(), seat.to_string());
        let mut batch = Batch::new();
        put(&mut batch, &["hand", &user, code.as_str(), &seat], Some(&hand))?;
        if let Some(old) = old {
            put_stale(&mut batch, &StaleMessage::Whole(old))?;
        }
        self.store.commit(batch).await
    }

    /// The match of a thread.
    pub fn match_thread(&self, thread: ChannelId) -> Result<Option<MatchThread>, Fault> {
        self.read(&["match", &thread.to_string()])
    }

    pub async fn note_thread(&self, match_thread: &MatchThread, thread: ChannelId) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.put(
            Space::Adapters,
            key(&["thread", match_thread.room.as_str(), match_thread.code.as_str()]),
            encode(&thread)?,
        );
        batch.put(
            Space::Adapters,
            key(&["match", &thread.to_string()]),
            encode(match_thread)?,
        );
        self.store.commit(batch).await
    }

    /// From now on the match is played in the room itself.
    pub async fn forget_thread(&self, room: &RoomId, code: &Code) -> Result<(), Fault> {
        self.write::<ChannelId>(&["thread", room.as_str(), code.as_str()], None)
            .await
    }

    /// The channel of the private talk with a user, if one was ever opened.
    pub fn talk(&self, user: UserId) -> Result<Option<ChannelId>, Fault> {
        self.read(&["talk", &user.to_string()])
    }

    pub async fn note_talk(&self, user: UserId, channel: Option<ChannelId>) -> Result<(), Fault> {
        self.write(&["talk", &user.to_string()], channel.as_ref()).await
    }

    pub async fn keep(&self, asked: &Asked) -> Result<(), Fault> {
        self.write(&["asked", &asked.id.to_string()], Some(asked)).await
    }

    pub async fn forget(&self, asked: InteractionId) -> Result<(), Fault> {
        self.write::<Asked>(&["asked", &asked.to_string()], None).await
    }

    /// What was asked and never answered, because the bot died. What can't be read is forgotten.
    pub async fn unanswered(&self) -> Result<Vec<Asked>, Fault> {
        let first = key(&["asked", ""]);
        let last = [&first[..], &[0xff; 16]].concat();
        let mut unanswered = Vec::new();
        let mut unread = Batch::new();
        for (key, value) in self.store.scan(Space::Adapters, &first..=&last, usize::MAX)? {
            match decode(&value) {
                Ok(asked) => unanswered.push(asked),
                Err(_) => unread.delete(Space::Adapters, key),
            }
        }
        if !unread.is_empty() {
            self.store.commit(unread).await?;
        }
        Ok(unanswered)
    }

    pub fn closed(&self, user: UserId) -> Result<Option<ClosedDms>, Fault> {
        self.read(&["closed", &user.to_string()])
    }

    pub async fn note_closed(&self, user: UserId, closed: Option<ClosedDms>) -> Result<(), Fault> {
        self.write(&["closed", &user.to_string()], closed.as_ref()).await
    }

    fn read<T: DeserializeOwned>(&self, parts: &[&str]) -> Result<Option<T>, Fault> {
        let value = self.store.get(Space::Adapters, &key(parts))?;
        value.map(|value| decode(&value)).transpose()
    }

    async fn write<T: Serialize>(&self, parts: &[&str], value: Option<&T>) -> Result<(), Fault> {
        let mut batch = Batch::new();
        put(&mut batch, parts, value)?;
        self.store.commit(batch).await
    }
}

fn put<T: Serialize>(batch: &mut Batch, parts: &[&str], value: Option<&T>) -> Result<(), Fault> {
    match value {
        Some(value) => batch.put(Space::Adapters, key(parts), encode(value)?),
        None => batch.delete(Space::Adapters, key(parts)),
    }
    Ok(())
}

fn put_stale(batch: &mut Batch, message: &StaleMessage) -> Result<(), Fault> {
    let PostedMessage { channel, message: id } = message.at();
    put(
        batch,
        &["stale", &channel.to_string(), &id.to_string()],
        Some(message),
    )
}

fn key(parts: &[&str]) -> Vec<u8> {
    [&[PLATFORM], parts].concat().join("\0").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_dms_are_tried_again_after_a_day_or_an_hour_after_their_owner_was_there() {
        // As it was noted before it was noted who was there.
        let closed: ClosedDms = serde_json::from_str(r#"{"told":true,"tried":0}"#).unwrap();
        let after = |hours: u64| Time(0) + Span::hours(hours);
        assert!(!closed.may_be_over(after(23)));
        assert!(closed.may_be_over(after(24)));
        let seen = ClosedDms { seen: true, ..closed };
        assert!(!seen.may_be_over(after(0)));
        assert!(seen.may_be_over(after(1)));
    }

    #[tokio::test]
    async fn what_is_stale_is_kept_until_it_is_forgotten() {
        let storage = DiscordStore::new(Arc::new(crate::store::MemoryStore::new()));
        let at = |message| PostedMessage {
            channel: ChannelId::new(7),
            message: MessageId::new(message),
        };
        let live = |message| LiveMessage {
            at: at(message),
            card: None,
        };
        let (room, code) = (RoomId::new(PLATFORM, "7"), "K7QF".parse().unwrap());
        let none = LiveMessages::default();
        let noted = storage.note_live(&room, &code, &none, vec![live(1), live(2)]);
        noted.await.unwrap();
        let user = UserId::new(5);
        let noted = storage.note_hand(user, &code, Seat::new(0), at(4), Some(at(3)));
        noted.await.unwrap();
        let all = storage.stale(None, 10).unwrap();
        let messages: Vec<_> = all.iter().filter_map(|row| row.message.clone()).collect();
        assert_eq!(
            messages,
            [
                StaleMessage::Buttons(live(1)),
                StaleMessage::Buttons(live(2)),
                StaleMessage::Whole(at(3)),
            ]
        );
        // Page by page.
        let first = storage.stale(None, 1).unwrap();
        assert_eq!(first, all[..1]);
        assert_eq!(storage.stale(Some(&first[0].key), 10).unwrap(), all[1..]);
        let kept = serde_json::to_string(&messages).unwrap();
        assert_eq!(
            kept,
            concat!(
                r#"[{"buttons":{"channel":"7","message":"1"}},{"buttons":{"channel":"7","message":"2"}},"#,
                r#"{"whole":{"channel":"7","message":"3"}}]"#
            )
        );
        let forgotten = storage.forget_stale(all.into_iter().map(|row| row.key).collect());
        forgotten.await.unwrap();
        assert_eq!(storage.stale(None, 10).unwrap(), []);
    }

    #[test]
    fn messages_that_were_noted_before_there_were_cards_are_read() {
        let old =
            r#"{"board":{"channel":"7","message":"8"},"sheet":3,"loose":[{"channel":"7","message":"9"}]}"#;
        let live: LiveMessages = serde_json::from_str(old).unwrap();
        assert_eq!(serde_json::to_string(&live).unwrap(), old);
        assert_eq!(live.board.unwrap().card, None);
    }
}
