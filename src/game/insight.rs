//! What is known of playing a game well, beyond its rules.
//!
//! A search needs nothing but [`Game`]. Whatever a game adds here makes it stronger with the same number of
//! simulations; each heuristic says where it is written what it brought in the arena.

use std::time::Duration;

use super::{Game, GameRng, MAX_SEATS, Outcome, Seat, SeatSet, Silent};

/// What each seat may expect, from 0 (lost) to 1 (won). Places past the last seat mean nothing.
pub type Chances = [f32; MAX_SEATS as usize];

/// Small knowledge that helps a search along. Everything has a default under which the search knows the rules alone.
///
/// All of it is asked of worlds that the searching seat can't tell from the real one, never of the real one.
///
/// # Example
/// Nim, the game of [`Game`]'s example: whoever leaves a multiple of four wins.
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/game/nim.example.rs"));
/// # fn main() {
/// use parlor::game::Insight;
/// use parlor::game::insight::{Chances, Plan};
///
/// impl Insight for Nim {
///     fn plans(&self) -> &'static [Plan; 5] {
///         // Looks at each action, and judges after two steps.
///         const { &Plan::PLAIN.rated(2).levels() }
///     }
///
///     fn is_certain(&self) -> bool {
///         true
///     }
///
///     fn chances(&self) -> Option<Chances> {
///         let mut chances = [0.0; 5];
///         let lost = self.stones % 4 == 0;
///         let winner = if lost { self.to_move.next(2) } else { self.to_move };
///         chances[winner.index()] = 1.0;
///         Some(chances)
///     }
/// }
///
/// let nim = Nim::new(&OptionValues::defaults(&[]), 2, &mut GameRng::quick(1));
/// let mut rated = Vec::new();
/// nim.rate(Seat::new(0), &[1, 2, 3], &mut GameRng::quick(1), &mut rated);
/// assert_eq!(rated, [1.0, 0.0, 0.0], "one stone less leaves twenty");
/// # }
/// ```
pub trait Insight: Game {
    /// How players of level 1 to 5 go about this game, as it is played at this table.
    fn plans(&self) -> &'static [Plan; 5] {
        &Plan::BY_RULES_ALONE
    }

    /// Whether nothing is hidden, no chance ever comes, and one seat at a time is awaited: then an action always leads
    /// to the same position, and what is proven of a position stays true.
    fn is_certain(&self) -> bool {
        false
    }

    /// What each seat may expect here, as far as one can tell without playing on.
    fn chances(&self) -> Option<Chances> {
        None
    }

    /// A number for this position, the same for positions from which the game goes on alike. A search that looks ahead knows by
    /// it where it has been; without it, it looks again.
    fn key(&self) -> Option<u64> {
        None
    }

    /// Whether [`Insight::chances`] can be trusted here: not in the middle of an exchange.
    fn is_settled(&self) -> bool {
        true
    }

    /// Whether the seat on turn can certainly win with its next action, as far as that can be told at a glance. A search that looks
    /// ahead need not look any further then.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// Whether this position has been there before, so that the game may go round in circles.
    fn is_repeated(&self) -> bool {
        false
    }

    /// Whether a line of play can't be judged where it ends here, and has to be followed further.
    fn must_go_on(&self) -> bool {
        !self.is_settled()
    }

    /// Appends, in order, those legal actions that are part of an exchange: a line of play that needn't go on is still followed
    /// through them, since what it ends with may be lost with the next action. None is always right.
    fn exchanges_into(&self, seat: Seat, out: &mut Vec<Self::Action>) {
        let _ = (seat, out);
    }

    /// What a player who doesn't think long does: for playouts. At random, unless the game knows better.
    fn hunch(&self, seat: Seat, rng: &mut GameRng, buffer: &mut Vec<Self::Action>) -> Option<Self::Action> {
        self.pick(seat, rng, buffer)
    }

    /// Appends what `seat` may expect after each of these legal actions, at a first glance; nothing if there is no
    /// telling. By default the actions are tried and the positions after them looked at.
    fn rate(&self, seat: Seat, actions: &[Self::Action], rng: &mut GameRng, out: &mut Vec<f32>) {
        let mut after = self.clone();
        for action in actions {
            after.clone_from(self);
            after.play(seat, action, rng, &mut Silent);
            let chances = match after.outcome() {
                Some(outcome) => Some(chances_of(&outcome)),
                None => after.chances(),
            };
            match chances {
                Some(chances) => out.push(chances[seat.index()]),
                None => return,
            }
        }
    }
}

/// What an outcome is worth to each seat. Winning is what counts, shared among those who share it; at tables of more
/// than two a little is left for the places behind.
pub fn chances_of(outcome: &Outcome) -> Chances {
    /// How much of the worth goes by place instead of by victory, with more than two seats.
    const BY_PLACE: f32 = 0.2;
    let mut chances = [0.0; MAX_SEATS as usize];
    let seats = outcome.ranks.len();
    let winners = outcome.ranks.iter().filter(|&&rank| rank == 1).count();
    for (chance, &rank) in chances.iter_mut().zip(&outcome.ranks) {
        let won = if rank == 1 { 1.0 / winners as f32 } else { 0.0 };
        if seats <= 2 {
            *chance = won;
            continue;
        }
        let behind = outcome.ranks.iter().filter(|&&other| other > rank).count() as f32;
        let beside = outcome.ranks.iter().filter(|&&other| other == rank).count() as f32 - 1.0;
        let place = (behind + beside / 2.0) / (seats as f32 - 1.0);
        *chance = won * (1.0 - BY_PLACE) + place * BY_PLACE;
    }
    chances
}

/// The chances of seats by what each of them has: a lead of `scale` makes a seat about three times as likely to win as
/// the other. Seats that are out have none.
pub fn shares(worth: &Chances, inside: SeatSet, scale: f32) -> Chances {
    let most = inside
        .iter()
        .map(|seat| worth[seat.index()])
        .fold(f32::NEG_INFINITY, f32::max);
    let mut chances = [0.0; MAX_SEATS as usize];
    for seat in inside.iter() {
        chances[seat.index()] = ((worth[seat.index()] - most) / scale).exp();
    }
    let all: f32 = chances.iter().sum();
    chances.map(|chance| chance / all.max(f32::MIN_POSITIVE))
}

/// How a player looks for a good action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchKind {
    /// Plays games in the head: in every game.
    Simulate,
    /// Looks at every line of play to some depth: for two players of a game that is certain ([`Insight::is_certain`]) and
    /// can judge positions ([`Insight::chances`]).
    LookAhead,
}

/// How a player of one strength goes about a decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    pub way: SearchKind,
    /// So many games are played in the head, or positions looked at. None: what looks best at a first glance is played.
    pub simulations: u32,
    /// No decision takes longer than this, whatever is left of the simulations.
    pub time: Duration,
    /// How often the player plays anything at all instead, from 0 to 1.
    pub slips: f32,
    /// Whether actions are looked at ([`Insight::rate`]) before they are tried.
    pub rated: bool,
    /// After so many steps a playout is cut short and judged by [`Insight::chances`], if the game can tell.
    pub depth: u32,
    /// The share of playout steps that follow [`Insight::hunch`]; the others are random.
    pub guided: f32,
    /// How much more is tried than what looks best: the weight of exploration.
    pub boldness: f32,
}

impl Plan {
    /// Plays to the end, at random, and knows nothing but the rules.
    pub const PLAIN: Self = Self {
        way: SearchKind::Simulate,
        simulations: 1000,
        time: Duration::from_millis(900),
        slips: 0.0,
        rated: false,
        depth: u32::MAX,
        guided: 0.0,
        boldness: 0.7,
    };

    /// What levels do in a game of which nothing is known.
    const BY_RULES_ALONE: [Self; 5] = Self::PLAIN.levels();

    /// The usual five strengths of one way to play.
    pub const fn levels(self) -> [Self; 5] {
        let each = [(10, 0.25), (40, 0.1), (200, 0.0), (1000, 0.0), (1_000_000, 0.0)];
        self.strengths(each, Duration::from_secs(9))
    }

    /// Five strengths by simulations and slips; the strongest player may think for so long.
    pub const fn strengths(self, each: [(u32, f32); 5], longest: Duration) -> [Self; 5] {
        let mut plans = [self; 5];
        let mut level = 0;
        while level < plans.len() {
            plans[level] = self.with(each[level].0, each[level].1);
            level += 1;
        }
        plans[4] = plans[4].within(longest);
        plans
    }

    /// The same for a game that can judge a position ([`Insight::chances`]): actions are looked at first, and playouts
    /// are judged after `depth` steps.
    pub const fn rated(self, depth: u32) -> Self {
        Self {
            rated: true,
            depth,
            ..self
        }
    }

    /// The same players, of whom the three strongest look at so many positions ahead instead; the strongest may think for so
    /// long. Usual are a few thousand, a few hundred thousand, and `u32::MAX`, where time alone sets the end.
    pub const fn look_ahead(plans: &[Self; 5], positions: [u32; 3], longest: Duration) -> [Self; 5] {
        let mut plans = *plans;
        let mut level = 0;
        while level < positions.len() {
            plans[level + 2].way = SearchKind::LookAhead;
            plans[level + 2].simulations = positions[level];
            level += 1;
        }
        plans[4] = plans[4].within(longest);
        plans
    }

    /// The same with so many simulations, and so many slips.
    pub const fn with(self, simulations: u32, slips: f32) -> Self {
        Self {
            simulations,
            slips,
            ..self
        }
    }

    /// The same with so much time.
    pub const fn within(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// The same with another weight of exploration.
    pub const fn bold(self, boldness: f32) -> Self {
        Self { boldness, ..self }
    }
}
