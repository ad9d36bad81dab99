//! Whole matches, through what is typed.

use parlor::catalog::games;
use parlor::game::GameRng;
use parlor::matches::record::Record;
use parlor::matches::state::Stage;

use super::{boards, is_awaited, legal, nobody_wrote_to_bots};
use crate::room::Room;

/// Ann plays at random against whoever is at the table until the end; every command of hers brings one board.
async fn play_out(room: &Room, code: &parlor::matches::code::Code, seed: u64) -> usize {
    let mut rng = GameRng::quick(seed);
    let mut commands = 0;
    room.bots_reply(code).await;
    assert_eq!(
        boards(&room.heard_at("parlour").await),
        1,
        "the beginning is one board"
    );
    while room.is_running(code) {
        assert!(is_awaited(room, code, "ann"), "nobody else is left to move");
        let actions = legal(room, code, "ann");
        let action = &actions[rng.below(actions.len())];
        let said = room.says("ann", &format!("move #{code} {action}")).await;
        said.answers("Played");
        room.bots_reply(code).await;
        let heard = room.heard_at("parlour").await;
        // The end is a message of its own: it rings.
        let most = if room.is_running(code) { 1 } else { 2 };
        assert!((1..=most).contains(&boards(&heard)), "after {action}: {heard:#?}");
        commands += 1;
    }
    commands
}

#[tokio::test(start_paused = true)]
async fn in_every_game_a_move_and_its_reply_are_one_board() {
    for entry in games() {
        let room = Room::with_bots(None);
        let line = format!("challenge bot {} level=1", entry.meta.id);
        let said = room.says("ann", &line).await;
        said.answers("has begun");
        let code = said.code();
        let commands = play_out(&room, &code, 7).await;
        assert!(commands > 1, "{}", entry.meta.id);
        nobody_wrote_to_bots(&room);
        // The record names the bot, and replays.
        let record = room.says("ann", &format!("record #{code}")).await;
        let file = record.reply.message.file.expect("a file");
        let record = Record::from_json(&file.content).unwrap();
        assert!(
            record.players.contains(&"Parlor (level 1)".to_owned()),
            "{:?}",
            record.players
        );
        record.verify().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn two_bots_and_a_person_play() {
    for game in ["phwar", "phase"] {
        let room = Room::with_bots(None);
        let said = room
            .says("ann", &format!("challenge bot bot {game} level=1"))
            .await;
        let code = said.answers("has begun").code();
        play_out(&room, &code, 11).await;
        let Stage::Over(play, _) = room.the_match(&code).stage else {
            panic!("it is over");
        };
        let mut names: Vec<String> = (play.players.iter())
            .map(|player| room.service().person(player).unwrap().name)
            .collect();
        names.sort();
        assert_eq!(names, ["Parlor (level 1)", "Parlor II (level 1)", "ann"]);
        nobody_wrote_to_bots(&room);
    }
}

#[tokio::test(start_paused = true)]
async fn a_rematch_with_the_bot_begins_at_once_with_seats_swapped() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot phwar order level=4").await.code();
    room.bots_reply(&code).await;
    room.says("ann", &format!("resign #{code} sure")).await;
    let ended = room.hears("resigned").await;
    let said = room.says("ann", &ended.button("Rematch")).await;
    let again = said.answers("begins").code();
    let (old, new) = (room.play_of(&code).players, room.play_of(&again).players);
    assert_eq!([&old[1], &old[0]], [&new[0], &new[1]]);
    room.says("ann", "matches").await.answers("bot/4.1");
}

#[tokio::test(start_paused = true)]
async fn bots_fill_a_table_with_people_at_it() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "open phase seats=4").await.code();
    room.says("bea", &format!("join {code}")).await;
    // Whoever doesn't sit there has no say.
    room.says("cy", &format!("fill #{code}"))
        .await
        .answers("don't play");
    let offer = room.hears("joins").await;
    let said = room.says("bea", &offer.button("Fill with bots")).await;
    said.answers("begins");
    room.bots_reply(&code).await;
    let begins = room.hears("begins").await;
    assert!(
        begins.text.contains("bot/2.1") && begins.text.contains("bot/2.2"),
        "{}",
        begins.text
    );
    // Both people are called, since neither has moved.
    let called = begins.message.ping.len();
    assert_eq!(called, 2, "{:?}", begins.message.ping);
}

#[tokio::test(start_paused = true)]
async fn a_friend_is_invited_and_the_bot_is_not() {
    let room = Room::with_bots(None);
    let code = room.says("ann", "challenge bot @bea phwar level:5").await.code();
    let offer = room.hears("challenges bea to").await;
    assert_eq!(offer.message.ping.len(), 1);
    assert!(offer.text.contains("bot/5.1 plays too"), "{}", offer.text);
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("begins");
}

#[tokio::test(start_paused = true)]
async fn bots_count_for_nobody_but_the_person() {
    let room = Room::with_bots(None);
    for _ in 0..20 {
        room.says("ann", "challenge bot phwar").await.answers("has begun");
    }
    room.says("ann", "challenge bot phwar")
        .await
        .answers("20 matches");
    room.says("bea", "challenge bot phwar").await.answers("has begun");
}
