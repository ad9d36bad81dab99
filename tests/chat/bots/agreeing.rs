//! What a bot agrees to, and hints.

use std::sync::Arc;

use parlor::catalog::games;
use parlor::matches::state::{How, Stage};

use super::puppet::Puppet;
use super::{is_awaited, legal};
use crate::room::Room;

async fn begun(puppet: &Arc<Puppet>, terms: &str) -> (Room, parlor::matches::code::Code) {
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(puppet)));
    let code = room
        .says("ann", &format!("challenge bot phwar order {terms}"))
        .await
        .code();
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    room.heard_at("parlour").await;
    (room, code)
}

#[tokio::test]
async fn a_bot_grants_takebacks_pauses_and_time() {
    let puppet = Puppet::free();
    let (room, code) = begun(&puppet, "daily").await;
    room.says("ann", "undo").await.answers("Agreed");
    room.hears("is undone").await;
    assert!(is_awaited(&room, &code, "ann"));
    assert_eq!(room.play_of(&code).steps, 0);
    room.says("ann", "extend 12").await.answers("Agreed");
    room.says("ann", "pause").await.answers("Agreed");
    room.says("ann", "resume").await.answers("goes on");
    assert!(room.is_running(&code));
}

#[tokio::test]
async fn a_bot_takes_a_draw_unless_it_hopes_for_more() {
    let puppet = Puppet::free();
    puppet.hopes(0.8);
    let (room, code) = begun(&puppet, "").await;
    room.says("ann", "draw").await.answers("No draw");
    room.hears("bot/2.1 says no to the draw").await;
    assert!(room.is_running(&code));
    // It stands worse now, and is content.
    puppet.hopes(0.3);
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    room.says("ann", "draw").await.answers("Agreed");
    room.hears("A draw by agreement").await;
    assert!(matches!(room.the_match(&code).stage, Stage::Over(_, ending) if ending.how == How::Agreement));
}

#[tokio::test(start_paused = true)]
async fn where_hands_are_hidden_a_bot_does_not_say_how_it_stands() {
    for hope in [0.1, 0.9] {
        let puppet = Puppet::free();
        puppet.hopes(hope);
        let room = Room::with_bots(Some(puppet));
        let code = room.says("ann", "challenge bot phase order").await.code();
        room.bots_reply(&code).await;
        room.says("ann", &format!("draw #{code}"))
            .await
            .answers("would tell you what I hold");
        assert!(room.is_running(&code), "hoping for {hope}");
        // Several people who agree among themselves are not held up.
        let code = room.says("bea", "challenge bot @cy phase order").await.code();
        room.says("cy", &format!("accept #{code}")).await;
        room.bots_reply(&code).await;
        room.says("bea", &format!("draw #{code}"))
            .await
            .answers("others to agree");
        room.says("cy", &format!("accept #{code}")).await;
        assert!(!room.is_running(&code), "hoping for {hope}");
    }
}

#[tokio::test]
async fn whoever_plays_the_bot_may_break_off_at_any_time() {
    let puppet = Puppet::free();
    let (room, code) = begun(&puppet, "").await;
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    room.says("ann", "abort").await.answers("broke the match off");
    room.hears("so nobody wins").await;
    assert!(matches!(room.the_match(&code).stage, Stage::Over(_, ending) if ending.how == How::Abort));
    // So may whoever plays alone.
    let alone = room.says("ann", "practice phwar").await.code();
    for _ in 0..3 {
        room.any_move(&alone).await;
    }
    room.says("ann", &format!("abort #{alone}"))
        .await
        .answers("broke the match off");
}

#[tokio::test]
async fn among_people_only_their_own_moves_make_it_too_late_to_break_off() {
    let room = Room::with_bots(Some(Puppet::free()));
    let begun = async || {
        let code = room.says("ann", "challenge bot @bea phwar order").await.code();
        room.says("bea", &format!("accept #{code}")).await;
        room.any_move(&code).await;
        room.bots_reply(&code).await;
        code
    };
    let code = begun().await;
    room.says("bea", &format!("abort #{code}"))
        .await
        .answers("broke the match off");
    let code = begun().await;
    room.any_move(&code).await;
    room.bots_reply(&code).await;
    room.says("bea", &format!("abort #{code}"))
        .await
        .answers("too late to break the match off");
}

#[tokio::test]
async fn hints_help_against_bots_and_alone_but_not_among_people() {
    let puppet = Puppet::free();
    puppet.hopes(0.7);
    let (room, code) = begun(&puppet, "").await;
    let said = room.says("ann", "hint").await;
    let first = legal(&room, &code, "ann").remove(0);
    said.answers(&format!("You might play {first}"))
        .answers("You're ahead.");
    // What it does is told, and pressing the button does it.
    assert!(said.text.contains("ann"), "{}", said.text);
    room.says("ann", &said.button("Play it")).await.answers("Played");
    room.bots_reply(&code).await;
    let board = room.hears(", your move").await;
    assert_eq!(board.button("Hint"), format!("hint #{code}"));
    // Alone one may ask for either side.
    let alone = room.says("cy", "practice phwar").await.code();
    let board = room.hears("plays every side").await;
    assert_eq!(board.button("Hint"), format!("hint #{alone}"));
    room.says("cy", &format!("hint #{alone}"))
        .await
        .answers("You might play");
    let people = room.match_of("dot", "eve", "none").await;
    room.says("dot", &format!("hint #{people}"))
        .await
        .answers("Between people that wouldn't be fair");
    // Nobody gets hints for others.
    room.says("dot", &format!("hint #{code}"))
        .await
        .answers("don't play");
    // With a friend at the table it is a match between people, bots or not.
    let three = room.says("ann", "challenge bot @bea phwar order").await.code();
    room.says("bea", &format!("accept #{three}")).await;
    room.bots_reply(&three).await;
    room.says("ann", &format!("hint #{three}"))
        .await
        .answers("Between people that wouldn't be fair");
}

#[tokio::test]
async fn out_of_turn_there_is_no_hint() {
    let puppet = Puppet::held();
    let room = Room::with_bots(Some(Arc::<Puppet>::clone(&puppet)));
    let code = room.says("ann", "challenge bot phwar order").await.code();
    room.any_move(&code).await;
    room.says("ann", &format!("hint #{code}"))
        .await
        .answers("isn't your turn");
    puppet.let_go();
}

#[tokio::test(start_paused = true)]
async fn where_hands_are_hidden_a_hint_is_for_one_pair_of_eyes() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot phase level=1").await.code();
    room.bots_reply(&code).await;
    let said = room.says("ann", "hint").await;
    said.answers("You might play");
    assert!(said.reply.secret);
}

#[tokio::test(start_paused = true)]
async fn a_hint_says_what_the_move_does() {
    // In whatever the bot suggests, in every game, and whatever is still unknown.
    for game in games().map(|entry| entry.meta.id) {
        let room = Room::with_bots(None);
        let code = room
            .says("ann", &format!("challenge bot {game} order level=1"))
            .await
            .code();
        room.bots_reply(&code).await;
        let mut hints = 0;
        while room.is_running(&code) && hints < 40 {
            let said = room.says("ann", &format!("hint #{code}")).await;
            let (_, does) = said.text.split_once("You might play ").expect("a hint");
            assert!(
                does.contains(": ") || does.contains(" – "),
                "{game}: {}",
                said.text
            );
            room.says("ann", &said.button("Play it")).await.answers("Played");
            room.bots_reply(&code).await;
            hints += 1;
        }
    }
}
