//! Brings deliveries to Matrix.

use std::sync::Arc;

use matrix_sdk::Room;
use tokio::sync::watch;

use super::PLATFORM;
use super::direct::{Direct, DmReason, DmStatus};
use super::errors::MatrixError;
use super::homes::{Homes, is_in};
use super::reactions;
use super::sender::{
    CaptionStyle, MessageSender, OutgoingEvent, ReplyPosition, ThreadPosition, home, is_alone_with_one,
};
use super::storage::{HandMessage, LooseOffer, MatrixStore, ReactionOffer, Showing, Thread};
use super::thinking;
use super::written::user;
use crate::chat::link::{Connection, Sending};
use crate::chat::message::Message;
use crate::chat::outbox::{PostError, Posting, Postman};
use crate::chat::parlor::Parlor;
use crate::chat::{alone, notices};
use crate::game::Seat;
use crate::matches::code::Code;
use crate::matches::community::{Threads, TurnMessages};
use crate::matches::delivery::{Delivery, HomeNews, Notice, Sheet, Sound, To, Writing};
use crate::matches::people::PlayerId;

/// The postman of Matrix, who outlives sessions.
pub struct MatrixPostman {
    /// None while there is no session.
    pub(super) carrier: watch::Receiver<Option<Arc<SessionPostman>>>,
    pub(super) connection: Arc<Connection>,
}

/// Who brings deliveries in one session.
pub struct SessionPostman {
    pub(super) parlor: Arc<Parlor>,
    pub(super) message_sender: MessageSender,
    pub(super) storage: MatrixStore,
    pub(super) direct: Arc<Direct>,
    pub(super) homes: Homes,
    /// Whether we know which rooms we are in.
    pub(super) settled: watch::Receiver<bool>,
}

/// Where and how something is told.
struct Target {
    /// What was told of the match there so far.
    before: Option<Thread>,
    showing: Showing,
    messages: TurnMessages,
}

impl std::fmt::Debug for MatrixPostman {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MatrixPostman")
    }
}

impl Postman for MatrixPostman {
    fn platform(&self) -> &str {
        PLATFORM
    }

    fn skips_passed_turns(&self) -> bool {
        true
    }

    fn post<'a>(&'a self, delivery: &'a Delivery, mut message: Message) -> Posting<'a> {
        // The first choices of a turn are there to be pressed. Whoever types is told of `moves`, which lists them.
        message.menu.clear();
        Box::pin(async move {
            let carrier = self.carrier.borrow().clone();
            let carrier = carrier.filter(|carrier| *carrier.settled.borrow());
            let Some(carrier) = carrier else {
                return Err(PostError::Later {
                    why: "the homeserver has not been heard yet".to_owned(),
                    after: None,
                });
            };
            // Clients show an edited picture badly or not at all: a turn is told once, when it is over. Only whoever waits
            // for a bot is shown their own move meanwhile.
            match delivery.sheet {
                Some(Sheet::Turn {
                    writing: Writing::Closing,
                    ..
                }) => return Ok(()),
                Some(Sheet::Turn {
                    writing: Writing::Passing,
                    ..
                }) => match carrier.own_move(delivery, message).await {
                    Some(shown) => message = shown,
                    None => return Ok(()),
                },
                Some(
                    Sheet::Turn {
                        writing: Writing::Lasting,
                        ..
                    }
                    | Sheet::Hand { .. },
                )
                | None => {}
            }
            let posted = match &delivery.to {
                To::Room(room) => carrier.to_room(room.parts().1, delivery, message).await,
                To::Player(player) => carrier.to_player(player, delivery, message).await,
            };
            // Whoever has to come first, or has no room for us, says nothing about the homeserver.
            let away = matches!(posted, Err(MatrixError::Away { .. }));
            self.connection
                .note_sending(if away { Sending::Fails } else { Sending::Works });
            Ok(posted?)
        })
    }
}

impl SessionPostman {
    /// The move of somebody who is alone with a bot, if the bot thinks about its reply for longer than one waits without
    /// wondering. What comes next in this chat waits, so that the reply comes after it.
    async fn own_move(&self, delivery: &Delivery, message: Message) -> Option<Message> {
        let To::Room(room) = &delivery.to else {
            return None;
        };
        let shown = notices::at_once(delivery, message)?;
        if !is_alone_with_one(&self.homes.room(room.parts().1).ok()?) {
            return None;
        }
        let parlor = &self.parlor;
        let waits = || {
            let found = parlor.service.find(&delivery.code);
            found.is_ok_and(|found| found.version == delivery.version)
        };
        thinking::lasts(waits).await.then_some(shown)
    }

    async fn to_room(&self, id: &str, delivery: &Delivery, message: Message) -> Result<(), MatrixError> {
        let room = self.homes.room(id)?;
        let id = room.room_id();
        let before = self.storage.thread(id, &delivery.code)?;
        let rules = self.message_sender.rules_in(&room)?;
        let target = Target {
            showing: self.showing(&room, delivery, rules.threads, before.as_ref())?,
            before,
            messages: rules.turn,
        };
        let offers = reactions::offers(&message);
        let loose = is_loose(&delivery.notice, &message).then(|| message.clone());
        let told = self.tell(&room, target, delivery, message).await?;
        self.storage.keep_thread(id, &delivery.code, &told).await?;
        self.take_dead_offers_away(&room, delivery, loose.map(|message| (&told, message)))
            .await?;
        self.tell_apart(&room, delivery).await?;
        if offers.is_empty() {
            return Ok(());
        }
        self.storage.keep_offers(&told.last, &offers).await?;
        for (index, ReactionOffer { emoji, .. }) in offers.iter().enumerate() {
            let key = format!("{}-reaction-{index}", delivery.key);
            self.message_sender.react(&room, &told.last, emoji, &key).await?;
        }
        Ok(())
    }

    /// Writes messages anew that offer what can't be done any more, without the offer; and notes one that may come to that.
    async fn take_dead_offers_away(
        &self,
        room: &Room,
        delivery: &Delivery,
        new: Option<(&Thread, Message)>,
    ) -> Result<(), MatrixError> {
        let (id, code) = (room.room_id(), &delivery.code);
        let mut loose = self.storage.loose(id, code)?;
        // A delivery that is repeated has been noted already.
        loose.retain(|offer| new.as_ref().is_none_or(|(told, _)| told.last != offer.event));
        if loose.is_empty() && new.is_none() {
            return Ok(());
        }
        if ends_offers(&delivery.notice) {
            for LooseOffer { event, message } in std::mem::take(&mut loose) {
                let message = Message {
                    buttons: Vec::new(),
                    ping: Vec::new(),
                    ..message
                };
                let key = format!("dead-{event}");
                let place = ReplyPosition {
                    edits: Some(event),
                    ..ReplyPosition::default()
                };
                let outgoing = OutgoingEvent {
                    about: Some(code),
                    ..OutgoingEvent::apart(&message, &key)
                };
                // What was said stands, if it can't be written anew.
                if let Err(error) = self.message_sender.say(room, outgoing, &place).await {
                    tracing::debug!(room = %id, %error, "matrix: could not take an offer away");
                }
            }
        }
        loose.extend(new.map(|(told, message)| LooseOffer {
            event: told.last.clone(),
            message,
        }));
        Ok(self.storage.keep_loose(id, code, &loose).await?)
    }

    /// Tells players alone what they can't read here, since they are in no room of the match.
    async fn tell_apart(&self, room: &Room, delivery: &Delivery) -> Result<(), MatrixError> {
        let Ok(the_match) = self.parlor.service.find(&delivery.code) else {
            return Ok(());
        };
        // Where a match has several rooms, one speaks for all.
        let rooms = self.homes.rooms_of(&the_match);
        if rooms
            .first()
            .is_some_and(|first| first.room_id() != room.room_id())
        {
            return Ok(());
        }
        for player in self.homes.apart(&the_match).await? {
            let told = match &delivery.notice {
                Notice::HomeChanged {
                    news: HomeNews::Left(gone),
                    ..
                } => *gone == player,
                _ => false,
            };
            if !told {
                self.parlor.service.also_tell(delivery, &player).await?;
            }
        }
        Ok(())
    }

    /// Where a match is shown in a room. A call in a thread puts no sign on the room in many clients, so the timeline is the
    /// place, unless several matches would be told there at once. Alone with somebody there are no threads.
    fn showing(
        &self,
        room: &Room,
        delivery: &Delivery,
        chosen: Threads,
        before: Option<&Thread>,
    ) -> Result<Showing, MatrixError> {
        if is_alone_with_one(room) {
            return Ok(Showing::Timeline);
        }
        match (chosen, before) {
            (Threads::All, _) => return Ok(Showing::Thread),
            (Threads::None, _) => return Ok(Showing::Timeline),
            (Threads::ByGame, Some(before)) => return Ok(before.showing),
            (Threads::ByGame, None) => {}
        }
        let service = &self.parlor.service;
        let here = home(&self.storage.origin(room.room_id())?);
        let others = service.repository().alive_in(&here)?.into_iter();
        let runs = |code: &Code| service.find(code).is_ok_and(|found| found.running().is_some());
        let several = others
            .filter(|code| *code != delivery.code)
            .any(|code| runs(&code));
        Ok(if several {
            Showing::Thread
        } else {
            Showing::Timeline
        })
    }

    /// Tells something, with a call under the picture or after it; what was told last.
    async fn tell(
        &self,
        room: &Room,
        target: Target,
        delivery: &Delivery,
        mut message: Message,
    ) -> Result<Thread, MatrixError> {
        message.ping = here(room, std::mem::take(&mut message.ping)).await?;
        let short = notices::in_short(delivery, &message).filter(|_| message.picture.is_some());
        let mut call = None;
        if let Some(short) = short {
            let ended = matches!(delivery.notice, Notice::Ended { .. });
            match target.messages {
                // The code of the match, and who is called, come first.
                TurnMessages::One if matches!(delivery.notice, Notice::Moved { .. }) => {
                    message.text = short.text;
                }
                TurnMessages::One => {}
                TurnMessages::Two if ended || !message.ping.is_empty() => {
                    // What can be done next is said once, where everybody sees it.
                    message.buttons.clear();
                    call = Some(Message {
                        ping: std::mem::take(&mut message.ping),
                        ..short
                    });
                }
                TurnMessages::Two => {}
            }
        }
        let in_thread = target.showing == Showing::Thread;
        let mut place = ReplyPosition {
            thread: target.before.clone().filter(|_| in_thread).map(after),
            ..ReplyPosition::default()
        };
        let outgoing = OutgoingEvent {
            message: &message,
            telling: CaptionStyle::Caption,
            key: &delivery.key,
            about: Some(&delivery.code),
        };
        let mut last = self.message_sender.say(room, outgoing, &place).await?;
        let root = target.before.map_or_else(|| last.clone(), |thread| thread.root);
        if let Some(call) = &call {
            if in_thread {
                place.thread = Some(ThreadPosition {
                    root: root.clone(),
                    after: None,
                });
            }
            let key = format!("{}-call", delivery.key);
            let outgoing = OutgoingEvent {
                about: Some(&delivery.code),
                ..OutgoingEvent::apart(call, &key)
            };
            last = self.message_sender.say(room, outgoing, &place).await?;
        }
        Ok(Thread {
            root,
            last,
            showing: target.showing,
        })
    }

    async fn to_player(
        &self,
        player: &PlayerId,
        delivery: &Delivery,
        message: Message,
    ) -> Result<(), MatrixError> {
        let Some(user) = user(player) else {
            let why = format!("{player} isn't on Matrix");
            return Err(MatrixError::Refused { why });
        };
        let why = match self.direct.reach(&user, DmReason::Ours).await? {
            DmStatus::There(room) => {
                return match delivery.sheet {
                    Some(Sheet::Hand { seat }) => self.tell_hand(&room, seat, delivery, message).await,
                    Some(Sheet::Turn { .. }) | None => {
                        // Whoever is in no room of the match is called by a text, which rings and is read everywhere.
                        let target = Target {
                            before: None,
                            showing: Showing::Timeline,
                            messages: TurnMessages::Two,
                        };
                        self.tell(&room, target, delivery, message).await?;
                        Ok(())
                    }
                };
            }
            DmStatus::Invited(_) => "they haven't accepted our invitation yet",
            DmStatus::Declined => "they declined a private chat with the bot",
        };
        // Boards that are told in private are for those whom no room reaches.
        if !matches!(delivery.sheet, Some(Sheet::Turn { .. })) {
            self.tell_rooms(player, delivery).await?;
        }
        // The listener says when they have come.
        Err(MatrixError::passing(why.to_owned()))
    }

    /// A hand is one message a match. An edit makes no sound; if it is to be heard, it is a new message.
    async fn tell_hand(
        &self,
        room: &Room,
        seat: Seat,
        delivery: &Delivery,
        message: Message,
    ) -> Result<(), MatrixError> {
        let hand = HandMessage {
            room: room.room_id(),
            code: &delivery.code,
            seat,
        };
        let old = self.storage.hand(&hand)?;
        let place = ReplyPosition {
            edits: old.clone().filter(|_| message.sound == Sound::Silent),
            ..ReplyPosition::default()
        };
        let edited = place.edits.is_some();
        let outgoing = OutgoingEvent {
            message: &message,
            telling: CaptionStyle::Caption,
            key: &delivery.key,
            about: Some(&delivery.code),
        };
        let event = self.message_sender.say(room, outgoing, &place).await?;
        if !edited {
            self.storage.keep_hand(&hand, &event).await?;
            // What was repeated after a crash is the hand that was kept.
            if let Some(old) = old.filter(|old| *old != event) {
                self.message_sender.take_away(room, &old).await;
            }
        }
        Ok(())
    }

    /// Tells the rooms of a match, once, that something waits for one of its players.
    async fn tell_rooms(&self, player: &PlayerId, delivery: &Delivery) -> Result<(), MatrixError> {
        let key = format!("waits-{}-{player}", delivery.code);
        if self.storage.was_told(&key)? {
            return Ok(());
        }
        let Ok(the_match) = self.parlor.service.find(&delivery.code) else {
            return Ok(());
        };
        let mut message = alone::hand_waits(player, &delivery.code);
        message.ping.retain(|player| self.parlor.may_ring(player));
        for (index, home) in the_match.rooms.iter().enumerate() {
            if home.platform() != PLATFORM {
                continue;
            }
            let Ok(room) = self.homes.room(home.parts().1) else {
                continue;
            };
            let thread = self.storage.thread(room.room_id(), &delivery.code)?;
            let thread = thread.filter(|thread| thread.showing == Showing::Thread);
            let place = ReplyPosition {
                thread: thread.map(after),
                ..ReplyPosition::default()
            };
            let key = format!("{key}-{index}");
            let outgoing = OutgoingEvent::apart(&message, &key);
            match self.message_sender.say(&room, outgoing, &place).await {
                Ok(_) | Err(MatrixError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.storage.keep_told(&key).await?;
        Ok(())
    }
}

/// Whether a message offers something that may become impossible. One with a picture stays as it is: clients show an edited
/// picture badly or not at all.
fn is_loose(notice: &Notice, message: &Message) -> bool {
    let offers = matches!(notice, Notice::Gathering { .. } | Notice::Proposed { .. });
    offers && message.picture.is_none() && !message.buttons.is_empty()
}

/// Whether what was offered before is offered no longer.
const fn ends_offers(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::Gathering { .. }
            | Notice::CalledOff(_)
            | Notice::Started { .. }
            | Notice::Moved { .. }
            | Notice::Settled { .. }
            | Notice::Ended { .. }
    )
}

/// Those of whom we know that they are in a room. Players of other rooms and platforms are called there.
async fn here(room: &Room, players: Vec<PlayerId>) -> Result<Vec<PlayerId>, MatrixError> {
    let mut here = Vec::new();
    for player in players {
        if let Some(user) = user(&player)
            && !here.contains(&player)
            && is_in(room, &user).await?
        {
            here.push(player);
        }
    }
    Ok(here)
}

/// Where a thread goes on.
fn after(thread: Thread) -> ThreadPosition {
    ThreadPosition {
        root: thread.root,
        after: Some(thread.last),
    }
}
