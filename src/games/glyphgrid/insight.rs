//! What helps to play GlyphGrid well.

use std::time::Duration;

use super::grid::{BLOCK, DOMINION, LINES};
use super::piece::{Glyph, Side};
use super::square::{Square, Squares};
use super::watch::FOURS;
use super::{GlyphGrid, SEATS};
use crate::game::insight::{Chances, Plan, shares};
use crate::game::{Insight, MAX_SEATS, SeatSet};

/// What a Shard is worth.
const SHARD: f32 = 1.0;

/// What it is worth to be one turn before a win by marks; less the further away that is.
const RACE: f32 = 6.0;

/// What a line or block is worth that has so many marks of one side and none of the other.
const SHAPES: [f32; 5] = [0.0, 0.02, 0.15, 0.8, 8.0];

/// To be able to win on the move, and to be about to.
const WINS: f32 = 8.0;
const THREATENS: f32 = 1.0;

/// A lead of so much makes it about three to one.
const SCALE: f32 = 1.2;

/// Random games miss that a Core hangs, and end in ways that no player would allow: with 1000 simulations each, a search
/// that rates actions and judges positions at once won all of 20 games against plain playouts. Playing on for two steps
/// before judging scored 32 % against judging at once, for six steps still less. All that was with `swap` on and before
/// turns to a win were counted: a player who counts them won all of 40 games against one who counted turns to six marks
/// only, and all of 40 with 150 simulations against 1200.
static PLANS: [Plan; 5] = Plan::PLAIN.rated(0).bold(0.6).strengths(
    [(0, 0.5), (20, 0.15), (150, 0.0), (1200, 0.0), (2_000_000, 0.0)],
    Duration::from_secs(9),
);

impl GlyphGrid {
    /// Whether a side could capture the Core or complete its marks if it were on the move.
    fn can_win(&self, side: Side) -> bool {
        let core = self.grid.core(side.other());
        let marks = self.grid.marks(side);
        let last = marks.len() + 1 >= DOMINION;
        self.grid.pieces_of(side).any(|(kind, from)| {
            let reach = self.grid.reach(side, kind, from);
            let captures = core.is_some_and(|core| {
                [Glyph::Vector, Glyph::Lance, Glyph::Arc]
                    .into_iter()
                    .any(|glyph| reach.by(glyph).contains(core))
            });
            captures
                || reach
                    .by(Glyph::Anchor)
                    .iter()
                    .any(|at| last || completes(marks, at))
        })
    }

    /// How many turns a side needs to win by its marks if nobody hinders it: one for each piece that can mark where it
    /// stands, two for each mark after that.
    fn turns_to_win(&self, side: Side) -> usize {
        let marks = self.grid.marks(side);
        let pieces = self.grid.pieces(side);
        let missing = DOMINION.saturating_sub(marks.len());
        let dominion = missing + missing.saturating_sub((pieces - marks).len());
        let shape = FOURS.iter().map(|&(_, four)| {
            let missing = four - marks;
            missing.len() + (missing - pieces).len()
        });
        shape.fold(dominion, usize::min)
    }

    fn worth(&self, side: Side) -> f32 {
        let (own, other) = (self.grid.marks(side), self.grid.marks(side.other()));
        let mut worth = self.grid.shards(side).len() as f32 * SHARD;
        let waits = if side == self.to_move { 0.0 } else { 0.5 };
        worth += RACE / (self.turns_to_win(side) as f32 + waits);
        if own.len() >= 2 {
            worth += FOURS
                .iter()
                .filter(|&&(_, four)| (four & other).is_empty())
                .map(|&(_, four)| SHAPES.get((four & own).len()).copied().unwrap_or_default())
                .sum::<f32>();
        }
        worth
    }
}

/// Whether one more mark there makes a line or block.
fn completes(marks: Squares, at: Square) -> bool {
    if marks.len() < 3 {
        return false;
    }
    let mut marks = marks;
    marks.insert(at);
    LINES
        .iter()
        .chain([&BLOCK])
        .any(|shape| !marks.starts(shape).is_empty())
}

impl Insight for GlyphGrid {
    fn plans(&self) -> &'static [Plan; 5] {
        &PLANS
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn chances(&self) -> Option<Chances> {
        let mut worth = [0.0; MAX_SEATS as usize];
        for side in Side::ALL {
            let urgent = if side == self.to_move { WINS } else { THREATENS };
            let wins = if self.can_win(side) { urgent } else { 0.0 };
            worth[self.owner(side).index()] = self.worth(side) + wins;
        }
        Some(shares(&worth, SeatSet::all(SEATS), SCALE))
    }
}
