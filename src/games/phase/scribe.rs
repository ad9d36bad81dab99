//! What the rules write with: chance, and somebody who is told what happens.

use super::event::Event;
use crate::game::{Chronicle, GameRng, Seat, SeatSet};

/// Chance and chronicle of one step.
pub(super) struct Scribe<'a, C> {
    pub rng: &'a mut GameRng,
    pub told: &'a mut C,
}

impl<C: Chronicle<Event>> Scribe<'_, C> {
    #[inline]
    pub fn tell(&mut self, event: impl FnOnce() -> Event) {
        self.told.tell(event);
    }

    /// These seats have learnt something.
    #[inline]
    pub fn reveal(&mut self, seats: SeatSet) {
        self.told.reveal_to(seats);
    }

    /// What follows depends on what a player keeps private.
    #[inline]
    pub fn heed(&mut self, owner: Seat) {
        self.told.heed(owner);
    }
}
