//! Messages that can't be read: the key is asked for, and comes or doesn't.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use matrix_sdk::deserialized_responses::{TimelineEvent, TimelineEventKind};
use matrix_sdk::ruma::api::client::to_device::send_event_to_device::v3::Request;
use matrix_sdk::ruma::events::AnySyncTimelineEvent;
use matrix_sdk::ruma::serde::Raw;
use matrix_sdk::ruma::to_device::DeviceIdOrAllDevices;
use matrix_sdk::ruma::{OwnedEventId, OwnedRoomId, OwnedUserId, TransactionId};
use matrix_sdk::{Client, Room};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::errors::MatrixError;
use super::event::RoomEvent;
use super::sender::{MessageSender, OutgoingEvent, ReplyPosition, player};
use crate::chat::alone;

/// A message that can't be read yet.
#[derive(Clone, Debug)]
pub struct EncryptedEvent {
    pub room: Room,
    pub id: OwnedEventId,
    pub sender: OwnedUserId,
    pub at: u64,
    session: String,
    event: Raw<AnySyncTimelineEvent>,
}

/// How long we wait for a key before we say that we can't read.
const PATIENCE: Duration = Duration::from_secs(15);

impl EncryptedEvent {
    /// Reads an event of a timeline that could not be decrypted.
    pub fn read(room: &Room, raw: &Raw<AnySyncTimelineEvent>) -> Option<Self> {
        let json: Value = raw.deserialize_as_unchecked().ok()?;
        let event = RoomEvent::read(&json)?;
        Some(Self {
            room: room.clone(),
            id: event.id,
            sender: event.sender,
            at: event.at,
            session: json.pointer("/content/session_id")?.as_str()?.to_owned(),
            event: raw.clone(),
        })
    }

    /// Tries to read it with the keys that we have now.
    async fn open(&self) -> Option<RoomEvent> {
        let event = self.event.cast_ref_unchecked();
        let opened: TimelineEvent = self.room.decrypt_event(event, None).await.ok()?;
        match &opened.kind {
            TimelineEventKind::Decrypted(decrypted) => {
                RoomEvent::read(&decrypted.event.deserialize_as_unchecked().ok()?)
            }
            TimelineEventKind::UnableToDecrypt { .. } | TimelineEventKind::PlainText { .. } => None,
        }
    }
}

/// Looks for keys.
#[derive(Clone)]
pub struct Keys {
    pub client: Client,
    pub message_sender: MessageSender,
    /// Changes whenever keys may have come.
    pub arrived: watch::Receiver<u64>,
    /// Who has been told, where, that we can't read them.
    told: Arc<Mutex<HashSet<(OwnedRoomId, OwnedUserId)>>>,
}

impl Keys {
    pub fn new(message_sender: MessageSender, arrived: watch::Receiver<u64>) -> Self {
        Self {
            client: message_sender.client.clone(),
            message_sender,
            arrived,
            told: Arc::default(),
        }
    }

    /// Notes that somebody can be read again.
    pub fn readable(&self, room: &Room, sender: &OwnedUserId) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.remove(&(room.room_id().to_owned(), sender.clone()));
    }

    /// Waits for the key of a message. If it doesn't come, the room is told so, once.
    pub async fn unlock(mut self, locked: EncryptedEvent) -> Option<RoomEvent> {
        let waiting = async {
            let mut asked = false;
            loop {
                self.arrived.mark_unchanged();
                if let Some(event) = locked.open().await {
                    return event;
                }
                if !asked {
                    asked = true;
                    if let Err(error) = self.ask(&locked).await {
                        tracing::warn!(event = %locked.id, %error, "matrix: could not ask for a key");
                    }
                }
                if self.arrived.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        if let Ok(event) = tokio::time::timeout(PATIENCE, waiting).await {
            return Some(event);
        }
        self.say_so(&locked).await;
        None
    }

    /// Asks the sender, and our own other devices, for the key.
    async fn ask(&self, locked: &EncryptedEvent) -> Result<(), MatrixError> {
        let (Some(own), Some(device)) = (self.client.user_id(), self.client.device_id()) else {
            return Ok(());
        };
        let id = format!("{}-{}", device, locked.session);
        let content = json!({
            "action": "request",
            "request_id": id,
            "requesting_device_id": device,
            "body": {
                "algorithm": "m.megolm.v1.aes-sha2",
                "room_id": locked.room.room_id(),
                "session_id": locked.session,
            },
        });
        let content = Raw::new(&content)
            .map_err(|error| MatrixError::passing(error.to_string()))?
            .cast_unchecked();
        let everywhere = BTreeMap::from([(DeviceIdOrAllDevices::AllDevices, content)]);
        let whom = [own.to_owned(), locked.sender.clone()];
        let messages = whom.into_iter().map(|user| (user, everywhere.clone())).collect();
        let request = Request::new_raw("m.room_key_request".into(), TransactionId::new(), messages);
        self.client.send(request).await?;
        Ok(())
    }

    async fn say_so(&self, locked: &EncryptedEvent) {
        let whom = (locked.room.room_id().to_owned(), locked.sender.clone());
        let first = self
            .told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(whom);
        if !first {
            return;
        }
        let message = alone::unreadable(&player(&locked.sender));
        let key = format!("unreadable-{}", locked.id);
        let outgoing = OutgoingEvent::apart(&message, &key);
        let place = ReplyPosition {
            answers: Some(locked.id.clone()),
            ..ReplyPosition::default()
        };
        if let Err(error) = self.message_sender.say(&locked.room, outgoing, &place).await {
            tracing::warn!(room = %locked.room.room_id(), %error, "matrix: could not report what we can't read");
        }
    }
}
