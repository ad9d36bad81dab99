//! Turns of matches as those who watch were shown them. To show one takes as long as playing the match again, and anybody may
//! ask, so what was shown is kept for a while. What a player sees depends on their settings as well, and is not kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::visitor::Visitor;
use crate::chat::pages::{PageViewer, SeenPicture};
use crate::matches::code::Code;

/// How many turns are kept.
const KEPT: usize = 128;

/// A turn of a match at a version.
type Name = (Code, u64, u32);

/// The last turns that were shown.
#[derive(Debug, Default)]
pub struct Turns {
    /// The least recently shown first.
    kept: Mutex<VecDeque<(Name, SeenPicture)>>,
}

impl Turns {
    /// The end of a turn as it was shown, if that is kept.
    pub fn find(&self, visitor: &Visitor, number: u32) -> Option<SeenPicture> {
        if visitor.eyes != PageViewer::Public {
            return None;
        }
        let name = (visitor.code.clone(), visitor.version, number);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|(known, _)| *known == name)?;
        let found = kept.remove(index)?;
        let seen = found.1.clone();
        kept.push_back(found);
        Some(seen)
    }

    /// Keeps one more, if everybody may see it.
    pub fn keep(&self, visitor: &Visitor, number: u32, seen: &SeenPicture) {
        if visitor.eyes != PageViewer::Public {
            return;
        }
        let name = (visitor.code.clone(), seen.version, number);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Of an earlier version nothing is asked for again.
        kept.retain(|((code, version, turn), _)| {
            *code != visitor.code || (*version == seen.version && *turn != number)
        });
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((name, seen.clone()));
    }
}
