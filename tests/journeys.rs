//! Whole matches, told as the people in the room would tell them.

mod room;

use parlor::game::Seed;
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
        assert!(!printed.contains("particles"), "the position: {printed}");
        assert!(!printed.contains(&action), "{printed}");
    }
}
