//! The versions of the rules under which matches are played: each goes on under the one with which it began.

use serde::{Deserialize, Serialize};

use super::card::{CardSet, Edition};

/// A version of the rules. A save without one is of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum Rules {
    /// The first edition of the cards. Every skirmish is picked, and a pass is for one.
    #[default]
    Second,
    /// The second edition. Skirmishes come in the order of the attack, and a pass is for all of them.
    Third,
}

impl Rules {
    /// The version that new matches are played by.
    pub const NEWEST: Self = Self::Third;

    /// The oldest version whose matches go on.
    pub const OLDEST: Self = Self::Second;

    pub const fn number(self) -> u16 {
        match self {
            Self::Second => 2,
            Self::Third => 3,
        }
    }

    pub const fn edition(self) -> Edition {
        match self {
            Self::Second => Edition::First,
            Self::Third => Edition::Second,
        }
    }

    /// The cards that are played with.
    pub fn cards(self) -> &'static CardSet {
        self.edition().cards()
    }
}

impl From<Rules> for u16 {
    fn from(rules: Rules) -> Self {
        rules.number()
    }
}

impl TryFrom<u16> for Rules {
    type Error = &'static str;

    fn try_from(number: u16) -> Result<Self, Self::Error> {
        [Self::Second, Self::Third]
            .into_iter()
            .find(|rules| rules.number() == number)
            .ok_or("this version of the rules is not known")
    }
}
