//! The blocks on the table: where they are plugged in, what is open, what they feed.
//!
//! Rulebook, "Setup", "Victory" and "Block types". Nothing here knows turns, hands or commands.

use super::cell::{Cell, Facing, Ground};
use super::kind::Kind;
use super::socket::{Circuit, Port, Side, Socket};
use crate::game::Seat;
use crate::game::rng::mix;

/// All blocks there are: 18 power blocks a player and 16 commands.
pub const MOST_BLOCKS: usize = 52;

/// A block's place in the board's list, in the order of numbers. It changes when an older block goes.
pub type Slot = u8;

const CORE: u8 = u8::MAX;

/// Where a block is plugged in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plug {
    /// The slot of the parent, or the Core.
    parent: u8,
    /// The side of a block, or the port of the Core.
    place: u8,
}

impl Plug {
    #[inline]
    pub const fn core(port: Port) -> Self {
        Self {
            parent: CORE,
            place: port.index(),
        }
    }

    #[inline]
    pub const fn block(slot: Slot, side: Side) -> Self {
        Self {
            parent: slot,
            place: side as u8,
        }
    }

    #[inline]
    pub fn parent(self) -> Parent {
        if self.parent == CORE {
            Parent::Core(Port::ALL[usize::from(self.place) % Port::ALL.len()])
        } else {
            Parent::Block(self.parent, Side::ALL[usize::from(self.place) % Side::ALL.len()])
        }
    }
}

/// What a block is plugged into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parent {
    Core(Port),
    Block(Slot, Side),
}

/// A block on the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub number: u16,
    pub kind: Kind,
    /// Whose path it hangs on.
    pub seat: Seat,
    pub plug: Plug,
    pub cell: Cell,
    /// The way from its parent to it.
    pub facing: Facing,
    pub circuit: Circuit,
    /// How many blocks are plugged into it.
    pub children: u8,
}

impl Block {
    const NONE: Self = Self {
        number: 0,
        kind: Kind::ZeroLfr,
        seat: Seat::new(0),
        plug: Plug::core(Port::End),
        cell: Cell::new(0, 0),
        facing: Facing::NORTH,
        circuit: Circuit::I,
        children: 0,
    };

    /// Whether nothing is plugged into it.
    #[inline]
    pub const fn is_leaf(&self) -> bool {
        self.children == 0
    }

    /// Its sockets.
    #[inline]
    pub fn sides(&self) -> impl Iterator<Item = Side> + Clone + use<> {
        let sockets = self.kind.sockets();
        Side::ALL
            .into_iter()
            .filter(move |side| sockets & side.bit() != 0)
    }

    /// The cell that a socket of this block faces.
    #[inline]
    pub const fn faces(&self, side: Side) -> Cell {
        self.cell.step(self.facing.turned(side))
    }

    /// What the block adds to the key of the position; numbers don't count.
    fn key(&self) -> u64 {
        let word = u64::from(self.cell.x as u8)
            | u64::from(self.cell.y as u8) << 8
            | u64::from(self.facing.index()) << 16
            | (self.kind as u64) << 24
            | (self.seat.index() as u64) << 32
            | 1 << 40;
        mix(word.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// In the order of their numbers.
    blocks: [Block; MOST_BLOCKS],
    len: u8,
    /// 0 for an empty cell, a slot plus one, or [`CORE`].
    ground: Ground,
    power: [[u8; 3]; 2],
    authenticates: u8,
    key: u64,
}

impl Board {
    /// The Core alone.
    pub fn new() -> Self {
        let mut ground = Ground::new();
        for x in -2..=2 {
            ground.set(Cell::new(x, 0), CORE);
        }
        Self {
            blocks: [Block::NONE; MOST_BLOCKS],
            len: 0,
            ground,
            power: [[0; 3]; 2],
            authenticates: 0,
            key: 0,
        }
    }

    #[inline]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks[..usize::from(self.len)]
    }

    /// The blocks of one path with their slots.
    #[inline]
    pub fn path(&self, seat: Seat) -> impl Iterator<Item = (Slot, &Block)> + Clone {
        (0..)
            .zip(self.blocks())
            .filter(move |(_, block)| block.seat == seat)
    }

    #[inline]
    pub fn get(&self, slot: Slot) -> Option<&Block> {
        self.blocks().get(usize::from(slot))
    }

    pub fn numbered(&self, number: u16) -> Option<(Slot, &Block)> {
        let slot = self
            .blocks()
            .binary_search_by_key(&number, |block| block.number)
            .ok()?;
        Some((slot as Slot, &self.blocks[slot]))
    }

    /// The block on a cell, if there is one.
    pub fn on(&self, cell: Cell) -> Option<&Block> {
        self.get(self.ground.at(cell).checked_sub(1)?)
    }

    pub const fn is_core(&self, cell: Cell) -> bool {
        self.ground.at(cell) == CORE
    }

    /// "You control a circuit when you are feeding more power into it": each player's power in each.
    pub const fn power(&self) -> &[[u8; 3]; 2] {
        &self.power
    }

    /// Both players' power in a circuit.
    pub const fn power_in(&self, circuit: Circuit) -> [u8; 2] {
        [self.power[0][circuit as usize], self.power[1][circuit as usize]]
    }

    /// How many circuits a player controls.
    pub fn controls(&self, seat: Seat) -> usize {
        let (own, other) = (&self.power[seat.index() % 2], &self.power[1 - seat.index() % 2]);
        own.iter().zip(other).filter(|(own, other)| own > other).count()
    }

    pub const fn authenticates(&self) -> u8 {
        self.authenticates
    }

    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Where a block plugged in there would lie, which way it would face and what it would feed.
    #[inline]
    fn site(&self, seat: Seat, plug: Plug) -> (Cell, Facing, Circuit) {
        match plug.parent() {
            Parent::Core(port) => {
                let (cell, facing) = port.faces(seat);
                (cell, facing, port.circuit(seat))
            }
            Parent::Block(slot, side) => {
                let parent = &self.blocks[usize::from(slot) % MOST_BLOCKS];
                (parent.faces(side), parent.facing.turned(side), parent.circuit)
            }
        }
    }

    pub fn circuit_of(&self, seat: Seat, plug: Plug) -> Circuit {
        self.site(seat, plug).2
    }

    /// The socket by its name.
    #[inline]
    pub fn name(&self, plug: Plug) -> Socket {
        match plug.parent() {
            Parent::Core(port) => Socket::Core(port),
            Parent::Block(slot, side) => {
                Socket::Of(self.blocks[usize::from(slot) % MOST_BLOCKS].number, side)
            }
        }
    }

    /// The socket of this name on a path, open or not.
    pub fn find(&self, seat: Seat, socket: Socket) -> Option<Plug> {
        match socket {
            Socket::Core(port) => Some(Plug::core(port)),
            Socket::Of(number, side) => {
                let (slot, block) = self.numbered(number)?;
                let has = block.seat == seat && block.kind.sockets() & side.bit() != 0;
                has.then_some(Plug::block(slot, side))
            }
        }
    }

    /// Whether the cell that a socket faces is empty.
    pub fn is_open(&self, seat: Seat, plug: Plug) -> bool {
        self.ground.is_empty(self.site(seat, plug).0)
    }

    /// The block on the cell that a socket faces.
    pub fn in_the_way(&self, seat: Seat, plug: Plug) -> Option<&Block> {
        self.on(self.site(seat, plug).0)
    }

    /// The open sockets of a path: those of the Core first, then by block.
    #[inline]
    pub fn open(&self, seat: Seat) -> impl Iterator<Item = Plug> + Clone + '_ {
        self.open_around(seat, None)
    }

    #[inline]
    pub fn count_open(&self, seat: Seat) -> usize {
        self.open(seat).count()
    }

    #[inline]
    pub fn has_open(&self, seat: Seat) -> bool {
        self.open(seat).next().is_some()
    }

    /// The sockets to which a leaf can be moved: it is lifted first, so its cell is empty; its own
    /// sockets are lifted with it, and the one it left is no goal. "Aggregate".
    #[inline]
    pub fn goals(&self, slot: Slot) -> impl Iterator<Item = Plug> + Clone + '_ {
        let block = &self.blocks[usize::from(slot) % MOST_BLOCKS];
        let left = block.plug;
        self.open_around(block.seat, Some(slot))
            .filter(move |&plug| plug != left)
    }

    /// How many goals a leaf has. `open` is the count of all open sockets of its path.
    #[inline]
    pub fn count_goals(&self, slot: Slot, open: usize) -> usize {
        let block = &self.blocks[usize::from(slot) % MOST_BLOCKS];
        let own = block
            .sides()
            .filter(|&side| self.ground.is_empty(block.faces(side)))
            .count();
        // The socket it left is among those that face it.
        (open + self.count_facing(block)).saturating_sub(own + 1)
    }

    /// How many sockets of a block's own path face its cell.
    #[inline]
    fn count_facing(&self, block: &Block) -> usize {
        let beside = |&facing: &Facing| {
            let Some(other) = self.on(block.cell.step(facing)) else {
                return false;
            };
            let side = other.facing.side_towards(facing.opposite());
            other.seat == block.seat && side.is_some_and(|side| other.kind.sockets() & side.bit() != 0)
        };
        let ports = Port::ALL
            .iter()
            .filter(|port| port.faces(block.seat).0 == block.cell)
            .count();
        ports + Facing::ALL.iter().filter(|facing| beside(facing)).count()
    }

    #[inline]
    fn open_around(&self, seat: Seat, lifted: Option<Slot>) -> impl Iterator<Item = Plug> + Clone + '_ {
        let mark = lifted.map_or(0, |slot| slot + 1);
        let empty = move |cell: Cell| {
            let what = self.ground.at(cell);
            what == 0 || what == mark
        };
        let ports = Port::ALL
            .into_iter()
            .filter(move |port| empty(port.faces(seat).0))
            .map(Plug::core);
        let sockets = self
            .path(seat)
            .filter(move |&(slot, _)| Some(slot) != lifted)
            .flat_map(move |(slot, block)| {
                block
                    .sides()
                    .filter(move |&side| empty(block.faces(side)))
                    .map(move |side| Plug::block(slot, side))
            });
        ports.chain(sockets)
    }

    /// Whether a block plugged in there would leave its path without an open socket.
    pub fn would_shut(&self, seat: Seat, kind: Kind, socket: Socket) -> bool {
        let Some(plug) = self.find(seat, socket) else {
            return false;
        };
        // Whoever has more open sockets than can face one cell has some left.
        if self.count_open(seat) > 4 || self.blocks().len() >= MOST_BLOCKS {
            return false;
        }
        let mut after = self.clone();
        after.place(u16::MAX, kind, seat, plug);
        !after.has_open(seat)
    }

    /// Plugs a block in. Its number is higher than all others on the table.
    pub fn place(&mut self, number: u16, kind: Kind, seat: Seat, plug: Plug) {
        let slot = self.len.min(MOST_BLOCKS as u8 - 1);
        self.blocks[usize::from(slot)] = Block {
            number,
            kind,
            seat,
            ..Block::NONE
        };
        self.len = slot + 1;
        self.plug_in(slot, plug);
        self.authenticates += u8::from(kind == Kind::Authenticate);
    }

    /// Plugs a block in whose number may be lower than others on the table.
    pub fn insert(&mut self, number: u16, kind: Kind, seat: Seat, plug: Plug) {
        let slot = self.blocks().partition_point(|block| block.number < number) as u8;
        let parent = match plug.parent() {
            Parent::Block(parent, side) if parent >= slot => Plug::block(parent + 1, side),
            _ => plug,
        };
        let (from, len) = (usize::from(slot), usize::from(self.len));
        self.blocks.copy_within(from..len, from + 1);
        self.blocks[from] = Block {
            number,
            kind,
            seat,
            ..Block::NONE
        };
        self.len += 1;
        for place in (0..self.len).filter(|&place| place != slot) {
            let block = &mut self.blocks[usize::from(place)];
            if block.plug.parent != CORE && block.plug.parent >= slot {
                block.plug.parent += 1;
            }
            self.ground.set(block.cell, place + 1);
        }
        self.plug_in(slot, parent);
        self.authenticates += u8::from(kind == Kind::Authenticate);
    }

    /// Moves a leaf to another socket.
    pub fn shift(&mut self, slot: Slot, plug: Plug) {
        self.unplug(slot);
        self.plug_in(slot, plug);
    }

    /// Takes a leaf off the table.
    pub fn remove(&mut self, slot: Slot) {
        self.unplug(slot);
        let kind = self.blocks[usize::from(slot)].kind;
        self.authenticates -= u8::from(kind == Kind::Authenticate);
        let (from, len) = (usize::from(slot), usize::from(self.len));
        self.blocks.copy_within(from + 1..len, from);
        self.len -= 1;
        // Those behind it move up, and whoever hangs on them must know.
        for place in 0..self.len {
            let block = &mut self.blocks[usize::from(place)];
            if block.plug.parent != CORE && block.plug.parent > slot {
                block.plug.parent -= 1;
            }
            if place >= slot {
                self.ground.set(block.cell, place + 1);
            }
        }
    }

    fn plug_in(&mut self, slot: Slot, plug: Plug) {
        let seat = self.blocks[usize::from(slot)].seat;
        let (cell, facing, circuit) = self.site(seat, plug);
        if let Parent::Block(parent, _) = plug.parent() {
            self.blocks[usize::from(parent)].children += 1;
        }
        let block = &mut self.blocks[usize::from(slot)];
        *block = Block {
            plug,
            cell,
            facing,
            circuit,
            ..*block
        };
        self.ground.set(cell, slot + 1);
        self.power[seat.index() % 2][circuit as usize] += block.kind.power();
        self.key = self.key.wrapping_add(block.key());
    }

    fn unplug(&mut self, slot: Slot) {
        let block = self.blocks[usize::from(slot)];
        if let Parent::Block(parent, _) = block.plug.parent() {
            self.blocks[usize::from(parent)].children -= 1;
        }
        self.ground.set(block.cell, 0);
        self.power[block.seat.index() % 2][block.circuit as usize] -= block.kind.power();
        self.key = self.key.wrapping_sub(block.key());
    }
}
