//! The message stream: everything that was said, in one sequence, kept for ever.
//!
//! Rooms and guests share the sequence, so one cursor is enough to catch up with all that somebody may
//! read. A number is shown only once its message is on disk: after a crash no number ever stands for
//! something else, and nobody's cursor is ahead of what is there.
//!
//! Keys in [`Space::Rooms`], all under `local`:
//! ```text
//! message NUMBER        the entry, as JSON
//! place PLACE NUMBER    what was said at a place, oldest first
//! last PLACE !NUMBER    the same, newest first
//! key KEY               the number of the entry with this idempotency key
//! ```

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as AsyncMutex, oneshot, watch};

use crate::chat::message::Message;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::{Batch, Fault, Space, Store};
use crate::matches::repository::{decode, encode};
use crate::matches::time::Time;

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedPlace {
    Room(RoomId),
    /// To one guest alone.
    Guest(PlayerId),
}

impl FeedPlace {
    /// Whether this guest may read what was said here.
    pub fn is_open_to(&self, guest: Option<&PlayerId>) -> bool {
        match self {
            Self::Room(_) => true,
            Self::Guest(owner) => guest == Some(owner),
        }
    }

    fn key(&self) -> Vec<u8> {
        match self {
            Self::Room(room) => [b"room ", room.as_str().as_bytes()].concat(),
            Self::Guest(guest) => [b"guest ", guest.as_str().as_bytes()].concat(),
        }
    }
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedEntry {
    pub number: u64,
    pub at: Time,
    pub place: FeedPlace,
    /// The guest who said it; the parlor itself if nobody.
    pub author: Option<PlayerId>,
    pub message: Message,
}

/// Something about to be said.
#[derive(Debug)]
pub struct Draft {
    pub at: Time,
    pub place: FeedPlace,
    pub author: Option<PlayerId>,
    /// The same key is said once.
    pub key: Option<String>,
    pub message: Message,
}

/// A page of the stream.
#[derive(Debug)]
pub struct FeedPage {
    pub entries: Vec<FeedEntry>,
    /// Where to go on reading.
    pub cursor: u64,
    /// Whether there is more at once.
    pub more: bool,
}

struct Waiting {
    draft: Draft,
    done: oneshot::Sender<Result<u64, String>>,
}

/// The stream.
pub struct Feed {
    store: Arc<dyn Store>,
    waiting: Mutex<Vec<Waiting>>,
    /// One writer at a time; it takes all that waits.
    writer: AsyncMutex<()>,
    /// The last number that may be read.
    shown: watch::Sender<u64>,
}

impl Feed {
    pub fn open(store: Arc<dyn Store>) -> Result<Self, Fault> {
        let newest = store.get(Space::Rooms, &key(&[b"newest"]))?;
        let newest = newest.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?)));
        Ok(Self {
            store,
            waiting: Mutex::default(),
            writer: AsyncMutex::default(),
            shown: watch::Sender::new(newest.unwrap_or_default()),
        })
    }

    /// The number of the last message.
    pub fn newest(&self) -> u64 {
        *self.shown.borrow()
    }

    /// Tells of new messages.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.shown.subscribe()
    }

    /// Says something. When it returns, it is on disk and has its number; a key that was said before
    /// keeps the number it had. Whoever stops waiting doesn't stop the writing.
    pub async fn say(self: &Arc<Self>, draft: Draft) -> Result<u64, Fault> {
        let (done, answer) = oneshot::channel();
        lock(&self.waiting).push(Waiting { draft, done });
        let feed = Arc::clone(self);
        tokio::spawn(async move { feed.write_waiting().await });
        let lost = || Err("the writer was lost".to_owned());
        let answer = answer.await.unwrap_or_else(|_| lost());
        answer.map_err(|error| Fault::new("saying something in the local room", error))
    }

    async fn write_waiting(&self) {
        let _writer = self.writer.lock().await;
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        if waiting.is_empty() {
            return;
        }
        let (drafts, done): (Vec<Draft>, Vec<_>) = waiting
            .into_iter()
            .map(|waiting| (waiting.draft, waiting.done))
            .unzip();
        let written = self.write(drafts).await;
        for (index, done) in done.into_iter().enumerate() {
            let answer = match &written {
                Ok(numbers) => Ok(numbers[index]),
                Err(fault) => Err(fault.to_string()),
            };
            // Whoever asked may have gone; it is said all the same.
            let _ = done.send(answer);
        }
    }

    async fn write(&self, drafts: Vec<Draft>) -> Result<Vec<u64>, Fault> {
        let mut newest = self.newest();
        let mut batch = Batch::new();
        let mut numbers = Vec::new();
        let mut keys: HashMap<String, u64> = HashMap::new();
        for draft in drafts {
            if let Some(wanted) = &draft.key {
                let known = match keys.get(wanted) {
                    Some(number) => Some(*number),
                    None => self.number_of(wanted)?,
                };
                if let Some(number) = known {
                    numbers.push(number);
                    continue;
                }
            }
            newest += 1;
            let number = newest.to_be_bytes();
            let place = draft.place.key();
            batch.put(Space::Rooms, key(&[b"place", &place, &number]), b"");
            batch.put(
                Space::Rooms,
                key(&[b"last", &place, &(!newest).to_be_bytes()]),
                b"",
            );
            if let Some(wanted) = draft.key {
                batch.put(Space::Rooms, key(&[b"key", wanted.as_bytes()]), number);
                keys.insert(wanted, newest);
            }
            let entry = FeedEntry {
                number: newest,
                at: draft.at,
                place: draft.place,
                author: draft.author,
                message: draft.message,
            };
            batch.put(Space::Rooms, key(&[b"message", &number]), encode(&entry)?);
            numbers.push(newest);
        }
        if !batch.is_empty() {
            batch.put(Space::Rooms, key(&[b"newest"]), newest.to_be_bytes());
            self.store.commit(batch).await?;
            self.shown.send_replace(newest);
        }
        Ok(numbers)
    }

    /// The number of the entry with this key.
    fn number_of(&self, wanted: &str) -> Result<Option<u64>, Fault> {
        let value = self.store.get(Space::Rooms, &key(&[b"key", wanted.as_bytes()]))?;
        Ok(value.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?))))
    }

    pub fn find(&self, number: u64) -> Result<Option<FeedEntry>, Fault> {
        if number > self.newest() {
            return Ok(None);
        }
        let value = self
            .store
            .get(Space::Rooms, &key(&[b"message", &number.to_be_bytes()]))?;
        value.map(|value| decode(&value)).transpose()
    }

    /// A message that this guest may read.
    pub fn find_for(&self, number: u64, guest: Option<&PlayerId>) -> Result<Option<FeedEntry>, Fault> {
        let entry = self.find(number)?;
        Ok(entry.filter(|entry| entry.place.is_open_to(guest)))
    }

    /// Everything after a number that somebody may read, wherever it was said, oldest first.
    pub fn after(&self, after: u64, guest: Option<&PlayerId>, limit: usize) -> Result<FeedPage, Fault> {
        let newest = self.newest();
        let mut page = FeedPage {
            entries: Vec::new(),
            cursor: after.min(newest),
            more: false,
        };
        while page.cursor < newest && page.entries.len() < limit {
            let first = key(&[b"message", &(page.cursor + 1).to_be_bytes()]);
            let last = key(&[b"message", &newest.to_be_bytes()]);
            let wanted = limit - page.entries.len();
            let rows = self.store.scan(Space::Rooms, &first..=&last, wanted)?;
            if rows.is_empty() {
                page.cursor = newest;
            }
            for (_, value) in rows {
                let entry: FeedEntry = decode(&value)?;
                page.cursor = entry.number;
                if entry.place.is_open_to(guest) {
                    page.entries.push(entry);
                }
            }
        }
        page.more = page.cursor < newest;
        Ok(page)
    }

    /// What was said at some places after a number, oldest first.
    pub fn at_after(&self, places: &[FeedPlace], after: u64, limit: usize) -> Result<FeedPage, Fault> {
        let newest = self.newest();
        let range = after.saturating_add(1)..=newest;
        let (numbers, more) = self.numbers(b"place", places, range, limit)?;
        Ok(FeedPage {
            entries: self.entries(&numbers)?,
            cursor: numbers.last().copied().filter(|_| more).unwrap_or(newest),
            more,
        })
    }

    /// The last that was said at some places before a number, oldest first. Here `more` tells whether
    /// something came before it.
    pub fn at_before(
        &self,
        places: &[FeedPlace],
        before: Option<u64>,
        limit: usize,
    ) -> Result<FeedPage, Fault> {
        let cursor = self.newest();
        let upto = before.map_or(cursor, |before| before.saturating_sub(1).min(cursor));
        let (inverted, more) = self.numbers(b"last", places, !upto..=u64::MAX, limit)?;
        let numbers: Vec<u64> = inverted.into_iter().rev().map(|number| !number).collect();
        let entries = self.entries(&numbers)?;
        Ok(FeedPage {
            entries,
            cursor,
            more,
        })
    }

    /// The first numbers of a range under which something was said at some places, and whether there are more.
    fn numbers(
        &self,
        index: &[u8],
        places: &[FeedPlace],
        range: RangeInclusive<u64>,
        limit: usize,
    ) -> Result<(Vec<u64>, bool), Fault> {
        let mut numbers = Vec::new();
        for place in places.iter().map(FeedPlace::key) {
            let [first, last] =
                [range.start(), range.end()].map(|number| key(&[index, &place, &number.to_be_bytes()]));
            let rows = self.store.scan(Space::Rooms, &first..=&last, limit + 1)?;
            numbers.extend(rows.iter().filter_map(|(key, _)| number_in(key)));
        }
        numbers.sort_unstable();
        let more = numbers.len() > limit;
        numbers.truncate(limit);
        Ok((numbers, more))
    }

    fn entries(&self, numbers: &[u64]) -> Result<Vec<FeedEntry>, Fault> {
        let found = numbers.iter().map(|number| self.find(*number));
        found.filter_map(Result::transpose).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(parts: &[&[u8]]) -> Vec<u8> {
    [&[&b"local"[..]], parts].concat().join(&0)
}

/// The number at the end of a key.
fn number_in(key: &[u8]) -> Option<u64> {
    let tail = key.last_chunk::<8>()?;
    Some(u64::from_be_bytes(*tail))
}
