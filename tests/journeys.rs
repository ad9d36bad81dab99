//! Whole matches, told as the people in the room would tell them.

mod room;

use parlor::game::Seed;
use parlor::matches::code::Code;
use parlor::matches::record::Record;
use room::{Room, player};

/// The hexadecimal digits in a text, 64 of them.
#[track_caller]
fn digits(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_hexdigit());
    let found = words.filter(|word| word.len() == 64).last();
    found
        .unwrap_or_else(|| panic!("no 64 digits in: {text}"))
        .to_owned()
}

#[tokio::test]
async fn a_match_is_played_from_the_challenge_to_a_rematch() {
    let room = Room::new();
    let code = room
        .says("ann", "challenge @bea phwar")
        .await
        .answers("is set")
        .code();
    let offer = room.hears("ann challenges bea to Phwar").await;
    assert_eq!(offer.message.ping, [player("bea")]);

    room.says("bea", &offer.button("Accept")).await.answers("begins");
    let start = room.hears("begins").await;
    let commitment = digits(&start.text);
    let first_seat = room.play_of(&code).players.clone();

    let moves = room.play_out(&code, 3).await;
    assert!(moves > 10, "a real game, not {moves} moves");
    let end = room.hears("wins").await;
    let seed = digits(&end.text);

    let record = room.says("ann", &end.button("Record")).await;
    let file = record.reply.message.file.clone().expect("a file");
    let record = Record::from_json(&file.content).unwrap();
    record.verify().unwrap();
    assert_eq!(record.seed, seed);
    assert_eq!(
        Seed::from_hex(&record.seed).unwrap().commitment(),
        commitment,
        "the seed must be the one that was promised"
    );
    assert_eq!(record.actions.len(), moves);

    room.says("ann", &end.button("Rematch"))
        .await
        .answers("still missing");
    let offer = room.hears("ann offers bea a rematch").await;
    let again = room.says("bea", &offer.button("Accept")).await.code();
    assert_ne!(again, code);
    let mut swapped = first_seat;
    swapped.rotate_left(1);
    assert_eq!(room.play_of(&again).players, swapped, "seats are swapped");
}

#[tokio::test]
async fn what_programmers_print_of_a_match_holds_no_secret() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let action = room.any_move(&code).await;
    let the_match = room.the_match(&code);
    let play = room.play_of(&code);
    let log = room.service().log_of(&the_match).unwrap();
    let legal = room.legal(&code).remove(0);
    let trial = parlor::matches::moves::attempt(&the_match, &player("bea"), &legal).unwrap();
    for printed in [
        format!("{the_match:?}"),
        format!("{play:?}"),
        format!("{log:?}"),
        format!("{trial:?}"),
    ] {
        assert!(!printed.contains(&play.seed), "{printed}");
        assert!(!printed.contains(&play.table[1..40]), "the position: {printed}");
        assert!(!printed.contains(&action), "{printed}");
    }
}

/// A match of three in which ann, bea and cy sit in this order.
async fn match_of_three(room: &Room, terms: &str) -> Code {
    let line = format!("challenge @bea @cy phwar order {terms}");
    let code = room.says("ann", &line).await.code();
    room.says("bea", "accept").await.answers("still missing");
    room.says("cy", "accept").await.answers("begins");
    room.hears("begins").await;
    code
}

#[tokio::test]
async fn of_three_players_all_have_to_agree_and_old_buttons_name_what_they_agree_to() {
    let room = Room::new();
    let code = match_of_three(&room, "").await;
    room.says("ann", "draw").await.answers("have to agree");
    let offer = room.hears("ann offers a draw").await;
    assert_eq!(offer.message.ping, [player("bea"), player("cy")]);
    room.says("bea", &offer.button("Agree"))
        .await
        .answers("You agree");
    assert!(room.is_running(&code), "one is still to answer");
    // The same button, though Bea's answer has changed the match since.
    room.says("bea", &offer.button("Agree")).await.answers("already");
    room.says("cy", &offer.button("Agree")).await.answers("You agree");
    room.hears("ann, bea and cy draw by agreement").await;
    assert!(!room.is_running(&code));
}

#[tokio::test]
async fn an_old_button_never_agrees_to_something_new() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "draw").await;
    let offer = room.hears("ann offers a draw").await;
    room.says("bea", &offer.button("No")).await.answers("You decline");
    room.hears("bea says no to the draw").await;
    room.says("ann", "pause").await;
    room.hears("ann asks for a pause").await;
    let before = room.store.matters();
    room.says("bea", &offer.button("Agree"))
        .await
        .answers("earlier moment");
    assert_eq!(room.store.matters(), before);
    assert!(room.play_of(&code).paused.is_none());
    // Without a button the one thing that stands is meant.
    room.says("bea", "accept").await.answers("You agree");
    assert!(room.play_of(&code).paused.is_some());
}

#[tokio::test]
async fn agreeing_to_nothing_proposes_nothing() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let before = room.store.matters();
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("Nobody has proposed anything");
    room.says("bea", &format!("decline #{code}"))
        .await
        .answers("Nobody has proposed anything");
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn an_answer_is_to_the_others_proposal_and_not_to_my_own() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "draw").await;
    room.says("bea", "extend 12").await.answers("more time");
    room.says("ann", "accept").await.answers("You agree");
    room.hears("Agreed: 12 h more for everybody").await;
    assert!(room.is_running(&code), "Ann did not accept her own draw");
    // What is left is Ann's own offer; to decline it is to withdraw it.
    room.says("ann", "accept").await.answers("You have asked");
    room.says("ann", "decline").await;
    room.hears("ann no longer offers a draw").await;
    assert!(room.play_of(&code).proposals.is_empty());
}

#[tokio::test]
async fn whoever_has_left_a_match_decides_nothing_in_it_any_more() {
    let room = Room::new();
    let code = match_of_three(&room, "none").await;
    room.says("ann", &format!("resign #{code} sure"))
        .await
        .answers("You resign");
    room.hears("ann").await;
    assert!(room.is_running(&code), "two play on");
    room.says("bea", "pause").await;
    room.says("cy", "accept").await;
    let before = room.store.matters();
    for line in [
        "draw",
        "undo",
        "pause",
        "resume",
        "extend 5",
        "abort",
        "claim",
        "resign",
        "resign sure",
        "accept",
        "decline",
        "move F2-F5",
        "moves",
        "preview F2-F5",
    ] {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        room.says("ann", &format!("{verb} #{code} {rest}"))
            .await
            .answers("You have left");
    }
    assert_eq!(room.store.matters(), before);
}

#[tokio::test]
async fn twenty_matches_are_enough_for_anybody() {
    let room = Room::new();
    for _ in 0..19 {
        room.says("ann", "open phwar").await.answers("is set");
    }
    let theirs = room.says("bea", "open phwar").await.code();
    room.says("ann", &format!("join {theirs}"))
        .await
        .answers("begins");
    let before = room.store.matters();
    room.says("ann", "open phwar")
        .await
        .answers("You have 20 matches");
    room.says("ann", "practice phwar").await.answers("20");
    let another = room.says("cy", "open phwar").await.code();
    room.says("ann", &format!("join {another}"))
        .await
        .answers("You have 20 matches");
    room.says("cy", &format!("cancel {another}")).await;
    assert!(before.len() <= room.store.matters().len());
    // All of them fit one message, and one less makes room.
    room.says("ann", "matches").await.answers("Phwar");
    room.says("ann", &format!("resign {theirs} sure")).await;
    room.says("ann", "open phwar").await.answers("is set");
}

#[tokio::test]
async fn invitations_fill_nobodys_limit() {
    let room = Room::new();
    for _ in 0..20 {
        room.says("ann", "challenge @bea phwar").await.answers("is set");
    }
    for _ in 0..10 {
        room.says("cy", "challenge @bea phwar").await.answers("is set");
    }
    room.says("bea", "open phwar").await.answers("is set");
    room.says("bea", "matches").await;
}

#[tokio::test]
async fn a_crowd_of_the_same_person_is_refused() {
    let room = Room::new();
    for count in [3, 254, 255, 256, 257, 511] {
        let line = format!("challenge {}phwar", "me ".repeat(count));
        room.says("ann", &line).await.answers("Phwar is played by 2 to 3");
    }
    room.says("ann", "challenge @bea @bea phwar")
        .await
        .answers("You named bea twice");
    assert!(room.store.rows(parlor::matches::port::Space::Matches).is_empty());
}

/// A finished match of ann on "local" against cy on "other".
async fn match_between_platforms(room: &Room) -> Code {
    let code = room.says("ann", "open phwar order").await.code();
    let offer = room.hears("ann opens a table of Phwar").await;
    assert!(
        offer.text.contains(&format!("join {code}, from any room")),
        "{}",
        offer.text
    );
    room.says("other/cy", &format!("join {code}"))
        .await
        .answers("begins");
    code
}

#[tokio::test]
async fn a_table_is_joined_by_code_from_another_platform_and_every_turn_is_shown_in_both_rooms() {
    let room = Room::new();
    let code = match_between_platforms(&room).await;
    for place in ["parlour", "other/parlour"] {
        room.hears_at(place, "begins: ann and other/cy").await;
    }
    for _ in 0..6 {
        let who = room.awaited(&code);
        room.any_move(&code).await;
        let here = room.hears("is to move").await;
        let there = room.hears_at("other/parlour", "is to move").await;
        assert!(here.text.starts_with(&who), "{}", here.text);
        assert_eq!(here.text, there.text);
        assert_eq!(here.message, there.message);
        assert_eq!(
            here.message.ping,
            [player(if who == "ann" { "other/cy" } else { "ann" })]
        );
        assert_ne!(here.delivery.key, there.delivery.key);
    }
    room.says("other/cy", &format!("resign #{code} sure")).await;
    room.hears("ann wins by resignation").await;
    room.hears_at("other/parlour", "ann wins by resignation").await;

    // The offer of a rematch reaches the other platform too.
    room.says("ann", "rematch").await;
    let offer = room
        .hears_at("other/parlour", "ann offers other/cy a rematch")
        .await;
    room.hears("ann offers other/cy a rematch").await;
    let again = room.says("other/cy", &offer.button("Accept")).await.code();
    room.hears("begins: other/cy and ann").await;
    room.hears_at("other/parlour", "begins: other/cy and ann").await;
    assert_eq!(room.the_match(&again).rooms.len(), 2);
}

#[tokio::test]
async fn both_press_rematch_and_meet_at_one_table() {
    let room = std::sync::Arc::new(Room::new());
    let code = room.match_of("ann", "bea", "").await;
    room.says("ann", "rematch").await.answers("no match");
    room.says("ann", &format!("rematch #{code}"))
        .await
        .answers("still runs");
    room.says("ann", "resign sure").await;
    let mut tasks = tokio::task::JoinSet::new();
    for who in ["ann", "bea"] {
        let (room, line) = (std::sync::Arc::clone(&room), format!("rematch #{code}"));
        tasks.spawn(async move { room.says(who, &line).await.text });
    }
    let answers = tasks.join_all().await;
    assert_eq!(
        answers.iter().filter(|text| text.contains("begins")).count(),
        1,
        "{answers:?}"
    );
    assert_eq!(room.store.rows(parlor::matches::port::Space::Matches).len(), 2);
    // There is one; a second press opens no other.
    room.says("ann", &format!("rematch #{code}"))
        .await
        .answers("There is a rematch already");
}

#[tokio::test]
async fn a_rematch_is_offered_once_and_can_be_declined() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "daily").await;
    room.says("bea", "resign sure").await;
    room.says("bea", "rematch").await.answers("still missing");
    room.says("bea", &format!("rematch #{code}"))
        .await
        .answers("There is a rematch already");
    let offer = room.hears("bea offers ann a rematch").await;
    assert!(offer.text.contains("Daily"), "the same clock: {}", offer.text);
    room.says("ann", &offer.button("Decline"))
        .await
        .answers("You decline");
    room.hears("ann declines").await;
    // Then it may be asked for again.
    room.says("ann", "rematch").await.answers("still missing");
    room.says("cy", &format!("rematch #{code}"))
        .await
        .answers("You don't play");
}

#[tokio::test]
async fn an_ordinary_challenge_is_not_taken_for_a_rematch() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "live 5m").await;
    room.says("bea", "resign sure").await;
    let challenge = room.says("ann", "challenge @bea phwar none").await.code();
    let rematch = room.says("bea", &format!("rematch #{code}")).await.code();
    assert_ne!(rematch, challenge);
    assert_eq!(room.the_match(&rematch).clock, room.the_match(&code).clock);
}
