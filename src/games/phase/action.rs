//! What a player can decide: every decision is one small choice.

use serde::{Deserialize, Serialize};

use super::bring::Bring;
use super::player::{Standing, Stop};
use crate::game::Seat;

/// One decision. The order is that of legal lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Before the cards are dealt: the deck that a player brings, in secret.
    Deck(Bring),
    /// Before the game: the hand card at this place goes into the barracks.
    Enlist(u8),
    /// No action in this round, this time.
    Pass,
    /// There is an attack this turn.
    Attack,
    /// What is attacked.
    Target(Target),
    /// A warrior joins the attack.
    Attacker(u8),
    /// A warrior is sent against an attacker.
    Defend { attacker: u8, defender: u8 },
    /// The skirmish that is resolved next, by its attacker.
    Skirmish(u8),
    /// The resource at this place is trained.
    Train(u8),
    /// The hand card at this place gives its order.
    Order(u8),
    /// A warrior uses an action skill, counted from 0.
    Skill { number: u8, skill: u8 },
    /// Something that an effect chooses.
    Choose(Pick),
    /// The own resource at this place pays: it is phased or locked.
    Pay(u8),
    /// The hand card at this place is discarded.
    Discard(u8),
    /// So much of the attacker's damage goes to a defender.
    Deal { defender: u8, damage: u8 },
    /// Nothing more: no attack, no more attackers, defenders, choices or training.
    Done,
    /// An order that finds nothing to choose: it is paid and discarded without effect.
    IdleOrder(u8),
    /// An action skill that finds nothing to choose.
    IdleSkill { number: u8, skill: u8 },
    /// A private word about when to be asked. Never in a legal list: it may be given at any time and changes
    /// nothing that others see.
    Aside(Aside),
}

/// What an attack goes for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    Nexus,
    Player(Seat),
}

/// Something that an effect can choose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// By its number.
    Warrior(u8),
    /// By owner and place.
    Resource(Seat, u8),
    Hand(Seat, u8),
    Discard(Seat, u8),
    /// The top card of a player's deck.
    DeckTop(Seat),
    Player(Seat),
}

/// A private setting. Rules file, "Playing over days".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Aside {
    /// Ask me there, or don't.
    Stop(Stop, bool),
    /// Passes in advance.
    Stand(Standing),
    /// No passes in advance any more.
    Wake,
}
