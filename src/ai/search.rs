//! Monte Carlo tree search, over any game.
//!
//! Each simulation follows the tree from the position at hand, adds to it, judges the position where it ends
//! ([`judge`]) and lets everybody on the way learn from that. Nothing here recurses, and the same position, seed and
//! number of simulations give the same answer: time only ever makes a search shorter. It ends as soon as no other action
//! can overtake the first one in what is left of it.
//!
//! Where nothing is hidden and no chance comes ([`Insight::is_certain`]), actions are played in the one world there is,
//! and what is proven is not searched again. Everywhere else each simulation starts in a world of its own from
//! [`Game::determinize`], and one tree gathers what comes of an action in all of them (information-set search from the
//! eyes of one seat).
//!
//! Where several seats choose at once, each learns at the branch where the choices began, and none of them is where it
//! could know what another has chosen. In an open window the searching seat acts first at the root; further down any of
//! those who may.
//!
//! The tree is not kept for the next move: the branch that is left after two moves holds a few hundredths of the
//! simulations where there are fifty actions or more, and keeping it would make a move depend on those before it.
//!
//! [`Game::determinize`]: crate::game::Game::determinize

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::SearchTask;
use super::playout::{judge, unit};
use super::tree::{Index, ROOT, Tree, Twig};
use crate::game::explore::random_seat;
use crate::game::insight::{Chances, Plan, chances_of};
use crate::game::rng::mix;
use crate::game::{Awaiting, GameRng, Insight, Seat, SeatSet, Silent};

/// How often the clock is read, and whether the lead can still be overtaken is looked at.
const GLANCE: u32 = 16;

/// How far first glances differ by mood. Where nothing else is left to chance, a player would otherwise play the same game
/// over and over.
const WHIM: f32 = 0.02;

/// What a search found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<A> {
    pub action: A,
    /// What the seat may expect, from 0 to 1.
    pub chances: f32,
    pub simulations: u32,
}

/// Looks for the best action of an awaited seat; nothing if it was stopped or the seat isn't awaited. Slips are not its
/// business.
pub fn search<G: Insight>(task: &SearchTask<'_, G>) -> Option<Found<G::Action>> {
    let &SearchTask {
        game,
        seat,
        among,
        plan,
        seed,
        stop,
    } = task;
    let legal = game.legal_actions(seat);
    match &legal[..] {
        [] => return None,
        [only] => {
            return Some(Found {
                action: only.clone(),
                chances: 0.5,
                simulations: 0,
            });
        }
        [..] => {}
    }
    let mut search = Search {
        seat,
        among,
        plan,
        tree: Tree::new(),
        rng: GameRng::quick(mix(seed ^ 0x5EA2_C4ED)),
        actions: Vec::new(),
        guesses: Vec::new(),
        buffer: Vec::new(),
    };
    let simulations = if game.is_certain() {
        search.run(
            stop,
            Certain {
                start: game,
                world: game.clone(),
            },
        )?
    } else {
        search.run(stop, Uncertain { start: game, seed })?
    };
    let own = search.tree.twigs(ROOT).iter();
    let best = own
        .filter(|twig| twig.seat == seat && legal.binary_search(&twig.action).is_ok())
        .max_by(|one, other| worthier(one, other))?;
    Some(Found {
        action: best.action.clone(),
        chances: best.chances(),
        simulations,
    })
}

/// What is proven to win comes first, what is proven to lose last; in between what was tried most, and what promised
/// most of that.
fn worthier<A>(one: &Twig<A>, other: &Twig<A>) -> std::cmp::Ordering {
    let certainty = |twig: &Twig<A>| match twig.proven() {
        Some(proven) if proven >= 1.0 => 2,
        Some(proven) if proven <= 0.0 => 0,
        Some(_) | None => 1,
    };
    // A proven draw is visited once and then known: it must be compared by what it gives.
    let drawn = one.proven().is_some() || other.proven().is_some();
    let by_chances = one.chances().total_cmp(&other.chances());
    let by_visits = one.visits.cmp(&other.visits);
    certainty(one).cmp(&certainty(other)).then(if drawn {
        by_chances.then(by_visits)
    } else {
        by_visits.then(by_chances)
    })
}

/// How many more simulations fit into the time, if they go on as they did. None when it is over.
fn still_to_come(done: u32, elapsed: Duration, time: Duration) -> u32 {
    /// Later simulations are often quicker than the first ones.
    const HASTE: f64 = 1.5;
    let left = time.saturating_sub(elapsed);
    if left.is_zero() {
        return 0;
    }
    let pace = f64::from(done) / elapsed.as_secs_f64().max(f64::EPSILON);
    // What is too much for the type becomes the most it can hold.
    (HASTE * pace * left.as_secs_f64()).ceil() as u32
}

struct Search<'a, G: Insight> {
    seat: Seat,
    /// Nothing else is tried first.
    among: Option<&'a [G::Action]>,
    plan: &'a Plan,
    tree: Tree<G::Action>,
    rng: GameRng,
    actions: Vec<G::Action>,
    guesses: Vec<f32>,
    buffer: Vec<G::Action>,
}

/// The worlds in which simulations take place.
trait Worlds<G: Insight> {
    /// One simulation, from the root to what everybody learns from it.
    fn simulate(&mut self, search: &mut Search<'_, G>, number: u32) -> Chances;
}

/// There is one world.
struct Certain<'a, G> {
    start: &'a G,
    world: G,
}

/// Every simulation has its own.
struct Uncertain<'a, G> {
    start: &'a G,
    seed: u64,
}

impl<G: Insight> Search<'_, G> {
    /// Simulates until nothing is left to do, and tells how often. Nothing if it was stopped.
    fn run(&mut self, stop: &AtomicBool, mut worlds: impl Worlds<G>) -> Option<u32> {
        let start = Instant::now();
        let most = self.plan.simulations.max(1);
        for number in 0..most {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if number % GLANCE == GLANCE - 1 {
                let left = still_to_come(number, start.elapsed(), self.plan.time).min(most - number);
                if left == 0 || self.is_decided(left) {
                    return Some(number);
                }
            }
            if self.tree.proven(ROOT).is_some() {
                return Some(number);
            }
            self.tree.set_out();
            let chances = worlds.simulate(self, number);
            self.tree.learn(&chances);
        }
        Some(most)
    }

    /// Whether no other action can be tried as often as the first one any more.
    fn is_decided(&self, left: u32) -> bool {
        // Who looks at one action wants to know what it is worth.
        if self.among.is_some_and(|among| among.len() < 2) {
            return false;
        }
        let (mut most, mut second) = (0, 0);
        for twig in self.tree.twigs(ROOT).iter().filter(|twig| twig.seat == self.seat) {
            if twig.proven().is_some() {
                return false;
            }
            if twig.visits > most {
                second = most;
                most = twig.visits;
            } else if twig.visits > second {
                second = twig.visits;
            }
        }
        most > second + left
    }

    /// Leaves out what is not to be tried first.
    fn choose_among(&self, actions: &mut Vec<G::Action>) {
        if let Some(among) = self.among {
            actions.retain(|action| among.contains(action));
        }
    }

    /// Writes down what is to be expected of some actions, if the plan wants that.
    fn rate(&mut self, world: &G, seat: Seat, actions: &[G::Action]) {
        self.guesses.clear();
        if self.plan.rated {
            world.rate(seat, actions, &mut self.rng, &mut self.guesses);
            for guess in &mut self.guesses {
                *guess = (*guess + WHIM * (unit(&mut self.rng) - 0.5)).clamp(0.0, 1.0);
            }
        }
    }
}

impl<G: Insight> Worlds<G> for Certain<'_, G> {
    fn simulate(&mut self, search: &mut Search<'_, G>, _number: u32) -> Chances {
        let world = &mut self.world;
        world.clone_from(self.start);
        let mut at = ROOT;
        // A branch grows when it is come to for the second time: most are never come to again.
        let mut fresh = false;
        loop {
            if let Some(proven) = search.tree.proven(at) {
                search.tree.prove(&proven);
                return proven;
            }
            let Awaiting::Turn(seat) = world.awaiting() else {
                let chances = world.outcome().map_or([0.5; 5], |outcome| chances_of(&outcome));
                search.tree.prove(&chances);
                return chances;
            };
            if !fresh && !search.tree.has_grown(at) {
                let mut actions = std::mem::take(&mut search.actions);
                actions.clear();
                world.legal_into(seat, &mut actions);
                if at == ROOT {
                    search.choose_among(&mut actions);
                }
                search.rate(world, seat, &actions);
                search.tree.grow(at, seat, &actions, &search.guesses);
                search.actions = actions;
            }
            let chosen = if fresh {
                None
            } else {
                search.tree.select(at, search.plan.boldness)
            };
            let Some(chosen) = chosen else {
                return judge(world, search.plan, &mut search.rng, &mut search.buffer);
            };
            search.tree.take(at, chosen);
            let Some(twig) = search.tree.twig(chosen) else {
                return judge(world, search.plan, &mut search.rng, &mut search.buffer);
            };
            fresh = twig.visits == 0;
            world.play(seat, &twig.action, &mut search.rng, &mut Silent);
            if !fresh || world.awaiting().is_over() {
                at = search.tree.follow(chosen);
            }
        }
    }
}

impl<G: Insight> Worlds<G> for Uncertain<'_, G> {
    fn simulate(&mut self, search: &mut Search<'_, G>, number: u32) -> Chances {
        // Each world has chance of its own, so that how long one simulation was changes nothing in the next.
        search.rng = GameRng::quick(mix(self.seed ^ mix(u64::from(number) + 1)));
        let mut world = self.start.determinize(search.seat, &mut search.rng);
        let mut at = ROOT;
        let mut together = Together::nobody();
        // No game is longer than its bound, whatever the tree looks like.
        for _ in 0..G::META.bound {
            let awaiting = world.awaiting();
            let asked = match awaiting {
                Awaiting::Any(seats) if at == ROOT && seats.contains(search.seat) => Some(search.seat),
                awaiting => random_seat(awaiting, &mut search.rng),
            };
            let Some(seat) = asked else {
                break;
            };
            let home = together.home(awaiting, at);
            let mut actions = std::mem::take(&mut search.actions);
            actions.clear();
            world.legal_into(seat, &mut actions);
            if home == ROOT && seat == search.seat {
                search.choose_among(&mut actions);
            }
            let missing = search.tree.offer(home, seat, &actions);
            search.actions = actions;
            if !missing.is_empty() {
                search.rate(&world, seat, &missing);
                search.tree.glance(home, seat, &missing, &search.guesses);
            }
            let Some(chosen) = search
                .tree
                .select_open(home, search.plan.boldness, &mut search.rng)
            else {
                break;
            };
            search.tree.take(home, chosen);
            let Some(twig) = search.tree.twig(chosen) else {
                break;
            };
            let fresh = twig.visits == 0;
            let action = twig.action.clone();
            world.play(seat, &action, &mut search.rng, &mut Silent);
            if fresh {
                break;
            }
            // Choices made at once lead on from one another, but are learnt at home.
            let step = if home == at {
                Some(chosen)
            } else {
                search.tree.find(at, seat, &action)
            };
            let Some(step) = step else {
                break;
            };
            at = search.tree.follow(step);
        }
        judge(&mut world, search.plan, &mut search.rng, &mut search.buffer)
    }
}

/// Those who choose at once, and the branch at which they began to.
struct Together {
    left: SeatSet,
    home: Index,
}

impl Together {
    const fn nobody() -> Self {
        Self {
            left: SeatSet::EMPTY,
            home: ROOT,
        }
    }

    /// The branch at which the next choice is learnt.
    fn home(&mut self, awaiting: Awaiting, at: Index) -> Index {
        let Awaiting::Each(seats) = awaiting else {
            self.left = SeatSet::EMPTY;
            return at;
        };
        // Whoever has chosen is no longer waited for; if somebody else is, these are new choices.
        let goes_on = !self.left.is_empty()
            && seats.len() < self.left.len()
            && seats.iter().all(|seat| self.left.contains(seat));
        if !goes_on {
            self.home = at;
        }
        self.left = seats;
        self.home
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_into_the_time_is_told_from_the_pace() {
        let seconds = Duration::from_secs;
        assert_eq!(still_to_come(1000, seconds(9), seconds(9)), 0);
        assert_eq!(still_to_come(1000, seconds(10), seconds(9)), 0);
        // A thousand a second, two seconds left, and half as many again to be safe.
        assert_eq!(still_to_come(7000, seconds(7), seconds(9)), 3000);
        assert_eq!(still_to_come(15, Duration::ZERO, seconds(9)), u32::MAX);
        assert_eq!(still_to_come(15, seconds(1), Duration::MAX), u32::MAX);
        // Whoever has come to nothing has still all the time that is left.
        assert!(still_to_come(15, seconds(1), seconds(9)) > 0);
    }
}
