//! A command is read once on its way, wherever it comes from.

use serde_json::json;

use super::code_in;
use crate::driver::Town;

#[test]
fn a_command_is_read_once() {
    let mut town = Town::awake();
    let ann = town.user("Ann");
    ann.slash("games", &json!({})).words();
    let code = code_in(&ann.slash("open", &json!({ "game": "phwar" })).words());
    let list = ann.slash("matches", &json!({})).answer();
    ann.slash("board", &json!({ "match": code })).words();
    // A button carries a command, and so does a menu.
    let label = format!("Phwar #{code}");
    ann.pick(&list, &label).words();
    town.program().stop();
    let lines = town.program().lines();
    let read: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains("chat: reading"))
        .collect();
    assert_eq!(read.len(), 5, "{read:#?}");
}
