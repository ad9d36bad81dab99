//! Brings deliveries to Matrix.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::ruma::{OwnedRoomId, RoomId};
use matrix_sdk::{Client, Room, RoomState};
use tokio::sync::watch;

use super::PLATFORM;
use super::direct::{Direct, Reach, Wish};
use super::memory::{Memory, Offer, Thread};
use super::reactions;
use super::trouble::Trouble;
use super::voice::{Place, Saying, Voice};
use super::written::{Speech, user};
use crate::chat::message::Message;
use crate::chat::notices;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::parlor::Parlor;
use crate::matches::delivery::{Delivery, Notice, To};
use crate::matches::people::PlayerId;

/// The postman of Matrix.
pub struct MatrixPostman {
    pub(super) client: Client,
    pub(super) parlor: Arc<Parlor>,
    pub(super) voice: Voice,
    pub(super) memory: Memory,
    pub(super) direct: Arc<Direct>,
    /// Whether we know which rooms we are in.
    pub(super) settled: watch::Receiver<bool>,
}

impl std::fmt::Debug for MatrixPostman {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MatrixPostman")
    }
}

impl Postman for MatrixPostman {
    fn platform(&self) -> &str {
        PLATFORM
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, message: Message) -> Posting<'a> {
        Box::pin(async move {
            if !*self.settled.borrow() {
                return Err(PostError::Later {
                    why: "the homeserver has not been heard yet".to_owned(),
                    after: Some(Duration::from_millis(500)),
                });
            }
            match &delivery.to {
                To::Room(room) => self.to_room(room.parts().1, delivery, &message).await,
                To::Player(player) => self.to_player(player, delivery, &message).await,
            }
        })
    }
}

impl MatrixPostman {
    async fn to_room(&self, id: &str, delivery: &Delivery, message: &Message) -> Result<(), PostError> {
        let room = self.room(id)?;
        let id = room.room_id();
        let thread = self.memory.thread(id, &delivery.code).map_err(Trouble::from)?;
        let place = Place {
            thread: thread
                .as_ref()
                .map(|thread| (thread.root.clone(), thread.last.clone())),
            answers: None,
        };
        let speech = match &delivery.notice {
            Notice::Gathering { .. } | Notice::CalledOff(_) | Notice::Proposed { .. } => Speech::Answer,
            _ => Speech::Narration,
        };
        let saying = Saying {
            message,
            speech,
            key: &delivery.key,
        };
        let event = self.voice.say(&room, saying, &place).await?;
        let thread = Thread {
            root: thread.map_or_else(|| event.clone(), |thread| thread.root),
            last: event.clone(),
        };
        self.memory
            .keep_thread(id, &delivery.code, &thread)
            .await
            .map_err(Trouble::from)?;
        let offers = reactions::offers(message);
        if offers.is_empty() {
            return Ok(());
        }
        self.memory
            .keep_offers(&event, &offers)
            .await
            .map_err(Trouble::from)?;
        for (index, Offer { emoji, .. }) in offers.iter().enumerate() {
            let key = format!("{}-reaction-{index}", delivery.key);
            self.voice.react(&room, &event, emoji, &key).await?;
        }
        Ok(())
    }

    async fn to_player(
        &self,
        player: &PlayerId,
        delivery: &Delivery,
        message: &Message,
    ) -> Result<(), PostError> {
        let Some(user) = user(player) else {
            return Err(PostError::Never {
                why: format!("{player} is nobody on Matrix"),
            });
        };
        let why = match self.direct.reach(&user, Wish::Ours).await? {
            Reach::There(room) => {
                let saying = Saying {
                    message,
                    speech: Speech::Narration,
                    key: &delivery.key,
                };
                self.voice.say(&room, saying, &Place::default()).await?;
                return Ok(());
            }
            Reach::Invited => "they have not accepted our invitation yet",
            Reach::Declined => "they have not let us speak to them alone",
        };
        self.tell_rooms(player, delivery).await?;
        // The listener says when they have come.
        Err(PostError::Later {
            why: why.to_owned(),
            after: None,
        })
    }

    /// Tells the rooms of a match, once, that something waits for one of its players.
    async fn tell_rooms(&self, player: &PlayerId, delivery: &Delivery) -> Result<(), PostError> {
        let key = format!("waits-{}-{player}", delivery.code);
        if self.memory.was_told(&key).map_err(Trouble::from)? {
            return Ok(());
        }
        let Ok(the_match) = self.parlor.service.find(&delivery.code) else {
            return Ok(());
        };
        let message = notices::hand_waits(player, &delivery.code);
        for (index, home) in the_match.rooms.iter().enumerate() {
            if home.platform() != PLATFORM {
                continue;
            }
            let Ok(room) = self.room(home.parts().1) else {
                continue;
            };
            let thread = self
                .memory
                .thread(room.room_id(), &delivery.code)
                .map_err(Trouble::from)?;
            let place = Place {
                thread: thread.map(|thread| (thread.root, thread.last)),
                answers: None,
            };
            let key = format!("{key}-{index}");
            let saying = Saying {
                message: &message,
                speech: Speech::Answer,
                key: &key,
            };
            match self.voice.say(&room, saying, &place).await {
                Ok(_) | Err(Trouble::Refused { .. }) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        self.memory.keep_told(&key).await.map_err(Trouble::from)?;
        Ok(())
    }

    /// A room by the name under which the parlor knows it.
    fn room(&self, id: &str) -> Result<Room, PostError> {
        let never = |why: &str| PostError::Never { why: why.to_owned() };
        let id: OwnedRoomId = RoomId::parse(id).map_err(|_| never("that is no room"))?;
        let latest = self.memory.latest(&id).map_err(Trouble::from)?;
        let room = self
            .client
            .get_room(&latest)
            .filter(|room| room.state() == RoomState::Joined);
        let room = room.ok_or_else(|| never("we are not in the room"))?;
        if room.is_tombstoned() {
            return Err(PostError::Later {
                why: "the room has been replaced, and we are not in the new one yet".to_owned(),
                after: None,
            });
        }
        Ok(room)
    }
}
