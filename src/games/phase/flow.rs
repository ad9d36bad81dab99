//! Where in its turn the game is, and what it is in the middle of.

use serde::{Deserialize, Serialize};

use super::action::Target;
use super::card::Alignment;
use super::pile::Inst;
use crate::game::{Seat, SeatSet};

/// The segment of the turn. Rulebook, "On your turn".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnStage {
    /// Some players choose the decks that they bring, in secret.
    Decks,
    /// Everybody chooses a first resource. "Initial setup".
    Setup,
    /// The active player may attack.
    Attack,
    /// "Maneuvering".
    Maneuver,
    /// "Declare attackers": the target, then the warriors.
    Target,
    Attackers,
    /// "Declare defenders", by this player.
    Defenders(Seat),
    /// The active player picks a skirmish.
    Pick,
    /// "Skirmish segment": action round, then resolution.
    Skirmish,
    /// "Training step".
    Training,
    /// The action round that ends the turn.
    Closing,
}

impl TurnStage {
    /// Before the first turn.
    pub const fn is_opening(self) -> bool {
        matches!(self, Self::Decks | Self::Setup)
    }
}

/// An action round. "The action round".
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    pub next: Seat,
    /// Who has passed since the last action.
    pub passed: SeatSet,
    /// Who acted last in it, if anybody did.
    #[serde(default)]
    pub acted: Option<Seat>,
}

/// The attack of this turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Who may defend the Nexus.
    pub defender: Seat,
    pub target: Option<Target>,
    /// One for each attacker, in order of declaration.
    pub skirmishes: Vec<Skirmish>,
    /// The one that is being resolved.
    pub current: Option<u8>,
    /// Its player has picked it, so that nothing else comes first.
    #[serde(default)]
    pub picked: bool,
}

/// One attacker and whoever was sent against it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skirmish {
    pub attacker: Inst,
    /// Those still in it.
    pub defenders: Vec<Inst>,
    /// It is over, or its attacker is gone.
    pub done: bool,
}

/// A skirmish whose action round is over. "Resolution".
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fight {
    /// A defender was left when resolution began, so the target is safe.
    pub opposed: bool,
    /// Those who deal their damage first.
    pub swift: Vec<Inst>,
    pub step: FightStep,
    /// How the attacker's player divides its damage: so much to each defender, in order, as far as decided.
    pub shares: Vec<(Inst, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FightStep {
    Swift,
    Rest,
    /// "Phase attacker".
    Home,
    Over,
}

/// An order, a skill, a trigger or a training that is being carried out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doing {
    pub seat: Seat,
    pub kind: Kind,
    pub card: Inst,
    /// The face whose text it is.
    pub side: Alignment,
    pub at: Progress,
    /// What was chosen, with the choice that it answers.
    pub chosen: Vec<(u8, Chosen)>,
    /// The resources that have paid.
    pub paid: Vec<Inst>,
    /// Who still has to discard how many.
    pub discards: Vec<(Seat, u8)>,
}

/// What is being carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Order,
    /// The skill with this place in the list of the face.
    Skill(u8),
    Trigger(u8),
    Train,
}

/// How far it has come. Rules file, "Action rounds": announce and choose, pay, do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    Choose { choice: u8 },
    Pay { part: u8, left: u8 },
    Run(Path),
}

impl Progress {
    /// Whether the rules can go on from here; an index past the end of an effect is fine, and ends it.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Choose { .. } | Self::Pay { .. } => true,
            Self::Run(path) => path.steps().iter().all(|step| *step < 100) && path.len <= 9,
        }
    }
}

/// Something that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chosen {
    Card(Inst),
    Player(Seat),
}

/// A place in the nested steps of an effect: the index of a step, then for each `if` around it the branch (0
/// then, 1 otherwise) and the index there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    len: u8,
    at: [u8; 9],
}

impl Path {
    /// The first step.
    pub const START: Self = Self { len: 1, at: [0; 9] };

    pub fn steps(&self) -> &[u8] {
        &self.at[..usize::from(self.len).min(9)]
    }

    /// Into a branch of the `if` that is here. Where cards nest deeper than any does, the branch is skipped.
    pub fn enter(&mut self, branch: u8) -> bool {
        let len = usize::from(self.len);
        if len + 2 > self.at.len() {
            return false;
        }
        self.at[len] = branch;
        self.at[len + 1] = 0;
        self.len += 2;
        true
    }

    /// To the next step of the same list.
    pub fn advance(&mut self) {
        if let Some(last) = self.at.get_mut(usize::from(self.len).wrapping_sub(1)) {
            *last += 1;
        }
    }

    /// Out of a branch that is over; nothing is left when the outermost list is.
    pub fn leave(&mut self) -> bool {
        if self.len < 3 {
            return false;
        }
        self.len -= 2;
        self.advance();
        true
    }
}

/// A skill that was triggered and waits for its turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    pub card: Inst,
    /// The face that was triggered; an Elite warrior's face shows when it comes to it.
    pub side: Option<Alignment>,
    /// The place of the skill on that face.
    pub skill: u8,
}

/// What is asked of whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    pub seat: Seat,
    pub what: Question,
}

/// A question to one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Attack or not.
    Attack,
    /// An action, or a pass.
    Action,
    Target,
    Attackers,
    Defenders,
    Skirmish,
    Training,
    /// A choice of the effect that is being carried out.
    Choose,
    /// A resource to lock or to phase.
    Pay,
    /// A hand card to discard.
    Discard,
    /// How much damage this defender takes.
    Divide(u8),
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// A pool of the Nexus is empty and the round has been played to its end.
    Emptied,
    /// 25 rounds are over.
    TooLong,
    /// One player is left.
    Alone,
}
