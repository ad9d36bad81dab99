//! What players write down: theirs alone while a match runs, both sides' when it is over.

use parlor::chat::message::Message;

use crate::room::{Room, Said, short};

/// Everything that an answer brings, as one text.
fn whole(message: &Message) -> String {
    serde_json::to_string(message).unwrap()
}

fn record(said: &Said) -> serde_json::Value {
    let file = said.reply.message.file.as_ref().expect("a file");
    serde_json::from_str(&file.content).unwrap()
}

#[tokio::test]
async fn a_note_is_its_writers_alone_until_the_match_is_over() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    let said = room.says("ann", "note my secret is the left side").await;
    said.answers("Noted at the start").answers("private message");
    assert!(said.reply.secret);
    room.says("ann", "F3-F5").await.answers("Played");
    room.says("bea", "F9-F8").await.answers("Played");
    let said = room.whispers("ann", &format!("note #{code} secret plan")).await;
    said.answers("Noted after turn 2");
    assert!(!said.text.contains("private message"));
    let own = room.says("ann", "note").await;
    own.answers("at the start: my secret is the left side")
        .answers("after turn 2: secret plan");
    assert!(own.reply.secret);
    // Whatever others ask for, and whatever the room is told, holds nothing of it; the writer's export neither.
    for who in ["ann", "bea", "cy"] {
        for verb in ["record", "replay text", "details", "board", "text", "matches"] {
            let said = room.says(who, &format!("#{code} {verb}")).await;
            assert!(
                !whole(&said.reply.message).contains("secret plan"),
                "{who}: {verb}"
            );
        }
    }
    room.says("bea", &format!("note #{code}"))
        .await
        .answers("no notes");
    room.says("cy", &format!("note #{code}"))
        .await
        .answers("don't play");
    room.says("cy", &format!("note #{code} x"))
        .await
        .answers("don't play");
    room.says("bea", "note I saw it").await.answers("after turn 2");
    room.says("bea", &format!("resign #{code} sure")).await;
    for heard in room.heard_at("parlour").await {
        assert!(!whole(&heard.message).contains("secret plan"));
    }
    // Both sides read both sides' notes, each alone; who comes by does not.
    for who in ["ann", "bea"] {
        let said = room.says(who, &format!("record #{code}")).await;
        assert!(said.reply.secret);
        let record = record(&said);
        let told: Vec<(u64, u64)> = (record["notes"].as_array().unwrap().iter())
            .map(|note| (note["seat"].as_u64().unwrap(), note["step"].as_u64().unwrap()))
            .collect();
        assert_eq!(told, [(1, 0), (1, 2), (2, 2)]);
    }
    let said = room.says("cy", &format!("record #{code}")).await;
    assert!(!whole(&said.reply.message).contains("secret plan") && !said.reply.secret);
    room.says("ann", &format!("note #{code} too late"))
        .await
        .answers("is over");
    room.says("ann", &format!("note #{code}"))
        .await
        .answers("secret plan");
}

#[tokio::test]
async fn notes_of_whoever_was_replaced_are_opened_with_the_others() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    room.says("ann", "note keep the middle").await.answers("Noted");
    room.says("ann", &format!("resign #{code} bot")).await;
    room.says("bea", &format!("accept #{code}")).await;
    assert!(
        room.play_of(&code)
            .players
            .iter()
            .all(|player| short(player) != "ann")
    );
    room.says("bea", "note a bot now").await.answers("Noted");
    let said = room.says("ann", &format!("record #{code}")).await;
    assert!(!whole(&said.reply.message).contains("a bot now"));
    room.says("bea", &format!("resign #{code} sure")).await;
    for who in ["ann", "bea"] {
        let record = record(&room.says(who, &format!("record #{code}")).await);
        let told: Vec<(u64, &str)> = (record["notes"].as_array().expect("notes").iter())
            .map(|note| (note["seat"].as_u64().unwrap(), note["text"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [(1, "keep the middle"), (2, "a bot now")], "{who}");
    }
    let said = room.says("cy", &format!("record #{code}")).await;
    assert!(!whole(&said.reply.message).contains("keep the middle"));
}

#[tokio::test]
async fn notes_have_a_length_and_a_number_and_survive_a_restart() {
    let mut room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    let long = "ä".repeat(501);
    room.says("ann", &format!("note {long}"))
        .await
        .answers("at most 500 letters");
    for number in 0..100 {
        room.says("ann", &format!("note number {number}"))
            .await
            .answers("Noted");
    }
    room.says("ann", "note one more").await.answers("100 notes");
    // The same event writes nothing down twice.
    room.says_as_event("bea", "note once", "e").await;
    room.says_as_event("bea", "note once", "e").await;
    room.restart();
    let said = room.says("bea", "note").await;
    assert_eq!(said.text.matches("once").count(), 1, "{}", said.text);
    let said = room.says("ann", "note").await;
    let file = said.reply.message.file.as_ref().expect("too many for a message");
    assert_eq!(file.name, format!("phwar-{code}-notes.txt"));
    assert_eq!(file.content.lines().count(), 100);
}

#[tokio::test]
async fn a_note_on_an_undone_position_goes_back_with_it() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    room.says("ann", "F3-F5").await;
    room.says("ann", "note that was `wrong`")
        .await
        .answers("after turn 1");
    room.says("ann", &format!("undo #{code}")).await;
    room.says("bea", &format!("accept #{code}")).await;
    room.says("ann", "F3-F4").await.answers("Played");
    room.says("ann", "note")
        .await
        .answers("at the start: that was 'wrong'");
}
