//! The one thread that writes, and the one that waits for the disk.
//!
//! Three facts about sled 0.34 make it one writer:
//!
//! - Tasks that each write and then wait for a flush of their own deadlock from about eight on.
//! - A flush ends in `sync_file_range`, which leaves the disk's own cache alone: what it acknowledged can be lost
//!   with the power. An fdatasync has to follow.
//! - Writes don't group by themselves: 32 of them and a flush cost five times as much as the same 32 in one.
//!
//! So commands hand their batches over in the order in which they commit, the writer gathers those that wait
//! into one group and writes it as a whole, and the syncer then calls fdatasync and answers all of them, while the writer
//! is busy with the next group. Neither ever waits for more batches to come. A batch that nobody waits for any more
//! is written all the same. The syncer never touches sled.
//!
//! After a fault of the disk nothing is known about what is on it (a failed fsync is not to be tried again), so
//! every batch that is not answered yet and every later one fails until the bot is started again.

use std::error::Error;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};

use tokio::sync::oneshot;

use crate::matches::port::{Batch, Fault, Saving, Write};

/// A group is closed when it holds this many bytes. A bound keeps the wait of its first batch short, and a group
/// within two of sled's segments, which sled does not use again before the next fdatasync.
const GROUP_BYTES: usize = 512 << 10;

/// What a fault of the writer is called in the log.
const SAVING: &str = "saving to the store";
const STOPPED: &str = "the writer of the store has stopped";

/// What keeps the committer from writing.
pub(super) type Trouble = Box<dyn Error + Send + Sync>;

/// What the committer writes to.
pub(super) trait Disk: Send + 'static {
    /// Has what was written on disk.
    type Syncer: Syncer;

    /// Writes a group, all or nothing, and says how many groups there are now.
    fn write(&mut self, group: Vec<Write>) -> Result<u64, Trouble>;
}

/// The second half of a disk.
pub(super) trait Syncer: Send + 'static {
    /// Returns when this many groups are on disk, against loss of power too.
    fn sync(&mut self, groups: u64) -> Result<(), Trouble>;
}

/// Hands batches to the thread that writes. Dropping it waits until everything is on disk.
#[derive(Debug)]
pub(super) struct Committer {
    /// Nothing once the committer is closed.
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
    /// Why nothing can be written any more.
    broken: Arc<OnceLock<String>>,
}

/// A batch, and who is to be told. An empty batch is a flush.
#[derive(Debug)]
struct Job {
    batch: Batch,
    done: Done,
}

type Done = oneshot::Sender<Result<(), Fault>>;

/// A group that is written but not known to be on disk.
#[derive(Debug)]
struct Written {
    /// How many groups there are with it, or nothing if there was nothing to write.
    groups: Option<u64>,
    told: Vec<Done>,
}

impl Committer {
    pub(super) fn start<D: Disk>(
        disk: D,
        syncer: D::Syncer,
        broken: Arc<OnceLock<String>>,
    ) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        // One group waits at most, so that a slow disk makes larger groups instead of a longer queue.
        let (written, to_sync) = sync_channel(1);
        let writing = Builder::new().name("store-writer".into()).spawn({
            let broken = Arc::clone(&broken);
            move || write(disk, &waiting, &written, &broken)
        })?;
        let answering = Builder::new().name("store-syncer".into()).spawn({
            let broken = Arc::clone(&broken);
            move || answer(syncer, &to_sync, &broken)
        })?;
        Ok(Self {
            jobs: Some(jobs),
            threads: vec![writing, answering],
            broken,
        })
    }

    /// Hands over a batch at once; the future is only the answer.
    pub(super) fn commit(&self, batch: Batch) -> Saving<'static> {
        let (done, answer) = oneshot::channel();
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(Job { batch, done }));
        Box::pin(async move {
            match sent {
                Some(Ok(())) => answer.await.unwrap_or_else(|_| Err(gone())),
                Some(Err(_)) | None => Err(gone()),
            }
        })
    }

    /// Waits until everything handed over is on disk, and ends the threads. It tells of a fault that came up
    /// at any time.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                self.broken.get_or_init(|| STOPPED.into());
            }
        }
        healthy(&self.broken)
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        if let Err(fault) = self.close() {
            tracing::error!(%fault, "the store was closed after a fault");
        }
    }
}

/// A thread is no more; a panic is the only way to that.
fn gone() -> Fault {
    Fault::new(SAVING, STOPPED)
}

fn healthy(broken: &OnceLock<String>) -> Result<(), Fault> {
    broken
        .get()
        .map_or(Ok(()), |cause| Err(Fault::new(SAVING, cause.clone())))
}

fn write(
    mut disk: impl Disk,
    waiting: &Receiver<Job>,
    written: &SyncSender<Written>,
    broken: &OnceLock<String>,
) {
    while let Ok(first) = waiting.recv() {
        let mut group = Vec::new();
        let mut told = Vec::new();
        let mut bytes = 0;
        let mut next = Some(first);
        while let Some(Job { batch, done }) = next {
            bytes += batch.0.iter().map(size).sum::<usize>();
            group.extend(batch.0);
            told.push(done);
            next = (bytes < GROUP_BYTES).then(|| waiting.try_recv().ok()).flatten();
        }
        let mut groups = None;
        if !group.is_empty() && broken.get().is_none() {
            match disk.write(group) {
                Ok(now) => groups = Some(now),
                Err(trouble) => stop(broken, &*trouble),
            }
        }
        if written.send(Written { groups, told }).is_err() {
            // The syncer has panicked; whoever waits is told by the end of its channel.
            return;
        }
    }
}

fn answer(mut syncer: impl Syncer, written: &Receiver<Written>, broken: &OnceLock<String>) {
    while let Ok(Written { groups, told }) = written.recv() {
        if let (Some(groups), None) = (groups, broken.get())
            && let Err(trouble) = syncer.sync(groups)
        {
            stop(broken, &*trouble);
        }
        for done in told {
            // Whoever has stopped waiting needs no answer.
            _ = done.send(healthy(broken));
        }
    }
}

fn stop(broken: &OnceLock<String>, trouble: &(dyn Error + Send + Sync)) {
    tracing::error!(%trouble, "the store can't be written any more");
    broken.get_or_init(|| trouble.to_string());
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
    use std::sync::Mutex;
    use std::task::Poll;
    use std::thread;

    use super::*;
    use crate::matches::port::Space;

    /// Keeps what was written, and breaks at a given group.
    struct Fake {
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        breaks_at: usize,
    }

    /// Waits for permission before each sync. A refusal breaks it.
    struct FakeSyncer(Receiver<bool>);

    impl Disk for Fake {
        type Syncer = FakeSyncer;

        fn write(&mut self, group: Vec<Write>) -> Result<u64, Trouble> {
            let mut groups = self.groups.lock().unwrap();
            if groups.len() == self.breaks_at {
                return Err("no space left on device".into());
            }
            groups.push(group);
            Ok(groups.len().try_into()?)
        }
    }

    impl Syncer for FakeSyncer {
        fn sync(&mut self, _: u64) -> Result<(), Trouble> {
            let allowed = self.0.recv().unwrap();
            if allowed {
                Ok(())
            } else {
                Err("input/output error".into())
            }
        }
    }

    struct Bench {
        committer: Committer,
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        permit: Sender<bool>,
    }

    fn bench(breaks_at: usize) -> Bench {
        let groups = Arc::default();
        let (permit, permission) = channel();
        let disk = Fake {
            groups: Arc::clone(&groups),
            breaks_at,
        };
        let committer = Committer::start(disk, FakeSyncer(permission), Arc::default()).unwrap();
        Bench {
            committer,
            groups,
            permit,
        }
    }

    impl Bench {
        fn commit(&self, key: u8) -> Saving<'static> {
            self.committer.commit(batch(key))
        }

        fn permit(&self, count: usize) {
            (0..count).for_each(|_| self.permit.send(true).unwrap());
        }

        /// Waits until so many groups are written, synced or not.
        fn written(&self, count: usize) {
            while self.groups.lock().unwrap().len() < count {
                thread::yield_now();
            }
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
        let bench = bench(usize::MAX);
        let mut answers = Vec::new();
        // One that is being synced, one that waits for that, and one with which the writer waits.
        for key in 0..3 {
            answers.push(bench.commit(key));
            bench.written(usize::from(key) + 1);
        }
        answers.extend((3..10).map(|key| bench.commit(key)));
        bench.permit(4);
        for answer in answers {
            answer.await.unwrap();
        }
        let groups = bench.groups.lock().unwrap();
        assert_eq!(
            *groups,
            [batches(0..1), batches(1..2), batches(2..3), batches(3..10)]
        );
    }

    #[tokio::test]
    async fn a_group_is_answered_only_once_it_is_synced() {
        let bench = bench(usize::MAX);
        let mut first = bench.commit(0);
        bench.written(1);
        let early = poll_fn(|context| Poll::Ready(first.as_mut().poll(context).is_ready()));
        assert!(!early.await);
        bench.permit(1);
        first.await.unwrap();
    }

    #[tokio::test]
    async fn after_a_failed_write_everything_waiting_and_everything_later_fails() {
        let bench = bench(1);
        let good = bench.commit(0);
        bench.permit(1);
        good.await.unwrap();
        let answers: Vec<_> = (1..20).map(|key| bench.commit(key)).collect();
        for answer in answers {
            let fault = answer.await.unwrap_err();
            assert_eq!(fault.to_string(), "saving to the store: no space left on device");
        }
        bench.commit(99).await.unwrap_err();
        bench.committer.commit(Batch::new()).await.unwrap_err();
        assert_eq!(*bench.groups.lock().unwrap(), [batches(0..1)]);
    }

    #[tokio::test]
    async fn after_a_failed_sync_everything_waiting_and_everything_later_fails() {
        let bench = bench(usize::MAX);
        let answers: Vec<_> = (0..20).map(|key| bench.commit(key)).collect();
        bench.permit.send(false).unwrap();
        for answer in answers {
            let fault = answer.await.unwrap_err();
            assert_eq!(fault.to_string(), "saving to the store: input/output error");
        }
        // A disk that failed once is never asked again, though it would say yes.
        bench.permit(100);
        bench.commit(99).await.unwrap_err();
        assert!(!bench.groups.lock().unwrap().concat().contains(&batch(99).0[0]));
    }

    #[tokio::test]
    async fn a_panic_of_either_thread_is_a_fault() {
        let mut bench = bench(usize::MAX);
        drop(bench.permit);
        bench.committer.commit(batch(0)).await.unwrap_err();
        bench.committer.commit(batch(1)).await.unwrap_err();
        bench.committer.close().unwrap_err();
    }

    #[test]
    fn closing_writes_what_waits_and_tells_of_faults() {
        let mut good = bench(usize::MAX);
        for key in 0..50 {
            drop(good.commit(key));
        }
        good.permit(50);
        good.committer.close().unwrap();
        assert_eq!(good.groups.lock().unwrap().concat(), batches(0..50));

        let mut bad = bench(0);
        drop(bad.commit(0));
        bad.committer.close().unwrap_err();
    }

    #[tokio::test]
    async fn a_large_batch_closes_its_group() {
        let bench = bench(usize::MAX);
        let mut large = Batch::new();
        large.put(Space::Log, [1], vec![0; GROUP_BYTES]);
        let answers = [bench.commit(0), bench.committer.commit(large), bench.commit(2)];
        bench.permit(3);
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(bench.groups.lock().unwrap().last().unwrap(), &batch(2).0);
    }
}
