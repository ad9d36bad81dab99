//! Sides, pieces and glyphs: the words of the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The two armies. Sun begins; it stands on ranks 1 and 2. A seat owns a side, and `swap` lets the
/// seats trade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Sun,
    Moon,
}

impl Side {
    pub const ALL: [Self; 2] = [Self::Sun, Self::Moon];

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

    pub const fn name(self) -> &'static str {
        match self {
            Self::Sun => "Sun",
            Self::Moon => "Moon",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Core,
    Shard,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "Core",
            Self::Shard => "Shard",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

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

impl Glyph {
    pub const ALL: [Self; 5] = [Self::Vector, Self::Lance, Self::Arc, Self::Pulse, Self::Anchor];

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

    /// As it stands in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vector => "VECTOR",
            Self::Lance => "LANCE",
            Self::Arc => "ARC",
            Self::Pulse => "PULSE",
            Self::Anchor => "ANCHOR",
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

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
