//! Carrying out orders, skills, triggers and training: choices, payment, effects. Rules file, "Action rounds".

use super::Phase;
use super::card::{Alignment, CardChoice, CardVerb, Cost, Effect, Skill};
use super::event::{Event, Means};
use super::flow::{Chosen, Doing, Kind, Path, Progress, Question, Trigger};
use super::piece::Zone;
use super::pile::Inst;
use super::scribe::Scribe;
use super::shown::Shown;
use super::turn::Flow;
use crate::game::{Chronicle, Seat};

/// "At most 50 an action, the rest lapse."
pub(super) const MOST_TRIGGERS: u8 = 50;

/// The place of a skill that is looked for when its trigger comes to it.
const ANY_ELITE: u8 = u8::MAX;

impl Doing {
    pub(super) fn new(seat: Seat, kind: Kind, card: Inst, side: Alignment) -> Self {
        Self {
            seat,
            kind,
            card,
            side,
            at: Progress::Choose { choice: 0 },
            chosen: Vec::new(),
            paid: Vec::new(),
            discards: Vec::new(),
        }
    }
}

impl Phase {
    /// A hand card gives the order of its active side. "Reveal the card from your hand."
    pub(super) fn announce_order<C: Chronicle<Event>>(&mut self, inst: Inst, s: &mut Scribe<'_, C>) {
        let (seat, up) = (self.piece(inst).owner, self.piece(inst).up);
        self.note_action(seat);
        self.reveal_order(inst, s);
        s.tell(|| Event::Acts {
            seat,
            means: Means::Order,
            face: Shown(self.face(inst)),
        });
        self.doing = Some(Doing::new(seat, Kind::Order, inst, up));
    }

    /// A warrior uses an action skill.
    pub(super) fn announce_skill<C: Chronicle<Event>>(
        &mut self,
        inst: Inst,
        skill: u8,
        s: &mut Scribe<'_, C>,
    ) {
        let piece = self.piece_mut(inst);
        let (seat, up, number) = (piece.owner, piece.up, piece.number);
        piece.used[up.index()] |= 1 << (skill % 8);
        self.note_action(seat);
        s.tell(|| Event::Acts {
            seat,
            means: Means::Skill(number),
            face: Shown(self.face(inst)),
        });
        self.doing = Some(Doing::new(seat, Kind::Skill(skill), inst, up));
    }

    /// "Training": the card is chosen first and pays nothing itself.
    pub(super) fn announce_training(&mut self, inst: Inst) {
        let (seat, up) = (self.piece(inst).owner, self.piece(inst).up);
        self.doing = Some(Doing::new(seat, Kind::Train, inst, up));
    }

    /// Starts the next trigger, if one waits: "the active player's first, then clockwise, each player's in order of
    /// arrival". Whether there was one.
    pub(super) fn fire<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> bool {
        let order: Vec<Seat> = self.clockwise(self.active).collect();
        let rank = |trigger: &Trigger| {
            order
                .iter()
                .position(|&seat| seat == self.piece(trigger.card).owner)
        };
        let next = (0..self.triggers.len()).min_by_key(|&at| self.triggers.get(at).map(rank));
        let Some(next) = next else {
            return false;
        };
        let trigger = self.triggers.remove(next);
        if self.fired >= MOST_TRIGGERS {
            self.triggers.clear();
            return true;
        }
        self.fired += 1;
        let Trigger { card, side, skill } = trigger;
        if skill == ANY_ELITE {
            self.fire_elite(card);
            return true;
        }
        let side = side.unwrap_or(self.piece(card).up);
        let seat = self.piece(card).owner;
        let face = self.side(card, side);
        if let Some(keyword) = face.skills.get(usize::from(skill)).and_then(Skill::keyword) {
            s.tell(|| Event::Acts {
                seat,
                means: Means::Trigger(keyword),
                face: Shown(face),
            });
            self.doing = Some(Doing::new(seat, Kind::Trigger(skill), card, side));
        }
        true
    }

    /// "Elite: after that order's effects, if still in play, on whichever face."
    fn fire_elite(&mut self, card: Inst) {
        self.fired -= 1;
        if !self.in_play(card) {
            return;
        }
        let side = Some(self.piece(card).up);
        let skills = (0u8..).zip(&self.face(card).skills);
        let elites = skills.filter(|(_, skill)| matches!(skill, Skill::Elite(_)));
        // They keep the place in the queue that the chosen warrior had.
        for (at, (skill, _)) in elites.enumerate() {
            self.triggers.insert(at, Trigger { card, side, skill });
        }
    }

    /// Goes on with what is being carried out.
    pub(super) fn carry_on<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        let Some(mut doing) = self.doing.take() else {
            return Flow::On;
        };
        let flow = match doing.at {
            Progress::Choose { choice } => self.choose_step(&mut doing, choice),
            Progress::Pay { part, left } => self.pay_step(&mut doing, part, left, s),
            Progress::Run(path) => match self.run_step(&mut doing, path, s) {
                Some(flow) => flow,
                None => {
                    self.conclude(&doing);
                    return Flow::On;
                }
            },
        };
        self.doing = Some(doing);
        flow
    }

    /// Asks for the next thing to choose; a choice is over when it is full or nothing is left to choose.
    fn choose_step(&mut self, doing: &mut Doing, place: u8) -> Flow {
        let effect = self.effect_of(doing);
        let Some(choice) = effect.choices.get(usize::from(place)) else {
            doing.at = Progress::Pay {
                part: 0,
                left: self.part_of(doing, 0).map_or(0, |(_, count)| count),
            };
            return Flow::On;
        };
        let most = match choice {
            CardChoice::Cards { count, .. } => usize::from(*count),
            CardChoice::Player { .. } => 1,
        };
        let chosen = doing.chosen.iter().filter(|(of, _)| *of == place).count();
        if chosen >= most || self.candidates(doing, place, choice).is_empty() {
            doing.at = Progress::Choose { choice: place + 1 };
            return Flow::On;
        }
        self.ask(doing.seat, Question::Choose)
    }

    /// One part of what is to be paid: whether it locks, and how many. Parts come in printed order.
    pub(super) fn part_of(&self, doing: &Doing, part: u8) -> Option<(bool, u8)> {
        if doing.kind == Kind::Train {
            let cost = self.side(doing.card, doing.side).cost;
            return (part == 0).then_some((false, cost));
        }
        match *self.ability_of(doing)?.costs.get(usize::from(part))? {
            Cost::Lock(count) => Some((true, count)),
            Cost::Phase(count) => Some((false, count)),
        }
    }

    /// The resources that can pay now. "A resource pays for one part of one cost only."
    pub(super) fn payers<'a>(&'a self, doing: &'a Doing) -> impl Iterator<Item = Inst> + 'a {
        let trained = (doing.kind == Kind::Train).then_some(doing.card);
        self.unlocked_resources(doing.seat)
            .filter(move |inst| !doing.paid.contains(inst) && trained != Some(*inst))
    }

    fn pay_step<C: Chronicle<Event>>(
        &mut self,
        doing: &mut Doing,
        part: u8,
        left: u8,
        s: &mut Scribe<'_, C>,
    ) -> Flow {
        if self.part_of(doing, part).is_none() {
            self.set_about(doing, s);
            return Flow::On;
        }
        let payers: Vec<Inst> = self.payers(doing).collect();
        if left == 0 || payers.is_empty() {
            doing.at = Progress::Pay {
                part: part + 1,
                left: self.part_of(doing, part + 1).map_or(0, |(_, count)| count),
            };
            return Flow::On;
        }
        // Where all must pay there is nothing to decide.
        if payers.len() <= usize::from(left) {
            for inst in payers {
                self.pay(doing, inst, s);
            }
            return Flow::On;
        }
        self.ask(doing.seat, Question::Pay)
    }

    /// One resource pays. This is neither choosing nor phasing in play.
    pub(super) fn pay<C: Chronicle<Event>>(&mut self, doing: &mut Doing, inst: Inst, s: &mut Scribe<'_, C>) {
        let Progress::Pay { part, left } = doing.at else {
            return;
        };
        let locked = self.part_of(doing, part).is_some_and(|(locks, _)| locks);
        if locked {
            self.piece_mut(inst).locked = true;
        } else {
            self.turn_over(inst, s);
        }
        doing.paid.push(inst);
        doing.at = Progress::Pay {
            part,
            left: left.saturating_sub(1),
        };
        let seat = doing.seat;
        s.tell(|| Event::Paid {
            seat,
            locked,
            face: Shown(self.face(inst)),
        });
    }

    /// All is paid: the effects begin. The order leaves the hand and is in no pile yet.
    fn set_about<C: Chronicle<Event>>(&mut self, doing: &mut Doing, s: &mut Scribe<'_, C>) {
        doing.at = Progress::Run(Path::START);
        if doing.kind == Kind::Order {
            self.put(doing.card, Zone::Resolving, s);
            self.resolving = Some(doing.card);
        }
    }

    /// One step of an effect; nothing if there is none left.
    fn run_step<C: Chronicle<Event>>(
        &mut self,
        doing: &mut Doing,
        mut path: Path,
        s: &mut Scribe<'_, C>,
    ) -> Option<Flow> {
        if doing.kind == Kind::Train {
            self.enter_play(doing.card, s);
            let (seat, inst) = (doing.seat, doing.card);
            s.tell(|| Event::Trained {
                seat,
                warrior: self.named(inst),
            });
            return None;
        }
        if let Some(&(seat, count)) = doing.discards.first() {
            return Some(self.discard_step(doing, seat, count, s));
        }
        let effect = self.effect_of(doing);
        let Some(verb) = verb_at(effect, &path) else {
            if !path.leave() {
                return None;
            }
            doing.at = Progress::Run(path);
            return Some(Flow::On);
        };
        self.show_differences(verb, doing, s);
        if let CardVerb::If { condition, .. } = verb {
            let branch = u8::from(!self.holds(condition, doing));
            if !path.enter(branch) {
                path.advance();
            }
        } else {
            path.advance();
            self.carry_out(verb, doing, s);
        }
        doing.at = Progress::Run(path);
        Some(Flow::On)
    }

    /// Somebody discards cards of their own choice; whoever has no more than that discards them all.
    fn discard_step<C: Chronicle<Event>>(
        &mut self,
        doing: &mut Doing,
        seat: Seat,
        count: u8,
        s: &mut Scribe<'_, C>,
    ) -> Flow {
        let hand = self.player(seat).hand;
        if hand.len() > usize::from(count) && count > 0 {
            return self.ask(seat, Question::Discard);
        }
        if count > 0 {
            for &inst in hand.iter() {
                self.discard(inst, s);
            }
        }
        doing.discards.remove(0);
        Flow::On
    }

    /// After its effects an order triggers the Elite of every warrior that it chose, once each.
    fn conclude(&mut self, doing: &Doing) {
        if doing.kind != Kind::Order {
            return;
        }
        let mut chosen: Vec<Inst> = Vec::new();
        for (_, what) in &doing.chosen {
            if let Chosen::Card(inst) = *what
                && self.in_play(inst)
                && !chosen.contains(&inst)
            {
                chosen.push(inst);
            }
        }
        self.triggers.extend(chosen.into_iter().map(|card| Trigger {
            card,
            side: None,
            skill: ANY_ELITE,
        }));
    }
}

/// The step at a place of an effect, if there is one.
fn verb_at<'e>(effect: &'e Effect, path: &Path) -> Option<&'e CardVerb> {
    let (&first, deeper) = path.steps().split_first()?;
    let mut verb = effect.steps.get(usize::from(first))?;
    for pair in deeper.chunks_exact(2) {
        let CardVerb::If { then, otherwise, .. } = verb else {
            return None;
        };
        let branch = if pair[0] == 0 { then } else { otherwise };
        verb = branch.get(usize::from(pair[1]))?;
    }
    Some(verb)
}
