//! Speaking to one person alone: in an encrypted room in which nobody else is.
//!
//! Inviting somebody whose homeserver is away takes long, fails, and leaves a room behind in which nobody is. Nobody else
//! waits for that, it says nothing of our own homeserver, and it is not tried again and again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{OwnedUserId, RoomId, UserId};
use matrix_sdk::{Client, Room, RoomMemberships, RoomState};
use tokio::time::Instant;

use super::errors::MatrixError;
use super::storage::{DirectNote, MatrixStore};
use crate::backoff::Backoff;
use crate::matches::lock::Locks;

/// How long nobody is invited whose homeserver could not be reached.
const FIRST_REST: Duration = Duration::from_secs(60);
const LONGEST_REST: Duration = Duration::from_secs(3600);

/// Finds, or makes, the rooms in which secrets are told.
pub struct Direct {
    client: Client,
    storage: MatrixStore,
    /// One at a time for each user, so that nobody gets two invitations.
    making: Locks,
    /// Those whose homeservers could not be reached.
    unreachable: Mutex<HashMap<OwnedUserId, Rest>>,
}

/// While somebody is not invited.
struct Rest {
    until: Instant,
    lengths: Backoff,
}

/// How somebody can be reached alone.
#[derive(Debug)]
pub enum DmStatus {
    There(Room),
    /// They have been invited to this room and have not come yet.
    Invited(Room),
    /// They have turned the invitation down, or their homeserver has.
    Declined,
}

/// Who wants somebody to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DmReason {
    /// We have something to say. Nobody is invited again who has said no.
    Ours,
    /// They asked for it themselves.
    Theirs,
    /// We have something to say that they would hardly miss. Nobody is invited for that.
    Spare,
}

/// What a room is to somebody.
enum Fit {
    There,
    Invited,
    No,
}

impl Direct {
    pub fn new(client: Client, storage: MatrixStore) -> Self {
        Self {
            client,
            storage,
            making: Locks::default(),
            unreachable: Mutex::default(),
        }
    }

    /// The room in which to speak to somebody. If there is none, one is made and they are invited, where the reason is good enough.
    pub async fn reach(&self, user: &UserId, wish: DmReason) -> Result<DmStatus, MatrixError> {
        let _one_at_a_time = self.making.lock(user.as_str()).await;
        let note = self.storage.direct(user)?;
        let mut invited = None;
        for room in self.candidates(user, note.as_ref()) {
            match self.fit(&room, user).await? {
                Fit::There => {
                    self.note(user, note.as_ref(), Some(room.room_id()), false)
                        .await?;
                    return Ok(DmStatus::There(room));
                }
                Fit::Invited => invited = Some(room),
                Fit::No => {}
            }
        }
        if let Some(room) = invited {
            return Ok(DmStatus::Invited(room));
        }
        match wish {
            DmReason::Ours if note.as_ref().is_some_and(|note| note.declined) => {
                return Ok(DmStatus::Declined);
            }
            DmReason::Spare => return Ok(DmStatus::Declined),
            DmReason::Ours | DmReason::Theirs => {}
        }
        if wish == DmReason::Ours
            && let Some(until) = self.rests_until(user)
        {
            return Err(unreachable(user, until));
        }
        match self.client.create_dm(user).await.map_err(MatrixError::from) {
            Ok(room) => {
                self.rests().remove(user);
                self.note(user, note.as_ref(), Some(room.room_id()), false)
                    .await?;
                Ok(DmStatus::Invited(room))
            }
            Err(MatrixError::Refused { why }) => {
                tracing::info!(%user, error = %why, "matrix: could not invite a user to a private room");
                self.note(user, note.as_ref(), None, true).await?;
                Ok(DmStatus::Declined)
            }
            // Ours answers, so it is theirs.
            Err(MatrixError::Away { why }) if self.client.whoami().await.is_ok() => {
                tracing::info!(%user, error = %why, "matrix: could not reach a user's homeserver");
                match wish {
                    DmReason::Ours | DmReason::Spare => Err(unreachable(user, self.rest(user))),
                    // They are there.
                    DmReason::Theirs => Err(MatrixError::passing(why)),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Until when somebody is not invited, because it was in vain.
    fn rests_until(&self, user: &UserId) -> Option<Instant> {
        let rests = self.rests();
        let until = rests.get(user)?.until;
        (until > Instant::now()).then_some(until)
    }

    /// It was in vain once more; until when they are not invited from now on.
    fn rest(&self, user: &UserId) -> Instant {
        let mut rests = self.rests();
        let now = Instant::now();
        let rest = rests.entry(user.to_owned()).or_insert(Rest {
            until: now,
            lengths: Backoff::new(FIRST_REST, LONGEST_REST),
        });
        rest.until = now + rest.lengths.pause();
        rest.until
    }

    fn rests(&self) -> MutexGuard<'_, HashMap<OwnedUserId, Rest>> {
        self.unreachable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this room is fit for secrets of this person.
    pub async fn is_private(&self, room: &Room, user: &UserId) -> Result<bool, MatrixError> {
        Ok(matches!(self.fit(room, user).await?, Fit::There))
    }

    /// Notes that somebody has left a room, or turned down an invitation to it.
    pub async fn left(&self, room: &RoomId, user: &UserId, was_invited: bool) -> Result<(), MatrixError> {
        let note = self.storage.direct(user)?;
        let ours = note.as_ref().and_then(|note| note.room.as_deref()) == Some(room);
        if ours && was_invited {
            self.note(user, note.as_ref(), None, true).await?;
        }
        Ok(())
    }

    /// The room that served last comes first, then those that are marked as direct, then any we share.
    fn candidates(&self, user: &UserId, note: Option<&DirectNote>) -> Vec<Room> {
        let last = note.and_then(|note| self.client.get_room(note.room.as_deref()?));
        let marked = self.client.get_dm_rooms(user);
        let any = self.client.joined_rooms();
        let small = any.into_iter().filter(|room| room.active_members_count() <= 2);
        let mut rooms: Vec<Room> = Vec::new();
        for room in last.into_iter().chain(marked).chain(small) {
            if rooms.iter().all(|known| known.room_id() != room.room_id()) {
                rooms.push(room);
            }
        }
        rooms
    }

    async fn fit(&self, room: &Room, user: &UserId) -> Result<Fit, MatrixError> {
        let usable = room.state() == RoomState::Joined && !room.is_tombstoned();
        if !usable || !room.latest_encryption_state().await?.is_encrypted() {
            return Ok(Fit::No);
        }
        let members = room.members(RoomMemberships::ACTIVE).await?;
        let mut others = members.iter().filter(|member| !member.is_account_user());
        let (Some(other), None) = (others.next(), others.next()) else {
            return Ok(Fit::No);
        };
        Ok(match other.membership() {
            _ if other.user_id() != user => Fit::No,
            MembershipState::Join => Fit::There,
            _ => Fit::Invited,
        })
    }

    async fn note(
        &self,
        user: &UserId,
        before: Option<&DirectNote>,
        room: Option<&RoomId>,
        declined: bool,
    ) -> Result<(), MatrixError> {
        let note = DirectNote {
            room: room.map(ToOwned::to_owned),
            declined,
        };
        if before != Some(&note) {
            self.storage.keep_direct(user, &note).await?;
        }
        Ok(())
    }
}

/// Somebody's homeserver can't be reached; it is tried again then.
fn unreachable(user: &UserId, until: Instant) -> MatrixError {
    MatrixError::Passing {
        why: format!("{} can't be reached", user.server_name()),
        after: Some(until.duration_since(Instant::now())),
    }
}
