//! What a player can do on a turn.

use std::fmt;

use super::piece::Glyph;
use super::square::GridSquare;

/// One turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// A piece acts by a glyph. It stays where it is (`to` equals `from`) only by ANCHOR.
    Cast {
        from: GridSquare,
        glyph: Glyph,
        to: GridSquare,
    },
    /// Take the opponent's side instead of answering the first move.
    Swap,
}

impl Action {
    pub const fn cast(glyph: Glyph, from: GridSquare, to: GridSquare) -> Self {
        Self::Cast { from, glyph, to }
    }

    /// Glyph, start and goal of anything but a swap.
    pub const fn parts(self) -> Option<(Glyph, GridSquare, GridSquare)> {
        match self {
            Self::Cast { from, glyph, to } => Some((glyph, from, to)),
            Self::Swap => None,
        }
    }
}

/// The canonical notation.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swap => f.write_str("swap"),
            Self::Cast { from, glyph, to } if from == to => write!(f, "{} {from}", glyph.word()),
            Self::Cast { from, glyph, to } => write!(f, "{} {from}-{to}", glyph.word()),
        }
    }
}
