//! A two-sided card: a good face and an evil face of one faction, back to back.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::face::{Alignment, FaceId, Faction};

/// How many different cards a faction has.
pub const CARDS_A_FACTION: u16 = 100;

/// How many cards there are.
pub const CARDS: u16 = CARDS_A_FACTION * 3;

/// Two faces, back to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    pub id: CardId,
    pub faction: Faction,
    pub good: FaceId,
    pub evil: FaceId,
    /// The absolute difference of the two training costs.
    pub cost_difference: u8,
}

impl Card {
    #[inline]
    pub const fn face(&self, alignment: Alignment) -> FaceId {
        match alignment {
            Alignment::Good => self.good,
            Alignment::Evil => self.evil,
        }
    }
}

/// A card by its number: `F17` is the Fengarians' seventeenth. Numbers are promises to saves and deck codes: a
/// card may be changed, but never numbered anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct CardId(u16);

impl CardId {
    /// The card of a faction with a number from 1 to 100.
    pub const fn new(faction: Faction, number: u16) -> Option<Self> {
        if number == 0 || number > CARDS_A_FACTION {
            return None;
        }
        Some(Self(faction as u16 * CARDS_A_FACTION + number - 1))
    }

    pub const fn faction(self) -> Faction {
        match self.0 / CARDS_A_FACTION {
            0 => Faction::Fengarian,
            1 => Faction::Keeper,
            _ => Faction::SunDominion,
        }
    }

    /// Its number within the faction, from 1.
    pub const fn number(self) -> u16 {
        self.0 % CARDS_A_FACTION + 1
    }

    /// Its place among all cards, from 0.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<CardId> for u16 {
    fn from(id: CardId) -> Self {
        id.0
    }
}

impl TryFrom<u16> for CardId {
    type Error = NoSuchCard;

    fn try_from(index: u16) -> Result<Self, NoSuchCard> {
        if index < CARDS {
            Ok(Self(index))
        } else {
            Err(NoSuchCard)
        }
    }
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.faction().letter(), self.number())
    }
}

impl FromStr for CardId {
    type Err = NoSuchCard;

    fn from_str(text: &str) -> Result<Self, NoSuchCard> {
        let mut rest = text.chars();
        let letter = rest.next().ok_or(NoSuchCard)?;
        let faction = Faction::ALL
            .into_iter()
            .find(|faction| faction.letter().eq_ignore_ascii_case(&letter))
            .ok_or(NoSuchCard)?;
        let digits = rest.as_str();
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoSuchCard);
        }
        let number = digits.parse().map_err(|_| NoSuchCard)?;
        Self::new(faction, number).ok_or(NoSuchCard)
    }
}

/// The number of a card that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such card: cards are numbered F1 to F100, K1 to K100 and S1 to S100")]
pub struct NoSuchCard;
