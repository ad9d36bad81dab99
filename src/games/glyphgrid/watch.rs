//! What a player must not overlook: a Core that can be taken, and marks that are about to win.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::GlyphGrid;
use super::grid::{BLOCK, DOMINION, Grid, LINES, Pattern};
use super::piece::{Glyph, Kind, Side};
use super::square::{BOARD, GridSquare, Squares};

/// What threatens the player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alarm {
    /// Enemies that could capture the Core next turn, as it stands.
    pub attackers: Vec<CoreThreat>,
    /// Squares on which the enemy could complete a winning pattern next turn, as it stands.
    pub completes: Vec<GridSquare>,
}

impl Alarm {
    pub fn is_quiet(&self) -> bool {
        self.attackers.is_empty() && self.completes.is_empty()
    }
}

/// A way to capture a Core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreThreat {
    pub from: GridSquare,
    pub kind: Kind,
    pub glyph: Glyph,
}

/// Marks that lack one to win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NearWin {
    pub pattern: Pattern,
    /// The marks that are there.
    pub have: Vec<GridSquare>,
    /// The square that is missing; for dominion any square will do.
    pub missing: Option<GridSquare>,
}

/// Every line and block of four squares that fits on the board.
pub(super) static FOURS: LazyLock<Vec<(Pattern, Squares)>> = LazyLock::new(|| fours().collect());

fn fours() -> impl Iterator<Item = (Pattern, Squares)> {
    let lines = LINES.iter().map(|line| (Pattern::Line, line));
    let patterns = lines.chain([(Pattern::Block, &BLOCK)]);
    patterns.flat_map(|(pattern, offsets)| {
        BOARD.cells().filter_map(move |start| {
            let places = [(0, 0), offsets[0], offsets[1], offsets[2]].map(|offset| start.step(offset));
            let fits = places.iter().all(|&place| BOARD.contains(place));
            fits.then(|| (pattern, places.into_iter().map(GridSquare::at).collect()))
        })
    })
}

/// The marks that make a winning pattern complete.
pub fn winning_marks(marks: Squares, pattern: Pattern) -> Squares {
    match pattern {
        Pattern::Dominion => marks,
        Pattern::Line | Pattern::Block => FOURS
            .iter()
            .filter(|&&(shape, squares)| shape == pattern && (squares - marks).is_empty())
            .fold(Squares::NONE, |all, &(_, squares)| all | squares),
    }
}

impl Grid {
    /// How the pieces of `side` could capture the enemy Core if it were their turn.
    pub fn attacks(&self, side: Side) -> Vec<CoreThreat> {
        let Some(core) = self.core(side.other()) else {
            return Vec::new();
        };
        let mut attacks = Vec::new();
        for (kind, from) in self.pieces_of(side) {
            let reach = self.reach(side, kind, from);
            let captures = |glyph: &Glyph| match glyph {
                Glyph::Vector | Glyph::Lance | Glyph::Arc => true,
                Glyph::Pulse => from
                    .mirrored(core)
                    .is_none_or(|behind| self.occupied().contains(behind)),
                Glyph::Anchor => false,
            };
            let way = Glyph::ALL
                .into_iter()
                .filter(captures)
                .find(|&glyph| reach.by(glyph).contains(core));
            attacks.extend(way.map(|glyph| CoreThreat { from, kind, glyph }));
        }
        attacks
    }

    /// The patterns of a side that lack one mark.
    pub fn near_wins(&self, side: Side) -> Vec<NearWin> {
        let marks = self.marks(side);
        let mut near: Vec<NearWin> = FOURS
            .iter()
            .filter(|&&(_, squares)| (squares & marks).len() == 3)
            .map(|&(pattern, squares)| NearWin {
                pattern,
                have: (squares & marks).iter().collect(),
                missing: (squares - marks).first(),
            })
            .collect();
        if marks.len() + 1 == DOMINION {
            near.push(NearWin {
                pattern: Pattern::Dominion,
                have: marks.iter().collect(),
                missing: None,
            });
        }
        near
    }

    /// The squares on which one more mark of `side` wins.
    fn winning_squares(&self, side: Side) -> Squares {
        let near = self.near_wins(side);
        if near.iter().any(|near| near.missing.is_none()) {
            return Squares::ALL - self.marks(side);
        }
        near.iter().filter_map(|near| near.missing).collect()
    }

    /// The squares that `side` could mark by ANCHOR if it were its turn.
    fn markable(&self, side: Side) -> Squares {
        self.pieces_of(side)
            .map(|(kind, from)| self.reach(side, kind, from).by(Glyph::Anchor))
            .fold(Squares::NONE, |all, goals| all | goals)
    }
}

impl GlyphGrid {
    /// What threatens `side`, which is to move.
    pub(super) fn alarm(&self, side: Side) -> Alarm {
        let enemy = side.other();
        // The enemy's next turn begins with the inversion that is pending, if nothing is done.
        let mut ahead = self.grid.clone();
        let mut completes = Squares::NONE;
        if let Some(square) = self.pending {
            ahead.mark(enemy, square);
            if ahead.resonance(enemy).is_some() {
                completes.insert(square);
            }
        }
        completes |= ahead.markable(enemy) & ahead.winning_squares(enemy);
        Alarm {
            attackers: self.grid.attacks(enemy),
            completes: completes.iter().collect(),
        }
    }
}
