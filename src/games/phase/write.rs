//! Writing an action: its canonical notation.

use super::Phase;
use super::action::{Action, Aside, Pick, Target, hand_letter};
use super::card::Skill;
use super::player::StandingPass;

impl Phase {
    pub(super) fn write(&self, action: Action) -> String {
        match action {
            Action::Deck(bring) => format!("bring {}", bring.name().unwrap_or_default()),
            Action::Enlist(place) => format!("enlist {}", hand_letter(place)),
            Action::Pass => "pass".to_owned(),
            Action::PassHere => "pass skirmish".to_owned(),
            Action::PassWhatever => "pass whatever".to_owned(),
            Action::PassUnopposed => "pass unopposed".to_owned(),
            Action::Attack => "attack".to_owned(),
            Action::Maneuver => "maneuver".to_owned(),
            Action::Target(target) => format!("target {}", target_name(target)),
            Action::Attacker(number) => format!("with {number}"),
            Action::Defend { attacker, defender } => format!("defend {attacker} with {defender}"),
            Action::Skirmish(number) => format!("skirmish {number}"),
            Action::Train(place) => format!("train {place}"),
            Action::Order(place) | Action::IdleOrder(place) => format!("order {}", hand_letter(place)),
            Action::Skill { number, skill } | Action::IdleSkill { number, skill } => {
                match self.skill_letter(number, skill) {
                    Some(letter) => format!("skill {number} {letter}"),
                    None => format!("skill {number}"),
                }
            }
            Action::Choose(pick) => format!("on {}", pick_name(pick)),
            Action::Pay(place) => format!("pay {place}"),
            Action::Discard(place) => format!("discard {}", hand_letter(place)),
            Action::Deal { defender, damage } => format!("give {defender} {damage}"),
            Action::Done => "done".to_owned(),
            Action::Aside(aside) => aside_name(aside),
        }
    }

    /// The letter that tells an action skill from the others of its face; none where it is the only one.
    pub(super) fn skill_letter(&self, number: u8, skill: u8) -> Option<char> {
        let places = self.action_skills(number);
        let at = places.iter().position(|&place| place == skill)?;
        (places.len() > 1).then(|| char::from(b'a' + at as u8 % 26))
    }

    /// The places of a warrior's action skills on its face.
    pub(super) fn action_skills(&self, number: u8) -> Vec<u8> {
        let Some(inst) = self.numbered(number) else {
            return Vec::new();
        };
        let skills = (0u8..).zip(&self.face(inst).skills);
        let actions = skills.filter(|(_, skill)| matches!(skill, Skill::Action(_)));
        actions.map(|(place, _)| place).collect()
    }
}

pub(super) fn target_name(target: Target) -> String {
    match target {
        Target::Nexus => "nexus".to_owned(),
        Target::Player(seat) => format!("player {seat}"),
    }
}

pub(super) fn pick_name(pick: Pick) -> String {
    match pick {
        Pick::Warrior(number) => number.to_string(),
        Pick::Resource(seat, place) => format!("resource {place} of player {seat}"),
        Pick::Hand(seat, place) => format!("hand {} of player {seat}", hand_letter(place)),
        Pick::Discard(seat, place) => format!("discard {place} of player {seat}"),
        Pick::DeckTop(seat) => format!("deck of player {seat}"),
        Pick::Player(seat) => format!("player {seat}"),
    }
}

impl Pick {
    /// What it is called where it is touched in a picture.
    pub fn spot(self) -> String {
        pick_name(self).replace(' ', "-")
    }
}

impl Target {
    /// What it is called where it is touched in a picture.
    pub fn spot(self) -> String {
        target_name(self).replace(' ', "-")
    }
}

fn aside_name(aside: Aside) -> String {
    match aside {
        Aside::Stop(stop, true) => format!("stop {}", stop.name()),
        Aside::Stop(stop, false) => format!("skip {}", stop.name()),
        Aside::Stand(StandingPass {
            until,
            whatever: false,
        }) => format!("stand {}", until.name()),
        Aside::Stand(StandingPass {
            until,
            whatever: true,
        }) => format!("stand {} whatever", until.name()),
        Aside::Wake => "stand off".to_owned(),
        Aside::Guard(true) => "always defend".to_owned(),
        Aside::Guard(false) => "always off".to_owned(),
        Aside::List => "standing".to_owned(),
    }
}
