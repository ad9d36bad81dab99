//! Reviews that are being made, one thread at it, and what is kept of them.
//!
//! What has been found is kept beside the match every few looks: whoever asks again after the process has died finds a
//! review that goes on from there, and one that is done is there at once.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::judge::Judge;
use super::walk::{Led, Walk};
use super::{BUDGET, JUDGE, Review};
use crate::matches::code::Code;
use crate::matches::delivery::To;
use crate::matches::loaded::Loaded;
use crate::matches::port::Fault;
use crate::matches::record::{Record, RecordError};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::service::Service;
use crate::matches::state::Stage;
use crate::matches::think_pool::CancelOnDrop;

/// What has been found is kept every so many looks at a decision.
const KEPT_EVERY: usize = 5;

/// So many matches are reviewed at once; whoever comes then is asked to come again.
const MOST: usize = 12;

/// What somebody who asks for a review gets.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewAnswer {
    Done(Box<Review>),
    /// How many moves have been looked at, of how many.
    UnderWay {
        looked_at: u32,
        steps: u32,
    },
    /// Too many others are being made.
    Busy,
}

/// How far a review is.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    looked_at: u32,
    steps: u32,
}

/// Where the end of a review is made known, as it is kept; nothing once it is known. Held while either is written down, so
/// that nobody comes too late to be told and too early to find it.
type Waiting = Arc<tokio::sync::Mutex<Option<Vec<To>>>>;

/// A review that somebody asks for.
enum Joined {
    Done(Box<Review>),
    /// Being made; the progress ends when it is done, or given up.
    UnderWay(watch::Receiver<Progress>, Waiting),
    Busy,
}

struct UnderWay {
    /// Ends when the review is done, or given up.
    progress: watch::Receiver<Progress>,
    waiting: Waiting,
    /// The review is given up when this goes.
    _wanted: CancelOnDrop,
}

/// All reviews that are being made.
pub struct Reviews {
    under_way: Mutex<BTreeMap<Code, UnderWay>>,
    budget: Duration,
}

impl std::fmt::Debug for Reviews {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reviews")
    }
}

impl Reviews {
    pub const fn new() -> Self {
        Self::within(BUDGET)
    }

    /// Each takes no longer than this, about.
    pub const fn within(budget: Duration) -> Self {
        Self {
            under_way: Mutex::new(BTreeMap::new()),
            budget,
        }
    }

    /// The review of a match, if it is there already or comes within so much patience; otherwise how far it is. Then its end
    /// is made known at `place`.
    pub async fn look(
        &self,
        service: &Arc<Service>,
        found: &Loaded,
        patience: Duration,
        place: &To,
    ) -> Result<ReviewAnswer, Failure> {
        match &found.stage {
            Stage::Over(..) => {
                // A position that was tried out may be that of a match which is still on.
                if let Some(running) = service.helps_in(found)? {
                    return Err(Refusal::NoReviewYet(running).into());
                }
            }
            Stage::Running(_) => return Err(Refusal::NoReviewYet(found.code.clone()).into()),
            Stage::Open(_) => return Err(Refusal::NotBegun(found.code.clone()).into()),
            Stage::CalledOff(_) => return Err(Refusal::CalledOff(found.code.clone()).into()),
        }
        let (mut progress, waiting) = match self.join(service, found)? {
            Joined::Done(review) => return Ok(ReviewAnswer::Done(review)),
            Joined::UnderWay(progress, waiting) => (progress, waiting),
            Joined::Busy => return Ok(ReviewAnswer::Busy),
        };
        let end = async { while progress.changed().await.is_ok() {} };
        if tokio::time::timeout(patience, end).await.is_err() {
            let mut waiting = waiting.lock().await;
            // Otherwise it has come to its end just now.
            if let Some(places) = waiting.as_mut() {
                if !places.contains(place) {
                    let more = [places.as_slice(), std::slice::from_ref(place)].concat();
                    service.await_review(&found.code, &more).await?;
                    *places = more;
                }
                let Progress { looked_at, steps } = *progress.borrow();
                return Ok(ReviewAnswer::UnderWay { looked_at, steps });
            }
        }
        let kept: Option<Review> = service.kept_review(&found.code)?;
        let done = kept.filter(Review::is_done);
        let broken = || Fault::new("reviewing a match", "it was given up");
        Ok(ReviewAnswer::Done(Box::new(done.ok_or_else(broken)?)))
    }

    /// Goes on with the reviews for which somebody has waited since before the process ended.
    pub async fn resume(&self, service: &Arc<Service>) -> Result<(), Fault> {
        for code in service.awaited_reviews()? {
            let joined = match service.find(&code) {
                Ok(found) => self.join(service, &found),
                Err(failure) => Err(failure),
            };
            match joined {
                Ok(Joined::UnderWay(..)) => {}
                Ok(Joined::Done(review)) => {
                    let waiting = service.waiting_for_review(&code)?;
                    service.finish_review(&code, &review, waiting).await?;
                }
                // Whoever waits for it may ask again.
                Ok(Joined::Busy) => tracing::warn!(%code, "review: too many to go on with at once"),
                Err(failure) => tracing::error!(?failure, %code, "review: could not go on after a restart"),
            }
        }
        Ok(())
    }

    /// A review that is there or being made, begun if nobody has and there are not too many.
    fn join(&self, service: &Arc<Service>, found: &Loaded) -> Result<Joined, Failure> {
        let mut all = lock(&self.under_way);
        all.retain(|_, own| own.progress.has_changed().is_ok());
        if let Some(own) = all.get(&found.code) {
            return Ok(Joined::UnderWay(own.progress.clone(), Arc::clone(&own.waiting)));
        }
        // Nobody makes it now, so what is kept is all there is.
        let before: Option<Review> = service.kept_review(&found.code)?;
        if let Some(done) = before.as_ref().filter(|review| review.is_done()) {
            return Ok(Joined::Done(Box::new(done.clone())));
        }
        if all.len() >= MOST {
            return Ok(Joined::Busy);
        }
        let record = service.record(found)?;
        let steps = record.actions.len() as u32;
        let judge = Judge::within(JUDGE, self.budget, steps);
        let looked_at = before.as_ref().map_or(0, |before| before.looked_at);
        let (tell, progress) = watch::channel(Progress { looked_at, steps });
        let wanted = CancelOnDrop::default();
        let waited = service.waiting_for_review(&found.code)?;
        let waiting = Arc::new(tokio::sync::Mutex::new(Some(waited)));
        let making = Making {
            service: Arc::clone(service),
            code: found.code.clone(),
            judge,
            stop: wanted.stop(),
            tell,
            waiting: Arc::clone(&waiting),
        };
        tokio::spawn(making.go(record, before));
        let own = UnderWay {
            progress: progress.clone(),
            waiting: Arc::clone(&waiting),
            _wanted: wanted,
        };
        all.insert(found.code.clone(), own);
        Ok(Joined::UnderWay(progress, waiting))
    }
}

impl Default for Reviews {
    fn default() -> Self {
        Self::new()
    }
}

/// What it takes to make a review.
struct Making {
    service: Arc<Service>,
    code: Code,
    judge: Judge,
    stop: Arc<AtomicBool>,
    tell: watch::Sender<Progress>,
    waiting: Waiting,
}

impl Making {
    async fn go(self, record: Record, before: Option<Review>) {
        if let Err(fault) = self.make(record, before).await {
            tracing::error!(%fault, code = %self.code, "review: could not go on");
        }
    }

    async fn make(&self, record: Record, before: Option<Review>) -> Result<(), Fault> {
        let unplayable = |error: RecordError| Fault::new("replaying a match to review it", error);
        let broken_off = || Fault::new("reviewing a match", "its errand broke off");
        let judge = self.judge.clone();
        let begun = self.service.study(move || Walk::begin(record, &judge, before));
        let mut walk = begun.await.ok_or_else(broken_off)?.map_err(unplayable)?;
        let mut kept = walk.review.looks();
        loop {
            let (judge, stop) = (self.judge.clone(), Arc::clone(&self.stop));
            let studied = self.service.study(move || {
                let led = walk.look(&judge, &stop);
                (walk, led)
            });
            let (back, led) = studied.await.ok_or_else(broken_off)?;
            walk = back;
            match led.map_err(unplayable)? {
                Led::Nowhere => return Ok(()),
                Led::On => {}
                Led::ToTheEnd => {
                    let mut waiting = self.waiting.lock().await;
                    let places = waiting.clone().unwrap_or_default();
                    let finished = self.service.finish_review(&self.code, &walk.review, places);
                    finished.await?;
                    *waiting = None;
                    return Ok(());
                }
            }
            if walk.review.looks() >= kept + KEPT_EVERY {
                kept = walk.review.looks();
                self.service.keep_review(&self.code, &walk.review).await?;
            }
            // Nobody may be waiting just now.
            let _ = self.tell.send(Progress {
                looked_at: walk.review.looked_at,
                steps: walk.review.steps,
            });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
