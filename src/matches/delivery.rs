//! What a change makes known, and to whom.
//!
//! A delivery is written in the same transaction as the change that causes it, and holds all that is
//! needed to say it: delivered twice, it says the same. Pictures are drawn when it goes out, from the
//! log up to the entry that it names.

use serde::{Deserialize, Serialize};

use super::clock::ClockKind;
use super::code::Code;
use super::hours::Return;
use super::people::{PlayerId, RoomId};
use super::state::{CalledOff, Ending, Match, ProposalKind, SeatState};
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
    /// The message that it is written on; one of its own, if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<Sheet>,
    /// Who is called by it, beside those whom the notice names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ping: Vec<PlayerId>,
    #[serde(default, skip_serializing_if = "Sound::is_usual")]
    pub sound: Sound,
}

/// Something to be said that has no key yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub to: To,
    pub notice: Notice,
    pub sheet: Option<Sheet>,
    pub ping: Vec<PlayerId>,
    pub sound: Sound,
}

impl Draft {
    /// Something that becomes a message of its own.
    pub const fn new(to: To, notice: Notice) -> Self {
        Self {
            to,
            notice,
            sheet: None,
            ping: Vec::new(),
            sound: Sound::Usual,
        }
    }
}

/// A message that is written anew instead of being followed by another: what comes later for the same sheet of a match
/// takes the place of what stood there. Where that message is gone, or was never known, it is posted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sheet {
    /// The board of a turn.
    Turn {
        /// Which one, of all that the match has had.
        number: u32,
        writing: Writing,
    },
    /// The hand of a seat: one message a match. If it is to be heard, a new one takes the place of the old one.
    Hand { seat: Seat },
}

/// How long what is written on a sheet stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writing {
    /// Until the next one: everybody is to see it.
    Lasting,
    /// For the moment. All of it is told again, on this sheet or the next: where messages can't be written anew, it is
    /// left out.
    Passing,
    /// The last word on a sheet, when another has taken its place. Where there is no such sheet, nothing is said.
    Closing,
}

impl Delivery {
    /// Whether a later one tells all that this one tells, so that it need not be brought any more.
    pub fn is_overtaken_by(&self, later: &Self) -> bool {
        let (Some(Sheet::Turn { number, writing }), Some(Sheet::Turn { number: other, .. })) =
            (self.sheet, later.sheet)
        else {
            return false;
        };
        writing == Writing::Passing && self.code == later.code && self.to == later.to && other >= number
    }
}

impl Delivery {
    /// Whether this shows a turn that has passed, as a later one tells: nobody need be called for it any more. How a match
    /// began and how it ended is always told.
    pub fn is_passed_by(&self, later: &Self) -> bool {
        let (Some(Sheet::Turn { number, .. }), Some(Sheet::Turn { number: other, .. })) =
            (self.sheet, later.sheet)
        else {
            return false;
        };
        let of_a_turn = matches!(self.notice, Notice::Moved { .. } | Notice::HomeChanged { .. });
        of_a_turn && self.code == later.code && self.to == later.to && other > number
    }
}

impl Delivery {
    /// Whether a player would miss little without it, since rooms are told the same: nobody is troubled for the sake of it.
    pub const fn is_spare(&self) -> bool {
        matches!(self.notice, Notice::Missed { in_rooms: true, .. })
    }
}

impl Delivery {
    /// Whether this reminds somebody of a turn that has passed meanwhile, as the match itself tells.
    pub fn reminds_in_vain(&self, the_match: &Match) -> bool {
        let Notice::Reminder { seat, .. } = self.notice else {
            return false;
        };
        if the_match.version == self.version {
            return false;
        }
        let clocks = the_match.running().map(|play| &play.clocks);
        let clock = clocks.and_then(|clocks| clocks.get(seat.index()));
        // Of another turn, or of one that was made longer, no reminder is due yet, or there is one of its own.
        clock.is_none_or(|clock| clock.running.is_none() || clock.reminded == 0)
    }
}

/// Whether a message may make a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sound {
    /// As the platform does it.
    #[default]
    Usual,
    Silent,
}

impl Sound {
    pub const fn is_usual(&self) -> bool {
        matches!(self, Self::Usual)
    }
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
        /// Empty where nothing was left to chance.
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
    /// A room of a table that gathers players can't be reached any more.
    RoomLost,
    /// What has happened since a player acted, through their eyes.
    Missed {
        seat: Seat,
        players: Vec<PlayerId>,
        entries: u32,
        /// Whether the rooms of the match are told the same in words.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_rooms: bool,
    },
    /// The review is done for which somebody asked.
    Reviewed,
    /// A running match is shown elsewhere from now on.
    HomeChanged {
        players: Vec<PlayerId>,
        news: HomeNews,
        turn: Turn,
    },
    /// Time is running out.
    Reminder {
        players: Vec<PlayerId>,
        seat: Seat,
        /// What is asked, as everybody may read it. Rows that were written before it was kept have none.
        #[serde(default, skip_serializing_if = "Prose::is_empty")]
        question: Prose,
        left: Span,
        deadline: Time,
        /// An absence that they had to wait for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        away: Option<Return>,
    },
}

/// Why a match is shown elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HomeNews {
    /// We can't speak in one of its rooms any more.
    Lost,
    /// We can speak in this room again.
    Back,
    /// The room has been replaced by this one.
    Moved,
    /// This player has left the room.
    Left(PlayerId),
}

impl Notice {
    /// Whose turn it shows, if it shows one.
    pub const fn turn(&self) -> Option<&Turn> {
        match self {
            Self::Started { turn, .. }
            | Self::Moved { turn, .. }
            | Self::Settled { turn, .. }
            | Self::StoodIn { turn: Some(turn), .. }
            | Self::Resumed { turn, .. }
            | Self::Brought { turn, .. }
            | Self::HomeChanged { turn, .. } => Some(turn),
            Self::Gathering { .. }
            | Self::CalledOff(_)
            | Self::Ended { .. }
            | Self::Hand { .. }
            | Self::Proposed { .. }
            | Self::StoodIn { turn: None, .. }
            | Self::PlanDropped { .. }
            | Self::RoomLost
            | Self::Missed { .. }
            | Self::Reviewed
            | Self::Reminder { .. } => None,
        }
    }
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
    /// What is asked of them, as everybody may read it. Rows that were written before it was kept have none.
    #[serde(default, skip_serializing_if = "Prose::is_empty")]
    pub question: Prose,
    /// When the first of them runs out of time.
    pub deadline: Option<Time>,
    /// An absence that those who were awaited had to wait for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<Return>,
    /// Who is to be pinged: those who have just become awaited and want to know.
    pub ping: Vec<PlayerId>,
    /// Who of them may have lost the thread, and is told what happened since they acted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out_of_touch: Vec<Seat>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(number: u32, writing: Writing) -> Delivery {
        let old = r#"{"key":"K7QF-1","to":{"room":"local:hall"},"at":7,"code":"K7QF","version":3,"game":"x","notice":"room_lost"}"#;
        let delivery: Delivery = serde_json::from_str(old).unwrap();
        assert_eq!(serde_json::to_string(&delivery).unwrap(), old);
        Delivery {
            sheet: Some(Sheet::Turn { number, writing }),
            ..delivery
        }
    }

    /// What waits in stores stays readable.
    #[test]
    fn a_delivery_of_its_own_is_kept_as_it_always_was() {
        let kept = serde_json::to_string(&delivery(4, Writing::Passing)).unwrap();
        assert!(
            kept.ends_with(r#""sheet":{"turn":{"number":4,"writing":"passing"}}}"#),
            "{kept}"
        );
        assert_eq!(
            serde_json::from_str::<Delivery>(&kept).unwrap(),
            delivery(4, Writing::Passing)
        );
    }

    #[test]
    fn only_what_is_for_the_moment_is_overtaken() {
        let passing = delivery(4, Writing::Passing);
        for later in [
            delivery(4, Writing::Passing),
            delivery(4, Writing::Lasting),
            delivery(5, Writing::Lasting),
        ] {
            assert!(passing.is_overtaken_by(&later));
            assert!(!delivery(4, Writing::Lasting).is_overtaken_by(&later));
            assert!(!delivery(4, Writing::Closing).is_overtaken_by(&later));
        }
        assert!(!passing.is_overtaken_by(&delivery(3, Writing::Lasting)));
        let elsewhere = Delivery {
            to: To::Room(RoomId::new("local", "attic")),
            ..delivery(5, Writing::Lasting)
        };
        assert!(!passing.is_overtaken_by(&elsewhere));
    }
}
