//! The positions that could still come again, for the draw by repetition.

/// Moves of both players after which the game is a draw.
pub const MOVE_LIMIT: u16 = 200;

/// Room for the opening and the position after each move.
const ROOM: usize = MOVE_LIMIT as usize + 1;

/// Keys of the positions since the last capture or new mark: neither can be undone, so nothing
/// before it can come again. Kept in place, so that playing on allocates nothing.
#[derive(Debug)]
pub struct History {
    keys: [u64; ROOM],
    len: usize,
}

/// A search copies positions all the time, and most of the room is empty.
impl Clone for History {
    fn clone(&self) -> Self {
        let mut copy = Self::new();
        copy.clone_from(self);
        copy
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.len = other.len;
        for (place, key) in self.keys.iter_mut().zip(other.keys()) {
            *place = *key;
        }
    }
}

impl History {
    pub const fn new() -> Self {
        Self {
            keys: [0; ROOM],
            len: 0,
        }
    }

    /// The history with these keys, unless there are more than any game has.
    pub fn of(keys: &[u64]) -> Option<Self> {
        let mut history = Self::new();
        history.keys.get_mut(..keys.len())?.copy_from_slice(keys);
        history.len = keys.len();
        Some(history)
    }

    pub fn keys(&self) -> &[u64] {
        &self.keys[..self.len]
    }

    /// Forgets what can't come again.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a position. A game ends before there is no room left.
    #[inline]
    pub fn push(&mut self, key: u64) {
        if let Some(place) = self.keys.get_mut(self.len) {
            *place = key;
            self.len += 1;
        }
    }

    /// How often the last position has been on the board. The side to move is part of a key, so only
    /// every second one can be equal.
    #[inline]
    pub fn occurrences(&self) -> usize {
        let mut latest = self.keys().iter().rev().step_by(2);
        latest
            .next()
            .map_or(0, |last| 1 + latest.filter(|key| *key == last).count())
    }
}
