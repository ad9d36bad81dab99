//! Which of somebody's matches a command is about.

use crate::catalog::Frame;
use crate::game::Viewer;
use crate::matches::clock::SeatClock;
use crate::matches::consent::has_agreed;
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::state::{Match, SeatState, Stage};
use crate::matches::time::TableTime;

/// Which matches a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that wait for an answer of this player: an invitation, a proposal.
    Asked,
    /// Those that wait for others because of this player: an open table at which they sit, a proposal of
    /// theirs.
    Own,
    /// Open tables of this player's.
    Hosted,
    /// Open tables at which this player sits.
    Seated,
    Running,
    /// Running, and of several the one whose turn is this player's.
    ToPlay,
    /// Running, with a hand that only this player sees, and of several the one whose turn is theirs.
    Holding,
    /// Running, and this player's turn.
    MyTurn,
    Alive,
    Finished,
}

impl Wanted {
    pub(super) fn fits(self, the_match: &Loaded, player: &PlayerId) -> bool {
        match self {
            Self::Asked => match &the_match.stage {
                Stage::Open(gathering) => gathering.places.contains(&SeatState::Invited(player.clone())),
                Stage::Running(play) => play
                    .proposals
                    .iter()
                    .any(|proposal| !has_agreed(play, player, proposal)),
                Stage::Over(..) | Stage::CalledOff(_) => false,
            },
            Self::Own => match &the_match.stage {
                Stage::Open(_) => the_match.seats(player),
                Stage::Running(play) => !play.proposals.is_empty(),
                Stage::Over(..) | Stage::CalledOff(_) => false,
            },
            Self::Seated => matches!(the_match.stage, Stage::Open(_)) && the_match.seats(player),
            Self::Hosted => matches!(the_match.stage, Stage::Open(_)) && the_match.host == *player,
            Self::Running | Self::ToPlay => matches!(the_match.stage, Stage::Running(_)),
            Self::Holding => holds(the_match, player),
            Self::MyTurn => awaits(the_match, player),
            Self::Alive => the_match.is_alive(),
            Self::Finished => matches!(the_match.stage, Stage::Over(..)),
        }
    }
}

/// Whether this player has a hand in a match: it is a matter of the options, too.
fn holds(the_match: &Loaded, player: &PlayerId) -> bool {
    let (Some(play), Ok(table)) = (the_match.running(), the_match.table()) else {
        return false;
    };
    let names = vec![String::new(); play.players.len()];
    let mut own = play.seats_of(player).iter();
    own.any(|seat| {
        let frame = Frame::new(Viewer::Seat(seat), &names);
        table.hand(&frame).is_some()
    })
}

/// Whether a match waits for this player: whether one of their clocks would run.
pub(super) fn awaits(the_match: &Match, player: &PlayerId) -> bool {
    match &the_match.stage {
        Stage::Running(play) => play
            .seats_of(player)
            .iter()
            .any(|seat| play.clocks[seat.index()].running.is_some()),
        Stage::Open(gathering) => gathering.places.contains(&SeatState::Invited(player.clone())),
        Stage::Over(..) | Stage::CalledOff(_) => false,
    }
}

/// Which of several matches somebody means who goes on with what they were doing: the one in which they acted last, if
/// it waits for them and no other has called them since.
pub(super) fn at_hand(matches: &[Loaded], player: &PlayerId) -> Option<usize> {
    let latest = |found: &Loaded, moment: fn(&SeatClock) -> Option<TableTime>| {
        let play = found.running()?;
        let clocks = play
            .seats_of(player)
            .iter()
            .map(|seat| &play.clocks[seat.index()]);
        clocks.filter_map(moment).max()
    };
    let acted = |found: &Loaded| latest(found, |clock| clock.acted);
    let called = |found: &Loaded| latest(found, |clock| clock.running).max(acted(found));
    let (last, _) = (matches.iter().enumerate())
        .filter_map(|(place, found)| Some((place, acted(found)?)))
        .max_by_key(|(_, acted)| *acted)?;
    let since = called(&matches[last]);
    let others = matches.iter().enumerate().filter(|(place, _)| *place != last);
    let none_since = others.into_iter().all(|(_, other)| called(other) < since);
    (none_since && awaits(&matches[last], player)).then_some(last)
}
