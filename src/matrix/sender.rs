//! Says things in rooms.

use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use matrix_sdk::ruma::{
    EventId, OwnedEventId, OwnedRoomId, OwnedTransactionId, RoomId, TransactionId, UserId,
};
use matrix_sdk::{Client, Room};
use serde_json::{Value, json};

use super::PLATFORM;
use super::errors::{MatrixError, one_line};
use super::event::MATCH;
use super::recent::Recent;
use super::storage::MatrixStore;
use super::written::{CommandStyle, MatrixText, MatrixWriter};
use crate::chat::message::{File, ImageFormat, Message, Picture, PictureKind, Subject};
use crate::chat::parlor::Parlor;
use crate::matches::code::Code;
use crate::matches::community::{CommunitySettings, TurnMessages};
use crate::matches::people::{PlayerId, RoomId as HomeRoom};
use crate::matches::refusal::Failure;
use crate::text;

/// Who speaks.
#[derive(Clone)]
pub struct MessageSender {
    pub client: Client,
    pub parlor: Arc<Parlor>,
    storage: MatrixStore,
    spoken: SentMessages,
    uploads: Uploads,
}

/// Pictures that are with the homeserver while it does not take the message yet: a message that is tried again shows the
/// same picture.
type Uploads = Arc<Mutex<Recent<(OwnedRoomId, String), Value>>>;

/// So many are kept.
const MOST_UPLOADS: usize = 64;

/// What has been said of late, so that something of several parts goes on where it broke off. It outlives a session:
/// a homeserver that has ended one may have forgotten the transaction ids that were used in it.
#[derive(Clone, Debug)]
pub struct SentMessages(Arc<Mutex<Recent<(OwnedRoomId, String), OwnedEventId>>>);

impl Default for SentMessages {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Recent::new(2000))))
    }
}

impl SentMessages {
    /// The message that something has become already.
    fn find(&self, room: &RoomId, key: &str) -> Option<OwnedEventId> {
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.get(&(room.to_owned(), key.to_owned())).cloned()
    }

    fn note(&self, room: &RoomId, key: &str, event: &EventId) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.insert((room.to_owned(), key.to_owned()), event.to_owned());
    }
}

/// Where in a room something is said.
#[derive(Clone, Debug, Default)]
pub struct ReplyPosition {
    pub thread: Option<ThreadPosition>,
    /// The message that it answers.
    pub answers: Option<OwnedEventId>,
    /// The message of ours that it is written in place of.
    pub edits: Option<OwnedEventId>,
}

/// A place in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPosition {
    pub root: OwnedEventId,
    /// What clients that know no threads show it as an answer to. What stands right below what it belongs to is shown as
    /// no answer: many would repeat the whole message that the thread begins with, picture and all.
    pub after: Option<OwnedEventId>,
}

/// Something to be said.
#[derive(Clone, Copy, Debug)]
pub struct OutgoingEvent<'a> {
    pub message: &'a Message,
    pub telling: CaptionStyle,
    /// The same for every try to say it.
    pub key: &'a str,
    /// The match that it is about.
    pub about: Option<&'a Code>,
}

impl<'a> OutgoingEvent<'a> {
    /// Something whose words must be seen.
    pub const fn apart(message: &'a Message, key: &'a str) -> Self {
        Self {
            message,
            telling: CaptionStyle::Apart,
            key,
            about: None,
        }
    }
}

/// How a message with a picture is told.
///
/// The words under a picture (its caption) are in the specification since version 1.10. Element and Element X show them;
/// Hydrogen and older versions of Cinny don't: there they are no more than what is read to those who can't see it. A room
/// whose people use such a client has its turns told in two messages ([`TurnMessages`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionStyle {
    /// In one message, all words under the picture: for what the picture shows anyway.
    Caption,
    /// The picture, with what it shows under it, and then the words, if the room wants it: for words that must be seen.
    Apart,
}

/// What is added to a key for the words that follow a picture, and for a file.
const WORDS: &str = "-words";
const FILE: &str = "-file";

/// An event may have 65,536 bytes, all told; encrypted it grows by a third.
const MOST_BYTES: usize = 40_000;

impl MessageSender {
    pub fn new(client: Client, parlor: Arc<Parlor>, storage: MatrixStore, spoken: SentMessages) -> Self {
        Self {
            client,
            parlor,
            storage,
            spoken,
            uploads: Arc::new(Mutex::new(Recent::new(MOST_UPLOADS))),
        }
    }

    /// What the people of a room have chosen for it.
    pub fn rules_in(&self, room: &Room) -> Result<CommunitySettings, MatrixError> {
        let origin = self.storage.origin(room.room_id())?;
        Ok(self.parlor.service.rules_in(&home(&origin))?)
    }

    /// Says something, once for each key. The message that it became, or the last one.
    pub async fn say(
        &self,
        room: &Room,
        outgoing: OutgoingEvent<'_>,
        place: &ReplyPosition,
    ) -> Result<OwnedEventId, MatrixError> {
        let (message, key) = (outgoing.message, outgoing.key);
        let apart = outgoing.telling == CaptionStyle::Apart && self.rules_in(room)?.turn == TurnMessages::Two;
        let event = match &message.picture {
            Some(picture) if apart => self.say_apart(room, outgoing, picture, place).await?,
            Some(_) | None => self.say_at_once(room, outgoing, place).await?,
        };
        if let Some(file) = &message.file {
            let key = format!("{key}{FILE}");
            if self.spoken.find(room.room_id(), &key).is_none() {
                let mut content = self.file(room, file).await?;
                put_relation(&mut content, place);
                self.send(room, "m.room.message", &content, &key).await?;
            }
        }
        Ok(event)
    }

    /// One message with everything in it.
    async fn say_at_once(
        &self,
        room: &Room,
        outgoing: OutgoingEvent<'_>,
        place: &ReplyPosition,
    ) -> Result<OwnedEventId, MatrixError> {
        let (message, key) = (outgoing.message, outgoing.key);
        if let Some(event) = self.spoken.find(room.room_id(), key) {
            return Ok(event);
        }
        let written = self.write(room, message);
        let drawn = match &message.picture {
            Some(picture) => self.picture(room, picture, key).await?,
            None => None,
        };
        let kind = if written.mentions.is_empty() {
            "m.notice"
        } else {
            "m.text"
        };
        let mut content = drawn.unwrap_or_else(|| json!({ "msgtype": kind }));
        put_words(&mut content, &written);
        put_match(&mut content, outgoing.about);
        put_relation(&mut content, place);
        self.send(room, "m.room.message", &content, key).await
    }

    /// The picture, and then the words.
    async fn say_apart(
        &self,
        room: &Room,
        outgoing: OutgoingEvent<'_>,
        picture: &Picture,
        place: &ReplyPosition,
    ) -> Result<OwnedEventId, MatrixError> {
        let (message, key) = (outgoing.message, outgoing.key);
        let mut shown = self.spoken.find(room.room_id(), key).is_some();
        if !shown && let Some(mut content) = self.picture(room, picture, key).await? {
            put_words(&mut content, &MatrixText::in_words(&picture.alt));
            put_match(&mut content, outgoing.about);
            put_relation(&mut content, place);
            self.send(room, "m.room.message", &content, key).await?;
            shown = true;
        }
        let mut words = Message {
            picture: None,
            file: None,
            ..message.clone()
        };
        if !shown {
            words.text.line(text![picture.alt.as_str()]);
        }
        let outgoing = OutgoingEvent {
            message: &words,
            key: &format!("{key}{WORDS}"),
            ..outgoing
        };
        self.say_at_once(room, outgoing, place).await
    }

    /// Puts a reaction to a message, for others to press.
    pub async fn react(
        &self,
        room: &Room,
        event: &EventId,
        emoji: &str,
        key: &str,
    ) -> Result<(), MatrixError> {
        let content = json!({
            "m.relates_to": { "rel_type": "m.annotation", "event_id": event, "key": emoji },
        });
        if self.spoken.find(room.room_id(), key).is_some() {
            return Ok(());
        }
        match self.send(room, "m.reaction", &content, key).await {
            // The same reaction twice is refused: it is there already.
            Ok(_) | Err(MatrixError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes back what has been said by a key: every message that it became.
    pub async fn take_back(&self, room: &RoomId, key: &str) -> Result<(), MatrixError> {
        let Some(there) = self.client.get_room(room) else {
            return Ok(());
        };
        for part in ["", WORDS, FILE] {
            let key = format!("{key}{part}");
            if let Some(event) = self.spoken.find(room, &key) {
                let transaction = OwnedTransactionId::from(format!("gone-{key}"));
                there.redact(&event, None, Some(transaction)).await?;
            }
        }
        Ok(())
    }

    /// Takes away a message that another one stands for now. If it can't be, it stays.
    pub async fn take_away(&self, room: &Room, event: &EventId) {
        let transaction = OwnedTransactionId::from(format!("gone-{event}"));
        if let Err(error) = room.redact(event, None, Some(transaction)).await {
            tracing::debug!(room = %room.room_id(), %error, "matrix: could not take a message away");
        }
    }

    async fn send(
        &self,
        room: &Room,
        kind: &str,
        content: &Value,
        key: &str,
    ) -> Result<OwnedEventId, MatrixError> {
        let transaction = <&TransactionId>::from(key);
        let sent = room
            .send_raw(kind, content)
            .with_transaction_id(transaction)
            .await?;
        let event = sent.response.event_id;
        self.spoken.note(room.room_id(), key, &event);
        Ok(event)
    }

    fn write(&self, room: &Room, message: &Message) -> MatrixText {
        let service = &self.parlor.service;
        let name = |player: &PlayerId| match service.person(player) {
            Ok(person) => person.name,
            Err(error) => {
                tracing::error!(%player, %error, "matrix: could not read a player's name");
                player.parts().1.to_owned()
            }
        };
        let writer = MatrixWriter {
            name: &name,
            typed: if is_alone_with_one(room) {
                CommandStyle::Bare
            } else {
                CommandStyle::Marked
            },
        };
        writer.write(message)
    }

    /// A picture, drawn and brought to the homeserver. None if that will never work: a homeserver may take no pictures, or
    /// none so large, and then words have to do.
    async fn picture(&self, room: &Room, picture: &Picture, key: &str) -> Result<Option<Value>, MatrixError> {
        let upload = (room.room_id().to_owned(), key.to_owned());
        let known = self.uploads().get(&upload).cloned();
        if known.is_some() {
            return Ok(known);
        }
        match self.try_picture(room, picture).await {
            Ok(content) => {
                self.uploads().insert(upload, content.clone());
                Ok(Some(content))
            }
            Err(MatrixError::Refused { why }) => {
                tracing::warn!(room = %room.room_id(), error = %why, "matrix: could not send the picture");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn uploads(&self) -> MutexGuard<'_, Recent<(OwnedRoomId, String), Value>> {
        self.uploads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn try_picture(&self, room: &Room, picture: &Picture) -> Result<Value, MatrixError> {
        let parlor = Arc::clone(&self.parlor);
        let wanted = picture.clone();
        let draw = move || {
            let drawn = parlor.draw_wide(&wanted)?;
            Ok::<_, Failure>(drawn.file)
        };
        let _film = if picture.is_film() {
            self.parlor.film_turn().await
        } else {
            None
        };
        let drawn = tokio::task::spawn_blocking(draw).await;
        // What can't be drawn now can't be drawn later.
        let refused = |why: String| MatrixError::Refused { why };
        let file = match drawn {
            Ok(drawn) => drawn.map_err(|failure| refused(format!("it can't be drawn: {failure:?}")))?,
            Err(error) => return Err(refused(one_line(&error))),
        };
        let (width, height) = size(&file, picture.format());
        let kind = picture.format().media_type();
        let info = json!({ "mimetype": kind, "size": file.len(), "w": width, "h": height });
        let (field, source) = self.upload(room, kind, file).await?;
        let mut content = json!({ "msgtype": "m.image", "filename": file_name(picture), "info": info });
        content[field] = source;
        Ok(content)
    }

    async fn file(&self, room: &Room, file: &File) -> Result<Value, MatrixError> {
        let bytes = file.content.clone().into_bytes();
        let kind = if file.name.ends_with(".json") {
            "application/json"
        } else {
            "text/plain"
        };
        let info = json!({ "mimetype": kind, "size": bytes.len() });
        let (field, source) = self.upload(room, kind, bytes).await?;
        let mut content = json!({
            "msgtype": "m.file", "body": file.name, "filename": file.name, "info": info, "m.mentions": {},
        });
        content[field] = source;
        Ok(content)
    }

    /// Brings a file to the homeserver, encrypted if the room is: the field that says where, and what it says.
    async fn upload(
        &self,
        room: &Room,
        kind: &str,
        bytes: Vec<u8>,
    ) -> Result<(&'static str, Value), MatrixError> {
        if room.latest_encryption_state().await?.is_encrypted() {
            let file = self.client.upload_encrypted_file(&mut Cursor::new(bytes)).await?;
            let file = serde_json::to_value(file).map_err(|error| MatrixError::passing(one_line(&error)))?;
            return Ok(("file", file));
        }
        let kind = kind
            .parse()
            .map_err(|_| MatrixError::passing(format!("{kind} is no kind of file")))?;
        let uploaded = self.client.media().upload(&kind, bytes, None).await?;
        Ok(("url", json!(uploaded.content_uri)))
    }
}

/// Whether nobody but one person can hear what is said in a room. For what must stay secret, ask again more carefully.
pub fn is_alone_with_one(room: &Room) -> bool {
    room.active_members_count() == 2
}

/// The id of a room as the parlor knows it.
pub fn home(room: &RoomId) -> HomeRoom {
    HomeRoom::new(PLATFORM, room.as_str())
}

/// Somebody as the parlor knows them.
pub fn player(user: &UserId) -> PlayerId {
    PlayerId::new(PLATFORM, user.as_str())
}

fn put_words(content: &mut Value, written: &MatrixText) {
    let fits = written.plain.len() + written.html.len() <= MOST_BYTES;
    content["body"] = json!(if fits { &written.plain } else { cut(&written.plain) });
    if fits && !written.html.is_empty() {
        content["format"] = json!("org.matrix.custom.html");
        content["formatted_body"] = json!(written.html);
    }
    // Always there, so that nobody is notified because of a word in the text.
    content["m.mentions"] = if written.mentions.is_empty() {
        json!({})
    } else {
        json!({ "user_ids": written.mentions })
    };
}

fn put_match(content: &mut Value, code: Option<&Code>) {
    if let Some(code) = code {
        content[MATCH] = json!(code);
    }
}

fn cut(text: &str) -> &str {
    let end = (0..=MOST_BYTES.min(text.len())).rfind(|&at| text.is_char_boundary(at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

fn put_relation(content: &mut Value, place: &ReplyPosition) {
    if let Some(edited) = &place.edits {
        content["m.new_content"] = content.clone();
        content["m.relates_to"] = json!({ "rel_type": "m.replace", "event_id": edited });
        return;
    }
    let mut relation = json!({});
    let mut answered = place.answers.as_ref();
    if let Some(ThreadPosition { root, after }) = &place.thread {
        relation["rel_type"] = json!("m.thread");
        relation["event_id"] = json!(root);
        relation["is_falling_back"] = json!(answered.is_none());
        answered = answered.or(after.as_ref());
    }
    if let Some(event) = answered {
        relation["m.in_reply_to"] = json!({ "event_id": event });
    }
    if relation != json!({}) {
        content["m.relates_to"] = relation;
    }
}

/// Says nothing that is secret: names of files are seen by more people than what is in them.
fn file_name(picture: &Picture) -> String {
    match &picture.of {
        Subject::Opening(game) | Subject::Rule { game, .. } | Subject::Showpiece { game, .. } => {
            format!("{game}.png")
        }
        Subject::Match { code, what, .. } => match what {
            PictureKind::Board => format!("{code}.png"),
            PictureKind::Hand => format!("{code}-hand.png"),
            PictureKind::Preview(_) => format!("{code}-preview.png"),
            PictureKind::Picking(_) => format!("{code}-move.png"),
            PictureKind::Turn { number, .. } => format!("{code}-turn-{number}.png"),
            PictureKind::Position { steps, .. } => format!("{code}-step-{steps}.png"),
            PictureKind::Graph => format!("{code}-review.png"),
            PictureKind::Replay { .. } => format!("{code}-replay.gif"),
        },
    }
}

/// Width and height, from the head of a file.
fn size(file: &[u8], format: ImageFormat) -> (u32, u32) {
    match format {
        ImageFormat::Png => {
            let number = |at: usize| file.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            let side = |at: usize| number(at).map_or(0, u32::from_be_bytes);
            (side(16), side(20))
        }
        ImageFormat::Gif => {
            let number = |at: usize| file.get(at..at + 2).and_then(|bytes| bytes.try_into().ok());
            let side = |at: usize| u32::from(number(at).map_or(0, u16::from_le_bytes));
            (side(6), side(8))
        }
    }
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::event_id;

    use super::*;

    fn relation(thread: Option<ThreadPosition>, answers: Option<&EventId>) -> Value {
        let mut content = json!({});
        let answers = answers.map(ToOwned::to_owned);
        let place = ReplyPosition {
            thread,
            answers,
            edits: None,
        };
        put_relation(&mut content, &place);
        content["m.relates_to"].take()
    }

    #[test]
    fn a_message_says_where_it_belongs() {
        let (root, last, asked) = (event_id!("$root"), event_id!("$last"), event_id!("$asked"));
        let thread = |after: Option<&EventId>| {
            Some(ThreadPosition {
                root: root.to_owned(),
                after: after.map(ToOwned::to_owned),
            })
        };
        assert_eq!(relation(None, None), Value::Null);
        let answer = json!({ "event_id": asked });
        assert_eq!(relation(None, Some(asked)), json!({ "m.in_reply_to": answer }));
        let mut expected = json!({ "rel_type": "m.thread", "event_id": root, "is_falling_back": true });
        assert_eq!(relation(thread(None), None), expected);
        expected["m.in_reply_to"] = json!({ "event_id": last });
        assert_eq!(relation(thread(Some(last)), None), expected);
        expected["m.in_reply_to"] = answer;
        expected["is_falling_back"] = json!(false);
        assert_eq!(relation(thread(Some(last)), Some(asked)), expected);
    }
}
