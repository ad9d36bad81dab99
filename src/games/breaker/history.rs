//! The positions that turns have started from, for the third occurrence.

/// No game has more turns than this, both players together.
pub const MOST_TURNS: u16 = 300;

/// Keys of positions, in the order of turns.
#[derive(Clone)]
pub(super) struct History {
    keys: [u64; MOST_TURNS as usize + 1],
    len: u16,
}

impl History {
    pub const fn new() -> Self {
        Self {
            keys: [0; MOST_TURNS as usize + 1],
            len: 0,
        }
    }

    pub fn keys(&self) -> &[u64] {
        &self.keys[..usize::from(self.len)]
    }

    pub fn push(&mut self, key: u64) {
        if let Some(place) = self.keys.get_mut(usize::from(self.len)) {
            *place = key;
            self.len += 1;
        }
    }

    pub fn count(&self, key: u64) -> usize {
        self.keys().iter().filter(|&&seen| seen == key).count()
    }

    /// Adds the same to every key: what was hidden all the while is now thought to be something else.
    pub fn shift(&mut self, by: u64) {
        for key in &mut self.keys[..usize::from(self.len)] {
            *key = key.wrapping_add(by);
        }
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}
