//! What belongs to one seat: its zones, its influence, and how it wants to be asked.

use serde::{Deserialize, Serialize};

use super::flow::Question;
use super::pile::Pile;
use crate::text::names;

/// A seat at the table.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The last card is on top.
    pub deck: Pile,
    /// In draw order.
    pub hand: Pile,
    pub barracks: Pile,
    pub play: Pile,
    pub discard: Pile,
    /// Good and evil influence.
    pub influence: [u16; 2],
    /// The hand card chosen for the barracks before the game, hidden until all have chosen.
    pub chosen: Option<u8>,
    pub habits: Habits,
    /// Orders and action skills taken this turn.
    pub actions: u8,
    /// Something happened that ends a standing pass: this player is asked in this round after all.
    pub alert: bool,
    /// How often in a row this player's clock has run out.
    pub lapses: u8,
    /// What has gone by since this player last decided something: what they said behind that was for it.
    #[serde(default, skip_serializing_if = "GoneBy::is_nothing")]
    pub gone_by: GoneBy,
}

/// What has gone by; whatever stands further down counts for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoneBy {
    #[default]
    Nothing,
    /// The end of their turn, after which a new one begins.
    Turn,
    /// A round of actions in an attack, or the attack.
    Fights,
    /// The whole turn in which they decided it: it has ended after those fights, or without asking them what they train.
    All,
}

impl GoneBy {
    /// Of a saved player nothing is written then.
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

/// When the game waits for a player, as that player privately wishes. Rules file, "Playing over days".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Habits {
    pub maneuver: bool,
    pub skirmish_mine: bool,
    pub skirmish_other: bool,
    pub closing: bool,
    /// In the own attack: which skirmish comes next.
    #[serde(default)]
    pub order: bool,
    /// On others' turns: once more after an action of one's own.
    #[serde(default)]
    pub again: bool,
    /// Defends the Nexus by itself: a standing order.
    #[serde(default)]
    pub guard: bool,
    /// With the defence in the attack under way: in all its fights.
    #[serde(default)]
    pub watching: bool,
    /// With the defence in the attack under way: in fights with a warrior of one's own, and in no other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opposed_only: bool,
    pub standing: Option<StandingPass>,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            maneuver: false,
            skirmish_mine: true,
            skirmish_other: false,
            closing: false,
            order: false,
            again: false,
            guard: false,
            watching: false,
            opposed_only: false,
            standing: None,
        }
    }
}

impl Habits {
    /// The attack is over, and what was said with the defence.
    pub const fn end_attack(&mut self) {
        self.watching = false;
        self.opposed_only = false;
    }

    pub const fn stops_at(&self, stop: Stop) -> bool {
        match stop {
            Stop::Maneuver => self.maneuver,
            Stop::SkirmishMine => self.skirmish_mine,
            Stop::SkirmishOther => self.skirmish_other,
            Stop::Closing => self.closing,
            Stop::Order => self.order,
            Stop::Again => self.again,
        }
    }

    pub const fn set(&mut self, stop: Stop, on: bool) {
        match stop {
            Stop::Maneuver => self.maneuver = on,
            Stop::SkirmishMine => self.skirmish_mine = on,
            Stop::SkirmishOther => self.skirmish_other = on,
            Stop::Closing => self.closing = on,
            Stop::Order => self.order = on,
            Stop::Again => self.again = on,
        }
    }
}

/// Where one may want to be asked: kinds of action rounds of other players' turns, which of the own skirmishes comes next,
/// and once more after an action of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    Maneuver,
    /// A skirmish with a warrior of mine in it, or about my influence. One about the Nexus that I defend is mine, too, if I
    /// ended my defence with `done`; where fights don't run through, always.
    SkirmishMine,
    /// Any other. Whoever defends the Nexus and has nobody to send is asked nothing in the attack but for this stop.
    SkirmishOther,
    Closing,
    Order,
    Again,
}

names! {
    Stop {
        Maneuver = "maneuver",
        SkirmishMine = "skirmish-mine",
        SkirmishOther = "skirmish-other",
        Closing = "closing",
        Order = "order",
        Again = "again",
    }
}

/// Passes given for more than one question, or before being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingPass {
    pub until: Until,
    /// `pass whatever`: it stands whatever the others do.
    pub whatever: bool,
}

/// How long a standing pass stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// The next question in an action round.
    Once,
    /// The end of this skirmish, or of the next one.
    Skirmish,
    /// The end of all skirmishes of this attack, or of the next one.
    Fights,
    /// The end of the turn.
    Turn,
    /// Until the own influence is attacked, or a card of one's own is chosen: over many turns of the others.
    Attacked,
}

impl Until {
    /// Whether a pass for so long is an answer to what its player is asked, too. One for fights that are still to come
    /// attacks nobody, and one over many turns is for those of the others.
    pub const fn answers(self, question: Question) -> bool {
        match self {
            Self::Attacked => matches!(question, Question::Action),
            Self::Skirmish | Self::Fights => matches!(question, Question::Action | Question::Defenders),
            Self::Once => matches!(
                question,
                Question::Action | Question::Defenders | Question::Training
            ),
            Self::Turn => matches!(
                question,
                Question::Action | Question::Defenders | Question::Training | Question::Attack
            ),
        }
    }
}

names! {
    Until {
        Once = "once",
        Skirmish = "skirmish",
        Fights = "fights",
        Turn = "turn",
        Attacked = "attacked",
    }
}
