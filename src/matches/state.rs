//! A match: what is kept of it between two commands.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::bot::is_bot;
use super::clock::{ClockKind, SeatClock};
use super::code::Code;
use super::pending_news::PendingNews;
use super::people::{PlayerId, RoomId};
use super::record::{Deed, RecordedOutcome};
use super::time::{Span, Time};
use crate::ai::Level;
use crate::game::{Seat, SeatSet};

/// How long a challenge stands.
pub const CHALLENGE_STANDS: Span = Span::days(7);

/// How many running matches and open tables a player may have at once.
pub const MOST_MATCHES: usize = 20;

/// A match, from the challenge to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    pub code: Code,
    /// Raised by every change. A button carries the version it was made for.
    pub version: u64,
    pub game: String,
    pub options: BTreeMap<String, String>,
    pub clock: ClockKind,
    pub seating: Seating,
    /// Where every turn is shown; the first is where the match was opened.
    pub rooms: Vec<RoomId>,
    pub host: PlayerId,
    pub created: Time,
    /// The match that this one repeats with seats swapped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<Code>,
    #[serde(rename = "phase")]
    pub stage: Stage,
}

/// How places become seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// By lot, when all are there.
    Lot,
    /// In the order of the challenge.
    AsChallenged,
}

/// Where in its life a match is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Waiting for players.
    Open(Gathering),
    Running(Play),
    Over(Play, Ending),
    /// It never began.
    CalledOff(CalledOff),
}

/// A table that is not full yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gathering {
    pub places: Vec<SeatState>,
    pub expires: Time,
}

/// A place at a table that is not full yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatState {
    Taken(PlayerId),
    Invited(PlayerId),
    Free,
}

/// Why a match never began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalledOff {
    Declined(PlayerId),
    Cancelled(PlayerId),
    Expired,
}

/// A match that has begun.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Play {
    /// One player a seat.
    pub players: Vec<PlayerId>,
    pub rules_version: u16,
    /// 64 hexadecimal digits. A secret until the end.
    pub seed: String,
    /// The position, as the table saved it.
    pub table: String,
    /// How many entries the log has.
    pub entries: u32,
    /// How many steps lead to the position; entries that were taken back don't count.
    pub steps: u32,
    pub clocks: Vec<SeatClock>,
    pub proposals: Vec<Proposal>,
    /// Since when it is paused.
    pub paused: Option<Time>,
    /// Who has left.
    pub left: SeatSet,
    /// What players have said in advance, by seat: the rest of a sentence that waits for its moment. Secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub queues: BTreeMap<u8, String>,
    /// What has been done since a board was shown, while a bot is awaited.
    #[serde(rename = "exchange", default, skip_serializing_if = "Option::is_none")]
    pub pending_news: Option<PendingNews>,
    /// What the bots expected when they last moved, by seat, in hundredths: 0 is lost, 100 is won. Secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hopes: BTreeMap<u8, u8>,
    pub started: Time,
    /// When somebody last did something.
    pub active: Time,
}

/// Without what is secret: the seed and the position.
impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Play")
            .field("players", &self.players)
            .field("entries", &self.entries)
            .field("steps", &self.steps)
            .field("clocks", &self.clocks)
            .field("proposals", &self.proposals)
            .field("paused", &self.paused)
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

impl Play {
    /// The seats of a player. Somebody may play against themselves, to try a game out.
    pub fn seats_of(&self, player: &PlayerId) -> SeatSet {
        Seat::all(self.players.len() as u8)
            .filter(|seat| &self.players[seat.index()] == player)
            .collect()
    }

    /// Those whose clocks run: whose turn it is.
    pub fn awaited_players(&self) -> Vec<PlayerId> {
        let seated = self.clocks.iter().zip(&self.players);
        let awaited = seated.filter(|(clock, _)| clock.running.is_some());
        awaited.map(|(_, player)| player.clone()).collect()
    }

    /// Everybody who still plays.
    pub fn staying(&self) -> SeatSet {
        Seat::all(self.players.len() as u8)
            .filter(|seat| !self.left.contains(*seat))
            .collect()
    }
}

/// Something that needs the others' consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub what: ProposalKind,
    pub by: Seat,
    /// Who has agreed, the proposer included.
    pub agreed: SeatSet,
    /// The version of the match that this made: buttons name a proposal by it.
    #[serde(default)]
    pub made: u64,
}

/// What can be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    Draw,
    /// Back to the position after so many steps.
    Takeback {
        steps: u32,
    },
    Pause,
    /// More time for everybody.
    Extend {
        by: Span,
    },
    /// The bot plays on for somebody who has to go, or has gone.
    StandIn {
        seat: Seat,
        level: Level,
    },
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub how: How,
    pub outcome: Option<RecordedOutcome>,
    pub at: Time,
}

/// By what a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// By the rules of the game.
    Rules,
    Resignation,
    Time,
    /// Claimed against somebody who was silent.
    Absence,
    Agreement,
    /// Broken off; nobody won.
    Abort,
}

/// Why a player left a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    Resigned,
    OutOfTime,
    Absent,
}

impl Leaving {
    pub const fn how(self) -> How {
        match self {
            Self::Resigned => How::Resignation,
            Self::OutOfTime => How::Time,
            Self::Absent => How::Absence,
        }
    }

    /// The word in the record.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Resigned => "resigned",
            Self::OutOfTime => "time",
            Self::Absent => "absent",
        }
    }
}

/// One entry of a match's log. The log only grows; what was taken back stays in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    pub at: Time,
    pub what: Logged,
}

/// What the log tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Logged {
    /// One command's worth of steps.
    Did {
        seat: Seat,
        deeds: Vec<Deed>,
        /// Whether chance spoke or something hidden was shown: a takeback can't reach behind it.
        revealed: bool,
    },
    /// The match went back to the position after so many steps.
    TookBack { steps: u32 },
    /// Somebody else plays on in a seat.
    Replaced { seat: Seat, was: PlayerId, by: PlayerId },
}

/// The steps that lead to the present position, with the seat of each.
pub fn steps_of(log: &[LogEntry]) -> Vec<(Seat, Deed)> {
    let mut steps: Vec<(Seat, Deed)> = Vec::new();
    for entry in log {
        match &entry.what {
            Logged::Did { seat, deeds, .. } => steps.extend(deeds.iter().map(|deed| (*seat, deed.clone()))),
            Logged::TookBack { steps: to } => steps.truncate(*to as usize),
            Logged::Replaced { .. } => {}
        }
    }
    steps
}

impl Match {
    /// Everybody who sits at the table, is invited to it, or has played.
    pub fn people(&self) -> Vec<&PlayerId> {
        let mut people: Vec<&PlayerId> = match &self.stage {
            Stage::Open(gathering) => gathering
                .places
                .iter()
                .filter_map(|place| match place {
                    SeatState::Taken(player) | SeatState::Invited(player) => Some(player),
                    SeatState::Free => None,
                })
                .collect(),
            Stage::Running(play) | Stage::Over(play, _) => play.players.iter().collect(),
            Stage::CalledOff(_) => Vec::new(),
        };
        people.sort_unstable();
        people.dedup();
        people
    }

    /// Whether a player sits at the table; an invitation is no seat.
    pub fn seats(&self, player: &PlayerId) -> bool {
        match &self.stage {
            Stage::Open(gathering) => gathering.places.contains(&SeatState::Taken(player.clone())),
            Stage::Running(play) | Stage::Over(play, _) => play.players.contains(player),
            Stage::CalledOff(_) => false,
        }
    }

    /// When this match next needs attention though nobody says anything.
    pub fn wakes(&self) -> Option<Time> {
        match &self.stage {
            Stage::Open(gathering) => Some(gathering.expires),
            Stage::Running(play) if play.paused.is_none() => play
                .clocks
                .iter()
                .flat_map(|clock| [clock.deadline(), clock.next_reminder()])
                .flatten()
                .min(),
            Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => None,
        }
    }

    /// Whether bots sit at the table.
    pub fn has_bots(&self) -> bool {
        self.people().into_iter().any(is_bot)
    }

    /// The running part, if the match runs.
    pub fn running(&self) -> Option<&Play> {
        match &self.stage {
            Stage::Running(play) => Some(play),
            Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => None,
        }
    }

    pub fn play(&self) -> Option<&Play> {
        match &self.stage {
            Stage::Running(play) | Stage::Over(play, _) => Some(play),
            Stage::Open(_) | Stage::CalledOff(_) => None,
        }
    }

    /// Whether the match is open or running: it counts towards its players' limit.
    pub fn is_alive(&self) -> bool {
        matches!(self.stage, Stage::Open(_) | Stage::Running(_))
    }
}
