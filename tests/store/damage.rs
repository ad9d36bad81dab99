//! Damaged files: a store is refused and left as it is, or it is whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use parlor::matches::port::{Batch, Row, Space, Store};
use parlor::store::{SledStore, StoreError};

use crate::{Dice, everything, files, lay_out, open_busy, wait_until_settled};

/// A store with some history: rows of all sizes, rewritten and deleted, over two sessions.
struct Example {
    rows: Vec<Vec<Row>>,
    /// As it lies on disk after it was closed.
    closed: BTreeMap<String, Vec<u8>>,
    /// As it lies on disk after a crash.
    crashed: BTreeMap<String, Vec<u8>>,
}

fn example() -> Example {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut dice = Dice(3);
    let mut play = |store: &SledStore, moves: u32| {
        for number in 0..moves {
            let code = u32::try_from(dice.below(60)).unwrap();
            let mut batch = Batch::new();
            batch.put(
                Space::Matches,
                code.to_be_bytes(),
                vec![u8::try_from(number % 251).unwrap(); 3000],
            );
            batch.put(
                Space::Log,
                [code, number].map(u32::to_be_bytes).concat(),
                vec![7; 150],
            );
            batch.put(Space::Outbox, number.to_be_bytes(), vec![8; 400]);
            batch.delete(Space::Outbox, number.saturating_sub(10).to_be_bytes());
            runtime.block_on(store.commit(batch)).unwrap();
        }
    };
    let store = SledStore::open(&path).unwrap();
    play(&store, 300);
    store.close().unwrap();
    let store = open_busy(&path);
    play(&store, 600);
    wait_until_settled(&path);
    let crashed = files(&path);
    let rows = everything(&store);
    store.close().unwrap();
    Example {
        rows,
        closed: files(&path),
        crashed,
    }
}

/// Opens a store made of these files. A refusal has to leave them as they are.
fn open(files_before: &BTreeMap<String, Vec<u8>>) -> Result<Vec<Vec<Row>>, StoreError> {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    lay_out(&path, files_before);
    let opened = SledStore::open(&path).map(|store| everything(&store));
    if opened.is_err() {
        assert!(files(&path) == *files_before, "a refused store has been touched");
    }
    opened
}

/// One way of damaging a file of sled's or of the journal.
fn damage(files: &BTreeMap<String, Vec<u8>>, dice: &mut Dice) -> (String, BTreeMap<String, Vec<u8>>) {
    let mut files = files.clone();
    let names: Vec<String> = files
        .keys()
        .filter(|name| name.starts_with("sled/") || name.starts_with("journal/"))
        .cloned()
        .collect();
    // Mostly sled's log and the journal, which is where things are.
    let name = match dice.below(4) {
        0 => names[dice.below(names.len())].clone(),
        1 => names[0].clone(),
        _ => "sled/db".to_owned(),
    };
    let content = files.get_mut(&name).unwrap();
    let used = content
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(1, |last| last + 1);
    let at = dice.below(used);
    let what = match dice.below(4) {
        0 | 1 => {
            content[at] ^= 1 << dice.below(8);
            format!("a bit flipped in {name} at {at}")
        }
        2 => {
            let end = content.len().min(at + 4096);
            content[at..end].fill(0);
            format!("a block zeroed in {name} at {at}")
        }
        _ => {
            content.truncate(at);
            format!("{name} cut off at {at}")
        }
    };
    (what, files)
}

#[test]
fn both_examples_open_when_they_are_sound() {
    let example = example();
    assert!(open(&example.closed).unwrap() == example.rows);
    assert!(open(&example.crashed).unwrap() == example.rows);
}

#[test]
fn any_damage_to_a_closed_store_is_refused_and_nothing_is_touched() {
    let example = example();
    let mut dice = Dice(11);
    for _ in 0..60 {
        let (what, files) = damage(&example.closed, &mut dice);
        if files == example.closed {
            continue;
        }
        let error = open(&files).expect_err(&what);
        assert!(matches!(error, StoreError::Damaged { .. }), "{what}: {error}");
        let message = error.to_string();
        assert!(
            message.contains("is damaged") && message.contains("nothing was changed"),
            "{message}"
        );
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn damage_after_a_crash_is_refused_or_harmless() {
    let example = example();
    let mut dice = Dice(13);
    let mut refused = 0;
    let rounds: usize = std::env::var("PARLOR_TEST_DAMAGES").map_or(120, |rounds| rounds.parse().unwrap());
    for _ in 0..rounds {
        let (what, files) = damage(&example.crashed, &mut dice);
        match open(&files) {
            Ok(rows) => assert!(rows == example.rows, "{what}: rows differ"),
            Err(StoreError::Damaged { .. }) => refused += 1,
            Err(error) => panic!("{what}: {error}"),
        }
    }
    assert!(refused > rounds / 10, "only {refused} of {rounds} were refused");
}

#[test]
fn missing_files_are_damage() {
    let example = example();
    for example in [&example.closed, &example.crashed] {
        for name in ["sled/db", "watermark"] {
            let mut files = example.clone();
            files.remove(name).unwrap();
            let error = open(&files).expect_err(name);
            assert!(matches!(error, StoreError::Damaged { .. }), "{name}: {error}");
        }
    }
}

#[test]
fn a_journal_that_is_cut_short_or_gone_is_damage() {
    let example = example();
    let journal = example.crashed.keys().find(|name| name.starts_with("journal/"));
    let journal = journal.expect("a store that is open has a journal").clone();
    let length = example.crashed[&journal].len();
    assert!(length > 0, "the last moves are in the journal");
    for cut in [length - 1, length / 2, 0] {
        let mut files = example.crashed.clone();
        files.get_mut(&journal).unwrap().truncate(cut);
        let error = open(&files).unwrap_err().to_string();
        assert!(error.contains("acknowledged are lost"), "{error}");
    }
    let mut files = example.crashed.clone();
    let content = files.remove(&journal).unwrap();
    let error = open(&files).unwrap_err().to_string();
    assert!(error.contains("acknowledged are lost"), "{error}");
    // And one that appears beside a store that was closed well is not ours.
    let mut files = example.closed.clone();
    files.insert(journal, content);
    let error = open(&files).unwrap_err().to_string();
    assert!(error.contains("has been added"), "{error}");
}

#[test]
fn a_store_put_back_to_an_earlier_state_is_damaged() {
    let example = example();
    let mut mixed = example.crashed.clone();
    // As if the power had taken back what fdatasync had promised.
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    SledStore::open(&path).unwrap().close().unwrap();
    let early = files(&path);
    mixed.retain(|name, _| !name.starts_with("sled/"));
    mixed.extend(early.into_iter().filter(|(name, _)| name.starts_with("sled/")));
    let error = open(&mixed).unwrap_err();
    assert!(error.to_string().contains("acknowledged"), "{error}");
}

#[test]
fn the_leavings_of_an_interrupted_check_or_creation_don_t_matter() {
    let example = example();
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    lay_out(&path, &example.crashed);
    fs::create_dir(path.join("trial")).unwrap();
    fs::write(path.join("trial/db"), "half a copy").unwrap();
    fs::write(path.join("seal.new"), "half a seal").unwrap();
    let rows = everything(&SledStore::open(&path).unwrap());
    assert!(rows == example.rows);
    assert!(!Path::new(&path.join("trial")).exists());

    let path = home.path().join("unborn");
    fs::create_dir_all(path.join("sled.new/blobs")).unwrap();
    fs::write(path.join("sled.new/db"), "half a store").unwrap();
    fs::write(path.join("lock"), "").unwrap();
    SledStore::open(&path).unwrap().close().unwrap();
    assert!(!path.join("sled.new").exists());
}
