//! Playing: the actions of a turn, the effects of commands, and the ways in which it ends.

use super::action::{Action, Pick};
use super::board::{Plug, Slot};
use super::event::{BlockFace, Event, Gone, Means};
use super::history::MOST_TURNS;
use super::kind::Kind;
use super::socket::Socket;
use super::stock::Stock;
use super::task::Task;
use super::{Breaker, End, Hand, Variant};
use crate::game::{Chronicle, GameRng, Seat};

/// So many turns in a row without a block drawn or added end the game.
pub const IDLE_TURNS: u8 = 20;

impl Breaker {
    /// Carries out a legal decision.
    pub(super) fn decide<C: Chronicle<Event>>(
        &mut self,
        seat: Seat,
        action: Action,
        rng: &mut GameRng,
        told: &mut C,
    ) {
        let enemy = seat.next(2);
        match action {
            Action::Pass => {
                let whole = self.untouched;
                told.tell(|| Event::Passed { seat, whole });
                self.end_turn(whole, told);
                return;
            }
            Action::Draw(pick) => {
                self.spend();
                self.draw(seat, pick, Means::Action, rng, told);
            }
            Action::Take(pick) => {
                self.draw(seat, pick, Means::Command, rng, told);
                if let Some(Task::Accelerate { left }) = &mut self.task {
                    *left = left.saturating_sub(1);
                }
            }
            Action::Add { pick, socket } => {
                let by = if self.task.is_some() {
                    Means::Command
                } else {
                    self.spend();
                    Means::Action
                };
                self.add(seat, pick, socket, by, rng, told);
            }
            Action::Move { number, socket } => {
                if let Some(Task::Agitate { left }) = &mut self.task {
                    *left = left.saturating_sub(1);
                    self.shift(seat, enemy, number, socket, told);
                } else {
                    self.spend();
                    self.shift(seat, seat, number, socket, told);
                }
            }
            Action::Target(number) => self.target(seat, number, told),
            Action::Keep(pick) => {
                let owner = if self.task == Some(Task::AggravateEnemy) {
                    self.task = None;
                    enemy
                } else {
                    self.task = Some(Task::AggravateEnemy);
                    seat
                };
                self.keep(seat, owner, pick, rng, told);
            }
        }
        if self.end.is_none() {
            self.settle(told);
        }
    }

    /// An action of the turn is used.
    fn spend(&mut self) {
        self.untouched = false;
        self.left = self.left.saturating_sub(1);
    }

    /// Skips what a command can't ask for, and ends a turn without actions.
    fn settle<C: Chronicle<Event>>(&mut self, told: &mut C) {
        let seat = self.to_move;
        while let Some(task) = self.task {
            if self.count_choices(seat, task) > 0 {
                break;
            }
            self.task = match task {
                Task::AggravateOwn => Some(Task::AggravateEnemy),
                _ => None,
            };
        }
        if self.task.is_none() && self.left == 0 {
            self.end_turn(false, told);
        } else if self.variant.is_blind() {
            self.note_offer();
        }
    }

    /// "ALLOCATE". Blind: a random one of those that the hand has room for.
    fn draw<C: Chronicle<Event>>(
        &mut self,
        seat: Seat,
        pick: Pick,
        by: Means,
        rng: &mut GameRng,
        told: &mut C,
    ) {
        let kind = match pick {
            Pick::Known(kind) => kind,
            Pick::FaceDown => match random_block(self.fitting(seat), rng) {
                Some(kind) => kind,
                None => return,
            },
        };
        if kind.is_command() {
            self.commands.take(kind);
        } else {
            self.supply[seat.index() % 2].take(kind);
        }
        let hand = &mut self.hands[seat.index() % 2];
        hand.held.add(kind);
        hand.fresh.add(kind);
        self.active = true;
        if pick == Pick::FaceDown {
            self.knowledge[seat.index() % 2].saw_leave(kind);
            self.knowledge[seat.next(2).index() % 2].other_drew();
            told.reveal();
        }
        let face = self.face(kind);
        told.tell(|| Event::Drew { seat, face, by });
    }

    /// A block of a hand as others may see it.
    fn face(&self, kind: Kind) -> BlockFace {
        if self.variant.is_blind() && kind.is_command() {
            BlockFace::Down(Some(kind))
        } else {
            BlockFace::Up(kind)
        }
    }

    /// "ASSIMILATE", and AUTOMATE, which plays from the supply.
    fn add<C: Chronicle<Event>>(
        &mut self,
        seat: Seat,
        pick: Pick,
        socket: Socket,
        by: Means,
        rng: &mut GameRng,
        told: &mut C,
    ) {
        let Some(plug) = self.board.find(seat, socket) else {
            return;
        };
        let blind = self.variant.is_blind();
        let kind = match (pick, by) {
            (Pick::Known(kind), Means::Action) => {
                self.hands[seat.index() % 2].held.take(kind);
                if blind && kind.is_command() {
                    self.knowledge[seat.next(2).index() % 2].other_played(kind);
                    told.reveal();
                }
                kind
            }
            (Pick::Known(kind), Means::Command) => {
                if kind.is_command() {
                    self.commands.take(kind);
                } else {
                    self.supply[seat.index() % 2].take(kind);
                }
                kind
            }
            (Pick::FaceDown, _) => {
                let Some(kind) = random_block(self.automatic(), rng) else {
                    return;
                };
                self.commands.take(kind);
                for knowledge in &mut self.knowledge {
                    knowledge.saw_leave(kind);
                }
                told.reveal();
                kind
            }
        };
        self.put(seat, kind, plug, socket, by, told);
    }

    /// Puts a block on the table; a command takes effect at once.
    fn put<C: Chronicle<Event>>(
        &mut self,
        seat: Seat,
        kind: Kind,
        plug: Plug,
        socket: Socket,
        by: Means,
        told: &mut C,
    ) {
        let number = self.next_number;
        self.next_number += 1;
        self.active = true;
        let was_open = self.board.has_open(seat);
        self.board.place(number, kind, seat, plug);
        let board = &self.board;
        told.tell(|| {
            let circuit = board.circuit_of(seat, plug);
            Event::Added {
                seat,
                kind,
                number,
                socket: socket.named(seat).to_string(),
                circuit,
                power: board.power_in(circuit),
                by,
            }
        });
        self.warn_if_shut(seat, was_open, told);
        self.task = Task::of(kind, number);
        if let Some(task) = self.task {
            let idle = self.count_choices(seat, task) == 0
                && (task != Task::AggravateOwn || self.count_choices(seat, Task::AggravateEnemy) == 0);
            if idle {
                told.tell(|| Event::NoEffect { seat, kind });
            }
        }
        if kind == Kind::Authenticate {
            self.authenticated = true;
            if self.board.authenticates() >= 2 {
                self.end = Some(End::Authenticated { closer: seat });
            }
        }
    }

    /// "Closing one's last open socket ends one's building for good": nothing can be added any more.
    fn warn_if_shut<C: Chronicle<Event>>(&self, seat: Seat, was_open: bool, told: &mut C) {
        if was_open && !self.board.has_open(seat) {
            told.tell(|| Event::ShutIn { seat });
        }
    }

    /// "AGGREGATE": one's own block, or the enemy's under AGITATE.
    fn shift<C: Chronicle<Event>>(
        &mut self,
        seat: Seat,
        owner: Seat,
        number: u16,
        socket: Socket,
        told: &mut C,
    ) {
        let Some((slot, &block)) = self.board.numbered(number) else {
            return;
        };
        let Some(plug) = self.board.find(owner, socket) else {
            return;
        };
        let from = self.board.name(block.plug);
        let was_open = self.board.has_open(owner);
        self.board.shift(slot, plug);
        let board = &self.board;
        told.tell(|| {
            let circuit = board.circuit_of(owner, plug);
            Event::Moved {
                seat,
                owner,
                kind: block.kind,
                number,
                from: from.named(owner).to_string(),
                to: socket.named(owner).to_string(),
                cell: block.cell,
                left: block.circuit,
                circuit,
                power: *board.power(),
            }
        });
        self.warn_if_shut(owner, was_open, told);
    }

    /// ANNIHILATE and both halves of ATTENUATE.
    fn target<C: Chronicle<Event>>(&mut self, seat: Seat, number: u16, told: &mut C) {
        let Some((slot, &block)) = self.board.numbered(number) else {
            return;
        };
        self.board.remove(slot as Slot);
        let (owner, kind) = (block.seat, block.kind);
        let gone = Gone {
            seat,
            owner,
            kind,
            number,
            circuit: block.circuit,
            cell: block.cell,
            power: self.board.power_in(block.circuit),
        };
        if matches!(self.task, Some(Task::Annihilate { .. })) {
            told.tell(|| Event::Annihilated(gone));
            self.task = None;
            return;
        }
        self.give_back(owner, kind);
        if kind.is_command() && self.variant.is_blind() {
            for knowledge in &mut self.knowledge {
                knowledge.saw_return(kind);
            }
        }
        told.tell(|| Event::Returned(gone));
        self.task = match self.task {
            Some(Task::AttenuateOwn) => Some(Task::AttenuateEnemy),
            _ => None,
        };
    }

    /// Back to the supply: a power block to its owner's.
    fn give_back(&mut self, owner: Seat, kind: Kind) {
        if kind.is_command() {
            self.commands.add(kind);
        } else {
            self.supply[owner.index() % 2].add(kind);
        }
    }

    /// AGGRAVATE: all but one block of a hand go back. A face-down one is kept by chance.
    fn keep<C: Chronicle<Event>>(
        &mut self,
        chooser: Seat,
        owner: Seat,
        pick: Pick,
        rng: &mut GameRng,
        told: &mut C,
    ) {
        let hand = self.hands[owner.index() % 2];
        let kept = match pick {
            Pick::Known(kind) => kind,
            Pick::FaceDown => match random_block(hand.held.commands(), rng) {
                Some(kind) => kind,
                None => return,
            },
        };
        let one: Stock = [kept].into_iter().collect();
        let fresh = !hand.ready().has(kept);
        self.hands[owner.index() % 2] = Hand {
            held: one,
            fresh: if fresh { one } else { Stock::EMPTY },
        };
        let back = hand.held.minus(one);
        for kind in back.blocks() {
            self.give_back(owner, kind);
        }
        if self.variant.is_blind() {
            let own = &mut self.knowledge[owner.index() % 2];
            for kind in back.commands().blocks() {
                own.saw_return(kind);
            }
            self.knowledge[owner.next(2).index() % 2].other_kept(kept.is_command());
        }
        let face = self.face(kept);
        told.tell(|| Event::Kept {
            seat: chooser,
            owner,
            face,
            back: back.blocks().map(|kind| self.face(kind)).collect(),
        });
    }

    /// The turn is over, by its last action or by a pass.
    fn end_turn<C: Chronicle<Event>>(&mut self, passed: bool, told: &mut C) {
        self.turns += 1;
        self.passes = if passed { self.passes + 1 } else { 0 };
        self.idle = if self.active { 0 } else { self.idle + 1 };
        for hand in &mut self.hands {
            hand.fresh = Stock::EMPTY;
        }
        self.end = if self.last {
            Some(End::Exhausted)
        } else if self.passes >= 2 {
            Some(End::BothPassed)
        } else {
            self.out_of_time()
        };
        if self.end.is_none() {
            self.to_move = self.to_move.next(2);
            self.start_turn(told);
        }
    }

    fn out_of_time(&self) -> Option<End> {
        if self.idle >= IDLE_TURNS {
            Some(End::Idle)
        } else if self.turns >= MOST_TURNS {
            Some(End::TooLong)
        } else {
            None
        }
    }

    /// The start of a turn, where several ends are tested. "Victory", and "Power Overwhelming".
    pub(super) fn start_turn<C: Chronicle<Event>>(&mut self, told: &mut C) {
        let seat = self.to_move;
        self.left = 2;
        self.untouched = true;
        self.authenticated = false;
        self.active = false;
        self.task = None;
        if self.variant == Variant::Overwhelming && self.board.controls(seat) >= 2 {
            self.end = Some(End::Overwhelmed { winner: seat });
            return;
        }
        let key = self.position_key();
        self.history.push(key);
        if self.history.count(key) >= 3 {
            self.end = Some(End::Repetition);
            return;
        }
        if !self.last && self.is_exhausted(seat) {
            self.turns += 1;
            self.idle += 1;
            self.passes = 0;
            self.last = true;
            told.tell(|| Event::Skipped { seat });
            self.end = self.out_of_time();
            if self.end.is_none() {
                self.to_move = seat.next(2);
                self.start_turn(told);
            }
        } else if self.variant.is_blind() {
            self.note_offer();
        }
    }

    /// Whether a player can neither draw nor add a power block.
    fn is_exhausted(&self, seat: Seat) -> bool {
        let in_hand = !self.hand(seat).held.powers().is_empty();
        self.supply[seat.index() % 2].is_empty() && !(in_hand && self.board.has_open(seat))
    }
}

/// One of the blocks, each equally likely.
fn random_block(stock: Stock, rng: &mut GameRng) -> Option<Kind> {
    stock.blocks().nth(rng.below(usize::from(stock.len())))
}
