//! What helps to play Breaker Blocks well.
//!
//! Most weights come from a fit, rounded: from the beginnings of 62,683 turns in 1,500 games between players of level 3 the
//! ends were foretold, in the logarithm of odds. What holds a circuit is a way to build on in it, more than a lead.

use std::time::Duration;

use super::kind::{KINDS, Kind};
use super::{Breaker, Variant};
use crate::game::insight::{Chances, Plan, shares};
use crate::game::{Insight, MAX_SEATS, Seat, SeatSet};

/// A circuit by how far it is led.
const LEAD: f32 = 0.62;

/// A first open socket, a circuit into which blocks can still be plugged, and one that is still in doubt besides.
const SOCKET: f32 = 0.53;
const CIRCUIT: f32 = 0.17;
const IN_DOUBT: f32 = 0.53;

/// A lead of more than so much decides a circuit, more often than not.
const DOUBT: u8 = 3;

/// Blocks in hand by kind; a 3 that can still be drawn.
const IN_HAND: [f32; KINDS] = [
    -0.12, 0.0, 0.0, 0.0, 0.09, 0.09, 0.09, 0.22, 0.11, 0.07, 0.08, 0.09, 0.03, 0.03, 0.0,
];
const THREE_LEFT: f32 = 0.16;

/// While no AUTHENTICATE lies on the table: to lead and to hold one, waiting and on the move.
const LEADS_WITH_FIRST: [f32; 2] = [0.3, 0.9];

/// When one lies there: to lead, to hold the second, and both at once.
const LEADS: f32 = 0.55;
const HOLDS_SECOND: [f32; 2] = [0.7, 1.0];
const CLOSES: [f32; 2] = [0.5, 2.8];

/// Where two circuits win at the start of a turn: to control them. Guessed, not fitted.
const OVERWHELMS: f32 = 1.2;

/// A lead of so much makes it about three to one.
const SCALE: f32 = 1.0;

/// Random games are long and end by accident, so positions are judged by what they are worth where a turn begins, after a
/// few random steps. With 300 simulations against 1500 of a player who went by leads and hands and hardly by open
/// sockets, six steps scored 92 % in 60 games, two steps 78 %, twelve 78 %.
static PLANS: [Plan; 5] = Plan::PLAIN.rated(6).bold(0.3).strengths(
    [(0, 0.4), (20, 0.15), (100, 0.0), (3000, 0.0), (1_000_000, 0.0)],
    Duration::from_millis(2500),
);

impl Breaker {
    /// What a player has.
    fn worth(&self, seat: Seat) -> f32 {
        let power = self.board.power();
        let (own, other) = (&power[seat.index() % 2], &power[1 - seat.index() % 2]);
        let mut open = [false; 3];
        for plug in self.board.open(seat) {
            open[self.board.circuit_of(seat, plug) as usize] = true;
        }
        let mut worth = 0.0;
        for ((&own, &other), open) in own.iter().zip(other).zip(open) {
            worth += LEAD * ((f32::from(own) - f32::from(other)) / 3.0).tanh();
            if open {
                worth += CIRCUIT;
                if own.abs_diff(other) <= DOUBT {
                    worth += IN_DOUBT;
                }
            }
        }
        let open = open.contains(&true);
        if open {
            worth += SOCKET;
        }
        let held = self.hand(seat).held;
        worth += held
            .kinds()
            .map(|kind| f32::from(held.count(kind).min(3)) * IN_HAND[kind as usize])
            .sum::<f32>();
        worth += f32::from(self.supply[seat.index() % 2].count(Kind::Three)) * THREE_LEFT;
        worth + self.nearness(seat, open && held.has(Kind::Authenticate))
    }

    /// What it is worth to a player that the game may end soon.
    fn nearness(&self, seat: Seat, authenticates: bool) -> f32 {
        let moving = usize::from(seat == self.to_move);
        let controls = self.board.controls(seat);
        let leads = controls > self.board.controls(seat.next(2));
        if self.variant == Variant::Overwhelming {
            return if controls >= 2 { OVERWHELMS } else { 0.0 };
        }
        match (self.board.authenticates(), leads, authenticates) {
            (0, true, true) => LEADS_WITH_FIRST[moving],
            (0, _, _) | (_, false, false) => 0.0,
            (_, true, false) => LEADS,
            (_, false, true) => HOLDS_SECOND[moving],
            (_, true, true) => LEADS + HOLDS_SECOND[moving] + CLOSES[moving],
        }
    }
}

impl Insight for Breaker {
    fn plans(&self) -> &'static [Plan; 5] {
        &PLANS
    }

    fn is_certain(&self) -> bool {
        !self.variant.is_blind()
    }

    /// A turn begins: halfway through one it matters too much whose it is.
    fn is_settled(&self) -> bool {
        self.untouched && self.task.is_none()
    }

    fn chances(&self) -> Option<Chances> {
        let mut worth = [0.0; MAX_SEATS as usize];
        for seat in Seat::all(2) {
            worth[seat.index()] = self.worth(seat);
        }
        Some(shares(&worth, SeatSet::all(2), SCALE))
    }
}
