//! What the owner of a hand can do with it now, as far as the view tells.

use crate::games::phase::card::{Face, Skill};
use crate::games::phase::flow::{Question, TurnStage};
use crate::games::phase::view::{CardView, PlayerView, View, WarriorView};

/// What a player has to pay with, and what is asked of that player.
#[derive(Clone, Debug)]
pub(super) struct Means {
    resources: usize,
    /// Those of them that can pay.
    unlocked: u8,
    /// The question, if it is this player's.
    asked: Option<Question>,
    stage: TurnStage,
    /// Before the first turn: the card chosen for the barracks, if one is.
    chosen: Option<u8>,
    /// The warriors that may act: in a skirmish only those in it.
    in_scope: Vec<u8>,
}

impl Means {
    pub fn of(view: &View, player: &PlayerView) -> Self {
        let asked = view.ask.filter(|ask| ask.seat == player.seat).map(|ask| ask.what);
        let current = view
            .attack
            .iter()
            .flat_map(|attack| &attack.skirmishes)
            .find(|skirmish| skirmish.current);
        let fights = |number: u8| {
            view.stage != TurnStage::Skirmish
                || current.is_some_and(|skirmish| {
                    skirmish.attacker == number || skirmish.defenders.contains(&number)
                })
        };
        Self {
            resources: player.barracks.len(),
            unlocked: player.barracks.iter().filter(|card| !card.locked).count() as u8,
            asked,
            stage: view.stage,
            chosen: view.own.as_ref().and_then(|own| own.chosen),
            in_scope: player
                .warriors
                .iter()
                .map(|warrior| warrior.number)
                .filter(|&number| fights(number))
                .collect(),
        }
    }

    /// An order may be given, or a skill used.
    const fn acts(&self) -> bool {
        matches!(self.asked, Some(Question::Action | Question::Training))
    }

    /// "3 of 5 resources can pay".
    pub fn summary(&self) -> String {
        match self.resources {
            0 => "no resources".to_owned(),
            1 => format!("{} of 1 resource can pay", self.unlocked),
            all => format!("{} of {all} resources can pay", self.unlocked),
        }
    }

    /// What to say of a hand card, and whether it can be used now.
    pub fn of_hand_card(&self, place: u8, active: &Face) -> (String, bool) {
        if self.stage == TurnStage::Setup {
            return match self.chosen {
                Some(chosen) if chosen == place => ("✓ goes into your barracks".to_owned(), true),
                Some(_) => ("stays in your hand".to_owned(), false),
                None => ("may go into your barracks".to_owned(), false),
            };
        }
        if self.asked == Some(Question::Discard) {
            return ("may be discarded now".to_owned(), true);
        }
        let needed = active.order.resources();
        let short = needed.saturating_sub(self.unlocked);
        match (short, self.acts(), needed) {
            (0, true, 0) => ("✓ free to give now".to_owned(), true),
            (0, true, _) => ("✓ you can pay for it now".to_owned(), true),
            (0, false, 0) => ("free".to_owned(), false),
            (0, false, _) => ("you could pay for it".to_owned(), false),
            (1, ..) => ("one unlocked resource too few".to_owned(), false),
            (short, ..) => (format!("{short} unlocked resources too few"), false),
        }
    }

    /// Whether a resource can be trained now: unlocked, and enough others to phase.
    pub fn trains(&self, card: &CardView) -> bool {
        self.asked == Some(Question::Training) && !card.locked && card.face.cost < self.unlocked
    }

    /// What the frames around resources mean.
    pub fn training(&self) -> Option<&'static str> {
        (self.asked == Some(Question::Training))
            .then_some("✓ A thick frame: you can train it now, with the others to pay.")
    }

    /// What to say of a warrior with action skills.
    pub fn of_warrior(&self, warrior: &WarriorView) -> Option<(&'static str, bool)> {
        let mut actions = (0u8..)
            .zip(&warrior.face.skills)
            .filter_map(|(place, skill)| match skill {
                Skill::Action(action) => Some((place, action)),
                _ => None,
            })
            .peekable();
        actions.peek()?;
        if warrior.locked {
            return Some(("locked: its action has to wait", false));
        }
        let mut fresh = actions
            .filter(|(place, _)| !warrior.used.contains(place))
            .peekable();
        if fresh.peek().is_none() {
            return Some(("used this turn", false));
        }
        let payable = fresh.any(|(_, action)| action.resources() <= self.unlocked);
        match (payable, self.acts()) {
            (false, _) => Some(("too few unlocked resources for its action", false)),
            (true, true) if self.in_scope.contains(&warrior.number) => {
                Some(("✓ you can use its action now", true))
            }
            (true, true) => Some(("not in this skirmish", false)),
            (true, false) => None,
        }
    }
}
