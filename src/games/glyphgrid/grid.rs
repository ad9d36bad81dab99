//! Pieces and marks on the board, laid out for speed.

use super::piece::{Glyph, Kind, Side};
use super::square::{GridSquare, Squares};
use crate::game::rng::mix;

/// The most pieces of a side. A game starts with five; the rest is room for built positions, since
/// five can't show every rule.
pub const MOST_PIECES: usize = 8;

/// Marks that win as such.
pub const DOMINION: usize = 6;

/// A line of four from its lowest square, in the four ways it can run.
pub const LINES: [[(i8, i8); 3]; 4] = [
    [(1, 0), (2, 0), (3, 0)],
    [(0, 1), (0, 2), (0, 3)],
    [(1, 1), (2, 2), (3, 3)],
    [(-1, 1), (-2, 2), (-3, 3)],
];

/// A square of four from its lower left square.
pub const BLOCK: [(i8, i8); 3] = [(1, 0), (0, 1), (1, 1)];

/// What one side has on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Army {
    /// One square, or none once the Core is captured.
    core: Squares,
    shards: Squares,
    marks: Squares,
}

impl Army {
    #[inline]
    fn pieces(&self) -> Squares {
        self.core | self.shards
    }
}

/// Where everything stands and who marked what.
#[derive(Clone, Debug)]
pub struct Grid {
    armies: [Army; 2],
    key: u64,
}

/// The goals of one piece by each glyph, in the order of [`Glyph::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Reach {
    goals: [Squares; 5],
}

impl Reach {
    #[inline]
    pub const fn by(&self, glyph: Glyph) -> Squares {
        self.goals[glyph as usize]
    }

    /// How many actions there are. Counting bits is what random play spends its time on, so glyphs
    /// that never share a goal are counted together: VECTOR, LANCE and ARC go different distances;
    /// PULSE ends where an enemy stands and ANCHOR where none does.
    #[inline]
    pub fn count(&self) -> usize {
        let [vector, lance, arc, pulse, anchor] = self.goals;
        (vector | lance | arc).len() + (pulse | anchor).len()
    }

    /// The glyph and goal with this number, in the order of legal lists.
    #[inline]
    pub fn nth(&self, mut number: usize) -> Option<(Glyph, GridSquare)> {
        for (glyph, goals) in Glyph::ALL.into_iter().zip(self.goals) {
            if number < goals.len() {
                return Some((glyph, goals.nth(number)?));
            }
            number -= goals.len();
        }
        None
    }

    pub fn iter(&self) -> impl Iterator<Item = (Glyph, GridSquare)> + '_ {
        Glyph::ALL
            .into_iter()
            .flat_map(|glyph| self.by(glyph).iter().map(move |to| (glyph, to)))
    }
}

/// What an action did, apart from what the action itself says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionEffect {
    /// What acted.
    pub kind: Kind,
    /// What it met on its goal: captured there, or pushed from there by PULSE.
    pub met: Option<Kind>,
    /// Where a pushed piece came to stand; a piece without such a place is captured.
    pub pushed_to: Option<GridSquare>,
    /// Whose mark was on the goal.
    pub mark_before: Option<Side>,
}

impl ActionEffect {
    /// The piece that left the board.
    #[inline]
    pub const fn taken(self) -> Option<Kind> {
        match self.pushed_to {
            None => self.met,
            Some(_) => None,
        }
    }
}

/// How marks win. "Resonance".
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// Four in a row.
    Line,
    /// Two by two.
    Block,
    /// Six anywhere.
    Dominion,
}

impl Pattern {
    /// How these marks win, if they do.
    #[inline]
    pub fn of(marks: Squares) -> Option<Self> {
        // The fewest marks that win are four.
        if marks.len() < 4 {
            None
        } else if LINES.iter().any(|line| !marks.starts(line).is_empty()) {
            Some(Self::Line)
        } else if !marks.starts(&BLOCK).is_empty() {
            Some(Self::Block)
        } else {
            (marks.len() >= DOMINION).then_some(Self::Dominion)
        }
    }
}

/// What the random words of position keys stand for.
#[derive(Clone, Copy)]
enum Layer {
    Core,
    Shard,
    Mark,
}

/// A random word for each thing of each side on each square, for position keys. Saves hold such
/// keys, so these words are a promise.
static KEYS: [[[u64; 64]; 3]; 2] = {
    let mut keys = [[[0; 64]; 3]; 2];
    let mut number = 0;
    while number < 2 * 3 * 64 {
        keys[number / 192][number / 64 % 3][number % 64] =
            mix((number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        number += 1;
    }
    keys
};

#[inline]
fn key(side: Side, layer: Layer, square: GridSquare) -> u64 {
    KEYS[side.index()][layer as usize][square.index()]
}

const fn layer(kind: Kind) -> Layer {
    match kind {
        Kind::Core => Layer::Core,
        Kind::Shard => Layer::Shard,
    }
}

impl Grid {
    pub fn empty() -> Self {
        Self {
            armies: [Army::default(); 2],
            key: 0,
        }
    }

    /// A word that is the same for the same pieces and marks on the same squares.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn army(&self, side: Side) -> &Army {
        &self.armies[side.index()]
    }

    #[inline]
    pub fn core(&self, side: Side) -> Option<GridSquare> {
        self.army(side).core.first()
    }

    #[inline]
    pub fn shards(&self, side: Side) -> Squares {
        self.army(side).shards
    }

    #[inline]
    pub fn pieces(&self, side: Side) -> Squares {
        self.army(side).pieces()
    }

    #[inline]
    pub fn marks(&self, side: Side) -> Squares {
        self.army(side).marks
    }

    #[inline]
    pub fn occupied(&self) -> Squares {
        self.pieces(Side::Sun) | self.pieces(Side::Moon)
    }

    /// The piece on a square.
    pub fn at(&self, square: GridSquare) -> Option<(Side, Kind)> {
        let side = Side::ALL
            .into_iter()
            .find(|&side| self.pieces(side).contains(square))?;
        Some((side, self.kind_of(side, square)))
    }

    /// The owner of the mark on a square.
    pub fn mark_at(&self, square: GridSquare) -> Option<Side> {
        Side::ALL
            .into_iter()
            .find(|&side| self.marks(side).contains(square))
    }

    /// What the piece of `side` on this square is, given that there is one.
    #[inline]
    fn kind_of(&self, side: Side, square: GridSquare) -> Kind {
        if self.army(side).core.contains(square) {
            Kind::Core
        } else {
            Kind::Shard
        }
    }

    /// Puts a piece down, or takes it up from where it stands.
    #[inline]
    pub fn toggle_piece(&mut self, side: Side, kind: Kind, square: GridSquare) {
        let army = &mut self.armies[side.index()];
        match kind {
            Kind::Core => army.core ^= Squares::one(square),
            Kind::Shard => army.shards ^= Squares::one(square),
        }
        self.key ^= key(side, layer(kind), square);
    }

    /// Makes a square bear this side's mark and no other.
    #[inline]
    pub fn mark(&mut self, side: Side, square: GridSquare) {
        for owner in Side::ALL {
            let marks = &mut self.armies[owner.index()].marks;
            if marks.contains(square) != (owner == side) {
                *marks ^= Squares::one(square);
                self.key ^= key(owner, Layer::Mark, square);
            }
        }
    }

    /// Where a piece can go by each glyph. "Glyphs" and "Capture Rules".
    #[inline]
    pub fn reach(&self, side: Side, kind: Kind, from: GridSquare) -> Reach {
        let (own, enemy) = (self.army(side), self.army(side.other()));
        let occupied = own.pieces() | enemy.pieces();
        let empty = Squares::ALL - occupied;
        let beside = from.neighbours();
        // A Core captures anything, a Shard only the Core; and a Shard can't push a Core. A piece
        // on its own mark can't be pushed.
        let (prey, pushable) = match kind {
            Kind::Core => (enemy.pieces(), enemy.pieces() - enemy.marks),
            Kind::Shard => (enemy.core, enemy.shards - enemy.marks),
        };
        let goals = empty | prey;
        let mut anchor = beside & enemy.marks & empty;
        if !own.marks.contains(from) {
            anchor.insert(from);
        }
        Reach {
            goals: [
                beside & goals,
                (from.far() & goals) - behind(from, beside & occupied),
                from.leaps() & goals,
                beside & pushable,
                anchor,
            ],
        }
    }

    /// The pieces of a side in the order of squares.
    #[inline]
    pub fn pieces_of(&self, side: Side) -> impl Iterator<Item = (Kind, GridSquare)> + '_ {
        self.pieces(side)
            .iter()
            .map(move |square| (self.kind_of(side, square), square))
    }

    /// Carries out a legal action.
    #[inline]
    pub fn cast(&mut self, side: Side, glyph: Glyph, from: GridSquare, to: GridSquare) -> ActionEffect {
        let enemy = side.other();
        let kind = self.kind_of(side, from);
        let mut deed = ActionEffect {
            kind,
            met: None,
            pushed_to: None,
            mark_before: self.mark_at(to),
        };
        if self.pieces(enemy).contains(to) {
            let met = self.kind_of(enemy, to);
            deed.met = Some(met);
            self.toggle_piece(enemy, met, to);
            if glyph == Glyph::Pulse
                && let Some(behind) = from.mirrored(to)
                && !self.occupied().contains(behind)
            {
                deed.pushed_to = Some(behind);
                self.toggle_piece(enemy, met, behind);
            }
        }
        if from != to {
            self.toggle_piece(side, kind, from);
            self.toggle_piece(side, kind, to);
        }
        if glyph == Glyph::Anchor {
            self.mark(side, to);
        }
        deed
    }

    /// How the marks of a side win, if they do. "Resonance".
    #[inline]
    pub fn resonance(&self, side: Side) -> Option<Pattern> {
        Pattern::of(self.marks(side))
    }

    /// Whether an enemy could capture the Core of a side by moving onto it, if it were the enemy's turn. By VECTOR, LANCE and
    /// ARC a piece reaches everything within two squares, but for what LANCE finds in its way.
    #[inline]
    pub fn core_hangs(&self, side: Side) -> bool {
        let enemies = self.pieces(side.other());
        self.core(side).is_some_and(|core| {
            let beside = core.neighbours();
            let close = (beside | core.leaps()) & enemies;
            let far = (core.far() & enemies) - behind(core, beside & self.occupied());
            !(close | far).is_empty()
        })
    }

    /// Whether the Core of a side has enemies on all four sides. "Win Conditions": the edge of the
    /// board is no enemy.
    #[inline]
    pub fn is_surrounded(&self, side: Side) -> bool {
        let besiegers = self.pieces(side.other());
        self.core(side)
            .is_some_and(|core| (core.edges() & besiegers).len() == 4)
    }

    /// Whether the Core of a side can do nothing but stay. "Win Conditions". A Core may go onto
    /// anything but its own pieces, so where no neighbour and no leap is free of those, nothing else
    /// is open either: LANCE is blocked, and PULSE and a claim need such a neighbour.
    #[inline]
    pub fn is_immobile(&self, side: Side) -> bool {
        let own = self.pieces(side);
        self.core(side)
            .is_some_and(|core| ((core.neighbours() | core.leaps()) - own).is_empty())
    }
}

/// The squares two steps from `from` that lie behind `blockers` next to it.
#[inline]
fn behind(from: GridSquare, blockers: Squares) -> Squares {
    blockers
        .iter()
        .filter_map(|blocker| from.mirrored(blocker))
        .collect()
}
