//! A match that is over with the bot's eyes: who may ask, what is said and drawn, and what is kept of it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use parlor::catalog::Frame;
use parlor::chat::message::{ImageFormat, PictureKind, Subject};
use parlor::game::{GameRng, Viewer};
use parlor::matches::code::Code;
use parlor::matches::delivery::To;
use parlor::review::Review;
use parlor::review::under_way::{ReviewAnswer, Reviews};

use crate::room::{Room, Said};

/// Some moves, as far as the game goes, and the end.
async fn played(room: &Room, wishes: &str, moves: usize) -> Code {
    let code = room.begin("ann", "bea", wishes).await;
    let mut rng = GameRng::quick(5);
    for _ in 0..moves {
        if !room.is_running(&code) {
            return code;
        }
        let legal = room.legal(&code);
        let action = &legal[rng.below(legal.len())];
        let who = room.awaited(&code);
        room.says(&who, &format!("move #{code} {action}"))
            .await
            .answers("Played");
    }
    room.says("bea", &format!("resign #{code} sure")).await;
    code
}

/// The review, when it is done.
async fn done(room: &Room, who: &str, line: &str) -> Said {
    for _ in 0..100 {
        let said = room.says(who, line).await;
        if !said.text.contains("moves looked at") {
            return said;
        }
    }
    panic!("it never came to an end");
}

fn kept(room: &Room, code: &Code) -> Option<Review> {
    room.service().kept_review(code).unwrap()
}

#[tokio::test]
async fn nobody_is_told_what_the_bot_thinks_of_a_match_that_runs() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    for who in ["ann", "bea", "cy"] {
        for part in ["", " 1", " numbers"] {
            let said = room.says(who, &format!("review #{code}{part}")).await;
            said.answers("still on");
            assert!(said.reply.passing && said.reply.message.picture.is_none());
        }
    }
    assert_eq!(kept(&room, &code), None);
    room.says("ann", "review").await.answers("still on");
    room.says("cy", "review").await.answers("no match");
}

#[tokio::test]
async fn a_review_tells_of_players_swings_and_numbers_and_is_kept() {
    let room = Room::new();
    let code = played(&room, "phwar order", 60).await;
    let end = room.hears("is over").await;
    assert_eq!(end.button("Review"), format!("review #{code}"));
    let said = done(&room, "cy", &format!("review #{code}")).await;
    said.answers("reviewed at level 4")
        .answers("moves as good as mine")
        .answers("ann:")
        .answers("bea:");
    let picture = said.reply.message.picture.as_ref().expect("a graph");
    assert!(picture.alt.contains("ann, turn by turn: 0: "), "{}", picture.alt);
    let drawn = room.parlor.draw(picture).unwrap();
    assert_eq!(drawn.format, ImageFormat::Png);
    assert!(drawn.file.starts_with(b"\x89PNG") && room.parlor.spots(picture).unwrap().is_empty());
    // Every decision is there, once, and the second asking finds it at once.
    let review = kept(&room, &code).expect("it is kept");
    assert!(review.is_done());
    let steps: Vec<u32> = review.decisions.iter().map(|decision| decision.step).collect();
    let in_order = steps.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(in_order && steps[0] == 0 && steps.len() > 10, "{steps:?}");
    let asked = Instant::now();
    let again = room.says("ann", "review").await;
    assert!(asked.elapsed() < Duration::from_secs(1));
    assert_eq!(again.text, said.text);
    let numbers = room.says("ann", &said.button("Numbers")).await;
    let file = numbers.reply.message.file.as_ref().expect("a line for each");
    assert!(file.content.starts_with("1. ann: "), "{}", file.content);
    assert_eq!(file.content.lines().count(), steps.len());
    let swings = review.swings.unwrap();
    assert!(!swings.is_empty(), "random moves are not all good");
    assert!(swings.iter().all(|swing| swing.decision.again));
    for (swing, number) in swings.iter().zip(1..) {
        let turn = swing.decision.turn;
        let said = room.says("bea", &format!("review #{code} {number}")).await;
        said.answers(&format!("swing {number} of {}", swings.len()))
            .answers(&format!("Turn {turn}: "))
            .answers(&format!("I would have played {}", swing.decision.best));
    }
    room.says("ann", "review 9").await.answers("swing");
    room.says("ann", "review everything else")
        .await
        .answers("numbers");
}

#[tokio::test]
async fn who_waited_for_a_review_is_told_that_it_is_done() {
    let room = Room::new();
    let code = played(&room, "phwar order", 60).await;
    let said = room.says("ann", &format!("review #{code}")).await;
    said.answers(" moves looked at");
    room.says("bea", &said.button("How far?")).await;
    let waiting = Instant::now();
    while !kept(&room, &code).is_some_and(|review| review.is_done()) {
        assert!(waiting.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let heard = room.hears("My review of").await;
    assert_eq!(heard.button("Review"), format!("review #{code}"));
    let told = room.heard_at("parlour").await;
    assert!(
        told.iter().all(|heard| !heard.text.contains("My review of")),
        "once is enough"
    );
}

#[tokio::test]
async fn a_review_goes_on_where_it_was_when_the_process_died() {
    let mut room = Room::new();
    let code = played(&room, "phwar order", 60).await;
    room.says("ann", &format!("review #{code}"))
        .await
        .answers("moves looked at");
    let waiting = Instant::now();
    while kept(&room, &code).is_none() {
        assert!(waiting.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    room.restart();
    let before = kept(&room, &code).unwrap();
    assert!(!before.is_done() && before.looked_at > 0);
    // Nobody asks again: it goes on by itself, and whoever waited is told.
    room.parlor.resume_reviews().await.unwrap();
    while !kept(&room, &code).is_some_and(|review| review.is_done()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    room.hears("My review of").await;
    done(&room, "ann", &format!("review #{code}"))
        .await
        .answers("moves as good as mine");
    // Once is enough: after the next restart nobody waits any more.
    room.restart();
    room.parlor.resume_reviews().await.unwrap();
    let told = room.heard_at("parlour").await;
    assert!(told.iter().all(|heard| !heard.text.contains("My review of")));
    let after = kept(&room, &code).unwrap();
    // What was found before the end is not looked for anew, but that what is named is looked at twice.
    for (kept, before) in after.decisions.iter().zip(&before.decisions) {
        assert_eq!((kept.step, &kept.played), (before.step, &before.played));
        assert!(kept.again || kept == before, "{kept:?}");
    }
    assert!(after.decisions.len() <= 60);
    let mut steps: Vec<u32> = after.decisions.iter().map(|decision| decision.step).collect();
    steps.dedup();
    assert_eq!(steps.len(), after.decisions.len());
}

/// However close to its end somebody asks for a review, they have it or are told.
#[tokio::test]
async fn nobody_waits_for_a_review_in_vain() {
    let room = Room::new();
    let code = played(&room, "phwar order", 12).await;
    let found = room.service().find(&code).unwrap();
    let reviews = Reviews::within(Duration::from_millis(300));
    let mut waiting = BTreeSet::new();
    for number in 0.. {
        let name = format!("hall{number}");
        let place = To::Room(crate::room::room(&name));
        let patience = Duration::from_micros(300 * (number % 7));
        match reviews
            .look(room.service(), &found, patience, &place)
            .await
            .unwrap()
        {
            ReviewAnswer::UnderWay { .. } => waiting.insert(name),
            ReviewAnswer::Done(_) => break,
            ReviewAnswer::Busy => panic!("there is no other"),
        };
    }
    assert!(waiting.len() > 10, "{}", waiting.len());
    for name in waiting {
        room.hears_at(&name, "My review of").await;
    }
    assert_eq!(room.service().awaited_reviews().unwrap(), []);
}

#[tokio::test]
async fn a_position_is_shown_as_whoever_moved_saw_it() {
    let room = Room::new();
    let code = played(&room, "breaker variant=blind order none", 30).await;
    let said = done(&room, "ann", &format!("review #{code}")).await;
    said.answers("moves as good as mine");
    let review = kept(&room, &code).unwrap();
    assert!(!review.open);
    let found = room.service().find(&code).unwrap();
    let record = room.service().record(&found).unwrap();
    let names = ["ann".to_owned(), "bea".to_owned()];
    let swings = review.swings.unwrap();
    assert!(!swings.is_empty(), "random moves are not all good");
    for (swing, number) in swings.iter().zip(1..) {
        let before = swing.decision.turn - 1;
        let seat = swing.decision.seat;
        let said = room.says("ann", &format!("review #{code} {number}")).await;
        assert_eq!(said.button("What if?"), format!("practice #{code} {before}"));
        let picture = said.reply.message.picture.as_ref().expect("the position");
        assert!(matches!(
            &picture.of,
            Subject::Match {
                what: PictureKind::Position { .. },
                ..
            }
        ));
        let table = record.replay(Some(swing.decision.step as usize)).unwrap();
        let frame = Frame {
            side: picture.side,
            ..Frame::new(Viewer::Seat(seat), &names)
        };
        assert!(room.parlor.draw(picture).unwrap().file == table.picture(&frame).unwrap());
        assert_ne!(
            table.alt(&frame),
            table.alt(&Frame {
                viewer: Viewer::Omniscient,
                ..frame.clone()
            })
        );
    }
}

#[tokio::test]
async fn players_find_their_notes_in_the_review() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    room.says("ann", "note go left").await;
    room.any_move(&code).await;
    room.any_move(&code).await;
    room.says("bea", "note hold on").await;
    room.says("bea", &format!("resign #{code} sure")).await;
    let said = done(&room, "bea", &format!("review #{code}")).await;
    said.answers("ann noted at the start: go left")
        .answers("bea noted after turn 2: hold on");
    // Where answers are read by all, this one goes to her alone.
    assert!(said.reply.secret);
    let said = room.says("cy", &format!("review #{code}")).await;
    assert!(!said.text.contains("noted"), "{}", said.text);
    assert!(!said.reply.secret);
}

/// Three long notes are too much for a message, and none of them is left out.
#[tokio::test]
async fn long_notes_come_as_a_file_with_the_review() {
    let room = Room::new();
    let code = room.begin("ann", "bea", "phwar order").await;
    let long = |letter: &str| letter.repeat(499);
    room.says("ann", &format!("note {}", long("x"))).await;
    room.any_move(&code).await;
    room.says("bea", &format!("note {}", long("y"))).await;
    room.any_move(&code).await;
    room.says("ann", &format!("note `{}", long("z"))).await;
    room.says("bea", &format!("resign #{code} sure")).await;
    let said = done(&room, "ann", &format!("review #{code}")).await;
    said.answers("The file has what the players noted.");
    let file = said.reply.message.file.as_ref().expect("the notes");
    assert_eq!(file.name, format!("phwar-{code}-notes.txt"));
    let lines: Vec<&str> = file.content.lines().collect();
    let [first, second, third] = &lines[..] else {
        panic!("a line for each note: {lines:?}");
    };
    assert_eq!(*first, format!("ann noted at the start: {}", long("x")));
    assert_eq!(*second, format!("bea noted after turn 1: {}", long("y")));
    assert_eq!(*third, format!("ann noted after turn 2: `{}", long("z")));
    assert!(said.reply.secret && said.reply.message.picture.is_some());
    let said = room.says("cy", &format!("review #{code}")).await;
    assert!(said.reply.message.file.is_none() && !said.reply.secret);
}
