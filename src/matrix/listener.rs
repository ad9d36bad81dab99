//! Listens: every event of every room, in order, once.
//!
//! matrix-sdk notes where it has read up to as soon as it has read; what it has read may not have been acted upon when
//! the machine dies. So we keep our own place: the token of the last answer of the homeserver of which everything has
//! been done, answers and all. After a crash some things are heard again, and recognised: commands by their event ids,
//! answers by their transaction ids.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::config::{SyncSettings, SyncToken};
use matrix_sdk::deserialized_responses::{TimelineEvent, TimelineEventKind};
use matrix_sdk::room::MessagesOptions;
use matrix_sdk::ruma::api::client::filter::FilterDefinition;
use matrix_sdk::ruma::api::client::sync::sync_events::v3::Filter;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedRoomId, OwnedUserId, UInt, UserId};
use matrix_sdk::sync::{SyncResponse, Timeline};
use matrix_sdk::{Client, Room};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::address::{Address, MARK, Own};
use super::answers::{Answer, Answers, Held};
use super::direct::Direct;
use super::directory::MatrixDirectory;
use super::heard::{Heard, Said, What};
use super::keys::{Keys, Locked};
use super::memory::Memory;
use super::reactions;
use super::rooms::Rooms;
use super::thinking;
use super::trouble::Trouble;
use super::voice::{Place, home, is_alone_with_one, player};
use crate::chat::command::{self, ReadError};
use crate::chat::link::{LinkError, Stop};
use crate::chat::parlor::{Input, Parlor, Request};
use crate::matches::code::Code;
use crate::matches::delivery::To;
use crate::matches::people::PlayerId;

/// Hears what is said.
pub struct Listener {
    pub client: Client,
    pub own: OwnedUserId,
    pub device: String,
    pub parlor: Arc<Parlor>,
    pub memory: Memory,
    pub direct: Arc<Direct>,
    pub directory: Arc<MatrixDirectory>,
    pub rooms: Rooms,
    pub answers: Answers,
    pub keys: Keys,
    /// Says when keys may have come.
    pub arrivals: watch::Sender<u64>,
    /// Says when we know which rooms we are in.
    pub settled: watch::Sender<bool>,
    pub seen: Seen,
    pub puzzled: HashMap<(OwnedRoomId, OwnedUserId), u8>,
}

/// How long the homeserver may keep us waiting for news.
const LONG_POLL: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// How long answers may take once we are told to stop. What isn't answered by then is heard again.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many events of a room come at once; the others are fetched.
const PAGE: u32 = 100;
const MOST_PAGES: usize = 100;
/// How often in a row somebody who speaks to us alone is told that we don't understand. Two machines that talk to each
/// other would never end.
const MOST_PUZZLED: u8 = 3;

/// The last events that were heard.
#[derive(Debug, Default)]
pub struct Seen {
    ids: HashSet<OwnedEventId>,
    order: VecDeque<OwnedEventId>,
}

impl Seen {
    const MOST: usize = 10_000;

    /// Notes an event; whether it is new.
    fn note(&mut self, id: &EventId) -> bool {
        if !self.ids.insert(id.to_owned()) {
            return false;
        }
        self.order.push_back(id.to_owned());
        if self.order.len() > Self::MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        true
    }
}

/// Something of a timeline.
enum Item {
    Heard(Room, Heard),
    Locked(Locked),
}

impl Item {
    fn at(&self) -> u64 {
        match self {
            Self::Heard(_, heard) => heard.at,
            Self::Locked(locked) => locked.at,
        }
    }

    fn id(&self) -> &EventId {
        match self {
            Self::Heard(_, heard) => &heard.id,
            Self::Locked(locked) => &locked.id,
        }
    }
}

/// A message that could be read after all.
type Unlocked = (Room, Heard, Held);

impl Listener {
    /// Listens until it is told to stop, or the homeserver won't have us any longer.
    pub async fn listen(mut self, stop: Stop) -> Result<(), LinkError> {
        let broken = |fault: crate::matches::port::Fault| LinkError(fault.to_string());
        let mut token = self.memory.token(&self.own, &self.device).map_err(broken)?;
        let (batches, keeper) = self.start_keeper();
        let (unlock, mut unlocked) = mpsc::unbounded_channel::<Unlocked>();
        let mut told = std::pin::pin!(stop.told());
        let mut pause = FIRST_PAUSE;
        let mut away = false;
        let ended = loop {
            let client = self.client.clone();
            let mut syncing = Box::pin(client.sync_once(settings(token.clone())));
            let response = loop {
                tokio::select! {
                    () = &mut told => break None,
                    response = &mut syncing => break Some(response),
                    Some((room, heard, held)) = unlocked.recv() => self.hear(&room, heard, &held).await,
                }
            };
            let Some(response) = response else {
                break Ok(());
            };
            let taken_in = match response.map_err(Trouble::from) {
                Ok(response) => {
                    let next = response.next_batch.clone();
                    self.take_in(response, token.as_deref(), &batches, &unlock)
                        .await
                        .map(|()| next)
                }
                Err(trouble) => Err(trouble),
            };
            match taken_in {
                Ok(next) => {
                    if std::mem::take(&mut away) {
                        tracing::warn!("the homeserver is back");
                    }
                    pause = FIRST_PAUSE;
                    if token.is_none() || !*self.settled.borrow() {
                        let rooms = self.rooms.clone();
                        tokio::spawn(async move { rooms.look_around().await });
                    }
                    self.settled.send_replace(true);
                    token = Some(next);
                }
                Err(Trouble::LoggedOut) => {
                    break Err(LinkError(
                        "the homeserver has ended the bot's session; start the bot again to log in"
                            .to_owned(),
                    ));
                }
                Err(Trouble::Passing { why, after }) => {
                    if !std::mem::replace(&mut away, true) {
                        tracing::warn!(%why, "the homeserver is away; trying again until it is back");
                    }
                    let wait = after.unwrap_or(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    tokio::select! {
                        () = &mut told => break Ok(()),
                        () = tokio::time::sleep(wait) => {}
                    }
                }
                Err(Trouble::Refused { why }) => {
                    if !std::mem::replace(&mut away, true) {
                        tracing::warn!(%why, "the homeserver refuses to tell what happens; trying again");
                    }
                    tokio::select! {
                        () = &mut told => break Ok(()),
                        () = tokio::time::sleep(LONGEST_PAUSE) => {}
                    }
                }
            }
        };
        // Answers that are under way may end. The keeper goes before they are cut off: what is cut off is not done.
        drop(batches);
        let abort = keeper.abort_handle();
        if tokio::time::timeout(PATIENCE, keeper).await.is_err() {
            abort.abort();
        }
        ended
    }

    /// Notes how far everything has been done, batch by batch.
    fn start_keeper(&self) -> (mpsc::UnboundedSender<Batch>, JoinHandle<()>) {
        let (batches, mut received) = mpsc::unbounded_channel::<Batch>();
        let (memory, own, device) = (self.memory.clone(), self.own.clone(), self.device.clone());
        let keeper = tokio::spawn(async move {
            while let Some(Batch { token, mut done }) = received.recv().await {
                while done.recv().await.is_some() {}
                if let Err(fault) = memory.keep_token(&own, &device, &token).await {
                    tracing::error!(%fault, "our place in the conversation can't be kept");
                }
            }
        });
        (batches, keeper)
    }

    /// Acts upon everything that has happened since we asked last. If something can't be fetched, nothing is done.
    async fn take_in(
        &mut self,
        response: SyncResponse,
        since: Option<&str>,
        batches: &mpsc::UnboundedSender<Batch>,
        unlock: &mpsc::UnboundedSender<Unlocked>,
    ) -> Result<(), Trouble> {
        if !response.to_device.is_empty() {
            self.arrivals.send_modify(|count| *count += 1);
        }
        let mut items = Vec::new();
        // What was said before we came is not for us.
        if let Some(since) = since {
            for (id, update) in response.rooms.joined {
                let Some(room) = self.client.get_room(&id) else {
                    continue;
                };
                let events = self.timeline(&room, update.timeline, since).await?;
                // Rooms are told apart by their clocks, and each keeps its own order.
                let mut latest = 0;
                for item in events {
                    latest = item.at().max(latest);
                    items.push((latest, item));
                }
            }
            items.sort_by_key(|(at, _)| *at);
        }
        let (held, done) = mpsc::channel(1);
        for id in response.rooms.invited.keys() {
            if let Some(room) = self.client.get_room(id) {
                let (rooms, held) = (self.rooms.clone(), held.clone());
                tokio::spawn(async move {
                    rooms.answer_invitation(&room).await;
                    drop(held);
                });
            }
        }
        for (_, item) in items {
            if !self.seen.note(item.id()) {
                continue;
            }
            match item {
                Item::Heard(room, heard) => self.hear(&room, heard, &held).await,
                Item::Locked(locked) if locked.sender == self.own => {}
                Item::Locked(locked) => {
                    let (keys, held, unlock) = (self.keys.clone(), held.clone(), unlock.clone());
                    tokio::spawn(async move {
                        let room = locked.room.clone();
                        if let Some(heard) = keys.unlock(locked).await {
                            // Nobody listens any more only when we are stopping.
                            let _ = unlock.send((room, heard, held));
                        }
                    });
                }
            }
        }
        let token = response.next_batch;
        // Without a keeper we are stopping.
        let _ = batches.send(Batch { token, done });
        Ok(())
    }

    /// What has been said in a room since we were told last, and since we came.
    async fn timeline(&self, room: &Room, timeline: Timeline, since: &str) -> Result<Vec<Item>, Trouble> {
        let mut events = timeline.events;
        let mut before = timeline.prev_batch.filter(|_| timeline.limited);
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
            let page = room.messages(options).await?;
            before = page.end.filter(|_| !page.chunk.is_empty());
            events.splice(0..0, page.chunk.into_iter().rev());
        }
        if let Some(at) = events.iter().rposition(|event| self.is_our_coming(event)) {
            events.drain(..=at);
        }
        let item = |event: &TimelineEvent| match &event.kind {
            TimelineEventKind::UnableToDecrypt { event, .. } => Locked::read(room, event).map(Item::Locked),
            TimelineEventKind::Decrypted(_) | TimelineEventKind::PlainText { .. } => {
                read(event).map(|heard| Item::Heard(room.clone(), heard))
            }
        };
        Ok(events.iter().filter_map(item).collect())
    }

    /// Whether this is the moment at which we came into the room.
    fn is_our_coming(&self, event: &TimelineEvent) -> bool {
        let heard = read(event).map(|heard| heard.what);
        matches!(heard, Some(What::Member { who, membership, before })
            if who == self.own && membership == "join" && before.as_deref() != Some("join"))
    }

    async fn hear(&mut self, room: &Room, heard: Heard, held: &Held) {
        let Heard { id, sender, what, .. } = heard;
        if let What::Member {
            who,
            membership,
            before,
        } = &what
        {
            self.member(room, who, membership, before.as_deref(), held).await;
            return;
        }
        if sender == self.own {
            return;
        }
        match what {
            What::Said(said) => {
                self.keys.readable(room, &sender);
                if let Some(line) = self.line(room, &sender, &said).await {
                    let place = Place {
                        thread: said.thread.map(|root| (root, id.clone())),
                        // Alone with somebody, everything answers what they said last.
                        answers: (!is_alone_with_one(room)).then(|| id.clone()),
                    };
                    self.obey(room, &sender, &id, line, place, held).await;
                }
            }
            What::Reaction { to, key } => {
                let offers = self.memory.offers(&to).unwrap_or_default();
                if let Some(command) = reactions::command(&offers, &key) {
                    let line = command.to_owned();
                    let place = Place {
                        thread: self.thread_of(room, &line, &to),
                        answers: None,
                    };
                    self.obey(room, &sender, &id, line, place, held).await;
                }
            }
            What::Tombstone => {
                let (rooms, room, held) = (self.rooms.clone(), room.clone(), held.clone());
                tokio::spawn(async move {
                    rooms.follow(&room).await;
                    drop(held);
                });
            }
            What::Member { .. } | What::Other => {}
        }
    }

    /// The thread of the match that a command of ours names.
    fn thread_of(&self, room: &Room, line: &str, to: &EventId) -> Option<(OwnedEventId, OwnedEventId)> {
        let (code, _) = command::read(line).ok()?.arguments.target?;
        let thread = self.memory.thread(room.room_id(), &code).ok()??;
        Some((thread.root, to.to_owned()))
    }

    /// Somebody comes or goes.
    async fn member(&self, room: &Room, who: &UserId, membership: &str, before: Option<&str>, held: &Held) {
        match membership {
            "join" if before != Some("join") => {
                // What waits for them can be told now.
                self.parlor.service.reachable(&To::Player(player(who)));
            }
            "leave" | "ban" if who != self.own => {
                if let Err(trouble) = self
                    .direct
                    .left(room.room_id(), who, before == Some("invite"))
                    .await
                {
                    tracing::warn!(%trouble, "can't note that somebody has left");
                }
                let (rooms, room, held) = (self.rooms.clone(), room.clone(), held.clone());
                tokio::spawn(async move {
                    rooms.leave_if_empty(&room).await;
                    drop(held);
                });
            }
            _ => {}
        }
    }

    /// What somebody wants of us, as a line for the parlor; nothing if they don't speak to us.
    async fn line(&self, room: &Room, sender: &UserId, said: &Said) -> Option<String> {
        let member = room.get_member_no_sync(&self.own).await.ok().flatten();
        let own = Own {
            id: &self.own,
            name: member.as_ref().and_then(|member| member.display_name()),
        };
        let who = player(sender);
        let alone = is_alone_with_one(room);
        let about = self.match_about(room, said).await;
        let line = match own.address(&said.words) {
            Address::Named(line) => line,
            Address::Marked(line) if alone || self.is_ours(&who, &line) => line,
            Address::Marked(_) => return None,
            Address::Unmarked if alone => said.words.clone(),
            Address::Unmarked => {
                let code = about.as_ref()?;
                let meant = self.parlor.reads_as_move(&who, Some(code), &said.words)
                    || said.answers.is_some() && is_meant(&said.words);
                meant.then(|| said.words.clone())?
            }
        };
        Some(match about {
            Some(code) => self.about(&who, &code, line),
            None => line,
        })
    }

    /// Whether a marked command is one of ours, or nearly. Other bots listen to the same mark.
    fn is_ours(&self, who: &PlayerId, line: &str) -> bool {
        match command::read(line) {
            Err(ReadError::Unknown { near: None, .. }) => {
                self.parlor
                    .reads_as_move(who, None, line.trim_start_matches(MARK))
            }
            _ => true,
        }
    }

    /// What is said in the thread of a match, or in answer to its board, is about that match.
    fn about(&self, who: &PlayerId, code: &Code, line: String) -> String {
        let bare = line.trim_start_matches(MARK);
        match command::read(&line) {
            Ok(command) if command.arguments.target.is_none() => {
                let (verb, rest) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
                format!("{verb} #{code} {rest}").trim_end().to_owned()
            }
            Err(ReadError::Unknown { .. }) if self.parlor.reads_as_move(who, Some(code), bare) => {
                format!("move #{code} {bare}")
            }
            _ => line,
        }
    }

    /// The match in whose thread something is said, or whose board it answers.
    async fn match_about(&self, room: &Room, said: &Said) -> Option<Code> {
        let known = |root: &EventId| self.memory.match_of(room.room_id(), root).ok().flatten();
        if let Some(code) = said.thread.as_deref().and_then(known) {
            return Some(code);
        }
        let answered = said.answers.as_deref()?;
        if let Some(code) = known(answered) {
            return Some(code);
        }
        let event = room.event(answered, None).await.ok()?;
        let json: Value = event.raw().deserialize_as_unchecked().ok()?;
        let text = |pointer: &str| json.pointer(pointer).and_then(Value::as_str);
        let ours = text("/sender") == Some(self.own.as_str());
        let threaded = text("/content/m.relates_to/rel_type") == Some("m.thread");
        let root = text("/content/m.relates_to/event_id").and_then(|id| EventId::parse(id).ok());
        root.filter(|_| ours && threaded).and_then(|root| known(&root))
    }

    /// Lets the parlor do what somebody says, and has its answer said.
    async fn obey(
        &mut self,
        room: &Room,
        sender: &UserId,
        event: &EventId,
        line: String,
        place: Place,
        held: &Held,
    ) {
        let origin = match self.memory.origin(room.room_id()) {
            Ok(origin) => home(&origin),
            Err(fault) => {
                tracing::error!(%fault, "a room can't be found");
                return;
            }
        };
        let member = room.get_member_no_sync(sender).await.ok().flatten();
        let name = member
            .as_ref()
            .map_or_else(|| sender.localpart(), |member| member.name());
        if let Ok(command) = command::read(&line) {
            let mentions = &command.arguments.players;
            let found = self
                .directory
                .look_up(&self.parlor, room, &origin, mentions)
                .await;
            if let Err(trouble) = found {
                tracing::warn!(%trouble, "people can't be looked up");
            }
        }
        let request = Request {
            who: player(sender),
            name: name.to_owned(),
            room: Some(origin),
            event: Some(event.to_string()),
            input: Input::Line(line),
        };
        let puzzle = self
            .puzzled
            .entry((room.room_id().to_owned(), sender.to_owned()))
            .or_default();
        if self.parlor.is_talk(&request) {
            *puzzle = puzzle.saturating_add(1);
            if *puzzle > MOST_PUZZLED {
                return;
            }
        } else {
            *puzzle = 0;
        }
        let reply = self.parlor.handle(&request).await;
        if let Some(code) = &reply.thinking {
            tokio::spawn(thinking::show(
                Arc::clone(&self.parlor),
                room.clone(),
                code.clone(),
            ));
        }
        // Homeservers count messages, and this one would say what is being said anyway.
        if reply.told && !reply.secret {
            return;
        }
        self.answers.push(Answer {
            room: room.clone(),
            place,
            asker: sender.to_owned(),
            reply,
            key: format!("re-{event}"),
            held: held.clone(),
        });
    }
}

/// Everything that came with one answer of the homeserver.
struct Batch {
    /// Where the next one begins.
    token: String,
    /// Ends when everything has been done.
    done: mpsc::Receiver<()>,
}

fn read(event: &TimelineEvent) -> Option<Heard> {
    Heard::read(&event.raw().deserialize_as_unchecked().ok()?)
}

fn settings(token: Option<String>) -> SyncSettings {
    // With it comes how many are in each room.
    let mut filter = FilterDefinition::with_lazy_loading();
    filter.room.timeline.limit = Some(UInt::from(PAGE));
    // Typing, receipts and presence don't concern us.
    filter.room.ephemeral.not_types = vec!["*".to_owned()];
    filter.presence.not_types = vec!["*".to_owned()];
    SyncSettings::new()
        .filter(Filter::FilterDefinition(filter))
        .timeout(LONG_POLL)
        .token(token.map_or(SyncToken::NoToken, SyncToken::Specific))
}

/// Whether an answer to a board was meant for the board: a command, or something like a place on it.
fn is_meant(words: &str) -> bool {
    let like_a_place = |word: &str| {
        word.contains(|letter: char| letter.is_ascii_digit())
            && word.contains(|letter: char| letter.is_alphabetic())
    };
    command::read(words).is_ok() || words.split_whitespace().next().is_some_and(like_a_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_seen_once() {
        let mut seen = Seen::default();
        let id = |number: usize| EventId::parse(format!("${number}")).unwrap();
        assert!(seen.note(&id(0)));
        assert!(!seen.note(&id(0)));
        for number in 1..=Seen::MOST {
            assert!(seen.note(&id(number)));
        }
        assert_eq!(seen.ids.len(), Seen::MOST);
        assert!(seen.note(&id(0)), "what is long past is forgotten");
    }

    #[test]
    fn answers_to_a_board_are_moves_or_talk() {
        for meant in ["F2-F5", "F2-F9 please", "board", "resign"] {
            assert!(is_meant(meant), "{meant}");
        }
        for talk in ["nice move!", "no way", "haha", "in 5 minutes", ""] {
            assert!(!is_meant(talk), "{talk}");
        }
    }
}
