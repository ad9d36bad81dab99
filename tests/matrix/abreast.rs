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
    let mut alone = Duration::ZERO;
    for _ in 0..3 {
        alone = alone.max(timed(bea, &other, "!games").await.1);
    }
    let (_, hint) = timed(ann, room, &line).await;
    // So many hints can be thought out, one after the other, in twice that time; and one is under way. More of them are
    // asked for, and all at once: a bot that does one thing after the other would answer last what was asked last.
    let thinking = hint.saturating_sub(alone).as_millis().max(1);
    let meanwhile = 1 + (2 * alone.as_millis()).div_ceil(thinking) as usize;
    let asked = join_all((0..meanwhile + 3).map(|_| ann.say(room, &line))).await;
    let question = bea.say(&other, "!games").await;
    let games = bea.answer_to(&question).await;
    let begun = at(&bea.wait("the question", |event| event.id() == question).await);
    let mut hints = Vec::new();
    for event in &asked {
        let hint = ann.answer_to(event).await;
        assert!(hint.body().starts_with("You might play"), "{}", hint.body());
        hints.push(at(&hint));
    }
    let between = hints.iter().filter(|&hint| (begun..at(&games)).contains(hint));
    assert!(
        between.count() <= meanwhile,
        "`!games` took {} ms while hints were answered at {hints:?}, and {alone:?} while nothing else was asked",
        at(&games) - begun
    );
    assert!(
        hints.iter().any(|hint| *hint >= at(&games)),
        "hints were still thought out when `!games` was answered"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_read_once_on_its_way() {
    let synapse = Synapse::shared();
    let mut bot = Bot::ready(synapse, "parlor-reads").logging("parlor::chat::command=trace");
    bot.rise();
    let mut party = Party::meet_bot(synapse, bot, "reads", false).await;
    let (_, ann, bea, room, beas) = party.everybody();
    let id = party.bot.id().to_owned();
    let lines = ["!games", "!rules phwar", "!matches", &format!("{id} matches")];
    for line in lines {
        ann.ask(room, line).await;
    }
    // A reaction stands for a command, and an edit puts one right that was refused.
    ann.say(room, &format!("!challenge {} phwar order", bea.id)).await;
    let challenge = party.challenge().await;
    bea.wait("a reaction to take up", |event| {
        event.text("/type") == "m.reaction" && event.text("/content/m.relates_to/event_id") == challenge.id()
    })
    .await;
    bea.react(beas, &challenge, "✅").await;
    party.until_boards(1).await;
    // A bare move is no command, and what is said to others is not read at all.
    ann.say(room, &format!("{id} F3-F5")).await;
    party.until_boards(2).await;
    ann.say(room, "Lovely weather today, F3-F5").await;
    let refused = ann.say(room, "!challenge nobody-here phwar").await;
    ann.answer_to(&refused).await;
    let edit = json!({ "msgtype": "m.text", "body": "* !games",
        "m.new_content": { "msgtype": "m.text", "body": "!games" },
        "m.relates_to": { "rel_type": "m.replace", "event_id": refused } });
    ann.send(room, "m.room.message", edit).await;
    ann.until("the games, once more", || {
        let mut told = ann.messages_of(room.room_id(), &id);
        told.retain(|event| event.body().starts_with("The games"));
        (told.len() == 2).then_some(())
    })
    .await;
    let read_besides = ["challenge", "accept", "F3-F5", "challenge", "games"];
    let (_, complaints) = party.bot.stop();
    let read: Vec<&str> = complaints
        .lines()
        .filter(|line| line.contains("chat: reading"))
        .collect();
    assert_eq!(read.len(), lines.len() + read_besides.len(), "{read:#?}");
}
