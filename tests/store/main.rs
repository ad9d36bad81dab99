//! What a store promises, shown of both stores alike, and what only the one on disk can promise: to survive a crash, to find
//! damage, to be backed up, to take up older formats.

#[path = "../web/mod.rs"]
mod web;

mod backup;
mod contract;
mod crash;
mod damage;
mod format;
mod kill;
mod opening;
mod operator;
mod settling;
mod trouble;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use parlor::matches::port::{Row, Space, Store};
use parlor::store::{SledOptions, SledStore};

/// What is in each file of a store.
type Files = BTreeMap<String, Vec<u8>>;

/// Everything in a space.
fn all(store: &(impl Store + ?Sized), space: Space) -> Vec<Row> {
    store.scan(space, &[]..=&[0xFF; 64], usize::MAX).unwrap()
}

/// Everything in a store.
fn everything(store: &impl Store) -> Vec<Vec<Row>> {
    Space::ALL.iter().map(|space| all(store, *space)).collect()
}

/// Opens a store in which sled takes over what is in the journal every few dozen changes.
fn open_busy(path: &Path) -> SledStore {
    let settings = SledOptions {
        journal: 100_000,
        ..SledOptions::default()
    };
    SledStore::open_with(path, &settings).unwrap()
}

/// Opens a store in which rows settle after every few dozen changes.
fn open_settling(path: &Path) -> SledStore {
    let settings = SledOptions {
        journal: 100_000,
        settle: 0,
        ..SledOptions::default()
    };
    SledStore::open_with(path, &settings).unwrap()
}

/// Waits until sled has taken over what it was given.
fn wait_until_settled(path: &Path) {
    while fs::read_dir(path.join("journal")).unwrap().count() > 1 {
        thread::yield_now();
    }
}

/// Every file in a directory with what it holds.
fn files(directory: &Path) -> Files {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            for (inner, content) in files(&path) {
                found.insert(format!("{name}/{inner}"), content);
            }
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Makes a directory that holds exactly these files.
fn lay_out(directory: &Path, files: &BTreeMap<String, Vec<u8>>) {
    // sled wants its directory of large nodes even when it is empty.
    fs::create_dir_all(directory.join("sled/blobs")).unwrap();
    for (name, content) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// Chance that is the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}
