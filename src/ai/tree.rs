//! The tree that a search grows.
//!
//! A [`Branch`] is a situation in which somebody decides; its [`Twig`]s are the actions that were found there, next to
//! each other in one list. A twig belongs to whoever takes the action and keeps the score of that seat alone: everybody
//! is taken to play for themselves, whatever the number of seats.
//!
//! Where chance or hidden cards make the same actions lead to different positions, a branch stands for all positions
//! to which the actions on the way to it can lead. Then not all of its twigs can be taken each time, and a twig counts
//! how often it could have been.

use crate::game::insight::Chances;
use crate::game::{GameRng, Seat};

/// The most twigs of a tree: some 80 megabytes. After that nothing grows, and only scores change.
const MOST_TWIGS: usize = 1_500_000;

/// How many simulations a first glance weighs as much as.
const GLANCE: f32 = 1.0;

/// How sharply a better first glance is preferred: the difference in chances that makes an action about three times as
/// attractive.
const CONTRAST: f32 = 0.08;

/// The place of a twig or branch in its list.
pub(super) type Index = u32;

/// No branch has grown here.
const BARE: Index = Index::MAX;

/// An action with what came of it.
#[derive(Clone, Debug)]
pub(super) struct Twig<A> {
    pub action: A,
    pub seat: Seat,
    /// Where it leads.
    branch: Index,
    pub visits: u32,
    /// How often it could have been taken.
    available: u32,
    /// What its seat got, added up.
    sum: f32,
    /// What its seat expects at a first glance.
    guess: f32,
    /// How attractive it is at a first glance.
    appeal: f32,
    /// What its seat gets, once that is proven.
    proven: Option<f32>,
}

impl<A> Twig<A> {
    fn new(action: A, seat: Seat) -> Self {
        Self {
            action,
            seat,
            branch: BARE,
            visits: 0,
            available: 0,
            sum: 0.0,
            guess: 0.5,
            appeal: 1.0,
            proven: None,
        }
    }

    /// What its seat may expect of it.
    pub fn chances(&self) -> f32 {
        if let Some(proven) = self.proven {
            return proven;
        }
        if self.visits == 0 {
            self.guess
        } else {
            self.sum / self.visits as f32
        }
    }

    pub const fn proven(&self) -> Option<f32> {
        self.proven
    }

    fn glance(&mut self, guess: f32) {
        self.guess = guess;
        self.appeal = (guess / CONTRAST).exp();
    }
}

/// A situation.
#[derive(Clone, Copy, Debug)]
struct Branch {
    first: Index,
    count: u32,
    visits: u32,
    /// How many twigs are proven.
    proven_twigs: u32,
    /// Whether its actions were looked at.
    rated: bool,
    /// What everybody gets, once that is proven.
    proven: Option<Chances>,
}

impl Branch {
    const NEW: Self = Self {
        first: 0,
        count: 0,
        visits: 0,
        proven_twigs: 0,
        rated: false,
        proven: None,
    };
}

/// See the module.
#[derive(Debug)]
pub(super) struct Tree<A> {
    branches: Vec<Branch>,
    twigs: Vec<Twig<A>>,
    /// The branches and twigs of the simulation that is under way.
    way: Vec<(Index, Index)>,
    /// The twigs that can be taken, in an uncertain world.
    open: Vec<Index>,
}

/// Where every simulation starts.
pub(super) const ROOT: Index = 0;

impl<A: Clone + Ord> Tree<A> {
    pub fn new() -> Self {
        Self {
            branches: vec![Branch::NEW],
            twigs: Vec::new(),
            way: Vec::new(),
            open: Vec::new(),
        }
    }

    fn branch(&self, index: Index) -> Branch {
        self.branches.get(index as usize).copied().unwrap_or(Branch::NEW)
    }

    /// The twigs of a branch.
    pub fn twigs(&self, branch: Index) -> &[Twig<A>] {
        let Branch { first, count, .. } = self.branch(branch);
        self.twigs
            .get(first as usize..first as usize + count as usize)
            .unwrap_or_default()
    }

    fn twigs_mut(&mut self, branch: Index) -> &mut [Twig<A>] {
        let Branch { first, count, .. } = self.branch(branch);
        self.twigs
            .get_mut(first as usize..first as usize + count as usize)
            .unwrap_or_default()
    }

    pub fn twig(&self, index: Index) -> Option<&Twig<A>> {
        self.twigs.get(index as usize)
    }

    /// A simulation starts.
    pub fn set_out(&mut self) {
        self.way.clear();
    }

    pub fn proven(&self, branch: Index) -> Option<Chances> {
        self.branch(branch).proven
    }

    pub fn has_grown(&self, branch: Index) -> bool {
        self.branch(branch).count > 0
    }

    fn is_full(&self, more: usize) -> bool {
        self.twigs.len() + more > MOST_TWIGS
    }

    /// Grows all twigs of a branch at once, with what is expected of each if that is known. Nothing happens where the
    /// tree is full.
    pub fn grow(&mut self, branch: Index, seat: Seat, actions: &[A], guesses: &[f32]) {
        let first = self.twigs.len() as Index;
        if self.is_full(actions.len()) {
            return;
        }
        self.twigs
            .extend(actions.iter().map(|action| Twig::new(action.clone(), seat)));
        let rated = guesses.len() == actions.len();
        if let Some(branch) = self.branches.get_mut(branch as usize) {
            branch.first = first;
            branch.count = actions.len() as u32;
            branch.rated = rated;
        }
        if rated {
            let twigs = self.twigs_mut(branch);
            for (twig, guess) in twigs.iter_mut().zip(guesses) {
                twig.glance(*guess);
            }
            let all: f32 = twigs.iter().map(|twig| twig.appeal).sum();
            for twig in twigs {
                twig.appeal /= all;
            }
        }
    }

    /// The twig to follow where all can be taken.
    pub fn select(&self, branch: Index, boldness: f32) -> Option<Index> {
        let Branch {
            first,
            count,
            visits,
            rated,
            ..
        } = self.branch(branch);
        if !rated && visits < count {
            // Everything is tried once, starting anywhere.
            return Some(first + (visits + first.wrapping_mul(0x9E37_79B9) % count) % count);
        }
        let twigs = self.twigs(branch);
        let spread = boldness
            * if rated {
                (visits as f32 + 1.0).sqrt()
            } else {
                (visits as f32).ln().sqrt()
            };
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for (index, twig) in (first..).zip(twigs) {
            let tried = twig.visits as f32;
            let score = match twig.proven {
                Some(proven) => proven,
                None if rated => {
                    let expected = (twig.sum + GLANCE * twig.guess) / (tried + GLANCE);
                    expected + spread * twig.appeal / (tried + 1.0)
                }
                None => twig.sum / tried + spread / tried.sqrt(),
            };
            if score > most {
                most = score;
                best = Some(index);
            }
        }
        best
    }

    /// Makes sure that a branch has a twig for each of these actions of a seat, which are sorted, and notes which those
    /// are. Returns the actions that are new.
    pub fn offer(&mut self, branch: Index, seat: Seat, actions: &[A]) -> Vec<A> {
        self.open.clear();
        let Branch { first, .. } = self.branch(branch);
        let mut missing = Vec::new();
        // Twigs are sorted by seat and action, and so are the actions.
        let mut twigs = (first..).zip(self.twigs(branch)).peekable();
        let mut open = Vec::with_capacity(actions.len());
        for action in actions {
            let wanted = (seat, action);
            while twigs
                .next_if(|(_, twig)| (twig.seat, &twig.action) < wanted)
                .is_some()
            {}
            match twigs.next_if(|(_, twig)| (twig.seat, &twig.action) == wanted) {
                Some((index, _)) => open.push(index),
                None => missing.push(action.clone()),
            }
        }
        self.open = open;
        if missing.is_empty() || self.is_full(self.twigs(branch).len() + missing.len()) {
            return Vec::new();
        }
        self.regrow(branch, seat, &missing);
        let first = self.branch(branch).first;
        let twigs = (first..).zip(self.twigs(branch));
        self.open = twigs
            .filter(|(_, twig)| twig.seat == seat && actions.binary_search(&twig.action).is_ok())
            .map(|(index, _)| index)
            .collect();
        missing
    }

    /// Moves the twigs of a branch to the end of the list, where there is room for more. Nothing but the branch knows
    /// where they are.
    fn regrow(&mut self, branch: Index, seat: Seat, missing: &[A]) {
        let mut twigs = self.twigs(branch).to_vec();
        twigs.extend(missing.iter().map(|action| Twig::new(action.clone(), seat)));
        twigs.sort_unstable_by(|one, other| (one.seat, &one.action).cmp(&(other.seat, &other.action)));
        if let Some(branch) = self.branches.get_mut(branch as usize) {
            branch.first = self.twigs.len() as Index;
            branch.count = twigs.len() as u32;
        }
        self.twigs.extend(twigs);
    }

    /// What is expected of actions that were new when they were offered.
    pub fn glance(&mut self, branch: Index, seat: Seat, actions: &[A], guesses: &[f32]) {
        if actions.len() != guesses.len() {
            return;
        }
        if let Some(branch) = self.branches.get_mut(branch as usize) {
            branch.rated = true;
        }
        for twig in self.twigs_mut(branch) {
            if twig.seat == seat
                && let Ok(place) = actions.binary_search(&twig.action)
                && let Some(guess) = guesses.get(place)
            {
                twig.glance(*guess);
            }
        }
    }

    /// The twig to follow among those that were offered last.
    pub fn select_open(&mut self, branch: Index, boldness: f32, rng: &mut GameRng) -> Option<Index> {
        let rated = self.branch(branch).rated;
        let twigs = &mut self.twigs;
        let (mut all, mut untried) = (0.0, 0);
        for &index in &self.open {
            let twig = twigs.get_mut(index as usize)?;
            twig.available += 1;
            all += twig.appeal;
            untried += usize::from(twig.visits == 0);
        }
        if !rated && untried > 0 {
            let any = rng.quick_below(untried);
            let fresh = |index: &&Index| twigs.get(**index as usize).is_some_and(|twig| twig.visits == 0);
            return self.open.iter().filter(fresh).nth(any).copied();
        }
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for &index in &self.open {
            let twig = twigs.get(index as usize)?;
            let (tried, available) = (twig.visits as f32, twig.available as f32);
            let score = if rated {
                let expected = (twig.sum + GLANCE * twig.guess) / (tried + GLANCE);
                expected + boldness * available.sqrt() * twig.appeal / all / (tried + 1.0)
            } else {
                twig.sum / tried + boldness * (available.ln() / tried).sqrt()
            };
            if score > most {
                most = score;
                best = Some(index);
            }
        }
        best
    }

    /// Takes a twig of a branch; its score is settled when the simulation is over.
    pub fn take(&mut self, branch: Index, twig: Index) {
        self.way.push((branch, twig));
        if let Some(branch) = self.branches.get_mut(branch as usize) {
            branch.visits += 1;
        }
    }

    /// The branch to which a twig leads; it starts without twigs.
    pub fn follow(&mut self, twig: Index) -> Index {
        let next = self.branches.len() as Index;
        let Some(twig) = self.twigs.get_mut(twig as usize) else {
            return ROOT;
        };
        if twig.branch == BARE {
            twig.branch = next;
            self.branches.push(Branch::NEW);
        }
        twig.branch
    }

    /// The twig of this action of a seat, which is grown if need be: for choices whose score is kept elsewhere. Nothing
    /// where the tree is full.
    pub fn find(&mut self, branch: Index, seat: Seat, action: &A) -> Option<Index> {
        let wanted = (seat, action);
        let search = |tree: &Self| {
            let twigs = tree.twigs(branch);
            let place = twigs.binary_search_by(|twig| (twig.seat, &twig.action).cmp(&wanted));
            place.ok().map(|place| tree.branch(branch).first + place as Index)
        };
        if let Some(found) = search(self) {
            return Some(found);
        }
        if self.is_full(self.twigs(branch).len() + 1) {
            return None;
        }
        self.regrow(branch, seat, std::slice::from_ref(action));
        search(self)
    }

    /// The simulation is over: everybody on its way learns what came of it.
    pub fn learn(&mut self, chances: &Chances) {
        for &(_, index) in &self.way {
            if let Some(twig) = self.twigs.get_mut(index as usize) {
                twig.visits += 1;
                twig.sum += chances[twig.seat.index()];
            }
        }
    }

    /// The last twig of the way certainly leads to this. What follows from that for the branches before it is proven,
    /// too.
    pub fn prove(&mut self, chances: &Chances) {
        let mut proven = *chances;
        for &(branch_index, twig_index) in self.way.iter().rev() {
            let Some(twig) = self.twigs.get_mut(twig_index as usize) else {
                return;
            };
            let (seat, fresh) = (twig.seat, twig.proven.is_none());
            let own = proven[seat.index()];
            twig.proven = Some(own);
            let end = twig.branch;
            if end == BARE {
                twig.branch = self.branches.len() as Index;
                self.branches.push(Branch {
                    proven: Some(proven),
                    ..Branch::NEW
                });
            } else if let Some(branch) = self.branches.get_mut(end as usize) {
                branch.proven = Some(proven);
            }
            let Some(branch) = self.branches.get_mut(branch_index as usize) else {
                return;
            };
            branch.proven_twigs += u32::from(fresh);
            if own < 1.0 {
                if branch.proven_twigs < branch.count {
                    return;
                }
                // Nothing is left to be found out: the best of it is what the seat gets.
                let best = self
                    .twigs(branch_index)
                    .iter()
                    .max_by(|one, other| one.chances().total_cmp(&other.chances()));
                let Some(led) = best.map(|twig| twig.branch) else {
                    return;
                };
                match self.branch(led).proven {
                    Some(chances) => proven = chances,
                    None => return,
                }
            }
            if let Some(branch) = self.branches.get_mut(branch_index as usize) {
                branch.proven = Some(proven);
            }
        }
    }
}
