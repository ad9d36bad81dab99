//! What is understood, what is answered, and what never happens whatever is typed.

mod room;

use parlor::catalog::GAMES;
use parlor::chat::command;
use parlor::chat::grammar::{COMMANDS, Verb};
use parlor::chat::message::{Piece, Shown, Subject};
use parlor::chat::parlor::{Input, Request};
use parlor::game::{GameRng, Information};
use parlor::matches::port::Space;
use room::{Room, player, short};

#[tokio::test]
async fn moves_can_be_typed_bare_with_the_verb_by_code_and_by_pressing_buttons() {
    let room = Room::new();
    let code = room.says("ann", "challenge @bea phwar order").await.code();
    room.says("bea", "yes").await.answers("begins");
    let start = room.hears("begins").await;
    // Bare.
    let action = room.legal(&code).remove(0);
    room.says("ann", &action).await.answers("Played");
    // With the verb, and the way people write.
    let action = room.legal(&code).remove(3).replace('-', " to ");
    room.says("bea", &format!("/move {}", action.to_lowercase()))
        .await
        .answers("Played");
    // By code, from where nobody else hears.
    let action = room.legal(&code).remove(0);
    room.whispers("ann", &format!("m #{} {action}", code.as_str().to_lowercase()))
        .await
        .answers("Played");
    // By buttons: the one on the board, then the first of each menu.
    let board = room.hears("bea is to move").await;
    assert_ne!(board.button("Move"), start.button("Move"));
    let mut line = room.heard_at("parlour").await.pop().unwrap().button("Move");
    for _ in 0..5 {
        let said = room.says("bea", &line).await;
        if said.text.contains("Played") {
            break;
        }
        line = said.commands().remove(0);
    }
    assert_eq!(room.play_of(&code).entries, 4);
}

#[tokio::test]
async fn every_button_of_every_menu_leads_to_a_move_or_on() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let legal = room.legal(&code);
    let mut reached = std::collections::BTreeSet::new();
    let mut open = vec![format!("moves #{code}")];
    while let Some(line) = open.pop() {
        let said = room.says("ann", &line).await;
        assert!(
            !said.commands().is_empty(),
            "`{line}` leads nowhere: {}",
            said.text
        );
        for command in said.commands() {
            match command.split_once(' ').unwrap() {
                ("moves", rest) if rest.contains(' ') => open.push(command.clone()),
                ("move", rest) => {
                    reached.insert(rest.split_once(' ').unwrap().1.to_owned());
                }
                _ => {}
            }
        }
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), {
        let mut legal = legal;
        legal.sort();
        legal
    });
}

#[tokio::test]
async fn old_buttons_are_refused_kindly_with_the_way_to_the_board() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let version = room.the_match(&code).version;
    let legal = room.legal(&code);
    let old = format!("move #{code}@{version} {}", legal[0]);
    room.says("ann", &old).await.answers("Played");
    let before = room.store.matters();
    let stale = room.says("ann", &old).await;
    stale.answers("earlier moment");
    room.says("ann", &stale.button("The board now"))
        .await
        .answers("Waiting for bea");
    room.says("ann", &format!("preview #{code}@{version} {}", legal[1]))
        .await
        .answers("earlier moment");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn whoever_acts_out_of_turn_is_told_whose_turn_it_is() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.legal(&code).remove(0);
    let before = room.store.matters();
    for line in [
        format!("move {action}"),
        "moves".to_owned(),
        format!("preview {action}"),
    ] {
        room.says("bea", &line)
            .await
            .answers("It isn't your turn: ann has to move first");
    }
    room.says("bea", &action)
        .await
        .answers("it isn't your turn; ann has to move first");
    room.says("cy", &format!("move #{code} {action}"))
        .await
        .answers("You don't play");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn with_several_matches_the_one_that_waits_for_me_is_meant_by_a_move_but_not_by_giving_up() {
    let room = Room::new();
    let waits = room.match_of("ann", "bea", "").await;
    let other = room.match_of("cy", "ann", "").await;
    let action = room.legal(&waits).remove(0);
    room.says("ann", "board").await.answers(&format!("#{waits}"));
    for line in ["resign", "abort", "draw", "undo", "pause"] {
        let said = room.says("ann", line).await;
        said.answers(&format!("#{waits}")).answers(&format!("#{other}"));
        said.answers("Add the code");
    }
    room.says("ann", &action).await.answers(&format!("#{waits}"));
    // Now neither waits for Ann; then both do.
    room.says("ann", "board").await.answers("Add the code");
    room.any_move(&waits).await;
    room.any_move(&other).await;
    let action = room.legal(&other).remove(0);
    room.says("ann", &action).await.answers("Add the code");
    room.says("ann", &format!("move {action}"))
        .await
        .answers("Add the code");
    room.says("ann", &format!("move #{other} {action}"))
        .await
        .answers("Played");
}

#[tokio::test]
async fn the_match_of_the_room_is_meant_before_those_elsewhere() {
    let room = Room::new();
    let here = room.match_of("ann", "bea", "").await;
    let there = room
        .says_in("den", "cy", "challenge @ann phwar order")
        .await
        .code();
    room.says_in("den", "ann", "accept").await.answers("begins");
    room.says_in("den", "ann", "resign")
        .await
        .answers(&format!("#{there}"));
    room.says_in("parlour", "ann", "resign")
        .await
        .answers(&format!("#{here}"));
    room.whispers("ann", "resign").await.answers("Add the code");
}

#[tokio::test]
async fn cancel_means_my_open_table_and_decline_lets_me_get_up() {
    let room = Room::new();
    room.match_of("ann", "bea", "").await;
    let table = room.says("ann", "open phwar seats=3").await.code();
    room.says("cy", &format!("join {table}"))
        .await
        .answers("still missing");
    room.says("cy", "decline").await.answers("You decline");
    room.hears("cy gets up from Phwar").await;
    room.says("cy", "cancel").await.answers("no match");
    room.says("cy", &format!("cancel {table}"))
        .await
        .answers("Only whoever opened");
    room.says("ann", "cancel").await.answers("cancelled");
    room.hears("ann cancels").await;
    room.says("cy", &format!("join {table}"))
        .await
        .answers("called off");
    room.says("ann", "cancel").await.answers("no match");
}
