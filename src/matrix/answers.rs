//! Answers to commands, in order for each room, until they are said.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{OwnedUserId, UserId};
use tokio::sync::{Mutex, mpsc, watch};

use super::direct::{Direct, DmReason, DmStatus};
use super::errors::{MatrixError, backoff};
use super::room_queues::RoomQueues;
use super::sender::{MessageSender, OutgoingEvent, ReplyPosition, is_alone_with_one};
use super::storage::{MatrixStore, WaitingAnswer};
use crate::chat::alone;
use crate::chat::message::Message;
use crate::chat::parlor::Reply;

/// Held while something that was heard is not done with. When nobody holds it any more, it need not be heard again.
pub type EventGuard = mpsc::Sender<()>;

/// An answer on its way.
pub struct PendingAnswer {
    pub room: Room,
    pub place: ReplyPosition,
    pub asker: OwnedUserId,
    pub reply: Reply,
    /// The same whenever the same command is answered.
    pub key: String,
    pub held: EventGuard,
}

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
    /// How often the homeserver has come back.
    returns: watch::Sender<u64>,
}

/// So many answers wait for somebody to accept an invitation; what was asked for first goes first.
const MOST_WAITING: usize = 5;

impl Speaker {
    async fn keep_until_they_come(
        &self,
        asker: &UserId,
        message: &Message,
        key: &str,
    ) -> Result<(), MatrixError> {
        let _keeping = self.keeping.lock().await;
        let mut answers = self.storage.waiting(asker)?;
        if answers.iter().any(|answer| answer.key == key) {
            return Ok(());
        }
        let (message, key) = (message.clone(), key.to_owned());
        answers.push(WaitingAnswer { message, key });
        if answers.len() > MOST_WAITING {
            answers.remove(0);
        }
        Ok(self.storage.keep_waiting(asker, &answers).await?)
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
                    self.say_in(&alone, message, key).await?;
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
                Ok(()) => return,
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

    async fn try_answer(&self, answer: &PendingAnswer) -> Result<(), MatrixError> {
        let (reply, asker, key) = (&answer.reply, &answer.asker, &answer.key);
        // A move that is being picked is for its maker alone; others are told what comes of it.
        let told_here = !reply.secret && (!reply.message.is_picking() || is_alone_with_one(&answer.room));
        if told_here || self.direct.is_private(&answer.room, asker).await? {
            return match self.say(answer, &reply.message, key).await {
                Err(MatrixError::Refused { why }) => self.say_elsewhere(answer, &why).await,
                outcome => outcome,
            };
        }
        let (message, outcome) = match self.direct.reach(asker, DmReason::Theirs).await? {
            DmStatus::There(alone) => {
                self.say_in(&alone, &reply.message, key).await?;
                (alone::sent_alone(), "said")
            }
            // What others may read need not wait for an invitation to be accepted.
            DmStatus::Invited(_) | DmStatus::Declined if !reply.secret => {
                return self
                    .say(answer, &reply.message.clone().without_picking(), key)
                    .await;
            }
            DmStatus::Invited(_) if reply.holds_key => (alone::invited_to_ask(), "invited"),
            DmStatus::Invited(_) => {
                self.keep_until_they_come(asker, &reply.message, key).await?;
                (alone::invited_alone(), "invited")
            }
            DmStatus::Declined => (alone::not_let_in(), "declined"),
        };
        self.say(answer, &message, &format!("{key}-{outcome}")).await
    }

    /// Where we may not speak, whoever asks is answered alone.
    async fn say_elsewhere(&self, answer: &PendingAnswer, why: &str) -> Result<(), MatrixError> {
        let refused = || MatrixError::Refused { why: why.to_owned() };
        let alone = match self.direct.reach(&answer.asker, DmReason::Ours).await? {
            DmStatus::There(room) | DmStatus::Invited(room) => room,
            DmStatus::Declined => return Err(refused()),
        };
        if alone.room_id() == answer.room.room_id() {
            return Err(refused());
        }
        let message = alone::said_here_instead(answer.reply.message.clone());
        self.say_in(&alone, &message, &format!("{}-elsewhere", answer.key))
            .await
    }

    async fn say_in(&self, room: &Room, message: &Message, key: &str) -> Result<(), MatrixError> {
        let place = ReplyPosition::default();
        self.message_sender
            .say(room, OutgoingEvent::apart(message, key), &place)
            .await?;
        Ok(())
    }

    async fn say(&self, answer: &PendingAnswer, message: &Message, key: &str) -> Result<(), MatrixError> {
        let outgoing = OutgoingEvent::apart(message, key);
        self.message_sender
            .say(&answer.room, outgoing, &answer.place)
            .await?;
        Ok(())
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
