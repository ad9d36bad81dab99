//! What a player can decide: every decision is one small choice.

use serde::{Deserialize, Serialize};

use super::bring::Bring;
use super::player::{StandingPass, Stop};
use crate::game::Seat;

/// One decision. The order is that of legal lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Before the cards are dealt: the deck that a player brings, in secret.
    Deck(Bring),
    /// Before the game: the hand card at this place goes into the barracks.
    Enlist(u8),
    /// No action: in a round of its own this time, in a skirmish in all that are left, unless somebody acts. Where
    /// defenders are declared: no more of them, and no action in the skirmishes either.
    Pass,
    /// No action in this skirmish; in the next one perhaps.
    PassHere,
    /// Where defenders are declared: no more of them, and no action in the skirmishes, whatever anybody does.
    PassWhatever,
    /// Where defenders are declared: no more of them, and no action in skirmishes that the player's own warriors are not in.
    PassUnopposed,
    /// There is an attack this turn.
    Attack,
    /// There is an attack, and its player acts before it is declared.
    Maneuver,
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

/// The letter by which a card of a hand is called, so that numbers are for the barracks and for warriors.
pub const fn hand_letter(place: u8) -> char {
    // No hand holds more than a deck, which has less than 26 cards.
    (b'a' + place.wrapping_sub(1) % 26) as char
}

/// The place in a hand that a letter means.
pub fn hand_place(letter: &str) -> Option<u8> {
    match letter.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(letter - b'a' + 1),
        _ => None,
    }
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
    Stand(StandingPass),
    /// No passes in advance any more.
    Wake,
    /// Defend the Nexus by itself, or don't.
    Guard(bool),
    /// Which wishes are in force.
    List,
}
