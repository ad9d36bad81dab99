//! The rooms in which a match is shown.
//!
//! It begins where it was opened, and a room of whoever joins is added. A room may be deleted, or close its
//! doors to us; then its players are told in private how to go on elsewhere.

use super::change::{Change, Decision, running, seat_of, turn};
use super::delivery::{Notice, To};
use super::loaded::Loaded;
use super::people::{PlayerId, RoomId};
use super::refusal::Refusal;
use super::state::Match;
use crate::game::SeatSet;

/// A room can't be reached any more: the match goes on without it. Nothing, if it was no home of it.
pub fn lose(the_match: &Match, room: &RoomId) -> Option<Change> {
    if !the_match.rooms.contains(room) {
        return None;
    }
    let mut change = Change::of(the_match);
    // Nobody has moved: buttons in the other rooms still fit.
    change.after.version = the_match.version;
    change.after.rooms.retain(|home| home != room);
    if the_match.is_alive() {
        for player in the_match.people() {
            if player.platform() == room.platform() {
                change.tell(player, Notice::RoomLost);
            }
        }
    }
    Some(change)
}

/// Whether a player goes on with a match that has no home left on their platform: it is then shown where they are.
pub fn needs_home(the_match: &Match, player: &PlayerId) -> bool {
    let at_home = |home: &RoomId| home.platform() == player.platform();
    let plays = running(the_match).is_ok_and(|play| !play.seats_of(player).is_empty());
    plays && !the_match.rooms.iter().any(at_home)
}

/// A player of a running match wants it shown in one more room.
pub fn bring(the_match: &Loaded, player: &PlayerId, room: &RoomId) -> Decision {
    let play = running(the_match)?;
    if play.seats_of(player).is_empty() {
        return Err(Refusal::NotOpen(the_match.code.clone()).into());
    }
    let by = seat_of(the_match, play, player, SeatSet::EMPTY)?;
    if the_match.rooms.contains(room) {
        return Err(Refusal::AlreadyHere(the_match.code.clone()).into());
    }
    let awaited = the_match.table()?.awaiting().seats();
    let mut change = Change::of(the_match);
    change.after.version = the_match.version;
    change.after.rooms.push(room.clone());
    let notice = Notice::Brought {
        players: play.players.clone(),
        by,
        turn: turn(play, awaited, Vec::new()),
    };
    change.deliveries.push((To::Room(room.clone()), notice));
    Ok(change)
}
