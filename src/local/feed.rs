//! The message stream: what was said, in one sequence. The last messages of each place are kept; see `prune`.
//!
//! Rooms and guests share the sequence, so one cursor is enough to catch up with all that somebody may
//! read. A number is shown only once its message is on disk: after a crash no number ever stands for
//! something else, and nobody's cursor is ahead of what is there.
//!
//! Keys in [`Space::Rooms`], all under `local`:
//! ```text
//! message NUMBER        the entry, packed
//! place PLACE NUMBER    what was said at a place, oldest first
//! last PLACE !NUMBER    the same, newest first
//! key KEY               the number of the entry with this idempotency key
//! sheet PLACE SHEET     the number of the entry that is written anew under this name
//! ```
//! An entry that is written anew keeps its number and its place among the others. That it was takes a number of its own,
//! under which there is no more than a pointer to it: so whoever reads on from a cursor hears of it.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as AsyncMutex, oneshot, watch};

use super::packing::{pack, unpack};
use crate::chat::message::Message;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::{Batch, Fault, Space, Store};
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
    /// The number under which it was last written anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revised: Option<u64>,
    /// Where whoever has read it here is in the stream.
    #[serde(skip)]
    pub cursor: u64,
}

impl FeedEntry {
    /// Whether somebody who reads on from a number has not read it by then as it is now. An entry is told as it is: that it
    /// was written anew is news only to those who have read it before.
    const fn is_news_after(&self, after: u64) -> bool {
        self.cursor == self.number || self.number <= after
    }
}

/// What stands under a number.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Row {
    /// The entry of this number was written anew.
    Revision {
        revises: u64,
    },
    Entry(Box<FeedEntry>),
}

/// Something about to be said.
#[derive(Debug)]
pub struct NewMessage {
    pub at: Time,
    pub place: FeedPlace,
    pub author: Option<PlayerId>,
    /// The same key is said once.
    pub key: Option<String>,
    /// What was last said at this place under the same name is written anew.
    pub sheet: Option<String>,
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
    draft: NewMessage,
    done: oneshot::Sender<Result<u64, String>>,
}

/// The stream.
pub struct Feed {
    pub(super) store: Arc<dyn Store>,
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
    pub async fn say(self: &Arc<Self>, draft: NewMessage) -> Result<u64, Fault> {
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
        let (drafts, done): (Vec<NewMessage>, Vec<_>) = waiting
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

    async fn write(&self, drafts: Vec<NewMessage>) -> Result<Vec<u64>, Fault> {
        let mut newest = self.newest();
        let mut batch = Batch::new();
        let mut numbers = Vec::new();
        // What this batch writes is not in the store yet.
        let mut known: HashMap<Vec<u8>, u64> = HashMap::new();
        let mut fresh: HashMap<u64, FeedEntry> = HashMap::new();
        for draft in drafts {
            let place = draft.place.key();
            let said = draft.key.map(|wanted| key(&[b"key", wanted.as_bytes()]));
            if let Some(number) = self.known_number(said.as_ref(), &known)? {
                numbers.push(number);
                continue;
            }
            newest += 1;
            let sheet = draft.sheet.map(|name| key(&[b"sheet", &place, name.as_bytes()]));
            let old = match self.known_number(sheet.as_ref(), &known)? {
                Some(number) => fresh
                    .remove(&number)
                    .map_or_else(|| self.read_entry(number), |own| Ok(Some(own)))?,
                None => None,
            };
            batch.put(Space::Rooms, key(&[b"place", &place, &newest.to_be_bytes()]), b"");
            let entry = match old {
                Some(old) => {
                    let revision = Row::Revision { revises: old.number };
                    batch.put(Space::Rooms, message_key(newest), pack(&revision)?);
                    FeedEntry {
                        message: draft.message,
                        revised: Some(newest),
                        ..old
                    }
                }
                None => {
                    let last = (!newest).to_be_bytes();
                    batch.put(Space::Rooms, key(&[b"last", &place, &last]), b"");
                    FeedEntry {
                        number: newest,
                        at: draft.at,
                        place: draft.place,
                        author: draft.author,
                        message: draft.message,
                        revised: None,
                        cursor: newest,
                    }
                }
            };
            for row in said.into_iter().chain(sheet) {
                batch.put(Space::Rooms, row.clone(), entry.number.to_be_bytes());
                known.insert(row, entry.number);
            }
            batch.put(Space::Rooms, message_key(entry.number), pack(&entry)?);
            numbers.push(entry.number);
            fresh.insert(entry.number, entry);
        }
        if !batch.is_empty() {
            batch.put(Space::Rooms, key(&[b"newest"]), newest.to_be_bytes());
            self.store.commit(batch).await?;
            self.shown.send_replace(newest);
        }
        Ok(numbers)
    }

    /// The number of the entry that a row names.
    fn known_number(
        &self,
        row: Option<&Vec<u8>>,
        known: &HashMap<Vec<u8>, u64>,
    ) -> Result<Option<u64>, Fault> {
        let Some(row) = row else {
            return Ok(None);
        };
        if let Some(number) = known.get(row) {
            return Ok(Some(*number));
        }
        let value = self.store.get(Space::Rooms, row)?;
        Ok(value.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?))))
    }

    pub fn find(&self, number: u64) -> Result<Option<FeedEntry>, Fault> {
        if number > self.newest() {
            return Ok(None);
        }
        self.read_entry(number)
    }

    fn read_entry(&self, number: u64) -> Result<Option<FeedEntry>, Fault> {
        let value = self.store.get(Space::Rooms, &message_key(number))?;
        let row = value.map(|value| unpack(&value)).transpose()?;
        Ok(row.and_then(|row| match row {
            Row::Entry(entry) => Some(FeedEntry {
                cursor: number,
                ..*entry
            }),
            Row::Revision { .. } => None,
        }))
    }

    /// The entry that stands under a number, or that was written anew under it. Of several times the last is told.
    fn entry_of(&self, number: u64, row: Row) -> Result<Option<FeedEntry>, Fault> {
        let entry = match row {
            Row::Entry(entry) => Some(*entry),
            Row::Revision { revises } => {
                let entry = self.read_entry(revises)?;
                entry.filter(|entry| entry.revised == Some(number))
            }
        };
        Ok(entry.map(|entry| FeedEntry {
            cursor: number,
            ..entry
        }))
    }

    /// Whether something was said at a place under this name, to be written anew.
    pub fn has_sheet(&self, place: &FeedPlace, name: &str) -> Result<bool, Fault> {
        let row = key(&[b"sheet", &place.key(), name.as_bytes()]);
        Ok(self.store.get(Space::Rooms, &row)?.is_some())
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
            let (first, last) = (message_key(page.cursor + 1), message_key(newest));
            let wanted = limit - page.entries.len();
            let rows = self.store.scan(Space::Rooms, &first..=&last, wanted)?;
            if rows.is_empty() {
                page.cursor = newest;
            }
            for (key, value) in rows {
                let Some(number) = number_in(&key) else {
                    continue;
                };
                page.cursor = number;
                let entry = self.entry_of(number, unpack(&value)?)?;
                let entry = entry.filter(|entry| entry.place.is_open_to(guest));
                page.entries
                    .extend(entry.filter(|entry| entry.is_news_after(after)));
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
        let mut entries = self.entries(&numbers)?;
        entries.retain(|entry| entry.is_news_after(after));
        Ok(FeedPage {
            entries,
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
        let mut entries = Vec::new();
        for number in numbers {
            if let Some(value) = self.store.get(Space::Rooms, &message_key(*number))? {
                entries.extend(self.entry_of(*number, unpack(&value)?)?);
            }
        }
        Ok(entries)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn key(parts: &[&[u8]]) -> Vec<u8> {
    [&[&b"local"[..]], parts].concat().join(&0)
}

fn message_key(number: u64) -> Vec<u8> {
    key(&[b"message", &number.to_be_bytes()])
}

/// The number at the end of a key.
pub(super) fn number_in(key: &[u8]) -> Option<u64> {
    let tail = key.last_chunk::<8>()?;
    Some(u64::from_be_bytes(*tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::message::Text;
    use crate::store::MemoryStore;

    fn hall() -> FeedPlace {
        FeedPlace::Room(RoomId::new("local", "hall"))
    }

    fn draft(text: &str, key: &str, sheet: Option<&str>) -> NewMessage {
        NewMessage {
            at: Time(1),
            place: hall(),
            author: None,
            key: Some(key.to_owned()),
            sheet: sheet.map(str::to_owned),
            message: Message::text(Text::markdown(text)),
        }
    }

    fn told(page: &FeedPage) -> Vec<(u64, u64, String)> {
        let entry = |entry: &FeedEntry| {
            let text = entry.message.text.plain(|_| String::new());
            (entry.number, entry.cursor, text)
        };
        page.entries.iter().map(entry).collect()
    }

    #[tokio::test]
    async fn what_is_written_anew_keeps_its_place_and_is_heard_of() {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let feed = Arc::new(Feed::open(Arc::clone(&store)).unwrap());
        assert!(!feed.has_sheet(&hall(), "turn 1").unwrap());
        assert_eq!(feed.say(draft("thinking", "a", Some("turn 1"))).await.unwrap(), 1);
        assert_eq!(feed.say(draft("talk", "b", None)).await.unwrap(), 2);
        // The same key says it once, however often it comes.
        for _ in 0..2 {
            assert_eq!(feed.say(draft("reply", "c", Some("turn 1"))).await.unwrap(), 1);
        }
        assert!(feed.has_sheet(&hall(), "turn 1").unwrap());
        for feed in [Arc::clone(&feed), Arc::new(Feed::open(store).unwrap())] {
            assert_eq!(feed.newest(), 3);
            let history = feed.at_before(&[hall()], None, 10).unwrap();
            let expected = [(1, 1, "reply".to_owned()), (2, 2, "talk".to_owned())];
            assert_eq!(told(&history), expected);
            // Whoever had read both hears of it under its number, and goes on behind it.
            let news = [(1, 3, "reply".to_owned())];
            assert_eq!(told(&feed.after(2, None, 10).unwrap()), news);
            assert_eq!(told(&feed.at_after(&[hall()], 2, 10).unwrap()), news);
            assert_eq!(feed.after(2, None, 10).unwrap().cursor, 3);
            // Whoever reads everything reads it once.
            assert_eq!(told(&feed.after(0, None, 10).unwrap()), expected);
            assert_eq!(told(&feed.at_after(&[hall()], 0, 10).unwrap()), expected);
            assert_eq!(feed.find(3).unwrap(), None);
            assert_eq!(feed.find(1).unwrap().unwrap().revised, Some(3));
        }
    }

    #[tokio::test]
    async fn what_is_said_and_written_anew_at_one_moment_is_one_entry() {
        let feed = Feed::open(Arc::new(MemoryStore::default())).unwrap();
        let drafts = ["one", "two", "three"].map(|text| draft(text, text, Some("turn 1")));
        assert_eq!(feed.write(drafts.into()).await.unwrap(), [1, 1, 1]);
        let history = feed.at_before(&[hall()], None, 10).unwrap();
        assert_eq!(told(&history), [(1, 1, "three".to_owned())]);
    }
}
