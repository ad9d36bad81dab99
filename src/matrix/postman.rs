//! Brings deliveries to Matrix.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{OwnedRoomId, RoomId, UserId};
use matrix_sdk::{Client, Room, RoomState};
use tokio::sync::watch;

use super::PLATFORM;
use super::direct::{Direct, DmReason, DmStatus};
use super::errors::MatrixError;
use super::reactions;
use super::sender::{CaptionStyle, MessageSender, Outgoing, ReplyPosition, ThreadPosition};
use super::storage::{MatrixStore, ReactionOffer, Thread};
use super::written::user;
use crate::chat::message::Message;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::parlor::Parlor;
use crate::chat::{alone, notices};
use crate::matches::delivery::{Delivery, Notice, To};
use crate::matches::people::PlayerId;

/// The postman of Matrix, who outlives sessions.
pub struct MatrixPostman {
    /// None while there is no session.
    pub(super) carrier: watch::Receiver<Option<Arc<SessionPostman>>>,
}

/// Who brings deliveries in one session.
pub struct SessionPostman {
    pub(super) client: Client,
    pub(super) parlor: Arc<Parlor>,
    pub(super) message_sender: MessageSender,
    pub(super) storage: MatrixStore,
    pub(super) direct: Arc<Direct>,
    /// Whether we know which rooms we are in.
    pub(super) settled: watch::Receiver<bool>,
}

/// Where in a room something is told.
enum Target {
    /// In the thread of the match; without one, it begins one.
    InThread(Option<Thread>),
    /// To one person, with whom everything is one conversation.
    Alone,
}

/// When to try again what can't be posted for the moment.
const SOON: Duration = Duration::from_millis(500);

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
            let carrier = self.carrier.borrow().clone();
            let carrier = carrier.filter(|carrier| *carrier.settled.borrow());
            let Some(carrier) = carrier else {
                return Err(PostError::Later {
                    why: "the homeserver has not been heard yet".to_owned(),
                    after: Some(SOON),
                });
            };
            let posted = match &delivery.to {
                To::Room(room) => carrier.to_room(room.parts().1, delivery, message).await,
                To::Player(player) => carrier.to_player(player, delivery, message).await,
            };
            Ok(posted?)
        })
    }
}

impl SessionPostman {
    async fn to_room(&self, id: &str, delivery: &Delivery, message: Message) -> Result<(), MatrixError> {
        let room = self.room(id)?;
        let id = room.room_id();
        let thread = self.storage.thread(id, &delivery.code)?;
        let offers = reactions::offers(&message);
        let told = self
            .tell(&room, Target::InThread(thread), delivery, message)
            .await?;
        self.storage.keep_thread(id, &delivery.code, &told).await?;
        if offers.is_empty() {
            return Ok(());
        }
        self.storage.keep_offers(&told.last, &offers).await?;
        for (index, ReactionOffer { emoji, .. }) in offers.iter().enumerate() {
            let key = format!("{}-reaction-{index}", delivery.key);
            self.message_sender.react(&room, &told.last, emoji, &key).await?;
        }
        Ok(())
    }

    /// Tells something, with a call after the picture if there is one; the thread in which it is, or would be.
    async fn tell(
        &self,
        room: &Room,
        target: Target,
        delivery: &Delivery,
        mut message: Message,
    ) -> Result<Thread, MatrixError> {
        let mut call = None;
        if message.picture.is_some() {
            call = self.call(room, delivery).await?;
            message.ping.clear();
        }
        if call.is_some() {
            // What can be done next is said once, where everybody sees it.
            message.buttons.clear();
        }
        let before = match &target {
            Target::InThread(thread) => thread.clone(),
            Target::Alone => None,
        };
        let mut place = ReplyPosition {
            thread: before.clone().map(after),
            answers: None,
        };
        let outgoing = Outgoing {
            message: &message,
            telling: CaptionStyle::Caption,
            key: &delivery.key,
        };
        let mut last = self.message_sender.say(room, outgoing, &place).await?;
        let root = before.map_or_else(|| last.clone(), |thread| thread.root);
        if let Some(call) = &call {
            if let Target::InThread(_) = target {
                place.thread = Some(ThreadPosition {
                    root: root.clone(),
                    after: None,
                });
            }
            let key = format!("{}-call", delivery.key);
            let outgoing = Outgoing::apart(call, &key);
            last = self.message_sender.say(room, outgoing, &place).await?;
        }
        Ok(Thread { root, last })
    }

    /// What is said after a picture: a call to those who are to move, or how it ended.
    ///
    /// Any message with `m.mentions` notifies, a picture too. But many clients don't show what is under a picture, a
    /// notification of a picture often says no more than that there is one, and whoever is called should see it. So the
    /// call is an `m.text` of its own, and the picture mentions nobody, so that one turn does not notify twice.
    async fn call(&self, room: &Room, delivery: &Delivery) -> Result<Option<Message>, MatrixError> {
        let Some(mut call) = notices::in_short(delivery) else {
            return Ok(None);
        };
        if matches!(delivery.notice, Notice::Ended { .. }) {
            return Ok(Some(call));
        }
        // Players of other rooms and platforms are called there.
        let mut here = Vec::new();
        for player in std::mem::take(&mut call.ping) {
            if let Some(user) = user(&player)
                && is_in(room, &user).await?
            {
                here.push(player);
            }
        }
        call.ping = here;
        Ok(Some(call).filter(|call| !call.ping.is_empty()))
    }

    async fn to_player(
        &self,
        player: &PlayerId,
        delivery: &Delivery,
        message: Message,
    ) -> Result<(), MatrixError> {
        let Some(user) = user(player) else {
            let why = format!("{player} is nobody on Matrix");
            return Err(MatrixError::Refused { why });
        };
        let why = match self.direct.reach(&user, DmReason::Ours).await? {
            DmStatus::There(room) => {
                self.tell(&room, Target::Alone, delivery, message).await?;
                return Ok(());
            }
            DmStatus::Invited(_) => "they have not accepted our invitation yet",
            DmStatus::Declined => "they have not let us speak to them alone",
        };
        self.tell_rooms(player, delivery).await?;
        // The listener says when they have come.
        Err(MatrixError::passing(why.to_owned()))
    }

    /// Tells the rooms of a match, once, that something waits for one of its players.
    async fn tell_rooms(&self, player: &PlayerId, delivery: &Delivery) -> Result<(), MatrixError> {
        let key = format!("waits-{}-{player}", delivery.code);
        if self.storage.was_told(&key)? {
            return Ok(());
        }
        let Ok(the_match) = self.parlor.service.find(&delivery.code) else {
            return Ok(());
        };
        let message = alone::hand_waits(player, &delivery.code);
        for (index, home) in the_match.rooms.iter().enumerate() {
            if home.platform() != PLATFORM {
                continue;
            }
            let Ok(room) = self.room(home.parts().1) else {
                continue;
            };
            let thread = self.storage.thread(room.room_id(), &delivery.code)?;
            let place = ReplyPosition {
                thread: thread.map(after),
                answers: None,
            };
            let key = format!("{key}-{index}");
            let outgoing = Outgoing::apart(&message, &key);
            match self.message_sender.say(&room, outgoing, &place).await {
                Ok(_) | Err(MatrixError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.storage.keep_told(&key).await?;
        Ok(())
    }

    /// A room by the name under which the parlor knows it.
    fn room(&self, id: &str) -> Result<Room, MatrixError> {
        let never = |why: &str| MatrixError::Refused { why: why.to_owned() };
        let id: OwnedRoomId = RoomId::parse(id).map_err(|_| never("that is no room"))?;
        let latest = self.storage.latest(&id)?;
        let room = self
            .client
            .get_room(&latest)
            .filter(|room| room.state() == RoomState::Joined);
        let room = room.ok_or_else(|| never("we are not in the room"))?;
        if room.is_tombstoned() {
            let why = "the room has been replaced, and we are not in the new one yet";
            return Err(MatrixError::passing(why.to_owned()));
        }
        Ok(room)
    }
}

/// Where a thread goes on.
fn after(thread: Thread) -> ThreadPosition {
    ThreadPosition {
        root: thread.root,
        after: Some(thread.last),
    }
}

async fn is_in(room: &Room, user: &UserId) -> Result<bool, MatrixError> {
    let member = room.get_member(user).await?;
    Ok(member.is_some_and(|member| *member.membership() == MembershipState::Join))
}
