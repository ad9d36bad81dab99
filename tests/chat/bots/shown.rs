//! What is shown of a match against the bot: the move at once, then the reply in its place.

use std::sync::Arc;

use parlor::chat::message::Message;
use parlor::game::Seat;
use parlor::matches::delivery::{Sheet, Writing};
use parlor::matches::time::Span;

use super::puppet::Puppet;
use super::{legal, sheet_number};
use crate::room::{Heard, Room};

fn writing(heard: &Heard) -> Writing {
    match heard.delivery.sheet {
        Some(Sheet::Turn { writing, .. }) => writing,
        sheet => panic!("no turn: {sheet:?}"),
    }
}

fn offers(message: &Message, label: &str) -> bool {
    message.buttons.iter().any(|button| button.label == label)
}

#[tokio::test]
async fn a_move_is_shown_at_once_and_the_reply_takes_its_place() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.heard_at("parlour").await;
    let action = legal(&room, &code, "ann").remove(0);
    room.says("ann", &format!("move #{code} {action}")).await;
    let heard = room.heard_at("parlour").await;
    let [at_once] = &heard[..] else {
        panic!("one board: {heard:#?}");
    };
    assert!(at_once.text.contains("bot/2.1 is thinking …"), "{}", at_once.text);
    assert!(!at_once.text.contains("to move"), "{}", at_once.text);
    assert!(!offers(&at_once.message, "Move") && at_once.message.picture.is_some());
    puppet.is_asked(1).await;
    puppet.let_go();
    room.bots_reply(&code).await;
    let heard = room.heard_at("parlour").await;
    let [reply] = &heard[..] else {
        panic!("one board: {heard:#?}");
    };
    assert_eq!(
        sheet_number(reply),
        sheet_number(at_once),
        "it is the same message"
    );
    assert_eq!(
        (writing(at_once), writing(reply)),
        (Writing::Passing, Writing::Lasting)
    );
    assert!(offers(&reply.message, "Move"));
    let (first, second) = (reply.text.find("ann"), reply.text.find("bot/2.1"));
    assert!(first < second, "both moves are told, in order: {}", reply.text);
    // Both are marked: what is read aloud tells of both as well.
    let alt = &reply.message.picture.as_ref().unwrap().alt;
    let moved = |message: &Heard| message.message.picture.as_ref().unwrap().alt.clone();
    assert!(alt.len() > moved(at_once).len(), "{alt}");
    // Whoever has just moved is looking.
    assert_eq!(reply.message.ping, []);
}

#[tokio::test]
async fn a_reply_that_took_long_is_a_message_of_its_own() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.any_move(&code).await;
    let at_once = room.hears("is thinking").await;
    puppet.is_asked(1).await;
    room.clock.forward(Span::minutes(10));
    puppet.let_go();
    room.bots_reply(&code).await;
    let heard = room.heard_at("parlour").await;
    let [closed, reply] = &heard[..] else {
        panic!("the end of one and another: {heard:#?}");
    };
    assert_eq!(sheet_number(closed), sheet_number(&at_once));
    assert_eq!(writing(closed), Writing::Closing);
    assert!(
        closed.message.buttons.is_empty() && !closed.text.contains("thinking"),
        "{}",
        closed.text
    );
    assert_ne!(sheet_number(reply), sheet_number(&at_once));
    assert_eq!(reply.message.ping.len(), 1, "Ann has turned away");
}

#[tokio::test]
async fn a_restart_at_any_step_tells_the_reply_on_one_message() {
    for delivered_before in [false, true] {
        let puppet = Puppet::held();
        let mut room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
        let code = room.says("ann", "challenge bot phwar order").await.code();
        room.heard_at("parlour").await;
        room.any_move(&code).await;
        let mut sheets = Vec::new();
        if delivered_before {
            sheets.extend(room.heard_at("parlour").await.iter().map(sheet_number));
        }
        room.restart_with_bots(Some(Puppet::free()));
        room.bots_reply(&code).await;
        room.restart();
        let heard = room.heard_at("parlour").await;
        assert!(heard.last().unwrap().text.contains("ann, your move"));
        sheets.extend(heard.iter().map(sheet_number));
        sheets.dedup();
        assert_eq!(sheets.len(), 1, "{sheets:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_plays_alone_sees_boards_from_their_own_side_and_in_their_theme() {
    let room = Room::with_bots(None);
    room.says("ann", "settings theme dark").await;
    let code = room.says("ann", "challenge bot phwar order").await.code();
    let begins = room.hears("begins").await.message.picture.unwrap();
    assert_eq!(begins.side, Seat::new(0));
    assert_eq!(begins.theme.0.name(), "dark");
    room.says("ann", &format!("resign #{code} sure")).await;
    let ended = room.hears("ann resigned").await;
    // In the rematch Ann sits second.
    let again = room.says("ann", &ended.button("Rematch")).await.code();
    room.bots_reply(&again).await;
    let begins = room.hears("begins").await.message.picture.unwrap();
    assert_eq!(begins.side, Seat::new(1));
    let action = legal(&room, &again, "ann").remove(0);
    let said = room.says("ann", &format!("preview #{again} {action}")).await;
    assert_eq!(said.reply.message.picture.unwrap().side, Seat::new(1));
}
