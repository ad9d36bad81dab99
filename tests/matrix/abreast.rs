//! Rooms don't wait for each other, and a line is read once.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::bot::Bot;
use crate::party::{Party, code_in};
use crate::person::Event;
use crate::synapse::Synapse;

/// When the homeserver got an event.
fn at(event: &Event) -> u64 {
    let at = event.json.pointer("/origin_server_ts");
    at.and_then(Value::as_u64).expect("a moment")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_is_answered_while_another_waits_for_hints() {
    /// More hints than are thought out and sent, one after the other, while one command is answered.
    const HINTS: usize = 40;
    let party = Party::meet(Synapse::shared(), "abreast", false).await;
    let (bot, ann, bea, room, _) = party.everybody();
    ann.say(room, &format!("!challenge {} phwar order level=1 none", bot.id()))
        .await;
    let board = ann
        .wait("a board", |event| {
            event.sender() == bot.id() && event.kind() == "m.image"
        })
        .await;
    let code = code_in(board.body());
    let other = bea
        .make_room(&[bot.id(), &ann.id], json!({ "encrypted": false }))
        .await;
    ann.enter(other.room_id()).await;
    bea.until_joined(&other, bot.id()).await;
    bea.until_joined(&other, &ann.id).await;
    // The way is known to be open before it matters.
    bea.ask(&other, "!games").await;

    let line = format!("!hint #{code}");
    let asked = join_all((0..HINTS).map(|_| ann.say(room, &line))).await;
    // All hints were asked for before this, and yet it is answered before they are thought out: a bot that does one
    // thing after the other would answer it last.
    let games = bea.ask(&other, "!games").await;
    let mut last = 0;
    for event in &asked {
        let hint = ann.answer_to(event).await;
        assert!(hint.body().starts_with("You might play"), "{}", hint.body());
        last = last.max(at(&hint));
    }
    assert!(
        last > at(&games),
        "the last hint came at {last}, `!games` was answered at {}",
        at(&games)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_read_once_on_its_way() {
    let synapse = Synapse::shared();
    let mut bot = Bot::ready(synapse, "parlor-reads").logging("parlor::chat::command=trace");
    bot.rise();
    let mut party = Party::meet_bot(synapse, bot, "reads", false).await;
    let (_, ann, _, room, _) = party.everybody();
    let id = party.bot.id().to_owned();
    let lines = ["!games", "!rules phwar", "!matches", &format!("{id} matches")];
    for line in lines {
        ann.ask(room, line).await;
    }
    let (_, complaints) = party.bot.stop();
    let read: Vec<&str> = complaints
        .lines()
        .filter(|line| line.contains("chat: command read"))
        .collect();
    assert_eq!(read.len(), lines.len(), "{read:#?}");
}
