//! Which of somebody's matches a command is about.

use crate::matches::consent::has_agreed;
use crate::matches::people::PlayerId;
use crate::matches::state::{Match, Phase, Place};

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
    /// Running, and this player's turn.
    MyTurn,
    Alive,
    Finished,
}

impl Wanted {
    pub(super) fn fits(self, the_match: &Match, player: &PlayerId) -> bool {
        match self {
            Self::Asked => match &the_match.phase {
                Phase::Open(gathering) => gathering.places.contains(&Place::Invited(player.clone())),
                Phase::Running(play) => play
                    .proposals
                    .iter()
                    .any(|proposal| !has_agreed(play, player, proposal)),
                Phase::Over(..) | Phase::CalledOff(_) => false,
            },
            Self::Own => match &the_match.phase {
                Phase::Open(_) => the_match.seats(player),
                Phase::Running(play) => !play.proposals.is_empty(),
                Phase::Over(..) | Phase::CalledOff(_) => false,
            },
            Self::Seated => matches!(the_match.phase, Phase::Open(_)) && the_match.seats(player),
            Self::Hosted => matches!(the_match.phase, Phase::Open(_)) && the_match.host == *player,
            Self::Running | Self::ToPlay => matches!(the_match.phase, Phase::Running(_)),
            Self::MyTurn => awaits(the_match, player),
            Self::Alive => the_match.is_alive(),
            Self::Finished => matches!(the_match.phase, Phase::Over(..)),
        }
    }
}

/// Whether a match waits for this player: whether one of their clocks would run.
pub(super) fn awaits(the_match: &Match, player: &PlayerId) -> bool {
    match &the_match.phase {
        Phase::Running(play) => play
            .seats_of(player)
            .iter()
            .any(|seat| play.clocks[seat.index()].running.is_some()),
        Phase::Open(gathering) => gathering.places.contains(&Place::Invited(player.clone())),
        Phase::Over(..) | Phase::CalledOff(_) => false,
    }
}
