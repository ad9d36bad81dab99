//! Those who only ask how the bot is, and those who end it at an awkward moment.

use std::io::Write;
use std::net::TcpStream;
use std::process::Command;

use super::bot::{Bot, end_early};
use super::checking::parlor_for;
use crate::web::guest::{Guest, get};

#[test]
fn whoever_holds_the_operator_s_door_open_takes_no_files_from_the_store() {
    parlor::files::raise_limit();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let mut few_files = Command::new("sh");
    few_files.args(["-c", "ulimit -n 64; exec \"$0\"", env!("CARGO_BIN_EXE_parlor")]);
    let bot = Bot::run(few_files, &store);
    let ann = Guest::come(bot.room, "Ann");
    let crowd: Vec<TcpStream> = (0..200)
        .map(|number: u32| {
            let mut connection = TcpStream::connect(bot.operate).unwrap();
            // Half of them begin to ask, and never come to an end.
            let begun: &[u8] = if number.is_multiple_of(2) {
                b"GET /heal"
            } else {
                b""
            };
            connection.write_all(begun).unwrap();
            connection
        })
        .collect();
    ann.hear("practice phwar");
    assert_eq!(get(bot.operate, "/healthz").status, 200);
    // Both open files, and the order comes over a socket.
    for order in [&["backup", "a.backup"][..], &["compact"], &["check"]] {
        let (code, said) = parlor_for(&store, order);
        assert_eq!(code, Some(0), "{order:?}: {said}");
    }
    drop(crowd);
    let (ended, logged) = bot.end();
    assert_eq!(ended.code(), Some(0), "{logged}");
    assert!(!logged.contains("Too many open files"), "{logged}");
}

#[test]
fn a_bot_that_is_ended_while_it_starts_closes_its_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    for _ in 0..3 {
        let (ended, logged) = end_early(&store);
        assert_eq!(ended.code(), Some(0), "{ended} {logged}");
        assert!(store.join("seal").exists(), "it was closed well");
    }
}
