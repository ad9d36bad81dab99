//! What helps to play Phase well.
//!
//! The sense for what a position is worth, and what a quick player does, are in [`super::greedy`].

use std::time::Duration;

use super::Phase;
use super::action::Action;
use super::flow::Question;
use super::greedy::{DEFENCE_MARGIN, MARGIN, MOST_CHOICES, Worth};
use crate::game::insight::{Chances, Plan, chances_of, shares};
use crate::game::{Game, GameRng, Insight, MAX_SEATS, Seat};

/// A lead of so many hundredths of influence makes it about three to one.
const SCALE: f32 = 500.0;

/// How much better, in chances, what a quick player would do is thought to be, where nothing else tells.
const PREFERENCE: f32 = 0.06;

/// The same for how a defence ends: few simulations don't tell whether it is good to be asked in the fights.
const CALM: f32 = 5.0 * PREFERENCE;

/// Playing on as a quick player would, for twenty decisions and until nothing is half done, tells what an action is good
/// for. In 40 games each of 80 simulations a decision, judging as soon as nothing was half done scored 85 % against
/// `greedy`, playing on 98 %. Against twenty decisions ten scored 35 % in 24
/// games, and forty 35 % in 20.
const THOUGHTFUL: Plan = Plan {
    guided: 1.0,
    ..Plan::PLAIN.rated(20).bold(0.6)
};

static PLANS: [Plan; 5] = THOUGHTFUL.strengths(
    [(0, 0.4), (0, 0.1), (8, 0.1), (24, 0.0), (100_000, 0.0)],
    // A turn takes some twenty decisions.
    Duration::from_millis(500),
);

impl Phase {
    fn chances_for(&self, seat: Seat) -> f32 {
        match self.outcome() {
            Some(outcome) => chances_of(&outcome)[seat.index()],
            None => self.standing_chances()[seat.index()],
        }
    }

    fn standing_chances(&self) -> Chances {
        let mut worth = [0.0; MAX_SEATS as usize];
        let inside = self.remaining();
        for seat in inside.iter() {
            worth[seat.index()] = self.worth(seat) as f32 / 2.0;
        }
        shares(&worth, inside, SCALE)
    }

    /// What a quick player thinks of one action; `still` is what the seat may expect as it is.
    fn opinion(&self, seat: Seat, action: Action, still: f32, rng: &mut GameRng) -> f32 {
        match action {
            Action::Order(_) | Action::Skill { .. } | Action::Train(_) => {
                self.after(seat, action, rng).chances_for(seat)
            }
            // It costs something and brings nothing.
            Action::IdleOrder(_) | Action::IdleSkill { .. } => still - PREFERENCE,
            // The order of the attack is as good as any.
            Action::Skirmish(_) => still - PREFERENCE,
            _ => still + as_chances(MARGIN),
        }
    }
}

/// Whether an action leaves it at that in the worse of two ways.
fn is_other_leave(best: Option<Action>, action: Action) -> bool {
    let leaves = matches!(
        action,
        Action::Pass | Action::PassHere | Action::PassWhatever | Action::PassUnopposed | Action::Done
    );
    leaves && best.is_some_and(|best| best != action)
}

/// A small lead as a difference in chances, where it is about even.
fn as_chances(worth: Worth) -> f32 {
    worth as f32 / SCALE / 4.0
}

impl Insight for Phase {
    fn plans(&self) -> &'static [Plan; 5] {
        &PLANS
    }

    /// Nothing is half done, and nobody is attacked.
    fn is_settled(&self) -> bool {
        !self.stage.is_opening() && self.doing.is_none() && self.attack.is_none() && self.triggers.is_empty()
    }

    fn chances(&self) -> Option<Chances> {
        Some(self.standing_chances())
    }

    fn hunch(&self, seat: Seat, rng: &mut GameRng, _buffer: &mut Vec<Action>) -> Option<Action> {
        self.quick(seat, rng)
    }

    fn rate(&self, seat: Seat, actions: &[Action], rng: &mut GameRng, out: &mut Vec<f32>) {
        let still = self.chances_for(seat);
        let question = self.ask.filter(|_| !self.stage.is_opening()).map(|ask| ask.what);
        match question {
            Some(Question::Action | Question::Training) => {
                let leave = self.best_leave(seat, actions, rng);
                for action in actions {
                    let opinion = self.opinion(seat, *action, still, rng);
                    out.push(if is_other_leave(leave, *action) {
                        opinion - PREFERENCE
                    } else {
                        opinion
                    });
                }
            }
            Some(Question::Choose) => {
                for (number, action) in actions.iter().enumerate() {
                    out.push(if number < MOST_CHOICES {
                        self.after(seat, *action, rng).chances_for(seat)
                    } else {
                        still - PREFERENCE
                    });
                }
            }
            Some(Question::Defenders) => {
                let leave = self.best_leave(seat, actions, rng);
                for action in actions {
                    out.push(match action {
                        action if is_other_leave(leave, *action) => still - CALM,
                        Action::Done | Action::Pass | Action::PassWhatever | Action::PassUnopposed => {
                            still + as_chances(DEFENCE_MARGIN)
                        }
                        action => self.after(seat, *action, rng).chances_for(seat),
                    });
                }
            }
            Some(
                Question::Attack
                | Question::Target
                | Question::Attackers
                | Question::Skirmish
                | Question::Pay
                | Question::Discard
                | Question::Divide(_),
            ) => {
                let preferred = self.quick(seat, rng);
                out.extend(actions.iter().map(|action| {
                    if Some(*action) == preferred {
                        still + PREFERENCE
                    } else {
                        still
                    }
                }));
            }
            None => out.extend(actions.iter().map(|_| still)),
        }
    }
}
