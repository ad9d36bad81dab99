//! Everything is done once: a line is read once, a match is fetched once, its position is decoded once and its rules are
//! run once for a request; a picture takes one reading, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parlor::catalog::{self, Entry};
use parlor::chat::parlor::Request;
use parlor::matches::delivery::Delivery;
use parlor::matches::port::Space;
use parlor::matches::repository;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::room::{Room, player, room, typed};
use crate::support::toy::{LOADS, PLAYS, Toy};

/// What has been done so far: matches fetched, positions decoded, actions played.
fn done(room: &Room) -> [usize; 3] {
    [
        room.store.reads(Space::Matches),
        LOADS.load(Ordering::Relaxed),
        PLAYS.load(Ordering::Relaxed),
    ]
}

fn since(room: &Room, before: [usize; 3]) -> [usize; 3] {
    let now = done(room);
    std::array::from_fn(|index| now[index] - before[index])
}

fn says(who: &str, line: &str) -> Request {
    Request {
        who: player(who),
        name: who.to_owned(),
        room: Some(room("parlour")),
        about: None,
        locale: None,
        event: None,
        gone: Vec::new(),
        input: typed(&player(who), line),
    }
}

#[tokio::test]
async fn a_request_fetches_decodes_and_plays_once() {
    catalog::add(Entry::of::<Toy<0>>()).unwrap();
    let room = Room::new();
    let code = room.says("ann", "challenge @bea toy order").await.code();
    room.says("bea", &format!("accept #{code}"))
        .await
        .answers("begins");
    let bid = |who: &str| {
        let found = room.service().find(&code).unwrap();
        let play = found.play().unwrap();
        let seat = play.seats_of(&player(who)).iter().next().unwrap();
        found.table().unwrap().legal(seat).remove(0)
    };

    let action = bid("ann");
    // What is drawn of an answer is what the answer was made of: nothing is fetched, decoded or played once more.
    for (line, plays) in [
        (format!("board #{code}"), 0),
        (format!("hand #{code}"), 0),
        (format!("preview #{code} {action}"), 1),
    ] {
        let before = done(&room);
        let mut message = room.parlor.handle(&says("ann", &line)).await.message;
        let picture = message
            .picture
            .clone()
            .unwrap_or_else(|| panic!("{line}: {message:?}"));
        room.parlor.spots(&picture).unwrap();
        room.parlor.draw(&picture).unwrap();
        assert_eq!(since(&room, before), [1, 1, plays], "{line}");
        // Drawn by itself, later on, it takes just as much.
        message.forget_prepared();
        let before = done(&room);
        room.parlor.draw(&message.picture.unwrap()).unwrap();
        assert_eq!(since(&room, before), [1, 1, plays], "the picture of {line}");
    }
    let move_with_code = says("ann", &format!("move #{code} {action}"));
    let before = done(&room);
    let reply = room.parlor.handle(&move_with_code).await;
    assert!(reply.told, "{reply:?}");
    assert_eq!(since(&room, before), [1, 1, 1], "a move");

    // A bare move finds its match by itself; with one match there is nothing to choose among.
    let bare_move = says("bea", &bid("bea"));
    let before = done(&room);
    let reply = room.parlor.handle(&bare_move).await;
    assert!(reply.told, "{reply:?}");
    let [fetched, decoded, played] = since(&room, before);
    assert_eq!((decoded, played), (1, 1), "a bare move");
    assert!(fetched <= 1, "a bare move fetched its match {fetched} times");

    for line in ["board", "text", "hand", "matches"] {
        let request = says("ann", line);
        let before = done(&room);
        room.parlor.handle(&request).await;
        let [fetched, decoded, played] = since(&room, before);
        assert!(
            fetched <= 1 && decoded <= 1 && played == 0,
            "{line}: {fetched} {decoded} {played}"
        );
    }

    // A delivery: its words, its alt text and its picture are made from one reading.
    for (_, written) in room.service().repository().all_undelivered(100).unwrap() {
        let delivery: Delivery = repository::decode(&written).unwrap();
        let before = done(&room);
        let message = room.parlor.render(&delivery);
        let rendered = since(&room, before);
        if let Some(picture) = &message.picture {
            room.parlor.draw(picture).unwrap();
        }
        let [fetched, decoded, played] = since(&room, before);
        assert_eq!([fetched, decoded, played], rendered, "drawing takes nothing more");
        assert!(fetched <= 1, "a delivery fetches its match once");
        // An older position is played again from the log, one step after the other, and so never decoded.
        let most = if delivery.version == room.the_match(&code).version {
            [1, 0]
        } else {
            [0, room.the_match(&code).play().unwrap().steps as usize]
        };
        assert!(
            decoded <= most[0] && played <= most[1],
            "{:?}: {decoded} {played}, at most {most:?}",
            delivery.notice
        );
    }
}

/// Counts how often something is read.
#[derive(Clone, Default)]
struct Reads(Arc<AtomicUsize>);

impl Subscriber for Reads {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("parlor::chat::command")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// As the local room and Matrix ask: is it talk, is it a move, and then what is to be done.
#[tokio::test]
async fn a_line_is_read_once() {
    let room = Room::new();
    let code = room.match_of("ann", "bea", "").await;
    let reads = Reads::default();
    let _counting = tracing::subscriber::set_default(reads.clone());
    for (line, is_talk) in [
        (format!("board #{code}"), false),
        // A bare move is no command.
        ("F3-F5".to_owned(), false),
        (format!("move #{code} F3-F5"), false),
        (format!("moves #{code}"), false),
        ("matches".to_owned(), false),
        ("challenge @cy phwar".to_owned(), false),
        ("lovely weather today".to_owned(), true),
    ] {
        let before = reads.0.load(Ordering::Relaxed);
        let request = says("ann", &line);
        assert_eq!(room.parlor.is_talk(&request), is_talk, "{line}");
        room.parlor
            .reads_as_move(&request.who, Some(&code), &request.input);
        let reply = room.parlor.handle(&request).await;
        room.parlor.open_answer(reply);
        assert_eq!(reads.0.load(Ordering::Relaxed) - before, 1, "{line}");
    }
}
