//! Opening and closing: what is there afterwards, who is refused, and in which words.

use std::fs;
use std::path::Path;

use parlor::matches::port::{Batch, Space, Store};
use parlor::store::{SledStore, StoreError};

use crate::{all, files};

fn number(number: u32) -> Batch {
    let mut batch = Batch::new();
    batch.put(Space::Log, number.to_be_bytes(), vec![1; 500]);
    batch
}

#[tokio::test]
async fn a_reopened_store_has_everything() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("not/yet/there");
    for round in 0..20 {
        let store = SledStore::open(&path).unwrap();
        assert_eq!(all(&store, Space::Log).len(), round * 10);
        for step in 0..10 {
            let next = u32::try_from(round * 10 + step).unwrap();
            store.commit(number(next)).await.unwrap();
        }
        if round % 2 == 0 {
            store.close().unwrap();
        }
    }
}

#[test]
fn closing_and_dropping_write_what_nobody_waits_for() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = SledStore::open(&path).unwrap();
    (0..1000).for_each(|next| drop(store.commit(number(next))));
    store.close().unwrap();
    let store = SledStore::open(&path).unwrap();
    assert_eq!(all(&store, Space::Log).len(), 1000);
    (1000..2000).for_each(|next| drop(store.commit(number(next))));
    drop(store);
    assert_eq!(all(&SledStore::open(&path).unwrap(), Space::Log).len(), 2000);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_look_into_a_store() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let _store = SledStore::open(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn an_open_store_is_refused_to_others() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = SledStore::open(&path).unwrap();
    let error = SledStore::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert!(
        error.to_string().contains("another parlor has it open"),
        "{error}"
    );
    store.close().unwrap();
    SledStore::open(&path).unwrap();
}

#[test]
fn a_file_is_no_store() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    fs::write(&path, "precious").unwrap();
    let error = SledStore::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::NotADirectory { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    let error = SledStore::open(&path.join("below")).unwrap_err();
    assert!(matches!(error, StoreError::NotADirectory { .. }), "{error}");
}

#[test]
fn a_directory_of_other_things_is_no_store() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("thesis.odt"), "precious").unwrap();
    let before = files(home.path());
    let error = SledStore::open(home.path()).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    assert!(error.to_string().contains("thesis.odt"), "{error}");
    assert_eq!(files(home.path()), before);
}

#[cfg(unix)]
#[test]
fn a_store_without_permission_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    SledStore::open(&path).unwrap().close().unwrap();
    let allow = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    // The superuser may do anything, and there is nothing to be shown.
    let everything_allowed = fs::read_dir(&path).is_ok();
    let opened = SledStore::open(&path);
    allow(0o700);
    if !everything_allowed {
        let error = opened.unwrap_err();
        assert!(matches!(error, StoreError::NoPermission { .. }), "{error}");
    }
}

#[test]
fn a_new_store_is_made_in_an_empty_directory_and_by_a_bare_name() {
    let home = tempfile::tempdir().unwrap();
    SledStore::open(home.path()).unwrap().close().unwrap();
    SledStore::open(home.path()).unwrap();
    // A name without a directory in front is how the default path looks; it lies in the directory of the tests.
    let bare = Path::new("target-store-test-bare");
    SledStore::open(bare).unwrap().close().unwrap();
    fs::remove_dir_all(bare).unwrap();
}
