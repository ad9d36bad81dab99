//! One decision, as a bot sees it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::{Agent, Level};
use crate::catalog::Table;
use crate::game::Seat;
use crate::game::rng::mix;

/// So many times a judge thinks about a decision, at most: what to play, what that and what was played are worth, and what
/// looks best at a first glance.
pub const MOST_QUESTIONS: u32 = 4;

/// Who judges.
#[derive(Clone, Debug)]
pub struct Judge {
    pub level: Level,
    agent: Agent,
}

/// What a judge has to say about a move.
#[derive(Clone, PartialEq)]
pub struct Judgement {
    /// In canonical notation.
    pub best: String,
    pub played_worth: f32,
    pub best_worth: f32,
    pub found: Option<f32>,
}

/// Without the move: a log may be read by those who must not know it.
impl std::fmt::Debug for Judgement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judgement")
            .field("played_worth", &self.played_worth)
            .field("best_worth", &self.best_worth)
            .finish_non_exhaustive()
    }
}

impl Judge {
    /// A player of this level who makes no slips and thinks for no longer than this about each question.
    pub fn within(level: Level, time: Duration) -> Self {
        Self {
            level,
            agent: Agent::level(level).careful().within(time),
        }
    }

    /// A judge who never looks at a clock, so that what it finds can be found again.
    pub const fn of(level: Level, agent: Agent) -> Self {
        Self { level, agent }
    }

    /// What it has to say about a legal action of an awaited seat, from what that seat knows. Nothing if it was stopped.
    pub fn verdict(
        &self,
        table: &dyn Table,
        seat: Seat,
        played: &str,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Judgement> {
        // Both are weighed alike: alone, for as long.
        let weigh = |action: &str| table.weigh(seat, action, &self.agent, mix(seed ^ 1), stop);
        let best = table.act(seat, &self.agent, seed, stop)?.action;
        let best_worth = weigh(&best)?;
        let played_worth = if best == played {
            best_worth
        } else {
            weigh(played)?
        };
        // What turns out better than the bot's own choice is what it would play now.
        let (best, best_worth) = if played_worth >= best_worth {
            (played.to_owned(), played_worth)
        } else {
            (best, best_worth)
        };
        let glance = (played_worth + super::AS_GOOD > best_worth)
            .then(|| table.act(seat, &Agent::GREEDY, seed, stop))
            .flatten()
            .map(|thought| thought.action)
            .filter(|glance| glance != played);
        let found = match glance {
            Some(glance) => Some(played_worth - weigh(&glance)?),
            None => None,
        };
        Some(Judgement {
            best,
            played_worth,
            best_worth,
            found,
        })
    }
}
