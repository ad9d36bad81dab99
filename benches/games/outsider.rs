//! How the levels fare against players from outside: plain alpha-beta to a fixed depth with nothing but a simple count. Not run
//! by itself, since it takes long:
//!
//! ```sh
//! PARLOR_DUEL="phwar 4 level4 20" cargo bench --bench games -- outsider
//! PARLOR_DUEL="fabric 4 level4@40000 20 target=100 seed=again" cargo bench --bench games -- outsider
//! ```
//! The first plays twenty games of Phwar between level 4 and an outsider who looks four steps ahead, the two taking turns to
//! begin. Behind the number of games come the game's options, and a seed to play other games than usual.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parlor::ai::Agent;
use parlor::game::rng::mix;
use parlor::game::{Awaiting, Game, GameRng, Insight, OptionValues, Seat, Seed, Silent};
use parlor::games::fabric::Fabric;
use parlor::games::glyphgrid::GlyphGrid;
use parlor::games::phwar::Phwar;

use crate::share::share;

/// What an outsider counts.
trait Count: Insight {
    /// What a seat has.
    fn count(&self, seat: Seat) -> i32;

    /// What a seat has more than the other.
    fn lead(&self, seat: Seat) -> i32 {
        self.count(seat) - self.count(seat.next(2))
    }
}

impl Count for Phwar {
    fn count(&self, seat: Seat) -> i32 {
        self.particles(seat) as i32
    }
}

impl Count for Fabric {
    fn count(&self, seat: Seat) -> i32 {
        i32::from(self.score(seat))
    }
}

impl Count for GlyphGrid {
    fn count(&self, seat: Seat) -> i32 {
        (self.shards(seat) + self.marks(seat)) as i32
    }
}

const WON: i32 = 10_000;

/// More than anything is worth.
const ALL: i32 = i32::MAX - 1;

/// Looks so many steps ahead: alpha-beta, where actions that gain most at once are tried first, behind the one that refuted a
/// neighbour. That changes no value, only how soon it is found.
struct Outsider<G: Count> {
    depth: usize,
    /// For each step of the line that is followed.
    steps: Vec<Step<G>>,
    rng: GameRng,
    looked_at: u64,
}

struct Step<G: Game> {
    position: G,
    actions: Vec<G::Action>,
    /// What each action gains at once, with the action's place.
    order: Vec<(i32, usize)>,
    refutation: Option<G::Action>,
}

impl<G: Count> Outsider<G> {
    fn new(game: &G, depth: usize, rng: GameRng) -> Self {
        let step = || Step {
            position: game.clone(),
            actions: Vec::new(),
            order: Vec::new(),
            refutation: None,
        };
        Self {
            depth,
            steps: (0..=depth).map(|_| step()).collect(),
            rng,
            looked_at: 0,
        }
    }

    /// The best action by that; any of those that are alike.
    fn choose(mut self, seat: Seat) -> (G::Action, u64) {
        let mut actions = self.steps[0].position.legal_actions(seat);
        for index in (1..actions.len()).rev() {
            actions.swap(index, self.rng.below(index + 1));
        }
        actions.sort_by_cached_key(|action| {
            self.follow(0, seat, action);
            Reverse(self.glance(1, seat))
        });
        let (mut best, mut most) = (actions[0].clone(), -ALL);
        for action in actions {
            self.follow(0, seat, &action);
            let score = self.after(1, seat, most, ALL);
            if score > most {
                (best, most) = (action, score);
            }
        }
        (best, self.looked_at)
    }

    /// Plays an action of the position at this step.
    fn follow(&mut self, step: usize, seat: Seat, action: &G::Action) {
        let [before, after] = &mut self.steps[step..=step + 1] else {
            unreachable!("a line is no longer than its depth");
        };
        after.position.clone_from(&before.position);
        after.position.play(seat, action, &mut self.rng, &mut Silent);
    }

    /// What the position at this step is worth to a seat without looking any further.
    fn glance(&self, step: usize, seat: Seat) -> i32 {
        let left = (self.depth - step) as i32;
        match self.steps[step].position.outcome() {
            None => self.steps[step].position.lead(seat),
            Some(outcome) => match (outcome.winners().len(), outcome.winners().contains(seat)) {
                (1, true) => WON + left,
                (1, false) => -WON - left,
                _ => 0,
            },
        }
    }

    /// What it is worth to a seat with looking as far as it goes.
    fn after(&mut self, step: usize, seat: Seat, low: i32, high: i32) -> i32 {
        self.looked_at += 1;
        match self.steps[step].position.awaiting() {
            Awaiting::Turn(mover) if step < self.depth => {
                if mover == seat {
                    self.best_of(step, mover, low, high)
                } else {
                    -self.best_of(step, mover, -high, -low)
                }
            }
            _ => self.glance(step, seat),
        }
    }

    /// What the position at this step is worth to whoever is on turn.
    fn best_of(&mut self, step: usize, mover: Seat, mut low: i32, high: i32) -> i32 {
        let mut actions = std::mem::take(&mut self.steps[step].actions);
        let mut order = std::mem::take(&mut self.steps[step].order);
        actions.clear();
        self.steps[step].position.legal_into(mover, &mut actions);
        order.clear();
        order.extend((0..actions.len()).map(|place| (0, place)));
        // Where a line ends with the next step, a glance at it is all there is.
        if step + 1 < self.depth {
            for (gain, place) in &mut order {
                self.follow(step, mover, &actions[*place]);
                *gain = self.glance(step + 1, mover);
                if self.steps[step].refutation.as_ref() == Some(&actions[*place]) {
                    *gain += 1;
                }
            }
            order.sort_by_key(|(gain, _)| Reverse(*gain));
        }
        for (_, place) in &order {
            self.follow(step, mover, &actions[*place]);
            low = low.max(self.after(step + 1, mover, low, high));
            if low >= high {
                self.steps[step].refutation = Some(actions[*place].clone());
                break;
            }
        }
        self.steps[step].actions = actions;
        self.steps[step].order = order;
        low
    }
}

/// A meeting as it was ordered.
struct Duel<'a> {
    depth: usize,
    name: &'a str,
    games: u64,
    seed: &'a str,
    options: Vec<(&'a str, &'a str)>,
}

impl Duel<'_> {
    fn fight<G: Count>(&self) {
        let &Self {
            depth, name, games, ..
        } = self;
        let agent: Agent = name.parse().expect("a player");
        let options = OptionValues::choose(G::META.options, self.options.iter().copied()).expect("options");
        let never = AtomicBool::new(false);
        let (mut won, mut drawn, mut plies, mut looked_at) = (0, 0, 0, 0);
        let (mut own, mut theirs, mut longest, mut decisions) =
            (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0);
        for number in 0..games {
            let seed = Seed::from_text(&format!("{} {number}", self.seed));
            // The players' own chance: a stream of the seed that no step of a game reaches.
            let mut chance = seed.at(u64::MAX);
            let mut game = G::new(&options, 2, &mut seed.at(0));
            let guest = Seat::new((number % 2) as u8);
            let mut step = 0;
            while let Awaiting::Turn(seat) = game.awaiting() {
                step += 1;
                let word = chance.word();
                let begun = Instant::now();
                let action = if seat == guest {
                    let outsider = Outsider::new(&game, depth, GameRng::quick(mix(word)));
                    let (action, positions) = outsider.choose(seat);
                    theirs += begun.elapsed();
                    looked_at += positions;
                    action
                } else {
                    let thought = agent.act(&game, seat, word, &never);
                    own += begun.elapsed();
                    longest = longest.max(begun.elapsed());
                    decisions += 1;
                    thought.expect("an action").action
                };
                game.play(seat, &action, &mut seed.at(step), &mut Silent);
            }
            plies += step;
            let winners = game
                .outcome()
                .map(|outcome| outcome.winners())
                .unwrap_or_default();
            if winners.len() != 1 {
                drawn += 1;
            } else if !winners.contains(guest) {
                won += 1;
            }
            let lead = game.lead(guest.next(2));
            println!(
                "  game {number}: {won} won, {drawn} drawn of {}; {step} steps, a lead of {lead}",
                number + 1
            );
        }
        let milliseconds = |time: Duration| time.as_millis() as u64 / decisions.max(1);
        println!(
            "{}: {name} against depth {depth}: {won} won, {drawn} drawn, {} lost of {games} ({} %), {} plies; {} ms a move, at \
             worst {}; the outsider {} ms and {} positions",
            G::META.id,
            games - won - drawn,
            share(won as f64 + drawn as f64 / 2.0, games as f64),
            plies / games.max(1),
            milliseconds(own),
            longest.as_millis(),
            milliseconds(theirs),
            looked_at / decisions.max(1),
        );
    }
}

pub fn run() {
    let Ok(duel) = std::env::var("PARLOR_DUEL") else {
        return;
    };
    let words: Vec<&str> = duel.split_whitespace().collect();
    let [game, depth, name, games, settings @ ..] = &words[..] else {
        panic!("PARLOR_DUEL is GAME DEPTH PLAYER GAMES, such as `phwar 4 level4 20`");
    };
    let settings = settings
        .iter()
        .map(|setting| setting.split_once('=').expect("NAME=VALUE"));
    let (seeds, options): (Vec<_>, Vec<_>) = settings.partition(|(name, _)| *name == "seed");
    let duel = Duel {
        depth: depth
            .parse()
            .ok()
            .filter(|depth| *depth > 0)
            .expect("a depth from 1"),
        name,
        games: games.parse().expect("a number of games"),
        seed: seeds.first().map_or("outsider", |(_, seed)| seed),
        options,
    };
    match *game {
        "phwar" => duel.fight::<Phwar>(),
        "fabric" => duel.fight::<Fabric>(),
        "glyphgrid" => duel.fight::<GlyphGrid>(),
        _ => panic!("there is no duel of {game}"),
    }
}
