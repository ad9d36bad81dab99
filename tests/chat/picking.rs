//! Guided entry: a turn is picked step by step, from the message that calls to the sentence that could have been typed.

use parlor::chat::message::Message;
use parlor::matches::code::Code;

use crate::room::{Room, Said};

/// The sentence that could have been typed.
fn reminded(said: &Said) -> String {
    let (_, sentence) = said.text.split_once("Next time: ").expect("a reminder");
    let (sentence, _) = sentence.split_once('.').expect("a whole sentence");
    sentence.to_owned()
}

fn labels(message: &Message) -> Vec<&str> {
    message.menu.iter().map(|button| button.label.as_str()).collect()
}

/// The first entry of a menu whose label begins so.
#[track_caller]
fn entry(message: &Message, label: &str) -> String {
    let found = message.menu.iter().find(|button| button.label.starts_with(label));
    let found = found.unwrap_or_else(|| panic!("no `{label}` among {:?}", labels(message)));
    found.command.clone()
}

#[tokio::test]
async fn the_call_itself_offers_the_first_step_to_whoever_is_on_turn() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", "yes").await;
    let call = room.hears("begins").await.message;
    assert_eq!(call.menu.len(), 5, "{:?}", labels(&call));
    assert!(call.menu.iter().all(|button| !button.help.is_empty()));
    let electron = entry(&call, "F3 electron");
    room.says("bea", &electron).await.answers("isn't your turn");
    room.says("cy", &electron).await.answers("don't play in");
    let targets = room.says("ann", &electron).await;
    targets.answers("F3 … Where to?");
    assert!(targets.reply.passing);
    let played = room.says("ann", &entry(&targets.reply.message, "to ")).await;
    played.answers("Played");
    assert_eq!(room.play_of(&code).entries, 1);
    // The next call offers the other player's particles, and what was picked on the old board starts over.
    let next = room.hears("bea, your move").await.message;
    assert!(next.menu.iter().all(|button| !call.menu.contains(button)));
    room.says("bea", &electron)
        .await
        .answers("That was for an earlier board. Which particle?");
}

/// What somebody holds could be told by what they can do.
#[tokio::test]
async fn where_hands_are_hidden_the_call_offers_nothing_of_them() {
    for game in ["breaker variant=blind", "breaker variant=blind-scarce", "phase"] {
        let room = Room::new();
        let code = room
            .says("ann", &format!("challenge @bea {game} order"))
            .await
            .code();
        room.says("bea", "yes").await;
        for _ in 0..12 {
            for heard in room.heard_at("parlour").await {
                assert_eq!(labels(&heard.message), Vec::<&str>::new(), "{game}");
            }
            let who = room.awaited(&code);
            let step = room.says(&who, &format!("moves #{code}")).await;
            assert!(step.reply.secret, "{game}");
            let action = room.legal(&code).pop().unwrap();
            room.says(&who, &format!("move #{code} {action}"))
                .await
                .answers("Played");
        }
    }
}

#[tokio::test]
async fn picking_goes_on_until_the_turn_is_over_and_tells_what_could_have_been_typed() {
    let begin = async |room: &Room| -> Code { room.begin("ann", "bea", "breaker order").await };
    let room = Room::new();
    let code = begin(&room).await;
    let version = room.the_match(&code).version;
    let mut step = room.says("ann", &format!("moves #{code}@{version}")).await;
    step.answers("First of your two actions");
    step = room.says("ann", &entry(&step.reply.message, "draw 2L")).await;
    step.answers("Played")
        .answers("Your second action: what do you do?");
    assert!(step.reply.message.picture.is_some() && step.reply.goes_on);
    assert!(!step.text.contains("Next time"), "{}", step.text);
    step = room.says("ann", &entry(&step.reply.message, "add 0LFR II")).await;
    assert_eq!(reminded(&step), "draw 2L; add 0LFR II");
    // It can be typed.
    let other = Room::new();
    let twin = begin(&other).await;
    other.says("ann", &reminded(&step)).await.answers("Played");
    let position = |room: &Room, code: &Code| -> serde_json::Value {
        let saved: serde_json::Value = serde_json::from_str(&room.play_of(code).table).unwrap();
        saved["game"].clone()
    };
    assert_eq!(position(&other, &twin), position(&room, &code));
    // Whoever types is left alone with menus and reminders.
    let typed = room.says("bea", "draw 3").await;
    typed
        .answers("Played in")
        .answers("bea, one action left: draw, add, move or pass.");
    assert!(typed.reply.message.menu.is_empty());
    let done = room.says("bea", "draw 3").await;
    assert!(!done.text.contains("Next time"), "{}", done.text);
}

#[tokio::test]
async fn there_is_a_way_back_by_one_step_and_to_the_start() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "fabric order").await;
    let start = room.says("ann", &format!("moves #{code}")).await;
    assert!(start.reply.message.buttons.is_empty(), "nothing to go back to");
    let columns = room.says("ann", &entry(&start.reply.message, "Relay")).await;
    let back = |said: &Said| -> Vec<String> {
        let buttons = said.reply.message.buttons.iter();
        buttons.map(|button| button.label.clone()).collect()
    };
    // With one step done, both would lead to the same place.
    assert_eq!(back(&columns), ["Back"]);
    assert_eq!(
        room.says("ann", &columns.button("Back")).await.reply.message.menu,
        start.reply.message.menu
    );
    let cells = room.says("ann", &entry(&columns.reply.message, "column d")).await;
    assert_eq!(back(&cells), ["Back", "Start over"]);
    assert_eq!(
        room.says("ann", &cells.button("Back")).await.reply.message.menu,
        columns.reply.message.menu
    );
    assert_eq!(
        room.says("ann", &cells.button("Start over"))
            .await
            .reply
            .message
            .menu,
        start.reply.message.menu
    );
}

/// In Phase people decide several things at once: who attacks what, and what is paid.
#[tokio::test]
async fn what_is_decided_together_is_one_press() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phase order").await;
    let mut trained = false;
    for _ in 0..400 {
        if !room.is_running(&code) || trained {
            break;
        }
        let who = room.awaited(&code);
        let version = room.the_match(&code).version;
        let step = room.whispers(&who, &format!("moves #{code}@{version}")).await;
        let menu = &step.reply.message.menu;
        let paid = menu
            .iter()
            .find(|button| button.command.contains(" train ") && button.command.contains(" pay "));
        if let Some(paid) = paid {
            let before = room.play_of(&code).steps;
            room.whispers(&who, &paid.command).await.answers("Played");
            assert!(room.play_of(&code).steps > before + 1, "{paid:?}");
            trained = true;
            continue;
        }
        // Nobody attacks, so that resources gather; who can train for nothing leaves it.
        let legal = room.legal(&code);
        let calm = |action: &&String| {
            ["enlist", "done", "pass", "no"]
                .iter()
                .any(|verb| action.starts_with(verb))
        };
        let action = legal.iter().find(calm).unwrap_or(&legal[0]);
        room.whispers(&who, &format!("move #{code} {action}"))
            .await
            .answers("Played");
    }
    assert!(trained, "nobody could train and pay in one press");
}
