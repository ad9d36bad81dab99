//! Listens: every event of every room, in order, once.
//!
//! matrix-sdk notes where it has read up to as soon as it has read; what it has read may not have been acted upon when
//! the machine dies. So we keep our own place: the token of the last answer of the homeserver of which everything has
//! been done, answers and all. After a crash some things are heard again, and recognised: commands by their event ids,
//! answers by their transaction ids.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::config::{SyncSettings, SyncToken};
use matrix_sdk::deserialized_responses::{TimelineEvent, TimelineEventKind};
use matrix_sdk::room::MessagesOptions;
use matrix_sdk::ruma::api::client::filter::FilterDefinition;
use matrix_sdk::ruma::api::client::sync::sync_events::v3::Filter;
use matrix_sdk::ruma::events::room::member::MembershipState::Join;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedUserId, UInt};
use matrix_sdk::sync::{SyncResponse, Timeline};
use matrix_sdk::{Client, Room};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::PLATFORM;
use super::answers::EventGuard;
use super::command_handler::CommandHandler;
use super::errors::MatrixError;
use super::event::{EventKind, RoomEvent};
use super::keys::EncryptedEvent;
use super::recent::Recent;
use super::room_queues::RoomQueues;
use super::storage::MatrixStore;
use crate::backoff::Backoff;
use crate::chat::link::{Connection, LinkError, Sending, StopSignal};

/// Hears what is said, in one session.
pub struct SyncListener {
    pub client: Client,
    pub own: OwnedUserId,
    pub device: String,
    pub storage: MatrixStore,
    pub command_handler: Arc<CommandHandler>,
    /// What was said in each room and is not done yet.
    pub queues: RoomQueues<Waiting>,
    /// Says when keys may have come.
    pub arrivals: watch::Sender<u64>,
    /// Says when we know which rooms we are in.
    pub settled: watch::Sender<bool>,
    /// Whether syncing works.
    pub connection: Arc<Connection>,
    pub seen: Seen,
}

/// A homeserver is reached by one line.
const LINE: u32 = 0;

/// Why somebody listens no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// We were told to stop.
    Stopped,
    /// The homeserver has ended the session.
    LoggedOut,
}

/// How long the homeserver may keep us waiting for news.
const LONG_POLL: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// No homeserver is away for longer than this after it is back: everything that waits for it waits for us to notice.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long we leave alone a homeserver that tells us news and takes none, before what waits is tried again.
const DEAF: Duration = Duration::from_secs(60);
/// How long answers may take once we are told to stop. What isn't answered by then is heard again.
const STOP_WAIT: Duration = Duration::from_secs(5);
/// How many events of a room come at once; the others are fetched.
const PAGE: u32 = 100;
const MOST_PAGES: usize = 100;

/// The last events that were heard.
pub type Seen = Recent<OwnedEventId, ()>;

pub fn seen() -> Seen {
    Recent::new(10_000)
}

/// Something of a timeline.
enum Item {
    RoomEvent(Room, RoomEvent),
    EncryptedEvent(EncryptedEvent),
}

impl Item {
    fn at(&self) -> u64 {
        match self {
            Self::RoomEvent(_, event) => event.at,
            Self::EncryptedEvent(locked) => locked.at,
        }
    }

    fn id(&self) -> &EventId {
        match self {
            Self::RoomEvent(_, event) => &event.id,
            Self::EncryptedEvent(locked) => &locked.id,
        }
    }
}

/// An event that waits for its turn in its room.
pub type Waiting = (Room, RoomEvent, EventGuard);

impl SyncListener {
    /// Listens until it is told to stop, or the homeserver ends the session.
    pub async fn listen(mut self, stop: &StopSignal) -> Result<Ended, LinkError> {
        let broken = |fault: crate::matches::port::Fault| LinkError(fault.to_string());
        let mut token = self.storage.token(&self.own, &self.device).map_err(broken)?;
        let (batches, keeper) = self.start_keeper();
        let (unlock, mut unlocked) = mpsc::unbounded_channel::<Waiting>();
        let mut told = std::pin::pin!(stop.told());
        let mut backoff = SyncBackoff {
            pauses: Backoff::new(FIRST_PAUSE, LONGEST_PAUSE),
            complained: false,
        };
        let mut tried = Instant::now();
        let ended = loop {
            let client = self.client.clone();
            // Deliveries wait until we know which rooms we are in, so that is asked without waiting for news.
            let poll = if *self.settled.borrow() {
                LONG_POLL
            } else {
                Duration::ZERO
            };
            let mut syncing = Box::pin(client.sync_once(settings(token.clone(), poll)));
            let response = loop {
                tokio::select! {
                    () = &mut told => break None,
                    response = &mut syncing => break Some(response),
                    Some(waiting) = unlocked.recv() => self.enqueue(waiting),
                }
            };
            let response = match response {
                Some(Ok(response)) => response,
                Some(Err(error)) => {
                    self.connection.down(LINE);
                    match backoff.wait_after(error.into(), stop).await {
                        ControlFlow::Continue(()) => continue,
                        ControlFlow::Break(ended) => break ended,
                    }
                }
                None => break Ended::Stopped,
            };
            let items = match self.gather(&response, token.as_deref(), &mut backoff, stop).await {
                ControlFlow::Continue(items) => items,
                ControlFlow::Break(ended) => break ended,
            };
            let was_away = backoff.reset();
            if was_away {
                self.command_handler.answers.wake();
            }
            // What waits is tried again: there may be nothing else to send for a long time.
            if was_away || tried.elapsed() >= DEAF {
                tried = Instant::now();
                self.connection.note_sending(Sending::Works);
            }
            self.connection.up(LINE);
            let next = response.next_batch.clone();
            self.take_in(response, items, &batches, &unlock).await;
            if token.is_none() || !*self.settled.borrow() {
                let rooms = self.command_handler.rooms.clone();
                self.command_handler
                    .tasks
                    .spawn(async move { rooms.look_around().await });
            }
            if !self.settled.send_replace(true) {
                self.command_handler.parlor.service.outbox.wake(PLATFORM);
            }
            token = Some(next);
        };
        self.connection.down(LINE);
        // Answers that are under way may end, unless nobody takes them any more. The keeper goes before they are cut off:
        // what is cut off is not done.
        drop(batches);
        let abort = keeper.abort_handle();
        if ended == Ended::LoggedOut || tokio::time::timeout(STOP_WAIT, keeper).await.is_err() {
            abort.abort();
        }
        Ok(ended)
    }

    /// Has an event done when everything that came before it in its room is done. No other room waits for it.
    fn enqueue(&self, waiting: Waiting) {
        let room = waiting.0.room_id().to_owned();
        self.queues.push(room, waiting, || {
            let handler = Arc::clone(&self.command_handler);
            move |(room, event, held): Waiting| {
                let handler = Arc::clone(&handler);
                async move { handler.handle_event(&room, event, &held).await }
            }
        });
    }

    /// Notes how far everything has been done, batch by batch.
    fn start_keeper(&self) -> (mpsc::UnboundedSender<Batch>, JoinHandle<()>) {
        let (batches, mut received) = mpsc::unbounded_channel::<Batch>();
        let (storage, own, device) = (self.storage.clone(), self.own.clone(), self.device.clone());
        let keeper = tokio::spawn(async move {
            while let Some(Batch { token, mut done }) = received.recv().await {
                while done.recv().await.is_some() {}
                if let Err(error) = storage.keep_token(&own, &device, &token).await {
                    tracing::error!(%error, "matrix: could not store the sync token");
                }
            }
        });
        (batches, keeper)
    }

    /// Everything that was said since we asked last, in order. What the homeserver has left out is fetched until it is
    /// there: if we asked again, matrix-sdk would pass over an answer that it knows.
    async fn gather(
        &self,
        response: &SyncResponse,
        since: Option<&str>,
        backoff: &mut SyncBackoff,
        stop: &StopSignal,
    ) -> ControlFlow<Ended, Vec<Item>> {
        // What was said before we came is not for us.
        let Some(since) = since else {
            return ControlFlow::Continue(Vec::new());
        };
        let mut items = Vec::new();
        for (id, update) in &response.rooms.joined {
            let Some(room) = self.client.get_room(id) else {
                continue;
            };
            let events = loop {
                match self.timeline(&room, &update.timeline, since).await {
                    Ok(events) => break events,
                    Err(error) => backoff.wait_after(error, stop).await?,
                }
            };
            // Rooms are told apart by their clocks, and each keeps its own order.
            let mut latest = 0;
            for item in events {
                latest = item.at().max(latest);
                items.push((latest, item));
            }
        }
        items.sort_by_key(|(at, _)| *at);
        ControlFlow::Continue(items.into_iter().map(|(_, item)| item).collect())
    }

    /// Acts upon everything that has happened since we asked last.
    async fn take_in(
        &mut self,
        response: SyncResponse,
        items: Vec<Item>,
        batches: &mpsc::UnboundedSender<Batch>,
        unlock: &mpsc::UnboundedSender<Waiting>,
    ) {
        if !response.to_device.is_empty() {
            self.arrivals.send_modify(|count| *count += 1);
        }
        let (held, done) = mpsc::channel(1);
        for id in response.rooms.invited.keys() {
            if let Some(room) = self.client.get_room(id) {
                let rooms = self.command_handler.rooms.clone();
                let answering = async move { rooms.answer_invitation(&room).await };
                self.command_handler.tasks.spawn_holding(&held, answering);
            }
        }
        for id in response.rooms.left.keys() {
            let (homes, id) = (self.command_handler.homes.clone(), id.clone());
            let leaving = async move { homes.lost(&id).await };
            self.command_handler.tasks.spawn_holding(&held, leaving);
        }
        for item in items {
            if !self.seen.insert(item.id().to_owned(), ()) {
                continue;
            }
            match item {
                Item::RoomEvent(room, event) => self.enqueue((room, event, held.clone())),
                Item::EncryptedEvent(locked) if locked.sender == self.own => {}
                Item::EncryptedEvent(locked) => {
                    let keys = self.command_handler.keys.clone();
                    let (held, unlock) = (held.clone(), unlock.clone());
                    self.command_handler.tasks.spawn(async move {
                        let room = locked.room.clone();
                        if let Some(event) = keys.unlock(locked).await {
                            // Nobody listens any more only when we are stopping.
                            let _ = unlock.send((room, event, held));
                        }
                    });
                }
            }
        }
        let token = response.next_batch;
        // Without a keeper we are stopping.
        let _ = batches.send(Batch { token, done });
    }

    /// What has been said in a room since we were told last, and since we came.
    async fn timeline(
        &self,
        room: &Room,
        timeline: &Timeline,
        since: &str,
    ) -> Result<Vec<Item>, MatrixError> {
        let mut events = timeline.events.clone();
        let mut before = timeline.prev_batch.clone().filter(|_| timeline.limited);
        for _ in 0..MOST_PAGES {
            let Some(from) = before.take() else {
                break;
            };
            if events.iter().any(|event| self.is_our_coming(event)) {
                break;
            }
            let mut options = MessagesOptions::backward().from(from.as_str());
            options.to = Some(since.to_owned());
            options.limit = UInt::from(PAGE);
            let page = match room.messages(options).await.map_err(MatrixError::from) {
                Ok(page) => page,
                // We have been sent away meanwhile.
                Err(MatrixError::Refused { why: error }) => {
                    tracing::warn!(room = %room.room_id(), %error, "matrix: could not fetch old messages");
                    break;
                }
                Err(error) => return Err(error),
            };
            before = page.end.filter(|_| !page.chunk.is_empty());
            events.splice(0..0, page.chunk.into_iter().rev());
        }
        if let Some(at) = events.iter().rposition(|event| self.is_our_coming(event)) {
            events.drain(..at);
        }
        let item = |event: &TimelineEvent| match &event.kind {
            TimelineEventKind::UnableToDecrypt { event, .. } => {
                EncryptedEvent::read(room, event).map(Item::EncryptedEvent)
            }
            TimelineEventKind::Decrypted(_) | TimelineEventKind::PlainText { .. } => {
                read(event).map(|event| Item::RoomEvent(room.clone(), event))
            }
        };
        Ok(events.iter().filter_map(item).collect())
    }

    /// Whether this is the moment at which we came into the room.
    fn is_our_coming(&self, event: &TimelineEvent) -> bool {
        let event = read(event).map(|event| event.what);
        matches!(event, Some(EventKind::Member { who, membership, before })
            if who == self.own && membership == Join && before != Some(Join))
    }
}

/// The pauses between tries to sync.
#[derive(Debug)]
struct SyncBackoff {
    pauses: Backoff,
    /// Whether the operator has been told.
    complained: bool,
}

impl SyncBackoff {
    /// Waits until it is worth another try.
    async fn wait_after(&mut self, error: MatrixError, stop: &StopSignal) -> ControlFlow<Ended> {
        let first = !std::mem::replace(&mut self.complained, true);
        let wait = match error {
            MatrixError::LoggedOut => return ControlFlow::Break(Ended::LoggedOut),
            error @ (MatrixError::Passing { .. } | MatrixError::Away { .. }) => {
                if first {
                    tracing::warn!(%error, "matrix: could not sync; trying again");
                }
                error.after().unwrap_or_else(|| self.pauses.pause())
            }
            MatrixError::Refused { why } => {
                if first {
                    tracing::warn!(error = %why, "matrix: the homeserver refused to sync; trying again");
                }
                LONGEST_PAUSE
            }
        };
        tokio::select! {
            () = stop.told() => ControlFlow::Break(Ended::Stopped),
            () = tokio::time::sleep(wait) => ControlFlow::Continue(()),
        }
    }

    /// All is well again; whether it was not.
    fn reset(&mut self) -> bool {
        let was_away = std::mem::take(&mut self.complained);
        if was_away {
            tracing::warn!("matrix: sync works again");
        }
        self.pauses.reset();
        was_away
    }
}

/// Everything that came with one answer of the homeserver.
struct Batch {
    /// Where the next one begins.
    token: String,
    /// Ends when everything has been done.
    done: mpsc::Receiver<()>,
}

fn read(event: &TimelineEvent) -> Option<RoomEvent> {
    RoomEvent::read(&event.raw().deserialize_as_unchecked().ok()?)
}

fn settings(token: Option<String>, patience: Duration) -> SyncSettings {
    // With it comes how many are in each room.
    let mut filter = FilterDefinition::with_lazy_loading();
    filter.room.timeline.limit = Some(UInt::from(PAGE));
    // Typing, receipts and presence don't concern us.
    filter.room.ephemeral.not_types = vec!["*".to_owned()];
    filter.presence.not_types = vec!["*".to_owned()];
    SyncSettings::new()
        .filter(Filter::FilterDefinition(filter))
        .timeout(patience)
        .token(token.map_or(SyncToken::NoToken, SyncToken::Specific))
}
