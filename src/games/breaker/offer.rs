//! What there is to decide now: listed, counted, or one of it by number.

use super::Breaker;
use super::action::{Action, Pick};
use super::board::{Block, Slot};
use super::kind::Kind;
use super::knowledge::Kinds;
use super::stock::Stock;
use super::task::Task;
use crate::game::Seat;

/// The blocks among which a player picks: different kinds, and perhaps one that lies face down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    kinds: Stock,
    face_down: bool,
}

impl Offer {
    #[inline]
    pub const fn len(self) -> usize {
        self.kinds.count_kinds() + self.face_down as usize
    }

    #[inline]
    pub fn picks(self) -> impl Iterator<Item = Pick> + Clone {
        let face_down = self.face_down.then_some(Pick::FaceDown);
        self.kinds.kinds().map(Pick::Known).chain(face_down)
    }
}

impl Breaker {
    /// The commands of the supply that pass, as the player may pick them.
    fn offer(&self, powers: Stock, commands: Stock) -> Offer {
        if self.variant.is_blind() {
            Offer {
                kinds: powers,
                face_down: !commands.is_empty(),
            }
        } else {
            Offer {
                kinds: powers.plus(commands),
                face_down: false,
            }
        }
    }

    /// The commands in the supply that the hand of `seat` has room for.
    pub(super) fn fitting(&self, seat: Seat) -> Stock {
        let held = self.hand(seat).held;
        let mut fitting = self.commands;
        for kind in held.commands().kinds() {
            if held.count(kind) >= kind.hand_limit() {
                fitting = fitting.without_kind(kind);
            }
        }
        fitting
    }

    /// ALLOCATE, and each block of ACCELERATE.
    pub(super) fn drawable(&self, seat: Seat) -> Offer {
        self.offer(self.supply[seat.index() % 2], self.fitting(seat))
    }

    /// The commands in the supply that AUTOMATE may play.
    pub(super) fn automatic(&self) -> Stock {
        let commands = self.commands.without_kind(Kind::Automate);
        if self.authenticated {
            commands.without_kind(Kind::Authenticate)
        } else {
            commands
        }
    }

    /// What AUTOMATE may play.
    pub(super) fn automatable(&self, seat: Seat) -> Offer {
        self.offer(self.supply[seat.index() % 2], self.automatic())
    }

    /// ASSIMILATE: what is in hand since before this turn; one AUTHENTICATE a turn.
    pub(super) fn playable(&self, seat: Seat) -> Offer {
        let ready = self.hand(seat).ready();
        Offer {
            kinds: if self.authenticated {
                ready.without_kind(Kind::Authenticate)
            } else {
                ready
            },
            face_down: false,
        }
    }

    /// AGGRAVATE: what `chooser` may keep in the hand of `owner`.
    pub(super) fn keepable(&self, chooser: Seat, owner: Seat) -> Offer {
        let held = self.hand(owner).held;
        if chooser == owner {
            Offer {
                kinds: held,
                face_down: false,
            }
        } else {
            self.offer(held.powers(), held.commands())
        }
    }

    /// "AGGREGATE": the blocks of a path that can be moved. AUTHENTICATE stays where it is.
    #[inline]
    pub(super) fn movable(&self, seat: Seat) -> impl Iterator<Item = (Slot, &Block)> + Clone {
        let movable = |(_, block): &(Slot, &Block)| block.is_leaf() && block.kind != Kind::Authenticate;
        self.board.path(seat).filter(movable)
    }

    fn count_moves(&self, seat: Seat) -> usize {
        let open = self.board.count_open(seat);
        let goals = |(slot, _)| self.board.count_goals(slot, open);
        self.movable(seat).map(goals).sum()
    }

    fn nth_move(&self, seat: Seat, mut index: usize) -> Option<Action> {
        let open = self.board.count_open(seat);
        for (slot, block) in self.movable(seat) {
            let goals = self.board.count_goals(slot, open);
            if index < goals {
                let plug = self.board.goals(slot).nth(index)?;
                return Some(Action::Move {
                    number: block.number,
                    socket: self.board.name(plug),
                });
            }
            index -= goals;
        }
        None
    }

    fn moves(&self, seat: Seat) -> impl Iterator<Item = Action> {
        self.movable(seat).flat_map(|(slot, block)| {
            self.board.goals(slot).map(|plug| Action::Move {
                number: block.number,
                socket: self.board.name(plug),
            })
        })
    }

    fn adds(&self, seat: Seat, offer: Offer) -> impl Iterator<Item = Action> {
        offer.picks().flat_map(move |pick| {
            self.board.open(seat).map(move |plug| Action::Add {
                pick,
                socket: self.board.name(plug),
            })
        })
    }

    /// ANNIHILATE: any leaf on either side but AUTHENTICATE and the command that acts.
    pub(super) fn victims(&self, acting: u16) -> impl Iterator<Item = &Block> + Clone {
        self.board.blocks().iter().filter(move |block| {
            block.is_leaf() && block.kind != Kind::Authenticate && block.number != acting
        })
    }

    /// ATTENUATE: any leaf of a path but AUTHENTICATE and ATTENUATE.
    pub(super) fn removable(&self, seat: Seat) -> impl Iterator<Item = &Block> + Clone {
        self.movable(seat)
            .map(|(_, block)| block)
            .filter(|block| block.kind != Kind::Attenuate)
    }

    /// How many ways there are to go on with a task.
    pub(super) fn count_choices(&self, seat: Seat, task: Task) -> usize {
        let enemy = seat.next(2);
        match task {
            Task::Annihilate { acting } => self.victims(acting).count(),
            Task::Automate => self.automatable(seat).len() * self.board.count_open(seat),
            Task::Accelerate { left: 0 } | Task::Agitate { left: 0 } => 0,
            Task::Accelerate { .. } => self.drawable(seat).len(),
            Task::AttenuateOwn if self.removable(enemy).next().is_none() => 0,
            Task::AttenuateOwn => self.removable(seat).count(),
            Task::AttenuateEnemy => self.removable(enemy).count(),
            Task::Agitate { .. } => self.count_moves(enemy),
            Task::AggravateOwn => self.keepable(seat, seat).len(),
            Task::AggravateEnemy => self.keepable(seat, enemy).len(),
        }
    }

    /// How many decisions the player to move has.
    pub(super) fn count_decisions(&self, seat: Seat) -> usize {
        if let Some(task) = self.task {
            return self.count_choices(seat, task);
        }
        1 + self.drawable(seat).len()
            + self.playable(seat).len() * self.board.count_open(seat)
            + self.count_moves(seat)
    }

    /// All decisions, in no order worth keeping.
    pub(super) fn decisions_into(&self, seat: Seat, out: &mut Vec<Action>) {
        let enemy = seat.next(2);
        let target = |block: &Block| Action::Target(block.number);
        match self.task {
            None => {
                out.push(Action::Pass);
                out.extend(self.drawable(seat).picks().map(Action::Draw));
                out.extend(self.adds(seat, self.playable(seat)));
                out.extend(self.moves(seat));
            }
            Some(Task::Annihilate { acting }) => out.extend(self.victims(acting).map(target)),
            Some(Task::Automate) => out.extend(self.adds(seat, self.automatable(seat))),
            Some(Task::Accelerate { .. }) => out.extend(self.drawable(seat).picks().map(Action::Take)),
            Some(Task::AttenuateOwn) => out.extend(self.removable(seat).map(target)),
            Some(Task::AttenuateEnemy) => out.extend(self.removable(enemy).map(target)),
            Some(Task::Agitate { .. }) => out.extend(self.moves(enemy)),
            Some(Task::AggravateOwn) => out.extend(self.keepable(seat, seat).picks().map(Action::Keep)),
            Some(Task::AggravateEnemy) => out.extend(self.keepable(seat, enemy).picks().map(Action::Keep)),
        }
    }

    /// The decision with this number, of those that [`Breaker::count_decisions`] counts.
    pub(super) fn nth_decision(&self, seat: Seat, mut index: usize) -> Option<Action> {
        let enemy = seat.next(2);
        let target = |block: &Block| Action::Target(block.number);
        match self.task {
            None => {
                if index == 0 {
                    return Some(Action::Pass);
                }
                index -= 1;
                let drawable = self.drawable(seat);
                if index < drawable.len() {
                    return drawable.picks().nth(index).map(Action::Draw);
                }
                index -= drawable.len();
                let playable = self.playable(seat);
                let adds = playable.len() * self.board.count_open(seat);
                if index < adds {
                    return self.nth_add(seat, playable, index);
                }
                self.nth_move(seat, index - adds)
            }
            Some(Task::Annihilate { acting }) => self.victims(acting).nth(index).map(target),
            Some(Task::Automate) => self.nth_add(seat, self.automatable(seat), index),
            Some(Task::Accelerate { .. }) => self.drawable(seat).picks().nth(index).map(Action::Take),
            Some(Task::AttenuateOwn) => self.removable(seat).nth(index).map(target),
            Some(Task::AttenuateEnemy) => self.removable(enemy).nth(index).map(target),
            Some(Task::Agitate { .. }) => self.nth_move(enemy, index),
            Some(Task::AggravateOwn) => self.keepable(seat, seat).picks().nth(index).map(Action::Keep),
            Some(Task::AggravateEnemy) => self.keepable(seat, enemy).picks().nth(index).map(Action::Keep),
        }
    }

    fn nth_add(&self, seat: Seat, offer: Offer, index: usize) -> Option<Action> {
        let open = self.board.count_open(seat).max(1);
        let pick = offer.picks().nth(index / open)?;
        let plug = self.board.open(seat).nth(index % open)?;
        Some(Action::Add {
            pick,
            socket: self.board.name(plug),
        })
    }

    /// Where commands lie face down the player to move sees, by being offered one or not, something
    /// of the supply.
    pub(super) fn note_offer(&mut self) {
        let seat = self.to_move;
        let (commands, barred) = match self.task {
            None | Some(Task::Accelerate { .. }) => {
                let held = self.hand(seat).held;
                let full = held
                    .commands()
                    .kinds()
                    .filter(move |&kind| held.count(kind) >= kind.hand_limit());
                (self.fitting(seat), Kinds::of(full))
            }
            Some(Task::Automate) => {
                let authenticate = self.authenticated.then_some(Kind::Authenticate);
                let barred = [Kind::Automate].into_iter().chain(authenticate);
                (self.automatic(), Kinds::of(barred))
            }
            Some(_) => return,
        };
        let fitting = Kinds::of(Kind::commands().filter(|&kind| !barred.contains(kind)));
        self.knowledge[seat.index() % 2].looked(fitting, !commands.is_empty());
    }
}
