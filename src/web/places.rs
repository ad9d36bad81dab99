//! Places for work that takes long: so much is done at once and no more. Whoever has a link to watch can be anybody, so those
//! who watch have one place between them, and who plays never waits behind all of them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;
use crate::chat::pages::PageViewer;

/// How much is done at once, and how much of it for those who watch.
const AT_ONCE: usize = 2;
const WATCHING: usize = 1;

/// For whom something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkFor {
    Player,
    Watcher,
}

impl From<&PageViewer> for WorkFor {
    fn from(eyes: &PageViewer) -> Self {
        match eyes {
            PageViewer::Player(_) => Self::Player,
            PageViewer::Public => Self::Watcher,
        }
    }
}

/// The places for one kind of work.
#[derive(Debug)]
pub struct WorkPlaces {
    all: Arc<Semaphore>,
    watching: Arc<Semaphore>,
}

/// A place that is taken. It is held until the work is done, though nobody wait for it any more.
#[derive(Debug)]
pub struct WorkPlace {
    _place: OwnedSemaphorePermit,
    _watching: Option<OwnedSemaphorePermit>,
}

impl Default for WorkPlaces {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(AT_ONCE)),
            watching: Arc::new(Semaphore::new(WATCHING)),
        }
    }
}

impl WorkPlaces {
    /// Waits for a place, in the order of asking.
    pub async fn take(&self, who: WorkFor) -> Result<WorkPlace, Problem> {
        let watching = match who {
            WorkFor::Player => None,
            // Only one who watches waits among those who play.
            WorkFor::Watcher => Some(permit(&self.watching).await?),
        };
        Ok(WorkPlace {
            _place: permit(&self.all).await?,
            _watching: watching,
        })
    }
}

async fn permit(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    let permit = Arc::clone(places).acquire_owned().await;
    permit.map_err(|_| Problem::Broken)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// A place, if there is one now.
    fn free(places: &WorkPlaces, who: WorkFor) -> Option<WorkPlace> {
        places.take(who).now_or_never()?.ok()
    }

    #[test]
    fn who_plays_never_waits_behind_all_who_watch() {
        let places = WorkPlaces::default();
        let watched = free(&places, WorkFor::Watcher).expect("a place");
        assert!(free(&places, WorkFor::Watcher).is_none(), "one at a time");
        // However many watch and wait, a place is left for who plays.
        let mut waiting: Vec<_> = (0..100)
            .map(|_| Box::pin(places.take(WorkFor::Watcher)))
            .collect();
        for wait in &mut waiting {
            assert!(wait.now_or_never().is_none());
        }
        let played = free(&places, WorkFor::Player).expect("a place");
        assert!(free(&places, WorkFor::Player).is_none(), "two in all");
        // Of those who watch one is next, and nobody who plays waits behind the others.
        drop(watched);
        let next = waiting[0].as_mut().now_or_never().expect("the first is next");
        drop(next);
        let other = free(&places, WorkFor::Player).expect("a place");
        drop((played, other));
    }
}
