//! Answers to commands, in order for each room, until they are said.

use std::sync::Arc;

use matrix_sdk::Room;
use matrix_sdk::ruma::OwnedUserId;
use tokio::sync::mpsc;

use super::direct::{Direct, DmReason, DmStatus};
use super::errors::{MatrixError, backoff};
use super::room_queues::RoomQueues;
use super::sender::{MessageSender, Outgoing, ReplyPosition};
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
    pub fn new(message_sender: MessageSender, direct: Arc<Direct>) -> Self {
        Self {
            speaker: Arc::new(Speaker {
                message_sender,
                direct,
            }),
            queues: RoomQueues::default(),
        }
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

struct Speaker {
    message_sender: MessageSender,
    direct: Arc<Direct>,
}

impl Speaker {
    async fn answer(&self, answer: &PendingAnswer) {
        let room = answer.room.room_id();
        let mut pauses = backoff();
        loop {
            match self.try_answer(answer).await {
                Ok(()) => return,
                Err(MatrixError::Passing { why: error, after }) => {
                    tracing::info!(%room, %error, "matrix: could not send the answer; trying again");
                    tokio::time::sleep(after.unwrap_or_else(|| pauses.pause())).await;
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
        if !reply.secret || self.direct.is_private(&answer.room, asker).await? {
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
            DmStatus::Invited(_) => (alone::invited_alone(), "invited"),
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
            .say(room, Outgoing::apart(message, key), &place)
            .await?;
        Ok(())
    }

    async fn say(&self, answer: &PendingAnswer, message: &Message, key: &str) -> Result<(), MatrixError> {
        let outgoing = Outgoing::apart(message, key);
        self.message_sender
            .say(&answer.room, outgoing, &answer.place)
            .await?;
        Ok(())
    }
}
