//! The fifteen kinds of block. Rulebook, "Block types".

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a block is. The order is that of lists: power blocks first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    #[serde(rename = "0LFR")]
    ZeroLfr,
    #[serde(rename = "1LF")]
    OneLf,
    #[serde(rename = "1FR")]
    OneFr,
    #[serde(rename = "1LR")]
    OneLr,
    #[serde(rename = "2L")]
    TwoL,
    #[serde(rename = "2F")]
    TwoF,
    #[serde(rename = "2R")]
    TwoR,
    #[serde(rename = "3")]
    Three,
    #[serde(rename = "annihilate")]
    Annihilate,
    #[serde(rename = "automate")]
    Automate,
    #[serde(rename = "accelerate")]
    Accelerate,
    #[serde(rename = "attenuate")]
    Attenuate,
    #[serde(rename = "agitate")]
    Agitate,
    #[serde(rename = "aggravate")]
    Aggravate,
    #[serde(rename = "authenticate")]
    Authenticate,
}

/// How many kinds there are.
pub const KINDS: usize = 15;

/// How many kinds of command there are.
pub const COMMANDS: usize = 7;

impl Kind {
    pub const ALL: [Self; KINDS] = [
        Self::ZeroLfr,
        Self::OneLf,
        Self::OneFr,
        Self::OneLr,
        Self::TwoL,
        Self::TwoF,
        Self::TwoR,
        Self::Three,
        Self::Annihilate,
        Self::Automate,
        Self::Accelerate,
        Self::Attenuate,
        Self::Agitate,
        Self::Aggravate,
        Self::Authenticate,
    ];

    /// The power blocks alone.
    pub fn powers() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| !kind.is_command())
    }

    /// The command modules alone.
    pub fn commands() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| kind.is_command())
    }

    #[inline]
    pub const fn is_command(self) -> bool {
        self as u8 >= Self::Annihilate as u8
    }

    /// The place of a command among the commands.
    #[inline]
    pub const fn command_index(self) -> Option<usize> {
        (self as usize).checked_sub(Self::Annihilate as usize)
    }

    /// What it feeds into its circuit.
    #[inline]
    pub const fn power(self) -> u8 {
        match self {
            Self::OneLf | Self::OneFr | Self::OneLr => 1,
            Self::TwoL | Self::TwoF | Self::TwoR => 2,
            Self::Three => 3,
            _ => 0,
        }
    }

    /// Its sockets, one bit a side: 1 left, 2 forward, 4 right.
    #[inline]
    pub const fn sockets(self) -> u8 {
        const SOCKETS: [u8; KINDS] = [7, 3, 6, 5, 1, 2, 4, 0, 7, 7, 7, 7, 7, 7, 7];
        SOCKETS[self as usize]
    }

    /// How many there are: of a power block for each player, of a command in all.
    pub const fn made(self) -> u8 {
        match self {
            Self::Three | Self::Authenticate => 4,
            _ => 2,
        }
    }

    /// How many a hand may hold.
    #[inline]
    pub const fn hand_limit(self) -> u8 {
        match self {
            Self::Authenticate => 2,
            kind if kind.is_command() => 1,
            _ => 15,
        }
    }

    /// The canonical notation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ZeroLfr => "0LFR",
            Self::OneLf => "1LF",
            Self::OneFr => "1FR",
            Self::OneLr => "1LR",
            Self::TwoL => "2L",
            Self::TwoF => "2F",
            Self::TwoR => "2R",
            Self::Three => "3",
            Self::Annihilate => "annihilate",
            Self::Automate => "automate",
            Self::Accelerate => "accelerate",
            Self::Attenuate => "attenuate",
            Self::Agitate => "agitate",
            Self::Aggravate => "aggravate",
            Self::Authenticate => "authenticate",
        }
    }

    /// As a sentence names it: commands in capitals.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Annihilate => "ANNIHILATE",
            Self::Automate => "AUTOMATE",
            Self::Accelerate => "ACCELERATE",
            Self::Attenuate => "ATTENUATE",
            Self::Agitate => "AGITATE",
            Self::Aggravate => "AGGRAVATE",
            Self::Authenticate => "AUTHENTICATE",
            _ => self.name(),
        }
    }

    /// With its article: "a 2L", "an AGITATE".
    pub fn a_title(self) -> String {
        let article = if self.is_command() { "an" } else { "a" };
        format!("{article} {}", self.title())
    }

    /// What it is for, in a few words.
    pub const fn gist(self) -> &'static str {
        match self {
            Self::ZeroLfr => "no power, three sockets",
            Self::OneLf => "power 1, sockets left and forward",
            Self::OneFr => "power 1, sockets forward and right",
            Self::OneLr => "power 1, sockets left and right",
            Self::TwoL => "power 2, socket left",
            Self::TwoF => "power 2, socket forward",
            Self::TwoR => "power 2, socket right",
            Self::Three => "power 3, no socket",
            Self::Annihilate => "a block leaves the game",
            Self::Automate => "play one more from the supply",
            Self::Accelerate => "take three blocks",
            Self::Attenuate => "one block of each side goes back",
            Self::Agitate => "move two enemy blocks",
            Self::Aggravate => "both hands shrink to one",
            Self::Authenticate => "the second one ends the game",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
