//! Answers that only the asker sees. They are not kept on disk: a restart forgets them, as a platform
//! forgets its ephemeral answers, and what they offer to press works all the same.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use crate::chat::message::Message;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::{Entropy, Fault};
use crate::matches::time::Time;
use crate::text::hex;

/// How many answers are remembered, all guests together.
const MOST: usize = 4096;

/// An answer to one guest.
#[derive(Clone, Debug)]
pub struct RoomAnswer {
    /// Not to be guessed.
    pub id: String,
    pub at: Time,
    pub owner: PlayerId,
    /// Where it was asked.
    pub room: Option<RoomId>,
    /// What was said or pressed.
    pub asked: String,
    /// The message whose button was pressed.
    pub under: Option<String>,
    pub message: Message,
    pub secret: bool,
    /// Whether it may go as soon as the asker says something else.
    pub passing: bool,
}

/// The last answers.
#[derive(Debug, Default)]
pub struct Replies {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    by_id: HashMap<String, RoomAnswer>,
    order: VecDeque<String>,
}

impl Replies {
    /// A name for a new answer.
    pub fn new_id(entropy: &dyn Entropy) -> Result<String, Fault> {
        let mut bytes = [0; 16];
        entropy.fill(&mut bytes)?;
        Ok(format!("r{}", hex(&bytes)))
    }

    pub fn keep(&self, answer: RoomAnswer) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.order.len() >= MOST {
            if let Some(oldest) = kept.order.pop_front() {
                kept.by_id.remove(&oldest);
            }
        }
        kept.order.push_back(answer.id.clone());
        kept.by_id.insert(answer.id.clone(), answer);
    }

    /// An answer to this guest.
    pub fn find(&self, id: &str, guest: &PlayerId) -> Option<RoomAnswer> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = kept.by_id.get(id)?;
        (answer.owner == *guest).then(|| answer.clone())
    }
}
