//! Skirmish resolution: damage, influence, and the way home. Rules file, "Damage".

use super::Phase;
use super::action::Target;
use super::card::Keyword;
use super::event::{Event, Influence};
use super::flow::{Fight, FightStep, Question};
use super::pile::Inst;
use super::scribe::Scribe;
use super::turn::Flow;
use crate::game::Chronicle;

impl Phase {
    /// The action round is over. Who is opposed and who is Swift is decided now.
    pub(super) fn begin_fight<C: Chronicle<Event>>(&mut self, _s: &mut Scribe<'_, C>) {
        let Some(skirmish) = self.current() else {
            return;
        };
        let warriors = skirmish.defenders.iter().chain([&skirmish.attacker]).copied();
        self.fight = Some(Fight {
            opposed: !skirmish.defenders.is_empty(),
            swift: warriors.filter(|&inst| self.has(inst, Keyword::Swift)).collect(),
            step: FightStep::Swift,
            shares: Vec::new(),
        });
    }

    /// One step of a resolution: Swift warriors, the rest, the way home.
    pub(super) fn fight_on<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        let (Some(fight), Some(skirmish)) = (&self.fight, self.current()) else {
            self.end_skirmish();
            return Flow::On;
        };
        let (step, attacker, gone) = (fight.step, skirmish.attacker, skirmish.done);
        // Once the attacker is gone nobody has anybody to strike, and nobody goes home.
        if gone || step == FightStep::Over {
            self.end_skirmish();
            return Flow::On;
        }
        if step == FightStep::Home {
            self.set_step(FightStep::Over);
            self.phase(attacker, s);
            return Flow::On;
        }
        let strikes = fight.swift.contains(&attacker) == (step == FightStep::Swift);
        if strikes && self.attack_of(attacker) > 0 && skirmish.defenders.len() > 1 {
            let decided = fight.shares.len();
            if let Some(&defender) = skirmish
                .defenders
                .get(decided)
                .filter(|_| decided + 1 < skirmish.defenders.len())
            {
                let number = self.piece(defender).number;
                return self.ask(self.active, Question::Divide(number));
            }
        }
        self.strike(step, strikes, s);
        self.set_step(match step {
            FightStep::Swift => FightStep::Rest,
            FightStep::Rest | FightStep::Home | FightStep::Over => FightStep::Home,
        });
        Flow::On
    }

    fn set_step(&mut self, step: FightStep) {
        if let Some(fight) = &mut self.fight {
            fight.step = step;
            fight.shares.clear();
        }
    }

    /// What is left of the attacker's damage to divide.
    pub(super) fn undivided(&self) -> u8 {
        let (Some(fight), Some(skirmish)) = (&self.fight, self.current()) else {
            return 0;
        };
        let dealt: i16 = fight.shares.iter().map(|&(_, share)| i16::from(share)).sum();
        u8::try_from(self.attack_of(skirmish.attacker) - dealt).unwrap_or(0)
    }

    /// All who strike in this step strike together.
    fn strike<C: Chronicle<Event>>(
        &mut self,
        step: FightStep,
        attacker_strikes: bool,
        s: &mut Scribe<'_, C>,
    ) {
        let (Some(fight), Some(skirmish)) = (&self.fight, self.current()) else {
            return;
        };
        let attacker = skirmish.attacker;
        let mut blows: Vec<(Inst, Inst, i16)> = Vec::new();
        if attacker_strikes && fight.opposed {
            // "All of it, more than lethal allowed; no choice with one defender."
            blows.extend(
                fight
                    .shares
                    .iter()
                    .map(|&(inst, share)| (attacker, inst, i16::from(share))),
            );
            if let Some(&last) = skirmish.defenders.last() {
                blows.push((attacker, last, i16::from(self.undivided())));
            }
        }
        for &defender in &skirmish.defenders {
            if fight.swift.contains(&defender) == (step == FightStep::Swift) {
                blows.push((defender, attacker, self.attack_of(defender)));
            }
        }
        let unopposed = attacker_strikes && !fight.opposed;
        for (by, inst, damage) in blows.into_iter().filter(|&(.., damage)| damage > 0) {
            let piece = self.piece_mut(inst);
            piece.damage = piece.damage.saturating_add(damage);
            s.tell(|| Event::Struck {
                by: self.named(by),
                card: self.named(inst),
                damage,
            });
        }
        if unopposed {
            self.take_influence(attacker, s);
        }
    }

    /// "The attacking warrior instead deals their damage directly to the defending player or The Nexus."
    fn take_influence<C: Chronicle<Event>>(&mut self, attacker: Inst, s: &mut Scribe<'_, C>) {
        let due = Influence {
            seat: self.piece(attacker).owner,
            alignment: self.piece(attacker).up,
            amount: u16::try_from(self.attack_of(attacker)).unwrap_or(0),
            by: Some(self.named(attacker)),
        };
        match self.target() {
            Some(Target::Nexus) => self.gain(due, s),
            Some(Target::Player(seat)) => self.lose(Influence { seat, ..due }, s),
            None => {}
        }
    }
}
