//! A way through a record, from decision to decision.

use std::sync::atomic::{AtomicBool, Ordering};

use super::judge::Judge;
use super::{Review, ReviewedDecision, Swing};
use crate::catalog::{self, Table};
use crate::game::{OptionValues, Seed};
use crate::matches::record::{Deed, Record, RecordError};

/// Whether players held what others did not see. Where that can't be told, everybody knew only their own.
fn hides(record: &Record) -> bool {
    let pairs = record.options.iter();
    let pairs = pairs.map(|(name, value)| (name.as_str(), value.as_str()));
    catalog::find(&record.game).map_or(true, |entry| {
        OptionValues::choose(entry.meta.options, pairs).map_or(true, |options| entry.hides(&options))
    })
}

/// Where we are in a record, with what has been found out.
#[derive(Debug)]
pub struct Walk {
    record: Record,
    table: Box<dyn Table>,
    seed: Seed,
    turns: Vec<u32>,
    pub review: Review,
}

/// How far a step of the way led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Led {
    /// There may be more.
    On,
    /// Everything has been looked at.
    ToTheEnd,
    /// Nobody waits for it any more.
    Nowhere,
}

impl Walk {
    /// Begins at the opening; or goes on where another left off, if what it found is of this record and by this judge.
    pub fn begin(record: Record, judge: &Judge, before: Option<Review>) -> Result<Self, RecordError> {
        let (table, seed) = record.open()?;
        let steps = record.actions.len() as u32;
        let fresh = Review {
            level: judge.level,
            seats: record.seats,
            open: !hides(&record),
            looked_at: 0,
            steps,
            decisions: Vec::new(),
            swings: None,
        };
        let fits = |review: &Review| review.level == judge.level && review.steps == steps;
        let mut walk = Self {
            turns: record.turns_of_steps()?.turns,
            review: fresh,
            table,
            seed,
            record,
        };
        if let Some(before) = before.filter(fits) {
            for _ in 0..before.looked_at.min(steps) {
                walk.pass()?;
            }
            walk.review = before;
        }
        Ok(walk)
    }

    /// Looks at the next decision, and passes over what is none.
    pub fn look(&mut self, judge: &Judge, stop: &AtomicBool) -> Result<Led, RecordError> {
        while let Some(step) = self.record.actions.get(self.review.looked_at as usize) {
            let (seat, number) = (step.seat, self.review.looked_at);
            let played = match &step.deed {
                Deed::Action(action) if !step.is_aside(self.table.as_ref()) => Some(action.clone()),
                Deed::Action(_) | Deed::Leaves(_) | Deed::Lapses(_) => None,
            };
            let Some(played) = played.filter(|_| self.table.legal(seat).len() > 1) else {
                self.pass()?;
                continue;
            };
            let chance = u64::from(number) + 1;
            let Some(verdict) = judge.verdict(self.table.as_ref(), seat, &played, chance, stop) else {
                if stop.load(Ordering::Relaxed) {
                    return Ok(Led::Nowhere);
                }
                // A bot without an opinion.
                self.pass()?;
                continue;
            };
            self.review.decisions.push(ReviewedDecision {
                step: number,
                turn: self.turns.get(number as usize).copied().unwrap_or_default(),
                seat,
                played,
                best: verdict.best,
                played_worth: verdict.played_worth,
                best_worth: verdict.best_worth,
                found: verdict.found,
                again: false,
            });
            self.pass()?;
            return Ok(Led::On);
        }
        if !self.review.is_done() {
            if let Some(place) = self.review.to_look_at_again() {
                return self.look_again(place, judge, stop);
            }
            self.review.swings = Some(self.swings()?);
        }
        Ok(Led::ToTheEnd)
    }

    /// Looks once more at a decision that is to be named, and believes what is found then.
    fn look_again(&mut self, place: usize, judge: &Judge, stop: &AtomicBool) -> Result<Led, RecordError> {
        let Some(decision) = self.review.decisions.get_mut(place) else {
            return Ok(Led::On);
        };
        let table = self.record.replay(Some(decision.step as usize))?;
        let chance = u64::from(decision.step) + 1;
        let verdict = judge.second_verdict(table.as_ref(), decision.seat, &decision.played, chance, stop);
        if verdict.is_none() && stop.load(Ordering::Relaxed) {
            return Ok(Led::Nowhere);
        }
        decision.again = true;
        if let Some(verdict) = verdict {
            decision.best = verdict.best;
            decision.played_worth = verdict.played_worth;
            decision.best_worth = verdict.best_worth;
            decision.found = verdict.found;
        }
        Ok(Led::On)
    }

    /// Plays the next step.
    fn pass(&mut self) -> Result<(), RecordError> {
        let number = self.review.looked_at as usize;
        if let Some(step) = self.record.actions.get(number) {
            step.replay(self.table.as_mut(), &self.seed, number + 1)?;
        }
        self.review.looked_at += 1;
        Ok(())
    }

    /// The largest swings, with what would have come of the bot's moves.
    fn swings(&self) -> Result<Vec<Swing>, RecordError> {
        let mut swings = Vec::new();
        for decision in self.review.worst() {
            let table = self.record.replay(Some(decision.step as usize))?;
            let foreseen = table.foresee(decision.seat, &decision.best, u64::from(decision.step));
            swings.push(Swing {
                decision: decision.clone(),
                purpose: foreseen.as_ref().and_then(|foreseen| foreseen.purpose.clone()),
                narration: foreseen.map(|foreseen| foreseen.narration).unwrap_or_default(),
            });
        }
        Ok(swings)
    }
}
