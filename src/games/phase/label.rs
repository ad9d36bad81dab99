//! What a decision does, in a few words and from what its player knows.

use super::Phase;
use super::action::{Action, Pick, Target, hand_letter};
use super::bring::Bring;
use super::card::{Skill, text};
use super::flow::{Chosen, Question};
use super::pile::Inst;
use super::write::pick_name;
use crate::game::Seat;

/// What players also call it.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("block", "defend"),
    ("guard", "defend"),
    ("recruit", "train"),
    ("hire", "train"),
    ("cast", "order"),
    ("use", "skill"),
    ("activate", "skill"),
    ("ability", "skill"),
    ("fight", "attack"),
    ("capture", "attack"),
    ("hit", "attack"),
    ("end", "done"),
    ("stop", "done"),
    ("finish", "done"),
    ("nothing", "done"),
    ("skip", "pass"),
    ("throw", "discard"),
    ("choose", "on"),
    ("pick", "on"),
    ("resource", "enlist"),
];

impl Phase {
    /// "train Squeezle (resource 2, cost 3)", "defend against 5 Ash Hound 2/2 with 9 Gladiator 1/3".
    pub(super) fn in_words(&self, seat: Seat, action: Action) -> String {
        match action {
            Action::Deck(bring) => self.deck_label(bring),
            Action::Enlist(place) => format!("enlist {} as your first resource", self.hand_card(seat, place)),
            Action::Pass => format!("pass: {}", self.pass_help()),
            Action::PassHere => "pass skirmish: no action in this one".to_owned(),
            Action::PassWhatever => {
                "pass whatever: no more defenders, and no action in the fights whatever happens".to_owned()
            }
            Action::PassUnopposed => {
                "pass unopposed: no more defenders, and I ask you only in the fights of your own warriors"
                    .to_owned()
            }
            Action::Attack => "attack this turn".to_owned(),
            Action::Maneuver => "maneuver: act before you declare the attack".to_owned(),
            Action::Target(Target::Nexus) => "attack the Nexus: gain influence".to_owned(),
            Action::Target(Target::Player(other)) => format!("attack player {other}: they lose influence"),
            Action::Attacker(number) => format!("attack with {}", self.warrior(seat, number)),
            Action::Defend { attacker, defender } => format!(
                "defend against {} with {}",
                self.warrior(seat, attacker),
                self.warrior(seat, defender)
            ),
            Action::Skirmish(number) => {
                format!("resolve the skirmish of {} next", self.warrior(seat, number))
            }
            Action::Train(place) => match self.player(seat).barracks.at(place) {
                Some(inst) => {
                    let face = self.face(inst);
                    format!(
                        "train {} {}/{} (resource {place}, cost {})",
                        face.name, face.attack, face.defense, face.cost
                    )
                }
                None => format!("train resource {place}"),
            },
            Action::Order(place) | Action::IdleOrder(place) => {
                let card = self.hand_card(seat, place);
                match self.player(seat).hand.at(place).map(|inst| self.face(inst)) {
                    Some(_) if action == Action::IdleOrder(place) => {
                        format!("order of {card}: no effect now")
                    }
                    Some(face) => format!("order of {card}: {}", text::ability(&face.order)),
                    None => format!("order of {card}"),
                }
            }
            Action::Skill { number, skill } => self.skill_in_words(seat, number, skill, None),
            Action::IdleSkill { number, skill } => {
                self.skill_in_words(seat, number, skill, Some("no effect now"))
            }
            Action::Choose(pick) => format!("choose {}", self.pick_in_words(seat, pick)),
            Action::Pay(place) => format!("pay with {}", self.resource(seat, place)),
            Action::Discard(place) => format!("discard {}", self.hand_card(seat, place)),
            Action::Deal { defender, damage } => {
                format!("give {damage} damage to {}", self.warrior(seat, defender))
            }
            Action::Done => match self.ask.map(|ask| ask.what) {
                Some(Question::Attack) => "done: no attack this turn".to_owned(),
                Some(Question::Attackers) => "done: no more attackers".to_owned(),
                Some(Question::Defenders) if self.runs_through() => {
                    "done: no more defenders, and I ask you in the fights".to_owned()
                }
                Some(Question::Defenders) => "done: no more defenders".to_owned(),
                Some(Question::Training) => "done: end the training step".to_owned(),
                _ => "done: choose no more".to_owned(),
            },
            Action::Aside(_) => self.write(action),
        }
    }

    fn skill_in_words(&self, seat: Seat, number: u8, skill: u8, idle: Option<&str>) -> String {
        let letter = self.skill_letter(number, skill);
        let letter = letter.map(|letter| format!(" {letter}")).unwrap_or_default();
        let mut label = format!("skill{letter} of {}", self.warrior(seat, number));
        let skills = self.numbered(number).map(|inst| &self.face(inst).skills);
        let ability = skills.and_then(|skills| match skills.get(usize::from(skill)) {
            Some(Skill::Action(ability)) => Some(text::ability(ability)),
            _ => None,
        });
        if let Some(does) = idle.map(str::to_owned).or(ability) {
            label.push_str(&format!(": {does}"));
        }
        label
    }

    fn pick_in_words(&self, seat: Seat, pick: Pick) -> String {
        let card = match self.picked(pick) {
            Some(Chosen::Card(inst)) => Some(inst),
            _ => None,
        };
        match (pick, card) {
            (Pick::Warrior(_), Some(inst)) => self.warrior(seat, self.piece(inst).number),
            (_, Some(inst)) => format!("{}: {}", pick_name(pick), self.name_to(seat, inst)),
            (_, None) => pick_name(pick),
        }
    }

    /// What a seat may call a card: of another's hand only the face turned outward is known.
    fn name_to(&self, seat: Seat, inst: Inst) -> &'static str {
        let own = self.piece(inst).owner == seat;
        let face = if own {
            self.face(inst)
        } else {
            self.open_face(inst)
        };
        &face.name
    }

    fn warrior(&self, seat: Seat, number: u8) -> String {
        self.warrior_word("", seat, number).in_full()
    }

    fn hand_card(&self, seat: Seat, place: u8) -> String {
        match self.player(seat).hand.at(place) {
            Some(inst) => format!("{} (hand {})", self.face(inst).name, hand_letter(place)),
            None => format!("hand {}", hand_letter(place)),
        }
    }

    fn resource(&self, seat: Seat, place: u8) -> String {
        match self.player(seat).barracks.at(place) {
            Some(inst) => {
                let behind = self.side(inst, self.piece(inst).up.other());
                format!(
                    "{} (resource {place}, behind it {})",
                    self.face(inst).name,
                    behind.name
                )
            }
            None => format!("resource {place}"),
        }
    }

    /// A deck that is brought: "bring wolfpack: Fengarian".
    fn deck_label(&self, bring: Bring) -> String {
        let name = bring.name().unwrap_or_default();
        match bring {
            Bring::Lot => "bring any of the ready decks, by lot".to_owned(),
            Bring::Ready(_) => match self.ready_deck(bring) {
                Some(ready) => format!("bring {name}: {}", ready.deck.faction()),
                None => format!("bring {name}"),
            },
            Bring::Own(_) => format!("bring your own {name}"),
        }
    }
}
