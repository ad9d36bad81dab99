//! The rooms that there are.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use super::PLATFORM;
use super::problem::RoomProblem;
use crate::matches::people::RoomId;
use crate::matches::port::{Batch, Fault, Space, Store};

/// The room that is always there.
pub const FIRST_ROOM: &str = "parlor";

/// The longest name of a room, in characters.
pub const LONGEST_ROOM: usize = 32;

/// How many rooms there can be.
const MOST_ROOMS: usize = 500;

/// Under which keys rooms are kept in [`Space::Rooms`].
const PREFIX: &[u8] = b"local\0room\0";

/// Their names.
pub struct LocalRooms {
    store: Arc<dyn Store>,
    names: RwLock<BTreeSet<String>>,
}

impl LocalRooms {
    pub fn open(store: Arc<dyn Store>) -> Result<Self, Fault> {
        let last = [PREFIX, &[0xff; 4]].concat();
        let rows = store.scan(Space::Rooms, PREFIX..=&last, MOST_ROOMS)?;
        let mut names: BTreeSet<String> = rows
            .iter()
            .map(|(key, _)| String::from_utf8_lossy(&key[PREFIX.len()..]).into_owned())
            .collect();
        names.insert(FIRST_ROOM.to_owned());
        Ok(Self {
            store,
            names: RwLock::new(names),
        })
    }

    /// All names; the first room comes first.
    pub fn names(&self) -> Vec<String> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let others = names.iter().filter(|name| *name != FIRST_ROOM).cloned();
        std::iter::once(FIRST_ROOM.to_owned()).chain(others).collect()
    }

    /// The room of this name, in any case.
    pub fn find(&self, name: &str) -> Result<RoomId, RoomProblem> {
        let name = name.to_lowercase();
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let known = names.get(&name).ok_or(RoomProblem::NoSuchRoom)?;
        Ok(room_id(known))
    }

    /// Makes a room, or finds it. Whether it is new.
    pub async fn make(&self, name: &str) -> Result<(String, bool), RoomProblem> {
        let name = name.trim().trim_start_matches('#').to_lowercase();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name.chars().count() > LONGEST_ROOM || !name.chars().all(fits) {
            return Err(RoomProblem::RoomName);
        }
        if self.find(&name).is_ok() {
            return Ok((name, false));
        }
        if self.names().len() >= MOST_ROOMS {
            return Err(RoomProblem::TooManyRooms);
        }
        let mut batch = Batch::new();
        batch.put(Space::Rooms, [PREFIX, name.as_bytes()].concat(), b"");
        self.store.commit(batch).await?;
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        let new = names.insert(name.clone());
        Ok((name, new))
    }
}

/// A room as the matches know it.
pub fn room_id(name: &str) -> RoomId {
    RoomId::new(PLATFORM, name)
}
