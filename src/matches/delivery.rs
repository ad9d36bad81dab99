//! What a change makes known, and to whom.
//!
//! A delivery is written in the same transaction as the change that causes it, and holds all that is
//! needed to say it: delivered twice, it says the same. Pictures are drawn when it goes out, from the
//! log up to the entry that it names.

use serde::{Deserialize, Serialize};

use super::clock::ClockKind;
use super::code::Code;
use super::people::{PlayerId, RoomId};
use super::state::{CalledOff, Ending, ProposalKind, SeatState};
use super::time::{Span, Time};
use crate::draw::Prose;
use crate::game::Seat;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The same for every try to deliver it, and for nothing else.
    pub key: String,
    pub to: To,
    pub at: Time,
    pub code: Code,
    /// The version of the match that it speaks of.
    pub version: u64,
    pub game: String,
    pub notice: Notice,
}

/// Where it goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    Room(RoomId),
    /// To one player alone.
    Player(PlayerId),
}

impl To {
    pub fn platform(&self) -> &str {
        match self {
            Self::Room(room) => room.platform(),
            Self::Player(player) => player.platform(),
        }
    }
}

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// A table that waits for players.
    Gathering {
        news: GatheringNews,
        host: PlayerId,
        places: Vec<SeatState>,
        options: Vec<(String, String)>,
        clock: ClockKind,
        expires: Time,
    },
    CalledOff(CalledOff),
    Started {
        players: Vec<PlayerId>,
        options: Vec<(String, String)>,
        clock: ClockKind,
        /// SHA-256 of the seed.
        commitment: String,
        /// What has happened already, if a bot began.
        #[serde(default, skip_serializing_if = "Prose::is_empty")]
        narration: Prose,
        turn: Turn,
    },
    /// Somebody did something.
    Moved {
        players: Vec<PlayerId>,
        narration: Prose,
        turn: Turn,
    },
    Ended {
        players: Vec<PlayerId>,
        narration: Prose,
        entries: u32,
        ending: Ending,
        seed: String,
    },
    /// A player's own secrets have changed.
    Hand {
        seat: Seat,
        players: Vec<PlayerId>,
        entries: u32,
    },
    Proposed {
        players: Vec<PlayerId>,
        by: Seat,
        what: ProposalKind,
        /// Who is to answer.
        asked: Vec<PlayerId>,
    },
    /// A proposal was agreed to by all, or turned down.
    Settled {
        players: Vec<PlayerId>,
        what: ProposalKind,
        answer: ProposalAnswer,
        turn: Turn,
    },
    /// The bot plays on for somebody.
    StoodIn {
        players: Vec<PlayerId>,
        seat: Seat,
        was: PlayerId,
        /// Where the match stands, unless a bot is to move and that follows.
        turn: Option<Turn>,
    },
    /// The match goes on after a pause.
    Resumed {
        players: Vec<PlayerId>,
        by: Seat,
        turn: Turn,
    },
    /// A player has the match shown in this room from now on.
    Brought {
        players: Vec<PlayerId>,
        by: Seat,
        turn: Turn,
    },
    /// What a player had said in advance will not be done: it no longer fits, or somebody has acted first.
    PlanDropped {
        plan: String,
        /// Why it can't be done, in the game's words.
        why: Option<String>,
    },
    /// A room of the match can't be reached any more.
    RoomLost,
    /// Time is running out.
    Reminder {
        players: Vec<PlayerId>,
        seat: Seat,
        left: Span,
        deadline: Time,
    },
}

/// What is new about a table that waits for players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GatheringNews {
    Opened,
    /// A rematch of this match is offered.
    Rematch(Code),
    Joined(PlayerId),
    /// Bots have taken the free seats.
    Filled(Vec<PlayerId>),
    Declined(PlayerId),
}

/// How a proposal was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalAnswer {
    Agreed,
    DeclinedBy(Seat),
    /// By whoever had proposed it.
    WithdrawnBy(Seat),
}

/// The state of a running match, for those who read about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The log entry up to which the board is shown.
    pub entries: u32,
    pub awaited: Vec<Seat>,
    /// When the first of them runs out of time.
    pub deadline: Option<Time>,
    /// Who is to be pinged: those who have just become awaited and want to know.
    pub ping: Vec<PlayerId>,
}
