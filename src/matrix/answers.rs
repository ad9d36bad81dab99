//! Answers to commands, in order for each room, until they are said.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use matrix_sdk::Room;
use matrix_sdk::ruma::{OwnedRoomId, OwnedUserId};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::direct::{Direct, Reach, Wish};
use super::trouble::Trouble;
use super::voice::{Place, Saying, Telling, Voice};
use crate::chat::alone;
use crate::chat::message::Message;
use crate::chat::parlor::Reply;

/// Held while something that was heard is not done with. When nobody holds it any more, it need not be heard again.
pub type Held = mpsc::Sender<()>;

/// An answer on its way.
pub struct Answer {
    pub room: Room,
    pub place: Place,
    pub asker: OwnedUserId,
    pub reply: Reply,
    /// The same whenever the same command is answered.
    pub key: String,
    pub held: Held,
}

/// Says the answers. When it goes, what is not said yet is left unsaid.
pub struct Answers {
    voice: Voice,
    direct: Arc<Direct>,
    queues: HashMap<OwnedRoomId, mpsc::UnboundedSender<Answer>>,
    speakers: JoinSet<()>,
}

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Answers {
    pub fn new(voice: Voice, direct: Arc<Direct>) -> Self {
        Self {
            voice,
            direct,
            queues: HashMap::new(),
            speakers: JoinSet::new(),
        }
    }

    /// Puts an answer at the end of its room's queue.
    pub fn push(&mut self, answer: Answer) {
        let id = answer.room.room_id().to_owned();
        let queue = self.queues.entry(id).or_insert_with(|| {
            let (sender, mut receiver) = mpsc::unbounded_channel::<Answer>();
            let speaker = Speaker {
                voice: self.voice.clone(),
                direct: Arc::clone(&self.direct),
            };
            self.speakers.spawn(async move {
                while let Some(answer) = receiver.recv().await {
                    speaker.answer(&answer).await;
                    drop(answer.held);
                }
            });
            sender
        });
        // Its reader ends only with the queue.
        let _ = queue.send(answer);
    }
}

struct Speaker {
    voice: Voice,
    direct: Arc<Direct>,
}

impl Speaker {
    async fn answer(&self, answer: &Answer) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.try_answer(answer).await {
                Ok(()) => return,
                Err(Trouble::Passing { why, after }) => {
                    tracing::info!(room = %answer.room.room_id(), %why, "an answer waits");
                    tokio::time::sleep(after.unwrap_or(pause)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(Trouble::Refused { why }) => {
                    tracing::warn!(room = %answer.room.room_id(), %why, "an answer can't be given there");
                    return;
                }
                // What was heard is heard again in the next session.
                Err(Trouble::LoggedOut) => std::future::pending().await,
            }
        }
    }

    async fn try_answer(&self, answer: &Answer) -> Result<(), Trouble> {
        let Answer {
            room,
            reply,
            asker,
            key,
            ..
        } = answer;
        if !reply.secret || self.direct.is_private(room, asker).await? {
            return match self.say(answer, &reply.message, key).await {
                Err(Trouble::Refused { why }) => self.say_elsewhere(answer, &why).await,
                said => said,
            };
        }
        match self.direct.reach(asker, Wish::Theirs).await? {
            Reach::There(alone) => {
                let saying = Saying {
                    message: &reply.message,
                    telling: Telling::Apart,
                    key,
                };
                self.voice.say(&alone, saying, &Place::default()).await?;
                self.say(answer, &alone::sent_alone(), &format!("{key}-said"))
                    .await
            }
            Reach::Invited(_) => {
                self.say(answer, &alone::invited_alone(), &format!("{key}-invited"))
                    .await
            }
            Reach::Declined => {
                self.say(answer, &alone::not_let_in(), &format!("{key}-declined"))
                    .await
            }
        }
    }

    /// Where we may not speak, whoever asks is answered alone.
    async fn say_elsewhere(&self, answer: &Answer, why: &str) -> Result<(), Trouble> {
        let refused = || Trouble::Refused { why: why.to_owned() };
        let alone = match self.direct.reach(&answer.asker, Wish::Ours).await? {
            Reach::There(room) | Reach::Invited(room) => room,
            Reach::Declined => return Err(refused()),
        };
        if alone.room_id() == answer.room.room_id() {
            return Err(refused());
        }
        let saying = Saying {
            message: &alone::said_here_instead(answer.reply.message.clone()),
            telling: Telling::Apart,
            key: &format!("{}-elsewhere", answer.key),
        };
        self.voice.say(&alone, saying, &Place::default()).await?;
        Ok(())
    }

    async fn say(&self, answer: &Answer, message: &Message, key: &str) -> Result<(), Trouble> {
        let saying = Saying {
            message,
            telling: Telling::Apart,
            key,
        };
        self.voice.say(&answer.room, saying, &answer.place).await?;
        Ok(())
    }
}
