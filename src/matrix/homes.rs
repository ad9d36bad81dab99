//! The rooms in which matches are shown, as Matrix has them: who is in them, and whether we may speak there.
//!
//! The parlor knows a room by the id under which a match came to it; one that has been replaced goes by its first.

use std::sync::Arc;

use matrix_sdk::ruma::events::MessageLikeEventType;
use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{OwnedRoomId, RoomId, UserId};
use matrix_sdk::{Client, Room, RoomState};

use super::PLATFORM;
use super::errors::{MatrixError, retry};
use super::sender::{MessageSender, OutgoingEvent, ReplyPosition, home, player};
use super::storage::MatrixStore;
use super::written::user;
use crate::chat::alone;
use crate::chat::parlor::Parlor;
use crate::matches::people::{PlayerId, RoomId as HomeRoom};
use crate::matches::refusal::Failure;
use crate::matches::state::Match;

/// Knows which rooms of a match can be reached, and who is there.
#[derive(Clone)]
pub struct Homes {
    pub client: Client,
    pub parlor: Arc<Parlor>,
    pub storage: MatrixStore,
}

impl Homes {
    /// A room by the name under which the parlor knows it.
    pub fn room(&self, id: &str) -> Result<Room, MatrixError> {
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

    /// The rooms of a match in which we are.
    pub fn rooms_of(&self, the_match: &Match) -> Vec<Room> {
        let ours = the_match.rooms.iter().filter(|home| home.platform() == PLATFORM);
        ours.filter_map(|home| self.room(home.parts().1).ok()).collect()
    }

    /// The players of a match on Matrix who are in none of its rooms there.
    pub async fn apart(&self, the_match: &Match) -> Result<Vec<PlayerId>, MatrixError> {
        let rooms = self.rooms_of(the_match);
        let players = the_match.play().map_or(&[][..], |play| &play.players);
        let mut apart = Vec::new();
        for player in players {
            if let Some(user) = user(player)
                && !apart.contains(player)
                && !is_in_any(&rooms, &user).await?
            {
                apart.push(player.clone());
            }
        }
        Ok(apart)
    }

    /// We are no longer in a room, or may not speak there: whoever plays there is told alone.
    pub async fn lost(&self, room: &RoomId) {
        if let Some(home) = self.home_of(room) {
            self.note(room, self.parlor.service.room_lost(&home).await);
        }
    }

    /// We may speak in a room: the matches that were lost with it are shown there again.
    pub async fn returned(&self, room: &RoomId) {
        if let Some(home) = self.home_of(room) {
            self.note(room, self.parlor.service.room_returned(&home).await);
        }
    }

    /// A room goes on as another one, which is known: its matches are shown there.
    pub async fn moved(&self, room: &RoomId) {
        if let Some(home) = self.home_of(room) {
            self.note(room, self.parlor.service.room_moved(&home).await);
        }
    }

    /// Says what we are, once, in a room into which we were invited.
    pub async fn greet(&self, room: &Room, sender: &MessageSender) {
        let key = format!("hello-{}", room.room_id());
        if let Err(error) = retry(|| self.try_greet(room, sender, &key)).await {
            tracing::warn!(room = %room.room_id(), %error, "matrix: could not say hello");
        }
    }

    async fn try_greet(&self, room: &Room, sender: &MessageSender, key: &str) -> Result<(), MatrixError> {
        let made = room.creators().unwrap_or_default();
        let ours = made.iter().any(|creator| creator == room.own_user_id());
        // A room that goes on as another one knows us.
        let known = room.predecessor_room().is_some() || self.storage.was_told(key)?;
        if ours || known {
            return Ok(());
        }
        let hello = alone::hello();
        let place = ReplyPosition::default();
        // Said again after a crash, the homeserver knows it by its key.
        sender
            .say(room, OutgoingEvent::apart(&hello, key), &place)
            .await?;
        Ok(self.storage.keep_told(key).await?)
    }

    /// Who may do what in a room has changed.
    pub async fn rights_changed(&self, room: &Room) {
        match may_speak(room).await {
            Ok(true) => self.returned(room.room_id()).await,
            Ok(false) => self.lost(room.room_id()).await,
            Err(error) => {
                tracing::warn!(room = %room.room_id(), %error, "matrix: could not tell whether we may speak");
            }
        }
    }

    /// Somebody has left a room in which we are.
    pub async fn left_by(&self, room: &Room, who: &UserId) {
        if let Err(error) = self.try_left_by(room, who).await {
            tracing::warn!(room = %room.room_id(), user = %who, %error, "matrix: could not tell a player who left");
        }
    }

    async fn try_left_by(&self, room: &Room, who: &UserId) -> Result<(), MatrixError> {
        // With nobody left we go too, and the room is lost.
        if room.active_members_count() <= 1 {
            return Ok(());
        }
        let (service, who) = (&self.parlor.service, player(who));
        let here = home(&self.storage.origin(room.room_id())?);
        for code in service.repository().alive_of(&who)? {
            let Ok(found) = service.find(&code) else {
                continue;
            };
            if found.rooms.contains(&here) && self.apart(&found).await?.contains(&who) {
                self.note(room.room_id(), service.player_left(&code, &who, &here).await);
            }
        }
        Ok(())
    }

    fn home_of(&self, room: &RoomId) -> Option<HomeRoom> {
        let origin = self.storage.origin(room).inspect_err(|error| {
            tracing::error!(%room, %error, "matrix: could not read the room's origin");
        });
        origin.ok().map(|origin| home(&origin))
    }

    fn note(&self, room: &RoomId, noted: Result<(), Failure>) {
        if let Err(failure) = noted {
            tracing::error!(%room, ?failure, "matrix: could not note where matches are shown");
        }
    }
}

/// Whether our messages are taken in a room.
async fn may_speak(room: &Room) -> Result<bool, MatrixError> {
    let levels = room.power_levels().await.map_err(matrix_sdk::Error::from)?;
    let kind = if room.latest_encryption_state().await?.is_encrypted() {
        MessageLikeEventType::RoomEncrypted
    } else {
        MessageLikeEventType::RoomMessage
    };
    Ok(levels.user_can_send_message(room.own_user_id(), kind))
}

async fn is_in_any(rooms: &[Room], user: &UserId) -> Result<bool, MatrixError> {
    for room in rooms {
        if is_in(room, user).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether somebody is in a room.
pub async fn is_in(room: &Room, user: &UserId) -> Result<bool, MatrixError> {
    let member = room.get_member(user).await?;
    Ok(member.is_some_and(|member| *member.membership() == MembershipState::Join))
}
