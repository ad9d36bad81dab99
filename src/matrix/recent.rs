//! What came last: as many things as are told, and of more the oldest are forgotten.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The last values by key.
#[derive(Debug)]
pub struct Recent<K, V> {
    values: HashMap<K, V>,
    order: VecDeque<K>,
    most: usize,
}

impl<K: Clone + Eq + Hash, V> Recent<K, V> {
    pub fn new(most: usize) -> Self {
        Self {
            values: HashMap::new(),
            order: VecDeque::new(),
            most,
        }
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key)
    }

    /// Adds or replaces a value; whether its key is new.
    pub fn insert(&mut self, key: K, value: V) -> bool {
        if self.values.insert(key.clone(), value).is_some() {
            return false;
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.values.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_seen_once() {
        let mut seen = Recent::new(100);
        assert!(seen.insert(0, ()));
        assert!(!seen.insert(0, ()));
        for number in 1..=100 {
            assert!(seen.insert(number, ()));
        }
        assert_eq!(seen.values.len(), 100);
        assert!(seen.insert(0, ()), "what is long past is forgotten");
    }
}
