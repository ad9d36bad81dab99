//! The stories of matches. Telling one takes as long as playing the match again, so what was told is kept for a while: by the
//! version of the match, which private wishes leave as it is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::problem::Problem;
use super::visitor::Visitor;
use crate::chat::message::Text;
use crate::chat::pages::PageViewer;
use crate::chat::parlor::Parlor;
use crate::matches::code::Code;
use crate::matches::refusal::Failure;

/// How many stories are kept.
const KEPT: usize = 64;

/// What happened in a match turn by turn, as one viewer may be told it.
pub type Story = Arc<Vec<Text>>;

type Name = (Code, u64, PageViewer);

/// The last stories that were told.
#[derive(Debug, Default)]
pub struct Stories {
    /// The least recently told first.
    kept: Mutex<VecDeque<(Name, Story)>>,
}

impl Stories {
    /// The story of a match at this version. It may take long: call it off the async threads.
    pub fn tell(
        &self,
        parlor: &Parlor,
        code: &Code,
        version: u64,
        eyes: &PageViewer,
    ) -> Result<Story, Problem> {
        let name = (code.clone(), version, eyes.clone());
        if let Some(story) = self.kept(&name) {
            return Ok(story);
        }
        let story = match parlor.story_on_page(code, eyes) {
            Ok(story) => Arc::new(story),
            Err(Failure::Refused(_)) => return Err(Problem::NotYours),
            Err(Failure::Broken(fault)) => return Err(fault.into()),
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // An earlier version is not asked for again.
        kept.retain(|((other, _, whose), _)| other != code || whose != eyes);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((name, Arc::clone(&story)));
        Ok(story)
    }

    /// Whether the story of a visitor's match has been told already.
    pub fn is_kept(&self, visitor: &Visitor) -> bool {
        let Visitor {
            code, version, eyes, ..
        } = visitor;
        self.kept(&(code.clone(), *version, eyes.clone())).is_some()
    }

    fn kept(&self, name: &Name) -> Option<Story> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(known, _)| known == name);
        found.map(|(_, story)| Arc::clone(story))
    }
}
