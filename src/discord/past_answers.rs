//! Answers that only their asker sees, and that have nothing more to say once the asker says something else: refusals, and
//! offers to cancel a table that waits no longer. They are taken away then, as long as Discord lets us.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serenity::model::id::{MessageId, UserId};

use super::rest::InteractionReply;
use crate::chat::parlor::Lifetime;

/// For so long an answer can still be taken away; Discord allows a quarter of an hour.
const REACHABLE: Duration = Duration::from_secs(14 * 60);

/// An answer that was given.
pub struct GivenAnswer {
    pub answering: InteractionReply,
    pub message: Option<MessageId>,
    pub lifetime: Lifetime,
    pub at: Instant,
}

/// The answers that may have to go, by asker. A restart forgets them.
#[derive(Default)]
pub struct PastAnswers(Mutex<HashMap<UserId, Vec<GivenAnswer>>>);

impl PastAnswers {
    /// Notes an answer, and returns those before it that are past.
    pub fn note(
        &self,
        user: UserId,
        given: GivenAnswer,
        is_past: impl Fn(&Lifetime) -> bool,
    ) -> Vec<InteractionReply> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, answers| {
            answers.retain(|answer| answer.at.elapsed() < REACHABLE);
            !answers.is_empty()
        });
        let mut own = all.remove(&user).unwrap_or_default();
        // What was written anew in its place is a new answer.
        own.retain(|answer| answer.message.is_none() || answer.message != given.message);
        let (past, mut left): (Vec<_>, Vec<_>) =
            own.into_iter().partition(|answer| is_past(&answer.lifetime));
        if given.lifetime != Lifetime::Lasting {
            left.push(given);
        }
        if !left.is_empty() {
            all.insert(user, left);
        }
        past.into_iter().map(|answer| answer.answering).collect()
    }
}
