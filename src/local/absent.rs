//! Guests who have long been away. Whoever has left nothing behind is forgotten, so that there is always space for another.
//!
//! A name is everything to a guest: with it come their matches, hands, private messages and decks. So a guest who has any
//! of these keeps the name for good; otherwise a stranger who takes it would read them.

use std::sync::Arc;
use std::time::Duration;

use super::Local;
use super::feed::FeedPlace;
use super::guests::Guest;
use crate::catalog;
use crate::matches::port::Fault;
use crate::matches::time::Span;

/// Who was not here for so long is away.
const LONG: Span = Span::days(90);

/// How often somebody looks.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many guests are written or deleted at once.
const AT_ONCE: usize = 500;

impl Local {
    /// Looks for absent guests at once and then every day.
    pub(super) async fn keep_guests(self: Arc<Self>) {
        loop {
            match self.forget_absent().await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "local: forgot guests who were long away"),
                Err(error) => tracing::error!(%error, "local: could not look for absent guests"),
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Forgets guests who were long away and have left nothing behind. How many they were.
    pub(super) async fn forget_absent(self: &Arc<Self>) -> Result<usize, Fault> {
        let now = self.parlor.service.now();
        for guests in self.guests.never_noted().chunks(AT_ONCE) {
            self.guests.note(guests, now).await?;
        }
        let mut count = 0;
        if !self.parlor.service.tells_ages() {
            return Ok(count);
        }
        let moment = now - LONG;
        for guests in self.guests.away_since(moment).chunks(AT_ONCE) {
            let (local, guests) = (Arc::clone(self), guests.to_vec());
            let look = move || local.without_traces(guests);
            let looked = tokio::task::spawn_blocking(look).await;
            let gone = looked.map_err(|error| Fault::new("looking for absent guests", error))??;
            count += self.guests.forget(&gone, moment).await?;
        }
        Ok(count)
    }

    fn without_traces(&self, guests: Vec<Guest>) -> Result<Vec<Guest>, Fault> {
        let mut found = Vec::new();
        for guest in guests {
            if !self.has_traces(&guest)? {
                found.push(guest);
            }
        }
        Ok(found)
    }

    /// Whether a guest has matches, running or over, private messages, or lists such as decks.
    fn has_traces(&self, guest: &Guest) -> Result<bool, Fault> {
        let repository = self.parlor.service.repository();
        if !repository.alive_of(&guest.id)?.is_empty() || !repository.finished_of(&guest.id, 1)?.is_empty() {
            return Ok(true);
        }
        let place = FeedPlace::Guest(guest.id.clone());
        if !self.feed.at_before(&[place], None, 1)?.entries.is_empty() {
            return Ok(true);
        }
        for entry in catalog::games() {
            if !repository.lists(&guest.id, entry.meta.id)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
