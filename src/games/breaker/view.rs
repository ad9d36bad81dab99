//! The position as one viewer knows it, built up from what that viewer may know.

use serde::Serialize;

use super::board::Block;
use super::cell::{Cell, Facing};
use super::history::MOST_TURNS;
use super::kind::Kind;
use super::socket::{Circuit, Port, Side};
use super::stock::Stock;
use super::task::Task;
use super::turn::IDLE_TURNS;
use super::{Breaker, End, Tie, Variant};
use crate::game::{Seat, Viewer};

/// A position of Breaker Blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub variant: Variant,
    pub tie: Tie,
    /// In the order of their numbers.
    pub blocks: Vec<BlockView>,
    /// The Core sockets of both seats, four each.
    pub ports: [Vec<SocketView>; 2],
    /// Each seat's power in each circuit.
    pub power: [[u8; 3]; 2],
    pub hands: [HandView; 2],
    /// Each seat's power blocks in the supply.
    pub supply: [Stock; 2],
    pub commands: Commands,
    /// Commands that the viewer can't see, where some lie face down: in the supply, in the other hand, or
    /// set aside.
    pub unseen: Option<Stock>,
    /// Whose move it is, until the end.
    pub to_move: Option<Seat>,
    /// Actions left of the turn.
    pub left: u8,
    /// The choice that a command asks for.
    pub task: Option<Task>,
    /// How many AUTHENTICATE are on the table.
    pub authenticates: u8,
    /// One of them was added this turn, so no other may be.
    pub authenticated: bool,
    /// The turn, counted from 1, and how many there can be.
    pub turn: u16,
    pub most_turns: u16,
    /// Turns in a row without a block drawn or added, and how many of them end the game.
    pub idle: u8,
    pub most_idle: u8,
    /// The last whole turn was passed: passing this one, too, ends the game.
    pub passed: bool,
    /// This is the last turn of the game.
    pub last: bool,
    /// How often this turn's position has been on the table; unknown where hands are hidden.
    pub occurrences: Option<usize>,
    pub end: Option<End>,
}

/// A block on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockView {
    pub number: u16,
    pub kind: Kind,
    pub seat: Seat,
    pub cell: Cell,
    /// The way from its parent to it.
    pub facing: Facing,
    pub circuit: Circuit,
    /// The socket it is plugged into.
    pub into: String,
    pub sockets: Vec<SocketView>,
    /// Nothing is plugged into it.
    pub leaf: bool,
}

/// A socket, with the cell that it faces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SocketView {
    /// `7L`, `II`, `W`.
    pub name: String,
    pub cell: Cell,
    pub facing: Facing,
    pub state: SocketState,
}

/// What a socket is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SocketState {
    Open,
    /// A block is plugged into it.
    Used,
    /// Something else is in the way.
    Blocked,
}

/// A hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HandView {
    /// What the viewer sees of it.
    pub held: Stock,
    /// What of that was drawn this turn.
    pub fresh: Stock,
    /// Commands that the viewer can't see.
    pub face_down: u8,
}

impl HandView {
    pub fn len(&self) -> u8 {
        self.held.len() + self.face_down
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The commands in the supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Commands {
    Open(Stock),
    FaceDown(u8),
}

impl View {
    /// The open sockets of a path: those of the Core first.
    pub fn open_sockets(&self, seat: Seat) -> impl Iterator<Item = &SocketView> {
        let blocks = self.blocks.iter().filter(move |block| block.seat == seat);
        self.ports[seat.index() % 2]
            .iter()
            .chain(blocks.flat_map(|block| &block.sockets))
            .filter(|socket| socket.state == SocketState::Open)
    }

    /// The player whose path is played on now: the enemy's under AGITATE.
    pub fn path_in_play(&self) -> Option<Seat> {
        let seat = self.to_move?;
        Some(match self.task {
            Some(Task::Agitate { .. }) => seat.next(2),
            _ => seat,
        })
    }

    /// How many circuits a seat controls.
    pub fn controls(&self, seat: Seat) -> usize {
        let circuits = Circuit::ALL.into_iter();
        circuits
            .filter(|&circuit| self.leader(circuit) == Some(seat))
            .count()
    }

    /// Who feeds more power into a circuit.
    pub fn leader(&self, circuit: Circuit) -> Option<Seat> {
        let [first, second] = [0, 1].map(|seat: usize| self.power[seat][circuit as usize]);
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Seat::new(0)),
            std::cmp::Ordering::Less => Some(Seat::new(1)),
            std::cmp::Ordering::Equal => None,
        }
    }

    pub fn block(&self, number: u16) -> Option<&BlockView> {
        self.blocks.iter().find(|block| block.number == number)
    }
}

impl Breaker {
    pub(super) fn look(&self, viewer: Viewer) -> View {
        let blind = self.variant.is_blind();
        let hand = |index: u8| {
            let hand = self.hand(Seat::new(index));
            if !blind || viewer.may_see_secrets_of(Seat::new(index)) {
                HandView {
                    held: hand.held,
                    fresh: hand.fresh,
                    face_down: 0,
                }
            } else {
                HandView {
                    held: hand.held.powers(),
                    fresh: hand.fresh.powers(),
                    face_down: hand.held.commands().len(),
                }
            }
        };
        let commands = if blind && viewer != Viewer::Omniscient {
            Commands::FaceDown(self.commands.len())
        } else {
            Commands::Open(self.commands)
        };
        let unseen = match viewer {
            Viewer::Seat(seat) if blind => Some(self.unseen_by(seat)),
            _ => None,
        };
        let key = self.position_key();
        let turn_started = self.untouched && self.end.is_none();
        View {
            variant: self.variant,
            tie: self.tie,
            blocks: self.board.blocks().iter().map(|block| self.show(block)).collect(),
            ports: [0, 1].map(|index| self.show_ports(Seat::new(index))),
            power: *self.board.power(),
            hands: [hand(0), hand(1)],
            supply: self.supply,
            commands,
            unseen,
            to_move: self.end.is_none().then_some(self.to_move),
            left: self.left,
            task: self.task.filter(|_| self.end.is_none()),
            authenticates: self.board.authenticates(),
            authenticated: self.authenticated,
            turn: (self.turns + 1).min(MOST_TURNS),
            most_turns: MOST_TURNS,
            idle: self.idle,
            most_idle: IDLE_TURNS,
            passed: self.passes > 0,
            last: self.last,
            // The key is that of a turn's start, and with hidden hands it would tell of them.
            occurrences: (turn_started && !blind).then(|| self.history.count(key)),
            end: self.end,
        }
    }

    fn show(&self, block: &Block) -> BlockView {
        let socket = |side: Side| {
            let (cell, facing) = (block.faces(side), block.facing.turned(side));
            SocketView {
                name: format!("{}{}", block.number, side.letter()),
                cell,
                facing,
                state: self.socket_state(cell, facing),
            }
        };
        BlockView {
            number: block.number,
            kind: block.kind,
            seat: block.seat,
            cell: block.cell,
            facing: block.facing,
            circuit: block.circuit,
            into: self.board.name(block.plug).named(block.seat).to_string(),
            sockets: block.sides().map(socket).collect(),
            leaf: block.is_leaf(),
        }
    }

    fn show_ports(&self, seat: Seat) -> Vec<SocketView> {
        let port = |port: Port| {
            let (cell, facing) = port.faces(seat);
            SocketView {
                name: port.name(seat).to_owned(),
                cell,
                facing,
                state: self.socket_state(cell, facing),
            }
        };
        Port::ALL.into_iter().map(port).collect()
    }

    /// What lies on the cell that a socket faces: a block that faces the same way with its output
    /// here is plugged into it, for only one socket can look that way from this side.
    fn socket_state(&self, cell: Cell, facing: Facing) -> SocketState {
        match self.board.on(cell) {
            Some(block) if block.facing == facing => SocketState::Used,
            Some(_) => SocketState::Blocked,
            None if self.board.is_core(cell) => SocketState::Blocked,
            None => SocketState::Open,
        }
    }
}
