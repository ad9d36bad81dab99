//! The three kinds of particle and how many of each a player has.

use serde::{Deserialize, Serialize};

use crate::text::{a, names};

/// What a particle is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Electron,
    Positron,
    Neutron,
}

names! { Kind { Electron = "electron", Positron = "positron", Neutron = "neutron" } }

impl Kind {
    pub const fn charge(self) -> i8 {
        match self {
            Self::Electron => -1,
            Self::Positron => 1,
            Self::Neutron => 0,
        }
    }

    /// With its article: "an electron".
    pub fn a_name(self) -> String {
        a(self.name())
    }

    /// The slots of a player that hold this kind, as a mask.
    pub const fn slots(self) -> u16 {
        match self {
            Self::Electron => 0b0_0000_1111,
            Self::Positron => 0b0_1111_0000,
            Self::Neutron => 0b1_0000_0000,
        }
    }

    /// What the particle in this slot is.
    pub const fn of_slot(slot: u8) -> Self {
        match slot {
            0..=3 => Self::Electron,
            4..=7 => Self::Positron,
            _ => Self::Neutron,
        }
    }
}

/// Particles of a player at the start.
pub const SLOTS: usize = 9;
