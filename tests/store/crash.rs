//! A process that is killed: what it said was saved is there, and no batch is there in part.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use parlor::matches::port::{Batch, Space, Store};

use crate::{Dice, all, open_busy};

const CHILD: &str = "PARLOR_TEST_CRASH";
const WRITERS: u32 = 8;
const KILLS: usize = 30;

/// A batch over several spaces, in which one number is to be found everywhere.
fn numbered(writer: u32, number: u32) -> Batch {
    let key = [writer.to_be_bytes(), number.to_be_bytes()].concat();
    let mut batch = Batch::new();
    batch.put(
        Space::Matches,
        writer.to_be_bytes(),
        number.to_be_bytes().repeat(700),
    );
    batch.put(Space::Log, key.clone(), number.to_be_bytes().repeat(40));
    batch.put(Space::Outbox, key.clone(), number.to_be_bytes().repeat(100));
    if number > 0 {
        batch.delete(
            Space::Deadlines,
            [writer.to_be_bytes(), (number - 1).to_be_bytes()].concat(),
        );
    }
    batch.put(Space::Deadlines, key, []);
    batch
}

/// The last number of each writer. Fails if any batch is there in part.
fn check_whole(store: &impl Store) -> BTreeMap<u32, u32> {
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    let mut next = BTreeMap::new();
    let log = all(store, Space::Log);
    for (key, value) in &log {
        let (writer, found) = (number(&key[..4]), number(&key[4..]));
        let next = next.entry(writer).or_insert(0);
        assert_eq!(found, *next, "writer {writer}: numbers without a gap");
        assert_eq!(*value, found.to_be_bytes().repeat(40));
        *next += 1;
    }
    let outbox = all(store, Space::Outbox);
    assert_eq!(outbox.len(), log.len());
    assert!(
        outbox
            .iter()
            .zip(&log)
            .all(|(delivery, entry)| delivery.0 == entry.0)
    );
    let last: BTreeMap<u32, u32> = next
        .into_iter()
        .map(|(writer, next)| (writer, next - 1))
        .collect();
    let matches: BTreeMap<u32, Vec<u8>> = all(store, Space::Matches)
        .into_iter()
        .map(|(key, value)| (number(&key), value))
        .collect();
    let expected = last
        .iter()
        .map(|(writer, last)| (*writer, last.to_be_bytes().repeat(700)));
    assert_eq!(matches, expected.collect());
    let deadlines: BTreeMap<u32, u32> = all(store, Space::Deadlines)
        .into_iter()
        .map(|(key, _)| (number(&key[..4]), number(&key[4..])))
        .collect();
    assert_eq!(deadlines, last);
    last
}

#[test]
fn what_was_acknowledged_survives_being_killed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let mut dice = Dice(7);
    let mut acknowledged: BTreeMap<u32, u32> = BTreeMap::new();
    for kill in 0..KILLS {
        let mut child = Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "crash::the_process_that_is_killed",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let mut heard = 0;
        let mut hear = |line: String| {
            if let Some((writer, number)) = line.strip_prefix("saved ").and_then(|rest| rest.split_once(' '))
            {
                acknowledged.insert(writer.parse().unwrap(), number.parse().unwrap());
                heard += 1;
            }
            heard
        };
        // Some are killed while they still open the store.
        let enough = if kill % 6 == 5 { 0 } else { 1 + dice.below(400) };
        let mut count = 0;
        while count < enough {
            let line = lines.next().expect("the child goes on until it is killed");
            count = hear(line);
        }
        child.kill().unwrap();
        // What it said before it died counts, except for a line without an end.
        lines.for_each(|line| {
            hear(line);
        });
        child.wait().unwrap();
        // Every other time the next child recovers by itself.
        if kill % 2 == 1 {
            let store = open_busy(&path);
            let last = check_whole(&store);
            for (writer, number) in &acknowledged {
                assert!(
                    last.get(writer) >= Some(number),
                    "kill {kill}: writer {writer} lost {number}"
                );
            }
        }
    }
    assert_eq!(acknowledged.len(), usize::try_from(WRITERS).unwrap());
}

/// Not a test by itself: this is what the other one starts and kills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_is_killed() {
    let Some(path) = env::var_os(CHILD).map(PathBuf::from) else {
        return;
    };
    // Rows settle after each checkpoint, so that many a kill falls into that.
    let store = Arc::new(crate::open_settling(&path));
    let last = check_whole(&*store);
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let store = Arc::clone(&store);
            let next = last.get(&writer).map_or(0, |last| last + 1);
            tokio::spawn(async move {
                for number in next.. {
                    store.commit(numbered(writer, number)).await.unwrap();
                    // One write a line, so that a killed process leaves no half of one.
                    let line = format!("saved {writer} {number}\n");
                    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
}
