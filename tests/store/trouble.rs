//! Trouble with the machine: full disks, too few files, leftovers. It is never called damage, and nothing is lost by it.

use std::fs;
use std::path::Path;
use std::process::Command;

use parlor::matches::port::{Batch, Health, Row, Space, Store};
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
        assert!(refused.contains("is too full to"), "{name}: {refused}");
        assert!(files(&path) == *before, "{name}: something was changed");
        let store = SledStore::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(everything(&store) == left.rows, "{name}");
    }
    let nowhere = home.path().join("nowhere");
    SledStore::open_with(&nowhere, &settings).unwrap_err();
    SledStore::open(&nowhere).unwrap();
}

/// What a full disk has left of a run could be what keeps the store from being opened again.
#[tokio::test]
async fn half_of_a_run_goes_before_anybody_looks_for_room() {
    let home = tempfile::tempdir().unwrap();
    let left = left_at(&home.path().join("store")).await;
    let settings = SledOptions {
        room: 1 << 60,
        ..SledOptions::default()
    };
    for (name, before) in [("crashed", &left.crashed), ("closed", &left.closed)] {
        let path = home.path().join(name);
        let mut files_then = before.clone();
        files_then.insert("runs/00000007.part".into(), vec![7; 5000]);
        lay_out(&path, &files_then);
        SledStore::open_with(&path, &settings).unwrap_err();
        assert!(
            files(&path) == *before,
            "{name}: that one is gone, and nothing else"
        );
        assert!(
            everything(&SledStore::open(&path).unwrap()) == left.rows,
            "{name}"
        );
    }
    // A store of version 0.1 had no manifest. Half of a first run is no run that lost its own.
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/without-runs");
    let mut old = files(&kept);
    old.insert("runs/00000001.part".into(), b"parlor run 1".to_vec());
    let path = home.path().join("old");
    lay_out(&path, &old);
    let store = SledStore::open(&path).unwrap();
    assert_eq!(crate::all(&store, Space::Log).len(), 40);
}

/// A device that is always full stands where the next run will be written.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_is_full_when_rows_settle_costs_nothing_but_that() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_busy(&path);
    for next in 0..300 {
        store.commit(number(next)).await.unwrap();
    }
    let part = path.join("runs/00000002.part");
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    let refused = store.backup(&home.path().join("backup")).unwrap_err().to_string();
    assert!(refused.contains("disk is full"), "{refused}");
    assert_eq!(store.health(), Health::Good);
    assert!(part.symlink_metadata().is_err(), "half of a run is left");
    store.commit(number(300)).await.unwrap();
    store.backup(&home.path().join("backup")).unwrap();
    // The same where runs are merged: the one that settles first is the third, and theirs the next.
    store.commit(number(301)).await.unwrap();
    let part = path.join("runs/00000005.part");
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    let refused = store.compact().unwrap_err().to_string();
    assert!(refused.contains("disk is full"), "{refused}");
    assert_eq!(store.health(), Health::Good);
    assert!(part.symlink_metadata().is_err(), "half of a run is left");
    store.compact().unwrap();
    assert_eq!(fs::read_dir(path.join("runs")).unwrap().count(), 1);
    assert_eq!(crate::all(&store, Space::Log).len(), 302);
}

/// As when the disk reports an error, or that it is full, only when it is told to sync: that comes behind everything that
/// sled writes, and so does the look at its directory of large nodes, which is in the way here.
#[cfg(unix)]
#[tokio::test]
async fn what_was_written_and_could_not_be_synced_is_no_damage() {
    use std::os::unix::fs::MetadataExt;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("store");
    let store = open_busy(&path);
    for next in 0..100 {
        store.commit(number(next)).await.unwrap();
    }
    let file = |name: &str| fs::metadata(path.join("sled").join(name)).unwrap().ino();
    let before = file("db");
    let (blobs, aside) = (path.join("sled/blobs"), home.path().join("blobs"));
    fs::rename(&blobs, &aside).unwrap();
    fs::write(&blobs, "in the way").unwrap();
    let mut saved = 100..100;
    let fault = loop {
        assert!(saved.end < 10_000, "nothing fails");
        match store.commit(number(saved.end)).await {
            Ok(()) => saved.end += 1,
            Err(fault) => break fault.to_string(),
        }
    };
    assert!(fault.contains("Not a directory"), "{fault}");
    fs::remove_file(&blobs).unwrap();
    fs::rename(&aside, &blobs).unwrap();
    while let Health::Failing { reason, .. } = store.health() {
        assert!(
            !reason.contains("damaged") && !reason.contains("lost"),
            "{reason}"
        );
        std::thread::yield_now();
    }
    assert_ne!(file("db"), before, "pages that could not be synced are trusted");
    for _ in 0..300 {
        store.commit(number(saved.end)).await.unwrap();
        saved.end += 1;
    }
    let whole = |store: &SledStore| {
        let keys: Vec<Vec<u8>> = crate::all(store, Space::Log)
            .into_iter()
            .map(|row| row.0)
            .collect();
        let expected: Vec<Vec<u8>> = (0..saved.end)
            .map(|number| number.to_be_bytes().to_vec())
            .collect();
        assert!(
            keys == expected,
            "what was acknowledged is there, and nothing else"
        );
    };
    whole(&store);
    // As after a kill, and closed well.
    let killed = home.path().join("killed");
    crate::wait_until_settled(&path);
    lay_out(&killed, &files(&path));
    whole(&SledStore::open(&killed).unwrap());
    store.close().unwrap();
    whole(&SledStore::open(&path).unwrap());
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
    if layer == "sled" {
        // It is tried again in vain, and then the reason is still the cause.
        let later = loop {
            match store.health() {
                Health::Failing { reason: later, .. } if later != reason => break later,
                Health::Failing { .. } => std::thread::yield_now(),
                Health::Good => panic!("the store says that all is well after: {failed}"),
            }
        };
        assert!(
            later.contains("os error 27") || later.contains("FileTooLarge"),
            "{later}"
        );
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

/// The environment variable by which a process is told in which folder its small disk is.
#[cfg(target_os = "linux")]
const SMALL_DISK: &str = "PARLOR_TEST_SMALL_DISK";

/// A command for the shell that sees a small disk in a folder, as nobody else does. Where a machine lets nobody mount one, it has
/// to say so, and there is none.
#[cfg(target_os = "linux")]
fn on_a_small_disk(folder: &Path, line: &str) -> Option<Command> {
    let mount = format!("mount -t tmpfs -o size=64m,mode=700 none {}", folder.display());
    let within = |line: &str| {
        let mut command = Command::new("unshare");
        // Also for somebody who is not root, where that is allowed.
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!("{mount} && {line}"));
        command
    };
    match within("true").output() {
        Ok(allowed) if allowed.status.success() => Some(within(line)),
        refused => {
            let words = refused.as_ref().map_or_else(ToString::to_string, |output| {
                String::from_utf8_lossy(&output.stderr).into_owned()
            });
            let known = [
                "not permitted",
                "denied",
                "No such file",
                "No space left",
                "Invalid argument",
            ];
            assert!(known.iter().any(|known| words.contains(known)), "{words}");
            eprintln!(
                "NOT RUN: this machine lets nobody mount a small disk ({})",
                words.trim()
            );
            None
        }
    }
}

/// A file system takes no more writing after its disk has reported an error. The bot is started again until that is mended.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_takes_no_more_writing_is_no_matter_of_permissions() {
    let home = tempfile::tempdir().unwrap();
    let left = left_at(&home.path().join("store")).await;
    let disk = home.path().join("disk");
    fs::create_dir(&disk).unwrap();
    for (name, files) in [("crashed", &left.crashed), ("closed", &left.closed)] {
        lay_out(&home.path().join(name), files);
        let path = disk.join("store");
        let line = format!(
            "cp -r {} {} && mount -o remount,ro {} && exec \"$0\" serve",
            home.path().join(name).display(),
            path.display(),
            disk.display(),
        );
        let Some(mut command) = on_a_small_disk(&disk, &line) else {
            return;
        };
        let output = command
            .arg(env!("CARGO_BIN_EXE_parlor"))
            .env("PARLOR_STORE_PATH", &path)
            .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
            .current_dir(home.path())
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(75), "{name}: {words}");
        assert!(
            words.contains("the disk reports an error") && words.contains("Read-only file system"),
            "{name}: {words}"
        );
    }
}

/// A real disk that is really full: one of 64 MB. Where there is none, the tests above, in which files may not grow, have to do.
#[cfg(target_os = "linux")]
#[test]
fn a_small_disk_fills_up_and_is_told_of_in_time() {
    let home = tempfile::tempdir().unwrap();
    let test = "trouble::the_process_on_a_small_disk";
    let line = format!("exec \"$0\" {test} --exact --nocapture");
    let Some(mut command) = on_a_small_disk(home.path(), &line) else {
        return;
    };
    let output = command
        .arg(std::env::current_exe().unwrap())
        .env(SMALL_DISK, home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaint}");
    assert!(said.contains("all was there"), "{said}{complaint}");
}

/// Not a test by itself: this is what the other one starts.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_process_on_a_small_disk() {
    let Some(disk) = std::env::var_os(SMALL_DISK) else {
        return;
    };
    let disk = Path::new(&disk);
    let path = disk.join("store");
    let settings = SledOptions {
        journal: 1 << 20,
        room: 4 << 20,
        ..SledOptions::default()
    };
    let row = |number: u32| {
        let mut batch = Batch::new();
        let value: Vec<u8> = (0..500_u32)
            .flat_map(|step| {
                (number.wrapping_mul(2_654_435_761) ^ step.wrapping_mul(0x9e37_79b9)).to_be_bytes()
            })
            .collect();
        batch.put(Space::Log, number.to_be_bytes(), value);
        batch
    };
    let store = SledStore::open_with(&path, &settings).unwrap();
    let mut saved = 0..0_u32;
    while saved.end < 3000 {
        store.commit(row(saved.end)).await.unwrap();
        saved.end += 1;
    }
    crate::wait_until_settled(&path);

    // There is less room than a backup or a smaller store would take: they are refused before they take any of it.
    let ballast = disk.join("ballast");
    let free = || {
        let found = rustix::fs::statvfs(disk).unwrap();
        found.f_bavail * found.f_frsize
    };
    let mut file = fs::File::create(&ballast).unwrap();
    while free() > 5 << 20 {
        std::io::Write::write_all(&mut file, &[7; 1 << 16]).unwrap();
    }
    let before = free();
    for refused in [store.backup(&disk.join("backup")), store.compact()] {
        let words = refused.unwrap_err().to_string();
        assert!(
            words.contains("is too full to") && words.contains("make room"),
            "{words}"
        );
    }
    // What waited in the journal went into sled, and nothing else was written: either of the two would have taken all there is.
    assert!(free() > before / 2, "{} of {before}", free());
    for folder in [disk, &path.join("runs")] {
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut half = names.filter(|name| {
            name.to_string_lossy().contains("backup") || name.to_string_lossy().ends_with(".part")
        });
        assert_eq!(half.next(), None, "{}", folder.display());
    }
    assert_eq!(store.health(), Health::Good);
    store.commit(row(saved.end)).await.unwrap();
    saved.end += 1;

    // Now it is really full.
    let fault = loop {
        match store.commit(row(saved.end)).await {
            Ok(()) => saved.end += 1,
            Err(fault) => break fault.to_string(),
        }
    };
    assert!(fault.contains("No space left on device"), "{fault}");
    let Health::Failing { reason, .. } = store.health() else {
        panic!("the store says that all is well after: {fault}");
    };
    assert!(!reason.contains("damaged"), "{reason}");
    drop(file);
    fs::remove_file(&ballast).unwrap();
    while store.health() != Health::Good {
        std::thread::yield_now();
    }
    for _ in 0..100 {
        store.commit(row(saved.end)).await.unwrap();
        saved.end += 1;
    }
    let whole = |store: &SledStore| {
        let keys: Vec<Vec<u8>> = crate::all(store, Space::Log)
            .into_iter()
            .map(|row| row.0)
            .collect();
        let expected: Vec<Vec<u8>> = saved
            .clone()
            .map(|number| number.to_be_bytes().to_vec())
            .collect();
        assert!(
            keys == expected,
            "what was acknowledged is there, and nothing else"
        );
    };
    whole(&store);
    store.compact().unwrap();
    store.backup(&disk.join("backup")).unwrap();
    store.close().unwrap();
    whole(&SledStore::open_with(&path, &settings).unwrap());
    println!("\nall was there");
}
