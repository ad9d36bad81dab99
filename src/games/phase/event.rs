//! What happens, and how much of it each viewer may know.

use serde::{Deserialize, Serialize};

use super::action::Target;
use super::card::{Alignment, Keyword, Place};
use super::shown::Shown;
use crate::game::{Seat, Viewer};

/// A card as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub owner: Seat,
    pub at: At,
    pub face: Shown,
}

/// Where a named card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// In play, with this number.
    Warrior(u8),
    /// In the barracks, at this place.
    Resource(u8),
    /// In the hand, at this place; the face is the one turned to the opponents.
    Hand(u8),
    Discard,
    Deck,
}

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    Order,
    /// The action skill of the warrior with this number.
    Skill(u8),
    /// A triggered skill of a warrior.
    Trigger(Keyword),
}

/// Influence that a player gains or loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Influence {
    pub seat: Seat,
    pub alignment: Alignment,
    pub amount: u16,
    /// The unopposed attacker that took it.
    pub by: Option<Named>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A player has chosen a deck; which one only that player knows.
    Brought {
        seat: Seat,
        deck: Option<String>,
    },
    /// All decks are chosen, shuffled and drawn from.
    Dealt,
    /// A player has chosen a card for the barracks; which one shows when all have.
    Readied {
        seat: Seat,
    },
    /// All barracks are open: each player's first resource.
    Opened {
        resources: Vec<(Seat, Shown)>,
    },
    /// Tied for the start: these upper faces were cut to.
    Cut {
        faces: Vec<(Seat, Shown)>,
    },
    /// Who starts, and the upper face of that player's deck.
    Starts {
        seat: Seat,
    },
    Began {
        seat: Seat,
        round: u8,
    },
    Drew {
        seat: Seat,
        /// The face that all see.
        outward: Shown,
        /// The face that the owner sees.
        inward: Option<Shown>,
    },
    Enlisted {
        seat: Seat,
        face: Shown,
        locked: bool,
    },
    /// A deck was remade from the discard pile.
    Remade {
        seat: Seat,
    },
    /// An attack begins; this player may defend the Nexus.
    Attacks {
        seat: Seat,
        defender: Seat,
    },
    /// The Nexus defender left and another was drawn.
    Redrawn {
        defender: Seat,
    },
    /// No unlocked warrior was left to attack with.
    Faltered {
        seat: Seat,
    },
    /// All attackers are declared.
    Declared {
        seat: Seat,
        target: Target,
        attackers: Vec<Named>,
    },
    Defends {
        attacker: Named,
        defender: Named,
    },
    /// A player has assigned all the defenders they wanted, perhaps none.
    Assigned {
        seat: Seat,
        count: u8,
    },
    Skirmish {
        attacker: Named,
        defenders: Vec<Named>,
    },
    Passed {
        seat: Seat,
    },
    /// Somebody takes an action, or a skill is triggered.
    Acts {
        seat: Seat,
        means: Means,
        face: Shown,
    },
    /// What it chooses.
    Chose {
        seat: Seat,
        card: Named,
    },
    ChosePlayer {
        seat: Seat,
        player: Seat,
    },
    /// A resource paid: it was locked, or phased and shows this face now.
    Paid {
        seat: Seat,
        locked: bool,
        face: Shown,
    },
    Trained {
        seat: Seat,
        warrior: Named,
    },
    Phased {
        card: Named,
        was: Shown,
    },
    Locked {
        card: Named,
    },
    Unlocked {
        card: Named,
    },
    Buffed {
        card: Named,
        attack: i16,
        defense: i16,
    },
    Granted {
        card: Named,
        keyword: Keyword,
    },
    Damaged {
        card: Named,
        damage: i16,
    },
    Healed {
        card: Named,
        damage: i16,
    },
    /// A warrior dealt damage in a skirmish.
    Struck {
        by: Named,
        card: Named,
        damage: i16,
    },
    Destroyed {
        card: Named,
    },
    Discarded {
        seat: Seat,
        face: Shown,
    },
    Moved {
        card: Named,
        to: Place,
        number: u8,
    },
    Peeked {
        seat: Seat,
        card: Named,
        /// What that player alone saw.
        other: Option<Shown>,
    },
    Gained(Influence),
    Lost(Influence),
    /// A pool of the Nexus is empty: this is the last round.
    Emptied {
        alignment: Alignment,
    },
    /// A private setting; nobody else hears of it.
    Habit {
        seat: Seat,
        text: String,
    },
    /// The clock of a player ran out.
    Lapsed {
        seat: Seat,
    },
    Left {
        seat: Seat,
    },
}

impl Event {
    /// What a viewer may know of it.
    pub(super) fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        let mut seen = self.clone();
        match &mut seen {
            Self::Drew { seat, inward, .. } if !viewer.may_see_secrets_of(*seat) => *inward = None,
            Self::Brought { seat, deck } if !viewer.may_see_secrets_of(*seat) => *deck = None,
            Self::Peeked { seat, other, .. } if !viewer.may_see_secrets_of(*seat) => *other = None,
            Self::Habit { seat, .. } if !viewer.may_see_secrets_of(*seat) => return None,
            _ => {}
        }
        Some(seen)
    }
}
