//! How the time for a reply is shared among its decisions.
//!
//! A reply may hold one decision or forty, by several bots, and all of them together have to be there in time. What is
//! left is shared evenly among the decisions that are still to come. How many that will be is found out by playing the
//! reply once in the head, without thinking, in a world that the bot can't tell from the real one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::Agent;
use crate::catalog::Table;
use crate::game::{GameRng, Information, Seat, Seed};

/// The most decisions that are played in the head.
const MOST_SKETCHED: u64 = 120;

/// The time for a reply, portion by portion.
#[derive(Clone, Copy, Debug)]
pub struct TimeBudget {
    /// How many decisions are still expected.
    expected: usize,
    /// Where a reply may turn out longer than expected, something is always kept back.
    kept_back: usize,
}

impl TimeBudget {
    pub const fn new(expected: usize, information: Information) -> Self {
        Self {
            expected,
            kept_back: match information {
                Information::Perfect => 0,
                Information::Hidden => 1,
            },
        }
    }

    /// What the next decision may take of what is left.
    pub fn portion(&self, left: Duration) -> Duration {
        let shares = self.expected.max(1) + self.kept_back;
        left / u32::try_from(shares).unwrap_or(u32::MAX)
    }

    /// A decision is made.
    pub const fn decided(&mut self) {
        self.expected = self.expected.saturating_sub(1);
    }
}

/// How many decisions that take time a reply is likely to hold, if these are the bots at the table.
pub fn sketch(
    table: &dyn Table,
    is_bot: impl Fn(Seat) -> bool,
    takes_time: impl Fn(Seat) -> bool,
    chance: u64,
) -> usize {
    let awaited = |table: &dyn Table| table.awaiting().seats().iter().find(|seat| is_bot(*seat));
    let Some(first) = awaited(table) else {
        return 0;
    };
    let mut world = table.imagine(first, &mut GameRng::quick(chance));
    let seed = Seed::from_text(&format!("a sketch {chance}"));
    let mut decisions = 0;
    for step in 1..=MOST_SKETCHED {
        let Some(seat) = awaited(world.as_ref()) else {
            break;
        };
        let legal = world.legal(seat);
        let action = match &legal[..] {
            [] => break,
            [only] => only.clone(),
            [first, ..] => {
                decisions += usize::from(takes_time(seat));
                let glance = world.act(seat, &Agent::GREEDY, chance ^ step, &AtomicBool::new(false));
                glance.map_or_else(|| first.clone(), |thought| thought.action)
            }
        };
        if world.play(seat, &action, &seed, step).is_err() {
            break;
        }
    }
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::game::OptionValues;

    fn spent(expected: usize, information: Information, decisions: usize) -> Vec<Duration> {
        let mut time_budget = TimeBudget::new(expected, information);
        let mut left = Duration::from_secs(6);
        let mut portions = Vec::new();
        for _ in 0..decisions {
            let portion = time_budget.portion(left);
            time_budget.decided();
            left -= portion;
            portions.push(portion);
        }
        portions
    }

    #[test]
    fn expected_decisions_share_the_time_evenly() {
        let second = Duration::from_secs(1);
        assert_eq!(spent(1, Information::Perfect, 1), [second * 6]);
        assert_eq!(spent(2, Information::Perfect, 2), [second * 3; 2]);
        assert_eq!(spent(5, Information::Hidden, 5), [second; 5]);
    }

    #[test]
    fn where_more_may_come_than_expected_something_is_left_for_it() {
        let portions = spent(1, Information::Hidden, 9);
        assert!(portions.iter().all(|portion| !portion.is_zero()), "{portions:?}");
        let all: Duration = portions.iter().sum();
        assert!(all <= Duration::from_secs(6), "{all:?}");
    }

    #[test]
    fn a_sketch_counts_what_the_bots_decide_before_a_person_does() {
        let count = |game: &str, seats: u8, person: u8| {
            let entry = catalog::find(game).unwrap();
            let options = OptionValues::choose(entry.meta.options, []).unwrap();
            let mut table = entry.open(&options, seats, &Seed::from_text("a test")).unwrap();
            let person = Seat::new(person);
            // The person makes the first move.
            if table.awaiting().includes(person) {
                let action = table.legal(person).remove(0);
                table
                    .play(person, &action, &Seed::from_text("a test"), 1)
                    .unwrap();
            }
            sketch(table.as_ref(), |seat| seat != person, |seat| seat != person, 7)
        };
        assert_eq!(count("phwar", 2, 0), 1);
        assert_eq!(count("phwar", 3, 0), 2);
        // Everybody chooses a first resource, and whoever begins then has a whole turn.
        assert!(count("phase", 5, 0) >= 4);
    }
}
