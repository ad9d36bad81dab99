//! The one thread that writes.
//!
//! To have something on disk costs about the same whether it is one change or thirty. So commands hand their batches over in
//! the order in which they commit, the committer gathers those that wait into one group, has it written to disk as a
//! whole, and then answers all of them. A batch that nobody waits for any more is written all the same. The next group
//! is not begun before the last one is on disk.
//!
//! After a fault of the disk nothing is known about what is on it (a failed fsync is not to be tried again), so
//! every batch that is not answered yet and every later one fails until the bot is started again.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle};

use tokio::sync::oneshot;

use crate::matches::port::{Batch, Fault, Saving, Write};

/// A group is closed when it holds this many bytes, so that its first batch does not wait for long.
const GROUP_BYTES: usize = 512 << 10;

/// What a fault of the writer is called in the log.
const SAVING: &str = "saving to the store";
const STOPPED: &str = "the writer of the store has stopped";

/// What keeps the committer from writing.
pub(super) type WriteError = Box<dyn Error + Send + Sync>;

/// What the committer writes to.
pub(super) trait Disk: Send + 'static {
    /// Writes a group, all or nothing. It is on disk when this returns, against loss of power too.
    fn write(&mut self, group: Vec<Write>) -> Result<(), WriteError>;

    /// Leaves everything in order. There are no more groups.
    fn finish(self) -> Result<(), WriteError>;
}

/// Hands batches to the thread that writes. Dropping it waits until everything is on disk.
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
    done: Done,
}

type Done = oneshot::Sender<Result<(), Fault>>;

impl Committer {
    /// Starts the thread that writes the store at a path. Why it can't write any more, it leaves in `broken`.
    pub(super) fn start(disk: impl Disk, path: &Path, broken: Arc<OnceLock<String>>) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let thread = Builder::new().name("store-committer".into()).spawn({
            let (path, broken) = (path.to_owned(), Arc::clone(&broken));
            move || run(disk, &path, &waiting, &broken)
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

    /// Waits until everything handed over is on disk, and ends the thread. It tells of a fault that came up
    /// at any time.
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
            tracing::error!(error = %fault, "store: closed after a fault; what was not acknowledged is lost");
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

fn run(mut disk: impl Disk, path: &Path, waiting: &Receiver<Job>, broken: &OnceLock<String>) {
    while let Ok(first) = waiting.recv() {
        let (group, told) = gather(first, waiting);
        if !group.is_empty()
            && broken.get().is_none()
            && let Err(error) = disk.write(group)
        {
            let path = path.display();
            tracing::error!(%path, %error, "store: could not write; nothing is saved until a restart");
            broken.get_or_init(|| error.to_string());
        }
        for done in told {
            // Whoever has stopped waiting needs no answer.
            _ = done.send(healthy(broken));
        }
    }
    if broken.get().is_none()
        && let Err(error) = disk.finish()
    {
        let path = path.display();
        tracing::error!(%path, %error, "store: could not close well; all is checked at the next start");
        broken.get_or_init(|| error.to_string());
    }
}

/// What waits, after the first: all writes in order, and everyone who is to be told.
fn gather(first: Job, waiting: &Receiver<Job>) -> (Vec<Write>, Vec<Done>) {
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
    (group, told)
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

    use super::*;
    use crate::matches::port::Space;

    /// Says that it is asked, waits for leave, and keeps what is written. A refusal is a fault.
    struct Fake {
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        asked: Sender<()>,
        leave: Receiver<bool>,
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

        fn finish(self) -> Result<(), WriteError> {
            Ok(())
        }
    }

    struct Bench {
        committer: Committer,
        groups: Arc<Mutex<Vec<Vec<Write>>>>,
        asked: Receiver<()>,
        leave: Sender<bool>,
    }

    fn bench() -> Bench {
        let groups = Arc::default();
        let (asks, asked) = channel();
        let (leave, leaves) = channel();
        let disk = Fake {
            groups: Arc::clone(&groups),
            asked: asks,
            leave: leaves,
        };
        let committer = Committer::start(disk, Path::new("fake"), Arc::default()).unwrap();
        Bench {
            committer,
            groups,
            asked,
            leave,
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
    async fn after_a_fault_everything_waiting_and_everything_later_fails() {
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
        // A disk that failed once is never asked again, though it would say yes.
        bench.permit(100);
        bench.commit(99).await.unwrap_err();
        bench.committer.commit(Batch::new()).await.unwrap_err();
        assert_eq!(*bench.groups.lock().unwrap(), [batches(0..1)]);
    }

    #[tokio::test]
    async fn a_panic_is_a_fault() {
        let mut bench = bench();
        // Without a sender to give leave, the fake panics.
        drop(bench.leave);
        bench.committer.commit(batch(0)).await.unwrap_err();
        bench.committer.commit(batch(1)).await.unwrap_err();
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
