//! The three kinds of particle and how many of each a player has.

use serde::{Deserialize, Serialize};

/// What a particle is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Electron,
    Positron,
    Neutron,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Electron, Self::Positron, Self::Neutron];

    pub const fn charge(self) -> i8 {
        match self {
            Self::Electron => -1,
            Self::Positron => 1,
            Self::Neutron => 0,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Electron => "electron",
            Self::Positron => "positron",
            Self::Neutron => "neutron",
        }
    }

    /// With its article: "an electron".
    pub const fn a_name(self) -> &'static str {
        match self {
            Self::Electron => "an electron",
            Self::Positron => "a positron",
            Self::Neutron => "a neutron",
        }
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
