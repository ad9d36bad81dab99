//! A match: what is kept of it between two commands.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::bot::is_bot;
use super::catch_up::Unseen;
use super::clock::{ClockKind, SeatClock};
use super::code::Code;
use super::hours::{Hours, Return};
use super::pending_news::PendingNews;
use super::people::{PlayerId, RoomId};
use super::record::{Deed, RecordedOutcome};
use super::time::{Span, TableTime, Time};
use super::turn_sheet::TurnSheet;
use crate::ai::Level;
use crate::draw::Prose;
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
    /// Where it was shown until we could no longer speak there. A room that lets us in again shows it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost_rooms: Vec<RoomId>,
    pub host: PlayerId,
    pub created: Time,
    /// The match that this one repeats with seats swapped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<Code>,
    /// The match from a position of which this one goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub practice_of: Option<PracticeOrigin>,
    #[serde(rename = "phase")]
    pub stage: Stage,
}

/// A position of another match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PracticeOrigin {
    pub code: Code,
    /// It is that after so many turns.
    pub turn: u32,
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
    /// In the table time of the host's platform.
    pub expires: TableTime,
}

/// A place at a table that is not full yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatState {
    Taken(PlayerId),
    Invited(PlayerId),
    Free,
}

/// Those who are invited to places and have not answered.
pub fn invited(places: &[SeatState]) -> Vec<PlayerId> {
    let invited = |place: &SeatState| match place {
        SeatState::Invited(player) => Some(player.clone()),
        SeatState::Taken(_) | SeatState::Free => None,
    };
    places.iter().filter_map(invited).collect()
}

/// How many places anybody may take.
pub fn free(places: &[SeatState]) -> usize {
    places.iter().filter(|place| **place == SeatState::Free).count()
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
    #[serde(with = "json_within")]
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
    /// The message on which the present turn is shown.
    #[serde(default, skip_serializing_if = "TurnSheet::is_blank")]
    pub turn_sheet: TurnSheet,
    /// What the bots expected when they last moved, by seat, in hundredths: 0 is lost, 100 is won. Secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hopes: BTreeMap<u8, u8>,
    /// What is behind the code in the link with which anybody may watch, if all players allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<String>,
    /// What people have not seen yet, by seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unseen: BTreeMap<u8, Unseen>,
    pub started: Time,
    /// When somebody last did something, in the table time of platforms that have never been away.
    pub active: TableTime,
}

/// JSON that is a part of other JSON, as it is. Earlier versions wrote it as a string, which takes twice as long and is
/// still read.
mod json_within {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::value::RawValue;

    pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(json) if text.starts_with('{') => json.serialize(serializer),
            // What is no object is kept as well, so that whoever reads it can say what is wrong.
            Ok(_) | Err(_) => text.serialize(serializer),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let json: Box<str> = Box::<RawValue>::deserialize(deserializer)?.into();
        if json.starts_with('"') {
            serde_json::from_str(&json).map_err(D::Error::custom)
        } else {
            Ok(json.into())
        }
    }
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

    /// When the wall will show that the first of those who are awaited has no time left.
    pub fn deadline(&self, hours: &Hours, now: Time) -> Option<Time> {
        let seated = self.clocks.iter().zip(&self.players);
        let deadlines = seated.filter_map(|(clock, player)| {
            let deadline = clock.deadline()?;
            Some(hours.on_the_wall(player.platform(), deadline, now))
        });
        deadlines.min()
    }

    /// The absence that those who are awaited had to wait for, the longest first.
    pub fn waited_through<'h>(&self, hours: &'h Hours) -> Option<&'h Return> {
        let seated = self.clocks.iter().zip(&self.players);
        // Whoever is not timed has lost nothing.
        let timed = seated.filter(|(clock, _)| clock.bank.is_some());
        let returns =
            timed.filter_map(|(clock, player)| hours.waited_through(player.platform(), clock.running?));
        returns.max_by_key(|returned| returned.away)
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
    /// A link with which anybody can watch.
    Watch,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    pub how: How,
    pub outcome: Option<RecordedOutcome>,
    /// How the game itself tells its end, if it ended by its rules. Matches that ended before it was kept have none.
    #[serde(default, skip_serializing_if = "Prose::is_empty")]
    pub told: Prose,
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

    /// When this match next needs attention though nobody says anything, by platform: each has its own table time.
    pub fn wakes(&self) -> BTreeMap<&str, TableTime> {
        let mut wakes = BTreeMap::new();
        match &self.stage {
            Stage::Open(gathering) => {
                wakes.insert(self.host.platform(), gathering.expires);
            }
            Stage::Running(play) if play.paused.is_none() => {
                for (clock, player) in play.clocks.iter().zip(&play.players) {
                    for moment in [clock.deadline(), clock.next_reminder()].into_iter().flatten() {
                        let earliest = wakes.entry(player.platform()).or_insert(moment);
                        *earliest = moment.min(*earliest);
                    }
                }
            }
            Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => {}
        }
        wakes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Kept {
        #[serde(with = "json_within")]
        table: String,
    }

    #[test]
    fn a_position_is_written_as_it_is_and_read_as_earlier_versions_wrote_it() {
        let kept = |table: &str| Kept {
            table: table.to_owned(),
        };
        let written = |kept: &Kept| serde_json::to_string(kept).unwrap();
        let read = |text: &str| serde_json::from_str::<Kept>(text).unwrap();
        let position = kept(r#"{"game":{"cells":["A1","ü"]},"latest":2}"#);
        assert_eq!(
            written(&position),
            r#"{"table":{"game":{"cells":["A1","ü"]},"latest":2}}"#
        );
        assert_eq!(read(&written(&position)), position);
        let as_before = r#"{"table":"{\"game\":{\"cells\":[\"A1\",\"ü\"]},\"latest\":2}"}"#;
        assert_eq!(read(as_before), position);
        for strange in ["", "nonsense", "7", "{", "\"{}\""] {
            let strange = kept(strange);
            assert_eq!(read(&written(&strange)), strange);
        }
    }
}
