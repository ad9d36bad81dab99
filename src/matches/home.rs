//! The rooms in which a match is shown.
//!
//! It begins where it was opened, and a room of whoever joins is added. A room may be deleted, or close its doors to us;
//! then its players are shown the match in private, until it lets us in again or they bring the match elsewhere.

use super::bot::is_bot;
use super::change::{Change, Context, Decision, opened_seed, running, seat_of, turn};
use super::delivery::{Draft, GatheringNews, HomeNews, Notice, To, Writing};
use super::gather;
use super::loaded::Loaded;
use super::people::{PlayerId, RoomId};
use super::refusal::{Failure, Refusal};
use super::state::{Match, Play, Stage};
use crate::game::SeatSet;

/// The people of a match whom none of its rooms can reach, because none is on their platform. They are told everything in
/// private.
pub fn homeless(the_match: &Match) -> Vec<PlayerId> {
    let at_home = |player: &PlayerId| {
        let mut homes = the_match.rooms.iter();
        homes.any(|home| home.platform() == player.platform())
    };
    let people = the_match.people().into_iter();
    people
        .filter(|player| !is_bot(player) && !at_home(player))
        .cloned()
        .collect()
}

/// A room can't be reached any more: the match goes on without it, and whoever may have read it there is told how it
/// stands. Nothing, if it was no home of it.
pub fn lose(the_match: &Loaded, room: &RoomId, context: &Context<'_>) -> Result<Option<Change>, Failure> {
    if !the_match.rooms.contains(room) {
        return Ok(None);
    }
    let mut change = unmoved(the_match);
    change.after.rooms.retain(|home| home != room);
    if the_match.is_alive() {
        change.after.lost_rooms.push(room.clone());
    }
    let concerned = the_match.people().into_iter();
    for player in concerned.filter(|player| player.platform() == room.platform()) {
        match &the_match.stage {
            Stage::Open(_) => change.tell(player, Notice::RoomLost),
            Stage::Running(play) => {
                let to = To::Player(player.clone());
                show(&mut change, the_match, play, to, HomeNews::Lost, context)?;
            }
            // It is the end that could not be told.
            Stage::Over(play, ending) => change.tell(
                player,
                Notice::Ended {
                    players: play.players.clone(),
                    narration: ending.told.clone(),
                    entries: play.entries,
                    ending: ending.clone(),
                    seed: opened_seed(the_match, play),
                },
            ),
            Stage::CalledOff(_) => {}
        }
    }
    Ok(Some(change))
}

/// A room that was lost can be reached again, or goes on as another one: the match is shown there.
pub fn come_back(
    the_match: &Loaded,
    room: &RoomId,
    news: HomeNews,
    context: &Context<'_>,
) -> Result<Option<Change>, Failure> {
    let mut change = unmoved(the_match);
    change.after.lost_rooms.retain(|lost| lost != room);
    if !the_match.rooms.contains(room) {
        change.after.rooms.push(room.clone());
    }
    let to = To::Room(room.clone());
    match &the_match.stage {
        Stage::Open(_) => {
            let notice = gather::notice(the_match, GatheringNews::Opened, &context.hours, context.now)?;
            change
                .deliveries
                .extend(notice.map(|notice| Draft::new(to, notice)));
        }
        Stage::Running(play) => show(&mut change, the_match, play, to, news, context)?,
        Stage::Over(..) | Stage::CalledOff(_) => return Ok(None),
    }
    Ok(Some(change))
}

/// A player has left a room, and none of the others reaches them: they are called in private, and those who stay are told.
pub fn leave(
    the_match: &Loaded,
    player: &PlayerId,
    room: &RoomId,
    context: &Context<'_>,
) -> Result<Option<Change>, Failure> {
    let Stage::Running(play) = &the_match.stage else {
        return Ok(None);
    };
    let mut change = unmoved(the_match);
    for to in [To::Player(player.clone()), To::Room(room.clone())] {
        let news = HomeNews::Left(player.clone());
        show(&mut change, the_match, play, to, news, context)?;
    }
    Ok(Some(change))
}

/// A player of a running match wants it shown in one more room.
pub fn bring(the_match: &Loaded, player: &PlayerId, room: &RoomId, context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    if play.seats_of(player).is_empty() {
        return Err(Refusal::NotOpen(the_match.code.clone()).into());
    }
    let by = seat_of(the_match, play, player, SeatSet::EMPTY)?;
    if the_match.rooms.contains(room) {
        return Err(Refusal::AlreadyHere(the_match.code.clone()).into());
    }
    let mut change = unmoved(the_match);
    change.after.rooms.push(room.clone());
    change.after.lost_rooms.retain(|lost| lost != room);
    let notice = Notice::Brought {
        players: play.players.clone(),
        by,
        turn: turn(play, the_match.table()?, Vec::new(), context),
    };
    put(&mut change, play, To::Room(room.clone()), notice);
    Ok(change)
}

/// A change that moves nobody: buttons in the other rooms still fit.
fn unmoved(the_match: &Match) -> Change {
    let mut change = Change::of(the_match);
    change.after.version = the_match.version;
    change
}

/// Shows how the match stands, and calls whoever is to move.
fn show(
    change: &mut Change,
    the_match: &Loaded,
    play: &Play,
    to: To,
    news: HomeNews,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let mut called = play.awaited_players();
    called.retain(|player| !is_bot(player) && context.settings(player).ping);
    match (&to, &news) {
        (To::Player(reader), _) => called.retain(|player| player == reader),
        // Whoever has left is not called where they have left.
        (To::Room(_), HomeNews::Left(gone)) => called.retain(|player| player != gone),
        (To::Room(_), HomeNews::Lost | HomeNews::Back | HomeNews::Moved) => {}
    }
    called.dedup();
    let notice = Notice::HomeChanged {
        players: play.players.clone(),
        news,
        turn: turn(play, the_match.table()?, called, context),
    };
    put(change, play, to, notice);
    Ok(())
}

/// What is done in this turn is then shown there as in the other rooms.
fn put(change: &mut Change, play: &Play, to: To, notice: Notice) {
    change.deliveries.push(Draft {
        sheet: Some(play.turn_sheet.sheet(Writing::Lasting)),
        ..Draft::new(to, notice)
    });
}
