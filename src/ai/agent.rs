//! Players made of code by their names: those that people meet, and those to measure them by.

use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Thought;
use super::level::Level;
use super::look_ahead::look_ahead;
use super::playout::unit;
use super::search::{Found, search};
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

    /// What the seat may expect of a legal action, from 0 to 1, as far as this player can tell from what the seat knows;
    /// nothing if it was stopped or has no opinion.
    pub fn weigh<G: Insight>(
        &self,
        game: &G,
        seat: Seat,
        action: &G::Action,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<f32> {
        match self.player {
            Player::Random => None,
            Player::Greedy => glance_at(game, seat, action, seed),
            Player::Level(level) => {
                let plan = self.plan(game, level)?;
                if plan.simulations == 0 {
                    return glance_at(game, seat, action, seed);
                }
                let among = std::slice::from_ref(action);
                let found = find(game, seat, Some(among), &plan, seed, stop)?;
                (found.simulations > 0).then_some(found.chances)
            }
        }
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
                follow(game, seat, &plan, seed, stop)
            }
        }
    }
}

/// Plays as a plan says.
fn follow<G: Insight>(
    game: &G,
    seat: Seat,
    plan: &Plan,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Thought<G::Action>> {
    let mut rng = GameRng::quick(mix(seed));
    if plan.slips > 0.0 && unit(&mut rng) < plan.slips {
        return any(game, seat, &mut rng);
    }
    if plan.simulations == 0 {
        return glance(game, seat, &mut rng);
    }
    let found = find(game, seat, None, plan, seed, stop)?;
    Some(Thought {
        action: found.action,
        chances: (found.simulations > 0).then_some(found.chances),
        simulations: u64::from(found.simulations),
    })
}

/// Looks for the best action in the way that the plan names.
fn find<G: Insight>(
    game: &G,
    seat: Seat,
    among: Option<&[G::Action]>,
    plan: &Plan,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Found<G::Action>> {
    match plan.way {
        SearchKind::LookAhead if game.seats() == 2 && game.is_certain() => {
            look_ahead(game, seat, among, plan, seed, stop)
        }
        SearchKind::LookAhead | SearchKind::Simulate => search(game, seat, among, plan, seed, stop),
    }
}

/// What an action looks worth at a first glance, in a world that the seat can't tell from this one.
fn glance_at<G: Insight>(game: &G, seat: Seat, action: &G::Action, seed: u64) -> Option<f32> {
    let mut rng = GameRng::quick(mix(seed));
    let world = game.determinize(seat, &mut rng);
    let mut ratings = Vec::new();
    world.rate(seat, std::slice::from_ref(action), &mut rng, &mut ratings);
    ratings.first().copied()
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
