//! Whom a mention means.

use super::ids;
use crate::chat::parlor::Directory;
use crate::matches::people::{PlayerId, RoomId};

/// Discord writes mentions as ids, so they can be read without asking anybody.
#[derive(Clone, Copy, Debug)]
pub struct Mentions;

impl Directory for Mentions {
    fn find(&self, mention: &str, _room: Option<&RoomId>) -> Option<PlayerId> {
        ids::mentioned(mention).map(ids::player)
    }
}
