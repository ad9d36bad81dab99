//! The one thread that writes.
//!
//! To have something on disk costs about the same whether it is one change or thirty. So commands hand their batches over in
//! the order in which they commit, the committer gathers those that wait into one group, has it written to disk as a
//! whole, and then answers all of them. A batch that nobody waits for any more is written all the same. The next group
//! is not begun before the last one is on disk.
//!
//! After a fault of the disk every batch that is not answered yet fails, and so does every later one, until the cause is gone: the
//! committer tries again by itself, after pauses that grow, whether anything waits or not. What was not acknowledged is void
//! then. If trying again is no use, because what is wrong is not the machine, it says that another process is needed.

use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::{StoreError, Trouble};
use super::health::SharedHealth;
use super::keeper::Waiter;
use super::settled::Runs;
use crate::backoff::Backoff;
use crate::matches::port::{Batch, Fault, Saving, Write};

/// A group is closed when it holds this many bytes, so that its first batch does not wait for long.
const GROUP_BYTES: usize = 512 << 10;

/// How long a disk that failed is left alone before the next try.
pub(super) const RETRIES: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(10));

/// After so many tries that failed for another reason than the machine, this process gives up.
const VAIN_TRIES: u32 = 4;

/// What a fault of the writer is called in the log.
const SAVING: &str = "saving to the store";
const STOPPED: &str = "the writer of the store has stopped";
const PANICKED: &str = "the writer of the store panicked";

/// What keeps the committer from writing.
pub(super) type WriteError = Box<dyn Error + Send + Sync>;

/// What the committer writes to.
pub(super) trait Disk: Send + 'static {
    /// Writes a group, all or nothing. It is on disk when this returns, against loss of power too.
    fn write(&mut self, group: Vec<Write>) -> Result<(), WriteError>;

    /// Tries to write again after a fault. What was not acknowledged is void.
    fn recover(&mut self) -> Result<(), WriteError>;

    /// Does something beside writing, after everything that was written before.
    fn ask(&mut self, request: WriterRequest);

    /// Leaves everything in order. There are no more groups.
    fn finish(self) -> Result<(), WriteError>;
}

/// What can be asked of a store beside writing.
#[derive(Debug)]
pub(super) enum WriterRequest {
    /// Let everything settle, and say where it is.
    Settle(Waiter<Runs>),
    /// Make the store as small as can be.
    Compact(Waiter<()>),
}

/// Hands batches to the thread that writes. Dropping it waits until everything is on disk.
#[derive(Debug)]
pub(super) struct Committer {
    jobs: Sender<Job>,
    thread: Option<JoinHandle<()>>,
    health: SharedHealth,
}

/// What waits for the thread.
#[derive(Debug)]
enum Job {
    /// A batch, and who is to be told. An empty batch is a flush.
    Commit(Batch, Done),
    Ask(WriterRequest),
    /// Everything is to be left in order. Nothing is done after that.
    Close(Done),
}

type Done = oneshot::Sender<Result<(), Fault>>;

impl Committer {
    /// Starts the thread that writes, and tries again after such pauses.
    pub(super) fn start(disk: impl Disk, health: SharedHealth, backoff: Backoff) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let work = Work {
            disk,
            health: health.clone(),
            backoff,
            next_try: Instant::now(),
            vain_tries: 0,
        };
        let watched = health.clone();
        let thread = Builder::new().name("store-committer".into()).spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| work.run(&waiting))).is_err() {
                watched.fails(STOPPED.into());
                watched.gives_up();
            }
        })?;
        Ok(Self {
            jobs,
            thread: Some(thread),
            health,
        })
    }

    /// Hands over a batch at once; the future is only the answer.
    pub(super) fn commit(&self, batch: Batch) -> Saving<'static> {
        match self.health.hand_over() {
            Ok(()) => self.send(|done| Job::Commit(batch, done)),
            Err(reason) => Box::pin(std::future::ready(Err(Fault::new(SAVING, reason)))),
        }
    }

    /// Hands over a request. Whoever waits for the answer waits in vain if the thread has stopped: the reply is dropped.
    pub(super) fn ask(&self, request: WriterRequest) {
        _ = self.jobs.send(Job::Ask(request));
    }

    /// Has everything handed over on disk, and all in order. Nothing can be written after that.
    pub(super) fn shut(&self) -> Saving<'static> {
        self.send(Job::Close)
    }

    fn send(&self, job: impl FnOnce(Done) -> Job) -> Saving<'static> {
        let (done, answer) = oneshot::channel();
        let sent = self.jobs.send(job(done));
        Box::pin(async move {
            match sent {
                Ok(()) => answer.await.unwrap_or_else(|_| Err(gone())),
                Err(_) => Err(gone()),
            }
        })
    }

    /// Does the same as [`shut`](Self::shut), and waits for it. It tells of a fault that lasts.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        let (done, mut answer) = oneshot::channel();
        let sent = self.jobs.send(Job::Close(done));
        let ended = thread.join();
        match (sent, ended) {
            (_, Err(_)) => Err(gone()),
            // It was shut before.
            (Err(_), Ok(())) => healthy(&self.health),
            // The thread has ended, so its answer is there.
            (Ok(()), Ok(())) => match answer.try_recv() {
                Ok(closed) => closed,
                Err(_) => healthy(&self.health),
            },
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        if let Err(fault) = self.close() {
            tracing::error!(error = %fault, "store: closed after a fault; what was not acknowledged is lost");
        }
    }
}

/// The thread is no more: it was closed, or it panicked.
fn gone() -> Fault {
    Fault::new(SAVING, STOPPED)
}

fn healthy(health: &SharedHealth) -> Result<(), Fault> {
    match health.fault() {
        None => Ok(()),
        Some(reason) => Err(Fault::new(SAVING, reason)),
    }
}

/// Whether the machine is what is wrong, which may pass. What else this process has run into it takes along.
fn may_pass(error: &WriteError) -> bool {
    let no_room = matches!(
        error.downcast_ref::<StoreError>(),
        Some(StoreError::NoRoom { .. })
    );
    no_room || Trouble::in_text(&error.to_string()).is_some_and(Trouble::may_pass)
}

/// Does something with the disk. A panic is a fault like others: it is told, and what was under way is void.
fn caught<T>(work: impl FnOnce() -> Result<T, WriteError>) -> Result<T, WriteError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(PANICKED.into()))
}

/// What the thread works with.
struct Work<D> {
    disk: D,
    health: SharedHealth,
    backoff: Backoff,
    /// After a fault: when the disk is tried again.
    next_try: Instant,
    /// How many tries in a row have failed for another reason than the machine.
    vain_tries: u32,
}

impl<D: Disk> Work<D> {
    fn run(mut self, waiting: &Receiver<Job>) {
        let mut next = None;
        loop {
            let job = match next.take() {
                Some(job) => Some(job),
                None if self.fails() => match waiting.recv_timeout(self.until_next_try()) {
                    Ok(job) => Some(job),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                },
                None => match waiting.recv() {
                    Ok(job) => Some(job),
                    Err(_) => break,
                },
            };
            if self.fails() && self.until_next_try().is_zero() {
                self.recover();
            }
            match job {
                None => {}
                Some(Job::Commit(batch, done)) => {
                    let (group, told, after) = gather(batch, done, waiting);
                    next = after;
                    self.write(group);
                    self.health.answered(told.len());
                    for done in told {
                        // Whoever has stopped waiting needs no answer.
                        _ = done.send(healthy(&self.health));
                    }
                }
                Some(Job::Ask(request)) => self.ask(request),
                Some(Job::Close(done)) => {
                    _ = done.send(self.finish());
                    return;
                }
            }
        }
        // Nobody is left to hear of it, and it has been told in the log.
        _ = self.finish();
    }

    fn fails(&self) -> bool {
        self.health.fault().is_some()
    }

    fn until_next_try(&self) -> Duration {
        self.next_try.saturating_duration_since(Instant::now())
    }

    fn write(&mut self, group: Vec<Write>) {
        if !group.is_empty()
            && !self.fails()
            && let Err(error) = caught(|| self.disk.write(group))
        {
            self.failed(&error);
        }
    }

    fn ask(&mut self, request: WriterRequest) {
        let asked = caught(|| {
            self.disk.ask(request);
            Ok(())
        });
        if let Err(error) = asked {
            self.failed(&error);
        }
    }

    fn failed(&mut self, error: &WriteError) {
        self.next_try = Instant::now() + self.backoff.pause();
        self.health.fails(error.to_string());
    }

    fn recover(&mut self) {
        match caught(|| self.disk.recover()) {
            Ok(()) => {
                self.backoff.reset();
                self.vain_tries = 0;
                self.health.recovers();
            }
            Err(error) => {
                self.vain_tries = if may_pass(&error) { 0 } else { self.vain_tries + 1 };
                self.failed(&error);
                if self.vain_tries >= VAIN_TRIES {
                    self.health.gives_up();
                }
            }
        }
    }

    /// Leaves everything in order, if that is possible at last.
    fn finish(mut self) -> Result<(), Fault> {
        if self.fails() {
            self.recover();
        }
        healthy(&self.health)?;
        caught(|| self.disk.finish()).map_err(|error| {
            self.health.fails(error.to_string());
            tracing::error!(%error, "store: could not close well; all is checked at the next start");
            Fault::new(SAVING, error)
        })
    }
}

/// What waits, after the first: all writes in order, everyone who is to be told, and the job that comes next.
fn gather(first: Batch, told: Done, waiting: &Receiver<Job>) -> (Vec<Write>, Vec<Done>, Option<Job>) {
    let mut bytes: usize = first.0.iter().map(size).sum();
    let mut group = first.0;
    let mut told = vec![told];
    while bytes < GROUP_BYTES {
        match waiting.try_recv() {
            Ok(Job::Commit(batch, done)) => {
                bytes += batch.0.iter().map(size).sum::<usize>();
                group.extend(batch.0);
                told.push(done);
            }
            Ok(other) => return (group, told, Some(other)),
            Err(_) => break,
        }
    }
    (group, told, None)
}

const fn size(write: &Write) -> usize {
    match write {
        Write::Put { key, value, .. } => key.len() + value.len(),
        Write::Delete { key, .. } => key.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};
    use std::task::Poll;

    use super::*;
    use crate::matches::port::{Clock, Health, Space};
    use crate::matches::time::SystemClock;
    use std::path::Path;

    /// Says that it is asked, waits for leave, and keeps what is written. A refusal is a fault.
    struct Fake {
        /// What a try after a fault ends in, as long as the disk is not mended.
        trouble: &'static str,
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        asked: Sender<()>,
        leave: Receiver<bool>,
        mended: Arc<AtomicBool>,
    }

    impl Disk for Fake {
        fn write(&mut self, group: Vec<Write>) -> Result<(), WriteError> {
            self.asked.send(()).unwrap();
            if !self.leave.recv().unwrap() {
                return Err("no space left on device".into());
            }
            self.groups.lock().unwrap().push(group);
            Ok(())
        }

        fn recover(&mut self) -> Result<(), WriteError> {
            self.asked.send(()).unwrap();
            if self.mended.load(Ordering::SeqCst) {
                Ok(())
            } else {
                Err(self.trouble.into())
            }
        }

        fn ask(&mut self, _: WriterRequest) {}

        fn finish(self) -> Result<(), WriteError> {
            Ok(())
        }
    }

    struct Bench {
        committer: Committer,
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        asked: Receiver<()>,
        leave: Sender<bool>,
        /// Whether a disk that failed can be written again.
        mended: Arc<AtomicBool>,
    }

    fn bench() -> Bench {
        bench_with("No space left on device (os error 28)", Duration::MAX)
    }

    fn bench_with(trouble: &'static str, stall: Duration) -> Bench {
        let groups = Arc::default();
        let mended = Arc::default();
        let (asks, asked) = channel();
        let (leave, leaves) = channel();
        let disk = Fake {
            trouble,
            groups: Arc::clone(&groups),
            asked: asks,
            leave: leaves,
            mended: Arc::clone(&mended),
        };
        let health = SharedHealth::new(Path::new("fake"), stall);
        let retries = Backoff::new(Duration::from_millis(10), Duration::from_millis(40));
        let committer = Committer::start(disk, health, retries).unwrap();
        Bench {
            committer,
            groups,
            asked,
            leave,
            mended,
        }
    }

    impl Bench {
        fn commit(&self, key: u8) -> Saving<'static> {
            self.committer.commit(batch(key))
        }

        /// Lets so many groups be written, without waiting for them.
        fn permit(&self, count: usize) {
            (0..count).for_each(|_| self.leave.send(true).unwrap());
        }
    }

    fn batch(key: u8) -> Batch {
        let mut batch = Batch::new();
        batch.put(Space::Log, [key], []);
        batch
    }

    fn batches(keys: std::ops::Range<u8>) -> Vec<Write> {
        keys.flat_map(|key| batch(key).0).collect()
    }

    #[tokio::test]
    async fn what_waits_is_written_as_one_group_in_order() {
        let bench = bench();
        let mut answers = vec![bench.commit(0)];
        bench.asked.recv().unwrap();
        // The first is being written, and these wait.
        answers.extend((1..10).map(|key| bench.commit(key)));
        bench.permit(2);
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(*bench.groups.lock().unwrap(), [batches(0..1), batches(1..10)]);
    }

    #[tokio::test]
    async fn a_group_is_answered_only_once_it_is_on_disk() {
        let bench = bench();
        let mut first = bench.commit(0);
        bench.asked.recv().unwrap();
        let early = poll_fn(|context| Poll::Ready(first.as_mut().poll(context).is_ready()));
        assert!(!early.await);
        bench.permit(1);
        first.await.unwrap();
    }

    #[tokio::test]
    async fn after_a_fault_everything_waiting_fails_until_the_cause_is_gone() {
        let bench = bench();
        let good = bench.commit(0);
        bench.permit(1);
        good.await.unwrap();
        let answers: Vec<_> = (1..20).map(|key| bench.commit(key)).collect();
        bench.leave.send(false).unwrap();
        for answer in answers {
            let fault = answer.await.unwrap_err();
            assert_eq!(fault.to_string(), "saving to the store: no space left on device");
        }
        let Health::Failing { since, reason } = bench.committer.health.now() else {
            panic!("the store says that all is well");
        };
        assert!(
            reason.to_lowercase().contains("no space left on device"),
            "{reason}"
        );
        // What comes meanwhile fails at once.
        bench.commit(20).await.unwrap_err();
        bench.committer.commit(Batch::new()).await.unwrap_err();
        // It tries by itself, though nothing waits; at first in vain.
        for _ in 0..4 {
            bench.asked.recv().unwrap();
        }
        let still = bench.committer.health.now();
        assert!(matches!(still, Health::Failing { since: found, .. } if found == since));
        bench.mended.store(true, Ordering::SeqCst);
        while bench.committer.health.now() != Health::Good {
            tokio::task::yield_now().await;
        }
        bench.permit(1);
        bench.commit(99).await.unwrap();
        let written = [batches(0..1), batches(99..100)];
        assert_eq!(
            *bench.groups.lock().unwrap(),
            written,
            "what failed is never written"
        );
    }

    #[tokio::test]
    async fn a_disk_that_says_nothing_has_failed_until_it_does() {
        // However long nothing waits, that is no silence.
        let bench = bench_with("", Duration::ZERO);
        assert_eq!(bench.committer.health.now(), Health::Good);
        let before = SystemClock.now();
        let waiting = bench.commit(0);
        bench.asked.recv().unwrap();
        let Health::Failing { since, reason } = bench.committer.health.now() else {
            panic!("the store says that all is well");
        };
        assert_eq!(reason, "the disk does not answer");
        assert!(since >= before && since <= SystemClock.now());
        // What comes now is refused at once, and does not pile up.
        let refused = bench.commit(1).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "saving to the store: the disk does not answer"
        );
        bench.permit(1);
        waiting.await.unwrap();
        assert_eq!(bench.committer.health.now(), Health::Good);
        bench.permit(1);
        bench.commit(2).await.unwrap();
        let written = [batches(0..1), batches(2..3)];
        assert_eq!(*bench.groups.lock().unwrap(), written);
    }

    #[tokio::test]
    async fn a_fault_that_is_not_the_machines_is_for_another_process() {
        let bench = bench_with("sled lost what it had written before a fault", Duration::MAX);
        let given_up = bench.committer.health.given_up();
        bench.leave.send(false).unwrap();
        bench.commit(0).await.unwrap_err();
        assert_eq!(given_up.await, "sled lost what it had written before a fault");
        let tries = 1 + usize::try_from(VAIN_TRIES).unwrap();
        assert_eq!(bench.asked.try_iter().count(), tries, "it was tried before");
    }

    #[tokio::test]
    async fn a_panic_is_a_fault() {
        let mut bench = bench();
        // Without a sender to give leave, the fake panics.
        drop(bench.leave);
        bench.committer.commit(batch(0)).await.unwrap_err();
        assert!(
            matches!(bench.committer.health.now(), Health::Failing { .. }),
            "whoever asks is told"
        );
        bench.committer.commit(batch(1)).await.unwrap_err();
        // It is tried again, as after any other fault.
        bench.asked.recv().unwrap();
        bench.asked.recv().unwrap();
        bench.mended.store(true, Ordering::SeqCst);
        while bench.committer.health.now() != Health::Good {
            tokio::task::yield_now().await;
        }
        bench.committer.commit(batch(2)).await.unwrap_err();
        bench.mended.store(false, Ordering::SeqCst);
        bench.committer.close().unwrap_err();
    }

    #[test]
    fn closing_writes_what_waits_and_tells_of_faults() {
        let mut good = bench();
        (0..50).for_each(|key| drop(good.commit(key)));
        good.permit(50);
        good.committer.close().unwrap();
        assert_eq!(good.groups.lock().unwrap().concat(), batches(0..50));

        let mut bad = bench();
        drop(bad.commit(0));
        bad.leave.send(false).unwrap();
        bad.committer.close().unwrap_err();
    }

    #[tokio::test]
    async fn a_large_batch_closes_its_group() {
        let bench = bench();
        let mut large = Batch::new();
        large.put(Space::Log, [1], vec![0; GROUP_BYTES]);
        let mut answers = vec![bench.commit(0)];
        bench.asked.recv().unwrap();
        answers.extend([bench.committer.commit(large.clone()), bench.commit(2)]);
        bench.permit(3);
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(
            *bench.groups.lock().unwrap(),
            [batches(0..1), large.0, batches(2..3)]
        );
    }
}
