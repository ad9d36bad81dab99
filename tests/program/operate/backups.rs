//! Backups that the bot makes by itself, as an operator asks for them in the configuration.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::bot::Bot;
use super::checking::parlor_for;
use crate::web::guest::Guest;
use crate::web::wait_for;

const CONFIG: &str = r#"
[store]
backup_every = "7d"
backup_keep = 2
backup_path = "kept"
"#;

fn start(home: &Path) -> Bot {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    command.args(["--config", "parlor.toml"]);
    Bot::run(command, &home.join("store"))
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

/// Backups of 1970, and what a bot left behind that died during one.
const OLD: [&str; 3] = [
    "parlor-000000001000.backup",
    "parlor-000000002000.backup",
    "parlor-000000003000.backup.7.part",
];

#[test]
fn a_bot_backs_up_when_it_is_due_keeps_the_newest_and_what_it_made_can_be_restored() {
    let home = tempfile::tempdir().unwrap();
    let (home, kept) = (home.path(), home.path().join("kept"));
    fs::write(home.join("parlor.toml"), CONFIG).unwrap();
    // The first is made at once.
    let bot = start(home);
    wait_for("a first backup", || (names(&kept).len() == 1).then_some(()));
    Guest::come(bot.room, "Ann").hear("practice phwar");
    assert_eq!(bot.end().0.code(), Some(0));
    let first = names(&kept);

    // Seven days have not passed, so a restart makes none: neither does it later, while the bot plays.
    let bot = start(home);
    Guest::come(bot.room, "Bea").hear("games");
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
    assert_eq!(names(&kept), first, "{logged}");

    // All there is was made long ago: another is due, and two are kept.
    fs::remove_file(kept.join(first.first().unwrap())).unwrap();
    for old in OLD {
        fs::write(kept.join(old), "old").unwrap();
    }
    let bot = start(home);
    wait_for("the older ones to go", || {
        let names = names(&kept);
        let gone = !names.contains(OLD[0]) && !names.contains(OLD[2]);
        (gone && names.len() == 2).then_some(())
    });
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
    let mut names = names(&kept);
    assert!(names.remove(OLD[1]), "{names:?}");

    // The match is in it.
    let made = kept.join(names.first().unwrap());
    let restored = home.join("restored");
    for (arguments, said) in [
        (&["restore", made.to_str().unwrap()][..], ""),
        (&["check"], "1 match replayed, 0 not whole"),
    ] {
        let (code, words) = parlor_for(&restored, arguments);
        assert!(code == Some(0) && words.contains(said), "{arguments:?}: {words}");
    }

    // A folder where none can be written is told of, and stops nothing.
    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "in the way").unwrap();
    let bot = start(home);
    Guest::come(bot.room, "Cy").hear("games");
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
    assert!(logged.contains("could not make a backup"), "{logged}");
}
