//! What cards do, as data: costs, choices, references, amounts, conditions and verbs.
//!
//! The rules interpret these values and the card text is written from them, so what a card says and what it
//! does can't disagree. Effects are small programs without loops: an [`Effect`] first lists what is chosen, then
//! what is done, in printed order.

use serde::{Deserialize, Serialize};

use super::face::{Alignment, Keyword};

/// An action: costs in printed order, then the effect. Orders and action skills are abilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ability {
    pub costs: Vec<Cost>,
    pub effect: Effect,
}

impl Ability {
    /// How many resources the whole cost takes, each of them a different one.
    pub fn resources(&self) -> u8 {
        let part = |cost: &Cost| match *cost {
            Cost::Lock(n) | Cost::Phase(n) => n,
        };
        self.costs.iter().map(part).sum()
    }
}

/// Reads what the card files write after `order` or `action`: `lock 1 phase 2: draw 2`.
impl std::str::FromStr for Ability {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        super::read::ability(text).map_err(Unreadable)
    }
}

/// Why an ability can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(String);

/// One part of a cost, paid with own unlocked resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    Lock(u8),
    Phase(u8),
}

/// What is chosen when the effect is announced (or, for a trigger, when it resolves), and what then happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    pub choices: Vec<CardChoice>,
    pub steps: Vec<CardVerb>,
}

/// One choice; [`Reference::Chosen`] and [`Who::Chosen`] name it by its place in the list, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardChoice {
    /// So many different cards of a group; `up_to` allows fewer, none included.
    Cards { group: Group, count: u8, up_to: bool },
    /// One player: an opponent, or anybody.
    Player { side: CardSide },
}

/// Cards by owner, place and nature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub side: CardSide,
    pub zone: CardZone,
    pub filters: Vec<Filter>,
}

/// Whose cards, seen from the player of the effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSide {
    Mine,
    Opponents,
    Any,
}

/// Where cards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardZone {
    /// Warriors.
    Play,
    /// Resources.
    Barracks,
    Hand,
    Discard,
    /// The top card of the deck, if there is one.
    DeckTop,
}

/// What a card must be like to belong to a group. All facts are those of the active side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    Aligned(Alignment),
    Attacking,
    Defending,
    /// In a skirmish with at least one enemy warrior still in it.
    Opposed,
    /// In a skirmish without an enemy warrior.
    Unopposed,
    Locked,
    Unlocked,
    Damaged,
    /// Not the card whose effect this is.
    Other,
    /// In this warrior's skirmish, on the other side.
    OpposingThis,
    /// Training cost.
    CostAtMost(u8),
    CostAtLeast(u8),
    /// Attack as modified now.
    AttackAtMost(i8),
    /// Defense as modified now, damage not subtracted.
    DefenseAtMost(i8),
    /// Printed or granted.
    Has(Keyword),
}

/// The cards that a verb, an amount or a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The card whose skill this is. Orders never say it.
    This,
    /// All cards of the choice with this place in the list.
    Chosen(u8),
    /// All cards of the group; this is not choosing.
    Each(Group),
    /// The warriors that this one faces in its skirmish.
    OpposingThis,
}

impl Reference {
    /// The group that the cards come from, if they come from one, in an effect with these choices.
    pub fn group<'e>(&'e self, choices: &'e [CardChoice]) -> Option<&'e Group> {
        match self {
            Self::Each(group) => Some(group),
            Self::Chosen(place) => match choices.get(usize::from(*place))? {
                CardChoice::Cards { group, .. } => Some(group),
                CardChoice::Player { .. } => None,
            },
            Self::This | Self::OpposingThis => None,
        }
    }
}

/// The players that a verb or an amount is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    Me,
    EachOpponent,
    Everyone,
    /// The player of that choice.
    Chosen(u8),
    /// The owner of the card; nobody where there is none.
    OwnerOf(Reference),
}

/// A number read off the table when the verb is carried out. Of several cards or players it is the sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    Number(i8),
    /// How many cards there are in a group.
    Count(Group),
    Cost(Reference),
    /// The absolute difference of the training costs of a card's two faces.
    CostDifference(Reference),
    Attack(Reference),
    Defense(Reference),
    Damage(Reference),
    HandSize(Who),
    Influence(Who, Alignment),
    Negated(Box<Amount>),
    /// The amount, but at most so much.
    Capped(Box<Amount>, i8),
}

/// Something that is so or not when the verb is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// There is such a card, and each of them passes the filter.
    Is(Reference, Filter),
    AtLeast(Amount, i8),
    /// The player of the effect is the active player.
    MyTurn,
    /// A skirmish is being resolved.
    InSkirmish,
    /// The Nexus holds at most so much of one kind.
    NexusAtMost(Alignment, u8),
    /// An opponent has more influence of one kind than I have of either.
    Behind,
    /// The cards were destroyed since this effect began, or are due to be.
    Destroyed(Reference),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// The facts that it comes down to, whatever it denies or joins.
    pub fn facts(&self) -> Vec<&Self> {
        match self {
            Self::Not(denied) => denied.facts(),
            Self::All(joined) | Self::Any(joined) => joined.iter().flat_map(Self::facts).collect(),
            Self::Is(..)
            | Self::AtLeast(..)
            | Self::MyTurn
            | Self::InSkirmish
            | Self::NexusAtMost(..)
            | Self::Behind
            | Self::Destroyed(_) => vec![self],
        }
    }

    /// The cards that it asks about.
    pub fn cards(&self) -> impl Iterator<Item = &Reference> {
        self.facts().into_iter().filter_map(|fact| {
            if let Self::Is(what, _) | Self::Destroyed(what) = fact {
                Some(what)
            } else {
                None
            }
        })
    }

    /// The numbers that it reads.
    pub fn amounts(&self) -> impl Iterator<Item = &Amount> {
        self.facts().into_iter().filter_map(|fact| {
            if let Self::AtLeast(amount, _) = fact {
                Some(amount)
            } else {
                None
            }
        })
    }
}

/// One thing that happens. What can't be done is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardVerb {
    /// Attack and defense until the turn ends.
    Buff {
        what: Reference,
        attack: Amount,
        defense: Amount,
    },
    Damage {
        what: Reference,
        amount: Amount,
    },
    /// Removes damage.
    Heal {
        what: Reference,
        amount: Amount,
    },
    Phase(Reference),
    Lock(Reference),
    Unlock(Reference),
    Destroy(Reference),
    /// A skill until the turn ends.
    Grant {
        what: Reference,
        skill: Granted,
    },
    Draw {
        who: Who,
        count: Amount,
    },
    /// Each of the players discards that many cards of their own choice from their hand.
    Discard {
        who: Who,
        count: Amount,
    },
    /// From the top of the deck into the barracks.
    Enlist {
        who: Who,
        count: Amount,
        locked: bool,
    },
    Gain {
        who: Who,
        alignment: Alignment,
        amount: Amount,
    },
    Lose {
        who: Who,
        alignment: Alignment,
        amount: Amount,
    },
    /// To a place of the card's owner, active side kept.
    Move {
        what: Reference,
        to: Place,
    },
    /// The player of the effect looks at the other side of the cards, and nobody else does.
    Peek(Reference),
    If {
        condition: Condition,
        then: Vec<CardVerb>,
        otherwise: Vec<CardVerb>,
    },
}

impl CardVerb {
    /// The cards to which it does something.
    pub const fn cards(&self) -> Option<&Reference> {
        self.objects().0
    }

    /// The players to whom it does something.
    pub const fn players(&self) -> Option<&Who> {
        self.objects().1
    }

    const fn objects(&self) -> (Option<&Reference>, Option<&Who>) {
        match self {
            Self::Buff { what, .. }
            | Self::Damage { what, .. }
            | Self::Heal { what, .. }
            | Self::Phase(what)
            | Self::Lock(what)
            | Self::Unlock(what)
            | Self::Destroy(what)
            | Self::Grant { what, .. }
            | Self::Move { what, .. }
            | Self::Peek(what) => (Some(what), None),
            Self::Draw { who, .. }
            | Self::Discard { who, .. }
            | Self::Enlist { who, .. }
            | Self::Gain { who, .. }
            | Self::Lose { who, .. } => (None, Some(who)),
            Self::If { .. } => (None, None),
        }
    }

    /// How much it does, where it counts.
    pub fn amounts(&self) -> impl Iterator<Item = &Amount> {
        let amounts = match self {
            Self::Buff { attack, defense, .. } => [Some(attack), Some(defense)],
            Self::Damage { amount, .. }
            | Self::Heal { amount, .. }
            | Self::Draw { count: amount, .. }
            | Self::Discard { count: amount, .. }
            | Self::Enlist { count: amount, .. }
            | Self::Gain { amount, .. }
            | Self::Lose { amount, .. } => [Some(amount), None],
            Self::Phase(_)
            | Self::Lock(_)
            | Self::Unlock(_)
            | Self::Destroy(_)
            | Self::Grant { .. }
            | Self::Move { .. }
            | Self::Peek(_)
            | Self::If { .. } => [None, None],
        };
        amounts.into_iter().flatten()
    }
}

/// A skill that an effect can lend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    Swift,
    Ally,
}

impl Granted {
    pub const fn keyword(self) -> Keyword {
        match self {
            Self::Swift => Keyword::Swift,
            Self::Ally => Keyword::Ally,
        }
    }
}

/// Where [`CardVerb::Move`] puts a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Play,
    Barracks,
    BarracksLocked,
    Hand,
    Discard,
    DeckTop,
}
