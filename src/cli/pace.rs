//! How fast a game goes for people who answer when they are called, counted alike wherever it is told.

use crate::catalog::Entry;
use crate::game::sentence::clauses;
use crate::game::{Awaiting, Seat};

/// How often it is another one's turn to answer, what they say then, and of how many actions that is made.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// How often somebody had to wait for another one's answer. Where all choose at once nobody hands anything over.
    pub hand_overs: u32,
    /// What was decided: `train 2 pay 1 4` is one decision and three actions.
    pub decisions: u32,
    pub actions: u32,
    /// Who is answering, and the actions of that answer so far.
    answering: Option<Seat>,
    answer: Vec<String>,
}

impl Pace {
    /// Takes note of an action, and of whom the game awaited when it was taken.
    pub fn note(&mut self, entry: &Entry, awaiting: Awaiting, seat: Seat, action: &str) {
        if self.answering != Some(seat) {
            let waited = self.answering.is_some() && matches!(awaiting, Awaiting::Turn(_));
            self.hand_overs += u32::from(waited);
            self.close(entry);
            self.answering = Some(seat);
        }
        self.actions += 1;
        self.answer.push(action.to_owned());
    }

    /// Counts the last answer; nothing comes after it.
    pub fn close(&mut self, entry: &Entry) {
        let answer = std::mem::take(&mut self.answer);
        if !answer.is_empty() {
            self.decisions += clauses(&entry.joined(&answer)).count() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;

    const ONE: Seat = Seat::new(0);
    const TWO: Seat = Seat::new(1);

    #[test]
    fn answers_are_counted_by_what_is_said() {
        let entry = find("phase").unwrap();
        let both = Awaiting::Each([ONE, TWO].into_iter().collect());
        let mut pace = Pace::default();
        pace.note(entry, both, ONE, "enlist a");
        // Neither waited for the other.
        pace.note(entry, both, TWO, "enlist b");
        assert_eq!(pace.hand_overs, 0);
        for action in ["train 2", "pay 1", "pay 4", "done"] {
            pace.note(entry, Awaiting::Turn(ONE), ONE, action);
        }
        pace.note(entry, Awaiting::Turn(TWO), TWO, "pass");
        pace.close(entry);
        assert_eq!((pace.hand_overs, pace.actions), (2, 7));
        assert_eq!(pace.decisions, 5, "`train 2 pay 1 4` is one");
    }
}
