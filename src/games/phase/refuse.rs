//! Why a decision is refused: the reason and the way out.

use super::Phase;
use super::action::{Action, Pick};
use super::flow::{Question, TurnStage};
use super::pile::Inst;
use crate::game::Seat;
use crate::text::counted;

impl Phase {
    /// The refusal of something for which it is not the time.
    pub(super) fn nothing_such(&self, seat: Seat) -> String {
        format!("You can't do that now. {now}", now = self.now(seat))
    }

    /// What a player is asked now.
    fn now(&self, seat: Seat) -> String {
        if self.stage == TurnStage::Decks {
            return "Everybody chooses a deck now: bring yours, as in `bring wolfpack` or `bring lot`."
                .to_owned();
        }
        if self.stage == TurnStage::Setup {
            return "Put one hand card into your barracks, as in `enlist b`.".to_owned();
        }
        match self.ask.filter(|ask| ask.seat == seat).map(|ask| ask.what) {
            None => {
                "It isn't your turn to decide. You can pass in advance with `pass` or `pass turn`.".to_owned()
            }
            Some(Question::Attack) if self.runs_through() => {
                "Say `attack nexus with 3`, `maneuver` to act before the attack, or `done` for no attack this turn."
                    .to_owned()
            }
            Some(Question::Attack) => "Say `attack`, or `done` for no attack this turn.".to_owned(),
            Some(Question::Action) => "Take an action (`order b`, `skill 14`), or `pass`.".to_owned(),
            Some(Question::Target) => {
                "Choose what you attack: `target nexus` or `target player 2`.".to_owned()
            }
            Some(Question::Attackers) => {
                "Send a warrior with `with 3`; `done` when all are named.".to_owned()
            }
            Some(Question::Defenders) if self.runs_through() => {
                "Send a defender with `defend 5 with 9`. Then `pass`; or `done` to be asked in the fights, `pass unopposed` \
                 to be asked only in your own.".to_owned()
            }
            Some(Question::Defenders) => {
                "Send a defender with `defend 5 with 9`; `done` when all are named.".to_owned()
            }
            Some(Question::Skirmish) => {
                "Pick the next skirmish by its attacker, as in `skirmish 5`.".to_owned()
            }
            Some(Question::Training) => {
                "Train (`train 2`), take an action (`order b`, `skill 14`), or say `done`.".to_owned()
            }
            Some(Question::Choose) => format!("{question} Answer as in `on 14`.", question = self.question()),
            Some(Question::Pay) => format!("{question} Answer as in `pay 2`.", question = self.question()),
            Some(Question::Discard) => "Choose a hand card, as in `discard b`.".to_owned(),
            Some(Question::Divide(number)) => {
                format!("Say how much damage warrior {number} takes, as in `give {number} 2`.")
            }
        }
    }

    /// Why an action that reads well is not legal.
    pub(super) fn why_not(&self, seat: Seat, action: Action) -> String {
        let reason = match action {
            Action::Attacker(number) => self.why_not_attacker(seat, number),
            Action::Defend { attacker, defender } => self.why_not_defend(seat, attacker, defender),
            Action::Train(place) => self.why_not_train(seat, place),
            Action::Order(place) | Action::IdleOrder(place) => self.why_not_order(seat, place),
            Action::Skill { number, .. } | Action::IdleSkill { number, .. } => {
                self.why_not_skill(seat, number)
            }
            Action::Choose(pick) => self.why_not_choose(seat, pick),
            Action::Pay(place) => self.why_not_pay(seat, place),
            Action::Enlist(place) | Action::Discard(place) => {
                let held = self.player(seat).hand.len();
                (usize::from(place) > held || place == 0).then(|| self.hand_size(seat))
            }
            Action::Deal { .. } => Some(format!(
                "You have {damage} damage left to divide.",
                damage = self.undivided()
            )),
            Action::Deck(_)
            | Action::Pass
            | Action::PassHere
            | Action::PassWhatever
            | Action::PassUnopposed
            | Action::Attack
            | Action::Maneuver
            | Action::Target(_)
            | Action::Skirmish(_)
            | Action::Done
            | Action::Aside(_) => None,
        };
        match reason {
            Some(reason) => format!("{reason} {now}", now = self.now(seat)),
            None => self.nothing_such(seat),
        }
    }

    fn is_asked(&self, seat: Seat, question: Question) -> bool {
        self.ask
            .is_some_and(|ask| ask.seat == seat && ask.what == question)
    }

    fn acts(&self, seat: Seat) -> bool {
        self.is_asked(seat, Question::Action) || self.is_asked(seat, Question::Training)
    }

    /// What is wrong about a warrior, if there is one with this number.
    fn about(&self, number: u8, wrong: impl FnOnce(Inst) -> String) -> String {
        match self.numbered(number) {
            Some(inst) => wrong(inst),
            None => format!("There's no warrior {number}."),
        }
    }

    /// The same of a warrior that has to be the seat's own.
    fn about_own(&self, seat: Seat, number: u8, wrong: impl FnOnce(Inst) -> String) -> String {
        self.about(number, |inst| {
            if self.piece(inst).owner == seat {
                wrong(inst)
            } else {
                format!("{warrior} isn't yours.", warrior = self.face(inst).name)
            }
        })
    }

    /// What is wrong about a resource, if there is one at this place.
    fn about_resource(&self, seat: Seat, place: u8, wrong: impl FnOnce(Inst) -> String) -> String {
        let barracks = &self.player(seat).barracks;
        match barracks.at(place) {
            Some(inst) => wrong(inst),
            None => format!(
                "Your barracks have {resources}.",
                resources = counted(barracks.len(), "resource", "resources")
            ),
        }
    }

    fn hand_size(&self, seat: Seat) -> String {
        format!(
            "Your hand has {cards}.",
            cards = counted(self.player(seat).hand.len(), "card", "cards")
        )
    }

    fn why_not_attacker(&self, seat: Seat, number: u8) -> Option<String> {
        let wrong = |inst: Inst| {
            let name = &self.face(inst).name;
            if self.piece(inst).locked {
                format!("{name} is locked and can't attack.")
            } else {
                format!("{name} attacks already.")
            }
        };
        self.is_asked(seat, Question::Attackers)
            .then(|| self.about_own(seat, number, wrong))
    }

    fn why_not_defend(&self, seat: Seat, attacker: u8, defender: u8) -> Option<String> {
        let wrong = |against: Inst, inst: Inst| {
            let (piece, name, other) = (self.piece(inst), &self.face(inst).name, &self.face(against).name);
            if !self.is_attacking(against) {
                format!("{other} doesn't attack.")
            } else if piece.locked {
                format!("{name} is locked and can't defend.")
            } else if self.skirmish_of(inst).is_some() {
                format!("{name} defends already.")
            } else if piece.up == self.piece(against).up {
                format!(
                    "{name} and {other} are both {alignment}; a defender must be of the other alignment.",
                    alignment = piece.up
                )
            } else {
                format!("{name} has no Ally skill, and you don't defend the Nexus this turn.")
            }
        };
        self.is_asked(seat, Question::Defenders).then(|| {
            self.about(attacker, |against| {
                self.about_own(seat, defender, |inst| wrong(against, inst))
            })
        })
    }

    fn why_not_train(&self, seat: Seat, place: u8) -> Option<String> {
        let wrong = |inst: Inst| {
            let face = self.face(inst);
            let resources = self.unlocked_resources(seat);
            let others = resources.filter(|&other| other != inst).count();
            if self.piece(inst).locked {
                format!(
                    "{resource} is locked and can't be trained this turn.",
                    resource = face.name
                )
            } else {
                let others = counted(others, "other unlocked resource", "other unlocked resources");
                format!(
                    "{resource} costs {cost}, and you have {others}.",
                    resource = face.name,
                    cost = face.cost
                )
            }
        };
        self.is_asked(seat, Question::Training)
            .then(|| self.about_resource(seat, place, wrong))
    }

    fn why_not_order(&self, seat: Seat, place: u8) -> Option<String> {
        if !self.acts(seat) {
            return None;
        }
        let Some(inst) = self.player(seat).hand.at(place) else {
            return Some(self.hand_size(seat));
        };
        let face = self.face(inst);
        let takes = face.order.resources();
        Some(format!(
            "{card}'s order takes {takes}, and you have {own}.",
            card = face.name,
            takes = counted(takes, "unlocked resource", "unlocked resources"),
            own = self.unlocked_resources(seat).count()
        ))
    }

    fn why_not_skill(&self, seat: Seat, number: u8) -> Option<String> {
        let wrong = |inst: Inst| {
            let name = &self.face(inst).name;
            if self.action_skills(number).is_empty() {
                format!("{name} has no action skill.")
            } else if self.piece(inst).locked {
                format!("{name} is locked and can't use skills.")
            } else if self.current().is_some() && !self.in_current(inst) {
                format!("{name} isn't in this skirmish.")
            } else {
                format!("{name} has used that skill this turn, or you can't pay for it.")
            }
        };
        self.acts(seat).then(|| self.about_own(seat, number, wrong))
    }

    fn why_not_choose(&self, seat: Seat, pick: Pick) -> Option<String> {
        let wrong = |inst: Inst| {
            let (piece, name) = (self.piece(inst), &self.face(inst).name);
            if self.current().is_some() && !self.in_current(inst) {
                format!("{name} isn't in this skirmish.")
            } else if piece.locked && piece.owner == seat {
                format!("{name} is locked, and you can't choose a locked card of your own.")
            } else {
                format!("{name} can't be chosen for this.")
            }
        };
        self.is_asked(seat, Question::Choose).then(|| match pick {
            Pick::Warrior(number) => self.about(number, wrong),
            Pick::Resource(..) | Pick::Hand(..) | Pick::Discard(..) | Pick::DeckTop(_) | Pick::Player(_) => {
                "That can't be chosen for this.".to_owned()
            }
        })
    }

    fn why_not_pay(&self, seat: Seat, place: u8) -> Option<String> {
        let wrong = |inst: Inst| {
            let name = &self.face(inst).name;
            if self.piece(inst).locked {
                format!("{name} is locked and can't pay.")
            } else {
                format!("{name} can't pay for this: it has paid already, or is what is trained.")
            }
        };
        self.is_asked(seat, Question::Pay)
            .then(|| self.about_resource(seat, place, wrong))
    }
}
