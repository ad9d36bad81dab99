//! Messages that are not kept any longer: of each place the last ones stay, for some time.
//!
//! Numbers go on as they were, and what is gone leaves gaps that every reader of the stream skips: going back ends at the
//! oldest message that is kept, and going on from an old cursor begins with it.

use std::convert::Infallible;

use super::Local;
use super::feed::{Feed, key, number_in};
use crate::matches::port::{Batch, Fault, Space};
use crate::matches::service::tidy::{EVERY, PAUSE};
use crate::matches::time::Time;

/// How many messages, or keys of messages, are looked at in one portion.
const PORTION: usize = 100;

/// After so many messages the stream is pruned, though the hour is not over.
const MUCH: u64 = 1000;

impl Local {
    /// Prunes the stream now, every hour, and whenever much has been said; without end.
    pub(super) async fn keep_pruned(&self) -> Infallible {
        let mut shown = self.feed.watch();
        loop {
            if let Err(fault) = self.prune().await {
                tracing::error!(%fault, "local: could not prune old messages");
            }
            let much = self.feed.newest() + MUCH;
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                // The feed is ours, so its end can't come.
                () = async { let _ = shown.wait_for(|newest| *newest >= much).await; } => {}
            }
        }
    }

    /// Forgets the messages that are too old or too many, as the operator has said.
    pub async fn prune(&self) -> Result<(), Fault> {
        let service = &self.parlor.service;
        let retention = service.retention();
        let oldest = if service.tells_ages() {
            service.now() - retention.age
        } else {
            Time(0)
        };
        self.feed.prune(oldest, retention.messages).await
    }
}

impl Feed {
    /// Forgets messages that are older than a moment or too many, in small portions: no answer waits for it. It may end anywhere, and
    /// goes on the next time.
    async fn prune(&self, oldest: Time, most: usize) -> Result<(), Fault> {
        let mut after = None;
        while let Some(place) = self.next_place(after.as_deref())? {
            self.prune_place(&place, oldest, most).await?;
            tokio::task::yield_now().await;
            after = Some(place);
        }
        for kind in [&b"key"[..], b"sheet"] {
            self.prune_keys(kind).await?;
        }
        Ok(())
    }

    /// The key of the first place after another.
    fn next_place(&self, after: Option<&[u8]>) -> Result<Option<Vec<u8>>, Fault> {
        let prefix = key(&[b"place", b""]);
        // Past everything that was said there: zero bytes end the name of a place.
        let first = after.map_or_else(|| prefix.clone(), |after| [&prefix, after, &[1]].concat());
        let last = [&prefix[..], &[0xff]].concat();
        let rows = self.store.scan(Space::Rooms, &first..=&last, 1)?;
        let place = |key: &[u8]| {
            let rest = key.strip_prefix(&prefix[..])?;
            let end = rest.iter().position(|byte| *byte == 0)?;
            Some(rest[..end].to_vec())
        };
        Ok(rows.first().and_then(|(key, _)| place(key)))
    }

    /// Forgets what was said at a place, oldest first, until it is neither too old nor too much.
    async fn prune_place(&self, place: &[u8], oldest: Time, most: usize) -> Result<(), Fault> {
        let surplus = self.newest_surplus(place, most)?;
        loop {
            let (first, last) = (key(&[b"place", place, b""]), key(&[b"place", place, &[0xff; 8]]));
            let rows = self.store.scan(Space::Rooms, &first..=&last, PORTION)?;
            let mut batch = Batch::new();
            let newest = self.newest();
            let numbers = rows.iter().filter_map(|(key, _)| number_in(key));
            // What has just been written may not be shown yet.
            for number in numbers.take_while(|number| *number <= newest) {
                let goes = surplus.is_some_and(|surplus| number <= surplus) || self.is_older(number, oldest);
                if !goes {
                    break;
                }
                let (upwards, downwards) = (number.to_be_bytes(), (!number).to_be_bytes());
                batch.delete(Space::Rooms, key(&[b"message", &upwards]));
                batch.delete(Space::Rooms, key(&[b"place", place, &upwards]));
                batch.delete(Space::Rooms, key(&[b"last", place, &downwards]));
            }
            if batch.is_empty() {
                return Ok(());
            }
            self.store.commit(batch).await?;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Whether a message is older than that. One that can't be read is not: it goes when others push it out.
    fn is_older(&self, number: u64, oldest: Time) -> bool {
        match self.find(number) {
            Ok(found) => found.is_none_or(|entry| entry.at < oldest),
            Err(fault) => {
                tracing::error!(%fault, number, "local: could not read a message to see its age");
                false
            }
        }
    }

    /// The last message of a place that is one too many.
    fn newest_surplus(&self, place: &[u8], most: usize) -> Result<Option<u64>, Fault> {
        let (first, last) = (key(&[b"last", place, b""]), key(&[b"last", place, &[0xff; 8]]));
        let rows = self
            .store
            .scan(Space::Rooms, &first..=&last, most.saturating_add(1))?;
        Ok(rows
            .get(most)
            .and_then(|(key, _)| number_in(key))
            .map(|number| !number))
    }

    /// Forgets the keys of messages that are gone: nobody will say those again.
    async fn prune_keys(&self, kind: &[u8]) -> Result<(), Fault> {
        let prefix = key(&[kind, b""]);
        let last = [&prefix[..], &[0xff]].concat();
        let mut first = prefix;
        loop {
            let rows = self.store.scan(Space::Rooms, &first..=&last, PORTION)?;
            let mut batch = Batch::new();
            for (row, number) in &rows {
                let message = key(&[b"message", number]);
                if self.store.get(Space::Rooms, &message)?.is_none() {
                    batch.delete(Space::Rooms, row.clone());
                }
            }
            if !batch.is_empty() {
                self.store.commit(batch).await?;
            }
            match rows.last() {
                Some((row, _)) if rows.len() == PORTION => first = [&row[..], &[0]].concat(),
                _ => return Ok(()),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::chat::message::Message;
    use crate::chat::parlor::Parlor;
    use crate::local::feed::{FeedPlace, NewMessage};
    use crate::matches::entropy::OsEntropy;
    use crate::matches::people::{PlayerId, RoomId};
    use crate::matches::port::{Clock, Store};
    use crate::matches::repository::encode;
    use crate::matches::retention::Retention;
    use crate::matches::service::Service;
    use crate::matches::time::{Span, SystemClock};
    use crate::store::MemoryStore;

    fn open(store: &Arc<MemoryStore>) -> Arc<Feed> {
        let store: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
        Arc::new(Feed::open(store).unwrap())
    }

    fn room(name: &str) -> FeedPlace {
        FeedPlace::Room(RoomId::new("local", name))
    }

    /// Says something with its own key on a day.
    async fn say(feed: &Arc<Feed>, place: FeedPlace, day: u64, text: &str) -> u64 {
        let draft = NewMessage {
            at: Time(0) + Span::days(day),
            place,
            author: None,
            key: Some(text.to_owned()),
            sheet: None,
            message: Message::text(text),
        };
        feed.say(draft).await.unwrap()
    }

    fn keep(messages: usize, days: u64) -> Retention {
        Retention {
            messages,
            age: Span::days(days),
            ..Retention::default()
        }
    }

    fn numbers(feed: &Feed, place: FeedPlace) -> Vec<u64> {
        let page = feed.at_before(&[place], None, 1000).unwrap();
        page.entries.iter().map(|entry| entry.number).collect()
    }

    /// How many rows there are but the one that tells the newest number.
    fn rows(store: &MemoryStore) -> usize {
        let rows = store.scan(Space::Rooms, &[][..]..=&[0xff][..], usize::MAX);
        rows.unwrap().len() - 1
    }

    #[tokio::test(start_paused = true)]
    async fn of_each_place_the_last_messages_stay() {
        let store = Arc::new(MemoryStore::new());
        let feed = open(&store);
        // More than one portion.
        for number in 0..250 {
            say(&feed, room("a"), 9, &format!("a{number}")).await;
        }
        let quiet = FeedPlace::Guest(PlayerId::new("local", "ann"));
        for number in 0..3 {
            say(&feed, quiet.clone(), 9, &format!("ann{number}")).await;
        }
        // A name that begins like another's.
        say(&feed, room("ab"), 9, "next door").await;
        feed.prune(Time(0) + Span::days(10) - Span::days(30), 5)
            .await
            .unwrap();
        assert_eq!(numbers(&feed, room("a")), [246, 247, 248, 249, 250]);
        assert_eq!(numbers(&feed, quiet), [251, 252, 253]);
        assert_eq!(numbers(&feed, room("ab")), [254]);
        // A message is one row, one in each index, and one for its key.
        assert_eq!(rows(&store), 9 * 4);
    }

    #[tokio::test(start_paused = true)]
    async fn messages_go_when_they_are_old() {
        let store = Arc::new(MemoryStore::new());
        let feed = open(&store);
        for day in 0..20 {
            say(&feed, room("a"), day, &format!("day {day}")).await;
        }
        feed.prune(Time(0) + Span::days(20) - Span::days(7), 1000)
            .await
            .unwrap();
        assert_eq!(numbers(&feed, room("a")), [14, 15, 16, 17, 18, 19, 20]);
        feed.prune(Time(0) + Span::days(200) - Span::days(7), 1000)
            .await
            .unwrap();
        assert_eq!(rows(&store), 0);
        assert_eq!(say(&feed, room("a"), 200, "day 0").await, 21, "numbers go on");
    }

    #[tokio::test]
    async fn a_busy_room_is_not_pruned_by_the_hour_only() {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).unwrap();
        let now = service.now();
        let service = Arc::new(service.with_retention(keep(5, 30)));
        let local = Local::open(Arc::new(Parlor::new(service))).unwrap();
        let feed = Arc::clone(&local.feed);
        let pruning = tokio::spawn(async move { local.keep_pruned().await });
        let today = now.0 / Span::days(1).0;
        for number in 0..MUCH + 10 {
            say(&feed, room("a"), today, &format!("{number}")).await;
        }
        while numbers(&feed, room("a")).len() > 20 {
            tokio::task::yield_now().await;
        }
        pruning.abort();
    }

    /// A clock on the wall that can be set, beside a steady one that stands still.
    #[derive(Default)]
    struct Wall(AtomicU64);

    impl Clock for Wall {
        fn now(&self) -> Time {
            Time(self.0.load(Ordering::Relaxed))
        }

        fn steady(&self) -> Span {
            Span::ZERO
        }
    }

    #[tokio::test(start_paused = true)]
    async fn messages_don_t_grow_old_by_a_clock_that_jumps() {
        let (store, wall) = (Arc::new(MemoryStore::new()), Arc::new(Wall::default()));
        let kept: Arc<dyn Store> = Arc::<MemoryStore>::clone(&store);
        let clock: Arc<dyn Clock> = Arc::<Wall>::clone(&wall);
        let service = Service::new(kept, clock, Arc::new(OsEntropy)).unwrap();
        let service = Arc::new(service.with_retention(keep(5, 30)));
        let local = Local::open(Arc::new(Parlor::new(service))).unwrap();
        for number in 0..8 {
            say(&local.feed, room("a"), 0, &format!("{number}")).await;
        }
        wall.0.store(Span::days(400).0, Ordering::Relaxed);
        local.prune().await.unwrap();
        // There are too many, though, by any clock.
        assert_eq!(numbers(&local.feed, room("a")), [4, 5, 6, 7, 8]);
    }

    #[tokio::test(start_paused = true)]
    async fn old_cursors_are_answered_with_what_is_kept() {
        let store = Arc::new(MemoryStore::new());
        let feed = open(&store);
        for number in 0..50 {
            say(&feed, room("a"), 1, &format!("{number}")).await;
        }
        feed.prune(Time(0) + Span::days(2) - Span::days(30), 10)
            .await
            .unwrap();
        let all: Vec<u64> = (41..=50).collect();
        let stream = feed.after(3, None, 100).unwrap();
        let told: Vec<u64> = stream.entries.iter().map(|entry| entry.number).collect();
        assert_eq!((told, stream.cursor, stream.more), (all.clone(), 50, false));
        let on = feed.at_after(&[room("a")], 3, 100).unwrap();
        let told: Vec<u64> = on.entries.iter().map(|entry| entry.number).collect();
        assert_eq!((told, on.more), (all, false));
        let back = feed.at_before(&[room("a")], Some(41), 100).unwrap();
        assert_eq!((back.entries.len(), back.more), (0, false));
        assert_eq!(feed.find(3).unwrap(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_kept_before_messages_were_packed_is_pruned_too() {
        let store = Arc::new(MemoryStore::new());
        let feed = open(&store);
        for day in [1, 9] {
            let number = say(&feed, room("a"), day, &format!("day {day}")).await;
            let mut batch = Batch::new();
            let entry = feed.find(number).unwrap().unwrap();
            let row = key(&[b"message", &number.to_be_bytes()]);
            batch.put(Space::Rooms, row, encode(&entry).unwrap());
            store.commit(batch).await.unwrap();
        }
        feed.prune(Time(0) + Span::days(10) - Span::days(5), 10)
            .await
            .unwrap();
        assert_eq!(numbers(&feed, room("a")), [2]);
        assert_eq!(rows(&store), 4);
    }

    /// A place whose name is no prefix of a row that means something else.
    #[tokio::test(start_paused = true)]
    async fn names_of_rooms_are_left_alone() {
        let store = Arc::new(MemoryStore::new());
        let feed = open(&store);
        say(&feed, room("a"), 1, "gone").await;
        let mut batch = Batch::new();
        batch.put(Space::Rooms, *b"room\0discord:8", *b"{}");
        batch.put(Space::Rooms, *b"local\0room\0parlor", *b"");
        store.commit(batch).await.unwrap();
        feed.prune(Time(0) + Span::days(90) - Span::days(5), 10)
            .await
            .unwrap();
        assert_eq!(rows(&store), 2);
    }
}
