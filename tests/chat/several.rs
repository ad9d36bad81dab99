//! Several matches at once: which one a move goes to.

use parlor::chat::fields::{FieldChoice, FormField};
use parlor::chat::parlor::Input;
use parlor::matches::code::Code;
use parlor::matches::time::Span;

use crate::request;
use crate::room::{self, Phonebook, Room, player};

async fn match_of(room: &Room, host: &str, guest: &str, game: &str) -> Code {
    room.later(Span::minutes(1)).await;
    let asked = format!("challenge @{guest} {game} order");
    let code = room.says(host, &asked).await.code();
    room.says(guest, &format!("accept #{code}")).await;
    code
}

fn played_in(code: &Code) -> String {
    format!("Played in #{code}")
}

#[tokio::test]
async fn a_typed_move_goes_to_the_only_match_in_which_it_reads() {
    let room = Room::new();
    let phwar = match_of(&room, "ann", "bea", "phwar").await;
    let fabric = match_of(&room, "ann", "cy", "fabric").await;
    let glyphs = match_of(&room, "ann", "dee", "glyphgrid").await;
    room.says("ann", "R c3 E").await.answers(&played_in(&fabric));
    room.says("ann", "move F3-F5").await.answers(&played_in(&phwar));
    room.says("ann", "lance b2-d4").await.answers(&played_in(&glyphs));
}

#[tokio::test]
async fn of_two_matches_of_one_game_it_goes_to_the_one_that_allows_it() {
    let room = Room::new();
    let first = match_of(&room, "ann", "bea", "fabric").await;
    let second = match_of(&room, "ann", "cy", "fabric").await;
    let named = format!("A c3 #{first}");
    room.says("ann", &named).await.answers(&played_in(&first));
    room.says("bea", "A d4").await.answers(&played_in(&first));
    // In the match that Ann has just played in d4 is taken; in the other one it is free.
    room.says("ann", "P d4").await.answers(&played_in(&second));
}

#[tokio::test]
async fn otherwise_a_button_for_each_match_plays_it() {
    let room = Room::new();
    let first = match_of(&room, "ann", "bea", "phwar").await;
    let second = match_of(&room, "ann", "cy", "phwar").await;
    for line in ["F3-F5", "move F3-F5"] {
        let asked = room.says("ann", line).await;
        asked.answers("Which match?");
        assert!(asked.reply.passing);
        let version = room.the_match(&second).version;
        let command = format!("move #{second}@{version} F3-F5");
        assert_eq!(asked.button("Phwar with cy"), command);
    }
    let asked = room.says("ann", "F3-F5").await;
    let (one, other) = (asked.button("Phwar with bea"), asked.button("Phwar with cy"));
    room.says("ann", &other).await.answers(&played_in(&second));
    let stale = room.says("ann", &other).await;
    assert!(!stale.text.contains("Played"), "{}", stale.text);
    room.says("ann", &one).await.answers(&played_in(&first));
}

#[tokio::test]
async fn whoever_confirms_moves_looks_at_it_in_the_match_that_they_chose() {
    let room = Room::new();
    match_of(&room, "ann", "bea", "phwar").await;
    match_of(&room, "ann", "cy", "phwar").await;
    room.says("ann", "settings confirm on").await;
    let asked = room.says("ann", "F3-F5").await;
    let shown = room.says("ann", &asked.button("Phwar with cy")).await;
    shown.answers("Not played yet");
    room.says("ann", &shown.button("Play it")).await.answers("Played");
}

#[tokio::test]
async fn two_matches_with_the_same_player_are_told_apart_by_their_codes() {
    let room = Room::new();
    let first = match_of(&room, "ann", "bea", "phwar").await;
    let second = match_of(&room, "ann", "bea", "phwar").await;
    let asked = room.says("ann", "F3-F5").await;
    asked.button(&format!("Phwar with bea #{first}"));
    asked.button(&format!("Phwar with bea #{second}"));
}

#[tokio::test]
async fn a_code_is_understood_anywhere_in_the_line() {
    for write in [
        |code: &str| format!("F3-F5 #{code}"),
        |code: &str| format!("#{} F3-F5", code.to_lowercase()),
        |code: &str| format!("move F3-F5 #{code}"),
        |code: &str| format!("#{code} move F3-F5"),
        |code: &str| format!("F3 #{code} F5"),
    ] {
        let room = Room::new();
        match_of(&room, "ann", "bea", "phwar").await;
        let second = match_of(&room, "ann", "cy", "phwar").await;
        let line = write(&second.to_string());
        room.says("ann", &line).await.answers(&played_in(&second));
    }
    let room = Room::new();
    let code = match_of(&room, "ann", "bea", "phwar").await;
    for line in [format!("#{code}"), format!("#{code} board")] {
        let shown = room.says("ann", &line).await;
        shown.answers(&format!("#{code}"));
        assert!(shown.reply.message.picture.is_some(), "{line}");
    }
    room.says("ann", "F3-F5 #ZZZZ").await.answers("ZZZZ");
}

#[tokio::test]
async fn the_match_that_one_plays_in_is_meant_until_another_calls() {
    let mut room = Room::new();
    let first = match_of(&room, "ann", "bea", "fabric").await;
    let second = match_of(&room, "ann", "cy", "fabric").await;
    room.says("ann", "A c3").await.answers("Which match?");
    let named = format!("A c3 #{first}");
    room.says("ann", &named).await.answers("Played");
    room.later(Span::minutes(1)).await;
    room.any_move(&first).await;
    // It goes on in the first match, over a restart too.
    room.restart();
    room.says("ann", "board").await.answers(&format!("#{first}"));
    let both = |room: &Room| -> String {
        let other = room.legal(&second);
        let mut legal = room.legal(&first).into_iter();
        legal.find(|action| other.contains(action)).unwrap()
    };
    room.says("ann", &both(&room)).await.answers(&played_in(&first));
    room.any_move(&second).await;
    room.later(Span::minutes(1)).await;
    room.any_move(&second).await;
    room.later(Span::minutes(1)).await;
    room.any_move(&first).await;
    // Ann played last in the second match, and the first has called her since.
    room.says("ann", &both(&room)).await.answers("Which match?");
}

#[tokio::test]
async fn whoever_types_is_offered_the_matches_first() {
    let room = Room::new();
    let first = match_of(&room, "ann", "bea", "phwar").await;
    let second = match_of(&room, "ann", "cy", "fabric").await;
    let choices = |typed: &str| -> Vec<FieldChoice> {
        let field = FormField {
            command: "move",
            name: "move",
            typed,
            others: Vec::new(),
            about: None,
        };
        let here = room::room("parlour");
        let choices = room.parlor.choices(&player("ann"), Some(&here), &field);
        assert!(choices.len() <= 25);
        choices
    };
    let offered = choices("");
    let values = [format!("#{first}"), format!("#{second}")];
    for (value, label) in values
        .iter()
        .zip(["Phwar with bea: your turn", "Phase-Fabric with cy: your turn"])
    {
        let mut matches = offered.iter().take(2);
        let found = matches.any(|choice| choice.value == *value && choice.label == label);
        assert!(found, "{offered:?}");
    }
    // By the name of an opponent, by what a move is called, by a code.
    assert_eq!(choices("bea")[0].value, values[0]);
    let relay = &choices("relay c3 east")[0];
    assert_eq!(relay.value, format!("#{second} R c3 E"));
    assert_eq!(
        relay.label,
        "Phase-Fabric with cy: Relay on c3, facing east: sends 1"
    );
    assert_eq!(choices("#").len(), 2);
    let named = &choices(&format!("#{second} relay c3 east"))[0];
    assert_eq!(named.value, relay.value);
    assert_eq!(named.label, "Relay on c3, facing east: sends 1");
    // Whatever is offered can be sent.
    let mut asked = request("ann", "ann", "");
    let form = |value: &str| Input::form("move", [("move", value.into())], &Phonebook("local"));
    asked.input = form(&values[1]);
    let shown = room.ask(&asked, "move").await;
    assert!(shown.reply.message.menu.len() > 1, "{}", shown.text);
    asked.input = form(&relay.value);
    room.ask(&asked, "move").await.answers(&played_in(&second));
    // Now only one match waits, and its moves are offered as they are.
    let moves = &choices("f5")[0];
    assert_eq!(moves.value, "F3-F5");
    assert_eq!(moves.label, "electron F3 slides to F5");
}
