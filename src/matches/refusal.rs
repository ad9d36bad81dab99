//! Why a command was not carried out. Every refusal has a name; the sentences are in `chat`.

use super::code::Code;
use super::lists::ListRefusal;
use super::notes::NoteRefusal;
use super::people::{PlayerId, RoomId};
use super::port::Fault;
use super::state::ProposalKind;
use super::time::Time;
use crate::catalog::{OpenError, UnknownGame};
use crate::game::options::OptionError;
use crate::game::sentence::SentenceError;

/// A command that can't be carried out as things stand. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    UnknownGame(UnknownGame),
    Option(OptionError),
    Seats(OpenError),
    /// Somebody else was named twice.
    NamedTwice(PlayerId),
    /// The people who run this room want matches elsewhere.
    RoomClosed {
        open: Vec<RoomId>,
    },
    TooManyMatches {
        most: usize,
    },
    NoSuchMatch(Code),
    /// The command names no match and the player has none here.
    NoMatchHere,
    /// The command names no match and could mean several.
    WhichMatch(Vec<Code>),
    NotYourMatch(Code),
    /// The player has resigned or run out of time.
    YouLeft(Code),
    /// The table is no longer open.
    NotOpen(Code),
    /// The match has not begun.
    NotBegun(Code),
    /// The match is over.
    Over(Code),
    /// The match still runs, and that would only make sense after its end.
    StillRuns(Code),
    /// The match never began.
    CalledOff(Code),
    NotInvited(Code),
    AlreadyIn(Code),
    /// The match is shown in this room already.
    AlreadyHere(Code),
    Full(Code),
    NotYourTable(Code),
    /// Made for an earlier version of the match.
    Stale {
        code: Code,
    },
    /// The same event has been dealt with.
    AlreadyHandled,
    NotYourTurn {
        code: Code,
        awaited: Vec<PlayerId>,
    },
    Move {
        code: Code,
        error: SentenceError,
        /// Whether the game has secrets: why a move can't be made may tell what its player holds.
        hidden: bool,
    },
    /// What would be previewed can't be known before it happens.
    CantPreview,
    Paused(Code),
    NotPaused(Code),
    AlreadyProposed(ProposalKind),
    /// Nobody has proposed anything.
    NothingProposed(Code),
    /// There is nothing to take back.
    NothingToTakeBack,
    /// Something was shown since that can't be unseen.
    CantUnsee,
    TooLateToAbort,
    /// There is no clock to extend.
    NoClock,
    /// Nothing can be claimed yet, or at all; from when, if ever.
    NothingToClaim {
        from: Option<Time>,
    },
    /// A list of the player's was not changed.
    List(ListRefusal),
    /// A note was not kept.
    Note(NoteRefusal),
    /// A position of the match can be tried out only when it is over: it has secrets, or chance.
    NoPracticeYet(Code),
    /// The match has no such turn, or its game is over there.
    NoPracticeThere {
        code: Code,
        /// The last turn from which the game goes on.
        last: u32,
    },
    /// Nobody is told what the bot thinks of a match that still runs.
    NoReviewYet(Code),
    /// Hints are for those who play against bots, or alone.
    NoHintsAmongPeople(Code),
    /// Nobody has left whose seat a bot could take, or others have moved since.
    NobodyToStandInFor(Code),
    /// Only bots would be left.
    NobodyElsePlays(Code),
    /// A rematch stands already.
    RematchStands(Code),
}

/// Why a command failed: the player's affair, or ours.
#[derive(Debug)]
pub enum Failure {
    Refused(Refusal),
    Broken(Fault),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Broken(fault)
    }
}
