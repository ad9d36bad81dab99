//! Answers to commands, in order for each room, until they are said.

use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::OwnedUserId;
use tokio::sync::mpsc;

use super::direct::{Direct, DmReason, DmStatus};
use super::room_queues::RoomQueues;
use super::sender::{CaptionStyle, MessageSender, Outgoing, ReplyPosition};
use super::trouble::MatrixError;
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
    message_sender: MessageSender,
    direct: Arc<Direct>,
    queues: RoomQueues<PendingAnswer>,
}

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl AnswerQueues {
    pub fn new(message_sender: MessageSender, direct: Arc<Direct>) -> Self {
        Self {
            message_sender,
            direct,
            queues: RoomQueues::default(),
        }
    }

    /// Puts an answer at the end of its room's queue.
    pub fn push(&self, answer: PendingAnswer) {
        let id = answer.room.room_id().to_owned();
        self.queues.push(id, answer, || {
            let speaker = Arc::new(Speaker {
                message_sender: self.message_sender.clone(),
                direct: Arc::clone(&self.direct),
            });
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
        let mut pause = FIRST_PAUSE;
        loop {
            match self.try_answer(answer).await {
                Ok(()) => return,
                Err(MatrixError::Passing { why, after }) => {
                    tracing::info!(room = %answer.room.room_id(), %why, "an answer waits");
                    tokio::time::sleep(after.unwrap_or(pause)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(MatrixError::Refused { why }) => {
                    tracing::warn!(room = %answer.room.room_id(), %why, "an answer can't be given there");
                    return;
                }
                // What was heard is heard again in the next session.
                Err(MatrixError::LoggedOut) => std::future::pending().await,
            }
        }
    }

    async fn try_answer(&self, answer: &PendingAnswer) -> Result<(), MatrixError> {
        let PendingAnswer {
            room,
            reply,
            asker,
            key,
            ..
        } = answer;
        if !reply.secret || self.direct.is_private(room, asker).await? {
            return match self.say(answer, &reply.message, key).await {
                Err(MatrixError::Refused { why }) => self.say_elsewhere(answer, &why).await,
                said => said,
            };
        }
        match self.direct.reach(asker, DmReason::Theirs).await? {
            DmStatus::There(alone) => {
                let saying = Outgoing {
                    message: &reply.message,
                    telling: CaptionStyle::Apart,
                    key,
                };
                self.message_sender
                    .say(&alone, saying, &ReplyPosition::default())
                    .await?;
                self.say(answer, &alone::sent_alone(), &format!("{key}-said"))
                    .await
            }
            DmStatus::Invited(_) => {
                self.say(answer, &alone::invited_alone(), &format!("{key}-invited"))
                    .await
            }
            DmStatus::Declined => {
                self.say(answer, &alone::not_let_in(), &format!("{key}-declined"))
                    .await
            }
        }
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
        let saying = Outgoing {
            message: &alone::said_here_instead(answer.reply.message.clone()),
            telling: CaptionStyle::Apart,
            key: &format!("{}-elsewhere", answer.key),
        };
        self.message_sender
            .say(&alone, saying, &ReplyPosition::default())
            .await?;
        Ok(())
    }

    async fn say(&self, answer: &PendingAnswer, message: &Message, key: &str) -> Result<(), MatrixError> {
        let saying = Outgoing {
            message,
            telling: CaptionStyle::Apart,
            key,
        };
        self.message_sender
            .say(&answer.room, saying, &answer.place)
            .await?;
        Ok(())
    }
}
