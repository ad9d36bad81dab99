//! Whom a mention means.

use super::ids;
use crate::chat::command::People;
use crate::matches::people::PlayerId;

/// Discord writes mentions as ids, so they can be read without asking anybody.
#[derive(Clone, Copy, Debug)]
pub struct Mentions;

impl People for Mentions {
    fn find(&self, word: &str) -> Option<PlayerId> {
        ids::mentioned(word).map(ids::player)
    }
}
