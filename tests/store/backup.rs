//! Backups: whole, checked, and never over anything.

use std::fs;
use std::path::Path;

use parlor::matches::port::{Batch, Space, Store};
use parlor::store::{SledStore, StoreError, restore};

use crate::{everything, files};

async fn filled(path: &Path) -> SledStore {
    let store = SledStore::open(path).unwrap();
    for number in 0..200_u32 {
        let mut batch = Batch::new();
        for space in Space::ALL {
            batch.put(
                space,
                number.to_be_bytes(),
                vec![space as u8; 10 * usize::try_from(number).unwrap()],
            );
        }
        store.commit(batch).await.unwrap();
    }
    store
}

#[tokio::test]
async fn a_backup_restores_to_the_same_store() {
    let home = tempfile::tempdir().unwrap();
    let store = filled(&home.path().join("store")).await;
    let file = home.path().join("backup");
    store.backup(&file).unwrap();
    let before = everything(&store);
    // What comes later is not in it.
    let mut batch = Batch::new();
    batch.put(Space::Log, "later", "");
    store.commit(batch).await.unwrap();
    let copy = home.path().join("copy");
    restore(&file, &copy).unwrap();
    let restored = SledStore::open(&copy).unwrap();
    assert!(everything(&restored) == before);
    // A restored store works and closes like any other.
    let mut batch = Batch::new();
    batch.put(Space::Log, "more", "");
    restored.commit(batch).await.unwrap();
    restored.close().unwrap();
    SledStore::open(&copy).unwrap();
    // Nothing else is left beside the file.
    let mut names: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["backup", "copy", "store"]);
}

#[tokio::test]
async fn a_backup_overwrites_nothing() {
    let home = tempfile::tempdir().unwrap();
    let store = filled(&home.path().join("store")).await;
    let file = home.path().join("backup");
    fs::write(&file, "precious").unwrap();
    let error = store.backup(&file).unwrap_err();
    assert!(matches!(error, StoreError::BackupExists { .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"precious");
    let error = store.backup(&home.path().join("nowhere/backup")).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
}

#[tokio::test]
async fn a_restore_overwrites_nothing() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = filled(&path).await;
    let file = home.path().join("backup");
    store.backup(&file).unwrap();
    store.close().unwrap();
    let before = files(&path);
    let error = restore(&file, &path).unwrap_err();
    assert!(matches!(error, StoreError::NotEmpty { .. }), "{error}");
    assert!(files(&path) == before);
    let empty = home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    restore(&file, &empty).unwrap();
    assert!(matches!(
        restore(&file, &file),
        Err(StoreError::NotADirectory { .. })
    ));
    let stranger = home.path().join("stranger");
    fs::create_dir(&stranger).unwrap();
    fs::write(stranger.join("thesis.odt"), "precious").unwrap();
    assert!(matches!(
        restore(&file, &stranger),
        Err(StoreError::NotEmpty { .. })
    ));
    // What an interrupted restore leaves is no obstacle.
    let again = home.path().join("again");
    fs::create_dir_all(again.join("sled.new/blobs")).unwrap();
    fs::write(again.join("sled.new/db"), "half a store").unwrap();
    restore(&file, &again).unwrap();
}

#[tokio::test]
async fn a_damaged_backup_is_refused_before_anything_is_made() {
    let home = tempfile::tempdir().unwrap();
    let store = SledStore::open(&home.path().join("store")).unwrap();
    let mut batch = Batch::new();
    batch.put(Space::Log, "a", "value");
    store.commit(batch).await.unwrap();
    let file = home.path().join("backup");
    store.backup(&file).unwrap();
    let sound = fs::read(&file).unwrap();
    let target = home.path().join("target");
    let refused = |content: &[u8], what: &str| {
        fs::write(&file, content).unwrap();
        let error = restore(&file, &target).expect_err(what);
        assert!(matches!(error, StoreError::BadBackup { .. }), "{what}: {error}");
        assert!(!target.exists(), "{what}");
    };
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x20;
        refused(&bytes, &format!("byte {at} changed"));
        refused(&sound[..at], &format!("cut off at {at}"));
    }
    refused(&[&sound[..], b"!"].concat(), "a byte too many");
    fs::write(&file, &sound).unwrap();
    restore(&file, &target).unwrap();
}

/// Backups while moves go on: each shows the store as it was at one moment, and everything that was acknowledged before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_busy_store_is_of_one_moment() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    let home = tempfile::tempdir().unwrap();
    let store = Arc::new(crate::open_busy(&home.path().join("store")));
    let (over, saved) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let writing = tokio::spawn({
        let (store, over, saved) = (Arc::clone(&store), Arc::clone(&over), Arc::clone(&saved));
        async move {
            for number in 0_u32.. {
                if over.load(Ordering::SeqCst) {
                    break;
                }
                let mut batch = Batch::new();
                batch.put(Space::Log, number.to_be_bytes(), vec![1; 500]);
                batch.put(Space::Outbox, number.to_be_bytes(), vec![2; 500]);
                batch.put(Space::Matches, "last", number.to_be_bytes());
                store.commit(batch).await.unwrap();
                saved.store(number + 1, Ordering::SeqCst);
            }
        }
    });
    for round in 0..5 {
        while saved.load(Ordering::SeqCst) < round * 300 {
            tokio::task::yield_now().await;
        }
        let before = saved.load(Ordering::SeqCst);
        let file = home.path().join(format!("backup {round}"));
        let made = tokio::task::spawn_blocking({
            let (store, file) = (Arc::clone(&store), file.clone());
            move || store.backup(&file)
        });
        made.await.unwrap().unwrap();
        let copy = home.path().join(format!("copy {round}"));
        restore(&file, &copy).unwrap();
        let copy = SledStore::open(&copy).unwrap();
        let [log, outbox] = [Space::Log, Space::Outbox].map(|space| crate::all(&copy, space));
        let numbers: Vec<u32> = log
            .iter()
            .map(|(key, _)| u32::from_be_bytes(key[..].try_into().unwrap()))
            .collect();
        let count = u32::try_from(numbers.len()).unwrap();
        assert!(count >= before, "{count} of {before} that were acknowledged");
        assert_eq!(numbers, (0..count).collect::<Vec<u32>>());
        assert_eq!(outbox.len(), log.len(), "no half of a batch");
        if count > 0 {
            let last = copy.get(Space::Matches, b"last").unwrap().unwrap();
            assert_eq!(last, (count - 1).to_be_bytes());
        }
    }
    over.store(true, Ordering::SeqCst);
    writing.await.unwrap();
}
