//! What everything here works with.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serenity::model::id::{ChannelId, UserId};
use tokio::sync::{Semaphore, SemaphorePermit, watch};

use super::errors::DiscordError;
use super::render::DiscordWriter;
use super::rest::{OutgoingMessage, RestClient};
use super::storage::DiscordStore;
use crate::chat::link::{LinkError, StopSignal};
use crate::chat::message::{Message, Picture};
use crate::chat::parlor::{Drawn, Parlor};
use crate::matches::people::PlayerId;

/// How many events may be under way at once; more wait their turn.
const AT_ONCE: u32 = 10_000;

/// How long what is under way may take once it is time to stop.
pub const PATIENCE: Duration = Duration::from_secs(5);

pub struct DiscordContext {
    pub parlor: Arc<Parlor>,
    pub rest: RestClient,
    pub storage: DiscordStore,
    pub stop: StopSignal,
    pub fatal: Fatal,
    /// Pictures are drawn by as many threads as there are processors.
    drawing: Semaphore,
    busy: Semaphore,
    /// Where to write to whom; Discord never changes it.
    dms: Mutex<HashMap<UserId, ChannelId>>,
}

impl std::fmt::Debug for DiscordContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiscordContext")
    }
}

impl DiscordContext {
    pub fn new(parlor: Arc<Parlor>, rest: RestClient, stop: StopSignal) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            storage: DiscordStore::new(Arc::clone(parlor.service.store())),
            parlor,
            rest,
            stop,
            fatal: Fatal::default(),
            drawing: Semaphore::new(processors),
            busy: Semaphore::new(AT_ONCE as usize),
            dms: Mutex::default(),
        }
    }

    /// Held while an event is handled.
    pub async fn begin(&self) -> Option<SemaphorePermit<'_>> {
        self.busy.acquire().await.ok()
    }

    /// Waits for what is under way, but not for ever.
    pub async fn finish(&self) {
        let all = self.busy.acquire_many(AT_ONCE);
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            tracing::warn!("some answers were broken off");
        }
    }

    /// Writes a message down, drawing what has to be drawn.
    pub async fn letter(&self, message: &Message, writer: MessageStyle) -> OutgoingMessage {
        let drawn = match &message.picture {
            Some(picture) => self.draw(picture).await,
            None => None,
        };
        let name = |player: &PlayerId| self.name(player);
        let writer = DiscordWriter {
            name: &name,
            title: writer.title,
            line: writer.line,
            page: writer.page,
        };
        writer.letter(message, drawn)
    }

    /// A picture that can't be drawn must not keep the words from being read.
    async fn draw(&self, picture: &Picture) -> Option<Drawn> {
        let _turn = self.drawing.acquire().await.ok()?;
        let (parlor, picture) = (Arc::clone(&self.parlor), picture.clone());
        match tokio::task::spawn_blocking(move || parlor.draw(&picture)).await {
            Ok(Ok(drawn)) => Some(drawn),
            Ok(Err(failure)) => {
                tracing::error!(?failure, "a picture can't be drawn");
                None
            }
            Err(error) => {
                tracing::error!(%error, "drawing a picture broke off");
                None
            }
        }
    }

    fn name(&self, player: &PlayerId) -> String {
        match self.parlor.service.person(player) {
            Ok(person) => person.name,
            Err(fault) => {
                tracing::error!(%fault, "a name can't be read");
                player.parts().1.to_owned()
            }
        }
    }

    /// The channel in which to talk to a user alone.
    pub async fn dm(&self, user: UserId) -> Result<ChannelId, DiscordError> {
        let known = self.dms().get(&user).copied();
        if let Some(channel) = known {
            return Ok(channel);
        }
        let channel = self.rest.open_dm(user).await?;
        self.dms().insert(user, channel);
        Ok(channel)
    }

    fn dms(&self) -> std::sync::MutexGuard<'_, HashMap<UserId, ChannelId>> {
        self.dms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a message is written on: how it is headed, and how its menu is turned.
#[derive(Clone, Debug, Default)]
pub struct MessageStyle {
    pub title: Option<String>,
    pub line: Option<String>,
    pub page: usize,
}

/// Word that Discord will have us no longer.
#[derive(Debug)]
pub struct Fatal(watch::Sender<Option<LinkError>>);

impl Default for Fatal {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

/// What the operator is told about a token that is no good.
pub const REVOKED: &str = "Discord does not accept the token. Make a new one in the developer portal, under Bot, and set it as token in [discord] or as PARLOR_DISCORD_TOKEN.";

impl Fatal {
    /// The first report counts.
    pub fn report(&self, why: impl Into<String>) {
        self.0.send_if_modified(|told| {
            let first = told.is_none();
            if first {
                *told = Some(LinkError(why.into()));
            }
            first
        });
    }

    pub fn revoked(&self) {
        self.report(REVOKED);
    }

    /// Waits for word.
    pub async fn told(&self) -> LinkError {
        let mut word = self.0.subscribe();
        // It can't be lost while we hold it.
        let told = word.wait_for(Option::is_some).await.ok();
        let told = told.and_then(|told| told.clone());
        told.unwrap_or_else(|| LinkError(REVOKED.to_owned()))
    }
}
