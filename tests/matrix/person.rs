//! Somebody with a Matrix client: matrix-sdk, scripted.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use matrix_sdk::config::SyncSettings;
use matrix_sdk::deserialized_responses::{TimelineEvent, TimelineEventKind};
use matrix_sdk::media::{MediaFormat, MediaRequestParameters};
use matrix_sdk::ruma::api::client::room::create_room::v3::Request as CreateRoom;
use matrix_sdk::ruma::events::room::MediaSource;
use matrix_sdk::ruma::{DeviceId, OwnedRoomId, RoomId, UserId};
use matrix_sdk::{Client, Room, RoomState};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::synapse::Synapse;
use crate::web::PATIENCE;

/// A person who reads everything.
pub struct Person {
    pub client: Client,
    pub id: String,
    heard: Arc<Heard>,
    listening: JoinHandle<()>,
}

/// Everything that was heard, in order.
struct Heard {
    events: Mutex<Vec<Event>>,
    /// What other devices have sent to this one.
    to_device: Mutex<Vec<Value>>,
    /// Changes with every answer of the homeserver.
    news: watch::Sender<u64>,
}

/// An event, readable if it could be decrypted.
#[derive(Clone, Debug)]
pub struct Event {
    pub room: OwnedRoomId,
    pub json: Value,
    /// Whether it came encrypted.
    pub encrypted: bool,
}

impl Event {
    pub fn id(&self) -> &str {
        self.text("/event_id")
    }

    pub fn sender(&self) -> &str {
        self.text("/sender")
    }

    pub fn body(&self) -> &str {
        self.text("/content/body")
    }

    pub fn html(&self) -> &str {
        self.text("/content/formatted_body")
    }

    pub fn kind(&self) -> &str {
        self.text("/content/msgtype")
    }

    pub fn thread(&self) -> Option<&str> {
        (self.text("/content/m.relates_to/rel_type") == "m.thread")
            .then(|| self.text("/content/m.relates_to/event_id"))
    }

    /// Whether it says of which match it tells.
    pub fn names_match(&self) -> bool {
        !self.text("/content/phase_parlor.match").is_empty()
    }

    /// Who is notified by it.
    pub fn mentions(&self) -> Vec<&str> {
        let ids = self
            .json
            .pointer("/content/m.mentions/user_ids")
            .and_then(Value::as_array);
        ids.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    pub fn text(&self, pointer: &str) -> &str {
        self.json
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub fn is_message(&self) -> bool {
        self.text("/type") == "m.room.message"
    }
}

impl Person {
    /// Makes an account and logs in.
    pub async fn come(synapse: &Synapse, name: &str) -> Self {
        let account = synapse.register(name);
        let client = Client::builder()
            .homeserver_url(synapse.url())
            .build()
            .await
            .unwrap();
        client
            .matrix_auth()
            .login_username(&account.id, &account.password)
            .send()
            .await
            .unwrap();
        let heard = Arc::new(Heard {
            events: Mutex::default(),
            to_device: Mutex::default(),
            news: watch::Sender::new(0),
        });
        let listening = tokio::spawn(listen(client.clone(), Arc::clone(&heard)));
        let person = Self {
            client,
            id: account.id,
            heard,
            listening,
        };
        person
            .until("the first news", || {
                (*person.heard.news.borrow() > 0).then_some(())
            })
            .await;
        person
    }

    /// Changes the name that others see.
    pub async fn be_called(&self, name: &str) {
        self.client.account().set_display_name(Some(name)).await.unwrap();
    }

    /// Makes a room and invites others.
    pub async fn make_room(&self, invited: &[&str], settings: Value) -> Room {
        let mut request = CreateRoom::new();
        request.invite = invited.iter().map(|id| UserId::parse(*id).unwrap()).collect();
        request.is_direct = settings["direct"] == true;
        let room = self.client.create_room(request).await.unwrap();
        self.until("my own room", || {
            self.client
                .get_room(room.room_id())
                .filter(|room| room.is_state_fully_synced())
        })
        .await;
        if settings["encrypted"] == true {
            room.enable_encryption().await.unwrap();
        }
        room
    }

    /// Comes into a room to which they are or will be invited.
    pub async fn enter(&self, room: &RoomId) -> Room {
        let invited = self
            .until("an invitation", || {
                self.client
                    .get_room(room)
                    .filter(|room| matches!(room.state(), RoomState::Invited | RoomState::Joined))
            })
            .await;
        if invited.state() == RoomState::Invited {
            invited.join().await.unwrap();
        }
        self.until("the room", || {
            self.client
                .get_room(room)
                .filter(|room| room.state() == RoomState::Joined && room.is_synced())
        })
        .await
    }

    /// Waits until somebody else is in a room.
    pub async fn until_joined(&self, room: &Room, who: &str) {
        let who = UserId::parse(who).unwrap();
        let start = std::time::Instant::now();
        loop {
            let news = *self.heard.news.borrow();
            let member = room.get_member(&who).await.unwrap();
            if member.is_some_and(|member| member.membership().as_str() == "join") {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{who} did not come");
            self.news(news).await;
        }
    }

    /// Waits until they know a device of somebody else, to which they can encrypt.
    pub async fn until_device(&self, who: &str, device: &DeviceId) {
        let who = UserId::parse(who).unwrap();
        let start = std::time::Instant::now();
        loop {
            let news = *self.heard.news.borrow();
            let known = self.client.encryption().get_device(&who, device).await.unwrap();
            if known.is_some_and(|known| !known.is_deleted()) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{device} of {who} is not known");
            self.news(news).await;
        }
    }

    /// The next invitation of somebody, accepted.
    pub async fn accept_invitation_of(&self, host: &str) -> Room {
        let room = self.invitation_of(host).await;
        self.enter(room.room_id()).await
    }

    /// The next invitation of somebody.
    pub async fn invitation_of(&self, host: &str) -> Room {
        let start = std::time::Instant::now();
        loop {
            let news = *self.heard.news.borrow();
            for room in self.client.invited_rooms() {
                if room.invite_details().await.unwrap().inviter_id == host {
                    return room;
                }
            }
            assert!(start.elapsed() < PATIENCE, "{host} invites nobody");
            self.news(news).await;
        }
    }

    /// Says something; the id of the event.
    pub async fn say(&self, room: &Room, text: &str) -> String {
        self.send(
            room,
            "m.room.message",
            json!({ "msgtype": "m.text", "body": text }),
        )
        .await
    }

    /// Sends anything.
    pub async fn send(&self, room: &Room, kind: &str, content: Value) -> String {
        let sent = room.send_raw(kind, content).await.unwrap();
        sent.response.event_id.to_string()
    }

    /// Answers a message.
    pub async fn answer(&self, room: &Room, event: &Event, text: &str) -> String {
        let relation = json!({ "m.in_reply_to": { "event_id": event.id() } });
        let content = json!({ "msgtype": "m.text", "body": text, "m.relates_to": relation });
        self.send(room, "m.room.message", content).await
    }

    /// Reacts to a message.
    pub async fn react(&self, room: &Room, event: &Event, key: &str) -> String {
        let relation = json!({ "rel_type": "m.annotation", "event_id": event.id(), "key": key });
        self.send(room, "m.reaction", json!({ "m.relates_to": relation }))
            .await
    }

    /// Everything heard in a room so far.
    pub fn heard_in(&self, room: &RoomId) -> Vec<Event> {
        let events = self.heard.events.lock().unwrap();
        events
            .iter()
            .filter(|event| event.room == room)
            .cloned()
            .collect()
    }

    /// The messages of somebody in a room so far, as they were first written.
    pub fn messages_of(&self, room: &RoomId, sender: &str) -> Vec<Event> {
        let mut heard = self.heard_in(room);
        let is_edit = |event: &Event| event.text("/content/m.relates_to/rel_type") == "m.replace";
        heard.retain(|event| event.sender() == sender && event.is_message() && !is_edit(event));
        heard
    }

    /// Waits for an event, from the beginning.
    pub async fn wait(&self, what: &str, fits: impl Fn(&Event) -> bool) -> Event {
        self.until(what, || {
            self.heard
                .events
                .lock()
                .unwrap()
                .iter()
                .find(|event| fits(event))
                .cloned()
        })
        .await
    }

    /// Waits for the answer to something that was said.
    pub async fn answer_to(&self, event: &str) -> Event {
        self.wait(&format!("an answer to {event}"), |heard| {
            heard.is_message() && heard.text("/content/m.relates_to/m.in_reply_to/event_id") == event
        })
        .await
    }

    /// Says something and waits for the answer.
    pub async fn ask(&self, room: &Room, text: &str) -> Event {
        let event = self.say(room, text).await;
        self.answer_to(&event).await
    }

    /// Waits until somebody has put a reaction to a message.
    pub async fn marked(&self, event: &str, by: &str) -> Event {
        self.wait(&format!("a mark on {event}"), |heard| {
            heard.text("/type") == "m.reaction"
                && heard.sender() == by
                && heard.text("/content/m.relates_to/event_id") == event
        })
        .await
    }

    /// Waits for something that another device sends to this one.
    pub async fn to_device(&self, kind: &str) -> Value {
        self.until(kind, || {
            let sent = self.heard.to_device.lock().unwrap();
            sent.iter().find(|event| event["type"] == kind).cloned()
        })
        .await
    }

    /// The picture, or file, of a message, decrypted if need be.
    pub async fn download(&self, event: &Event) -> Vec<u8> {
        let content = &event.json["content"];
        let source = match content.get("file") {
            Some(file) => MediaSource::Encrypted(Box::new(serde_json::from_value(file.clone()).unwrap())),
            None => MediaSource::Plain(event.text("/content/url").into()),
        };
        let request = MediaRequestParameters {
            source,
            format: MediaFormat::File,
        };
        self.client
            .media()
            .get_media_content(&request, false)
            .await
            .unwrap()
    }

    /// Waits until there is something.
    pub async fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let start = std::time::Instant::now();
        loop {
            let news = *self.heard.news.borrow();
            if let Some(found) = look() {
                return found;
            }
            if start.elapsed() > PATIENCE {
                let events = self.heard.events.lock().unwrap();
                let heard: Vec<String> = events.iter().map(|event| event.json.to_string()).collect();
                panic!(
                    "{} waited in vain for {what}; heard:\n{}",
                    self.id,
                    heard.join("\n")
                );
            }
            self.news(news).await;
        }
    }

    /// Waits for more than this many answers of the homeserver, but not for ever.
    async fn news(&self, known: u64) {
        let mut news = self.heard.news.subscribe();
        let _ = tokio::time::timeout(Duration::from_secs(1), news.wait_for(|now| *now > known)).await;
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Reads on and on. What can't be decrypted yet is tried again with every answer.
async fn listen(client: Client, heard: Arc<Heard>) {
    let mut locked: Vec<(OwnedRoomId, TimelineEvent)> = Vec::new();
    let mut settings = SyncSettings::new().timeout(Duration::from_secs(5));
    loop {
        let Ok(response) = client.sync_once(settings.clone()).await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        settings = settings.token(response.next_batch.clone());
        for event in &response.to_device {
            if let Ok(json) = event.to_raw().deserialize_as_unchecked() {
                heard.to_device.lock().unwrap().push(json);
            }
        }
        let mut fresh = std::mem::take(&mut locked);
        for (room, update) in response.rooms.joined {
            fresh.extend(
                update
                    .timeline
                    .events
                    .into_iter()
                    .map(|event| (room.clone(), event)),
            );
        }
        for (room, event) in fresh {
            let event = match &event.kind {
                TimelineEventKind::UnableToDecrypt { event: raw, .. } => {
                    let there = client.get_room(&room).unwrap();
                    there
                        .decrypt_event(raw.cast_ref_unchecked(), None)
                        .await
                        .unwrap_or(event)
                }
                _ => event,
            };
            let encrypted = match &event.kind {
                TimelineEventKind::UnableToDecrypt { .. } => {
                    locked.push((room, event));
                    continue;
                }
                TimelineEventKind::Decrypted(_) => true,
                TimelineEventKind::PlainText { .. } => false,
            };
            let json = event.raw().deserialize_as_unchecked().unwrap();
            heard.events.lock().unwrap().push(Event {
                room,
                json,
                encrypted,
            });
        }
        heard.news.send_modify(|count| *count += 1);
    }
}
