//! One decision, as a bot sees it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::MOST_SECOND_LOOKS;
use crate::ai::{Agent, Level};
use crate::catalog::Table;
use crate::game::Seat;
use crate::game::rng::mix;

/// So many times a judge thinks about a decision, at most: what to play, and what that, what was played and what looks best at a
/// first glance are worth.
const MOST_QUESTIONS: u32 = 4;

/// No question is thought about for longer or shorter than this, at a first look and at a second one.
const LONGEST: Duration = Duration::from_millis(500);
const LONGEST_AGAIN: Duration = Duration::from_millis(1000);
const SHORTEST: Duration = Duration::from_millis(15);

/// A judge plays at least so many games in its head, if there is time: means of fewer differ by chance more than moves that are
/// as good as each other may ([`super::AS_GOOD`]).
const THOROUGH: u32 = 4000;

/// A second look takes other chances than the first one.
const OTHER_CHANCE: u64 = 0x2D_100C;

/// Who judges.
#[derive(Clone, Debug)]
pub struct Judge {
    pub level: Level,
    agent: Agent,
    /// Who looks again, for longer, at what is to be named.
    again: Agent,
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
    /// A player of this level who makes no slips and looks at all of a match of so many steps in about this time. Two thirds of it
    /// go into a first look at every decision, the rest into a second one at those that are to be named.
    pub fn within(level: Level, budget: Duration, steps: u32) -> Self {
        let third = budget / 3;
        let time = |whole: Duration, looks: u32, longest| {
            let questions = looks.max(1).saturating_mul(MOST_QUESTIONS);
            (whole / questions).clamp(SHORTEST, longest)
        };
        let first = time(third * 2, steps, LONGEST);
        let second = time(third, MOST_SECOND_LOOKS, LONGEST_AGAIN);
        let agent = Agent::level(level).careful().thorough(THOROUGH);
        Self {
            level,
            agent: agent.clone().within(first),
            again: agent.within(second),
        }
    }

    /// A judge who never looks at a clock, so that what it finds can be found again.
    pub fn of(level: Level, agent: Agent) -> Self {
        Self {
            level,
            again: agent.clone(),
            agent,
        }
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
        verdict_of(&self.agent, table, seat, played, seed, stop)
    }

    /// The same, found out anew by looking longer.
    pub fn second_verdict(
        &self,
        table: &dyn Table,
        seat: Seat,
        played: &str,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Judgement> {
        verdict_of(&self.again, table, seat, played, mix(seed ^ OTHER_CHANCE), stop)
    }
}

fn verdict_of(
    agent: &Agent,
    table: &dyn Table,
    seat: Seat,
    played: &str,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Judgement> {
    let best = table.act(seat, agent, seed, stop)?.action;
    let glance = table.act(seat, &Agent::GREEDY, seed, stop)?.action;
    let mut weighed = vec![played];
    for action in [best.as_str(), glance.as_str()] {
        if !weighed.contains(&action) {
            weighed.push(action);
        }
    }
    let worths = table.weigh(seat, &weighed, agent, mix(seed ^ 1), stop)?;
    let worth = |action: &str| {
        let place = weighed.iter().position(|weighed| *weighed == action)?;
        worths.get(place).copied()
    };
    let (played_worth, best_worth) = (worth(played)?, worth(&best)?);
    // What turns out better than the bot's own choice is what it would play now.
    let (best, best_worth) = if played_worth >= best_worth {
        (played.to_owned(), played_worth)
    } else {
        (best.clone(), best_worth)
    };
    let is_find = glance != played && played_worth + super::AS_GOOD > best_worth;
    let found = is_find
        .then(|| worth(&glance))
        .flatten()
        .map(|glance| played_worth - glance);
    Some(Judgement {
        best,
        played_worth,
        best_worth,
        found,
    })
}
