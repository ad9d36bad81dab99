//! Takes off old buttons, and away what has had its time.
//!
//! It is done behind everybody's back: no board waits for it. What is to be done is noted with what has taken the message's
//! place, and stays noted until Discord has done it, or says that it can't be done.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serenity::model::id::ChannelId;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::context::DiscordContext;
use super::errors::DiscordError;
use super::storage::{StaleMessage, StaleRow};
use crate::backoff::Backoff;
use crate::matches::port::Fault;

/// How many messages are looked at at once.
const PAGE: usize = 100;

/// How long a channel is left alone in which something failed.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Channels that are left alone for a while.
#[derive(Default)]
struct RestingChannels(HashMap<ChannelId, Rest>);

struct Rest {
    until: Instant,
    lengths: Backoff,
}

impl RestingChannels {
    fn rests(&self, channel: ChannelId, now: Instant) -> bool {
        self.0.get(&channel).is_some_and(|rest| rest.until > now)
    }

    /// When the first of them is looked at again.
    fn next(&self) -> Option<Instant> {
        self.0.values().map(|rest| rest.until).min()
    }

    fn note(&mut self, channel: ChannelId, error: &DiscordError) {
        let now = Instant::now();
        let rest = self.0.entry(channel).or_insert(Rest {
            until: now,
            lengths: Backoff::new(FIRST_REST, LONGEST_REST),
        });
        rest.until = now
            + match error {
                DiscordError::Later {
                    after: Some(after), ..
                } => (*after).max(FIRST_REST),
                DiscordError::Later { after: None, .. }
                | DiscordError::Revoked
                | DiscordError::TooManyTalks
                | DiscordError::Gone { .. }
                | DiscordError::Forbidden { .. }
                | DiscordError::Refused { .. } => rest.lengths.pause(),
            };
    }

    fn forget(&mut self, channel: ChannelId) {
        self.0.remove(&channel);
    }
}

/// Tidies up for ever: at the start what was left before, and from then on what is noted.
pub async fn tidy_up(context: Arc<DiscordContext>) {
    let mut resting = RestingChannels::default();
    loop {
        if let Err(error) = go_through(&context, &mut resting).await {
            tracing::error!(%error, "discord: could not read or store which messages are stale");
        }
        let rested = async {
            match resting.next() {
                Some(next) => tokio::time::sleep_until(next).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = context.stale.notified() => {}
            () = rested => {}
        }
    }
}

/// Goes once through all that is to be done.
async fn go_through(context: &Arc<DiscordContext>, resting: &mut RestingChannels) -> Result<(), Fault> {
    let now = Instant::now();
    // A channel with nothing left rests no longer.
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let rows = context.storage.stale(after.as_deref(), PAGE)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.key.clone());
        let mut done = Vec::new();
        let mut channels: BTreeMap<ChannelId, Vec<StaleRow>> = BTreeMap::new();
        for row in rows {
            match row.message.as_ref().map(StaleMessage::channel) {
                Some(channel) => channels.entry(channel).or_default().push(row),
                // Nobody can read it any more.
                None => done.push(row.key),
            }
        }
        seen.extend(channels.keys().copied());
        channels.retain(|channel, _| !resting.rests(*channel, now));
        let mut work: JoinSet<TidiedChannel> = JoinSet::new();
        for (channel, rows) in channels {
            let context = Arc::clone(context);
            work.spawn(async move { tidy_channel(&context, channel, rows).await });
        }
        while let Some(tidied) = work.join_next().await {
            match tidied {
                Ok(tidied) => {
                    done.extend(tidied.done);
                    match tidied.trouble {
                        Some(error) => resting.note(tidied.channel, &error),
                        None => resting.forget(tidied.channel),
                    }
                }
                Err(error) => tracing::error!(%error, "discord: could not tidy a channel"),
            }
        }
        context.storage.forget_stale(done).await?;
    }
    resting.0.retain(|channel, _| seen.contains(channel));
    Ok(())
}

/// What came of tidying a channel.
struct TidiedChannel {
    channel: ChannelId,
    /// The rows that need not be kept.
    done: Vec<Vec<u8>>,
    /// Why the others are left for another time.
    trouble: Option<DiscordError>,
}

/// One after the other: what is too much for a channel is too much for all that is to be done there.
async fn tidy_channel(context: &DiscordContext, channel: ChannelId, rows: Vec<StaleRow>) -> TidiedChannel {
    let mut tidied = TidiedChannel {
        channel,
        done: Vec::new(),
        trouble: None,
    };
    for StaleRow { key, message } in rows {
        let outcome = match &message {
            Some(StaleMessage::Buttons(live)) => context.rest.strip(live).await,
            Some(StaleMessage::Whole(posted)) => context.rest.delete(*posted).await,
            None => Ok(()),
        };
        match outcome {
            Err(error) if error.may_pass() => {
                tracing::debug!(%channel, %error, "discord: could not tidy a message; trying again later");
                tidied.trouble = Some(error);
                return tidied;
            }
            Err(error) => tracing::debug!(%channel, %error, "discord: could not tidy a message"),
            Ok(()) => {}
        }
        tidied.done.push(key);
    }
    tidied
}
