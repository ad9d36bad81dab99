//! What a player can decide: an action of the turn, or a choice inside a command.

use super::kind::Kind;
use super::socket::Socket;

/// One decision. The order is that of legal lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// The rest of the turn is given up.
    Pass,
    /// ALLOCATE.
    Draw(Pick),
    /// ASSIMILATE, or the answer to AUTOMATE.
    Add { pick: Pick, socket: Socket },
    /// AGGREGATE, or the answer to AGITATE.
    Move { number: u16, socket: Socket },
    /// The answer to ANNIHILATE and ATTENUATE.
    Target(u16),
    /// The answer to ACCELERATE.
    Take(Pick),
    /// The answer to AGGRAVATE.
    Keep(Pick),
}

/// Which block of a hand or supply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pick {
    Known(Kind),
    /// A command that lies face down for the one who picks.
    FaceDown,
}

impl Pick {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Known(kind) => kind.name(),
            Self::FaceDown => "command",
        }
    }
}
