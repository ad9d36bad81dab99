//! One side of a card.

use serde::{Deserialize, Serialize};

use super::effect::{Ability, Effect};
use crate::text::names;

/// One side of a card: a warrior to train, and the order that it gives from the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub id: FaceId,
    pub name: String,
    pub faction: Faction,
    pub alignment: Alignment,
    /// How many other resources are phased to train it.
    pub cost: u8,
    pub attack: i8,
    pub defense: i8,
    pub order: Ability,
    pub skills: Vec<Skill>,
    /// Which keywords the skills make up.
    pub keywords: Keywords,
}

impl Face {
    pub const fn has(&self, keyword: Keyword) -> bool {
        self.keywords.has(keyword)
    }
}

/// A face of the loaded set. Only the set hands these out, so that every one of them exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceId(pub(super) u16);

impl FaceId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The three peoples; a deck is of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faction {
    Fengarian,
    Keeper,
    SunDominion,
}

names! { Faction { Fengarian = "Fengarian", Keeper = "Keeper", SunDominion = "Sun Dominion" } }

impl Faction {
    /// The first letter of its card numbers.
    pub const fn letter(self) -> char {
        match self {
            Self::Fengarian => 'F',
            Self::Keeper => 'K',
            Self::SunDominion => 'S',
        }
    }
}

/// Which of the two sides a face is, and which influence it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    Good,
    Evil,
}

names! { Alignment { Good = "good", Evil = "evil" } }

impl Alignment {
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Good => Self::Evil,
            Self::Evil => Self::Good,
        }
    }

    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Good => 0,
            Self::Evil => 1,
        }
    }
}

/// What a warrior can do, or what happens to it, in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skill {
    /// May defend the Nexus although its player was not picked.
    Ally,
    /// Deals its damage first.
    Swift,
    /// When an order chooses this warrior.
    Elite(Effect),
    /// When this face phases away.
    Phaseling(Effect),
    /// When this warrior leaves play.
    Relentless(Effect),
    /// After this warrior enters play.
    Trained(Effect),
    /// An action, once a turn.
    Action(Ability),
}

impl Skill {
    /// The keyword that the rulebook has for it; action skills have none.
    pub const fn keyword(&self) -> Option<Keyword> {
        match self {
            Self::Ally => Some(Keyword::Ally),
            Self::Swift => Some(Keyword::Swift),
            Self::Elite(_) => Some(Keyword::Elite),
            Self::Phaseling(_) => Some(Keyword::Phaseling),
            Self::Relentless(_) => Some(Keyword::Relentless),
            Self::Trained(_) => Some(Keyword::Trained),
            Self::Action(_) => None,
        }
    }

    /// What it does when it is triggered or used; Ally and Swift do nothing by themselves.
    pub const fn effect(&self) -> Option<&Effect> {
        match self {
            Self::Ally | Self::Swift => None,
            Self::Elite(effect)
            | Self::Phaseling(effect)
            | Self::Relentless(effect)
            | Self::Trained(effect) => Some(effect),
            Self::Action(ability) => Some(&ability.effect),
        }
    }
}

/// The glossary's named skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keyword {
    Ally,
    Elite,
    Phaseling,
    Relentless,
    Swift,
    Trained,
}

names! {
    Keyword {
        Ally = "Ally",
        Elite = "Elite",
        Phaseling = "Phaseling",
        Relentless = "Relentless",
        Swift = "Swift",
        Trained = "Trained",
    }
}

impl Keyword {
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keywords(u8);

impl Keywords {
    pub const NONE: Self = Self(0);

    #[inline]
    pub const fn has(self, keyword: Keyword) -> bool {
        self.0 & keyword.bit() != 0
    }

    #[must_use]
    pub const fn with(self, keyword: Keyword) -> Self {
        Self(self.0 | keyword.bit())
    }

    pub fn iter(self) -> impl Iterator<Item = Keyword> {
        Keyword::ALL.into_iter().filter(move |keyword| self.has(*keyword))
    }
}

impl FromIterator<Keyword> for Keywords {
    fn from_iter<I: IntoIterator<Item = Keyword>>(keywords: I) -> Self {
        keywords.into_iter().fold(Self::NONE, Self::with)
    }
}
