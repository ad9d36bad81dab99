//! The choice that a command asks for.

use serde::{Deserialize, Serialize};

use super::kind::Kind;

/// What the player to move has to choose before the turn goes on. Rulebook, "Command blocks".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A block to leave the game; not the ANNIHILATE of this number, which is acting.
    Annihilate { acting: u16 },
    /// A block to play from the supply.
    Automate,
    /// So many blocks to take.
    Accelerate { left: u8 },
    /// A block of one's own path to go back to the supply.
    AttenuateOwn,
    /// A block of the enemy's path to go back to the supply.
    AttenuateEnemy,
    /// So many moves of enemy blocks.
    Agitate { left: u8 },
    /// The block to keep in one's own hand.
    AggravateOwn,
    /// The block to leave in the enemy's hand.
    AggravateEnemy,
}

impl Task {
    /// What a command asks for first when it comes to the table.
    pub const fn of(kind: Kind, number: u16) -> Option<Self> {
        match kind {
            Kind::Annihilate => Some(Self::Annihilate { acting: number }),
            Kind::Automate => Some(Self::Automate),
            Kind::Accelerate => Some(Self::Accelerate { left: 3 }),
            Kind::Attenuate => Some(Self::AttenuateOwn),
            Kind::Agitate => Some(Self::Agitate { left: 2 }),
            Kind::Aggravate => Some(Self::AggravateOwn),
            _ => None,
        }
    }

    pub const fn command(self) -> Kind {
        match self {
            Self::Annihilate { .. } => Kind::Annihilate,
            Self::Automate => Kind::Automate,
            Self::Accelerate { .. } => Kind::Accelerate,
            Self::AttenuateOwn | Self::AttenuateEnemy => Kind::Attenuate,
            Self::Agitate { .. } => Kind::Agitate,
            Self::AggravateOwn | Self::AggravateEnemy => Kind::Aggravate,
        }
    }

    /// What it asks of the player.
    pub const fn question(self) -> &'static str {
        match self {
            Self::Annihilate { .. } => "ANNIHILATE: which block leaves the game?",
            Self::Automate => "AUTOMATE: which block from the supply do you add, and where?",
            Self::Accelerate { left: 3 } => "ACCELERATE: which three blocks do you take?",
            Self::Accelerate { left: 2 } => "ACCELERATE: which block do you take second?",
            Self::Accelerate { .. } => "ACCELERATE: which block do you take last?",
            Self::AttenuateOwn => "ATTENUATE: which of your own blocks goes back to the supply?",
            Self::AttenuateEnemy => "ATTENUATE: which enemy block goes back to the supply?",
            Self::Agitate { left: 2 } => "AGITATE: which enemy block do you move first, and where?",
            Self::Agitate { .. } => "AGITATE: which enemy block do you move now, and where?",
            Self::AggravateOwn => "AGGRAVATE: which block do you keep in your own hand?",
            Self::AggravateEnemy => "AGGRAVATE: which block stays in the enemy's hand?",
        }
    }

    /// How an answer is written.
    pub const fn example(self) -> &'static str {
        match self {
            Self::Annihilate { .. } | Self::AttenuateOwn | Self::AttenuateEnemy => "target 12",
            Self::Automate => "add 3 II",
            Self::Accelerate { .. } => "take 2L",
            Self::Agitate { .. } => "move 9 II",
            Self::AggravateOwn | Self::AggravateEnemy => "keep 2L",
        }
    }
}
