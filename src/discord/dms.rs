//! Private talks: where to write to whom.
//!
//! Discord lets a bot open few of them at a time, so they are opened one by one, in the order in which they were wanted,
//! and remembered for ever. Beside the limit of the route there is one of which nobody knows the measure: whoever opens
//! talks faster than Discord likes is refused, and not told for how long. Then all of them rest, longer each time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serenity::model::id::{ChannelId, UserId};
use tokio::time::Instant;

use super::errors::DiscordError;
use super::storage::DiscordStore;
use crate::backoff::Backoff;

/// As many wait in line; whoever comes then is to come again.
const LINE: usize = 500;
const COME_AGAIN: Duration = Duration::from_secs(60);

/// How long no talk is opened, once Discord finds that there are too many.
const FIRST_REST: Duration = Duration::from_secs(10);
const LONGEST_REST: Duration = Duration::from_secs(600);

/// The line of those with whom no talk is open yet.
#[derive(Default)]
pub struct PrivateTalks {
    waiting: AtomicUsize,
    /// Handed on in the order in which it was asked for.
    turn: tokio::sync::Mutex<()>,
    rest: Mutex<Rest>,
}

/// While no talk is opened.
struct Rest {
    until: Option<Instant>,
    lengths: Backoff,
}

impl Default for Rest {
    fn default() -> Self {
        Self {
            until: None,
            lengths: Backoff::new(FIRST_REST, LONGEST_REST),
        }
    }
}

impl PrivateTalks {
    /// The channel in which to talk to a user alone; `open` asks Discord for one.
    pub async fn with<F: Future<Output = Result<ChannelId, DiscordError>>>(
        &self,
        user: UserId,
        storage: &DiscordStore,
        open: impl Fn() -> F,
    ) -> Result<ChannelId, DiscordError> {
        if let Some(known) = storage.talk(user)? {
            return Ok(known);
        }
        let _waiting = Waiting::join(&self.waiting)?;
        let _turn = self.turn.lock().await;
        loop {
            // Somebody before us may have been here for the same user, or they have come to us.
            if let Some(known) = storage.talk(user)? {
                return Ok(known);
            }
            if let Some(until) = self.rests_until() {
                tokio::time::sleep_until(until).await;
                continue;
            }
            match open().await {
                Ok(channel) => {
                    self.rest().lengths.reset();
                    storage.note_talk(user, Some(channel)).await?;
                    return Ok(channel);
                }
                Err(DiscordError::TooManyTalks) => {
                    self.note_too_many();
                }
                Err(DiscordError::Later {
                    after: Some(after), ..
                }) => tokio::time::sleep(after).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Discord finds that too many are opened; how long none is from now on.
    pub fn note_too_many(&self) -> Duration {
        let mut rest = self.rest();
        let now = Instant::now();
        // Several may be told so at once.
        let until = match rest.until.filter(|until| *until > now) {
            Some(until) => until,
            None => {
                let length = rest.lengths.pause();
                tracing::warn!(
                    ?length,
                    "discord: private talks are opened too fast; opening none for a while"
                );
                now + length
            }
        };
        rest.until = Some(until);
        until - now
    }

    fn rests_until(&self) -> Option<Instant> {
        self.rest().until.filter(|until| *until > Instant::now())
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::MemoryStore;

    /// A Discord that opens no talk before its time, and notes when it was asked for whom.
    struct Standoffish {
        opens: Instant,
        asked: Mutex<Vec<(UserId, Instant)>>,
    }

    impl Standoffish {
        fn open(&self, user: UserId) -> Result<ChannelId, DiscordError> {
            let now = Instant::now();
            self.asked.lock().unwrap().push((user, now));
            if now < self.opens {
                return Err(DiscordError::TooManyTalks);
            }
            Ok(ChannelId::new(user.get() + 1000))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn while_discord_wants_no_more_talks_the_whole_line_rests_and_keeps_its_order() {
        let begun = Instant::now();
        let discord = Arc::new(Standoffish {
            opens: begun + Duration::from_secs(100),
            asked: Mutex::default(),
        });
        let talks = Arc::new(PrivateTalks::default());
        let storage = Arc::new(DiscordStore::new(Arc::new(MemoryStore::new())));
        let users: Vec<UserId> = (1..=5).map(UserId::new).collect();
        let tasks: Vec<_> = users
            .iter()
            .map(|&user| {
                let (talks, storage) = (Arc::clone(&talks), Arc::clone(&storage));
                let discord = Arc::clone(&discord);
                tokio::spawn(async move {
                    let opened = talks
                        .with(user, &storage, || std::future::ready(discord.open(user)))
                        .await;
                    (opened, Instant::now())
                })
            })
            .collect();
        // A talk with somebody who writes to us first is there without being asked for.
        tokio::time::sleep(Duration::from_secs(1)).await;
        storage
            .note_talk(users[2], Some(ChannelId::new(7)))
            .await
            .unwrap();
        for (task, user) in tasks.into_iter().zip(&users) {
            let (opened, at) = task.await.unwrap();
            let expected = if *user == users[2] { 7 } else { user.get() + 1000 };
            assert_eq!(opened, Ok(ChannelId::new(expected)));
            assert!(at >= discord.opens);
        }
        let asked = discord.asked.lock().unwrap().clone();
        let whom: Vec<UserId> = asked.iter().map(|(user, _)| *user).collect();
        let refused = whom.len() - 4;
        // 5 to 10 seconds, then twice as long each time: a hundred are over after four or five.
        assert!((4..=5).contains(&refused), "{asked:?}");
        assert_eq!(
            whom[..refused],
            vec![users[0]; refused],
            "nobody else asked meanwhile"
        );
        assert_eq!(whom[refused..], [users[0], users[1], users[3], users[4]]);
        for pair in asked[..=refused].windows(2) {
            assert!(pair[1].1 - pair[0].1 >= FIRST_REST / 2, "{asked:?}");
        }
        // Once it works again, the next rest is a short one.
        assert!(talks.note_too_many() <= FIRST_REST);
        // Told so again meanwhile, it is still the same rest.
        assert!(talks.note_too_many() <= FIRST_REST);
        tokio::time::sleep(FIRST_REST).await;
        assert!(talks.note_too_many() >= FIRST_REST);
    }
}
