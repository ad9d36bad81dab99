//! What the adapter keeps in the parlor's own store, in [`Space::Adapters`].
//!
//! ```text
//! token USER DEVICE    up to where everything has been handled
//! root ROOM CODE       the message under which a match is told in a room, and the last one there
//! match ROOM EVENT     the match that a root belongs to
//! hand ROOM CODE SEAT  the message with a hand
//! loose ROOM CODE      messages that offer what a later one makes impossible: to join, to agree
//! offer EVENT          what reactions to a message of ours mean
//! moved ROOM           the room that has replaced it
//! was ROOM             the room that it has replaced
//! direct USER          how we reach somebody alone
//! told KEY             something that is said once
//! answers USER         what waits for somebody to accept our invitation
//! ```
//! All under `matrix`, with zero bytes between the parts.

use std::sync::Arc;

use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedRoomId, RoomId, UserId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::PLATFORM;
use crate::chat::message::Message;
use crate::game::Seat;
use crate::matches::code::Code;
use crate::matches::port::{Batch, Fault, Space, Store};
use crate::matches::repository::{decode, encode};

/// The memory of this adapter.
#[derive(Clone)]
pub struct MatrixStore(Arc<dyn Store>);

/// Where a match is told in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its first message, under which its thread is if it has one.
    pub root: OwnedEventId,
    /// The last message of ours in it, which clients without threads are shown as the one that is answered.
    pub last: OwnedEventId,
    #[serde(default)]
    pub showing: Showing,
}

/// Where in a room a match is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Showing {
    /// In a thread of its own.
    #[default]
    Thread,
    /// Among all that is said there.
    Timeline,
}

/// Which hand a message shows, and where.
#[derive(Clone, Copy, Debug)]
pub struct HandMessage<'a> {
    pub room: &'a RoomId,
    pub code: &'a Code,
    pub seat: Seat,
}

/// What a reaction to a message means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionOffer {
    pub emoji: String,
    pub command: String,
}

/// A message that offers something until another one takes its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LooseOffer {
    pub event: OwnedEventId,
    pub message: Message,
}

/// How somebody is reached alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectNote {
    pub room: Option<OwnedRoomId>,
    /// They turned our invitation down; only they can change that.
    #[serde(default)]
    pub declined: bool,
}

/// An answer that is for one person alone, and waits until they let us speak to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingAnswer {
    pub message: Message,
    /// The same for every try to say it.
    pub key: String,
}

/// No room has been replaced more often, unless rooms go round in circles.
const MOST_MOVES: usize = 50;

impl MatrixStore {
    pub const fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
    }

    /// Where to go on listening.
    pub fn token(&self, user: &UserId, device: &str) -> Result<Option<String>, Fault> {
        self.read(&[b"token", user.as_bytes(), device.as_bytes()])
    }

    pub async fn keep_token(&self, user: &UserId, device: &str, token: &str) -> Result<(), Fault> {
        self.keep(&[b"token", user.as_bytes(), device.as_bytes()], &token)
            .await
    }

    pub fn thread(&self, room: &RoomId, code: &Code) -> Result<Option<Thread>, Fault> {
        self.read(&[b"root", room.as_bytes(), code.as_str().as_bytes()])
    }

    pub async fn keep_thread(&self, room: &RoomId, code: &Code, thread: &Thread) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.put(
            Space::Adapters,
            key(&[b"root", room.as_bytes(), code.as_str().as_bytes()]),
            encode(thread)?,
        );
        batch.put(
            Space::Adapters,
            key(&[b"match", room.as_bytes(), thread.root.as_bytes()]),
            encode(code)?,
        );
        self.0.commit(batch).await
    }

    pub fn waiting(&self, user: &UserId) -> Result<Vec<WaitingAnswer>, Fault> {
        Ok(self.read(&[b"answers", user.as_bytes()])?.unwrap_or_default())
    }

    pub async fn keep_waiting(&self, user: &UserId, answers: &[WaitingAnswer]) -> Result<(), Fault> {
        let key = key(&[b"answers", user.as_bytes()]);
        let mut batch = Batch::new();
        if answers.is_empty() {
            batch.delete(Space::Adapters, key);
        } else {
            batch.put(Space::Adapters, key, encode(&answers)?);
        }
        self.0.commit(batch).await
    }

    pub fn hand(&self, hand: &HandMessage<'_>) -> Result<Option<OwnedEventId>, Fault> {
        let (code, seat) = (hand.code.as_str(), hand.seat.to_string());
        self.read(&[b"hand", hand.room.as_bytes(), code.as_bytes(), seat.as_bytes()])
    }

    pub async fn keep_hand(&self, hand: &HandMessage<'_>, event: &EventId) -> Result<(), Fault> {
        let (code, seat) = (hand.code.as_str(), hand.seat.to_string());
        let parts: [&[u8]; 4] = [b"hand", hand.room.as_bytes(), code.as_bytes(), seat.as_bytes()];
        self.keep(&parts, &event).await
    }

    pub fn loose(&self, room: &RoomId, code: &Code) -> Result<Vec<LooseOffer>, Fault> {
        let parts: [&[u8]; 3] = [b"loose", room.as_bytes(), code.as_str().as_bytes()];
        Ok(self.read(&parts)?.unwrap_or_default())
    }

    pub async fn keep_loose(&self, room: &RoomId, code: &Code, loose: &[LooseOffer]) -> Result<(), Fault> {
        let parts: [&[u8]; 3] = [b"loose", room.as_bytes(), code.as_str().as_bytes()];
        if !loose.is_empty() {
            return self.keep(&parts, &loose).await;
        }
        let mut batch = Batch::new();
        batch.delete(Space::Adapters, key(&parts));
        self.0.commit(batch).await
    }

    /// The match whose thread begins with this message.
    pub fn match_of(&self, room: &RoomId, root: &EventId) -> Result<Option<Code>, Fault> {
        self.read(&[b"match", room.as_bytes(), root.as_bytes()])
    }

    pub fn offers(&self, event: &EventId) -> Result<Vec<ReactionOffer>, Fault> {
        Ok(self.read(&[b"offer", event.as_bytes()])?.unwrap_or_default())
    }

    pub async fn keep_offers(&self, event: &EventId, offers: &[ReactionOffer]) -> Result<(), Fault> {
        self.keep(&[b"offer", event.as_bytes()], &offers).await
    }

    /// The room in which things go on that began in this one.
    pub fn latest(&self, room: &RoomId) -> Result<OwnedRoomId, Fault> {
        self.follow(b"moved", room)
    }

    /// The room in which things began that go on in this one: the parlor knows it by that name.
    pub fn origin(&self, room: &RoomId) -> Result<OwnedRoomId, Fault> {
        self.follow(b"was", room)
    }

    fn follow(&self, direction: &[u8], room: &RoomId) -> Result<OwnedRoomId, Fault> {
        let mut room = room.to_owned();
        for _ in 0..MOST_MOVES {
            match self.read(&[direction, room.as_bytes()])? {
                Some(next) => room = next,
                None => break,
            }
        }
        Ok(room)
    }

    pub async fn keep_move(&self, old: &RoomId, new: &RoomId) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.put(Space::Adapters, key(&[b"moved", old.as_bytes()]), encode(&new)?);
        batch.put(Space::Adapters, key(&[b"was", new.as_bytes()]), encode(&old)?);
        self.0.commit(batch).await
    }

    pub fn direct(&self, user: &UserId) -> Result<Option<DirectNote>, Fault> {
        self.read(&[b"direct", user.as_bytes()])
    }

    pub async fn keep_direct(&self, user: &UserId, note: &DirectNote) -> Result<(), Fault> {
        self.keep(&[b"direct", user.as_bytes()], note).await
    }

    pub fn was_told(&self, what: &str) -> Result<bool, Fault> {
        Ok(self.read::<bool>(&[b"told", what.as_bytes()])?.is_some())
    }

    pub async fn keep_told(&self, what: &str) -> Result<(), Fault> {
        self.keep(&[b"told", what.as_bytes()], &true).await
    }

    fn read<T: DeserializeOwned>(&self, parts: &[&[u8]]) -> Result<Option<T>, Fault> {
        let value = self.0.get(Space::Adapters, &key(parts))?;
        value.map(|value| decode(&value)).transpose()
    }

    async fn keep(&self, parts: &[&[u8]], value: &(impl Serialize + Sync)) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.put(Space::Adapters, key(parts), encode(value)?);
        self.0.commit(batch).await
    }
}

fn key(parts: &[&[u8]]) -> Vec<u8> {
    [&[PLATFORM.as_bytes()], parts].concat().join(&0)
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::{event_id, room_id};

    use super::*;
    use crate::store::MemoryStore;

    #[tokio::test]
    async fn rooms_are_followed_both_ways() {
        let storage = MatrixStore::new(Arc::new(MemoryStore::default()));
        let [a, b, c] = [room_id!("!a:x"), room_id!("!b:x"), room_id!("!c:x")];
        storage.keep_move(a, b).await.unwrap();
        storage.keep_move(b, c).await.unwrap();
        assert_eq!(storage.latest(a).unwrap(), c);
        assert_eq!(storage.origin(c).unwrap(), a);
        assert_eq!(storage.latest(c).unwrap(), c);
        storage.keep_move(c, a).await.unwrap();
        // A circle ends somewhere, and that is enough.
        storage.latest(a).unwrap();
    }

    #[tokio::test]
    async fn a_thread_is_found_from_both_ends() {
        let storage = MatrixStore::new(Arc::new(MemoryStore::default()));
        let (room, code) = (room_id!("!a:x"), "K7QF".parse().unwrap());
        let thread = Thread {
            root: event_id!("$1").to_owned(),
            last: event_id!("$2").to_owned(),
            showing: Showing::Timeline,
        };
        storage.keep_thread(room, &code, &thread).await.unwrap();
        assert_eq!(storage.thread(room, &code).unwrap(), Some(thread));
        assert_eq!(storage.match_of(room, event_id!("$1")).unwrap(), Some(code));
        assert_eq!(storage.match_of(room, event_id!("$2")).unwrap(), None);
    }
}
