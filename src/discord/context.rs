//! What everything here works with.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serenity::model::id::{ChannelId, GuildId, UserId};
use tokio::sync::{Notify, Semaphore, SemaphorePermit, SetOnce};

use super::PLATFORM;
use super::asked::Asked;
use super::command_links::CommandLinks;
use super::dms::PrivateTalks;
use super::errors::DiscordError;
use super::ids::{guild_of, user_of};
use super::limiter::{DrawingPlaces, Urgency};
use super::past_answers::PastAnswers;
use super::render::{DiscordWriter, Form};
use super::rest::{OutgoingMessage, RestClient};
use super::storage::DiscordStore;
use super::write::Names;
use crate::backoff::Backoff;
use crate::chat::link::{Connection, LinkError, StopSignal};
use crate::chat::message::{Message, Picture};
use crate::chat::parlor::{Drawn, Parlor};
use crate::matches::code::Code;
use crate::matches::people::PlayerId;

/// How many events may be under way at once; more wait their turn.
const AT_ONCE: u32 = 10_000;

/// How long what is under way may take once it is time to stop.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Whoever presses the same again within this time did not mean to.
const PRESSED_TWICE: Duration = Duration::from_secs(30);

/// Whether somebody has just pressed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    First,
    Again,
}

/// The pauses between tries while Discord can't be reached.
pub const fn backoff() -> Backoff {
    Backoff::new(Duration::from_millis(500), Duration::from_secs(60))
}

pub struct DiscordContext {
    pub parlor: Arc<Parlor>,
    pub rest: Arc<RestClient>,
    pub storage: DiscordStore,
    pub stop: StopSignal,
    /// The shards of the gateway, and whether requests are answered.
    pub connection: Arc<Connection>,
    /// Answers that may have to go.
    pub past_answers: PastAnswers,
    /// Rings when a message is noted that has had its time.
    pub stale: Notify,
    /// Why Discord refuses the bot.
    pub fatal: SetOnce<LinkError>,
    /// Pictures are drawn by as many threads as there are processors.
    drawing: DrawingPlaces,
    busy: Semaphore,
    talks: PrivateTalks,
    /// What each user last did by a button of a message that only they see.
    pressed: Mutex<HashMap<UserId, (String, Instant)>>,
    /// What was asked before the start and not answered.
    unanswered: Mutex<Vec<Asked>>,
    commands: Mutex<Arc<CommandLinks>>,
}

impl DiscordContext {
    pub fn new(parlor: Arc<Parlor>, rest: RestClient, stop: StopSignal) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            storage: DiscordStore::new(Arc::clone(parlor.service.store())),
            connection: Connection::new(&parlor.service, PLATFORM),
            parlor,
            rest: Arc::new(rest),
            stop,
            past_answers: PastAnswers::default(),
            stale: Notify::new(),
            fatal: SetOnce::new(),
            drawing: DrawingPlaces::new(processors),
            busy: Semaphore::new(AT_ONCE as usize),
            talks: PrivateTalks::default(),
            pressed: Mutex::default(),
            unanswered: Mutex::default(),
            commands: Mutex::default(),
        }
    }

    /// How commands are linked, as far as it is known.
    fn commands(&self) -> Arc<CommandLinks> {
        Arc::clone(&self.commands.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn link_commands(&self, links: CommandLinks) {
        *self.commands.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(links);
    }

    /// Finds what was asked before the start and not answered. Later it could not be told from what is under way.
    pub async fn look_back(&self) {
        match self.storage.unanswered().await {
            Ok(found) => *self.unanswered.lock().unwrap_or_else(PoisonError::into_inner) = found,
            Err(error) => tracing::error!(%error, "discord: could not read what was asked before the start"),
        }
    }

    pub fn take_unanswered(&self) -> Vec<Asked> {
        std::mem::take(&mut self.unanswered.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What somebody pressed has come to nothing: pressed again, it is as new.
    pub fn forget_press(&self, user: UserId) {
        let mut pressed = self.pressed.lock().unwrap_or_else(PoisonError::into_inner);
        pressed.remove(&user);
    }

    /// Notes what somebody presses, before it is done: they may press it again meanwhile.
    pub fn note_press(&self, user: UserId, line: &str) -> Press {
        let mut pressed = self.pressed.lock().unwrap_or_else(PoisonError::into_inner);
        pressed.retain(|_, (_, at)| at.elapsed() < PRESSED_TWICE);
        match pressed.insert(user, (line.to_owned(), Instant::now())) {
            Some((before, _)) if before == line => Press::Again,
            Some(_) | None => Press::First,
        }
    }

    /// Held while an event is handled.
    pub async fn begin(&self) -> Option<SemaphorePermit<'_>> {
        self.busy.acquire().await.ok()
    }

    /// Ends the connection for good. The first reason counts.
    pub fn give_up(&self, why: impl Into<String>) {
        let _ = self.fatal.set(LinkError(why.into()));
    }

    /// Waits for what is under way, but not for ever.
    pub async fn finish(&self) {
        let all = self.busy.acquire_many(AT_ONCE);
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            tracing::warn!("discord: stopped before all answers were given");
        }
    }

    /// Writes a message down, drawing what has to be drawn.
    pub async fn outgoing(&self, message: &Message, style: MessageStyle) -> OutgoingMessage {
        let drawn = match &message.picture {
            Some(picture) => self.draw(picture, style.urgency).await,
            None => None,
        };
        let name = |player: &PlayerId| self.name(player);
        let commands = self.commands();
        let writer = DiscordWriter {
            names: Names {
                player: &name,
                commands: &commands,
            },
            title: style.title,
            line: style.line,
            page: style.page,
            urgency: style.urgency,
            form: style.form,
        };
        writer.outgoing(message, drawn)
    }

    /// A picture that can't be drawn must not keep the words from being read.
    async fn draw(&self, picture: &Picture, urgency: Urgency) -> Option<Drawn> {
        let (film, place) = if picture.is_film() {
            (Some(self.parlor.film_turn().await?), None)
        } else {
            (None, Some(self.drawing.take(urgency).await?))
        };
        let (parlor, picture) = (Arc::clone(&self.parlor), picture.clone());
        let draw = move || {
            let _held = (film, place);
            parlor.draw(&picture)
        };
        match tokio::task::spawn_blocking(draw).await {
            Ok(Ok(drawn)) => Some(drawn),
            Ok(Err(failure)) => {
                tracing::error!(error = ?failure, "discord: could not draw the picture");
                None
            }
            Err(error) => {
                tracing::error!(%error, "discord: could not draw the picture");
                None
            }
        }
    }

    fn name(&self, player: &PlayerId) -> String {
        match self.parlor.service.person(player) {
            Ok(person) => person.name,
            Err(error) => {
                tracing::error!(%player, %error, "discord: could not read a player's name");
                player.parts().1.to_owned()
            }
        }
    }

    /// The players of somebody's matches, or of one of them, who are in none of the servers in which it is played, or was
    /// until its channel was lost.
    pub async fn gone(&self, who: &PlayerId, about: Option<&Code>) -> Result<Vec<PlayerId>, DiscordError> {
        let repository = self.parlor.service.repository();
        let mut gone = Vec::new();
        for code in repository.alive_of(who)? {
            if about.is_some_and(|about| *about != code) {
                continue;
            }
            let Some(found) = repository.find(&code)? else {
                continue;
            };
            let mut guilds = Vec::new();
            for room in found.rooms.iter().chain(&found.lost_rooms) {
                let community = repository.room_community(room)?;
                guilds.extend(community.and_then(|known| guild_of(&known.community)));
            }
            let players = found.running().map_or(&[][..], |play| &play.players);
            for player in players.iter().filter(|player| *player != who) {
                if let Some(user) = user_of(player)
                    && !gone.contains(player)
                    && self.is_gone(user, &guilds).await?
                {
                    gone.push(player.clone());
                }
            }
        }
        Ok(gone)
    }

    async fn is_gone(&self, user: UserId, guilds: &[GuildId]) -> Result<bool, DiscordError> {
        let mut is_missed = false;
        for guild in guilds {
            match self.rest.is_member(*guild, user).await {
                Ok(true) => return Ok(false),
                Ok(false) => is_missed = true,
                // We are no longer there, and see nobody.
                Err(error) if !error.may_pass() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(is_missed)
    }

    /// The channel in which to talk to a user alone.
    pub async fn dm(&self, user: UserId) -> Result<ChannelId, DiscordError> {
        self.talks
            .with(user, &self.storage, || self.rest.open_dm(user))
            .await
    }

    /// Discord finds that too many talks are opened; how long none is from now on.
    pub fn rest_from_talks(&self) -> Duration {
        self.talks.note_too_many()
    }
}

/// What a message is written on: how it is headed, and how its menu is turned.
#[derive(Clone, Debug, Default)]
pub struct MessageStyle {
    pub title: Option<String>,
    pub line: Option<String>,
    pub page: usize,
    pub urgency: Urgency,
    pub form: Form,
}

/// What the operator is told about a token that is no good.
pub const REVOKED: &str = "Discord does not accept the token. Make a new one in the developer portal, under Bot, and set it as token in [discord] or as PARLOR_DISCORD_TOKEN.";
