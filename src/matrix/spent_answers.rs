//! Answers that have nothing more to say once their asker says something else: refusals, previews, what could be played. They
//! are taken back then.

use std::sync::{Mutex, PoisonError};

use matrix_sdk::ruma::{OwnedRoomId, OwnedUserId};

use super::recent::Recent;
use crate::chat::parlor::Lifetime;

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidAnswer {
    pub room: OwnedRoomId,
    /// By which the messages are found that it became.
    pub key: String,
    pub lifetime: Lifetime,
}

/// The answers that may have to go, by asker. A restart forgets them.
#[derive(Debug)]
pub struct SpentAnswers(Mutex<Recent<OwnedUserId, Vec<SaidAnswer>>>);

/// So many askers are remembered.
const MOST_ASKERS: usize = 1000;

impl Default for SpentAnswers {
    fn default() -> Self {
        Self(Mutex::new(Recent::new(MOST_ASKERS)))
    }
}

impl SpentAnswers {
    /// Notes what somebody has been answered, and returns what is past of what they were answered before.
    pub fn note(
        &self,
        asker: &OwnedUserId,
        given: Vec<SaidAnswer>,
        is_past: impl Fn(&Lifetime) -> bool,
    ) -> Vec<SaidAnswer> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.get(asker).cloned().unwrap_or_default();
        // What is answered again, after a fault, is no answer of before.
        let before = before.into_iter().filter(|answer| !given.contains(answer));
        let (past, mut left): (Vec<_>, Vec<_>) = before.partition(|answer| is_past(&answer.lifetime));
        left.extend(
            given
                .into_iter()
                .filter(|answer| answer.lifetime != Lifetime::Lasting),
        );
        all.insert(asker.clone(), left);
        past
    }

    /// Notes an answer again that could not be taken back: it is tried with the next command.
    pub fn keep(&self, asker: &OwnedUserId, answer: SaidAnswer) {
        self.note(asker, vec![answer], |_| false);
    }
}

#[cfg(test)]
mod tests {
    use matrix_sdk::ruma::{room_id, user_id};

    use super::*;

    fn given(key: &str, lifetime: Lifetime) -> SaidAnswer {
        SaidAnswer {
            room: room_id!("!room:x.org").to_owned(),
            key: key.to_owned(),
            lifetime,
        }
    }

    #[test]
    fn what_is_passing_goes_with_the_next_command_of_its_asker() {
        let answers = SpentAnswers::default();
        let (ann, bea) = (
            user_id!("@ann:x.org").to_owned(),
            user_id!("@bea:x.org").to_owned(),
        );
        let passes = |lifetime: &Lifetime| *lifetime == Lifetime::Passing;
        let refusal = given("refusal", Lifetime::Passing);
        assert_eq!(answers.note(&ann, vec![refusal.clone()], passes), []);
        assert_eq!(
            answers.note(&bea, vec![given("hers", Lifetime::Passing)], passes),
            []
        );
        let lasting = given("games", Lifetime::Lasting);
        assert_eq!(
            answers.note(&ann, vec![lasting], passes),
            std::slice::from_ref(&refusal)
        );
        assert_eq!(answers.note(&ann, Vec::new(), passes), [], "it goes once");
        // What could not be taken back is tried again.
        answers.keep(&ann, refusal.clone());
        assert_eq!(answers.note(&ann, Vec::new(), passes), [refusal]);
    }
}
