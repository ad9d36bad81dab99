//! Carrying out one decision of a player.

use super::Phase;
use super::action::{Action, Pick, Target};
use super::card::{Alignment, CardChoice};
use super::event::Event;
use super::flow::{Chosen, Doing, End, FightStep, Progress, Question, TurnStage};
use super::piece::Zone;
use super::pile::Inst;
use super::player::{GoneBy, Habits, Player, StandingPass, Until};
use super::scribe::Scribe;
use crate::game::{Chronicle, Seat};

/// So many lapses of the clock in a row are leaving.
pub(super) const MOST_LAPSES: u8 = 3;

impl Phase {
    pub(super) fn decide<C: Chronicle<Event>>(&mut self, seat: Seat, action: Action, s: &mut Scribe<'_, C>) {
        if let Action::Aside(aside) = action {
            self.hear(seat, aside, s);
            return;
        }
        let player = self.player_mut(seat);
        player.lapses = 0;
        player.gone_by = GoneBy::Nothing;
        self.perform(seat, action, s);
        self.run(s);
    }

    fn perform<C: Chronicle<Event>>(&mut self, seat: Seat, action: Action, s: &mut Scribe<'_, C>) {
        match action {
            Action::Deck(bring) => self.bring(seat, bring, s),
            Action::Enlist(place) => {
                self.player_mut(seat).chosen = Some(place);
                s.tell(|| Event::Readied { seat });
            }
            Action::Pass if self.stage == TurnStage::Defenders(seat) => {
                self.pass_the_fights(seat);
                self.done(seat, s);
            }
            Action::PassWhatever => {
                self.player_mut(seat).habits.standing = Some(StandingPass {
                    until: Until::Fights,
                    whatever: true,
                });
                self.done(seat, s);
            }
            Action::PassUnopposed => {
                let player = self.player_mut(seat);
                player.habits.opposed_only = true;
                // That they are attacked is known: this is the answer.
                player.alert = false;
                self.done(seat, s);
            }
            Action::Pass => self.pass_by_choice(seat, s),
            Action::PassHere => self.pass(seat, s),
            Action::Attack => {
                self.begin_attack(s);
                if self.runs_through() {
                    self.pass(seat, s);
                }
            }
            Action::Maneuver => self.begin_attack(s),
            Action::Target(target) => {
                if let Some(attack) = &mut self.attack {
                    attack.target = Some(target);
                }
                self.stage = TurnStage::Attackers;
            }
            Action::Attacker(number) => {
                if let Some(inst) = self.numbered(number) {
                    self.declare(inst);
                }
            }
            Action::Defend { attacker, defender } => self.defend(attacker, defender, s),
            Action::Skirmish(number) => {
                let place = self.numbered(number).and_then(|inst| self.skirmish_place(inst));
                if let Some(place) = place {
                    self.begin_skirmish(place, s);
                    if let Some(attack) = &mut self.attack {
                        attack.picked = true;
                    }
                }
            }
            Action::Train(place) => {
                if let Some(inst) = self.player(seat).barracks.at(place) {
                    self.announce_training(inst);
                }
            }
            Action::Order(place) | Action::IdleOrder(place) => {
                if let Some(inst) = self.player(seat).hand.at(place) {
                    self.announce_order(inst, s);
                }
            }
            Action::Skill { number, skill } | Action::IdleSkill { number, skill } => {
                if let Some(inst) = self.numbered(number) {
                    self.announce_skill(inst, skill, s);
                }
            }
            Action::Choose(pick) => self.choose(pick, s),
            Action::Pay(place) => {
                if let (Some(mut doing), Some(inst)) =
                    (self.doing.take(), self.player(seat).barracks.at(place))
                {
                    self.pay(&mut doing, inst, s);
                    self.doing = Some(doing);
                }
            }
            Action::Discard(place) => {
                if let Some(inst) = self.player(seat).hand.at(place) {
                    self.discard(inst, s);
                }
                if let Some((_, count)) = self.doing.as_mut().and_then(|doing| doing.discards.first_mut()) {
                    *count = count.saturating_sub(1);
                }
            }
            Action::Deal { defender, damage } => {
                if let (Some(inst), Some(fight)) = (self.numbered(defender), &mut self.fight) {
                    fight.shares.push((inst, damage));
                }
            }
            Action::Done => self.done(seat, s),
            Action::Aside(_) => {}
        }
    }

    /// The place of the skirmish that a warrior attacks in.
    fn skirmish_place(&self, attacker: Inst) -> Option<u8> {
        let skirmishes = &self.attack.as_ref()?.skirmishes;
        let open = |skirmish: &super::flow::Skirmish| !skirmish.done && skirmish.attacker == attacker;
        skirmishes.iter().position(open).map(|place| place as u8)
    }

    fn defend<C: Chronicle<Event>>(&mut self, attacker: u8, defender: u8, s: &mut Scribe<'_, C>) {
        let (Some(attacker), Some(defender)) = (self.numbered(attacker), self.numbered(defender)) else {
            return;
        };
        let place = self.skirmish_place(attacker);
        let skirmish = self.attack.as_mut().zip(place);
        let Some(skirmish) =
            skirmish.and_then(|(attack, place)| attack.skirmishes.get_mut(usize::from(place)))
        else {
            return;
        };
        skirmish.defenders.push(defender);
        s.tell(|| Event::Defends {
            attacker: self.named(attacker),
            defender: self.named(defender),
        });
    }

    /// What a pick means, if there is such a thing.
    pub(super) fn picked(&self, pick: Pick) -> Option<Chosen> {
        Some(match pick {
            Pick::Warrior(number) => Chosen::Card(self.numbered(number)?),
            Pick::Resource(seat, place) => Chosen::Card(self.player(seat).barracks.at(place)?),
            Pick::Hand(seat, place) => Chosen::Card(self.player(seat).hand.at(place)?),
            Pick::Discard(seat, place) => Chosen::Card(self.player(seat).discard.at(place)?),
            Pick::DeckTop(seat) => Chosen::Card(*self.player(seat).deck.last()?),
            Pick::Player(seat) => Chosen::Player(seat),
        })
    }

    /// How something that can be chosen is called.
    pub(super) fn pick_of(&self, chosen: Chosen) -> Option<Pick> {
        let inst = match chosen {
            Chosen::Player(seat) => return Some(Pick::Player(seat)),
            Chosen::Card(inst) => inst,
        };
        let piece = self.piece(inst);
        let (seat, player) = (piece.owner, self.player(piece.owner));
        match piece.zone {
            Zone::Play => Some(Pick::Warrior(piece.number)),
            Zone::Barracks => Some(Pick::Resource(seat, player.barracks.place_of(inst)?)),
            Zone::Hand => Some(Pick::Hand(seat, player.hand.place_of(inst)?)),
            Zone::Discard => Some(Pick::Discard(seat, player.discard.place_of(inst)?)),
            Zone::Deck => Some(Pick::DeckTop(seat)),
            Zone::Resolving | Zone::Gone => None,
        }
    }

    fn choose<C: Chronicle<Event>>(&mut self, pick: Pick, s: &mut Scribe<'_, C>) {
        let Some(chosen) = self.picked(pick) else {
            return;
        };
        let Some(doing) = &mut self.doing else {
            return;
        };
        let seat = doing.seat;
        if let Progress::Choose { choice } = doing.at {
            doing.chosen.push((choice, chosen));
        }
        match chosen {
            Chosen::Card(inst) => {
                // "A standing pass lapses when another's action chooses a card of its owner."
                let owner = self.piece(inst).owner;
                if owner != seat {
                    self.wake(owner);
                }
                s.tell(|| Event::Chose {
                    seat,
                    card: self.named(inst),
                });
            }
            Chosen::Player(player) => s.tell(|| Event::ChosePlayer { seat, player }),
        }
    }

    /// Nothing more, whatever was asked.
    fn done<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        let Some(ask) = self.ask else {
            return;
        };
        match ask.what {
            Question::Attack => self.stage = TurnStage::Training,
            Question::Attackers => self.end_declaration(s),
            Question::Defenders => {
                let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
                let defenders = skirmishes.flat_map(|skirmish| &skirmish.defenders);
                let count = defenders.filter(|&&inst| self.piece(inst).owner == seat).count() as u8;
                s.tell(|| Event::Assigned { seat, count });
                // Whoever did not pass wants to be asked.
                let habits = &mut self.player_mut(seat).habits;
                habits.watching = habits.standing.is_none() && !habits.opposed_only;
                self.end_defence(seat);
            }
            Question::Training => self.end_training(s),
            Question::Choose => {
                if let Some(Doing {
                    at: Progress::Choose { choice },
                    ..
                }) = &mut self.doing
                {
                    *choice += 1;
                }
            }
            Question::Action
            | Question::Target
            | Question::Skirmish
            | Question::Pay
            | Question::Discard
            | Question::Divide(_) => {}
        }
    }

    /// Whether the choice that is asked for may be left as it is.
    pub(super) fn may_stop_choosing(&self) -> bool {
        let Some(doing) = &self.doing else {
            return false;
        };
        let Progress::Choose { choice } = doing.at else {
            return false;
        };
        let choice = self.effect_of(doing).choices.get(usize::from(choice));
        matches!(choice, Some(CardChoice::Cards { up_to: true, .. }))
    }

    /// A clock ran out: the player passes, or declares no defenders; "the third lapse in a row is leaving".
    pub(super) fn time_out<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        let lapses = self.player(seat).lapses + 1;
        if lapses >= MOST_LAPSES {
            self.leave(seat, s);
            return;
        }
        s.tell(|| Event::Lapsed { seat });
        // What was begun is ended in the shortest way, and so is the player's own turn.
        const MOST_STEPS: usize = 200;
        let turn = (self.active, self.round);
        for _ in 0..MOST_STEPS {
            let mut actions = Vec::new();
            self.offer(seat, &mut actions);
            let idle = |action: &&Action| matches!(action, Action::Pass | Action::Done);
            let Some(&action) = actions.iter().find(idle).or(actions.first()) else {
                break;
            };
            self.perform(seat, action, s);
            self.run(s);
            if matches!(action, Action::Deck(_) | Action::Enlist(_)) {
                break;
            }
            let answered = matches!(action, Action::Pass | Action::Done);
            if answered && self.active != seat || turn != (self.active, self.round) {
                break;
            }
        }
        self.player_mut(seat).lapses = lapses;
    }

    /// "Leaving: cards and influence go, pending choices vanish." A leaving triggers nothing.
    pub(super) fn leave<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        if self.end.is_some() || self.left.contains(seat) || seat.index() >= usize::from(self.seats) {
            return;
        }
        s.tell(|| Event::Left { seat });
        self.left.insert(seat);
        self.remove_cards(seat);
        if self.remaining().len() < 2 {
            self.end = Some(End::Alone);
            self.stop_everything();
            self.ask = None;
            return;
        }
        if !self.stage.is_opening() {
            if seat == self.active {
                self.stop_everything();
                self.finish_turn(s);
            } else {
                self.close_gap(seat, s);
            }
        }
        self.run(s);
    }

    fn remove_cards(&mut self, seat: Seat) {
        for inst in (0..self.pieces.len()).map(|index| Inst(index as u8)) {
            if self.piece(inst).owner == seat {
                self.forsake(inst);
                let piece = self.piece_mut(inst);
                piece.reset();
                piece.zone = Zone::Gone;
            }
        }
        let player = self.player_mut(seat);
        let influence = player.influence;
        *player = Player {
            habits: Habits::default(),
            ..Player::default()
        };
        for alignment in Alignment::ALL {
            self.spent[alignment.index()] += influence[alignment.index()];
        }
    }

    /// A card is in no skirmish, and waits for nothing.
    fn forsake(&mut self, inst: Inst) {
        if let Some(attack) = &mut self.attack {
            for skirmish in attack.skirmishes.iter_mut().filter(|skirmish| !skirmish.done) {
                skirmish.defenders.retain(|&defender| defender != inst);
                skirmish.done |= skirmish.attacker == inst;
            }
        }
        self.triggers.retain(|trigger| trigger.card != inst);
        if self.resolving == Some(inst) {
            self.resolving = None;
        }
    }

    /// Whatever was going on is over.
    fn stop_everything(&mut self) {
        self.doing = None;
        self.triggers.clear();
        self.fight = None;
        self.attack = None;
    }

    /// Somebody other than the active player has left in the middle of a turn.
    fn close_gap<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        if let Some(doing) = &mut self.doing {
            doing.discards.retain(|&(discarder, _)| discarder != seat);
            if doing.seat == seat {
                self.doing = None;
            }
        }
        let Some(attack) = &self.attack else {
            return;
        };
        let (defender, target) = (attack.defender, attack.target);
        if target == Some(Target::Player(seat)) {
            self.send_home(s);
            return;
        }
        // "The Nexus defender leaves before declaring: redrawn; after: those attackers are unopposed, Allies stay."
        let undeclared = matches!(
            self.stage,
            TurnStage::Maneuver | TurnStage::Target | TurnStage::Attackers | TurnStage::Defenders(_)
        );
        let yet_to_declare = match self.stage {
            TurnStage::Defenders(asked) => asked == seat,
            _ => undeclared,
        };
        if defender == seat
            && yet_to_declare
            && let Some(defender) = self.draw_defender(s)
        {
            if let Some(attack) = &mut self.attack {
                attack.defender = defender;
            }
            if self.stage == TurnStage::Defenders(seat) {
                self.stage = TurnStage::Defenders(defender);
            }
            s.tell(|| Event::Redrawn { defender });
        }
        let deserted = self
            .current()
            .is_some_and(|skirmish| skirmish.defenders.is_empty());
        if let Some(fight) = &mut self.fight {
            fight.shares.clear();
            // Whoever stood in the way has left, which is no death by Swift.
            if deserted && fight.step != FightStep::Home && fight.step != FightStep::Over {
                fight.opposed = false;
            }
        }
    }

    /// "The attacked player leaves: the attackers go home, phasing, without damage."
    fn send_home<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let skirmishes = self
            .attack
            .take()
            .map(|attack| attack.skirmishes)
            .unwrap_or_default();
        self.fight = None;
        // An action that is under way is carried out; its skirmish is gone.
        self.stage = TurnStage::Training;
        for skirmish in skirmishes.into_iter().filter(|skirmish| !skirmish.done) {
            self.phase(skirmish.attacker, s);
        }
    }

    /// The active player is gone; what lasts until the turn ends, ends.
    fn finish_turn<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        if let Some(order) = self.resolving.take() {
            self.put(order, Zone::Discard, s);
        }
        self.end_turn(s);
    }
}
