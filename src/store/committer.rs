//! The one thread that writes.
//!
//! Three facts about sled 0.34 make it the only one:
//!
//! - Tasks that each write and then wait for a flush of their own deadlock from about eight on.
//! - A flush ends in `sync_file_range`, which leaves the disk's own cache alone: what it acknowledged can be lost
//!   with the power. An fdatasync has to follow.
//! - Writes don't group by themselves: 32 of them and a flush cost five times as much as the same 32 in one.
//!
//! So commands hand their batches over in the order in which they commit, the committer gathers those that wait
//! into one group, has it written to disk as a whole, and then answers all of them. It never waits for more
//! batches when the bot is idle. A batch that nobody waits for any more is written all the same.
//!
//! After a fault of the disk nothing is known about what is on it (a failed fsync is not to be tried again), so
//! every batch of that group and every later one fails until the bot is started again.

use std::error::Error;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
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

/// What the committer writes to.
pub(super) trait Disk: Send + 'static {
    /// Writes a group, all or nothing. It is on disk when this returns.
    fn write(&mut self, group: Vec<Write>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Hands batches to the thread that writes. Dropping it waits until everything is written.
#[derive(Debug)]
pub(super) struct Committer {
    /// Nothing once the committer is closed.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// Why nothing can be written any more.
    broken: Arc<OnceLock<String>>,
}

/// A batch, and who is to be told. An empty batch is a flush.
#[derive(Debug)]
struct Job {
    batch: Batch,
    done: oneshot::Sender<Result<(), Fault>>,
}

impl Committer {
    pub(super) fn start(disk: impl Disk, broken: Arc<OnceLock<String>>) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let thread = Builder::new().name("store-committer".into()).spawn({
            let broken = Arc::clone(&broken);
            move || run(disk, &waiting, &broken)
        })?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
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

    /// Waits until everything handed over is on disk, and ends the thread. It tells of a fault that came up at any time.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        drop(self.jobs.take());
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            self.broken.get_or_init(|| STOPPED.into());
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

/// The thread is no more; a panic is the only way to that.
fn gone() -> Fault {
    Fault::new(SAVING, STOPPED)
}

fn healthy(broken: &OnceLock<String>) -> Result<(), Fault> {
    broken
        .get()
        .map_or(Ok(()), |cause| Err(Fault::new(SAVING, cause.clone())))
}

fn run(mut disk: impl Disk, waiting: &Receiver<Job>, broken: &OnceLock<String>) {
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
        if !group.is_empty() && broken.get().is_none() {
            if let Err(cause) = disk.write(group) {
                tracing::error!(%cause, "the store can't be written any more");
                broken.get_or_init(|| cause.to_string());
            }
        }
        for done in told {
            // Whoever has stopped waiting needs no answer.
            _ = done.send(healthy(broken));
        }
    }
}

const fn size(write: &Write) -> usize {
    match write {
        Write::Put { key, value, .. } => key.len() + value.len(),
        Write::Delete { key, .. } => key.len(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::matches::port::Space;

    /// Keeps what was written, waits for permission before each group, and breaks at a given one.
    struct Fake {
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        permission: Receiver<()>,
        breaks_at: usize,
    }

    impl Disk for Fake {
        fn write(&mut self, group: Vec<Write>) -> Result<(), Box<dyn Error + Send + Sync>> {
            self.permission.recv()?;
            let mut groups = self.groups.lock().unwrap();
            if groups.len() == self.breaks_at {
                return Err("no space left on device".into());
            }
            groups.push(group);
            Ok(())
        }
    }

    struct Bench {
        committer: Committer,
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        permit: Sender<()>,
    }

    fn bench(breaks_at: usize) -> Bench {
        let groups = Arc::default();
        let (permit, permission) = channel();
        let committer = Committer::start(
            Fake {
                groups: Arc::clone(&groups),
                permission,
                breaks_at,
            },
            Arc::default(),
        )
        .unwrap();
        Bench {
            committer,
            groups,
            permit,
        }
    }

    fn batch(key: u8) -> Batch {
        let mut batch = Batch::new();
        batch.put(Space::Log, [key], []);
        batch
    }

    #[tokio::test]
    async fn what_waits_is_written_as_one_group_in_order() {
        let bench = bench(usize::MAX);
        let first = bench.committer.commit(batch(0));
        bench.permit.send(()).unwrap();
        first.await.unwrap();
        // The thread may take up number 1 before the others are there, but 2 to 9 then wait together.
        let answers: Vec<_> = (1..10).map(|key| bench.committer.commit(batch(key))).collect();
        for _ in 0..9 {
            bench.permit.send(()).unwrap();
        }
        for answer in answers {
            answer.await.unwrap();
        }
        let groups = bench.groups.lock().unwrap();
        let written: Vec<Write> = groups.concat();
        assert_eq!(written, (0..10).flat_map(|key| batch(key).0).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_group_is_answered_only_once_it_is_written() {
        let bench = bench(usize::MAX);
        let mut first = bench.committer.commit(batch(0));
        let early =
            std::future::poll_fn(|context| std::task::Poll::Ready(first.as_mut().poll(context).is_ready()));
        assert!(!early.await);
        bench.permit.send(()).unwrap();
        first.await.unwrap();
    }

    #[tokio::test]
    async fn after_a_fault_everything_waiting_and_everything_later_fails() {
        let bench = bench(1);
        let good = bench.committer.commit(batch(0));
        bench.permit.send(()).unwrap();
        good.await.unwrap();
        let answers: Vec<_> = (1..20).map(|key| bench.committer.commit(batch(key))).collect();
        bench.permit.send(()).unwrap();
        for answer in answers {
            let fault = answer.await.unwrap_err();
            assert_eq!(fault.to_string(), "saving to the store: no space left on device");
        }
        // No permission is given any more: the disk is not even asked.
        bench.committer.commit(batch(99)).await.unwrap_err();
        bench.committer.commit(Batch::new()).await.unwrap_err();
        assert_eq!(bench.groups.lock().unwrap().len(), 1);
    }

    #[test]
    fn closing_writes_what_waits_and_tells_of_faults() {
        let mut good = bench(usize::MAX);
        for key in 0..50 {
            drop(good.committer.commit(batch(key)));
            good.permit.send(()).unwrap();
        }
        good.committer.close().unwrap();
        assert_eq!(good.groups.lock().unwrap().concat().len(), 50);

        let mut bad = bench(0);
        drop(bad.committer.commit(batch(0)));
        bad.permit.send(()).unwrap();
        bad.committer.close().unwrap_err();
    }

    #[tokio::test]
    async fn a_large_batch_closes_its_group() {
        let bench = bench(usize::MAX);
        let mut large = Batch::new();
        large.put(Space::Log, [1], vec![0; GROUP_BYTES]);
        let answers = [
            bench.committer.commit(batch(0)),
            bench.committer.commit(large),
            bench.committer.commit(batch(2)),
        ];
        for _ in 0..3 {
            bench.permit.send(()).unwrap();
        }
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(bench.groups.lock().unwrap().last().unwrap(), &batch(2).0);
    }
}
