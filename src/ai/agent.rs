//! Players made of code by their names: those that people meet, and those to measure them by.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::level::Level;
use super::look_ahead::{look_ahead, weigh_ahead};
use super::playout::unit;
use super::search::{Found, search};
use super::{SearchTask, Thought};
use crate::game::insight::{Plan, SearchKind};
use crate::game::rng::mix;
use crate::game::{GameRng, Insight, Seat};

/// A player made of code: `random`, `greedy`, `level3`; `level5@2000` thinks for so many simulations and never looks at
/// the clock; `level4:rated=no,depth=8` changes its plan, to find out what a part of it brings, and
/// `level5:way=tree,time=300` thinks for 300 milliseconds a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    player: Player,
    tweaks: Vec<Tweak>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Player {
    /// Any legal action.
    Random,
    /// What looks best one action ahead.
    Greedy,
    Level(Level),
}

/// A change of a plan.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tweak {
    Way(SearchKind),
    Simulations(u32),
    /// No fewer than so many, if it thinks at all.
    AtLeast(u32),
    /// No more than this.
    Time(Duration),
    Slips(f32),
    Rated(bool),
    Depth(u32),
    Guided(f32),
    Boldness(f32),
}

/// Time that no search needs.
const NO_HURRY: Duration = Duration::from_secs(3600);

impl Agent {
    pub const RANDOM: Self = Self {
        player: Player::Random,
        tweaks: Vec::new(),
    };

    pub const GREEDY: Self = Self {
        player: Player::Greedy,
        tweaks: Vec::new(),
    };

    pub const fn level(level: Level) -> Self {
        Self {
            player: Player::Level(level),
            tweaks: Vec::new(),
        }
    }

    /// The same, with no more than this much time for a decision.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.tweaks.push(Tweak::Time(time));
        self
    }

    /// The same, without the slips that weaker levels make.
    #[must_use]
    pub fn careful(mut self) -> Self {
        self.tweaks.push(Tweak::Slips(0.0));
        self
    }

    /// The same, which never looks at so few games in its head, or positions, that chance decides what it finds: time alone
    /// makes it look at fewer.
    #[must_use]
    pub fn thorough(mut self, simulations: u32) -> Self {
        self.tweaks.push(Tweak::AtLeast(simulations));
        self
    }

    /// What the seat may expect of each of some legal actions, from 0 to 1, as far as this player can tell from what the seat
    /// knows; nothing if it was stopped or has no opinion. All are weighed alike, and each takes as long as a decision.
    pub fn weigh<G: Insight>(
        &self,
        game: &G,
        seat: Seat,
        actions: &[G::Action],
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<f32>> {
        let plan = match self.player {
            Player::Random => return None,
            Player::Greedy => return glances_at(game, seat, actions, seed),
            Player::Level(level) => self.plan(game, level)?,
        };
        if plan.simulations == 0 {
            return glances_at(game, seat, actions, seed);
        }
        let task = SearchTask {
            game,
            seat,
            among: Some(actions),
            plan: &plan,
            seed,
            stop,
        };
        if looks_ahead(&task) {
            return weigh_ahead(&task);
        }
        let alone = |action| {
            let found = search(&SearchTask {
                among: Some(std::slice::from_ref(action)),
                ..task
            })?;
            (found.simulations > 0).then_some(found.chances)
        };
        actions.iter().map(alone).collect()
    }

    /// The plan of a level as this player follows it.
    fn plan<G: Insight>(&self, game: &G, level: Level) -> Option<Plan> {
        let mut plan = *game.plans().get(level.index())?;
        // A number of simulations takes the level's own limit of time away, and never one that was asked for.
        let (limits, changes): (Vec<Tweak>, Vec<Tweak>) = self
            .tweaks
            .iter()
            .partition(|tweak| matches!(tweak, Tweak::Time(_)));
        for tweak in changes.into_iter().chain(limits) {
            tweak.change(&mut plan);
        }
        Some(plan)
    }

    /// What it plays; nothing unless the seat is awaited, or if it was stopped.
    pub fn act<G: Insight>(
        &self,
        game: &G,
        seat: Seat,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Thought<G::Action>> {
        match self.player {
            Player::Random => any(game, seat, &mut GameRng::quick(mix(seed))),
            Player::Greedy => glance(game, seat, &mut GameRng::quick(mix(seed))),
            Player::Level(level) => {
                let plan = self.plan(game, level)?;
                follow(&SearchTask {
                    game,
                    seat,
                    among: None,
                    plan: &plan,
                    seed,
                    stop,
                })
            }
        }
    }
}

/// Plays as a plan says.
fn follow<G: Insight>(task: &SearchTask<'_, G>) -> Option<Thought<G::Action>> {
    let &SearchTask {
        game,
        seat,
        plan,
        seed,
        ..
    } = task;
    let mut rng = GameRng::quick(mix(seed));
    if plan.slips > 0.0 && unit(&mut rng) < plan.slips {
        return any(game, seat, &mut rng);
    }
    if plan.simulations == 0 {
        return glance(game, seat, &mut rng);
    }
    let found = find(task)?;
    Some(Thought {
        action: found.action,
        chances: (found.simulations > 0).then_some(found.chances),
        simulations: u64::from(found.simulations),
    })
}

/// Looks for the best action in the way that the plan names.
fn find<G: Insight>(task: &SearchTask<'_, G>) -> Option<Found<G::Action>> {
    if looks_ahead(task) {
        look_ahead(task)
    } else {
        search(task)
    }
}

/// Whether lines of play are followed, where the game is one for that.
fn looks_ahead<G: Insight>(task: &SearchTask<'_, G>) -> bool {
    match task.plan.way {
        SearchKind::LookAhead => task.game.seats() == 2 && task.game.is_certain(),
        SearchKind::Simulate => false,
    }
}

/// What actions look worth at a first glance, in a world that the seat can't tell from this one.
fn glances_at<G: Insight>(game: &G, seat: Seat, actions: &[G::Action], seed: u64) -> Option<Vec<f32>> {
    let mut rng = GameRng::quick(mix(seed));
    let world = game.determinize(seat, &mut rng);
    let mut ratings = Vec::new();
    world.rate(seat, actions, &mut rng, &mut ratings);
    (ratings.len() == actions.len()).then_some(ratings)
}

fn any<G: Insight>(game: &G, seat: Seat, rng: &mut GameRng) -> Option<Thought<G::Action>> {
    let action = game.pick(seat, rng, &mut Vec::new())?;
    Some(Thought {
        action,
        chances: None,
        simulations: 0,
    })
}

/// What looks best in a world that the seat can't tell from this one; any of those that look alike.
fn glance<G: Insight>(game: &G, seat: Seat, rng: &mut GameRng) -> Option<Thought<G::Action>> {
    let legal = game.legal_actions(seat);
    if legal.len() < 2 {
        return any(game, seat, rng);
    }
    let world = game.determinize(seat, rng);
    let mut ratings = Vec::new();
    world.rate(seat, &legal, rng, &mut ratings);
    if ratings.len() != legal.len() {
        return any(game, seat, rng);
    }
    let most = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let best: Vec<&G::Action> = legal
        .iter()
        .zip(&ratings)
        .filter(|(_, rating)| **rating >= most)
        .map(|(action, _)| action)
        .collect();
    let action = rng.choose(&best).copied()?.clone();
    Some(Thought {
        action,
        chances: Some(most),
        simulations: 0,
    })
}

impl Tweak {
    const fn change(self, plan: &mut Plan) {
        match self {
            Self::Way(way) => plan.way = way,
            Self::Simulations(simulations) => {
                plan.simulations = simulations;
                plan.time = NO_HURRY;
            }
            Self::AtLeast(simulations) => {
                if plan.simulations > 0 && plan.simulations < simulations {
                    plan.simulations = simulations;
                }
            }
            Self::Time(time) => {
                if time.as_nanos() < plan.time.as_nanos() {
                    plan.time = time;
                }
            }
            Self::Slips(slips) => plan.slips = slips,
            Self::Rated(rated) => plan.rated = rated,
            Self::Depth(depth) => plan.depth = depth,
            Self::Guided(guided) => plan.guided = guided,
            Self::Boldness(boldness) => plan.boldness = boldness,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (name, value) = text.split_once('=')?;
        Some(match name {
            "simulations" => Self::Simulations(value.parse().ok()?),
            "time" => Self::Time(Duration::from_millis(value.parse().ok()?)),
            "way" => Self::Way(match value {
                "ahead" => SearchKind::LookAhead,
                "tree" => SearchKind::Simulate,
                _ => return None,
            }),
            "slips" => Self::Slips(share(value)?),
            "rated" => Self::Rated(match value {
                "yes" => true,
                "no" => false,
                _ => return None,
            }),
            "depth" if value == "end" => Self::Depth(u32::MAX),
            "depth" => Self::Depth(value.parse().ok()?),
            "guided" => Self::Guided(share(value)?),
            "boldness" => Self::Boldness(value.parse().ok().filter(|bold: &f32| bold.is_finite())?),
            _ => return None,
        })
    }
}

fn share(text: &str) -> Option<f32> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share))
}

/// Nobody is called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no player `{0}`; there is random, greedy and level1 to level5, with @N behind a level for so many \
     simulations"
)]
pub struct UnknownAgent(pub String);

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        let unknown = || UnknownAgent(text.chars().take(60).collect());
        match text {
            "random" => return Ok(Self::RANDOM),
            "greedy" => return Ok(Self::GREEDY),
            _ => {}
        }
        let (named, tweaks) = text.split_once(':').unwrap_or((text, ""));
        let (name, budget) = match named.split_once('@') {
            Some((name, budget)) => (name, Some(budget)),
            None => (named, None),
        };
        let number = name.strip_prefix("level").and_then(|number| number.parse().ok());
        let level = number.and_then(Level::new).ok_or_else(unknown)?;
        let mut agent = Self::level(level);
        if let Some(budget) = budget {
            let simulations = budget.parse().map_err(|_| unknown())?;
            agent.tweaks.push(Tweak::Simulations(simulations));
        }
        for tweak in tweaks.split(',').filter(|tweak| !tweak.is_empty()) {
            agent.tweaks.push(Tweak::read(tweak).ok_or_else(unknown)?);
        }
        Ok(agent)
    }
}
