//! Sides, pieces and glyphs: the words of the game.

use serde::{Deserialize, Serialize};

use crate::text::names;

/// The two armies. Sun begins; it stands on ranks 1 and 2. A seat owns a side, and `swap` lets the
/// seats trade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Sun,
    Moon,
}

names! { Side { Sun = "Sun", Moon = "Moon" } }

impl Side {
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Sun => Self::Moon,
            Self::Moon => Self::Sun,
        }
    }
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Core,
    Shard,
}

names! { Kind { Core = "Core", Shard = "Shard" } }

/// How a piece acts. "Glyphs": all five are open to every piece on every turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Glyph {
    /// One step.
    Vector,
    /// Two steps straight ahead over an empty square.
    Lance,
    /// A knight's leap.
    Arc,
    /// A step that pushes an enemy along.
    Pulse,
    /// Marks the square underfoot, or steps onto an enemy's mark and claims it.
    Anchor,
}

// As it stands in a sentence.
names! { Glyph { Vector = "VECTOR", Lance = "LANCE", Arc = "ARC", Pulse = "PULSE", Anchor = "ANCHOR" } }

impl Glyph {
    /// As it is typed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Lance => "lance",
            Self::Arc => "arc",
            Self::Pulse => "pulse",
            Self::Anchor => "anchor",
        }
    }

    /// A reminder of what it does, for menus.
    pub const fn gist(self) -> &'static str {
        match self {
            Self::Vector => "one step",
            Self::Lance => "two steps straight",
            Self::Arc => "knight's leap",
            Self::Pulse => "step and push",
            Self::Anchor => "mark or claim",
        }
    }
}
