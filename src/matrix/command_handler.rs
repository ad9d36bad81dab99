//! Does what people ask for: tells what is meant for us from what is not, and lets the parlor answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use matrix_sdk::Room;
use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{EventId, OwnedRoomId, OwnedUserId, UserId};
use serde_json::Value;
use tokio::task::JoinSet;

use super::address::{Address, BotIdentity, Mentioned};
use super::answers::{AnswerQueues, EventGuard, PendingAnswer};
use super::direct::Direct;
use super::directory::RoomPeople;
use super::event::{EventKind, RoomEvent, TextMessage, thread_root};
use super::keys::Keys;
use super::reactions;
use super::rooms::RoomKeeper;
use super::sender::{ReplyPosition, ThreadPosition, home, is_alone_with_one, player};
use super::storage::MatrixStore;
use super::thinking;
use crate::chat::command::{Nobody, ReadError};
use crate::chat::grammar;
use crate::chat::parlor::{Input, Parlor, Request};
use crate::matches::code::Code;
use crate::matches::delivery::To;
use crate::matches::people::PlayerId;
use crate::matches::service::MatchRef;

/// Does what events ask for, in one session. Rooms call it at the same time, each for its own events in order.
pub struct CommandHandler {
    pub own: OwnedUserId,
    pub parlor: Arc<Parlor>,
    pub storage: MatrixStore,
    pub direct: Arc<Direct>,
    pub rooms: RoomKeeper,
    pub answers: AnswerQueues,
    pub keys: Keys,
    /// What takes its time. It is cut off when the session is over.
    pub tasks: Tasks,
    /// How often in a row somebody has made no sense.
    pub puzzled: Mutex<HashMap<(OwnedRoomId, OwnedUserId), u8>>,
}

/// Work beside the queues of the rooms. It is cut off when this is dropped.
#[derive(Debug, Default)]
pub struct Tasks(Mutex<JoinSet<()>>);

impl Tasks {
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What has been done is not kept for ever.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// The same, for what has to be done before an event is done with.
    pub fn spawn_holding(&self, held: &EventGuard, task: impl Future<Output = ()> + Send + 'static) {
        let held = held.clone();
        self.spawn(async move {
            task.await;
            drop(held);
        });
    }
}

/// What somebody wants of us.
struct Addressed {
    input: Input,
    /// The match that it is about.
    about: Option<Code>,
    /// Where it is answered.
    place: ReplyPosition,
}

/// How often in a row somebody who speaks to us alone is told that we don't understand. Two machines that talk to each
/// other would never end.
const MOST_PUZZLED: u8 = 3;

impl CommandHandler {
    /// Does what an event asks for. Whatever is not done when this returns keeps hold of `held`.
    pub async fn handle_event(&self, room: &Room, event: RoomEvent, held: &EventGuard) {
        let RoomEvent { id, sender, what, .. } = event;
        if let EventKind::Member {
            who,
            membership,
            before,
        } = &what
        {
            self.member(room, who, membership, before.as_ref(), held).await;
            return;
        }
        if sender == self.own {
            return;
        }
        match what {
            EventKind::TextMessage(message) => {
                self.keys.readable(room, &sender);
                let about = self.match_about(room, &message).await;
                if let Some(input) = self.input(room, &sender, &message, about.as_ref()).await {
                    let place = ReplyPosition {
                        thread: message.thread.map(|root| ThreadPosition {
                            root,
                            after: Some(id.clone()),
                        }),
                        // Alone with somebody, everything answers what they said last.
                        answers: (!is_alone_with_one(room)).then(|| id.clone()),
                    };
                    let addressed = Addressed { input, about, place };
                    self.handle_request(room, &sender, &id, addressed, held).await;
                }
            }
            EventKind::Reaction { to, key } => {
                let offers = self.storage.offers(&to).unwrap_or_default();
                if let Some(command) = reactions::command(&offers, &key) {
                    let input = Input::line(command, &Nobody);
                    let place = ReplyPosition {
                        thread: self.thread_of(room, &input, &to),
                        answers: None,
                    };
                    let addressed = Addressed {
                        input,
                        about: None,
                        place,
                    };
                    self.handle_request(room, &sender, &id, addressed, held).await;
                }
            }
            EventKind::Tombstone => {
                let (rooms, room) = (self.rooms.clone(), room.clone());
                self.tasks
                    .spawn_holding(held, async move { rooms.follow(&room).await });
            }
            EventKind::Member { .. } | EventKind::Other => {}
        }
    }

    /// The thread of the match that a command of ours names.
    fn thread_of(&self, room: &Room, input: &Input, to: &EventId) -> Option<ThreadPosition> {
        let about = input.command()?.about()?;
        let thread = self.storage.thread(room.room_id(), &about.code).ok()??;
        Some(ThreadPosition {
            root: thread.root,
            after: Some(to.to_owned()),
        })
    }

    /// Somebody comes or goes.
    async fn member(
        &self,
        room: &Room,
        who: &UserId,
        membership: &MembershipState,
        before: Option<&MembershipState>,
        held: &EventGuard,
    ) {
        match membership {
            MembershipState::Join if before != Some(&MembershipState::Join) => {
                // What waits for them can be told now.
                self.parlor.service.reachable(&To::Player(player(who)));
            }
            MembershipState::Leave | MembershipState::Ban if who != self.own => {
                let was_invited = before == Some(&MembershipState::Invite);
                if let Err(error) = self.direct.left(room.room_id(), who, was_invited).await {
                    tracing::warn!(user = %who, %error, "matrix: could not store that a user left");
                }
                let (rooms, room) = (self.rooms.clone(), room.clone());
                self.tasks
                    .spawn_holding(held, async move { rooms.leave_if_empty(&room).await });
            }
            _ => {}
        }
    }

    /// What somebody wants of us, read once; nothing if they don't speak to us.
    async fn input(
        &self,
        room: &Room,
        sender: &UserId,
        message: &TextMessage,
        about: Option<&Code>,
    ) -> Option<Input> {
        let member = room.get_member_no_sync(&self.own).await.ok().flatten();
        let own = BotIdentity {
            id: &self.own,
            name: member.as_ref().and_then(|member| member.display_name()),
            called: if message.mentions.contains(&self.own) {
                Mentioned::Yes
            } else {
                Mentioned::No
            },
        };
        let who = player(sender);
        let alone = is_alone_with_one(room);
        let address = own.address(&message.words);
        let line = match &address {
            Address::Named(line) | Address::Marked(line) => line,
            // What is said to others is not read at all.
            Address::Unmarked if alone || about.is_some() => &message.words,
            Address::Unmarked => return None,
        };
        let people = self.people(room, line, &message.mentions).await;
        let input = Input::line(line, &people);
        if let Some(command) = input.command()
            && let Err(error) = people.meet(&self.parlor, command).await
        {
            tracing::warn!(room = %room.room_id(), %error, "matrix: could not store the names of people");
        }
        let for_us = match address {
            Address::Named(_) => true,
            Address::Marked(_) => alone || self.is_ours(&who, &input),
            Address::Unmarked => {
                alone
                    || self.parlor.reads_as_move(&who, about, input.bare_line())
                    || message.answers.is_some() && is_meant(&input, &message.words)
            }
        };
        for_us.then_some(input)
    }

    /// The people whom a line may name; nobody, unless it begins with a command that names people.
    async fn people(&self, room: &Room, line: &str, called: &[OwnedUserId]) -> RoomPeople {
        if !grammar::names_players(line) {
            return RoomPeople::default();
        }
        RoomPeople::of(room, called).await.unwrap_or_else(|error| {
            tracing::warn!(room = %room.room_id(), %error, "matrix: could not look up the people of a room");
            RoomPeople::default()
        })
    }

    /// Whether a marked command is one of ours, or nearly. Other bots listen to the same mark.
    fn is_ours(&self, who: &PlayerId, input: &Input) -> bool {
        match input.error() {
            Some(ReadError::Unknown { near: None, .. }) => {
                self.parlor.reads_as_move(who, None, input.bare_line())
            }
            _ => true,
        }
    }

    /// The match in whose thread something is said, or whose board it answers.
    async fn match_about(&self, room: &Room, message: &TextMessage) -> Option<Code> {
        let known = |root: &EventId| self.storage.match_of(room.room_id(), root).ok().flatten();
        if let Some(code) = message.thread.as_deref().and_then(known) {
            return Some(code);
        }
        let answered = message.answers.as_deref()?;
        if let Some(code) = known(answered) {
            return Some(code);
        }
        let event = room.event(answered, None).await.ok()?;
        let json: Value = event.raw().deserialize_as_unchecked().ok()?;
        let ours = json.get("sender").and_then(Value::as_str) == Some(self.own.as_str());
        thread_root(&json).filter(|_| ours).and_then(|root| known(&root))
    }

    /// Lets the parlor do what somebody says, and has its answer said.
    async fn handle_request(
        &self,
        room: &Room,
        sender: &UserId,
        event: &EventId,
        addressed: Addressed,
        held: &EventGuard,
    ) {
        let Addressed { input, about, place } = addressed;
        let origin = match self.storage.origin(room.room_id()) {
            Ok(origin) => home(&origin),
            Err(error) => {
                tracing::error!(room = %room.room_id(), %error, "matrix: could not read the room's origin");
                return;
            }
        };
        let member = room.get_member_no_sync(sender).await.ok().flatten();
        let name = member
            .as_ref()
            .map_or_else(|| sender.localpart(), |member| member.name());
        let request = Request {
            who: player(sender),
            name: name.to_owned(),
            room: Some(origin),
            about: about.map(MatchRef::from),
            locale: None,
            event: Some(event.to_string()),
            input,
        };
        // Heard before we died, and heard again: there is nothing to do, and by now it might not even make sense.
        if self.parlor.was_done(&request) {
            return;
        }
        if self.is_puzzling(room, sender, &request) {
            return;
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

    /// Whether somebody has made no sense so often in a row that we say nothing any more.
    fn is_puzzling(&self, room: &Room, sender: &UserId, request: &Request) -> bool {
        let talk = self.parlor.is_talk(request);
        let mut puzzled = self.puzzled.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (room.room_id().to_owned(), sender.to_owned());
        if !talk {
            puzzled.remove(&key);
            return false;
        }
        let count = puzzled.entry(key).or_default();
        *count = count.saturating_add(1);
        *count > MOST_PUZZLED
    }
}

/// Whether an answer to a board was meant for the board: a command, or something like a place on it.
fn is_meant(input: &Input, words: &str) -> bool {
    let like_a_place = |word: &str| {
        word.contains(|letter: char| letter.is_ascii_digit())
            && word.contains(|letter: char| letter.is_alphabetic())
    };
    input.command().is_some() || words.split_whitespace().next().is_some_and(like_a_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_to_a_board_are_moves_or_talk() {
        for meant in ["F2-F5", "F2-F9 please", "board", "resign"] {
            assert!(is_meant(&Input::line(meant, &Nobody), meant), "{meant}");
        }
        for talk in ["nice move!", "no way", "haha", "in 5 minutes", ""] {
            assert!(!is_meant(&Input::line(talk, &Nobody), talk), "{talk}");
        }
    }
}
