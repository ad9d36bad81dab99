//! What helps to play Breaker Blocks well.

use std::time::Duration;

use super::kind::Kind;
use super::stock::Stock;
use super::{Breaker, Variant};
use crate::game::insight::{Chances, Plan, shares};
use crate::game::{Insight, MAX_SEATS, Seat, SeatSet};

/// A circuit under control, and a circuit by how far it is led.
const CONTROL: f32 = 0.7;
const LEAD: f32 = 1.0;

/// Power in hand, an AUTHENTICATE, any other command, and each of the first few open sockets.
const POWER_IN_HAND: f32 = 0.12;
const AUTHENTICATE_IN_HAND: f32 = 0.2;
const COMMAND_IN_HAND: f32 = 0.15;
const SOCKET: f32 = 0.08;

/// To lead and to be able to end the game with the next AUTHENTICATE.
const CLOSING: f32 = 1.2;

/// A lead of so much makes it about three to one.
const SCALE: f32 = 1.0;

const THOUGHTFUL: Plan = Plan {
    rated: true,
    depth: 2,
    boldness: 0.6,
    ..Plan::PLAIN
};

static PLANS: [Plan; 5] = [
    THOUGHTFUL.with(0, 0.4),
    THOUGHTFUL.with(20, 0.15),
    THOUGHTFUL.with(100, 0.0),
    THOUGHTFUL.with(600, 0.0),
    THOUGHTFUL
        .with(1_000_000, 0.0)
        .within(Duration::from_millis(2500)),
];

fn power_of(stock: Stock) -> f32 {
    let power: u32 = stock.blocks().map(|kind| u32::from(kind.power())).sum();
    power as f32
}

impl Breaker {
    fn worth(&self, seat: Seat) -> f32 {
        let power = self.board.power();
        let (own, other) = (&power[seat.index() % 2], &power[1 - seat.index() % 2]);
        let led: f32 = own
            .iter()
            .zip(other)
            .map(|(&own, &other)| {
                let by = f32::from(own) - f32::from(other);
                LEAD * (by / 3.0).tanh() + if by > 0.0 { CONTROL } else { 0.0 }
            })
            .sum();
        let held = self.hand(seat).held;
        let authenticates = f32::from(held.count(Kind::Authenticate).min(2));
        let commands = f32::from(held.commands().without_kind(Kind::Authenticate).len());
        let sockets = self.board.open(seat).take(5).count() as f32;
        let mut worth = led
            + power_of(held).min(8.0) * POWER_IN_HAND
            + authenticates * AUTHENTICATE_IN_HAND
            + commands.min(4.0) * COMMAND_IN_HAND
            + sockets * SOCKET;
        let leads = self.board.controls(seat) > self.board.controls(seat.next(2));
        let closes = match self.variant {
            Variant::Overwhelming => self.board.controls(seat) >= 2,
            Variant::Plain | Variant::Blind | Variant::BlindScarce => {
                leads && self.board.authenticates() >= 1 && authenticates > 0.0 && sockets > 0.0
            }
        };
        if closes {
            worth += CLOSING;
        }
        worth
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
