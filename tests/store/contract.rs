//! The contract of the port, for each store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parlor::matches::port::{Batch, Space, Store};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::all;

macro_rules! contract {
    ($($name:ident)*) => {
        mod memory {
            use std::sync::Arc;
            use parlor::store::MemoryStore;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name(Arc::new(MemoryStore::new())).await;
                }
            )*
        }
        mod sled {
            use std::sync::Arc;
            use parlor::store::SledStore;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let home = tempfile::tempdir().unwrap();
                    super::$name(Arc::new(SledStore::open(&home.path().join("store")).unwrap())).await;
                }
            )*
        }
        /// Every change goes through the journal into sled at once, so that reads meet all layers.
        mod restless_sled {
            use std::sync::Arc;
            use parlor::store::{SledOptions, SledStore};
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let home = tempfile::tempdir().unwrap();
                    let settings = SledOptions { journal: 1, ..SledOptions::default() };
                    let store = SledStore::open_with(&home.path().join("store"), &settings).unwrap();
                    super::$name(Arc::new(store)).await;
                }
            )*
        }
    };
}

contract! {
    a_value_is_found_under_its_key_in_its_space_only
    a_scan_gives_the_first_rows_of_an_inclusive_range_in_order
    a_scan_of_a_prefix_gives_all_that_begin_with_it
    empty_keys_and_values_are_kept
    large_rows_are_kept
    of_two_writes_to_a_key_the_later_one_holds
    a_batch_over_all_spaces_is_there_as_a_whole
    a_scan_never_sees_half_a_batch
    an_empty_batch_is_committed
    commits_are_applied_in_the_order_of_the_calls
    a_dropped_future_takes_nothing_back
    everyone_reads_what_they_were_told_is_saved
    a_flush_waits_for_everything_before_it
}

type Shared = Arc<dyn Store>;

fn put(space: Space, key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Batch {
    let mut batch = Batch::new();
    batch.put(space, key, value);
    batch
}

async fn filled(store: &Shared, keys: &[&str]) {
    for key in keys {
        store
            .commit(put(Space::Log, *key, format!("value of {key}")))
            .await
            .unwrap();
    }
}

fn keys(store: &Shared, from: &[u8], to: &[u8], limit: usize) -> Vec<String> {
    let rows = store.scan(Space::Log, from..=to, limit).unwrap();
    rows.into_iter()
        .map(|(key, value)| {
            let key = String::from_utf8(key).unwrap();
            assert_eq!(value, format!("value of {key}").into_bytes());
            key
        })
        .collect()
}

async fn a_value_is_found_under_its_key_in_its_space_only(store: Shared) {
    assert_eq!(store.get(Space::Matches, b"K7QF").unwrap(), None);
    store
        .commit(put(Space::Matches, "K7QF", "a match"))
        .await
        .unwrap();
    for space in Space::ALL {
        let expected = (space == Space::Matches).then(|| b"a match".to_vec());
        assert_eq!(store.get(space, b"K7QF").unwrap(), expected, "{space:?}");
    }
    assert_eq!(store.get(Space::Matches, b"K7Q").unwrap(), None);
    assert_eq!(store.get(Space::Matches, b"K7QFF").unwrap(), None);
    let mut batch = Batch::new();
    batch.delete(Space::Matches, "K7QF");
    batch.delete(Space::Matches, "never there");
    store.commit(batch).await.unwrap();
    assert_eq!(store.get(Space::Matches, b"K7QF").unwrap(), None);
}

async fn a_scan_gives_the_first_rows_of_an_inclusive_range_in_order(store: Shared) {
    filled(&store, &["d", "b", "a", "ab", "c", "e"]).await;
    // Neighbouring spaces stay out of it.
    for space in [Space::Matches, Space::ByPlayer] {
        store.commit(put(space, "b", "")).await.unwrap();
    }
    assert_eq!(keys(&store, b"", b"\xFF", 100), ["a", "ab", "b", "c", "d", "e"]);
    assert_eq!(keys(&store, b"b", b"d", 100), ["b", "c", "d"]);
    assert_eq!(keys(&store, b"aa", b"bz", 100), ["ab", "b"]);
    assert_eq!(keys(&store, b"b", b"d", 2), ["b", "c"]);
    assert_eq!(keys(&store, b"c", b"c", 100), ["c"]);
    assert_eq!(keys(&store, b"cc", b"cc", 100), [""; 0]);
    assert_eq!(keys(&store, b"", b"\xFF", 0), [""; 0]);
    assert_eq!(
        keys(&store, b"d", b"b", 100),
        [""; 0],
        "a range that ends before it starts is empty"
    );
}

async fn a_scan_of_a_prefix_gives_all_that_begin_with_it(store: Shared) {
    filled(
        &store,
        &["K7QE/9", "K7QF", "K7QF/1", "K7QF/10", "K7QF/2", "K7QF0", "K7QG/1"],
    )
    .await;
    assert_eq!(
        keys(&store, b"K7QF/", b"K7QF/\xFF", 100),
        ["K7QF/1", "K7QF/10", "K7QF/2"]
    );
}

async fn empty_keys_and_values_are_kept(store: Shared) {
    store.commit(put(Space::Handled, "", "")).await.unwrap();
    assert_eq!(store.get(Space::Handled, b"").unwrap(), Some(Vec::new()));
    assert_eq!(all(&*store, Space::Handled), [(Vec::new(), Vec::new())]);
}

async fn large_rows_are_kept(store: Shared) {
    for length in [10_000, 100_000, 1_000_000] {
        for key in 0..20_u8 {
            store
                .commit(put(Space::Rooms, [key], vec![key; length]))
                .await
                .unwrap();
        }
        for (key, value) in all(&*store, Space::Rooms) {
            assert_eq!(value, vec![key[0]; length]);
        }
    }
    assert_eq!(all(&*store, Space::Rooms).len(), 20);
}

async fn of_two_writes_to_a_key_the_later_one_holds(store: Shared) {
    let mut batch = Batch::new();
    batch.put(Space::People, "a", "first");
    batch.put(Space::People, "a", "second");
    batch.put(Space::People, "b", "there");
    batch.delete(Space::People, "b");
    batch.delete(Space::People, "c");
    batch.put(Space::People, "c", "back");
    store.commit(batch).await.unwrap();
    let expected = [("a", "second"), ("c", "back")].map(|(key, value)| (key.into(), value.into()));
    assert_eq!(all(&*store, Space::People), expected);
}

async fn a_batch_over_all_spaces_is_there_as_a_whole(store: Shared) {
    let mut batch = Batch::new();
    for space in Space::ALL {
        batch.put(space, "key", format!("{space:?}"));
    }
    store.commit(batch).await.unwrap();
    for space in Space::ALL {
        assert_eq!(
            store.get(space, b"key").unwrap(),
            Some(format!("{space:?}").into_bytes())
        );
    }
}

async fn a_scan_never_sees_half_a_batch(store: Shared) {
    const WIDTH: u8 = 100;
    let write = |round: u32| {
        let mut batch = Batch::new();
        for key in 0..WIDTH {
            batch.put(Space::Deadlines, [key], round.to_be_bytes());
        }
        batch
    };
    store.commit(write(0)).await.unwrap();
    let over = Arc::new(AtomicBool::new(false));
    let reader = tokio::task::spawn_blocking({
        let (store, over) = (Arc::clone(&store), Arc::clone(&over));
        move || {
            let mut scans = 0;
            while !over.load(Ordering::Relaxed) || scans < 10 {
                let rows = all(&*store, Space::Deadlines);
                assert_eq!(rows.len(), usize::from(WIDTH));
                assert!(rows.iter().all(|row| row.1 == rows[0].1), "a scan saw two rounds");
                scans += 1;
            }
        }
    });
    for round in 1..200 {
        store.commit(write(round)).await.unwrap();
    }
    over.store(true, Ordering::Relaxed);
    reader.await.unwrap();
}

async fn an_empty_batch_is_committed(store: Shared) {
    store.commit(Batch::new()).await.unwrap();
    store.flush().await.unwrap();
}

async fn commits_are_applied_in_the_order_of_the_calls(store: Shared) {
    // Awaited back to front: it is the calls that count.
    let mut answers: Vec<_> = (0..500_u32)
        .map(|number| {
            let mut batch = put(Space::Meta, "latest", number.to_be_bytes());
            batch.put(Space::Log, number.to_be_bytes(), []);
            if number > 0 {
                batch.delete(Space::Log, (number - 1).to_be_bytes());
            }
            store.commit(batch)
        })
        .collect();
    while let Some(answer) = answers.pop() {
        answer.await.unwrap();
    }
    assert_eq!(
        store.get(Space::Meta, b"latest").unwrap(),
        Some(499_u32.to_be_bytes().to_vec())
    );
    assert_eq!(
        all(&*store, Space::Log),
        [(499_u32.to_be_bytes().to_vec(), Vec::new())]
    );
}

async fn a_dropped_future_takes_nothing_back(store: Shared) {
    drop(store.commit(put(Space::Outbox, "delivery", "x")));
    store.flush().await.unwrap();
    assert_eq!(
        store.get(Space::Outbox, b"delivery").unwrap(),
        Some(b"x".to_vec())
    );
}

/// Sixty-four tasks that each wait for the disk are more than enough to hang sled, left to itself.
async fn everyone_reads_what_they_were_told_is_saved(store: Shared) {
    let mut tasks = JoinSet::new();
    for task in 0..64_u32 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            for round in 0..40_u32 {
                let mut batch = Batch::new();
                batch.put(Space::Matches, task.to_be_bytes(), vec![0; 3000]);
                batch.put(
                    Space::Log,
                    [task.to_be_bytes(), round.to_be_bytes()].concat(),
                    "entry",
                );
                batch.put(Space::Deadlines, round.to_be_bytes(), task.to_be_bytes());
                store.commit(batch).await.unwrap();
                let start = task.to_be_bytes();
                let end = [start, u32::MAX.to_be_bytes()].concat();
                let mine = store.scan(Space::Log, &start..=&end, usize::MAX).unwrap();
                assert_eq!(mine.len(), usize::try_from(round).unwrap() + 1);
            }
        });
    }
    let finished = async {
        while let Some(task) = tasks.join_next().await.transpose().unwrap() {
            let () = task;
        }
    };
    timeout(Duration::from_secs(120), finished)
        .await
        .expect("the store hangs");
    // And thousands at once.
    let answers: Vec<_> = (0..5000_u32)
        .map(|number| {
            tokio::spawn({
                let store = Arc::clone(&store);
                async move { store.commit(put(Space::Handled, number.to_be_bytes(), "")).await }
            })
        })
        .collect();
    let finished = async {
        for answer in answers {
            answer.await.unwrap().unwrap();
        }
    };
    timeout(Duration::from_secs(120), finished)
        .await
        .expect("the store hangs");
    assert_eq!(all(&*store, Space::Handled).len(), 5000);
}

async fn a_flush_waits_for_everything_before_it(store: Shared) {
    for number in 0..300_u32 {
        drop(store.commit(put(Space::Log, number.to_be_bytes(), vec![1; 1000])));
    }
    store.flush().await.unwrap();
    assert_eq!(all(&*store, Space::Log).len(), 300);
}
