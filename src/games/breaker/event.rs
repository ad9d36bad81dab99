//! What happens, and how much of it each viewer may know.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::kind::Kind;
use super::socket::Circuit;
use crate::game::{Seat, Viewer};

/// A block on its way into or out of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockFace {
    Up(Kind),
    /// Face down for all but its owner; what it is, if one may know.
    Down(Option<Kind>),
}

impl BlockFace {
    fn seen_by(self, viewer: Viewer, owner: Seat) -> Self {
        match self {
            Self::Down(kind) => Self::Down(kind.filter(|_| viewer.may_see_secrets_of(owner))),
            Self::Up(kind) => Self::Up(kind),
        }
    }

    /// What it is, as far as the one who was told knows.
    pub const fn kind(self) -> Option<Kind> {
        match self {
            Self::Up(kind) => Some(kind),
            Self::Down(kind) => kind,
        }
    }
}

/// By what a block was drawn or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// One of the turn's two actions.
    Action,
    /// ACCELERATE draws, AUTOMATE adds.
    Command,
}

/// A block that a command took off the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// Who chose it.
    pub seat: Seat,
    /// On whose path it was.
    pub owner: Seat,
    pub kind: Kind,
    pub number: u16,
    pub circuit: Circuit,
    /// Where it lay.
    pub cell: Cell,
    /// Both players' power in that circuit afterwards.
    pub power: [u8; 2],
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Drew {
        seat: Seat,
        face: BlockFace,
        by: Means,
    },
    Added {
        seat: Seat,
        kind: Kind,
        number: u16,
        socket: String,
        circuit: Circuit,
        /// Both players' power in that circuit afterwards.
        power: [u8; 2],
        by: Means,
    },
    Moved {
        /// Who moved it.
        seat: Seat,
        /// On whose path it is.
        owner: Seat,
        kind: Kind,
        number: u16,
        from: String,
        to: String,
        /// Where it lay before.
        cell: Cell,
        /// The circuit that it fed before, and the one it feeds now.
        left: Circuit,
        circuit: Circuit,
        /// Both players' power in all circuits afterwards.
        power: [[u8; 3]; 2],
    },
    Annihilated(Gone),
    /// Back to the supply, from the table.
    Returned(Gone),
    Kept {
        /// Who chose.
        seat: Seat,
        /// Whose hand it is.
        owner: Seat,
        face: BlockFace,
        /// What went back to the supply.
        back: Vec<BlockFace>,
    },
    /// A command found nothing to act on.
    NoEffect {
        seat: Seat,
        kind: Kind,
    },
    /// A player has no open socket any more.
    ShutIn {
        seat: Seat,
    },
    Passed {
        seat: Seat,
        /// Whether it was the whole turn.
        whole: bool,
    },
    /// A player could neither draw nor add a power block; the other has the last turn.
    Skipped {
        seat: Seat,
    },
    Left {
        seat: Seat,
    },
}

impl Event {
    /// What a viewer may know of it: everything but which commands lie face down.
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        match self {
            Self::Drew { seat, face, by } => Self::Drew {
                seat: *seat,
                face: face.seen_by(viewer, *seat),
                by: *by,
            },
            Self::Kept {
                seat,
                owner,
                face,
                back,
            } => {
                let mut back: Vec<BlockFace> = back.iter().map(|face| face.seen_by(viewer, *owner)).collect();
                // Blocks that look alike stand together, whatever they are.
                back.sort_by_key(|face| face.kind());
                Self::Kept {
                    seat: *seat,
                    owner: *owner,
                    face: face.seen_by(viewer, *owner),
                    back,
                }
            }
            Self::Added { .. }
            | Self::Moved { .. }
            | Self::Annihilated(_)
            | Self::Returned(_)
            | Self::NoEffect { .. }
            | Self::ShutIn { .. }
            | Self::Passed { .. }
            | Self::Skipped { .. }
            | Self::Left { .. } => self.clone(),
        }
    }
}
