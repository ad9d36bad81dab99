//! What a parlour needs of the world, made for tests.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use parlor::matches::port::{Batch, Clock, Entropy, Fault, Health, Row, Saving, Space, Store, Write};
use parlor::matches::time::{Span, Time};
use tokio::sync::Notify;

/// Everything in a store.
pub type Spaces = BTreeMap<Space, BTreeMap<Vec<u8>, Vec<u8>>>;

/// A store in memory whose disk can be made slow or broken.
#[derive(Default)]
pub struct TestStore {
    inner: Mutex<Inner>,
    settled: Arc<Notify>,
    commits: AtomicUsize,
    /// How often each space was asked for one row.
    reads: Mutex<BTreeMap<Space, usize>>,
}

#[derive(Default)]
struct Inner {
    spaces: Spaces,
    /// While the disk hangs, batches wait here, in order.
    hanging: Option<Vec<Batch>>,
    /// How many commits have been applied since the start.
    applied: usize,
    begun: usize,
    broken: usize,
    /// Since when the store says that nothing can be saved.
    failing: Option<Time>,
    /// Everything that was ever put into the outbox.
    posted: Vec<Row>,
}

impl Inner {
    fn apply(&mut self, batch: Batch) {
        for write in batch.0 {
            if let Write::Put {
                space: Space::Outbox,
                key,
                value,
            } = &write
            {
                self.posted.push((key.clone(), value.clone()));
            }
            match write {
                Write::Put { space, key, value } => self.spaces.entry(space).or_default().insert(key, value),
                Write::Delete { space, key } => self.spaces.entry(space).or_default().remove(&key),
            };
        }
        self.applied += 1;
    }
}

impl TestStore {
    /// From now on nothing gets onto the disk.
    pub fn hang(&self) {
        self.inner.lock().unwrap().hanging = Some(Vec::new());
    }

    /// How many commits wait for the disk.
    pub fn hanging(&self) -> usize {
        self.inner.lock().unwrap().hanging.as_ref().map_or(0, Vec::len)
    }

    /// The disk works again; what waited is written.
    pub fn go_on(&self) {
        let mut inner = self.inner.lock().unwrap();
        for batch in inner.hanging.take().unwrap_or_default() {
            inner.apply(batch);
        }
        drop(inner);
        self.settled.notify_waiters();
    }

    /// The power fails: what waited for the disk is lost.
    pub fn lose(&self) {
        let mut inner = self.inner.lock().unwrap();
        let lost = inner.hanging.take().unwrap_or_default().len();
        inner.begun -= lost;
    }

    /// Everything that was ever put into the outbox, queue by queue, each in the order of the numbers.
    pub fn posted(&self) -> Vec<Row> {
        let mut posted = self.inner.lock().unwrap().posted.clone();
        posted.sort();
        posted
    }

    /// The next commits fail.
    pub fn break_next(&self, commits: usize) {
        self.inner.lock().unwrap().broken = commits;
    }

    /// From now on the store says that nothing can be saved, since a moment; or that all is well again.
    pub fn say_failing(&self, since: Option<Time>) {
        self.inner.lock().unwrap().failing = since;
    }

    /// From now on nothing can be saved, and the store says so.
    pub fn fail(&self, now: Time) {
        self.break_next(usize::MAX);
        self.say_failing(Some(now));
    }

    /// All is well again.
    pub fn mend(&self) {
        self.break_next(0);
        self.say_failing(None);
    }

    pub fn commits(&self) -> usize {
        self.commits.load(Ordering::Relaxed)
    }

    /// How often a space was asked for one row.
    pub fn reads(&self, space: Space) -> usize {
        self.reads
            .lock()
            .unwrap()
            .get(&space)
            .copied()
            .unwrap_or_default()
    }

    pub fn rows(&self, space: Space) -> Vec<Row> {
        let inner = self.inner.lock().unwrap();
        let rows = inner.spaces.get(&space).cloned().unwrap_or_default();
        rows.into_iter().collect()
    }

    /// Everything, to be compared.
    pub fn everything(&self) -> Spaces {
        let mut spaces = self.inner.lock().unwrap().spaces.clone();
        spaces.retain(|_, rows| !rows.is_empty());
        spaces
    }

    /// Everything but who people are and which events came in.
    pub fn matters(&self) -> Spaces {
        let mut spaces = self.everything();
        spaces.retain(|space, _| !matches!(space, Space::People | Space::Handled));
        // What the bot thinks of a match is no part of it: it can be thought again.
        if let Some(archive) = spaces.get_mut(&Space::Archive) {
            archive.retain(|key, _| !key.ends_with(b"\0review"));
        }
        spaces.retain(|_, rows| !rows.is_empty());
        spaces
    }

    /// Takes something away behind everybody's back.
    pub fn take(&self, space: Space, key: &[u8]) {
        let mut inner = self.inner.lock().unwrap();
        inner.spaces.entry(space).or_default().remove(key);
    }

    /// Puts something there behind everybody's back.
    pub fn put(&self, space: Space, key: &[u8], value: &[u8]) {
        let mut inner = self.inner.lock().unwrap();
        let rows = inner.spaces.entry(space).or_default();
        rows.insert(key.to_vec(), value.to_vec());
    }
}

impl Store for TestStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        *self.reads.lock().unwrap().entry(space).or_default() += 1;
        let inner = self.inner.lock().unwrap();
        Ok(inner.spaces.get(&space).and_then(|rows| rows.get(key)).cloned())
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        let inner = self.inner.lock().unwrap();
        let (first, last) = (range.start().to_vec(), range.end().to_vec());
        if first > last {
            return Ok(Vec::new());
        }
        let Some(rows) = inner.spaces.get(&space) else {
            return Ok(Vec::new());
        };
        let rows = rows.range(first..=last).take(limit);
        Ok(rows.map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        self.commits.fetch_add(1, Ordering::Relaxed);
        let mut inner = self.inner.lock().unwrap();
        if inner.broken > 0 {
            inner.broken -= 1;
            return Box::pin(async { Err(Fault::new("committing", "the disk is full")) });
        }
        inner.begun += 1;
        let number = inner.begun;
        match &mut inner.hanging {
            Some(hanging) => hanging.push(batch),
            None => inner.apply(batch),
        }
        drop(inner);
        Box::pin(async move {
            loop {
                let settled = self.settled.notified();
                if self.inner.lock().unwrap().applied >= number {
                    return Ok(());
                }
                settled.await;
            }
        })
    }

    fn flush(&self) -> Saving<'_> {
        Box::pin(async { Ok(()) })
    }

    fn health(&self) -> Health {
        match self.inner.lock().unwrap().failing {
            None => Health::Good,
            Some(since) => Health::Failing {
                since,
                reason: "the disk is full".to_owned(),
            },
        }
    }
}

/// A clock that stands still until it is moved.
pub struct FakeClock {
    wall: AtomicU64,
    steady: AtomicU64,
}

impl Default for FakeClock {
    /// Noon, UTC, on a day in 2026.
    fn default() -> Self {
        Self {
            wall: (Span::days(20_500) + Span::hours(12)).0.into(),
            steady: 0.into(),
        }
    }
}

impl FakeClock {
    /// Time goes by.
    pub fn forward(&self, span: Span) {
        self.wall.fetch_add(span.0, Ordering::SeqCst);
        self.steady.fetch_add(span.0, Ordering::SeqCst);
    }

    /// Somebody sets the clock on the wall.
    pub fn set(&self, time: Time) {
        self.wall.store(time.0, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Time {
        Time(self.wall.load(Ordering::SeqCst))
    }

    fn steady(&self) -> Span {
        Span(self.steady.load(Ordering::SeqCst))
    }
}

/// Chance that comes out the same in every run.
pub struct FixedEntropy(Mutex<parlor::game::GameRng>);

impl FixedEntropy {
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(parlor::game::GameRng::quick(seed)))
    }
}

impl Entropy for FixedEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault> {
        let mut rng = self.0.lock().unwrap();
        for byte in bytes {
            *byte = rng.word() as u8;
        }
        Ok(())
    }
}
