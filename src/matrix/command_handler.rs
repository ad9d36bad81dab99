//! Does what people ask for: tells what is meant for us from what is not, and lets the parlor answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use matrix_sdk::Room;
use matrix_sdk::ruma::events::room::member::MembershipState;
use matrix_sdk::ruma::{EventId, OwnedEventId, OwnedRoomId, OwnedUserId, UserId};
use serde_json::Value;
use tokio::task::JoinSet;

use super::address::{Address, BotIdentity, Mentioned};
use super::answers::{AnswerForm, AnswerQueues, EventGuard, PendingAnswer};
use super::direct::Direct;
use super::directory::{RoomPeople, name_in};
use super::errors::MatrixError;
use super::event::{EventKind, RoomEvent, TextMessage, match_of, thread_root};
use super::homes::Homes;
use super::keys::Keys;
use super::reactions;
use super::recent::Recent;
use super::rooms::RoomKeeper;
use super::sender::{ReplyPosition, ThreadPosition, home, is_alone_with_one, player};
use super::storage::{MatrixStore, Showing};
use super::thinking;
use crate::chat::command::{Nobody, ReadError};
use crate::chat::grammar;
use crate::chat::message::Message;
use crate::chat::parlor::{Input, Parlor, Reply, Request};
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
    pub homes: Homes,
    pub answers: AnswerQueues,
    pub keys: Keys,
    /// What takes its time. It is cut off when the session is over.
    pub tasks: Tasks,
    /// What has come to nothing of late; nothing for what has been put right since. It is kept in memory only: what was refused
    /// before a restart is said anew.
    pub refused: Mutex<Recent<OwnedEventId, Option<RefusedMessage>>>,
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

/// A message that has come to nothing, and may be put right.
#[derive(Clone, Debug)]
pub struct RefusedMessage {
    sender: OwnedUserId,
    thread: Option<OwnedEventId>,
}

/// So many of them are remembered.
pub const MOST_REFUSED: usize = 1000;

/// What somebody says to us, read once.
struct Understood {
    input: Input,
    /// What we have to ask them first.
    which: Option<Message>,
    how: Spoken,
}

/// How somebody speaks to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spoken {
    /// By our name: they wait for an answer.
    ByName,
    /// In any other way, or to whoever hears it.
    Otherwise,
}

/// What somebody wants of us.
struct Addressed {
    input: Input,
    how: Spoken,
    /// The match that it is about.
    about: Option<Code>,
    /// Where it is answered.
    place: ReplyPosition,
}

/// What a request comes from.
#[derive(Clone, Copy)]
struct Said<'a> {
    /// The event that says it.
    event: &'a EventId,
    /// The message in which people see it, which can be put right; a reaction has none.
    shown: Option<&'a EventId>,
}

/// How often in a row somebody is told that we don't understand: whoever calls us by name more often than whoever talks on
/// in our presence. Two machines that talk to each other would never end.
const MOST_PUZZLED: u8 = 1;
const MOST_PUZZLED_BY_NAME: u8 = 5;

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
        // What we do in another client changes the room for us too.
        if what == EventKind::PowerLevels {
            let (homes, room) = (self.homes.clone(), room.clone());
            self.tasks
                .spawn_holding(held, async move { homes.rights_changed(&room).await });
            return;
        }
        if sender == self.own {
            return;
        }
        match what {
            EventKind::TextMessage(message) => {
                self.keys.readable(room, &sender);
                self.handle_text(room, &sender, &id, &id, message, held).await;
            }
            // What was refused may be put right, once.
            EventKind::Edit { of, mut now } => {
                if let Some(refused) = self.take_refused(&of, &sender) {
                    now.thread = now.thread.or(refused.thread);
                    self.handle_text(room, &sender, &id, &of, now, held).await;
                }
            }
            EventKind::Reaction { to, key } => {
                let offers = self.storage.offers(&to).unwrap_or_default();
                if let Some(command) = reactions::command(&offers, &key) {
                    let input = Input::line(command, &Nobody);
                    let place = ReplyPosition {
                        thread: self.thread_of(room, &input, &to),
                        ..ReplyPosition::default()
                    };
                    let addressed = Addressed {
                        input,
                        how: Spoken::Otherwise,
                        about: None,
                        place,
                    };
                    let from = Said {
                        event: &id,
                        shown: None,
                    };
                    self.handle_request(room, &sender, from, addressed, held).await;
                }
            }
            EventKind::Tombstone => {
                let (rooms, room) = (self.rooms.clone(), room.clone());
                self.tasks
                    .spawn_holding(held, async move { rooms.follow(&room).await });
            }
            EventKind::Member { .. } | EventKind::PowerLevels | EventKind::Other => {}
        }
    }

    /// Does what somebody says to us. `said` is the message that people see, `event` the one that says it last.
    async fn handle_text(
        &self,
        room: &Room,
        sender: &UserId,
        event: &EventId,
        said: &EventId,
        message: TextMessage,
        held: &EventGuard,
    ) {
        let about = self.match_about(room, &message).await;
        let understood = self.understand(room, sender, &message, about.as_ref()).await;
        let Some(Understood { input, which, how }) = understood else {
            return;
        };
        let place = ReplyPosition {
            thread: message.thread.map(|root| ThreadPosition {
                root,
                after: Some(said.to_owned()),
            }),
            // Alone with somebody, everything answers what they said last.
            answers: (!is_alone_with_one(room)).then(|| said.to_owned()),
            edits: None,
        };
        let from = Said {
            event,
            shown: Some(said),
        };
        if let Some(message) = which {
            self.note_refused(said, sender, &place);
            self.answers.push(PendingAnswer {
                room: room.clone(),
                place,
                asker: sender.to_owned(),
                asked: said.to_owned(),
                form: AnswerForm::Words(Box::new(Reply {
                    passing: true,
                    ..Reply::open(message)
                })),
                key: format!("re-{event}"),
                held: held.clone(),
            });
            return;
        }
        let addressed = Addressed {
            input,
            how,
            about,
            place,
        };
        self.handle_request(room, sender, from, addressed, held).await;
    }

    /// Notes that a message has come to nothing.
    fn note_refused(&self, said: &EventId, sender: &UserId, place: &ReplyPosition) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = place.thread.as_ref().map(|thread| thread.root.clone());
        let sender = sender.to_owned();
        refused.insert(said.to_owned(), Some(RefusedMessage { sender, thread }));
    }

    /// A message of this sender that has come to nothing, for the first time that it is asked for.
    fn take_refused(&self, said: &EventId, sender: &UserId) -> Option<RefusedMessage> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let known = refused.get(&said.to_owned())?.clone()?;
        if known.sender != sender {
            return None;
        }
        refused.insert(said.to_owned(), None);
        Some(known)
    }

    /// The thread of the match that a command of ours names.
    fn thread_of(&self, room: &Room, input: &Input, to: &EventId) -> Option<ThreadPosition> {
        let about = input.command()?.about()?;
        let thread = self.storage.thread(room.room_id(), &about.code).ok()??;
        if thread.showing == Showing::Timeline {
            return None;
        }
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
            MembershipState::Join if who == self.own => {
                let (homes, room) = (self.homes.clone(), room.clone());
                let sender = self.answers.message_sender();
                self.tasks.spawn_holding(held, async move {
                    tokio::join!(homes.greet(&room, &sender), homes.returned(room.room_id()));
                });
            }
            MembershipState::Join if before != Some(&MembershipState::Join) => {
                // What waits for them can be told now.
                self.parlor.service.reachable(&To::Player(player(who)));
                self.tasks.spawn_holding(held, self.answers.came(who));
            }
            MembershipState::Leave | MembershipState::Ban if who != self.own => {
                let was_invited = before == Some(&MembershipState::Invite);
                if let Err(error) = self.direct.left(room.room_id(), who, was_invited).await {
                    tracing::warn!(user = %who, %error, "matrix: could not store that a user left");
                }
                let (rooms, homes, room) = (self.rooms.clone(), self.homes.clone(), room.clone());
                let who = who.to_owned();
                self.tasks.spawn_holding(held, async move {
                    homes.left_by(&room, &who).await;
                    rooms.leave_if_empty(&room).await;
                });
            }
            _ => {}
        }
    }

    /// What somebody says to us; nothing if they don't speak to us.
    async fn understand(
        &self,
        room: &Room,
        sender: &UserId,
        message: &TextMessage,
        about: Option<&Code>,
    ) -> Option<Understood> {
        let member = room.get_member_no_sync(&self.own).await.ok().flatten();
        let own = BotIdentity {
            id: &self.own,
            name: member.as_ref().and_then(|member| member.display_name()),
            called: match &message.mentions {
                Some(mentions) if mentions.contains(&self.own) => Mentioned::Yes,
                Some(_) => Mentioned::No,
                None => Mentioned::Unsaid,
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
        let mentions = message.mentions.as_deref().unwrap_or_default();
        let people = self.people(room, line, mentions).await;
        let input = Input::line(line, &people);
        if let Some(command) = input.command()
            && let Err(error) = people.meet(&self.parlor, command).await
        {
            tracing::warn!(room = %room.room_id(), %error, "matrix: could not store the names of people");
        }
        let (for_us, how) = match address {
            Address::Named(_) => (true, Spoken::ByName),
            Address::Marked(_) => (alone || self.is_ours(room, &who, &input), Spoken::Otherwise),
            Address::Unmarked => {
                let for_us = alone
                    || self.parlor.reads_as_move(&who, about, &input)
                    || message.answers.is_some() && is_meant(&input, &message.words);
                (for_us, Spoken::Otherwise)
            }
        };
        let which = people.which(line, input.command());
        for_us.then_some(Understood { input, which, how })
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

    /// Whether a marked command is one of ours, or nearly: a command, a move, or the name of something in a game that
    /// somebody plays here. Other bots listen to the same mark.
    fn is_ours(&self, room: &Room, who: &PlayerId, input: &Input) -> bool {
        let names_something = || {
            let origin = self.storage.origin(room.room_id());
            origin.is_ok_and(|origin| self.parlor.names_something(who, &home(&origin), input))
        };
        match input.error() {
            Some(ReadError::Unknown { near: None, .. }) => {
                self.parlor.reads_as_move(who, None, input) || names_something()
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
        if json.get("sender").and_then(Value::as_str) != Some(self.own.as_str()) {
            return None;
        }
        match_of(&json).or_else(|| thread_root(&json).and_then(|root| known(&root)))
    }

    /// Lets the parlor do what somebody says, and has its answer said.
    async fn handle_request(
        &self,
        room: &Room,
        sender: &UserId,
        Said { event, shown }: Said<'_>,
        addressed: Addressed,
        held: &EventGuard,
    ) {
        let Addressed {
            input,
            how,
            about,
            place,
        } = addressed;
        let origin = match self.storage.origin(room.room_id()) {
            Ok(origin) => home(&origin),
            Err(error) => {
                tracing::error!(room = %room.room_id(), %error, "matrix: could not read the room's origin");
                return;
            }
        };
        let name = match self.name_of(room, sender).await {
            Ok(name) => name,
            Err(error) => {
                tracing::warn!(room = %room.room_id(), user = %sender, %error, "matrix: could not look up a user's name");
                sender.localpart().to_owned()
            }
        };
        let request = Request {
            who: player(sender),
            name,
            room: Some(origin),
            about: about.map(MatchRef::from),
            locale: None,
            event: Some(event.to_string()),
            gone: Vec::new(),
            input,
        };
        // Heard before we died, and heard again: there is nothing to do, and by now it might not even make sense.
        if self.parlor.was_done(&request) {
            return;
        }
        if self.is_puzzling(room, sender, how, &request) {
            return;
        }
        let reply = self.parlor.handle(&request).await;
        if reply.passing
            && let Some(said) = shown
        {
            self.note_refused(said, sender, &place);
        }
        if let Some(code) = &reply.thinking {
            let thinking = thinking::show(Arc::clone(&self.parlor), room.clone(), code.clone());
            self.tasks.spawn(thinking);
        }
        // What is for the asker alone is said to them, whatever the room is told.
        let told = reply.told && !reply.secret && !reply.goes_on;
        let form = if told && self.is_told_elsewhere(room, reply.changed.as_ref(), &place) {
            AnswerForm::Mark
        } else if told {
            // Homeservers count messages, and this one would say what is being said anyway.
            AnswerForm::Silence
        } else {
            AnswerForm::Words(Box::new(reply))
        };
        self.answers.push(PendingAnswer {
            room: room.clone(),
            place,
            asker: sender.to_owned(),
            asked: shown.unwrap_or(event).to_owned(),
            form,
            key: format!("re-{event}"),
            held: held.clone(),
        });
    }

    /// What somebody is called who speaks in a room.
    async fn name_of(&self, room: &Room, who: &UserId) -> Result<String, MatrixError> {
        let known = self.parlor.service.person(&player(who))?.name;
        name_in(room, who, &known).await
    }

    /// Whether what somebody does in a match is told in a thread in which they did not say it.
    fn is_told_elsewhere(&self, room: &Room, code: Option<&Code>, said: &ReplyPosition) -> bool {
        let told = code.and_then(|code| self.storage.thread(room.room_id(), code).ok().flatten());
        told.is_some_and(|told| {
            let root = said.thread.as_ref().map(|thread| &thread.root);
            told.showing == Showing::Thread && root != Some(&told.root)
        })
    }

    /// Whether somebody has made no sense so often in a row that we say nothing any more.
    fn is_puzzling(&self, room: &Room, sender: &UserId, how: Spoken, request: &Request) -> bool {
        let talk = self.parlor.is_talk(request);
        let mut puzzled = self.puzzled.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (room.room_id().to_owned(), sender.to_owned());
        if !talk {
            puzzled.remove(&key);
            return false;
        }
        let count = puzzled.entry(key).or_default();
        *count = count.saturating_add(1);
        *count
            > match how {
                Spoken::ByName => MOST_PUZZLED_BY_NAME,
                Spoken::Otherwise => MOST_PUZZLED,
            }
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
