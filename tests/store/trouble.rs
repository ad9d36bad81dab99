//! Trouble with the machine: full disks, too few files, leftovers. It is never called damage, and nothing is lost by it.

use std::fs;
use std::path::Path;
use std::process::Command;

use parlor::matches::port::{Batch, Row, Space, Store};
use parlor::store::{SledOptions, SledStore};

use crate::{Files, everything, files, lay_out, open_busy};

fn number(number: u32) -> Batch {
    let mut batch = Batch::new();
    batch.put(Space::Log, number.to_be_bytes(), vec![1; 500]);
    batch
}

/// The files of a store that was in use, as a crash leaves them and as closing does, with all that it holds.
struct Left {
    crashed: Files,
    closed: Files,
    rows: Vec<Vec<Row>>,
}

async fn left_at(path: &Path) -> Left {
    let store = open_busy(path);
    for next in 0..300 {
        store.commit(number(next)).await.unwrap();
    }
    crate::wait_until_settled(path);
    let crashed = files(path);
    let rows = everything(&store);
    store.close().unwrap();
    Left {
        crashed,
        closed: files(path),
        rows,
    }
}

#[tokio::test]
async fn half_of_a_summary_that_sled_left_is_no_damage() {
    let home = tempfile::tempdir().unwrap();
    let Left {
        mut crashed,
        mut closed,
        rows,
    } = left_at(&home.path().join("store")).await;
    for (name, files) in [("crashed", &mut crashed), ("closed", &mut closed)] {
        files.insert("sled/snap.00000000000FFFFF.generating".into(), b"half".to_vec());
        let path = home.path().join(name);
        lay_out(&path, files);
        let store = SledStore::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(everything(&store) == rows, "{name}");
        store.close().unwrap();
        assert!(!path.join("sled/snap.00000000000FFFFF.generating").exists());
    }
}

/// A seal that is taken off before there is room would leave a store that was closed well to look as after a crash.
#[tokio::test]
async fn a_store_for_which_the_disk_has_no_room_stays_as_it_is_with_its_seal() {
    let home = tempfile::tempdir().unwrap();
    let left = left_at(&home.path().join("store")).await;
    assert!(left.closed.contains_key("seal") && !left.crashed.contains_key("seal"));
    // More than any disk has.
    let settings = SledOptions {
        room: 1 << 60,
        ..SledOptions::default()
    };
    for (name, before) in [("crashed", &left.crashed), ("closed", &left.closed)] {
        let path = home.path().join(name);
        lay_out(&path, before);
        let refused = SledStore::open_with(&path, &settings).unwrap_err().to_string();
        assert!(refused.contains("too full to open it"), "{name}: {refused}");
        assert!(files(&path) == *before, "{name}: something was changed");
        let store = SledStore::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(everything(&store) == left.rows, "{name}");
    }
    let nowhere = home.path().join("nowhere");
    SledStore::open_with(&nowhere, &settings).unwrap_err();
    SledStore::open(&nowhere).unwrap();
}

/// Runs a tool of the program on a store after a line for the shell has set a limit; what it complains of.
#[cfg(unix)]
fn run_limited(limit: &str, path: &Path) -> String {
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("{limit}; exec \"$0\" export K7QF"),
            env!("CARGO_BIN_EXE_parlor"),
        ])
        .env("PARLOR_STORE_PATH", path)
        .current_dir(path.parent().unwrap())
        .output()
        .unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(unix)]
#[tokio::test]
async fn too_few_files_and_files_that_may_not_grow_are_called_what_they_are() {
    let home = tempfile::tempdir().unwrap();
    let Left {
        crashed,
        closed,
        rows,
    } = left_at(&home.path().join("store")).await;
    // A size is in blocks of 512 bytes. A program that ignores the signal is told by an error.
    let limits = (4..24)
        .map(|count| format!("ulimit -n {count}"))
        .chain([0, 1, 8, 64, 600, 1100].map(|blocks| format!("trap '' XFSZ; ulimit -f {blocks}")));
    let mut told = 0;
    for limit in limits {
        for (name, files) in [("crashed", &crashed), ("closed", &closed)] {
            let copy = home.path().join("copy");
            lay_out(&copy, files);
            let complaint = run_limited(&limit, &copy);
            assert!(!complaint.contains("damaged"), "{limit}, {name}: {complaint}");
            let plain = ["too many files are open", "disk is full", "there is no match"];
            // A program that can't even be started by the system says so in other words.
            told += usize::from(plain[..2].iter().any(|words| complaint.contains(words)));
            let store =
                SledStore::open(&copy).unwrap_or_else(|error| panic!("after {limit}, {name}: {error}"));
            assert!(everything(&store) == rows, "after {limit}, {name}");
            drop(store);
            fs::remove_dir_all(&copy).unwrap();
        }
    }
    assert!(told > 10, "only {told} were told plainly");
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_a_store_that_was_open_to_all() {
    use std::os::unix::fs::PermissionsExt;
    fn modes(path: &Path, found: &mut Vec<(String, u32)>) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            found.push((path.display().to_string(), mode));
            if path.is_dir() {
                modes(&path, found);
            }
        }
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    SledStore::open(&path).unwrap().close().unwrap();
    for name in [".", "sled", "sled/db", "watermark", "seal", "lock"] {
        let mode = if path.join(name).is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let check = || {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        let mut found = Vec::new();
        modes(&path, &mut found);
        assert!(found.len() > 4);
        for (name, mode) in found {
            let expected = if Path::new(&name).is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{name} has {mode:o}");
        }
    };
    let store = SledStore::open(&path).unwrap();
    check();
    store.close().unwrap();
    check();
}

/// The environment variable by which a process is told to write more than its files may hold, and where.
#[cfg(unix)]
const CHILD: &str = "PARLOR_TEST_FULL_DISK";

/// A limit on the size of files is like a full disk, and can be taken away again.
#[cfg(unix)]
#[test]
fn a_store_recovers_by_itself_when_a_full_disk_has_room_again() {
    for layer in ["journal", "sled"] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("store");
        let test = "trouble::the_process_whose_disk_is_full";
        let output = Command::new("sh")
            .args([
                "-c",
                &format!("trap '' XFSZ; ulimit -S -f 3000; exec \"$0\" {test} --exact --nocapture"),
            ])
            .arg(std::env::current_exe().unwrap())
            .env(CHILD, format!("{layer} {}", path.display()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{layer}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let saved = said.lines().find_map(|line| line.strip_prefix("saved "));
        let saved: usize = saved
            .unwrap_or_else(|| panic!("{layer}: {said}"))
            .parse()
            .unwrap();
        let store = SledStore::open(&path).unwrap();
        assert_eq!(crate::all(&store, Space::Log).len(), saved, "{layer}");
    }
}

/// Not a test by itself: this is what the other one starts.
#[cfg(unix)]
#[tokio::test]
async fn the_process_whose_disk_is_full() {
    use parlor::matches::port::Health;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Ok(told) = std::env::var(CHILD) else { return };
    let (layer, path) = told.split_once(' ').unwrap();
    let settings = SledOptions {
        // Either the journal becomes too long, or sled's file too large.
        journal: if layer == "journal" { 64 << 20 } else { 100_000 },
        ..SledOptions::default()
    };
    let store = SledStore::open_with(Path::new(path), &settings).unwrap();
    let row = |number: u32| {
        let mut batch = Batch::new();
        batch.put(
            Space::Log,
            number.to_be_bytes(),
            number.to_be_bytes().repeat(1000),
        );
        batch
    };
    let mut saved = Vec::new();
    let mut number = 0;
    let failed = loop {
        assert!(number < 100_000, "nothing fails");
        match store.commit(row(number)).await {
            Ok(()) => saved.push(number),
            Err(fault) => break fault.to_string(),
        }
        number += 1;
    };
    let Health::Failing { reason, .. } = store.health() else {
        panic!("the store says that all is well after: {failed}");
    };
    assert!(!reason.is_empty());
    for number in 200_000..200_010 {
        // A new file of the journal may have room, if that is where it failed.
        if store.commit(row(number)).await.is_ok() {
            saved.push(number);
        }
    }
    // What was saved before can be read while nothing can be written. After a fault of its own sled refuses some reads as
    // well, those in which it would tidy up on its way: that is told as what it is, and never as a row that is not there.
    match store.get(Space::Log, &0_u32.to_be_bytes()) {
        Ok(row) => assert_eq!(row.map(|row| row.len()), Some(4000)),
        Err(fault) => assert!(
            layer == "sled" && fault.to_string().contains("FileTooLarge"),
            "{fault}"
        ),
    }
    let most = getrlimit(Resource::Fsize).maximum;
    setrlimit(
        Resource::Fsize,
        Rlimit {
            current: most,
            maximum: most,
        },
    )
    .unwrap();
    while store.health() != Health::Good {
        std::thread::yield_now();
    }
    for number in 300_000..300_100 {
        store.commit(row(number)).await.unwrap();
        saved.push(number);
    }
    let found: Vec<Vec<u8>> = crate::all(&store, Space::Log)
        .into_iter()
        .map(|row| row.0)
        .collect();
    let expected: Vec<Vec<u8>> = saved.iter().map(|number| number.to_be_bytes().to_vec()).collect();
    assert!(
        found == expected,
        "what was acknowledged is there, and nothing else"
    );
    println!("\nsaved {}", saved.len());
    store.close().unwrap();
}
