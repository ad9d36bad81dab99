//! What a player may decide now: the legal actions.

use super::action::{Action, Target};
use super::card::Alignment;
use super::flow::{Doing, Kind, Progress, Question, TurnStage};
use super::pile::Inst;
use super::{MOST_ACTIONS, Phase};
use crate::game::{Seat, SeatSet};

impl Phase {
    /// Who has not yet chosen a first resource.
    pub(super) fn unready(&self) -> SeatSet {
        let remaining = self.remaining();
        remaining
            .iter()
            .filter(|&seat| self.player(seat).chosen.is_none())
            .collect()
    }

    /// Appends what a seat may decide, in no particular order.
    pub(super) fn offer(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.end.is_some() {
            return;
        }
        if self.stage == TurnStage::Decks {
            if self.undecided().contains(seat) {
                out.extend(self.ready_to_bring().map(Action::Deck));
            }
            return;
        }
        if self.stage == TurnStage::Setup {
            if self.unready().contains(seat) {
                out.extend((1..=self.player(seat).hand.len() as u8).map(Action::Enlist));
            }
            return;
        }
        let Some(ask) = self.ask.filter(|ask| ask.seat == seat) else {
            return;
        };
        match ask.what {
            Question::Attack => {
                out.extend([Action::Attack, Action::Done]);
                if self.runs_through() {
                    out.push(Action::Maneuver);
                }
            }
            Question::Action => {
                out.push(Action::Pass);
                if self.passes_run_on() {
                    out.push(Action::PassHere);
                }
                if seat == self.active && self.may_pick_another() {
                    let current = self.current().map(|skirmish| skirmish.attacker);
                    let others = self.open_attackers().filter(|&inst| Some(inst) != current);
                    out.extend(others.map(|inst| Action::Skirmish(self.piece(inst).number)));
                }
                self.offer_actions(seat, out);
            }
            Question::Target => {
                out.push(Action::Target(Target::Nexus));
                let others = self.clockwise(seat).filter(|&other| other != seat);
                out.extend(others.map(|other| Action::Target(Target::Player(other))));
            }
            Question::Attackers => {
                out.extend(
                    self.free_attackers()
                        .map(|inst| Action::Attacker(self.piece(inst).number)),
                );
                if self
                    .attack
                    .as_ref()
                    .is_some_and(|attack| !attack.skirmishes.is_empty())
                {
                    out.push(Action::Done);
                }
            }
            Question::Defenders => {
                self.offer_defenders(seat, out);
                out.push(Action::Done);
                if self.runs_through() && self.may_act(seat) {
                    out.extend([Action::Pass, Action::PassWhatever]);
                    if self.opposes_some(seat) {
                        out.push(Action::PassUnopposed);
                    }
                }
            }
            Question::Skirmish => {
                let open = self.open_attackers();
                out.extend(open.map(|inst| Action::Skirmish(self.piece(inst).number)));
            }
            Question::Training => {
                let barracks = (1u8..).zip(self.player(seat).barracks.iter());
                let trainable = barracks.filter(|(_, inst)| self.can_train(**inst));
                out.extend(trainable.map(|(place, _)| Action::Train(place)));
                self.offer_actions(seat, out);
                out.push(Action::Done);
            }
            Question::Choose => self.offer_choices(out),
            Question::Pay => {
                if let Some(doing) = &self.doing {
                    let barracks = &self.player(seat).barracks;
                    let places = self.payers(doing).filter_map(|inst| barracks.place_of(inst));
                    out.extend(places.map(Action::Pay));
                }
            }
            Question::Discard => out.extend((1..=self.player(seat).hand.len() as u8).map(Action::Discard)),
            Question::Divide(defender) => {
                out.extend((0..=self.undivided()).map(|damage| Action::Deal { defender, damage }));
            }
        }
    }

    /// The attackers whose skirmishes are still to be resolved.
    fn open_attackers(&self) -> impl Iterator<Item = Inst> + '_ {
        let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
        let open = skirmishes.filter(|skirmish| !skirmish.done);
        open.map(|skirmish| skirmish.attacker)
    }

    /// Orders and action skills. "An order or skill may be taken without a legal choice."
    fn offer_actions(&self, seat: Seat, out: &mut Vec<Action>) {
        let player = self.player(seat);
        if player.actions >= MOST_ACTIONS {
            return;
        }
        for (place, &inst) in (1u8..).zip(player.hand.iter()) {
            if self.can_pay(seat, &self.face(inst).order) {
                let finds = self.would_find(seat, Kind::Order, inst);
                out.push(if finds {
                    Action::Order(place)
                } else {
                    Action::IdleOrder(place)
                });
            }
        }
        for &inst in player.play.iter() {
            let number = self.piece(inst).number;
            for (skill, _) in self.usable_skills(inst) {
                let finds = self.would_find(seat, Kind::Skill(skill), inst);
                out.push(if finds {
                    Action::Skill { number, skill }
                } else {
                    Action::IdleSkill { number, skill }
                });
            }
        }
    }

    fn would_find(&self, seat: Seat, kind: Kind, inst: Inst) -> bool {
        let up: Alignment = self.piece(inst).up;
        self.finds_targets(&Doing::new(seat, kind, inst, up))
    }

    fn offer_defenders(&self, seat: Seat, out: &mut Vec<Action>) {
        let Some(attack) = &self.attack else {
            return;
        };
        for skirmish in attack.skirmishes.iter().filter(|skirmish| !skirmish.done) {
            for &inst in self.player(seat).play.iter() {
                if self.may_defend(inst, skirmish.attacker) {
                    out.push(Action::Defend {
                        attacker: self.piece(skirmish.attacker).number,
                        defender: self.piece(inst).number,
                    });
                }
            }
        }
    }

    fn offer_choices(&self, out: &mut Vec<Action>) {
        let Some(doing) = &self.doing else {
            return;
        };
        let Progress::Choose { choice: place } = doing.at else {
            return;
        };
        let Some(choice) = self.effect_of(doing).choices.get(usize::from(place)) else {
            return;
        };
        let candidates = self.candidates(doing, place, choice).into_iter();
        out.extend(
            candidates
                .filter_map(|chosen| self.pick_of(chosen))
                .map(Action::Choose),
        );
        if self.may_stop_choosing() {
            out.push(Action::Done);
        }
    }
}
