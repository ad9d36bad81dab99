//! What is told while an action is played.
//!
//! The rules describe what happens as events. A match records them, for narration and highlights;
//! a search plays millions of actions and wants none of it. Both run the same code: the event is a
//! closure that only a listening chronicle calls.

/// Somebody to whom the rules tell what happens.
pub trait Chronicle<E> {
    /// Something happened.
    fn tell(&mut self, event: impl FnOnce() -> E);

    /// Somebody has learnt something that was hidden before. From here on the action can't be
    /// taken back unseen, even if no chance was involved.
    fn reveal(&mut self);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl<E> Chronicle<E> for Silent {
    #[inline]
    fn tell(&mut self, _event: impl FnOnce() -> E) {}

    #[inline]
    fn reveal(&mut self) {}
}

/// Everything is written down.
#[derive(Clone, Debug)]
pub struct Told<E> {
    pub events: Vec<E>,
    pub revealed: bool,
}

impl<E> Told<E> {
    pub const fn new() -> Self {
        Self {
            events: Vec::new(),
            revealed: false,
        }
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

    fn reveal(&mut self) {
        self.revealed = true;
    }
}
