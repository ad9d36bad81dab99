//! Bots at the tables: whole matches through chat, one board for a move and its reply, hints, stand-ins, and that
//! thinking holds up nobody.

mod agreeing;
mod figures;
mod presses;
mod puppet;
mod seats;
mod shown;
mod tells;
mod thinking;
mod whole;

use std::collections::BTreeSet;

use crate::room::{Heard, Room, player};
use parlor::matches::code::Code;
use parlor::matches::delivery::{Delivery, Sheet, To};
use parlor::matches::people::PlayerId;
use parlor::matches::repository;
use parlor::matches::state::Stage;

/// Whether a person is to move in a match.
fn is_awaited(room: &Room, code: &Code, who: &str) -> bool {
    match &room.the_match(code).stage {
        Stage::Running(play) => {
            (play.seats_of(&player(who)).iter()).any(|seat| play.clocks[seat.index()].running.is_some())
        }
        Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => false,
    }
}

/// What a person can do now.
fn legal(room: &Room, code: &Code, who: &str) -> Vec<String> {
    let the_match = room.the_match(code);
    let play = the_match.play().expect("a match that has begun");
    let table = parlor::matches::change::table_of(&the_match, play).unwrap();
    let awaited = table.awaiting().seats();
    let own = play.seats_of(&player(who));
    let seat = own
        .iter()
        .find(|seat| awaited.contains(*seat))
        .expect("their turn");
    table.legal(seat)
}

/// The messages with boards among what was heard, however often each was written anew.
fn boards(heard: &[Heard]) -> usize {
    let shown = heard.iter().filter(|one| one.message.picture.is_some());
    let sheets: BTreeSet<Option<u32>> = shown.map(sheet_number).collect();
    sheets.len()
}

/// The sheet on which a board was shown.
fn sheet_number(heard: &Heard) -> Option<u32> {
    match heard.delivery.sheet {
        Some(Sheet::Turn { number, .. }) => Some(number),
        Some(Sheet::Hand { .. }) | None => None,
    }
}

/// The only bot of a match.
fn the_bot(room: &Room, code: &Code) -> PlayerId {
    let play = room.play_of(code);
    let bots = play.players.iter().filter(|player| player.platform() == "bot");
    let bots: Vec<&PlayerId> = bots.collect();
    assert_eq!(bots.len(), 1);
    bots[0].clone()
}

/// Nothing was ever to be said to a bot, and none was ever to be called.
fn nobody_wrote_to_bots(room: &Room) {
    for (_, row) in room.store.posted() {
        let delivery: Delivery = repository::decode(&row).unwrap();
        if let To::Player(player) = &delivery.to {
            assert_ne!(player.platform(), "bot", "{delivery:?}");
        }
        let pinged = room.parlor.render(&delivery).ping;
        assert!(
            pinged.iter().all(|player| player.platform() != "bot"),
            "{delivery:?}"
        );
    }
}
