//! Rooms don't wait for each other, and a line is read once.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use matrix_sdk::Room;
use serde_json::{Value, json};

use crate::bot::Bot;
use crate::party::{Party, code_in};
use crate::person::{Event, Person};
use crate::synapse::Synapse;

/// When the homeserver got an event.
fn at(event: &Event) -> u64 {
    let at = event.json.pointer("/origin_server_ts");
    at.and_then(Value::as_u64).expect("a moment")
}

/// Says something and waits for the answer; with the time that it took.
async fn timed(person: &Person, room: &Room, line: &str) -> (Event, Duration) {
    let start = Instant::now();
    let answer = person.ask(room, line).await;
    (answer, start.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_is_answered_while_hints_against_a_strong_bot_are_thought_out_in_another() {
    let party = Party::meet(Synapse::shared(), "abreast", false).await;
    let (bot, ann, bea, room, _) = party.everybody();
    ann.say(room, &format!("!challenge {} phwar order level=5 none", bot.id()))
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

    // How long both take while nobody else asks for anything; the first of all may take longer.
    let line = format!("!hint #{code}");
    bea.ask(&other, "!games").await;
    let (_, alone) = timed(bea, &other, "!games").await;
    let (_, hint) = timed(ann, room, &line).await;
    // So many hints are asked for that a few more could be thought out in twice that time, one after the other. A bot that
    // does one thing after the other would answer last what was asked last.
    let hints = 3 + (2 * alone.as_millis()).div_ceil(hint.as_millis().max(1));
    let asked = join_all((0..hints).map(|_| ann.say(room, &line))).await;
    let (games, _) = timed(bea, &other, "!games").await;
    let mut last = 0;
    for event in &asked {
        let hint = ann.answer_to(event).await;
        assert!(hint.body().starts_with("You might play"), "{}", hint.body());
        last = last.max(at(&hint));
    }
    assert!(
        at(&games) < last,
        "`!games` was answered at {}, after all of {hints} hints, at {last}",
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
