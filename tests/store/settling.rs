//! Rows settle and runs are merged while the store is used: nothing changes by it but the size.

use std::fs;
use std::path::Path;
use std::time::Duration;

use parlor::matches::port::{Batch, Health, Space, Store};
use parlor::store::{MemoryStore, SledOptions, SledStore};

use crate::{Dice, Files, everything, files, lay_out, open_busy, open_settling, wait_until_settled};

/// Some changes: rows put, replaced and deleted, in all spaces.
fn some_changes(dice: &mut Dice) -> Batch {
    let mut batch = Batch::new();
    for _ in 0..10 {
        let space = Space::ALL[1 + dice.below(Space::ALL.len() - 1)];
        let key = u32::try_from(dice.below(400)).unwrap().to_be_bytes();
        if dice.below(3) == 0 {
            batch.delete(space, key);
        } else {
            let value = vec![u8::try_from(dice.below(256)).unwrap(); dice.below(2000)];
            batch.put(space, key, value);
        }
    }
    batch
}

#[tokio::test]
async fn a_store_that_settles_all_the_time_holds_the_same_as_one_in_memory() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let memory = MemoryStore::new();
    let mut dice = Dice(5);
    for round in 0..6 {
        let store = open_settling(&path);
        for step in 0..150 {
            let batch = some_changes(&mut dice);
            memory.commit(batch.clone()).await.unwrap();
            store.commit(batch).await.unwrap();
            if step % 50 == 0 {
                same(&store, &memory);
            }
        }
        if round % 2 == 0 {
            store.compact().unwrap();
            assert_eq!(
                fs::read_dir(path.join("runs")).unwrap().count(),
                1,
                "all is one run"
            );
        }
        same(&store, &memory);
        store.close().unwrap();
    }
    let store = SledStore::open(&path).unwrap();
    same(&store, &memory);
    let mut rows = 0;
    store.check(|_, _, _| rows += 1).unwrap();
    assert_eq!(rows, everything(&store).iter().map(Vec::len).sum::<usize>());
}

/// Both hold the same rows, but for the format.
fn same(store: &SledStore, memory: &MemoryStore) {
    let (found, expected) = (everything(store), everything(memory));
    assert!(found[1..] == expected[1..], "the stores differ");
    for (space, rows) in Space::ALL.iter().zip(&expected).skip(1) {
        for (key, value) in rows.iter().step_by(17) {
            assert_eq!(store.get(*space, key).unwrap().as_ref(), Some(value));
        }
        let gone = (0..400_u32)
            .map(u32::to_be_bytes)
            .find(|key| rows.iter().all(|row| row.0 != key));
        if let Some(key) = gone {
            assert_eq!(store.get(*space, &key).unwrap(), None);
        }
    }
}

#[tokio::test]
async fn what_was_replaced_and_deleted_leaves_the_disk() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_busy(&path);
    let text = |number: u32| format!("{number} {}", "this is about what a row looks like ".repeat(30));
    let mut logical = 0;
    for round in 0..20 {
        for key in 0..100_u32 {
            let mut batch = Batch::new();
            batch.put(Space::Matches, key.to_be_bytes(), text(round * key));
            batch.put(
                Space::Outbox,
                [round, key].map(u32::to_be_bytes).concat(),
                text(key),
            );
            batch.delete(
                Space::Outbox,
                [round.wrapping_sub(1), key].map(u32::to_be_bytes).concat(),
            );
            logical += batch.0.iter().map(|_| 1000).sum::<u64>();
            store.commit(batch).await.unwrap();
        }
    }
    store.compact().unwrap();
    let rows = everything(&store);
    let live: u64 = rows
        .iter()
        .flatten()
        .map(|(key, value)| (key.len() + value.len()) as u64)
        .sum();
    let on_disk = store.figures().bytes_on_disk.unwrap();
    // sled's own files have a size at the least.
    assert!(
        on_disk < live + (2 << 20),
        "{on_disk} bytes on disk for {live} of {logical} written"
    );
    assert!(store.figures().compactions.unwrap() > 0);
    let runs: u64 = fs::read_dir(path.join("runs"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!(runs < live / 2, "{runs} bytes of runs for {live}");
    assert!(everything(&store) == rows);
}

/// Puts so many rows, of a kibibyte that can't be made smaller, from a number on.
async fn put(store: &SledStore, numbers: std::ops::Range<u32>) {
    let mut state = 7_u64;
    for number in numbers {
        let value: Vec<u8> = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(u64::from(number) | 1);
            (state >> 56) as u8
        })
        .take(1024)
        .collect();
        let mut batch = Batch::new();
        batch.put(Space::Archive, number.to_be_bytes(), value);
        store.commit(batch).await.unwrap();
    }
}

fn runs(path: &Path) -> usize {
    fs::read_dir(path.join("runs")).unwrap().count()
}

/// What sled's files have.
fn sled_bytes(path: &Path) -> u64 {
    let files = files(&path.join("sled"));
    files.values().map(|content| content.len() as u64).sum()
}

/// The rows that are written at the end of an evening would otherwise lie in sled, many times as large, for as long as nobody
/// plays.
#[tokio::test]
async fn rows_settle_when_nobody_wants_anything_and_when_the_store_is_closed() {
    let home = tempfile::tempdir().unwrap();
    let settings = |idle| SledOptions {
        journal: 100_000,
        settle: 8 << 20,
        idle,
        ..SledOptions::default()
    };
    let patient = settings(Duration::MAX);
    for (name, settings, closed) in [
        ("idle", settings(Duration::from_millis(1)), false),
        ("closed", patient, true),
        ("neither", patient, false),
    ] {
        let path = home.path().join(name);
        let store = SledStore::open_with(&path, &settings).unwrap();
        put(&store, 0..2000).await;
        wait_until_settled(&path);
        match name {
            "idle" => {
                while sled_bytes(&path) > 1 << 20 {
                    std::thread::yield_now();
                }
            }
            "closed" => {}
            _ => assert!(sled_bytes(&path) > 2 << 20, "{name}"),
        }
        if closed {
            store.close().unwrap();
            assert!(sled_bytes(&path) <= 1 << 20, "{name}: {}", sled_bytes(&path));
            assert_eq!(runs(&path), 2, "{name}: that of the empty store, and this one");
            let store = SledStore::open_with(&path, &patient).unwrap();
            assert_eq!(crate::all(&store, Space::Archive).len(), 2000);
            // There is nothing new, so there is nothing to settle; at most those two become one.
            store.close().unwrap();
            assert!(runs(&path) <= 2, "{name}");
        } else {
            assert_eq!(crate::all(&store, Space::Archive).len(), 2000);
        }
    }
}

/// The bytes of all runs.
fn settled_bytes(path: &Path) -> u64 {
    let entries = fs::read_dir(path.join("runs")).unwrap();
    // One that goes at this very moment counts no more.
    let sizes = entries.filter_map(|entry| Some(entry.unwrap().metadata().ok()?.len()));
    sizes.sum()
}

/// Nobody asks for it: when more than half of what has settled is dead, it goes by itself.
#[tokio::test]
async fn what_is_dead_goes_by_itself_when_it_is_more_than_half() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_settling(&path);
    // Whatever the order in which rows are replaced and deleted, at most about half is dead once all is done.
    put(&store, 0..4000).await;
    for round in 0..12 {
        put(&store, round * 300..round * 300 + 600).await;
    }
    for first in (0..3600).step_by(400) {
        for number in first..first + 400_u32 {
            let mut batch = Batch::new();
            batch.delete(Space::Archive, number.to_be_bytes());
            store.commit(batch).await.unwrap();
        }
    }
    // What was deleted last has to leave the journal, too.
    put(&store, 3600..4000).await;
    let live = 400 * 1024;
    while settled_bytes(&path) > 2 * live + (64 << 10) {
        std::thread::yield_now();
    }
    assert!(store.figures().compactions.unwrap() > 0);
    assert_eq!(crate::all(&store, Space::Archive).len(), 400);
}

/// A store before and after rows have settled, as a crash would leave it.
struct Example {
    rows: Vec<Vec<parlor::matches::port::Row>>,
    before: Files,
    after: Files,
}

async fn example() -> Example {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let mut dice = Dice(8);
    let store = open_busy(&path);
    for _ in 0..100 {
        store.commit(some_changes(&mut dice)).await.unwrap();
    }
    store.compact().unwrap();
    for _ in 0..200 {
        store.commit(some_changes(&mut dice)).await.unwrap();
    }
    wait_until_settled(&path);
    let before = files(&path);
    let rows = everything(&store);
    store.backup(&home.path().join("backup")).unwrap();
    let after = files(&path);
    assert!(everything(&store) == rows);
    Example { rows, before, after }
}

fn part(files: &Files, name: &str) -> Files {
    let rows = files.iter().filter(|(path, _)| path.starts_with(name));
    rows.map(|(path, content)| (path.clone(), content.clone()))
        .collect()
}

fn renamed(files: &Files, from: &str, to: &str) -> Files {
    let name = |path: &str| {
        path.strip_prefix(from)
            .map_or(path.to_owned(), |rest| format!("{to}{rest}"))
    };
    files
        .iter()
        .map(|(path, content)| (name(path), content.clone()))
        .collect()
}

#[tokio::test]
async fn a_crash_at_any_step_of_settling_leaves_a_whole_store() {
    let Example { rows, before, after } = example().await;
    let with = |mut files: Files, more: Files| {
        files.extend(more);
        files
    };
    let run_written = with(before.clone(), part(&after, "runs/"));
    let named = with(run_written.clone(), part(&after, "manifest"));
    let set_aside = renamed(&named, "sled/", "sled.old/");
    let mut half = part(&after, "sled/");
    half.values_mut()
        .for_each(|content| content.truncate(content.len() / 2));
    let half_made = with(set_aside.clone(), half);
    let made = with(set_aside.clone(), part(&after, "sled/"));
    let to_be_removed = with(after.clone(), renamed(&part(&before, "sled/"), "sled/", "trial/"));
    let half_run: Files = part(&after, "runs/")
        .into_iter()
        .filter(|(name, _)| !before.contains_key(name))
        .map(|(name, content)| (name, content[..content.len() / 2].to_vec()))
        .collect();
    assert!(!half_run.is_empty());
    let run_begun = with(before.clone(), half_run.clone());
    let part = half_run
        .into_iter()
        .map(|(name, content)| (format!("{name}.part"), content));
    let run_half_written = with(before.clone(), part.collect());
    let steps = [
        ("before", before),
        ("run half written", run_half_written),
        ("run begun", run_begun),
        ("run written", run_written),
        ("run named", named),
        ("sled set aside", set_aside),
        ("sled half made", half_made),
        ("sled made", made),
        ("old files to be removed", to_be_removed),
        ("after", after),
    ];
    for (step, files) in steps {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("store");
        lay_out(&path, &files);
        if step == "sled set aside" {
            fs::remove_dir_all(path.join("sled")).unwrap();
            fs::create_dir(path.join("sled.old/blobs")).unwrap();
        }
        for _ in 0..2 {
            let store = SledStore::open(&path).unwrap_or_else(|error| panic!("{step}: {error}"));
            assert!(everything(&store) == rows, "{step}: rows differ");
            let mut batch = Batch::new();
            batch.put(Space::Meta, "later", step);
            store.commit(batch.clone()).await.unwrap();
            store.backup(&home.path().join("backup")).unwrap();
            let mut batch = Batch::new();
            batch.delete(Space::Meta, "later");
            store.commit(batch).await.unwrap();
            store.close().unwrap();
            fs::remove_file(home.path().join("backup")).unwrap();
            assert!(
                !path.join("sled.old").exists() && !path.join("trial").exists(),
                "{step}"
            );
        }
    }
}

#[tokio::test]
async fn damage_to_settled_rows_is_never_silent() {
    let Example { rows, after, .. } = example().await;
    let mut dice = Dice(21);
    let names: Vec<&String> = after.keys().filter(|name| name.starts_with("runs/")).collect();
    let open = |files: &Files| -> Result<(), String> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("store");
        lay_out(&path, files);
        let store = SledStore::open(&path).map_err(|error| error.to_string())?;
        let checked = store.check(|_, _, _| {}).map_err(|error| error.to_string());
        for (space, expected) in Space::ALL.iter().zip(&rows) {
            // A row that can't be read is a fault, and none that can is another one.
            match store.scan(*space, &[]..=&[0xFF; 64], usize::MAX) {
                Ok(found) => assert!(found == *expected, "rows differ"),
                Err(_) => assert!(checked.is_err(), "a check finds what reading does"),
            }
        }
        checked
    };
    open(&after).unwrap();
    for _ in 0..60 {
        let mut files = after.clone();
        let name = names[dice.below(names.len())];
        let content = files.get_mut(name).unwrap();
        let at = 13 + dice.below(content.len() - 13);
        let what = match dice.below(3) {
            0 => {
                content[at] ^= 1 << dice.below(8);
                format!("a bit flipped in {name} at {at}")
            }
            1 => {
                let end = content.len().min(at + 100);
                content[at..end].fill(0x55);
                format!("a piece overwritten in {name} at {at}")
            }
            _ => {
                content.truncate(at);
                format!("{name} cut off at {at}")
            }
        };
        open(&files).expect_err(&what);
    }
    for gone in ["manifest", "runs/"] {
        let mut files = after.clone();
        files.retain(|name, _| !name.starts_with(gone));
        open(&files).expect_err(gone);
    }
    let mut files = after.clone();
    files.retain(|name, _| !name.starts_with("runs/") && name != "manifest");
    let words = open(&files).expect_err("nothing settled is left");
    assert!(words.contains("manifest"), "{words}");
}

/// The bot goes on with all that is whole, however often it is started; only what lies in the damage can't be read.
#[tokio::test]
async fn rows_that_can_not_be_read_are_deleted_like_others() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_busy(&path);
    put(&store, 0..400).await;
    store.compact().unwrap();
    store.close().unwrap();
    let (name, mut content) = files(&path.join("runs")).pop_first().unwrap();
    let middle = content.len() / 2;
    content[middle] ^= 1;
    fs::write(path.join("runs").join(name), content).unwrap();

    let store = open_busy(&path);
    let readable = |store: &SledStore, number: u32| store.get(Space::Archive, &number.to_be_bytes());
    let torn: Vec<u32> = (0..400)
        .filter(|number| readable(&store, *number).is_err())
        .collect();
    assert!((1..=20).contains(&torn.len()), "{torn:?}");
    // One of them stays, and all others go.
    for number in (0..400).filter(|number| *number != torn[0]) {
        let mut batch = Batch::new();
        batch.delete(Space::Archive, number.to_be_bytes());
        store.commit(batch).await.unwrap();
    }
    put(&store, 1000..1400).await;
    wait_until_settled(&path);
    let check = |store: &SledStore| {
        assert_eq!(store.health(), Health::Good);
        for number in 0..400 {
            match readable(store, number) {
                Ok(row) => assert!(row.is_none() && number != torn[0], "{number}"),
                Err(_) => assert_eq!(number, torn[0]),
            }
        }
        for number in 1000..1400 {
            assert!(readable(store, number).unwrap().is_some());
        }
    };
    check(&store);
    // To make it smaller all has to be read.
    let words = store.compact().unwrap_err().to_string();
    assert!(words.contains("its file `runs/"), "{words}");
    check(&store);
    store.close().unwrap();
    for _ in 0..2 {
        let store = open_busy(&path);
        check(&store);
        store.close().unwrap();
    }
}

/// A merged run is as large as those that it replaces.
#[tokio::test]
async fn a_run_that_could_not_be_named_is_not_left_on_the_disk() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_busy(&path);
    put(&store, 0..400).await;
    // That lets rows settle, and merges nothing.
    store.backup(&home.path().join("backup")).unwrap();
    let before = files(&path.join("runs"));
    assert_eq!(before.len(), 2, "that of the empty store, and this one");
    // The manifest can't be written.
    fs::create_dir(path.join("manifest.new")).unwrap();
    store.compact().unwrap_err();
    assert!(
        files(&path.join("runs")) == before,
        "a run is left that nobody names"
    );
    assert_eq!(store.health(), Health::Good);
    fs::remove_dir(path.join("manifest.new")).unwrap();
    store.compact().unwrap();
    assert_eq!(runs(&path), 1);
    assert_eq!(crate::all(&store, Space::Archive).len(), 400);
}

/// A store as version 0.1 left it: all rows in sled, no runs.
#[test]
fn a_store_from_before_there_were_runs_is_taken_up() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/without-runs");
    let closed = files(&kept);
    let mut crashed = closed.clone();
    crashed.remove("seal").unwrap();
    for (name, files) in [("closed", closed), ("crashed", crashed)] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("store");
        lay_out(&path, &files);
        for _ in 0..2 {
            let store = SledStore::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            let holds = || {
                assert_eq!(
                    store.get(Space::Matches, b"K7QF").unwrap(),
                    Some(b"a match".to_vec())
                );
                assert_eq!(crate::all(&store, Space::Log).len(), 40);
            };
            holds();
            store.compact().unwrap();
            holds();
            store.close().unwrap();
            assert!(path.join("manifest").exists());
        }
    }
}
