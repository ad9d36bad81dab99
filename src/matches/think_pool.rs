//! Where thinking is done: on a few threads of its own.
//!
//! Thinking takes a processor for as long as it lasts, so it is done neither on the threads that answer commands nor under
//! any lock, and there are never more threads at it than processors can be spared. What is due first is thought of first.
//! Errands of each length have threads of their own, so that nobody whose opponent answers within a second waits for an
//! opponent who takes ten; and when many wait, each gets a shorter time, so that all are done when they are due.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::ai::{Agent, Errand, Level, Thought};
use crate::catalog::Table;
use crate::game::{Information, Seat};

/// Who thinks. There is one that does, and others for tests.
///
/// ```
/// use std::time::Duration;
///
/// use parlor::ai::{Errand, Thought};
/// use parlor::catalog::Table;
/// use parlor::game::Seat;
/// use parlor::matches::think_pool::Thinker;
///
/// /// For tests: plays the first legal action.
/// struct First;
///
/// impl Thinker for First {
///     fn think(&self, table: &dyn Table, seat: Seat, _: &Errand<'_>, _: Duration) -> Option<Thought<String>> {
///         let action = table.legal(seat).into_iter().next()?;
///         Some(Thought { action, chances: None, simulations: 0 })
///     }
/// }
/// ```
pub trait Thinker: Send + Sync + 'static {
    /// What a player of that level does in a seat, in canonical notation, from what the seat knows, in no more than this
    /// much time. Nothing, if it was stopped.
    fn think(
        &self,
        table: &dyn Table,
        seat: Seat,
        errand: &Errand<'_>,
        time: Duration,
    ) -> Option<Thought<String>>;
}

/// The one that does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search;

impl Thinker for Search {
    fn think(
        &self,
        table: &dyn Table,
        seat: Seat,
        errand: &Errand<'_>,
        time: Duration,
    ) -> Option<Thought<String>> {
        let agent = Agent::level(errand.level).within(time);
        table.act(seat, &agent, errand.seed, errand.stop)
    }
}

/// The most threads for errands of one length, however many processors there are.
const MOST_THREADS: usize = 4;

/// How long an errand may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// It is done in a moment.
    Short,
    /// It takes all the time that it is given, but is one of many in a turn.
    Medium,
    /// It takes all the time that it is given.
    Long,
}

impl Length {
    /// How long players of this level think: the strongest as long as they may. Where hands are hidden a turn has many
    /// replies.
    pub fn of(level: Level, information: Information) -> Self {
        match (Level::ALL.last() == Some(&level), information) {
            (false, _) => Self::Short,
            (true, Information::Hidden) => Self::Medium,
            (true, Information::Perfect) => Self::Long,
        }
    }
}

/// The threads that think.
pub struct ThinkPool {
    thinker: Arc<dyn Thinker>,
    short: Arc<JobQueue>,
    medium: Arc<JobQueue>,
    long: Arc<JobQueue>,
    /// For what nobody at a table waits for.
    study: Arc<JobQueue>,
}

impl std::fmt::Debug for ThinkPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ThinkPool")
    }
}

/// What an errand may use up.
#[derive(Clone)]
pub struct ThinkTime {
    due: Instant,
    queue: Arc<JobQueue>,
}

impl std::fmt::Debug for ThinkTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThinkTime")
            .field("due", &self.due)
            .finish_non_exhaustive()
    }
}

impl ThinkTime {
    /// Whether it should be done by now.
    pub fn is_over(&self) -> bool {
        self.due <= Instant::now()
    }

    /// What is left of it. It becomes less when others come who have to be done by about the same time.
    pub fn left(&self) -> Duration {
        share(self.due, Instant::now(), self.queue.rounds())
    }
}

impl ThinkPool {
    pub fn new(thinker: Arc<dyn Thinker>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let spared = processors.saturating_sub(1).clamp(1, MOST_THREADS);
        Self {
            thinker,
            short: Arc::new(JobQueue::new(1)),
            medium: Arc::new(JobQueue::new(spared)),
            long: Arc::new(JobQueue::new(spared)),
            study: Arc::new(JobQueue::new(1)),
        }
    }

    /// How many errands wait for a thread.
    pub fn waiting(&self) -> usize {
        let queues = [&self.short, &self.medium, &self.long];
        queues.iter().map(|queue| queue.waiting()).sum()
    }

    /// Runs an errand when its turn comes; it should be done within the time that is allowed. Nothing comes back if it
    /// broke off.
    pub async fn run<T: Send + 'static>(
        &self,
        length: Length,
        allowed: Duration,
        errand: impl FnOnce(&dyn Thinker, ThinkTime) -> T + Send + 'static,
    ) -> Option<T> {
        let queue = match length {
            Length::Short => &self.short,
            Length::Medium => &self.medium,
            Length::Long => &self.long,
        };
        let (tell, told) = oneshot::channel();
        let thinker = Arc::clone(&self.thinker);
        let job = Box::new(move |time: ThinkTime| {
            // Whoever asked may be gone.
            let _ = tell.send(errand(thinker.as_ref(), time));
        });
        queue.put(Instant::now() + allowed, job);
        told.await.ok()
    }

    /// Runs something that nobody at a table waits for, in the order in which it came. Nothing comes back if it broke off.
    pub async fn study<T: Send + 'static>(&self, errand: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (tell, told) = oneshot::channel();
        let job = Box::new(move |_: ThinkTime| {
            // Whoever asked may be gone.
            let _ = tell.send(errand());
        });
        self.study.put(Instant::now(), job);
        told.await.ok()
    }
}

impl Drop for ThinkPool {
    fn drop(&mut self) {
        self.short.close();
        self.medium.close();
        self.long.close();
        self.study.close();
    }
}

type Job = Box<dyn FnOnce(ThinkTime) + Send>;

/// Errands that wait for a thread.
struct JobQueue {
    threads: usize,
    jobs: Mutex<Jobs>,
    news: Condvar,
}

#[derive(Default)]
struct Jobs {
    /// By when it is due, then by when it came.
    waiting: BTreeMap<(Instant, u64), Job>,
    came: u64,
    /// How many threads have been started.
    started: usize,
    closed: bool,
}

impl JobQueue {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            jobs: Mutex::default(),
            news: Condvar::new(),
        }
    }

    fn put(self: &Arc<Self>, due: Instant, job: Job) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let number = jobs.came;
        jobs.came += 1;
        jobs.waiting.insert((due, number), job);
        if jobs.started < self.threads {
            let queue = Arc::clone(self);
            let thread = std::thread::Builder::new().name("think_pool".to_owned());
            match thread.spawn(move || queue.work()) {
                Ok(_) => jobs.started += 1,
                // One that is there already does it; if there is none, the job is dropped and its asker told.
                Err(error) if jobs.started == 0 => {
                    tracing::error!(%error, "think pool: could not start a first thread");
                    jobs.waiting.clear();
                }
                Err(error) => tracing::warn!(%error, "think pool: could not start another thread"),
            }
        }
        drop(jobs);
        self.news.notify_one();
    }

    fn work(self: Arc<Self>) {
        while let Some((due, job)) = self.next() {
            let time = ThinkTime {
                due,
                queue: Arc::clone(&self),
            };
            // An errand that breaks must not take the thread with it; its asker sees that nothing came.
            if catch_unwind(AssertUnwindSafe(|| job(time))).is_err() {
                tracing::error!("think pool: a job panicked");
            }
        }
    }

    /// So many have to be done one after the other, for all that wait to be done, and one more.
    fn rounds(&self) -> usize {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        1 + jobs.waiting.len().div_ceil(self.threads)
    }

    fn waiting(&self) -> usize {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.waiting.len()
    }

    fn next(&self) -> Option<(Instant, Job)> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if jobs.closed {
                return None;
            }
            if let Some(((due, _), job)) = jobs.waiting.pop_first() {
                return Some((due, job));
            }
            jobs = self.news.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.closed = true;
        jobs.waiting.clear();
        drop(jobs);
        self.news.notify_all();
    }
}

/// The shortest time that is worth thinking.
const SHORTEST: Duration = Duration::from_millis(20);

/// The share of an errand in the time until it is due, if so many have to be done one after the other by about then.
fn share(due: Instant, now: Instant, rounds: usize) -> Duration {
    let left = due.saturating_duration_since(now);
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX).max(1);
    (left / rounds).max(SHORTEST)
}

/// Tells an errand that nobody waits for it any more, at the latest when it is dropped.
#[derive(Debug, Default)]
pub struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// What the errand looks at.
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_that_wait_share_the_time() {
        let now = Instant::now();
        let left = |rounds| share(now + Duration::from_secs(9), now, rounds);
        assert_eq!(left(1), Duration::from_secs(9));
        assert_eq!(left(9), Duration::from_secs(1));
        assert_eq!(share(now, now + Duration::from_secs(1), 1), SHORTEST);
    }

    #[tokio::test]
    async fn whoever_thinks_has_less_time_when_others_come() {
        let think_pool = Arc::new(ThinkPool::new(Arc::new(Search)));
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let allowed = Duration::from_secs(600);
        let first = think_pool.run(Length::Long, allowed, move |_, time| {
            let alone = time.left();
            let _ = begun.send(());
            gone.recv().unwrap();
            (alone, time.left())
        });
        let mut first = std::pin::pin!(first);
        tokio::select! {
            biased;
            _ = &mut first => panic!("nobody has let it go"),
            begun = has_begun => begun.unwrap(),
        }
        // As many as there are threads are begun, and all the others wait.
        let (release, released) = std::sync::mpsc::channel::<()>();
        let released = Arc::new(Mutex::new(released));
        let others: Vec<_> = (0..2 * MOST_THREADS)
            .map(|_| {
                let released = Arc::clone(&released);
                think_pool.run(Length::Long, allowed, move |_, _| {
                    released.lock().unwrap().recv().is_err()
                })
            })
            .collect();
        let mut others = std::pin::pin!(futures_util::future::join_all(others));
        tokio::select! {
            biased;
            _ = &mut others => panic!("nobody has let them go"),
            () = std::future::ready(()) => {}
        }
        go.send(()).unwrap();
        let (alone, among_others) = first.await.unwrap();
        assert!(among_others * 3 < alone * 2, "{among_others:?} of {alone:?}");
        drop(release);
        others.await;
    }

    #[tokio::test]
    async fn a_broken_errand_breaks_nothing_else() {
        let think_pool = ThinkPool::new(Arc::new(Search));
        let broken = think_pool.run(Length::Short, SHORTEST, |_, _| -> u8 { panic!("a test") });
        assert_eq!(broken.await, None);
        assert_eq!(think_pool.run(Length::Short, SHORTEST, |_, _| 7).await, Some(7));
    }

    #[tokio::test]
    async fn short_errands_do_not_wait_for_long_ones() {
        let think_pool = ThinkPool::new(Arc::new(Search));
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let gone = Mutex::new(gone);
        let long = think_pool.run(Length::Long, SHORTEST, move |_, _| {
            gone.lock().unwrap().recv().is_ok()
        });
        let mut long = std::pin::pin!(long);
        let short = think_pool.run(Length::Short, SHORTEST, |_, _| ());
        tokio::select! {
            biased;
            _ = &mut long => panic!("nobody has let it go"),
            done = short => assert_eq!(done, Some(())),
        }
        go.send(()).unwrap();
        assert_eq!(long.await, Some(true));
    }
}
