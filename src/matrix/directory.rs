//! Who is meant by a mention.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use matrix_sdk::{Room, RoomMemberships};

use super::trouble::Trouble;
use super::voice::player;
use crate::chat::parlor::{Directory, Parlor};
use crate::matches::bot::oneself;
use crate::matches::people::{PlayerId, RoomId};

/// The people who have been looked up for the command that is being read.
#[derive(Debug, Default)]
pub struct MatrixDirectory {
    found: Mutex<HashMap<(RoomId, String), PlayerId>>,
}

impl Directory for MatrixDirectory {
    fn find(&self, mention: &str, room: Option<&RoomId>) -> Option<PlayerId> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(&(room?.clone(), bare(mention))).cloned()
    }
}

impl MatrixDirectory {
    /// Looks up whom a command mentions, by id or by name, among those in the room; and notes what they are called.
    pub async fn look_up(
        &self,
        parlor: &Parlor,
        room: &Room,
        known_as: &RoomId,
        mentions: &[String],
    ) -> Result<(), Trouble> {
        let mut found = HashMap::new();
        if !mentions.is_empty() {
            let members = room.members(RoomMemberships::ACTIVE).await?;
            let others = members.iter().filter(|member| !member.is_account_user());
            let others: Vec<_> = others.collect();
            let own = members.iter().find(|member| member.is_account_user());
            for mention in mentions {
                let wanted = bare(mention);
                let is_own = own.is_some_and(|own| {
                    let names = [own.user_id().as_str(), own.user_id().localpart(), own.name()];
                    names.into_iter().any(|name| bare(name) == wanted)
                });
                if is_own {
                    found.insert((known_as.clone(), wanted), oneself());
                    continue;
                }
                let by_id = others
                    .iter()
                    .find(|member| bare(member.user_id().as_str()) == wanted);
                let mut by_name = others.iter().filter(|member| {
                    bare(member.name()) == wanted || bare(member.user_id().localpart()) == wanted
                });
                // A name that two people have means neither.
                let member = by_id.or_else(|| by_name.next().filter(|_| by_name.next().is_none()));
                if let Some(member) = member {
                    let who = player(member.user_id());
                    parlor.service.meet(&who, member.name()).await?;
                    found.insert((known_as.clone(), wanted), who);
                }
            }
        }
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
        Ok(())
    }
}

/// A mention without its decoration.
fn bare(mention: &str) -> String {
    mention
        .trim_start_matches('@')
        .trim_end_matches([',', ':'])
        .to_lowercase()
}
