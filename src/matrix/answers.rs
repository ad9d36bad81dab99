//! Answers to commands, in order for each room, until they are said.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{OwnedEventId, OwnedUserId, UserId};
use tokio::sync::{Mutex, mpsc, watch};

use super::direct::{Direct, DmReason, DmStatus};
use super::errors::{MatrixError, backoff};
use super::room_queues::RoomQueues;
use super::sender::{MessageSender, OutgoingEvent, ReplyPosition, is_alone_with_one};
use super::spent_answers::{SaidAnswer, SpentAnswers};
use super::storage::{MatrixStore, WaitingAnswer};
use crate::chat::alone;
use crate::chat::message::Message;
use crate::chat::parlor::{Lifetime, Reply};

/// Held while something that was heard is not done with. When nobody holds it any more, it need not be heard again.
pub type EventGuard = mpsc::Sender<()>;

/// An answer on its way.
pub struct PendingAnswer {
    pub room: Room,
    pub place: ReplyPosition,
    pub asker: OwnedUserId,
    /// The message in which they asked.
    pub asked: OwnedEventId,
    pub form: AnswerForm,
    /// The same whenever the same command is answered.
    pub key: String,
    pub held: EventGuard,
}

/// How a command is answered.
#[derive(Clone, Debug)]
pub enum AnswerForm {
    Words(Box<Reply>),
    /// By a mark on the message in which it was asked: more is said elsewhere.
    Mark,
    /// Not at all: where it was asked, all are told the same.
    Silence,
}

/// What marks a command as done where nothing is said about it.
const DONE: &str = "✅";

/// Says the answers. When it goes, what is not said yet is left unsaid.
pub struct AnswerQueues {
    speaker: Arc<Speaker>,
    queues: RoomQueues<PendingAnswer>,
}

impl AnswerQueues {
    pub fn new(message_sender: MessageSender, direct: Arc<Direct>, storage: MatrixStore) -> Self {
        Self {
            speaker: Arc::new(Speaker {
                message_sender,
                direct,
                storage,
                keeping: Mutex::default(),
                past: SpentAnswers::default(),
                returns: watch::Sender::new(0),
            }),
            queues: RoomQueues::default(),
        }
    }

    /// The homeserver is back: what could not be said is tried again at once.
    pub fn wake(&self) {
        self.speaker.returns.send_modify(|returns| *returns += 1);
    }

    pub fn message_sender(&self) -> MessageSender {
        self.speaker.message_sender.clone()
    }

    /// Says what waited for somebody who has come into a room.
    pub fn came(&self, user: &UserId) -> impl Future<Output = ()> + Send + 'static {
        let (speaker, user) = (Arc::clone(&self.speaker), user.to_owned());
        async move { speaker.say_waiting(&user).await }
    }

    /// Puts an answer at the end of its room's queue.
    pub fn push(&self, answer: PendingAnswer) {
        let id = answer.room.room_id().to_owned();
        self.queues.push(id, answer, || {
            let speaker = Arc::clone(&self.speaker);
            move |answer: PendingAnswer| {
                let speaker = Arc::clone(&speaker);
                async move {
                    speaker.answer(&answer).await;
                    drop(answer.held);
                }
            }
        });
    }
}

/// Waits for so long, or until the homeserver comes back; whether it has.
async fn pause_until(returns: &mut watch::Receiver<u64>, length: Duration) -> bool {
    match tokio::time::timeout(length, returns.changed()).await {
        Ok(Ok(())) => true,
        // Nobody can tell any more: the session is over.
        Ok(Err(_)) => {
            tokio::time::sleep(length).await;
            false
        }
        Err(_) => false,
    }
}

struct Speaker {
    message_sender: MessageSender,
    direct: Arc<Direct>,
    storage: MatrixStore,
    /// Held while what waits for somebody is changed.
    keeping: Mutex<()>,
    past: SpentAnswers,
    /// How often the homeserver has come back.
    returns: watch::Sender<u64>,
}

/// So many answers wait for somebody to accept an invitation; what was asked for first goes first.
const MOST_WAITING: usize = 5;

/// Whether somebody for whom an answer is kept has been told that something waits for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knows {
    Already,
    NotYet,
}

impl Speaker {
    async fn keep_until_they_come(
        &self,
        asker: &UserId,
        message: &Message,
        key: &str,
    ) -> Result<Knows, MatrixError> {
        let _keeping = self.keeping.lock().await;
        let mut answers = self.storage.waiting(asker)?;
        let knows = if answers.iter().all(|answer| answer.key == key) {
            Knows::NotYet
        } else {
            Knows::Already
        };
        if answers.iter().any(|answer| answer.key == key) {
            return Ok(knows);
        }
        let (message, key) = (message.clone(), key.to_owned());
        answers.push(WaitingAnswer { message, key });
        if answers.len() > MOST_WAITING {
            answers.remove(0);
        }
        self.storage.keep_waiting(asker, &answers).await?;
        Ok(knows)
    }

    /// Says what waited for somebody who has come. What was said and not noted down is known by its key.
    async fn say_waiting(&self, user: &UserId) {
        if let Err(error) = self.try_say_waiting(user).await {
            tracing::warn!(%user, %error, "matrix: could not send an answer that waited for the user");
        }
    }

    async fn try_say_waiting(&self, user: &UserId) -> Result<(), MatrixError> {
        let _keeping = self.keeping.lock().await;
        let answers = self.storage.waiting(user)?;
        if answers.is_empty() {
            return Ok(());
        }
        match self.direct.reach(user, DmReason::Theirs).await? {
            DmStatus::There(alone) => {
                for WaitingAnswer { message, key } in &answers {
                    self.say_in(&alone, message, key, &Lifetime::Lasting).await?;
                }
            }
            DmStatus::Invited(_) => return Ok(()),
            DmStatus::Declined => {}
        }
        Ok(self.storage.keep_waiting(user, &[]).await?)
    }

    async fn answer(&self, answer: &PendingAnswer) {
        let room = answer.room.room_id();
        let mut pauses = backoff();
        let mut returns = self.returns.subscribe();
        loop {
            // A return while it is tried counts too.
            returns.mark_unchanged();
            match self.try_answer(answer).await {
                Ok(given) => return self.take_past_back(&answer.asker, given).await,
                Err(error @ (MatrixError::Passing { .. } | MatrixError::Away { .. })) => {
                    tracing::info!(%room, %error, "matrix: could not send the answer; trying again");
                    match error.after() {
                        // Whoever says how long is there, and must not be asked sooner.
                        Some(after) => tokio::time::sleep(after).await,
                        None if pause_until(&mut returns, pauses.pause()).await => pauses.reset(),
                        None => {}
                    }
                }
                Err(MatrixError::Refused { why: error }) => {
                    tracing::warn!(%room, %error, "matrix: could not send the answer");
                    return;
                }
                // What was heard is heard again in the next session.
                Err(MatrixError::LoggedOut) => std::future::pending().await,
            }
        }
    }

    /// Takes back what somebody was answered before and has nothing more to say, and notes what they have been answered now.
    async fn take_past_back(&self, asker: &OwnedUserId, given: Vec<SaidAnswer>) {
        let sender = &self.message_sender;
        let past = self
            .past
            .note(asker, given, |lifetime| sender.parlor.is_past(lifetime));
        for answer in past {
            let taken = sender.take_back(&answer.room, &answer.key).await;
            if let Err(error) = taken {
                tracing::debug!(room = %answer.room, %error, "matrix: could not take an answer back");
                // What the homeserver won't let go stays.
                if !matches!(error, MatrixError::Refused { .. }) {
                    self.past.keep(asker, answer);
                }
            }
        }
    }

    /// Answers; what has been said by that.
    async fn try_answer(&self, answer: &PendingAnswer) -> Result<Vec<SaidAnswer>, MatrixError> {
        let (asker, key) = (&answer.asker, &answer.key);
        let reply = match &answer.form {
            AnswerForm::Words(reply) => reply,
            AnswerForm::Mark => return self.mark(answer).await,
            AnswerForm::Silence => return Ok(Vec::new()),
        };
        // A move that is being picked, and half a turn, are for their maker alone; others are told what comes of it.
        let apart = reply.goes_on || reply.message.is_picking();
        let told_here = !reply.secret && (!apart || is_alone_with_one(&answer.room));
        if told_here || self.direct.is_private(&answer.room, asker).await? {
            return match self.say(answer, &reply.message, key).await {
                Err(MatrixError::Refused { why }) => self.say_elsewhere(answer, &why).await,
                outcome => outcome,
            };
        }
        // Whoever only plays on has not asked for a private chat.
        let reason = if reply.goes_on {
            DmReason::Ours
        } else {
            DmReason::Theirs
        };
        let mut given = Vec::new();
        let (message, outcome) = match self.direct.reach(asker, reason).await? {
            DmStatus::There(alone) => {
                given = self
                    .say_in(&alone, &reply.message, key, &reply.lifetime())
                    .await?;
                if reply.goes_on {
                    self.mark(answer).await?;
                    return Ok(given);
                }
                (alone::sent_alone(), "said")
            }
            // What others may read need not wait for an invitation to be accepted. A picture a step would be noise to them.
            DmStatus::Invited(_) | DmStatus::Declined if !reply.secret => {
                let words = Message {
                    picture: None,
                    ..reply.message.clone()
                };
                return self.say(answer, &words, key).await;
            }
            DmStatus::Invited(_) if reply.holds_key => (alone::invited_to_ask(), "invited"),
            DmStatus::Invited(_) => {
                let knows = self.keep_until_they_come(asker, &reply.message, key).await?;
                if reply.goes_on && knows == Knows::Already {
                    return self.mark(answer).await;
                }
                (alone::invited_alone(), "invited")
            }
            DmStatus::Declined => (alone::not_let_in(), "declined"),
        };
        given.extend(self.say(answer, &message, &format!("{key}-{outcome}")).await?);
        Ok(given)
    }

    async fn mark(&self, answer: &PendingAnswer) -> Result<Vec<SaidAnswer>, MatrixError> {
        let key = format!("did-{}", answer.asked);
        self.message_sender
            .react(&answer.room, &answer.asked, DONE, &key)
            .await?;
        Ok(Vec::new())
    }

    /// Where we may not speak, whoever asks is answered alone.
    async fn say_elsewhere(&self, answer: &PendingAnswer, why: &str) -> Result<Vec<SaidAnswer>, MatrixError> {
        let refused = || MatrixError::Refused { why: why.to_owned() };
        let AnswerForm::Words(reply) = &answer.form else {
            return Err(refused());
        };
        let alone = match self.direct.reach(&answer.asker, DmReason::Ours).await? {
            DmStatus::There(room) | DmStatus::Invited(room) => room,
            DmStatus::Declined => return Err(refused()),
        };
        if alone.room_id() == answer.room.room_id() {
            return Err(refused());
        }
        let message = alone::said_here_instead(reply.message.clone());
        let key = format!("{}-elsewhere", answer.key);
        self.say_in(&alone, &message, &key, &reply.lifetime()).await
    }

    async fn say_in(
        &self,
        room: &Room,
        message: &Message,
        key: &str,
        lifetime: &Lifetime,
    ) -> Result<Vec<SaidAnswer>, MatrixError> {
        let place = ReplyPosition::default();
        self.say_at(room, message, key, &place, lifetime).await
    }

    async fn say(
        &self,
        answer: &PendingAnswer,
        message: &Message,
        key: &str,
    ) -> Result<Vec<SaidAnswer>, MatrixError> {
        let lifetime = match &answer.form {
            AnswerForm::Words(reply) => reply.lifetime(),
            AnswerForm::Mark | AnswerForm::Silence => Lifetime::Lasting,
        };
        self.say_at(&answer.room, message, key, &answer.place, &lifetime)
            .await
    }

    async fn say_at(
        &self,
        room: &Room,
        message: &Message,
        key: &str,
        place: &ReplyPosition,
        lifetime: &Lifetime,
    ) -> Result<Vec<SaidAnswer>, MatrixError> {
        let outgoing = OutgoingEvent::apart(message, key);
        self.message_sender.say(room, outgoing, place).await?;
        Ok(vec![SaidAnswer {
            room: room.room_id().to_owned(),
            key: key.to_owned(),
            lifetime: lifetime.clone(),
        }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_homeserver_that_is_back_ends_the_pause() {
        let sender = watch::Sender::new(0);
        let mut returns = sender.subscribe();
        let begun = tokio::time::Instant::now();
        assert!(!pause_until(&mut returns, Duration::from_secs(60)).await);
        assert_eq!(begun.elapsed(), Duration::from_secs(60));
        // It came back while the answer was tried.
        returns.mark_unchanged();
        sender.send_modify(|returns| *returns += 1);
        assert!(pause_until(&mut returns, Duration::from_secs(60)).await);
        assert_eq!(begun.elapsed(), Duration::from_secs(60));
        let waiting = tokio::spawn(async move { pause_until(&mut returns, Duration::from_secs(60)).await });
        tokio::time::sleep(Duration::from_secs(7)).await;
        sender.send_modify(|returns| *returns += 1);
        assert!(waiting.await.unwrap());
        assert_eq!(begun.elapsed(), Duration::from_secs(67));
    }
}
