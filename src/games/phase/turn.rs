//! The course of the game: from question to question, everything that happens by itself.

use super::action::Target;
use super::event::Event;
use super::flow::{Ask, Attack, End, Question, Round, Skirmish, TurnStage};
use super::piece::Zone;
use super::pile::Inst;
use super::player::{GoneBy, Until};
use super::scribe::Scribe;
use super::shown::Shown;
use super::{MOST_ROUNDS, Phase};
use crate::game::{Chronicle, Seat, SeatSet};

/// Whether the game goes on by itself or waits for somebody.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Wait,
}

impl Phase {
    /// Goes on until somebody has to decide something, or the game is over.
    pub(super) fn run<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        self.ask = None;
        while self.end.is_none() && self.step(s) == Flow::On {}
    }

    /// One thing that happens by itself. Rules file, "Action rounds": an action's effects, then all warriors that are
    /// due are destroyed together, then triggers one at a time, then the order is discarded.
    fn step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        match self.stage {
            TurnStage::Decks => return self.decks_step(s),
            TurnStage::Setup => return self.setup_step(s),
            _ => {}
        }
        if self.doing.is_some() {
            return self.carry_on(s);
        }
        if self.sweep(s) || self.fire(s) {
            return Flow::On;
        }
        if let Some(order) = self.resolving.take() {
            self.put(order, Zone::Discard, s);
            return Flow::On;
        }
        self.fired = 0;
        if self.fight.is_some() {
            return self.fight_on(s);
        }
        match self.stage {
            TurnStage::Decks | TurnStage::Setup => Flow::Wait,
            TurnStage::Attack => self.attack_step(),
            TurnStage::Maneuver => self.round_step(s, Self::end_maneuver),
            TurnStage::Target => self.ask(self.active, Question::Target),
            TurnStage::Attackers => self.attackers_step(s),
            TurnStage::Defenders(seat) => self.defenders_step(seat),
            TurnStage::Pick => self.pick_step(s),
            TurnStage::Skirmish => self.skirmish_step(s),
            TurnStage::Training => self.training_step(s),
            TurnStage::Closing => self.round_step(s, Self::end_turn),
        }
    }

    pub(super) fn ask(&mut self, seat: Seat, what: Question) -> Flow {
        self.ask = Some(Ask { seat, what });
        Flow::Wait
    }

    // Setup -----------------------------------------------------------------------------------------------------

    /// "Then, they choose one card in their hand and place it into their barracks", all at once.
    fn setup_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        let seats = self.remaining();
        if seats.iter().any(|seat| self.player(seat).chosen.is_none()) {
            return Flow::Wait;
        }
        for seat in seats.iter() {
            let place = self.player_mut(seat).chosen.take().unwrap_or(1);
            if let Some(inst) = self.player(seat).hand.at(place) {
                self.put(inst, Zone::Barracks, s);
            }
        }
        s.tell(|| Event::Opened {
            resources: seats
                .iter()
                .filter_map(|seat| Some((seat, Shown(self.face(*self.player(seat).barracks.first()?)))))
                .collect(),
        });
        let first = self.lowest_top(seats, s);
        s.tell(|| Event::Starts { seat: first });
        self.first = first;
        if self.head_start {
            for seat in seats.iter().filter(|&seat| seat != first) {
                self.draw(seat, s);
            }
        }
        self.round = 1;
        self.begin_turn(first, s);
        Flow::On
    }

    /// "The player whose top card of their deck now shows a lower training cost goes first." Only the tied cut.
    fn lowest_top<C: Chronicle<Event>>(&mut self, seats: SeatSet, s: &mut Scribe<'_, C>) -> Seat {
        let top = |seat: Seat| (seat, self.player(seat).deck.last().copied());
        let mut shown: Vec<(Seat, Option<Inst>)> = seats.iter().map(top).collect();
        loop {
            let cost = |inst: Option<Inst>| inst.map_or(u8::MAX, |inst| self.face(inst).cost);
            let least = shown.iter().map(|&(_, inst)| cost(inst)).min();
            shown.retain(|&(_, inst)| Some(cost(inst)) == least);
            if let [(seat, _)] = shown[..] {
                return seat;
            }
            for (seat, inst) in &mut shown {
                *inst = s.rng.choose(&self.player(*seat).deck).copied();
            }
            s.reveal(SeatSet::all(self.seats));
            s.tell(|| Event::Cut {
                faces: shown
                    .iter()
                    .filter_map(|&(seat, inst)| Some((seat, Shown(self.face(inst?)))))
                    .collect(),
            });
        }
    }

    // Turns -----------------------------------------------------------------------------------------------------

    /// "Preparation step": unlock, draw, enlist.
    fn begin_turn<C: Chronicle<Event>>(&mut self, seat: Seat, s: &mut Scribe<'_, C>) {
        self.active = seat;
        self.had_turn.insert(seat);
        let round = self.round;
        s.tell(|| Event::Began { seat, round });
        let player = *self.player(seat);
        for &inst in player.play.iter().chain(player.barracks.iter()) {
            self.piece_mut(inst).locked = false;
        }
        self.draw(seat, s);
        self.enlist(seat, false, s);
        self.stage = TurnStage::Attack;
    }

    /// "If the active player does not have any warriors in play, they should skip this step."
    fn attack_step(&mut self) -> Flow {
        if self.player(self.active).play.is_empty() {
            self.stage = TurnStage::Training;
            return Flow::On;
        }
        self.ask(self.active, Question::Attack)
    }

    /// The active player attacks. "Defender of The Nexus: the active player randomly determines which other player".
    pub(super) fn begin_attack<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let Some(defender) = self.draw_defender(s) else {
            return;
        };
        let seat = self.active;
        self.attack = Some(Attack {
            defender,
            target: None,
            skirmishes: Vec::new(),
            current: None,
            picked: false,
        });
        s.tell(|| Event::Attacks { seat, defender });
        self.stage = TurnStage::Maneuver;
        self.begin_round();
    }

    pub(super) fn draw_defender<C: Chronicle<Event>>(&self, s: &mut Scribe<'_, C>) -> Option<Seat> {
        let others: Vec<Seat> = self
            .clockwise(self.active)
            .filter(|&seat| seat != self.active)
            .collect();
        match others[..] {
            // With two players chance has no say.
            [only] => Some(only),
            _ => s.rng.choose(&others).copied(),
        }
    }

    pub(super) fn begin_round(&mut self) {
        self.round_of_actions = Round {
            next: self.active,
            passed: SeatSet::EMPTY,
            acted: None,
        };
        for player in &mut self.players {
            player.alert = false;
        }
    }

    /// "If no unlocked warrior is left, the attack ends here."
    fn end_maneuver<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let seat = self.active;
        if self.free_attackers().next().is_some() {
            self.stage = TurnStage::Target;
        } else {
            s.tell(|| Event::Faltered { seat });
            self.end_attack();
        }
    }

    /// The warriors that could still join the attack.
    pub(super) fn free_attackers(&self) -> impl Iterator<Item = Inst> + '_ {
        let play = self.player(self.active).play.iter().copied();
        play.filter(|&inst| !self.piece(inst).locked && self.skirmish_of(inst).is_none())
    }

    fn end_attack(&mut self) {
        self.fights_go_by();
        self.end_standing(Until::Fights);
        for player in &mut self.players {
            player.habits.end_attack();
        }
        self.attack = None;
        self.stage = TurnStage::Training;
    }

    pub(super) fn declare(&mut self, attacker: Inst) {
        if let Some(attack) = &mut self.attack {
            attack.skirmishes.push(Skirmish {
                attacker,
                defenders: Vec::new(),
                done: false,
            });
        }
    }

    fn attackers_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        if self.free_attackers().next().is_some() {
            return self.ask(self.active, Question::Attackers);
        }
        self.end_declaration(s);
        Flow::On
    }

    /// All attackers are declared; the defending player is next.
    pub(super) fn end_declaration<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let (Some(target), Some(defender)) = (self.target(), self.defending_player()) else {
            return;
        };
        let seat = self.active;
        s.tell(|| {
            let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
            Event::Declared {
                seat,
                target,
                attackers: skirmishes.map(|skirmish| self.named(skirmish.attacker)).collect(),
            }
        });
        // "A standing pass lapses when the owner's influence is attacked."
        if let Target::Player(seat) = target {
            self.wake(seat);
        }
        self.stage = TurnStage::Defenders(defender);
    }

    /// "Declaring defenders always stops", if there is anything to declare. Where fights run through, whoever has sent
    /// somebody also says whether they pass in them.
    fn defenders_step(&mut self, seat: Seat) -> Flow {
        let sent = || {
            let skirmishes = self.attack.iter().flat_map(|attack| &attack.skirmishes);
            let mut defenders = skirmishes.flat_map(|skirmish| &skirmish.defenders);
            defenders.any(|&inst| self.piece(inst).owner == seat)
        };
        let open = self.can_defend(seat) || self.runs_through() && self.may_act(seat) && sent();
        if !self.left.contains(seat) && open {
            return self.ask(seat, Question::Defenders);
        }
        self.end_defence(seat);
        Flow::On
    }

    /// The next player who may defend: where the Nexus is the target the owners of Ally warriors, "after the Nexus
    /// defender, clockwise from that player, seeing earlier assignments".
    pub(super) fn end_defence(&mut self, seat: Seat) {
        let first = self.defending_player().unwrap_or(seat);
        let mut next = seat.next(self.seats);
        while next != first && self.target() == Some(Target::Nexus) {
            if next != self.active && !self.left.contains(next) && self.can_defend(next) {
                self.stage = TurnStage::Defenders(next);
                return;
            }
            next = next.next(self.seats);
        }
        self.stage = TurnStage::Pick;
    }

    /// "The active player now selects a skirmish to resolve"; the last one needs no picking. Where fights run through they
    /// come in the order in which the attackers were named, unless that player wants to be asked or picks another.
    fn pick_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        let open: Vec<u8> = (0u8..)
            .zip(self.attack.iter().flat_map(|attack| &attack.skirmishes))
            .filter(|(_, skirmish)| !skirmish.done)
            .map(|(place, _)| place)
            .collect();
        match open[..] {
            [] => {
                self.end_attack();
                Flow::On
            }
            [place] => {
                self.begin_skirmish(place, s);
                Flow::On
            }
            [place, ..] if self.runs_through() => {
                let seat = self.active;
                s.heed(seat);
                if self.player(seat).habits.order {
                    return self.ask(seat, Question::Skirmish);
                }
                self.begin_skirmish(place, s);
                Flow::On
            }
            _ => self.ask(self.active, Question::Skirmish),
        }
    }

    /// Whether the active player may still let another skirmish come first: nothing has happened in this one.
    pub(super) fn may_pick_another(&self) -> bool {
        let round = &self.round_of_actions;
        self.runs_through()
            && self.stage == TurnStage::Skirmish
            && round.passed.is_empty()
            && round.acted.is_none()
            && self.attack.as_ref().is_some_and(|attack| !attack.picked)
    }

    pub(super) fn begin_skirmish<C: Chronicle<Event>>(&mut self, place: u8, s: &mut Scribe<'_, C>) {
        if let Some(attack) = &mut self.attack {
            attack.current = Some(place);
            attack.picked = false;
        }
        self.stage = TurnStage::Skirmish;
        self.begin_round();
        s.tell(|| {
            let skirmish = self.current();
            let defenders = skirmish
                .map(|skirmish| skirmish.defenders.as_slice())
                .unwrap_or_default();
            Event::Skirmish {
                attacker: self.named(skirmish.map_or(Inst(0), |skirmish| skirmish.attacker)),
                defenders: defenders.iter().map(|&inst| self.named(inst)).collect(),
            }
        });
    }

    /// "Attacker gone: the action round ends at once, nobody deals damage, defenders stay."
    fn skirmish_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        if self.current().is_none_or(|skirmish| skirmish.done) {
            self.end_skirmish();
            return Flow::On;
        }
        self.round_step(s, Self::begin_fight)
    }

    pub(super) fn end_skirmish(&mut self) {
        if let Some(attack) = &mut self.attack {
            let current = attack.current.take();
            if let Some(skirmish) = current.and_then(|place| attack.skirmishes.get_mut(usize::from(place))) {
                skirmish.done = true;
            }
        }
        self.end_standing(Until::Skirmish);
        self.fight = None;
        self.stage = TurnStage::Pick;
    }

    /// What standing passes stood for is over.
    fn end_standing(&mut self, until: Until) {
        for player in &mut self.players {
            let standing = &mut player.habits.standing;
            *standing = standing.filter(|standing| standing.until != until);
        }
    }

    /// "The active player now has the option to take actions and train warriors."
    fn training_step<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) -> Flow {
        let seat = self.active;
        let can_train = self
            .player(seat)
            .barracks
            .iter()
            .any(|&inst| self.can_train(inst));
        if can_train || self.may_act(seat) {
            return self.ask(seat, Question::Training);
        }
        self.player_mut(seat).gone_by = GoneBy::All;
        self.end_training(s);
        Flow::On
    }

    /// The closing round. Whoever has just ended their training has had their say, and so passes first.
    pub(super) fn end_training<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let seat = self.active;
        self.stage = TurnStage::Closing;
        self.begin_round();
        self.pass(seat, s);
    }

    /// "All temporary effects end when the turn ends", at one instant, and nothing dies of that.
    pub(super) fn end_turn<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        for piece in &mut self.pieces {
            piece.damage = 0;
            piece.attack = 0;
            piece.defense = 0;
            piece.granted = super::card::Keywords::NONE;
            piece.used = [0; 2];
        }
        for player in &mut self.players {
            player.actions = 0;
            player.alert = false;
            player.habits.end_attack();
            let standing = &mut player.habits.standing;
            *standing = standing.filter(|standing| standing.until == Until::Attacked);
        }
        self.turn_goes_by();
        self.next_turn(s);
    }

    /// "Once a pool is empty the round is played to its end, so that all have had equally many turns."
    pub(super) fn next_turn<C: Chronicle<Event>>(&mut self, s: &mut Scribe<'_, C>) {
        let after = self.active.next(self.seats);
        let next = self.clockwise(after).find(|&seat| !self.had_turn.contains(seat));
        if let Some(seat) = next {
            self.begin_turn(seat, s);
            return;
        }
        if self.nexus.contains(&0) {
            self.end = Some(End::Emptied);
        } else if self.round >= MOST_ROUNDS {
            self.end = Some(End::TooLong);
        } else {
            self.round += 1;
            self.had_turn = SeatSet::EMPTY;
            let starter = self.clockwise(self.first).next().unwrap_or(self.first);
            self.begin_turn(starter, s);
        }
    }
}
