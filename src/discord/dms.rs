//! Private talks: where to write to whom.
//!
//! Discord lets a bot open few of them at a time, so they are opened one by one, in the order in which they were wanted,
//! and remembered for ever.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serenity::model::id::{ChannelId, UserId};
use tokio::sync::Mutex;

use super::errors::DiscordError;
use super::rest::RestClient;
use super::storage::DiscordStore;

/// As many wait in line; whoever comes then is to come again.
const LINE: usize = 500;
const COME_AGAIN: Duration = Duration::from_secs(60);

/// The line of those with whom no talk is open yet.
#[derive(Default)]
pub struct PrivateTalks {
    waiting: AtomicUsize,
    /// Handed on in the order in which it was asked for.
    turn: Mutex<()>,
}

impl PrivateTalks {
    /// The channel in which to talk to a user alone.
    pub async fn with(
        &self,
        user: UserId,
        rest: &RestClient,
        storage: &DiscordStore,
    ) -> Result<ChannelId, DiscordError> {
        if let Some(known) = storage.talk(user)? {
            return Ok(known);
        }
        let _waiting = Waiting::join(&self.waiting)?;
        let _turn = self.turn.lock().await;
        // Somebody before us may have been here for the same user.
        if let Some(known) = storage.talk(user)? {
            return Ok(known);
        }
        loop {
            match rest.open_dm(user).await {
                Ok(channel) => {
                    storage.note_talk(user, Some(channel)).await?;
                    return Ok(channel);
                }
                Err(DiscordError::Later {
                    after: Some(after), ..
                }) => tokio::time::sleep(after).await,
                Err(error) => return Err(error),
            }
        }
    }
}

/// A place in the line.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn join(line: &'a AtomicUsize) -> Result<Self, DiscordError> {
        let place = Self(line);
        if line.fetch_add(1, Ordering::Relaxed) >= LINE {
            return Err(DiscordError::put_off(COME_AGAIN));
        }
        Ok(place)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
