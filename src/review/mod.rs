//! Walking through a finished match with a bot's eyes: where it swung, and what the bot would have played.
//!
//! Every decision is judged where it was made, from what its player could know then: in games with hidden hands not by the
//! cards that came to light later. What is to be named, a swing, a mistake, a find, is looked at a second time, for longer: of many
//! differences found by a search the largest are largest by chance, too. [`judge`] looks at one decision, [`walk`] goes through a record from one to the next,
//! [`mod@graph`] shows who stood better when,
//! [`under_way`] does so for a match, on a thread of its own, and keeps what comes of it beside the match.

pub mod graph;
pub mod judge;
pub mod under_way;
pub mod walk;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ai::Level;
use crate::draw::Prose;
use crate::game::Seat;

/// The player by whom matches are judged, unless another is named: the strongest that answers at once.
pub const JUDGE: Level = Level::ALL[3];

/// How long a whole review may take.
pub const BUDGET: Duration = Duration::from_secs(90);

/// A move that is worth so much less than the bot's, or less, is as good as it: no search is more exact.
pub const AS_GOOD: f32 = 0.05;

/// A move that is worth so much less than the bot's is a swing.
const SWING: f32 = 0.08;

/// How many swings are shown.
pub const MOST_SWINGS: usize = 3;

/// So many decisions are looked at a second time, at most.
const MOST_SECOND_LOOKS: u32 = 16;

/// Somebody's choice among several legal actions, as a bot sees it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewedDecision {
    /// The steps that led to the position.
    pub step: u32,
    /// The turn in which it was made; see [`crate::matches::replay`].
    pub turn: u32,
    pub seat: Seat,
    /// In canonical notation.
    pub played: String,
    /// What the bot would have played.
    pub best: String,
    /// What the player could expect of each, from 0 (lost) to 1 (won).
    pub played_worth: f32,
    pub best_worth: f32,
    /// How much more the move is worth than the one that looks best at a first glance, if it is another and as good as
    /// the bot's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<f32>,
    /// Whether it was looked at a second time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// Without what was played: a log may be read by those who must not know it.
impl std::fmt::Debug for ReviewedDecision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReviewedDecision")
            .field("step", &self.step)
            .field("seat", &self.seat)
            .finish_non_exhaustive()
    }
}

impl ReviewedDecision {
    /// How much was lost by it; nothing if it was as good as the bot's.
    pub fn loss(&self) -> f32 {
        let loss = self.best_worth - self.played_worth;
        if self.played == self.best || loss < AS_GOOD {
            0.0
        } else {
            loss
        }
    }

    pub fn is_as_good(&self) -> bool {
        self.loss() <= 0.0
    }
}

/// A decision by which the match swung, and what the bot would have played instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    pub decision: ReviewedDecision,
    /// What the bot's move is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// What would have happened, as the player could know it.
    #[serde(default, skip_serializing_if = "Prose::is_empty")]
    pub narration: Prose,
}

/// What a bot has to say about a match, as far as it has looked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    pub level: Level,
    pub seats: u8,
    /// Whether what one player knew all players knew, so that what one stood to win two share.
    pub open: bool,
    /// How many steps have been looked at, of how many.
    pub looked_at: u32,
    pub steps: u32,
    pub decisions: Vec<ReviewedDecision>,
    /// The largest first. They are known when everything has been looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swings: Option<Vec<Swing>>,
}

/// How one player did.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary<'a> {
    pub seat: Seat,
    pub decisions: usize,
    /// How many were as good as the bot's.
    pub as_good: usize,
    pub largest_mistake: Option<&'a ReviewedDecision>,
    pub best_find: Option<&'a ReviewedDecision>,
}

/// How a player stood at some point of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorthAt {
    /// The steps that led there.
    pub step: u32,
    /// From 0 (lost) to 1 (won).
    pub worth: f32,
}

impl Review {
    pub const fn is_done(&self) -> bool {
        self.swings.is_some()
    }

    /// Whether the one's gain is the other's loss, as both know.
    pub const fn is_shared(&self) -> bool {
        self.open && self.seats == 2
    }

    /// The decisions that cost most, the worst first.
    fn worst(&self) -> Vec<&ReviewedDecision> {
        let mut worst: Vec<&ReviewedDecision> = (self.decisions.iter())
            .filter(|decision| decision.loss() >= SWING)
            .collect();
        worst.sort_by(|one, other| other.loss().total_cmp(&one.loss()));
        worst.truncate(MOST_SWINGS);
        worst
    }

    /// How often a decision has been looked at.
    fn looks(&self) -> usize {
        let again = self.decisions.iter().filter(|decision| decision.again);
        self.decisions.len() + again.count()
    }

    /// The place of a decision that is to be named and has been looked at but once, if there are second looks left.
    fn to_look_at_again(&self) -> Option<usize> {
        if self.looks() >= self.decisions.len() + MOST_SECOND_LOOKS as usize {
            return None;
        }
        let summaries = self.summaries();
        let own = summaries
            .iter()
            .flat_map(|summary| [summary.largest_mistake, summary.best_find]);
        let mut named = self.worst().into_iter().chain(own.flatten());
        let step = named.find(|decision| !decision.again)?.step;
        self.decisions.iter().position(|decision| decision.step == step)
    }

    /// How each player did, seat by seat.
    pub fn summaries(&self) -> Vec<Summary<'_>> {
        Seat::all(self.seats).map(|seat| self.summary(seat)).collect()
    }

    fn summary(&self, seat: Seat) -> Summary<'_> {
        let own = || self.decisions.iter().filter(|decision| decision.seat == seat);
        let worst = own().max_by(|one, other| one.loss().total_cmp(&other.loss()));
        let found = |decision: &&ReviewedDecision| decision.found.is_some_and(|found| found >= AS_GOOD);
        let best = |one: &&ReviewedDecision, other: &&ReviewedDecision| {
            let worth = |decision: &ReviewedDecision| decision.found.unwrap_or(0.0);
            worth(one).total_cmp(&worth(other))
        };
        Summary {
            seat,
            decisions: own().count(),
            as_good: own().filter(|decision| decision.is_as_good()).count(),
            largest_mistake: worst.filter(|worst| !worst.is_as_good()),
            best_find: own().filter(found).max_by(best),
        }
    }

    /// How a player stood, from decision to decision. Where two play with open cards, the one's gain is the other's loss,
    /// so each of them has the other's decisions, too; otherwise nobody knows but from their own.
    pub fn standings(&self, seat: Seat) -> Vec<WorthAt> {
        let shared = self.is_shared();
        let standing = |decision: &ReviewedDecision| {
            let own = decision.seat == seat;
            let worth = if own {
                decision.best_worth
            } else {
                1.0 - decision.best_worth
            };
            (own || shared).then_some(WorthAt {
                step: decision.step,
                worth,
            })
        };
        self.decisions.iter().filter_map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(step: u32, seat: u8, played_worth: f32, best_worth: f32) -> ReviewedDecision {
        ReviewedDecision {
            step,
            turn: step + 1,
            seat: Seat::new(seat),
            played: "a".to_owned(),
            best: "b".to_owned(),
            played_worth,
            best_worth,
            found: None,
            again: false,
        }
    }

    fn review(decisions: Vec<ReviewedDecision>) -> Review {
        Review {
            level: JUDGE,
            seats: 2,
            open: true,
            looked_at: 9,
            steps: 9,
            decisions,
            swings: None,
        }
    }

    #[test]
    fn what_cost_most_comes_first() {
        let review = review(vec![
            decision(0, 0, 0.5, 0.52),
            decision(1, 1, 0.3, 0.5),
            decision(2, 0, 0.2, 0.9),
            decision(3, 1, 0.4, 0.55),
            decision(4, 0, 0.1, 0.4),
        ]);
        let worst: Vec<u32> = review.worst().iter().map(|worst| worst.step).collect();
        assert_eq!(worst, [2, 4, 1]);
        let [first, second] = &review.summaries()[..] else {
            panic!("two play");
        };
        assert_eq!((first.decisions, first.as_good), (3, 1));
        assert_eq!(first.largest_mistake.unwrap().step, 2);
        assert_eq!((second.decisions, second.as_good), (2, 0));
        assert_eq!(second.best_find, None);
    }

    #[test]
    fn what_is_named_is_looked_at_again_until_nothing_else_is_named() {
        let mut review = review(vec![
            decision(0, 0, 0.5, 0.75),
            decision(1, 1, 0.3, 0.5),
            decision(2, 0, 0.2, 0.9),
            decision(3, 1, 0.4, 0.55),
            decision(4, 0, 0.4, 0.5),
            decision(5, 0, 0.5, 0.5),
        ]);
        review.decisions[5].found = Some(0.3);
        let mut looked_at = Vec::new();
        while let Some(place) = review.to_look_at_again() {
            looked_at.push(place);
            let decision = &mut review.decisions[place];
            decision.again = true;
            // The largest was a mistake of the judge's, and the find was none.
            if place == 2 {
                decision.played_worth = decision.best_worth;
            }
            decision.found = None;
        }
        // The three that cost most, what takes the place of the one that cost nothing, and the find.
        assert_eq!(looked_at, [2, 0, 1, 3, 5]);
        let worst: Vec<u32> = review.worst().iter().map(|worst| worst.step).collect();
        assert_eq!(worst, [0, 1, 3]);
    }

    #[test]
    fn second_looks_come_to_an_end() {
        let step = |step: u32| decision(step, (step % 2) as u8, 0.2, 0.9);
        let mut review = review((0..60).map(step).collect());
        let mut looks = 0;
        while let Some(place) = review.to_look_at_again() {
            looks += 1;
            let decision = &mut review.decisions[place];
            (decision.again, decision.played_worth) = (true, 0.9);
        }
        assert_eq!(looks, MOST_SECOND_LOOKS);
    }

    #[test]
    fn of_two_with_open_cards_one_gains_what_the_other_loses() {
        let mut review = review(vec![decision(0, 0, 0.5, 0.75), decision(1, 1, 0.3, 0.5)]);
        let worths = |review: &Review, seat| -> Vec<f32> {
            let standings = review.standings(Seat::new(seat));
            standings.iter().map(|standing| standing.worth).collect()
        };
        assert_eq!(worths(&review, 0), [0.75, 0.5]);
        assert_eq!(worths(&review, 1), [0.25, 0.5]);
        review.open = false;
        assert_eq!(worths(&review, 0), [0.75]);
        assert_eq!(worths(&review, 1), [0.5]);
    }
}
