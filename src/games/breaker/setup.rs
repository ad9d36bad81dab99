//! A position written out: what saves keep, what tests build, and the opening.
//!
//! A [`Setup`] is untrusted; it becomes a [`Breaker`] only if it makes sense. Blocks are written by the
//! socket they are plugged into: where they lie and what they feed follows from that.

use serde::{Deserialize, Serialize};

use super::board::{Board, MOST_BLOCKS, Plug};
use super::history::{History, MOST_TURNS};
use super::kind::Kind;
use super::knowledge::Knowledge;
use super::read::socket_named;
use super::socket::Socket;
use super::stock::Stock;
use super::task::Task;
use super::turn::IDLE_TURNS;
use super::{Breaker, End, Hand, Tie, Variant};
use crate::game::{GameRng, Seat};

/// All there is to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub variant: Variant,
    pub tie: Tie,
    /// In the order of their numbers.
    pub blocks: Vec<Placed>,
    /// The number of the next block that comes to the table.
    pub next_number: u16,
    pub hands: [Hand; 2],
    /// Each player's power blocks.
    pub supply: [Stock; 2],
    pub commands: Stock,
    /// Commands set aside unseen at the start.
    pub aside: Stock,
    pub to_move: Seat,
    /// Actions left of the turn.
    pub left: u8,
    /// Nothing has been decided this turn.
    pub untouched: bool,
    /// An AUTHENTICATE was added this turn.
    pub authenticated: bool,
    /// A block was drawn or added this turn.
    pub active: bool,
    /// The choice that a command asks for.
    pub task: Option<Task>,
    /// Whole turns passed in a row.
    pub passes: u8,
    /// Turns in a row without a block drawn or added.
    pub idle: u8,
    /// Turns that are over.
    pub turns: u16,
    /// The other player's turn was skipped.
    pub last: bool,
    /// Keys of the positions from which turns started, this turn's included.
    pub seen: Vec<u64>,
    /// What each seat knows of face-down commands; none for a position without a history.
    pub knowledge: Option<[Knowledge; 2]>,
    pub end: Option<End>,
}

/// A block on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    pub number: u16,
    pub kind: Kind,
    pub seat: Seat,
    /// The socket of its parent: `II`, `W`, `7L`.
    pub into: String,
}

/// Why a saved position makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error("block {0} can't be where it is")]
    Misplaced(u16),
    #[error("the numbers of the blocks are not in order")]
    Numbers,
    #[error("there are more {0} than were made")]
    TooMany(Kind),
    #[error("a hand holds what it can't hold")]
    Hand,
    #[error("the supply holds what it can't hold")]
    Supply,
    #[error("turns or actions are counted wrongly")]
    Counts,
    #[error("a command asks for something that can't be answered")]
    Task,
}

impl Setup {
    /// The opening. "Setup": both 0 blocks in hand, all else in the supply.
    pub fn opening(variant: Variant, tie: Tie, rng: &mut GameRng) -> Self {
        let zeros: Stock = [Kind::ZeroLfr; 2].into_iter().collect();
        let made = |kind: Kind| std::iter::repeat_n(kind, usize::from(variant.made(kind)));
        let powers: Stock = Kind::powers().flat_map(made).collect();
        let mut commands: Stock = Kind::commands().flat_map(made).collect();
        let mut aside = Stock::EMPTY;
        for _ in 0..variant.aside() {
            let others = commands.without_kind(Kind::Authenticate);
            let index = rng.below(usize::from(others.len()));
            if let Some(kind) = others.blocks().nth(index) {
                commands.take(kind);
                aside.add(kind);
            }
        }
        Self {
            variant,
            tie,
            blocks: Vec::new(),
            next_number: 1,
            hands: [Hand {
                held: zeros,
                fresh: Stock::EMPTY,
            }; 2],
            supply: [powers.minus(zeros); 2],
            commands,
            aside,
            to_move: Seat::new(0),
            left: 2,
            untouched: true,
            authenticated: false,
            active: false,
            task: None,
            passes: 0,
            idle: 0,
            turns: 0,
            last: false,
            seen: Vec::new(),
            knowledge: None,
            end: None,
        }
    }

    /// No kind may be more often in the game than it was made.
    fn check_stocks(&self) -> Result<(), SetupError> {
        if self.supply.iter().any(|stock| !stock.commands().is_empty())
            || !self.commands.powers().is_empty()
            || !self.aside.powers().is_empty()
            || self.aside.len() != self.variant.aside()
            || self.aside.has(Kind::Authenticate)
        {
            return Err(SetupError::Supply);
        }
        for hand in &self.hands {
            let over = |kind: Kind| hand.held.count(kind) > kind.hand_limit();
            if !hand.held.includes(hand.fresh) || Kind::commands().any(over) {
                return Err(SetupError::Hand);
            }
        }
        for kind in Kind::ALL {
            let placed = |seat: Option<Seat>| {
                let of = |block: &&Placed| block.kind == kind && seat.is_none_or(|seat| block.seat == seat);
                self.blocks.iter().filter(of).count()
            };
            let held = |index: usize| usize::from(self.hands[index].held.count(kind));
            let too_many = if kind.is_command() {
                let supply = usize::from(self.commands.count(kind) + self.aside.count(kind));
                placed(None) + held(0) + held(1) + supply > usize::from(self.variant.made(kind))
            } else {
                (0..2).any(|index| {
                    let own = placed(Some(Seat::new(index as u8))) + held(index);
                    own + usize::from(self.supply[index].count(kind)) > usize::from(kind.made())
                })
            };
            if too_many {
                return Err(SetupError::TooMany(kind));
            }
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), SetupError> {
        let on_turn = self.left <= 2 && self.passes <= 2 && self.to_move.index() < 2;
        let in_time = self.turns <= MOST_TURNS && self.idle <= IDLE_TURNS;
        let seen = self.seen.len() <= usize::from(MOST_TURNS) + 1;
        // With nothing to choose and no action left the turn would be over.
        let goes_on = self.end.is_some() || self.task.is_some() || self.left > 0;
        let seats = match self.end {
            Some(
                End::Authenticated { closer: seat } | End::Overwhelmed { winner: seat } | End::Left { seat },
            ) => seat.index() < 2,
            _ => true,
        };
        let task = match self.task {
            Some(Task::Accelerate { left }) => (1..=3).contains(&left),
            Some(Task::Agitate { left }) => (1..=2).contains(&left),
            _ => true,
        };
        let ok = on_turn && task && in_time && seen && goes_on && seats && self.next_number < 10_000;
        if ok { Ok(()) } else { Err(SetupError::Counts) }
    }

    /// Puts the blocks on the table, parents before children: a child may well be the older one.
    fn board(&self) -> Result<Board, SetupError> {
        let ascending = self.blocks.windows(2).all(|pair| pair[0].number < pair[1].number);
        let below_next = self
            .blocks
            .last()
            .is_none_or(|last| last.number < self.next_number);
        if !ascending || !below_next || self.blocks.len() > MOST_BLOCKS {
            return Err(SetupError::Numbers);
        }
        let mut board = Board::new();
        let mut waiting: Vec<(&Placed, Socket)> = Vec::new();
        for block in &self.blocks {
            let known = socket_named(&block.into, block.seat).filter(|_| block.seat.index() < 2);
            waiting.push((block, known.ok_or(SetupError::Misplaced(block.number))?));
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|(block, socket)| match board.find(block.seat, *socket) {
                Some(plug) if board.is_open(block.seat, plug) => {
                    board.insert(block.number, block.kind, block.seat, plug);
                    false
                }
                _ => true,
            });
            if let Some((block, _)) = waiting.first().filter(|_| waiting.len() == before) {
                return Err(SetupError::Misplaced(block.number));
            }
        }
        Ok(board)
    }
}

impl TryFrom<Setup> for Breaker {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        setup.check_stocks()?;
        setup.check_counts()?;
        let board = setup.board()?;
        let mut history = History::new();
        for &key in &setup.seen {
            history.push(key);
        }
        let nothing = Knowledge::new(Stock::EMPTY, 0);
        let mut game = Self {
            board,
            variant: setup.variant,
            tie: setup.tie,
            next_number: setup.next_number,
            hands: setup.hands,
            supply: setup.supply,
            commands: setup.commands,
            aside: setup.aside,
            to_move: setup.to_move,
            left: setup.left,
            untouched: setup.untouched,
            authenticated: setup.authenticated,
            active: setup.active,
            task: setup.task,
            passes: setup.passes,
            idle: setup.idle,
            turns: setup.turns,
            last: setup.last,
            history,
            knowledge: [nothing.clone(), nothing],
            end: setup.end,
        };
        if game.end.is_none() && game.count_decisions(game.to_move) == 0 {
            return Err(SetupError::Task);
        }
        if setup.seen.is_empty() {
            game.history.push(game.position_key());
        }
        if game.variant.is_blind() {
            let known = setup.knowledge.filter(|known| game.agrees_with(known));
            if let Some(known) = known {
                game.knowledge = known;
            } else {
                for index in 0..2 {
                    let seat = Seat::new(index);
                    let held = game.hand(seat.next(2)).held.commands().len();
                    game.knowledge[usize::from(index)] = Knowledge::new(game.unseen_by(seat), held);
                }
                game.note_offer();
            }
        }
        Ok(game)
    }
}

impl Breaker {
    /// Whether what the seats are said to know fits what they don't see.
    fn agrees_with(&self, known: &[Knowledge; 2]) -> bool {
        (0..2u8).zip(known).all(|(index, knowledge)| {
            let seat = Seat::new(index);
            let held = self.hand(seat.next(2)).held.commands().len();
            knowledge.unseen() == self.unseen_by(seat) && knowledge.count_held() == held
        })
    }
}

impl From<Breaker> for Setup {
    fn from(game: Breaker) -> Self {
        let placed = |block: &super::board::Block| Placed {
            number: block.number,
            kind: block.kind,
            seat: block.seat,
            into: name(&game.board, block.plug, block.seat),
        };
        Self {
            variant: game.variant,
            tie: game.tie,
            blocks: game.board.blocks().iter().map(placed).collect(),
            next_number: game.next_number,
            hands: game.hands,
            supply: game.supply,
            commands: game.commands,
            aside: game.aside,
            to_move: game.to_move,
            left: game.left,
            untouched: game.untouched,
            authenticated: game.authenticated,
            active: game.active,
            task: game.task,
            passes: game.passes,
            idle: game.idle,
            turns: game.turns,
            last: game.last,
            seen: game.history.keys().to_vec(),
            knowledge: game.variant.is_blind().then_some(game.knowledge),
            end: game.end,
        }
    }
}

fn name(board: &Board, plug: Plug, seat: Seat) -> String {
    board.name(plug).named(seat).to_string()
}
