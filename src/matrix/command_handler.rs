//! Does what people ask for: tells what is meant for us from what is not, and lets the parlor answer.

use std::collections::HashMap;
use std::sync::Arc;

use matrix_sdk::Room;
use matrix_sdk::ruma::{EventId, OwnedRoomId, OwnedUserId, UserId};
use serde_json::Value;
use tokio::task::JoinSet;

use super::address::{Address, BotIdentity, MARK, Mentioned};
use super::answers::{AnswerQueues, EventGuard, PendingAnswer};
use super::direct::Direct;
use super::directory::MatrixDirectory;
use super::event::{EventKind, RoomEvent, TextMessage};
use super::keys::Keys;
use super::reactions;
use super::rooms::RoomKeeper;
use super::sender::{ReplyPosition, ThreadPosition, home, is_alone_with_one, player};
use super::storage::MatrixStore;
use super::thinking;
use crate::chat::command::{self, ReadError};
use crate::chat::parlor::{Input, Parlor, Request};
use crate::matches::code::Code;
use crate::matches::delivery::To;
use crate::matches::people::PlayerId;

/// Attends to what was heard, in one session.
pub struct CommandHandler {
    pub own: OwnedUserId,
    pub parlor: Arc<Parlor>,
    pub storage: MatrixStore,
    pub direct: Arc<Direct>,
    pub directory: Arc<MatrixDirectory>,
    pub rooms: RoomKeeper,
    pub answers: AnswerQueues,
    pub keys: Keys,
    /// What takes its time. It is cut off when the session is over.
    pub tasks: JoinSet<()>,
    /// How often in a row somebody has made no sense.
    pub puzzled: HashMap<(OwnedRoomId, OwnedUserId), u8>,
}

/// What somebody wants of us.
struct Addressed<'a> {
    line: String,
    /// Whom their client says they mention.
    called: &'a [OwnedUserId],
    /// Where it is answered.
    place: ReplyPosition,
}

/// How often in a row somebody who speaks to us alone is told that we don't understand. Two machines that talk to each
/// other would never end.
const MOST_PUZZLED: u8 = 3;

impl CommandHandler {
    /// Does what an event asks for. Whatever is not done when this returns keeps hold of `held`.
    pub async fn handle_event(&mut self, room: &Room, event: RoomEvent, held: &EventGuard) {
        let RoomEvent { id, sender, what, .. } = event;
        if let EventKind::Member {
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
            EventKind::TextMessage(said) => {
                self.keys.readable(room, &sender);
                if let Some(line) = self.line(room, &sender, &said).await {
                    let place = ReplyPosition {
                        thread: said.thread.map(|root| ThreadPosition {
                            root,
                            after: Some(id.clone()),
                        }),
                        // Alone with somebody, everything answers what they said last.
                        answers: (!is_alone_with_one(room)).then(|| id.clone()),
                    };
                    let called = &said.mentions;
                    let asked = Addressed { line, called, place };
                    self.obey(room, &sender, &id, asked, held).await;
                }
            }
            EventKind::Reaction { to, key } => {
                let offers = self.storage.offers(&to).unwrap_or_default();
                if let Some(command) = reactions::command(&offers, &key) {
                    let line = command.to_owned();
                    let place = ReplyPosition {
                        thread: self.thread_of(room, &line, &to),
                        answers: None,
                    };
                    let called = &[];
                    let asked = Addressed { line, called, place };
                    self.obey(room, &sender, &id, asked, held).await;
                }
            }
            EventKind::Tombstone => {
                let (rooms, room, held) = (self.rooms.clone(), room.clone(), held.clone());
                self.tasks.spawn(async move {
                    rooms.follow(&room).await;
                    drop(held);
                });
            }
            EventKind::Member { .. } | EventKind::Other => {}
        }
    }

    /// The thread of the match that a command of ours names.
    fn thread_of(&self, room: &Room, line: &str, to: &EventId) -> Option<ThreadPosition> {
        let (code, _) = command::read(line).ok()?.arguments.target?;
        let thread = self.storage.thread(room.room_id(), &code).ok()??;
        Some(ThreadPosition {
            root: thread.root,
            after: Some(to.to_owned()),
        })
    }

    /// Somebody comes or goes.
    async fn member(
        &mut self,
        room: &Room,
        who: &UserId,
        membership: &str,
        before: Option<&str>,
        held: &EventGuard,
    ) {
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
                self.tasks.spawn(async move {
                    rooms.leave_if_empty(&room).await;
                    drop(held);
                });
            }
            _ => {}
        }
    }

    /// What somebody wants of us, as a line for the parlor; nothing if they don't speak to us.
    async fn line(&self, room: &Room, sender: &UserId, said: &TextMessage) -> Option<String> {
        let member = room.get_member_no_sync(&self.own).await.ok().flatten();
        let own = BotIdentity {
            id: &self.own,
            name: member.as_ref().and_then(|member| member.display_name()),
            called: if said.mentions.contains(&self.own) {
                Mentioned::Yes
            } else {
                Mentioned::No
            },
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
            Err(ReadError::Unknown { .. } | ReadError::Argument { .. })
                if self.parlor.reads_as_move(who, Some(code), bare) =>
            {
                format!("move #{code} {bare}")
            }
            _ => line,
        }
    }

    /// The match in whose thread something is said, or whose board it answers.
    async fn match_about(&self, room: &Room, said: &TextMessage) -> Option<Code> {
        let known = |root: &EventId| self.storage.match_of(room.room_id(), root).ok().flatten();
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
        asked: Addressed<'_>,
        held: &EventGuard,
    ) {
        let Addressed { line, called, place } = asked;
        let origin = match self.storage.origin(room.room_id()) {
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
        let read = self
            .directory
            .look_up(&self.parlor, room, &origin, line.clone(), called)
            .await;
        let line = read.unwrap_or_else(|trouble| {
            tracing::warn!(%trouble, "people can't be looked up");
            line
        });
        let request = Request {
            who: player(sender),
            name: name.to_owned(),
            room: Some(origin),
            event: Some(event.to_string()),
            input: Input::Line(line),
        };
        // Heard before we died, and heard again: there is nothing to do, and by now it might not even make sense.
        if self.parlor.was_done(&request) {
            return;
        }
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
            let thinking = thinking::show(Arc::clone(&self.parlor), room.clone(), code.clone());
            self.tasks.spawn(thinking);
        }
        // Homeservers count messages, and this one would say what is being said anyway.
        if reply.told && !reply.secret {
            return;
        }
        self.answers.push(PendingAnswer {
            room: room.clone(),
            place,
            asker: sender.to_owned(),
            reply,
            key: format!("re-{event}"),
            held: held.clone(),
        });
    }
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
    fn answers_to_a_board_are_moves_or_talk() {
        for meant in ["F2-F5", "F2-F9 please", "board", "resign"] {
            assert!(is_meant(meant), "{meant}");
        }
        for talk in ["nice move!", "no way", "haha", "in 5 minutes", ""] {
            assert!(!is_meant(talk), "{talk}");
        }
    }
}
