//! The fifteen kinds of block. Rulebook, "Block types".

use crate::text::{a, names, saved_by_name};

/// What a block is. The order is that of lists: power blocks first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    ZeroLfr,
    OneLf,
    OneFr,
    OneLr,
    TwoL,
    TwoF,
    TwoR,
    Three,
    Annihilate,
    Automate,
    Accelerate,
    Attenuate,
    Agitate,
    Aggravate,
    Authenticate,
}

// The canonical notation.
names! {
    Kind {
        ZeroLfr = "0LFR",
        OneLf = "1LF",
        OneFr = "1FR",
        OneLr = "1LR",
        TwoL = "2L",
        TwoF = "2F",
        TwoR = "2R",
        Three = "3",
        Annihilate = "annihilate",
        Automate = "automate",
        Accelerate = "accelerate",
        Attenuate = "attenuate",
        Agitate = "agitate",
        Aggravate = "aggravate",
        Authenticate = "authenticate",
    }
}
saved_by_name!(Kind, "block");

/// How many kinds there are.
pub const KINDS: usize = 15;

/// How many kinds of command there are.
pub const COMMANDS: usize = 7;

impl Kind {
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

    /// A command's name in two parts, for where there is no room for it in one line.
    pub const fn syllables(self) -> [&'static str; 2] {
        match self {
            Self::Annihilate => ["anni-", "hilate"],
            Self::Automate => ["auto-", "mate"],
            Self::Accelerate => ["accel-", "erate"],
            Self::Attenuate => ["atten-", "uate"],
            Self::Agitate => ["agi-", "tate"],
            Self::Aggravate => ["aggra-", "vate"],
            Self::Authenticate => ["authen-", "ticate"],
            _ => [self.name(), ""],
        }
    }

    /// With its article: "a 2L", "an AGITATE".
    pub fn a_title(self) -> String {
        a(self.title())
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
