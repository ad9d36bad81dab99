//! The lists that a player builds of a game's items: decks, of a card game.
//!
//! What is in them means something to the game alone ([`crate::game::collection`]). They are their owner's secret.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The most lists that one player keeps for one game.
pub const MOST_LISTS: usize = 30;

/// The most items that are kept in one list, far more than any game wants.
pub const MOST_ITEMS: usize = 100;

/// The longest name of a list.
pub const LONGEST_NAME: usize = 24;

/// All lists of one player for one game, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lists(BTreeMap<String, Vec<String>>);

impl Lists {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0
            .iter()
            .map(|(name, items)| (name.as_str(), items.as_slice()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(&name.to_lowercase()).map(Vec::as_slice)
    }

    fn existing(&mut self, name: &str) -> Result<&mut Vec<String>, ListRefusal> {
        let known = name.to_lowercase();
        self.0
            .get_mut(&known)
            .ok_or_else(|| ListRefusal::Unknown(name.to_owned()))
    }

    /// Starts a list, or replaces it if `replace` allows.
    pub fn put(&mut self, name: &str, items: Vec<String>, replace: bool) -> Result<(), ListRefusal> {
        let name = valid(name)?;
        let there = self.0.contains_key(&name);
        if there && !replace {
            return Err(ListRefusal::Taken(name));
        }
        if !there && self.0.len() >= MOST_LISTS {
            return Err(ListRefusal::TooMany);
        }
        if items.len() > MOST_ITEMS {
            return Err(ListRefusal::TooLong);
        }
        self.0.insert(name, items);
        Ok(())
    }

    pub fn rename(&mut self, name: &str, new: &str) -> Result<(), ListRefusal> {
        let new = valid(new)?;
        let old = name.to_lowercase();
        self.existing(&old)?;
        if new != old && self.0.contains_key(&new) {
            return Err(ListRefusal::Taken(new));
        }
        if let Some(items) = self.0.remove(&old) {
            self.0.insert(new, items);
        }
        Ok(())
    }

    pub fn delete(&mut self, name: &str) -> Result<(), ListRefusal> {
        self.existing(name)?;
        self.0.remove(&name.to_lowercase());
        Ok(())
    }

    /// Adds items that are not there yet; returns how many were new.
    pub fn add(&mut self, name: &str, items: Vec<String>) -> Result<usize, ListRefusal> {
        let list = self.existing(name)?;
        let before = list.len();
        for item in items {
            if !list.contains(&item) {
                list.push(item);
            }
        }
        let new = list.len() - before;
        if list.len() > MOST_ITEMS {
            list.truncate(before);
            return Err(ListRefusal::TooLong);
        }
        Ok(new)
    }

    /// Takes items out; returns how many there were.
    pub fn remove(&mut self, name: &str, items: &[String]) -> Result<usize, ListRefusal> {
        let list = self.existing(name)?;
        let before = list.len();
        list.retain(|item| !items.contains(item));
        Ok(before - list.len())
    }
}

/// A name as it is kept: small letters, digits and hyphens.
fn valid(name: &str) -> Result<String, ListRefusal> {
    let name = name.to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || c == '-';
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME || !name.chars().all(fits) {
        return Err(ListRefusal::Name);
    }
    Ok(name)
}

/// Why a list was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRefusal {
    /// There is no list of this name.
    Unknown(String),
    /// There is one already.
    Taken(String),
    /// A name that can't be one.
    Name,
    TooMany,
    TooLong,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn lists_are_named_filled_and_emptied() {
        let mut lists = Lists::default();
        lists.put("Wolves", Vec::new(), false).unwrap();
        assert_eq!(lists.add("WOLVES", items(&["F1", "F2", "F1"])), Ok(2));
        assert_eq!(lists.remove("wolves", &items(&["F1", "F9"])), Ok(1));
        assert_eq!(lists.get("wolves"), Some(&items(&["F2"])[..]));
        lists.rename("wolves", "dogs").unwrap();
        assert_eq!(lists.get("wolves"), None);
        lists.delete("dogs").unwrap();
        assert!(lists.is_empty());
    }

    #[test]
    fn what_can_not_be_is_refused_and_changes_nothing() {
        let mut lists = Lists::default();
        lists.put("one", items(&["F1"]), false).unwrap();
        lists.put("two", items(&["F2"]), false).unwrap();
        let before = lists.clone();
        assert_eq!(
            lists.put("One", Vec::new(), false),
            Err(ListRefusal::Taken("one".to_owned()))
        );
        assert_eq!(
            lists.rename("one", "two"),
            Err(ListRefusal::Taken("two".to_owned()))
        );
        assert_eq!(
            lists.rename("three", "four"),
            Err(ListRefusal::Unknown("three".to_owned()))
        );
        assert_eq!(
            lists.put("so many words", Vec::new(), false),
            Err(ListRefusal::Name)
        );
        assert_eq!(
            lists.put(&"x".repeat(25), Vec::new(), false),
            Err(ListRefusal::Name)
        );
        let many: Vec<String> = (0..=MOST_ITEMS).map(|n| n.to_string()).collect();
        assert_eq!(lists.add("one", many), Err(ListRefusal::TooLong));
        assert_eq!(lists, before);
        for number in 0..MOST_LISTS - 2 {
            lists.put(&format!("n{number}"), Vec::new(), false).unwrap();
        }
        assert_eq!(lists.put("last", Vec::new(), false), Err(ListRefusal::TooMany));
    }
}
