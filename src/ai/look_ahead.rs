//! Looking ahead: every line of play to some depth, for two players where nothing is hidden and no chance comes.
//!
//! This is alpha-beta with iterative deepening. A line is not followed where one of the two would never let it come to that;
//! so the order in which actions are looked at matters most: first what was best when this position was looked at before
//! ([`Table`]), then what refuted a neighbour, then what looks best at a first glance ([`Insight::rate`]). What comes late in
//! that order is looked at less deeply, and again in full if it turns out well. Where a line ends in the middle of an exchange
//! or under a threat ([`Insight::must_go_on`]) it is followed until that is over, and where somebody can win at once
//! ([`Insight::wins_at_once`]) it ends.
//!
//! A line that comes back to a position ([`Insight::is_repeated`]) is a draw, and whoever thinks would rather play on, even where
//! they stand a little worse ([`DRAW`]): two players of equal strength would otherwise repeat moves wherever neither sees a way forward.
//! Whoever asks for chances is told that a draw is half a win.
//!
//! Past its depth a line is followed through the actions alone that are part of an exchange ([`Insight::exchanges_into`]); whoever is on
//! turn may leave them at any time.
//!
//! The same position, seed and number of looked-at positions give the same answer: time only ever makes a search shorter.
//! And but for what is looked at less deeply, the short cuts ([`Shortcuts`]) change no value: [`worth`] finds the same without.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::SearchTask;
use super::search::Found;
use crate::game::insight::Plan;
use crate::game::rng::mix;
use crate::game::{Awaiting, GameRng, Insight, Seat, Silent};

/// What a position is worth to somebody: hundredths of the logarithm of the odds to win.
pub type Score = i32;

/// A won game, less one for each step until then.
const WON: Score = 30_000;
/// What is worth more is won for certain.
const CERTAIN: Score = 29_000;
/// The most that a position is worth which isn't won.
const SURE: f32 = 2_000.0;
/// How much a position's worth differs by mood, both ways: a player would otherwise play the same game over and over.
const WHIM: u64 = 8;
/// How much worse than an even position whoever thinks would rather have than a draw.
const DRAW: Score = 60;

/// No line is followed further than this.
const LONGEST: usize = 64;
/// How many steps past its depth a line is followed while it isn't settled.
const UNSETTLED: i32 = 10;
/// How many positions are looked at between two looks at the clock.
const GLANCE: u32 = 256;

/// How a search spares itself work. Players use all of it; what each leaves out can be found out with [`worth`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    /// A line is left to which one of the two would never let it come.
    pub cuts: bool,
    /// What was found out about a position is used when it is come to again.
    pub table: bool,
    /// What comes late in the order is looked at less deeply. This alone can change what is found.
    pub reductions: bool,
}

impl Shortcuts {
    pub const ALL: Self = Self {
        cuts: true,
        table: true,
        reductions: true,
    };

    pub const NONE: Self = Self {
        cuts: false,
        table: false,
        reductions: false,
    };
}

/// What a position is worth to whoever is on turn, so many steps ahead; nothing if nobody is, or it can't be found out.
pub fn worth<G: Insight>(game: &G, depth: u8, seed: u64, shortcuts: Shortcuts) -> Option<Score> {
    let Awaiting::Turn(seat) = game.awaiting() else {
        return None;
    };
    let plan = Plan::PLAIN.with(u32::MAX, 0.0).within(Duration::MAX);
    let never = AtomicBool::new(false);
    let mut search = Lines::new(game, seat, &plan, seed, &never);
    search.shortcuts = shortcuts;
    search.value(0, seat, depth.into(), Window::WHOLE).ok()
}

/// Looks for the best action of the seat on turn; nothing if it was stopped or the seat isn't on turn.
pub fn look_ahead<G: Insight>(task: &SearchTask<'_, G>) -> Option<Found<G::Action>> {
    let mut actions = task.game.legal_actions(task.seat);
    if let [only] = &actions[..] {
        return Some(Found {
            action: only.clone(),
            chances: 0.5,
            simulations: 0,
        });
    }
    if let Some(among) = task.among {
        actions.retain(|action| among.contains(action));
    }
    let mut search = Lines::new(task.game, task.seat, task.plan, task.seed, task.stop);
    let (best, score) = search.deepen(task.seat, &actions).ok()??;
    Some(Found {
        action: actions.get(best)?.clone(),
        chances: expectation(score),
        simulations: search.looked_at,
    })
}

/// What the named actions of the seat on turn are worth to it, from 0 to 1; nothing if it was stopped or could not look at all of
/// them. All are looked at equally far, so that they can be compared, and together for as long as it would take to look at one
/// after the other.
pub fn weigh_ahead<G: Insight>(task: &SearchTask<'_, G>) -> Option<Vec<f32>> {
    let actions = task.among?;
    let times = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    let plan = Plan {
        simulations: task.plan.simulations.saturating_mul(times),
        time: task.plan.time.saturating_mul(times),
        ..*task.plan
    };
    let mut search = Lines::new(task.game, task.seat, &plan, task.seed, task.stop);
    let scores = search.weigh(task.seat, actions).ok()??;
    Some(scores.into_iter().map(expectation).collect())
}

/// A search ended before it came to an end.
enum Ended {
    /// Nobody waits for it any more.
    Stopped,
    /// What it was given is used up.
    UsedUp,
}

/// What is kept for each step of a line.
struct Step<A> {
    actions: Vec<A>,
    /// The actions by their places in the list, best first.
    order: Vec<Place>,
    ratings: Vec<f32>,
    /// What refuted other positions at this step.
    refutation: Option<A>,
}

impl<A> Default for Step<A> {
    fn default() -> Self {
        Self {
            actions: Vec::new(),
            order: Vec::new(),
            ratings: Vec::new(),
            refutation: None,
        }
    }
}

/// The place of an action in a position's list of legal ones.
type Place = u16;
/// The place of none.
const NOWHERE: Place = Place::MAX;

struct Lines<'a, G: Insight> {
    plan: &'a Plan,
    /// Who thinks.
    seat: Seat,
    stop: &'a AtomicBool,
    shortcuts: Shortcuts,
    start: Instant,
    looked_at: u32,
    /// The position at each step of the line that is followed.
    worlds: Vec<G>,
    steps: Vec<Step<G::Action>>,
    table: Table,
    whim: u64,
    rng: GameRng,
}

/// What somebody can be sure of, and what the other would not let them have more of.
#[derive(Clone, Copy)]
struct Window {
    low: Score,
    high: Score,
}

impl Window {
    const WHOLE: Self = Self {
        low: -WON - 1,
        high: WON + 1,
    };

    /// The same with the other's eyes.
    const fn turned(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }

    /// Only asks whether something is better than what one can be sure of.
    const fn narrow(self) -> Self {
        Self {
            low: self.low,
            high: self.low + 1,
        }
    }
}

impl<'a, G: Insight> Lines<'a, G> {
    fn new(game: &G, seat: Seat, plan: &'a Plan, seed: u64, stop: &'a AtomicBool) -> Self {
        Self {
            plan,
            seat,
            stop,
            shortcuts: Shortcuts::ALL,
            start: Instant::now(),
            looked_at: 0,
            worlds: vec![game.clone(); LONGEST + 1],
            steps: (0..=LONGEST).map(|_| Step::default()).collect(),
            table: Table::new(plan.simulations),
            whim: mix(seed ^ 0x100C_A4EA),
            rng: GameRng::quick(mix(seed)),
        }
    }

    /// Looks one step deeper each time. The place of the best action, and what it is worth.
    fn deepen(&mut self, seat: Seat, actions: &[G::Action]) -> Result<Option<(usize, Score)>, Ended> {
        let mut order: Vec<usize> = (0..actions.len()).collect();
        let mut ratings = Vec::new();
        self.worlds[0].rate(seat, actions, &mut self.rng, &mut ratings);
        if ratings.len() == actions.len() {
            order.sort_by(|&one, &other| ratings[other].total_cmp(&ratings[one]));
        }
        let mut best = order.first().map(|&first| (first, 0));
        for depth in 1..LONGEST as i32 {
            if self.is_too_late_for(depth)? {
                break;
            }
            let mut window = Window::WHOLE;
            let mut found = None;
            for (index, &place) in order.iter().enumerate() {
                let score = self.try_action(0, seat, &actions[place], depth, index, window);
                match score {
                    Ok(score) if found.is_none() || score > window.low => {
                        window.low = score;
                        found = Some((place, score));
                    }
                    Ok(_) => {}
                    Err(Ended::Stopped) => return Err(Ended::Stopped),
                    Err(Ended::UsedUp) => return Ok(found.or(best)),
                }
            }
            best = found.or(best);
            let Some((place, score)) = best else {
                break;
            };
            // What was best is looked at first.
            order.retain(|&other| other != place);
            order.insert(0, place);
            if score.abs() >= CERTAIN {
                break;
            }
        }
        Ok(best)
    }

    /// Looks one step deeper each time at all of some actions: what each is worth, as far as all have been looked at.
    fn weigh(&mut self, seat: Seat, actions: &[G::Action]) -> Result<Option<Vec<Score>>, Ended> {
        let mut weighed = None;
        for depth in 1..LONGEST as i32 {
            if self.is_too_late_for(depth)? {
                break;
            }
            let scores = actions
                .iter()
                .map(|action| self.try_action(0, seat, action, depth, 0, Window::WHOLE))
                .collect::<Result<Vec<Score>, Ended>>();
            let scores = match scores {
                Ok(scores) => scores,
                Err(Ended::Stopped) => return Err(Ended::Stopped),
                Err(Ended::UsedUp) => break,
            };
            let certain = scores.iter().all(|score| score.abs() >= CERTAIN);
            weighed = Some(scores);
            if certain {
                break;
            }
        }
        Ok(weighed)
    }

    /// Whether looking so deep would hardly come to an end: what can't be finished is not begun.
    fn is_too_late_for(&self, depth: i32) -> Result<bool, Ended> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Ended::Stopped);
        }
        Ok(depth > 1 && self.start.elapsed() > self.plan.time / 2)
    }

    /// What an action is worth to whoever takes it, which comes as the `index`th in its position.
    fn try_action(
        &mut self,
        step: usize,
        seat: Seat,
        action: &G::Action,
        depth: i32,
        index: usize,
        window: Window,
    ) -> Result<Score, Ended> {
        let [before, after] = &mut self.worlds[step..=step + 1] else {
            return Ok(0);
        };
        after.clone_from(before);
        after.play(seat, action, &mut self.rng, &mut Silent);
        let Awaiting::Turn(next) = after.awaiting() else {
            let winners = after
                .outcome()
                .map(|outcome| outcome.winners())
                .unwrap_or_default();
            // Both may lose, too: then nobody is better off than the other.
            if winners.len() != 1 {
                return Ok(self.drawn(seat));
            }
            let won = WON - step as Score - 1;
            return Ok(if winners.contains(seat) { won } else { -won });
        };
        let eyes = |window: Window| if next == seat { window } else { window.turned() };
        let own = |score: Score| if next == seat { score } else { -score };
        let depth = depth - 1;
        if index == 0 || !self.shortcuts.cuts {
            return Ok(own(self.value(step + 1, next, depth, eyes(window))?));
        }
        let shallow = if self.shortcuts.reductions {
            depth - reduction(depth + 1, index)
        } else {
            depth
        };
        let mut score = own(self.value(step + 1, next, shallow, eyes(window.narrow()))?);
        if score > window.low && shallow < depth {
            score = own(self.value(step + 1, next, depth, eyes(window.narrow()))?);
        }
        if score > window.low && score < window.high {
            score = own(self.value(step + 1, next, depth, eyes(window))?);
        }
        Ok(score)
    }

    /// What the position at this step is worth to whoever is on turn.
    fn value(&mut self, step: usize, seat: Seat, depth: i32, window: Window) -> Result<Score, Ended> {
        self.look()?;
        if self.worlds[step].wins_at_once() {
            return Ok(WON - step as Score - 1);
        }
        if self.worlds[step].is_repeated() {
            return Ok(self.drawn(seat));
        }
        let key = self.worlds[step].key();
        let remembered = key.filter(|_| self.shortcuts.table);
        let known = remembered.and_then(|key| self.table.find(key));
        if let Some(known) = known
            && i32::from(known.depth) >= depth
            && let Some(score) = known.answer(step, window)
        {
            return Ok(score);
        }
        if step + 1 >= LONGEST || depth <= -UNSETTLED {
            return Ok(self.judge(step, seat, key));
        }
        let mut idle = None;
        let actions = &mut self.steps[step].actions;
        actions.clear();
        if depth > 0 || self.worlds[step].must_go_on() {
            self.worlds[step].legal_into(seat, actions);
        } else {
            self.worlds[step].exchanges_into(seat, actions);
            let over = actions.is_empty();
            let score = self.judge(step, seat, key);
            if over {
                return Ok(score);
            }
            idle = Some(score);
        }
        let mut here = std::mem::take(&mut self.steps[step]);
        let best = known.map(|known| known.best);
        let searched = self.best_of(step, seat, depth, window, &mut here, best, idle);
        self.steps[step] = here;
        let (score, best, bound) = searched?;
        if let Some(key) = remembered {
            self.table.keep(key, Known::new(step, score, depth, bound, best));
        }
        Ok(score)
    }

    /// Tries the actions of a position in order, until the other would not let it come to this. Whoever may do something else
    /// expects at least what that is worth.
    #[expect(clippy::too_many_arguments, reason = "all there is to a step of a line")]
    fn best_of(
        &mut self,
        step: usize,
        seat: Seat,
        depth: i32,
        mut window: Window,
        here: &mut Step<G::Action>,
        known: Option<Place>,
        idle: Option<Score>,
    ) -> Result<(Score, Place, Bound), Ended> {
        let (mut most, mut best, mut bound) = (idle.unwrap_or(-WON - 1), NOWHERE, Bound::AtMost);
        if most >= window.high {
            return Ok((most, best, Bound::AtLeast));
        }
        if most > window.low {
            bound = Bound::Exactly;
            self.raise(&mut window, most);
        }
        self.put_in_order(step, seat, depth, here, known);
        for (index, &place) in here.order.iter().enumerate() {
            let Some(action) = here.actions.get(usize::from(place)) else {
                continue;
            };
            let score = self.try_action(step, seat, action, depth, index, window)?;
            if score > most {
                most = score;
                // Elsewhere the same place would be another action.
                best = if idle.is_none() { place } else { NOWHERE };
            }
            if score > window.low {
                bound = Bound::Exactly;
                self.raise(&mut window, score);
            }
            if score >= window.high {
                here.refutation = Some(action.clone());
                bound = Bound::AtLeast;
                break;
            }
        }
        Ok((most, best, bound))
    }

    /// Somebody can be sure of so much.
    const fn raise(&self, window: &mut Window, score: Score) {
        if self.shortcuts.cuts {
            window.low = score;
        }
    }

    fn put_in_order(
        &mut self,
        step: usize,
        seat: Seat,
        depth: i32,
        here: &mut Step<G::Action>,
        known: Option<Place>,
    ) {
        let world = &self.worlds[step];
        here.order.clear();
        here.order
            .extend(0..here.actions.len().min(usize::from(NOWHERE)) as Place);
        here.ratings.clear();
        // A glance at every action costs as much as looking one step ahead.
        if depth >= 2 {
            world.rate(seat, &here.actions, &mut self.rng, &mut here.ratings);
        }
        let ratings = &here.ratings;
        if ratings.len() == here.actions.len() {
            let rating = |place: Place| ratings.get(usize::from(place)).copied().unwrap_or_default();
            here.order
                .sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
        } else if let Some(refutation) = &here.refutation
            && let Ok(place) = here.actions.binary_search(refutation)
        {
            to_front(&mut here.order, place as Place);
        }
        if let Some(known) = known {
            to_front(&mut here.order, known);
        }
    }

    /// What a draw is worth to somebody.
    fn drawn(&self, seat: Seat) -> Score {
        if seat == self.seat { -DRAW } else { DRAW }
    }

    /// What a position is worth at a first glance.
    fn judge(&self, step: usize, seat: Seat, key: Option<u64>) -> Score {
        let Some(chances) = self.worlds[step].chances() else {
            return 0;
        };
        let own = chances[seat.index()];
        let whim = key.map_or(WHIM, |key| mix(key ^ self.whim) % (2 * WHIM + 1));
        // The whim is the same for both players: it belongs to the position.
        let whim = whim as Score - WHIM as Score;
        let whim = if seat.index() == 0 { whim } else { -whim };
        let logit = 100.0 * (own.max(f32::MIN_POSITIVE) / (1.0 - own).max(f32::EPSILON / 2.0)).ln();
        let score = logit.clamp(-SURE, SURE) as Score + whim;
        // Nothing but a draw is worth what a draw is.
        if score.abs() == DRAW {
            score + score.signum()
        } else {
            score
        }
    }

    /// Counts a position, and looks at the clock now and then.
    fn look(&mut self) -> Result<(), Ended> {
        self.looked_at += 1;
        if self.looked_at >= self.plan.simulations {
            return Err(Ended::UsedUp);
        }
        if self.looked_at.is_multiple_of(GLANCE) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Ended::Stopped);
            }
            if self.start.elapsed() > self.plan.time {
                return Err(Ended::UsedUp);
            }
        }
        Ok(())
    }
}

/// How much less deeply an action is looked at that comes late in the order.
fn reduction(depth: i32, index: usize) -> i32 {
    if depth < 2 || index < 3 {
        return 0;
    }
    ((depth as f32).ln() * (index as f32).ln() / 2.0) as i32
}

/// What somebody may expect, from 0 to 1. Who thinks likes a draw less than it is worth; that is a matter of taste, and told to
/// nobody.
fn expectation(score: Score) -> f32 {
    if score.abs() == DRAW {
        return 0.5;
    }
    1.0 / (1.0 + (-score as f32 / 100.0).exp())
}

fn to_front(order: &mut [Place], wanted: Place) {
    if let Some(at) = order.iter().position(|&place| place == wanted)
        && let Some(front) = order.get_mut(..=at)
    {
        front.rotate_right(1);
    }
}

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    AtLeast,
    Exactly,
    AtMost,
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// With the steps to a certain end counted from the position.
    score: Score,
    best: Place,
    depth: i8,
    bound: Bound,
}

impl Known {
    fn new(step: usize, score: Score, depth: i32, bound: Bound, best: Place) -> Self {
        Self {
            score: shifted(score, step as Score),
            best,
            depth: depth.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8,
            bound,
        }
    }

    /// The score, if it is all that the window asks for.
    fn answer(self, step: usize, window: Window) -> Option<Score> {
        let score = shifted(self.score, -(step as Score));
        let enough = match self.bound {
            Bound::Exactly => true,
            Bound::AtLeast => score >= window.high,
            Bound::AtMost => score <= window.low,
        };
        enough.then_some(score)
    }
}

/// A certain end, so many steps closer.
const fn shifted(score: Score, steps: Score) -> Score {
    if score >= CERTAIN {
        score + steps
    } else if score <= -CERTAIN {
        score - steps
    } else {
        score
    }
}

/// Positions that were looked at, by their keys. A place that is taken is given to whatever comes.
struct Table {
    places: Vec<Option<(u64, Known)>>,
}

impl Table {
    /// The most places: some 12 megabytes.
    const MOST: usize = 1 << 19;

    /// As large as a search of so many positions can use.
    fn new(positions: u32) -> Self {
        let places = (positions as usize)
            .clamp(1 << 10, Self::MOST)
            .next_power_of_two();
        Self {
            places: vec![None; places.min(Self::MOST)],
        }
    }

    fn place(&self, key: u64) -> usize {
        (key % self.places.len() as u64) as usize
    }

    fn find(&self, key: u64) -> Option<Known> {
        let (found, known) = self.places.get(self.place(key)).copied().flatten()?;
        (found == key).then_some(known)
    }

    fn keep(&mut self, key: u64, known: Known) {
        let at = self.place(key);
        if let Some(place) = self.places.get_mut(at) {
            *place = Some((key, known));
        }
    }
}
