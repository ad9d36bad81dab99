//! A bot plays on for somebody.

use std::sync::Arc;

use parlor::matches::record::Record;
use parlor::matches::state::{How, Stage};
use parlor::matches::time::Span;

use super::puppet::Puppet;
use super::{is_awaited, nobody_wrote_to_bots, the_bot};
use crate::room::{Room, player};

#[tokio::test]
async fn the_bot_plays_on_for_whoever_has_to_go_if_the_other_agrees() {
    let room = Room::with_bots(Some(Puppet::free()));
    let code = room.match_of("ann", "bea", "daily").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    let asked = room.says("ann", &format!("resign #{code}")).await;
    room.says("ann", &asked.button("Let the bot play on"))
        .await
        .answers("others to agree");
    let proposal = room.hears("ann has to go and asks for a stand-in").await;
    assert_eq!(proposal.message.ping, [player("bea")]);
    // Said no: all is as it was.
    room.says("bea", &proposal.button("No")).await;
    assert!(is_awaited(&room, &code, "ann"));
    room.says("ann", &format!("resign #{code} bot")).await;
    let proposal = room.hears("ann has to go").await;
    room.says("bea", &proposal.button("Agree")).await.answers("agree");
    room.hears("bot/2.1 plays on for ann").await;
    // It was Ann's turn, so the bot moves.
    room.bots_reply(&code).await;
    assert!(is_awaited(&room, &code, "bea"));
    assert_eq!(the_bot(&room, &code).as_str(), "bot:2.1");
    // Ann is out of it and free for others.
    room.says("ann", "board").await.answers("no match");
    room.says("ann", &format!("move #{code} F2-F3"))
        .await
        .answers("don't play");
    // From now on it is a match against the bot, and all of it replays.
    room.says("bea", &format!("hint #{code}"))
        .await
        .answers("You might play");
    let mut moves = 0;
    while room.is_running(&code) && moves < 5 {
        room.any_move(&code).await;
        room.bots_reply(&code).await;
        moves += 1;
    }
    room.says("bea", &format!("resign #{code} sure")).await;
    let record = room.says("bea", &format!("record #{code}")).await;
    let record = Record::from_json(&record.reply.message.file.unwrap().content).unwrap();
    record.verify().unwrap();
    nobody_wrote_to_bots(&room);
}

#[tokio::test]
async fn those_who_remain_may_let_the_bot_play_on_for_a_leaver() {
    let room = Room::with_bots(Some(Puppet::free()));
    let code = room
        .says("ann", "challenge @bea @cy phwar order live 5m")
        .await
        .code();
    for who in ["bea", "cy"] {
        room.says(who, &format!("accept #{code}")).await;
    }
    room.any_move(&code).await;
    // Bea runs out of time: she is out of the game.
    room.later(Span::minutes(6)).await;
    room.hears("has run out of time").await;
    assert!(!is_awaited(&room, &code, "bea"));
    room.says("bea", &format!("replace #{code}"))
        .await
        .answers("left");
    room.says("ann", &format!("replace #{code} level=4"))
        .await
        .answers("others to agree");
    let proposal = room.hears("ann asks for a stand-in").await;
    room.says("cy", &proposal.button("Agree")).await;
    room.hears("bot/4.1 plays on for bea").await;
    // It was Bea's turn, and the bot takes it.
    room.bots_reply(&code).await;
    assert!(is_awaited(&room, &code, "cy"));
    assert!(room.play_of(&code).left.is_empty());
    room.any_move(&code).await;
    // Too late for another.
    room.says("ann", &format!("replace #{code}"))
        .await
        .answers("no empty seat");
    for who in ["ann", "cy"] {
        room.says(who, &format!("resign #{code} sure")).await;
    }
    let record = room.says("cy", &format!("record #{code}")).await;
    let record = Record::from_json(&record.reply.message.file.unwrap().content).unwrap();
    record.verify().unwrap();
}

#[tokio::test]
async fn bots_do_not_play_on_among_themselves() {
    let room = Room::with_bots(Some(Puppet::free()));
    let code = room.says("ann", "challenge bot bot phwar order").await.code();
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    room.says("ann", &format!("resign #{code} bot"))
        .await
        .answers("Only bots would be left");
    room.says("ann", &format!("resign #{code} sure")).await;
    let Stage::Over(play, ending) = room.the_match(&code).stage else {
        panic!("it is over");
    };
    assert_eq!(ending.how, How::Resignation);
    let outcome = ending.outcome.unwrap();
    let ann = play.players.iter().position(|one| *one == player("ann")).unwrap();
    assert_eq!(outcome.ranks[ann], 3, "{:?}", outcome.ranks);
    let record = room.says("ann", &format!("record #{code}")).await;
    let record = Record::from_json(&record.reply.message.file.unwrap().content).unwrap();
    record.verify().unwrap();
}

#[tokio::test]
async fn a_stand_in_and_a_restart_go_together() {
    let mut room = Room::with_bots(Some(Puppet::held()));
    let code = room.match_of("ann", "bea", "none").await;
    room.says("ann", &format!("resign #{code} bot")).await;
    room.says("bea", &format!("accept #{code}")).await;
    room.restart_with_bots(Some(Arc::<Puppet>::clone(&Puppet::free())));
    room.bots_reply(&code).await;
    assert!(is_awaited(&room, &code, "bea"));
}
