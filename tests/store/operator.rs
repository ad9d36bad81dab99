//! What an operator does with a store by the real program, while the bot runs and while it doesn't.
#![cfg(unix)]

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output};

use serde_json::json;
use tempfile::TempDir;

use crate::kill::start;
use crate::web::guest::Guest;

fn parlor(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(arguments)
        .current_dir(folder)
        .env("PARLOR_STORE_PATH", folder.join("data"))
        .output()
        .unwrap()
}

/// Runs a tool that has to do what it is asked; its words.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = parlor(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A folder, a bot that keeps its store there, and a guest of its room.
fn opened() -> (TempDir, Child, Guest) {
    let home = tempfile::tempdir().unwrap();
    let address = address();
    let bot = start(home.path(), address);
    let ann = Guest::come(address, "Ann");
    (home, bot, ann)
}

/// Ends a bot as the system does.
fn terminate(mut bot: Child) -> ExitStatus {
    let told = Command::new("kill")
        .args(["-TERM", &bot.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    bot.wait().unwrap()
}

/// Starts some matches with the bot, each by an event of its own.
fn play(guest: &Guest, matches: std::ops::Range<u32>) {
    for number in matches {
        let body = json!({ "room": "parlor", "text": "challenge bot phwar order level=1", "event": format!("{number}") });
        let said = guest.post("/api/say", &body);
        assert_eq!(said.status, 200, "{}", said.text());
    }
}

#[test]
fn a_running_store_is_backed_up_made_smaller_and_checked() {
    let (home, bot, ann) = opened();
    let folder = home.path();
    play(&ann, 0..3);
    done(folder, &["backup", "while-it-runs.backup"]);
    let file = folder.join("while-it-runs.backup");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // It goes on, and a backup overwrites nothing.
    play(&ann, 3..4);
    let refused = parlor(folder, &["backup", "while-it-runs.backup"]);
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("overwrites nothing"), "{words}");
    // So is a record, with the seed of the match in it; in a file that all could read before, too.
    let listed = ann.get("/api/matches").json();
    let code = listed["matches"][0]["code"].as_str().unwrap();
    let shown = done(folder, &["export", code]);
    assert!(shown.contains("\"seed\""), "{shown}");
    let record = folder.join("record.json");
    fs::write(&record, "open to all").unwrap();
    fs::set_permissions(&record, fs::Permissions::from_mode(0o644)).unwrap();
    for name in ["record.json", "new.json"] {
        done(folder, &["export", code, "--out", name]);
        let file = folder.join(name);
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600,
            "{name}"
        );
        assert!(fs::read_to_string(&file).unwrap().contains("\"seed\""));
    }
    let refused = parlor(folder, &["export", "ZZZZ"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    // In the store's own folder it would keep the bot from starting again.
    let refused = parlor(folder, &["backup", "data/inside.backup"]);
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("in the store's own folder"), "{words}");
    let refused = parlor(folder, &["backup", "nowhere/a.backup"]);
    assert_eq!(refused.status.code(), Some(75), "{refused:?}");
    assert!(done(folder, &["compact"]).contains("MB now"));
    let said = done(folder, &["check"]);
    assert!(said.contains("4 matches replayed, 0 not whole"), "{said}");
    assert!(terminate(bot).success());
    assert!(!folder.join("data/control").exists());
    let said = done(folder, &["check"]);
    assert!(said.contains("4 matches replayed, 0 not whole"), "{said}");
    fs::rename(folder.join("data"), folder.join("moved")).unwrap();
    done(folder, &["restore", "while-it-runs.backup"]);
    let said = done(folder, &["check"]);
    assert!(said.contains("3 matches replayed, 0 not whole"), "{said}");
}

/// What players have noted is theirs while they play, and part of the record afterwards.
#[test]
fn a_match_is_exported_with_its_notes_once_it_is_over() {
    let (home, bot, ann) = opened();
    let folder = home.path();
    let said = ann.hear("practice phwar");
    let (_, rest) = said.split_once('#').expect("a match");
    let code: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    ann.say(&format!("note #{code} remember the middle"));
    assert!(terminate(bot).success());
    assert!(!done(folder, &["export", &code]).contains("remember"));
    let bot = start(folder, ann.address);
    ann.say(&format!("resign #{code} sure"));
    assert!(terminate(bot).success());
    let record: serde_json::Value = serde_json::from_str(&done(folder, &["export", &code])).unwrap();
    assert_eq!(
        record["notes"],
        json!([{ "seat": 1, "step": 0, "text": "remember the middle" }])
    );
}

/// What the bot calls by a name may be another place than what the tool's user calls so: under systemd it has a /tmp of its own.
#[test]
fn a_backup_is_written_where_the_tool_is_and_not_where_the_bot_is() {
    let (home, bot, ann) = opened();
    play(&ann, 0..2);
    let elsewhere = tempfile::tempdir().unwrap();
    // The bot runs in the folder of its store.
    let output = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["backup", "mine.backup"])
        .current_dir(elsewhere.path())
        .env("PARLOR_STORE_PATH", home.path().join("data"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let names: Vec<_> = fs::read_dir(elsewhere.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["mine.backup"]);
    assert!(terminate(bot).success());
    let restored = tempfile::tempdir().unwrap();
    fs::rename(
        elsewhere.path().join("mine.backup"),
        restored.path().join("mine.backup"),
    )
    .unwrap();
    done(restored.path(), &["restore", "mine.backup"]);
    let said = done(restored.path(), &["check"]);
    assert!(said.contains("2 matches replayed, 0 not whole"), "{said}");
}

/// Root may look after a store that is not root's.
#[test]
fn tools_leave_a_store_to_its_owner() {
    use std::os::unix::fs::{MetadataExt, lchown};
    fn owners(path: &Path, found: &mut Vec<(String, u32)>) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            found.push((path.display().to_string(), path.symlink_metadata().unwrap().uid()));
            if path.is_dir() {
                owners(&path, found);
            }
        }
    }
    let (home, bot, ann) = opened();
    let (folder, data) = (home.path(), home.path().join("data"));
    play(&ann, 0..2);
    assert!(terminate(bot).success());
    // Whoever is not root can give nothing away, and makes nothing that is not their own.
    let owner = match lchown(&data, Some(4711), Some(4711)) {
        Ok(()) => 4711,
        Err(_) => fs::metadata(&data).unwrap().uid(),
    };
    for tool in [&["check"][..], &["compact"], &["backup", "a.backup"]] {
        done(folder, tool);
        let mut found = Vec::new();
        owners(&data, &mut found);
        assert!(found.len() > 4);
        assert!(
            found.iter().all(|(_, user)| *user == owner),
            "{tool:?}: {found:?}"
        );
    }
}

#[test]
fn what_is_left_of_a_damaged_store_is_salvaged_and_the_rest_is_named() {
    let (home, bot, ann) = opened();
    let folder = home.path();
    play(&ann, 0..40);
    done(folder, &["compact"]);
    play(&ann, 40..42);
    assert!(terminate(bot).success());
    let run = fs::read_dir(folder.join("data/runs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut content = fs::read(&run).unwrap();
    // In the first block, behind the header.
    content[100] ^= 1;
    fs::write(&run, content).unwrap();
    let refused = parlor(folder, &["check"]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(
        words.contains("is damaged") && words.contains("block 0"),
        "{words}"
    );
    let said = done(folder, &["salvage", "data", "saved"]);
    assert!(
        said.contains("not readable") && said.contains("block 0"),
        "{said}"
    );
    let missing = said.lines().filter(|line| line.starts_with('#')).count();
    let summary = said.lines().last().unwrap();
    assert!(summary.contains(&format!("{missing} not whole")), "{said}");
    // What is in the new store can be used: whole matches replay.
    fs::rename(folder.join("data"), folder.join("damaged")).unwrap();
    fs::rename(folder.join("saved"), folder.join("data")).unwrap();
    let checked = parlor(folder, &["check"]);
    let words = String::from_utf8(checked.stdout).unwrap();
    assert!(words.contains(&format!("{missing} not whole")), "{words}");
    let again = parlor(folder, &["salvage", "damaged", "data"]);
    assert_eq!(again.status.code(), Some(2), "it overwrites nothing");
}

#[test]
fn a_run_that_is_gone_is_named_and_what_is_left_can_be_played() {
    let (home, bot, ann) = opened();
    let folder = home.path();
    play(&ann, 0..3);
    done(folder, &["compact"]);
    let old: Vec<_> = runs(folder);
    // Rows of the three are replaced, and there are three more.
    play(&ann, 3..6);
    done(folder, &["backup", "settled.backup"]);
    assert!(terminate(bot).success());
    let new: Vec<_> = runs(folder)
        .into_iter()
        .filter(|run| !old.contains(run))
        .collect();
    assert_eq!(new.len(), 1, "one run is newer");
    fs::remove_file(folder.join("data/runs").join(&new[0])).unwrap();
    let said = done(folder, &["salvage", "data", "saved"]);
    assert!(
        said.contains(&format!("not readable: its file `runs/{}` is missing", new[0])),
        "{said}"
    );
    assert!(
        said.contains("saved in saved: 42 rows and 3 matches, 0 not whole"),
        "{said}"
    );
    fs::rename(folder.join("data"), folder.join("damaged")).unwrap();
    fs::rename(folder.join("saved"), folder.join("data")).unwrap();
    let bot = start(folder, ann.address);
    let matches = ann.get("/api/matches").json();
    assert_eq!(matches["matches"].as_array().unwrap().len(), 3, "{matches}");
    assert!(terminate(bot).success());
}

/// What is lost of one piece costs nothing of the others. All that these stores hold is still to be read.
#[cfg(target_os = "linux")]
#[test]
fn salvage_gives_up_nothing_that_can_be_read() {
    let (home, mut bot, ann) = opened();
    let folder = home.path();
    play(&ann, 0..3);
    done(folder, &["compact"]);
    let settled = runs(folder);
    // In the journal.
    play(&ann, 3..5);
    bot.kill().unwrap();
    bot.wait().unwrap();
    fs::remove_file(folder.join("data/control")).unwrap();
    let wreck = crate::files(&folder.join("data"));
    let run = format!("runs/{}", settled[0]);
    for (damage, said) in [
        (
            "a stranger in the journal",
            "`journal/notes.txt` is no file of it",
        ),
        (
            "a bad disk under sled",
            "its file `sled/db` can't be read in full (Input/output error",
        ),
        (
            "a run cut off",
            &format!("its file `{run}` is not what was written to it (its index)"),
        ),
    ] {
        let path = folder.join("wreck");
        crate::lay_out(&path, &wreck);
        match damage {
            "a stranger in the journal" => fs::write(path.join("journal/notes.txt"), "mine").unwrap(),
            "a bad disk under sled" => {
                // Nothing is mapped at the start of any process, so there is an error like that of a disk.
                fs::remove_file(path.join("sled/db")).unwrap();
                std::os::unix::fs::symlink("/proc/self/mem", path.join("sled/db")).unwrap();
            }
            _ => {
                let content = &wreck[&run];
                fs::write(path.join(&run), &content[..content.len() - 1]).unwrap();
            }
        }
        let words = done(folder, &["salvage", "wreck", "saved"]);
        assert!(
            words.contains(&format!("not readable: {said}")),
            "{damage}: {words}"
        );
        assert!(words.contains("and 5 matches, 0 not whole"), "{damage}: {words}");
        for name in ["wreck", "saved"] {
            fs::remove_dir_all(folder.join(name)).unwrap();
        }
    }
}

/// The names of a store's runs.
fn runs(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("data/runs")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Whether the files of a process may grow. Those that may not are like files on a full disk.
#[cfg(target_os = "linux")]
fn let_grow(bot: &Child, most: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit {
        current: most,
        maximum: None,
    };
    prlimit(Some(Pid::from_child(bot)), Resource::Fsize, limit).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_bot_on_a_full_disk_recovers_by_itself_and_does_not_end_as_if_all_were_well() {
    use std::io::Read;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let address = address();
    let mut bot = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\"", env!("CARGO_BIN_EXE_parlor")])
        .current_dir(folder)
        .env("PARLOR_STORE_PATH", folder.join("data"))
        .env("PARLOR_LOCAL_LISTEN", address.to_string())
        .env("PARLOR_LOCAL_ENABLED", "true")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    crate::web::wait_for("the bot", || std::net::TcpStream::connect(address).ok());
    let ann = Guest::come(address, "Ann");
    let tables = || {
        ann.get("/api/matches").json()["matches"]
            .as_array()
            .unwrap()
            .len()
    };
    let open = |event: &str| {
        let body = json!({ "room": "parlor", "text": "open phwar none", "event": event });
        assert_eq!(ann.post("/api/say", &body).status, 200);
        tables()
    };
    assert_eq!(open("first"), 1);
    let_grow(&bot, Some(0));
    for number in 0..20 {
        assert_eq!(open(&format!("in vain {number}")), 1, "nothing can be saved");
    }
    let_grow(&bot, None);
    let mut tries = 0;
    crate::web::wait_for("the store to recover", || {
        tries += 1;
        (open(&format!("again {tries}")) == 2).then_some(())
    });
    let_grow(&bot, Some(0));
    assert_eq!(open("last"), 2);
    let mut log = bot.stderr.take().unwrap();
    let ended = terminate(bot);
    let mut said = String::new();
    log.read_to_string(&mut said).unwrap();
    assert!(!ended.success(), "{ended}: {said}");
    // Once a minute, however often it failed and somebody tried.
    assert_eq!(said.matches("store: could not write").count(), 1, "{said}");
    assert!(said.contains("store: can write again"), "{said}");
    let bot = start(folder, ann.address);
    assert_eq!(tables(), 2, "what was acknowledged is there, and nothing else");
    assert!(terminate(bot).success());
}
