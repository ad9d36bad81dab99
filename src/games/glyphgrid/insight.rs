//! What helps to play GlyphGrid well.
//!
//! What a search must be told is where the fight is: a Shard that comes within reach of the enemy Core makes threats that
//! gain turns, and only whoever makes them can stop a race to four marks. What counts was found by letting players with
//! different weights meet, 60 games each at 8,000 positions a move in three openings: 0.4 for a Shard near the enemy Core won 84 to 92 %
//! against none, 0.2 for a step towards the centre another 64 to 81 %. A Shard near the Core counts 0.6 now ([`HUNT`]); how that fares
//! against 0.4 is not on record.

use std::time::Duration;

use super::grid::{BLOCK, DOMINION, LINES, Pattern};
use super::piece::{Glyph, Side};
use super::square::{CENTRE, GridSquare, Squares};
use super::watch::FOURS;
use super::{GlyphGrid, SEATS};
use crate::game::insight::{Chances, Plan, shares};
use crate::game::rng::mix;
use crate::game::{Insight, MAX_SEATS, SeatSet};

/// What a Shard is worth, and what it loses with every step away from the centre.
const SHARD: f32 = 1.0;
const OFF_CENTRE: f32 = 0.2;

/// What a Shard gains by being so far from the enemy Core: within three squares it threatens to come within reach.
const HUNT: [f32; 5] = [0.6, 0.6, 0.6, 0.6, 0.3];

/// A Core that stands on its own mark can't be pushed; one in the corner can't flee.
const CORE_AT_HOME: f32 = 0.2;
const CORE_OFF_CENTRE: f32 = 0.1;

/// What it is worth to be one turn before a win by marks; less the further away that is.
const RACE: f32 = 6.0;

/// What a line or block is worth that has so many marks of one side and none of the other.
const SHAPES: [f32; 5] = [0.0, 0.02, 0.15, 0.8, 8.0];

/// To be able to win on the move, and to be about to.
const WINS: f32 = 8.0;
const THREATENS: f32 = 1.0;

/// A lead of so much makes it about three to one.
const SCALE: f32 = 4.0;

/// How long the strongest player may think.
const LONGEST: Duration = Duration::from_secs(9);

/// Random games miss that a Core hangs, and end in ways that no player would allow: playouts are judged at once. Against an outsider
/// who looks four steps ahead and counts Shards and marks, 60,000 positions a move scored 54 % of 40 games (39 to 68), and lost 16
/// of the 20 in which the outsider began; 400,000 scored 90 % of 30 (74 to 97).
static PLANS: [Plan; 5] = Plan::look_ahead(
    &Plan::PLAIN.rated(0).bold(0.6).strengths(
        [(0, 0.5), (20, 0.15), (150, 0.0), (1200, 0.0), (2_000_000, 0.0)],
        LONGEST,
    ),
    [3_000, 400_000, u32::MAX],
    LONGEST,
);

impl GlyphGrid {
    /// Whether a side could capture the Core or complete its marks if it were on the move.
    fn can_win(&self, side: Side) -> bool {
        if self.grid.core_hangs(side.other()) {
            return true;
        }
        let mut marks = self.grid.marks(side);
        // What the side stands on since its last turn is turned before its next.
        if side != self.to_move
            && let Some(square) = self.pending
        {
            marks.insert(square);
            if Pattern::of(marks).is_some() {
                return true;
            }
        }
        if marks.len() < 3 {
            return false;
        }
        let last = marks.len() + 1 >= DOMINION;
        self.grid.pieces_of(side).any(|(kind, from)| {
            let anchored = self.grid.reach(side, kind, from).by(Glyph::Anchor) - marks;
            anchored.iter().any(|at| last || completes(marks, at))
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
        let waits = if side == self.to_move { 0.0 } else { 0.5 };
        let race = RACE / (self.turns_to_win(side) as f32 + waits);
        race + self.shapes(side) + self.army(side)
    }

    /// What the marks of a side are worth that could become a pattern.
    fn shapes(&self, side: Side) -> f32 {
        let (own, other) = (self.grid.marks(side), self.grid.marks(side.other()));
        if own.len() < 2 {
            return 0.0;
        }
        FOURS
            .iter()
            .filter(|&&(_, four)| (four & other).is_empty())
            .map(|&(_, four)| SHAPES.get((four & own).len()).copied().unwrap_or_default())
            .sum()
    }

    /// What the pieces of a side are worth where they stand.
    fn army(&self, side: Side) -> f32 {
        let off_centre = |square: GridSquare| f32::from(square.distance(CENTRE));
        let prey = self.grid.core(side.other());
        let shard = |at: GridSquare| {
            let distance = prey.map(|core| usize::from(at.distance(core)));
            let hunt = distance.and_then(|distance| HUNT.get(distance)).copied();
            SHARD + hunt.unwrap_or_default() - OFF_CENTRE * off_centre(at)
        };
        let shards: f32 = self.grid.shards(side).iter().map(shard).sum();
        let core = self.grid.core(side).map_or(0.0, |core| {
            let at_home = self.grid.marks(side).contains(core);
            let home = if at_home { CORE_AT_HOME } else { 0.0 };
            home - CORE_OFF_CENTRE * off_centre(core)
        });
        shards + core
    }
}

/// Whether one more mark there makes a line or block.
fn completes(marks: Squares, at: GridSquare) -> bool {
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

    /// Which side a seat plays, and whether it may still choose, belongs to a position as well.
    fn key(&self) -> Option<u64> {
        let swap = u64::from(self.swapped) << 1 | u64::from(self.may_swap());
        Some(self.position_key() ^ mix(swap))
    }

    fn wins_at_once(&self) -> bool {
        self.can_win(self.to_move)
    }

    fn is_repeated(&self) -> bool {
        self.history.occurrences() > 1
    }

    /// The other is about to win.
    fn must_go_on(&self) -> bool {
        self.can_win(self.to_move.other())
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
