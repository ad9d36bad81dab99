//! What a particle sees, added up in one word.
//!
//! | bits | what |
//! | --- | --- |
//! | 0..8 | how many cells it could slide to, if nothing guards the centre |
//! | 8..16 | the charges in its line of sight, and 8 |
//! | 16..20, 20..24, 24..28 | how many particles of seat 1, 2, 3 are in its line of sight |
//!
//! No part can overflow (30 cells, six particles), and no charge can fall below -6, so words are added
//! and subtracted whole. The functions here have no branches: loops over an army become a few wide
//! instructions.

use super::particle::Kind;
use crate::game::Seat;

/// See the module.
pub type Sight = u32;

const CHARGE: u32 = 8;
const COUNTS: u32 = 16;
const SEAT_BITS: u32 = 4;

/// A particle that sees nothing and can't move.
pub const NOTHING: Sight = 8 << CHARGE;

/// A particle that is not on the board. Its charge reads -8, so nothing captures it; nor can it slide.
pub const GONE: Sight = 0;

/// What a particle adds to the sight of those who see it. A negative charge wraps around.
pub const fn given(seat: usize, kind: Kind) -> Sight {
    let count = 1 << (COUNTS + SEAT_BITS * seat as u32);
    ((kind.charge() as Sight) << CHARGE).wrapping_add(count)
}

/// "Moves": how many captures of a particle with this sight are open to `seat`. One for each of the
/// seat's particles in its line of sight, if there are at least two and all charges cancel out.
#[inline]
pub const fn captures(sight: Sight, seat: Seat) -> u32 {
    let own = (sight >> (COUNTS + SEAT_BITS * seat.index() as u32)) & 15;
    let cancels = sight & (255 << CHARGE) == NOTHING;
    if (own >= 2) & cancels { own } else { 0 }
}

#[inline]
pub const fn slides(sight: Sight) -> u32 {
    sight & 255
}
