//! Formats: old ones are brought forward step by step, newer ones are refused, and what was written stays readable.

use std::fs;
use std::path::Path;

use parlor::matches::port::{Batch, Fault, Space, Store};
use parlor::store::backup::restore_with;
use parlor::store::migrate::{FORMAT_KEY, MIGRATIONS, Migration, Rows, latest};
use parlor::store::{SledOptions, SledStore, StoreError, restore};

use crate::{all, files};

/// Two made-up steps: people get a greeting, and rooms are named in capitals by what the first step left.
const STEPS: &[Migration] = &[
    Migration {
        title: "people are greeted",
        step: |rows| {
            let mut batch = Batch::new();
            for (key, value) in rows.scan(Space::People, &[]..=&[0xFF], usize::MAX)? {
                batch.put(Space::People, key, [b"hello ", &value[..]].concat());
            }
            Ok(batch)
        },
    },
    Migration {
        title: "people move into rooms",
        step: |rows| {
            let mut batch = Batch::new();
            for (key, value) in rows.scan(Space::People, &[]..=&[0xFF], usize::MAX)? {
                batch.delete(Space::People, key.clone());
                batch.put(Space::Rooms, key, value.to_ascii_uppercase());
            }
            Ok(batch)
        },
    },
];

const FAILING: &[Migration] = &[
    STEPS[0],
    Migration {
        title: "a step that fails",
        step: fail,
    },
];

fn fail(_: &dyn Rows) -> Result<Batch, Fault> {
    Err(Fault::new("making a batch", "this can't be done"))
}

fn with(migrations: &'static [Migration]) -> SledOptions {
    SledOptions {
        migrations,
        ..SledOptions::default()
    }
}

async fn first_format(path: &Path) {
    let store = SledStore::open_with(path, &with(&[])).unwrap();
    let mut batch = Batch::new();
    batch.put(Space::People, "ada", "ada");
    store.commit(batch).await.unwrap();
    store.close().unwrap();
}

fn format(store: &SledStore) -> Option<Vec<u8>> {
    store.get(Space::Meta, FORMAT_KEY).unwrap()
}

#[test]
fn a_new_store_has_the_latest_format() {
    let home = tempfile::tempdir().unwrap();
    let store = SledStore::open_with(&home.path().join("store"), &with(STEPS)).unwrap();
    assert_eq!(format(&store), Some(b"3".to_vec()));
}

#[tokio::test]
async fn an_old_store_is_brought_forward_step_by_step() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    first_format(&path).await;
    let store = SledStore::open_with(&path, &with(&STEPS[..1])).unwrap();
    assert_eq!(format(&store), Some(b"2".to_vec()));
    assert_eq!(
        all(&store, Space::People),
        [(b"ada".to_vec(), b"hello ada".to_vec())]
    );
    store.close().unwrap();
    let store = SledStore::open_with(&path, &with(STEPS)).unwrap();
    assert_eq!(format(&store), Some(b"3".to_vec()));
    assert_eq!(all(&store, Space::People), []);
    has_been_stepped(&store);
    // Once only.
    drop(store);
    let store = SledStore::open_with(&path, &with(STEPS)).unwrap();
    has_been_stepped(&store);
}

/// The steps have been taken, each once.
fn has_been_stepped(store: &SledStore) {
    assert_eq!(
        all(store, Space::Rooms),
        [(b"ada".to_vec(), b"HELLO ADA".to_vec())]
    );
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_store_at_the_step_before() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    first_format(&path).await;
    let error = SledStore::open_with(&path, &with(FAILING)).unwrap_err();
    let words = error.to_string();
    assert!(
        words.contains("format 3 (a step that fails)") && words.contains("this can't be done"),
        "{words}"
    );
    let store = SledStore::open_with(&path, &with(STEPS)).unwrap();
    has_been_stepped(&store);
}

#[tokio::test]
async fn a_newer_store_is_refused_and_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = SledStore::open_with(&path, &with(STEPS)).unwrap();
    let backup = home.path().join("backup");
    store.backup(&backup).unwrap();
    let crashed = files(&path);
    store.close().unwrap();
    let is_newer = |error: &StoreError| {
        let newer = matches!(
            error,
            StoreError::Newer {
                found: 3,
                known: 2,
                ..
            }
        );
        assert!(newer, "{error}");
    };
    let refused = |path: &Path| {
        let before = files(path);
        is_newer(&SledStore::open_with(path, &with(&STEPS[..1])).unwrap_err());
        assert!(files(path) == before, "a newer store has been touched");
    };
    refused(&path);
    let path = home.path().join("crashed");
    crate::lay_out(&path, &crashed);
    refused(&path);
    let path = home.path().join("restored");
    let error = restore_with(&backup, &path, &with(&STEPS[..1])).unwrap_err();
    is_newer(&error);
    assert!(!path.exists());
    assert!(error.to_string().contains("newer parlor"), "{error}");
}

#[tokio::test]
async fn an_old_backup_is_restored_and_brought_forward() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    first_format(&path).await;
    let backup = home.path().join("backup");
    SledStore::open_with(&path, &with(&[]))
        .unwrap()
        .backup(&backup)
        .unwrap();
    let restored = home.path().join("restored");
    restore_with(&backup, &restored, &with(STEPS)).unwrap();
    let store = SledStore::open_with(&restored, &with(STEPS)).unwrap();
    has_been_stepped(&store);
}

/// The formats on disk are promises: a store and a backup as version 0.1 wrote them, kept for ever.
#[test]
fn what_format_1_wrote_can_still_be_read() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store");
    let home = tempfile::tempdir().unwrap();
    let from_backup = home.path().join("from-backup");
    restore(&kept.join("format-1.backup"), &from_backup).unwrap();
    let from_backup = SledStore::open(&from_backup).unwrap();
    assert_eq!(
        from_backup.get(Space::Matches, b"K7QF").unwrap(),
        Some(b"a match".to_vec())
    );
    assert_eq!(all(&from_backup, Space::Log).len(), 40);
    assert_eq!(format(&from_backup), Some(b"2".to_vec()));
}

#[test]
fn what_format_2_wrote_can_still_be_read() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format-2.backup");
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("store");
    restore(&kept, &store).unwrap();
    let store = SledStore::open(&store).unwrap();
    assert_eq!(
        store.get(Space::Archive, b"9M4D").unwrap(),
        Some(b"a match that is over".to_vec())
    );
    assert_eq!(all(&store, Space::Log).len(), 40);
    assert_eq!(
        latest(MIGRATIONS),
        2,
        "keep a backup in the new format beside the old ones, and test them all"
    );
    let again = home.path().join("again");
    store.backup(&again).unwrap();
    assert!(
        fs::read(again).unwrap() == fs::read(kept).unwrap(),
        "the same rows make the same backup"
    );
}

/// How the kept backup came about. `PARLOR_KEEP=1` writes it anew, for a format that is not released yet.
#[tokio::test]
async fn the_kept_backup_is_what_these_lines_write() {
    let home = tempfile::tempdir().unwrap();
    let store = SledStore::open(&home.path().join("store")).unwrap();
    let mut batch = Batch::new();
    batch.put(Space::Matches, "K7QF", "a match");
    for number in 0..40_u32 {
        batch.put(
            Space::Log,
            [b"K7QF", &number.to_be_bytes()[..]].concat(),
            format!("entry {number}"),
        );
    }
    batch.put(Space::Adapters, "", "");
    batch.put(Space::Archive, "9M4D", "a match that is over");
    store.commit(batch).await.unwrap();
    let file = home.path().join("backup");
    store.backup(&file).unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format-2.backup");
    if std::env::var_os("PARLOR_KEEP").is_some() {
        fs::copy(&file, &kept).unwrap();
    }
    assert!(fs::read(&file).unwrap() == fs::read(&kept).unwrap());
}
