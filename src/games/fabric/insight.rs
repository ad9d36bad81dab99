//! What helps to play Phase-Fabric well.

use std::time::Duration;

use super::action::Action;
use super::cell::CellSet;
use super::piece::Piece;
use super::{Fabric, SEATS};
use crate::game::insight::{Chances, Plan, shares};
use crate::game::rng::mix;
use crate::game::{Insight, MAX_SEATS, Seat, SeatSet};

/// For so many placements, at most, what the Prisms yield now is thought to go on.
const LASTING: f32 = 12.0;

/// A lead of so many points makes it about three to one, at the start; what is left to be won counts less and less.
const SCALE: f32 = 10.0;

/// There are hundreds of actions, most of them idle: with 300 simulations each, a search that rates them won all of 6
/// games to 100 points against plain playouts. Six random placements before judging show which Prisms are about to blow up: they won
/// all of 20 games against judging at once, and 12 of 16 against twelve placements. Whoever looks ahead must look at many more:
/// against an outsider who looks four steps ahead and counts points, 40,000 positions a move scored 23 % of 30 games to 100 points
/// (12 to 41), and 600,000 scored 75 % of 10 to 50 points (44 to 92).
static PLANS: [Plan; 5] = Plan::look_ahead(
    &Plan::PLAIN.rated(6).bold(0.6).strengths(
        [(0, 0.5), (0, 0.2), (30, 0.0), (300, 0.0), (1_000_000, 0.0)],
        LONGEST,
    ),
    [2_000, 600_000, u32::MAX],
    LONGEST,
);

/// How long the strongest player may think.
const LONGEST: Duration = Duration::from_secs(9);

impl Fabric {
    /// What a player's Prisms yield at each placement, as things stand.
    fn yields(&self, seat: Seat) -> f32 {
        let chords = self.field.prisms(seat).iter().map(|prism| {
            let [north_south, east_west] = self.field.resonance(prism);
            u32::from(north_south) + u32::from(east_west)
        });
        chords.sum::<u32>() as f32
    }
}

impl Insight for Fabric {
    fn plans(&self) -> &'static [Plan; 5] {
        &PLANS
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn key(&self) -> Option<u64> {
        let [first, second] = self.scores.map(u64::from);
        Some(self.field.key() ^ mix(u64::from(self.placed) << 40 | first << 20 | second))
    }

    /// For each cell that one more Anchor blows up, with an enemy's piece: one such Anchor.
    fn exchanges_into(&self, seat: Seat, out: &mut Vec<Action>) {
        let free = self.field.free();
        for cell in self.field.primed(seat.next(SEATS)).iter() {
            let around = [cell].into_iter().collect::<CellSet>().spread().and(free);
            let beside = around.iter().find(|&at| at != cell);
            out.extend(beside.map(|at| Action {
                at,
                piece: Piece::Anchor,
            }));
        }
        out.sort_unstable();
        out.dedup();
    }

    fn chances(&self) -> Option<Chances> {
        let mut worth = [0.0; MAX_SEATS as usize];
        let yields = [Seat::new(0), Seat::new(1)].map(|seat| self.yields(seat));
        let [first, second] = self.scores.map(f32::from);
        let missing = (f32::from(self.target) - first.max(second)).max(0.0);
        let left = (missing / yields[0].max(yields[1]).max(1.0)).clamp(1.0, LASTING);
        worth[0] = first + yields[0] * left;
        worth[1] = second + yields[1] * left;
        Some(shares(&worth, SeatSet::all(SEATS), SCALE))
    }
}
