//! What everybody sees: GlyphGrid hides nothing.

use serde::{Deserialize, Serialize};

use super::grid::ActionEffect;
use super::history::MOVE_LIMIT;
use super::piece::{Glyph, Kind, Side};
use super::square::GridSquare;
use super::watch::{Alarm, NearWin, winning_marks};
use super::{End, GlyphGrid};
use crate::game::Seat;

/// A position of GlyphGrid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Sun, then Moon.
    pub sides: [SideView; 2],
    /// Whose move it is, until the end.
    pub to_move: Option<Side>,
    /// Whether the player to move may take the other side.
    pub may_swap: bool,
    /// An enemy's mark that turns when the turn of the piece on it comes.
    pub pending: Option<GridSquare>,
    /// What threatens the side to move.
    pub alarm: Alarm,
    /// Moves of both players, and how many make a draw.
    pub moves: u16,
    pub move_limit: u16,
    /// How often this position has been on the board; the third time is a draw.
    pub occurrences: usize,
    pub end: Option<End>,
}

/// One side of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideView {
    pub side: Side,
    pub seat: Seat,
    pub core: Option<GridSquare>,
    pub shards: Vec<GridSquare>,
    pub marks: Vec<GridSquare>,
    /// Pieces that stand on a mark of their own and so can't be pushed.
    pub protected: Vec<GridSquare>,
    /// Marks that lack one to win.
    pub near: Vec<NearWin>,
}

impl View {
    pub fn side(&self, side: Side) -> &SideView {
        &self.sides[side.index()]
    }

    /// The side that a seat plays.
    pub fn side_of(&self, seat: Seat) -> Side {
        if self.sides[0].seat == seat {
            Side::Sun
        } else {
            Side::Moon
        }
    }

    pub fn piece_at(&self, square: GridSquare) -> Option<(Side, Kind)> {
        self.sides
            .iter()
            .find_map(|side| Some((side.side, side.piece_at(square)?)))
    }

    pub fn mark_at(&self, square: GridSquare) -> Option<Side> {
        let owner = self.sides.iter().find(|side| side.marks.contains(&square))?;
        Some(owner.side)
    }

    /// The marks that won, if marks did.
    pub fn winning_marks(&self) -> Vec<GridSquare> {
        let Some(End::Resonance(side, pattern)) = self.end else {
            return Vec::new();
        };
        let marks = self.side(side).marks.iter().copied().collect();
        winning_marks(marks, pattern).iter().collect()
    }
}

impl SideView {
    pub fn piece_at(&self, square: GridSquare) -> Option<Kind> {
        if self.core == Some(square) {
            Some(Kind::Core)
        } else {
            self.shards.contains(&square).then_some(Kind::Shard)
        }
    }

    /// The Core first, then the Shards.
    pub fn pieces(&self) -> impl Iterator<Item = (Kind, GridSquare)> + '_ {
        let core = self.core.iter().map(|&square| (Kind::Core, square));
        core.chain(self.shards.iter().map(|&square| (Kind::Shard, square)))
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A piece went by VECTOR, LANCE or ARC.
    Moved {
        seat: Seat,
        piece: Kind,
        glyph: Glyph,
        from: GridSquare,
        to: GridSquare,
        captured: Option<Kind>,
        /// It stands on an enemy's mark now, which turns next turn.
        inverts: bool,
    },
    /// A piece pushed an enemy by PULSE.
    Pushed {
        seat: Seat,
        piece: Kind,
        from: GridSquare,
        to: GridSquare,
        pushed: Kind,
        fate: Fate,
    },
    /// A piece marked a square by ANCHOR: its own if `from` equals `at`.
    Marked {
        seat: Seat,
        piece: Kind,
        from: GridSquare,
        at: GridSquare,
        /// The mark was the enemy's before.
        turned: bool,
        /// How many marks the player has now.
        marks: u8,
    },
    /// A mark turned at the start of a turn.
    Inverted { seat: Seat, at: GridSquare, marks: u8 },
    /// A player took the other side.
    Swapped { seat: Seat },
    /// It is somebody's turn, with this to beware of.
    Turn { seat: Seat, alarm: Alarm },
    /// A player left.
    Left { seat: Seat },
}

/// What became of a pushed piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stands here now.
    Moved(GridSquare),
    /// Captured: pushed off the board.
    OffBoard,
    /// Captured: pushed against the piece that stands here.
    Crushed(GridSquare),
}

impl GlyphGrid {
    /// The event of an action that was just carried out.
    pub(super) fn event(
        &self,
        glyph: Glyph,
        from: GridSquare,
        to: GridSquare,
        deed: ActionEffect,
        inverts: bool,
    ) -> Event {
        let (seat, piece) = (self.owner(self.to_move), deed.kind);
        match (glyph, deed.met) {
            (Glyph::Anchor, _) => Event::Marked {
                seat,
                piece,
                from,
                at: to,
                turned: deed.mark_before == Some(self.to_move.other()),
                marks: self.grid.marks(self.to_move).len() as u8,
            },
            (Glyph::Pulse, Some(pushed)) => Event::Pushed {
                seat,
                piece,
                from,
                to,
                pushed,
                fate: match (deed.pushed_to, from.mirrored(to)) {
                    (Some(square), _) => Fate::Moved(square),
                    (None, Some(behind)) => Fate::Crushed(behind),
                    (None, None) => Fate::OffBoard,
                },
            },
            (Glyph::Vector | Glyph::Lance | Glyph::Arc | Glyph::Pulse, captured) => Event::Moved {
                seat,
                piece,
                glyph,
                from,
                to,
                captured,
                inverts,
            },
        }
    }

    pub(super) fn look(&self) -> View {
        let side_view = |side: Side| SideView {
            side,
            seat: self.owner(side),
            core: self.grid.core(side),
            shards: self.grid.shards(side).iter().collect(),
            marks: self.grid.marks(side).iter().collect(),
            protected: (self.grid.pieces(side) & self.grid.marks(side)).iter().collect(),
            near: self.grid.near_wins(side),
        };
        let to_move = self.end.is_none().then_some(self.to_move);
        View {
            sides: Side::ALL.map(side_view),
            to_move,
            may_swap: to_move.is_some() && self.may_swap(),
            pending: self.pending.filter(|_| to_move.is_some()),
            alarm: to_move.map(|side| self.alarm(side)).unwrap_or_default(),
            moves: self.moves,
            move_limit: MOVE_LIMIT,
            occurrences: self.history.occurrences(),
            end: self.end,
        }
    }
}
