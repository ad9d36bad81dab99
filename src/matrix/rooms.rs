//! Which rooms we are in: invitations, rooms that are left empty, rooms that are replaced.

use std::sync::Arc;

use matrix_sdk::room::RoomMember;
use matrix_sdk::ruma::{OwnedServerName, RoomOrAliasId};
use matrix_sdk::{Client, Room, RoomMemberships, RoomState};

use super::allow::Allow;
use super::errors::{MatrixError, retry};
use super::homes::Homes;
use super::storage::MatrixStore;

/// Comes and goes.
#[derive(Clone)]
pub struct RoomKeeper {
    pub client: Client,
    pub homes: Homes,
    pub storage: MatrixStore,
    pub allow: Arc<Allow>,
}

impl RoomKeeper {
    /// Looks after everything that may have happened while we were away.
    pub async fn look_around(&self) {
        for room in self.client.invited_rooms() {
            self.answer_invitation(&room).await;
        }
        for room in self.client.joined_rooms() {
            if room.is_tombstoned() {
                self.follow(&room).await;
            } else {
                self.leave_if_empty(&room).await;
            }
        }
    }

    /// Accepts or declines.
    pub async fn answer_invitation(&self, room: &Room) {
        if let Err(error) = retry(|| self.try_answer(room)).await {
            tracing::warn!(room = %room.room_id(), %error, "matrix: could not answer an invitation");
        }
    }

    async fn try_answer(&self, room: &Room) -> Result<(), MatrixError> {
        if room.state() != RoomState::Invited {
            return Ok(());
        }
        let inviter = room.invite_details().await?.inviter_id;
        let replaced = self.replaced_by(room);
        if self.allow.includes(&inviter) || replaced.is_some() {
            room.join().await?;
            if let Some(old) = replaced {
                self.try_follow(&old).await?;
            }
        } else {
            tracing::info!(room = %room.room_id(), %inviter, "matrix: invitation declined");
            room.leave().await?;
        }
        Ok(())
    }

    /// The room of ours that has been replaced by this one. Whoever let us into the old one lets us into the new one.
    fn replaced_by(&self, room: &Room) -> Option<Room> {
        self.client.joined_rooms().into_iter().find(|known| {
            known
                .successor_room()
                .is_some_and(|next| next.room_id == room.room_id())
        })
    }

    /// Leaves a room in which nobody else is or is expected.
    pub async fn leave_if_empty(&self, room: &Room) {
        match retry(|| try_leave(room)).await {
            Ok(()) if room.state() != RoomState::Joined => self.homes.lost(room.room_id()).await,
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(room = %room.room_id(), %error, "matrix: could not leave an empty room");
            }
        }
    }

    /// Goes on in the room that has replaced this one.
    pub async fn follow(&self, old: &Room) {
        if let Err(error) = retry(|| self.try_follow(old)).await {
            tracing::warn!(room = %old.room_id(), %error, "matrix: could not enter the room's successor");
            self.homes.lost(old.room_id()).await;
        }
    }

    async fn try_follow(&self, old: &Room) -> Result<(), MatrixError> {
        let Some(next) = old.successor_room() else {
            return Ok(());
        };
        if self.storage.latest(old.room_id())? != old.room_id() {
            return Ok(());
        }
        let known = self.client.get_room(&next.room_id);
        if known.is_none_or(|room| room.state() != RoomState::Joined) {
            // Whoever replaced the room is in the new one.
            let servers: Vec<OwnedServerName> = old
                .members(RoomMemberships::JOIN)
                .await?
                .iter()
                .map(|member| member.user_id().server_name().to_owned())
                .take(5)
                .collect();
            let id = <&RoomOrAliasId>::from(&*next.room_id);
            if let Err(error) = self.client.join_room_by_id_or_alias(id, &servers).await {
                // Where we have to be let in, we ask for it. Most rooms don't want to be asked, and invite us.
                let knocked = self.client.knock(id.to_owned(), None, servers).await;
                tracing::debug!(
                    room = %old.room_id(), next = %next.room_id, knocked = knocked.is_ok(), %error,
                    "matrix: could not join the room that replaces another"
                );
                return Err(error.into());
            }
        }
        let new = self.client.await_room_remote_echo(&next.room_id).await;
        // Anybody can point at any room; the new one has to point back.
        let points_back = new
            .predecessor_room()
            .is_some_and(|before| before.room_id == old.room_id());
        if !points_back {
            return Err(MatrixError::Refused {
                why: format!("{} does not say that it replaces this room", next.room_id),
            });
        }
        self.storage.keep_move(old.room_id(), new.room_id()).await?;
        self.homes.moved(new.room_id()).await;
        Ok(())
    }
}

async fn try_leave(room: &Room) -> Result<(), MatrixError> {
    if room.state() != RoomState::Joined {
        return Ok(());
    }
    let members = room.members(RoomMemberships::ACTIVE).await?;
    if members.iter().all(RoomMember::is_account_user) {
        tracing::info!(room = %room.room_id(), "matrix: leaving an empty room");
        room.leave().await?;
        room.forget().await?;
    }
    Ok(())
}
