//! What is told while an action is played.
//!
//! The rules describe what happens as events. A match records them, for narration and highlights;
//! a search plays millions of actions and wants none of it. Both run the same code: the event is a
//! closure that only a listening chronicle calls.

use super::{MAX_SEATS, Seat, SeatSet};

/// Somebody to whom the rules tell what happens.
pub trait Chronicle<E> {
    /// Something happened.
    fn tell(&mut self, event: impl FnOnce() -> E);

    /// Somebody has learnt something that was hidden before. From here on the action can't be
    /// taken back unseen, even if no chance was involved.
    fn reveal(&mut self) {
        self.reveal_to(SeatSet::all(MAX_SEATS));
    }

    /// These seats have learnt something that was hidden from them. Whoever acted and is not among them knew
    /// it before, and may go on in the same sentence.
    fn reveal_to(&mut self, seats: SeatSet);

    /// What happens from here on depends on what this seat keeps private. No sentence of another goes on behind
    /// this, so that nobody finds out by trying one.
    fn heed(&mut self, owner: Seat);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl<E> Chronicle<E> for Silent {
    #[inline]
    fn tell(&mut self, _event: impl FnOnce() -> E) {}

    #[inline]
    fn reveal_to(&mut self, _seats: SeatSet) {}

    #[inline]
    fn heed(&mut self, _owner: Seat) {}
}

/// Everything is written down.
#[derive(Clone, Debug)]
pub struct Told<E> {
    pub events: Vec<E>,
    /// Somebody has learnt something.
    pub revealed: bool,
    /// Who has.
    pub learnt: SeatSet,
    /// Whose private wishes have made a difference.
    pub heeded: SeatSet,
    /// How many events each seat could have foretold, once it has learnt something.
    foretold: [Option<usize>; MAX_SEATS as usize],
}

impl<E> Told<E> {
    pub const fn new() -> Self {
        Self {
            events: Vec::new(),
            revealed: false,
            learnt: SeatSet::EMPTY,
            heeded: SeatSet::EMPTY,
            foretold: [None; MAX_SEATS as usize],
        }
    }

    /// What a seat could have foretold: all that happened before it learnt anything, or before it mattered what others
    /// keep private.
    pub fn foretold(&self, seat: Seat) -> &[E] {
        let until = self.foretold.get(seat.index()).copied().flatten();
        let until = until.unwrap_or(self.events.len());
        self.events.get(..until).unwrap_or_default()
    }

    fn note_learning(&mut self, seats: SeatSet) {
        let now = self.events.len();
        for seat in seats.iter() {
            if let Some(foretold) = self.foretold.get_mut(seat.index()) {
                foretold.get_or_insert(now);
            }
        }
    }

    /// Whether a sentence of this seat must end here.
    pub const fn ends_sentence(&self, seat: Seat) -> bool {
        self.learnt.contains(seat) || self.heeded.has_other_than(seat)
    }
}

impl<E> Default for Told<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Chronicle<E> for Told<E> {
    fn tell(&mut self, event: impl FnOnce() -> E) {
        self.events.push(event());
    }

    fn reveal_to(&mut self, seats: SeatSet) {
        self.note_learning(seats);
        for seat in seats.iter() {
            self.learnt.insert(seat);
            self.revealed = true;
        }
    }

    fn heed(&mut self, owner: Seat) {
        let mut others = SeatSet::all(MAX_SEATS);
        others.remove(owner);
        self.note_learning(others);
        self.heeded.insert(owner);
    }
}
