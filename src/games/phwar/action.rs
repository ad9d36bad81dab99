//! What a player can do on a turn.

use std::fmt;

use super::cell::Cell;

/// One turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// There is nothing else to do.
    Pass,
    Slide {
        from: Cell,
        to: Cell,
    },
    /// The particle on `from` replaces the enemy on `to`.
    Capture {
        from: Cell,
        to: Cell,
    },
}

impl Action {
    /// The two cells of anything but a pass.
    pub const fn cells(self) -> Option<(Cell, Cell)> {
        match self {
            Self::Pass => None,
            Self::Slide { from, to } | Self::Capture { from, to } => Some((from, to)),
        }
    }
}

/// The canonical notation.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Slide { from, to } => write!(f, "{from}-{to}"),
            Self::Capture { from, to } => write!(f, "{from}x{to}"),
        }
    }
}
