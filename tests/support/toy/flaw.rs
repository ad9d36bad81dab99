//! The ways in which a toy can be broken, one a number.

use parlor::game::Seat;
use parlor::games::phase::card::load::{LoadFault, Source, draft};

/// The view shows everybody's bid before all have bid.
pub const TELLTALE_VIEW: u8 = 1;
/// What can be peeked at depends on what is hidden there.
pub const TELLTALE_LIST: u8 = 2;
/// Events are told in full to everybody.
pub const TELLTALE_EVENTS: u8 = 3;
/// Who may act in the window depends on their cards.
pub const TELLTALE_WINDOW: u8 = 4;
/// Whether an action reveals something depends on what is hidden.
pub const PROBED: u8 = 5;
/// An imagined world has other cards in the own hand.
pub const FALSE_MEMORY: u8 = 6;
/// Legal lists are out of order.
pub const UNSORTED: u8 = 7;
/// An action is listed twice.
pub const DOUBLED: u8 = 8;
/// Counting and listing disagree.
pub const MISCOUNTED: u8 = 9;
/// Two actions share a notation.
pub const NAMESAKES: u8 = 10;
/// A save leaves something out.
pub const FORGETFUL: u8 = 11;
/// The same action does not always do the same.
pub const MOODY: u8 = 12;
/// Who chooses last wins.
pub const ORDER_COUNTS: u8 = 13;
/// A turn need never end.
pub const ENDLESS: u8 = 14;
/// The view shows a draw from the seed.
pub const SEED_SHOWN: u8 = 15;
/// The parser cuts letters in two.
pub const PANICS: u8 = 16;
/// Somebody is awaited who can do nothing.
pub const STUCK: u8 = 17;
/// Players who left are still waited for.
pub const GHOSTS: u8 = 18;
/// Guided entry misses an action.
pub const LOST_WAYS: u8 = 19;
/// Saves are taken as they come.
pub const GULLIBLE: u8 = 20;
/// What follows an action is not listened to.
pub const INATTENTIVE: u8 = 21;
/// The text board doesn't say what is asked.
pub const SILENT: u8 = 22;

/// What comes with it can't be read.
pub const ILLEGIBLE: u8 = 23;

/// Whether a clause is moot depends on what is hidden.
pub const TELLTALE_MOOT: u8 = 24;

/// What comes with a toy; with the flaw it is a card file in which a word is missing.
pub fn check_data<const FLAW: u8>() -> Result<(), String> {
    if FLAW != ILLEGIBLE {
        return Ok(());
    }
    let broken = Source {
        name: "toy.cards",
        text: "faction Keeper\n\ngood Pale Novice, 0, 1/3\n  order: draw\n",
    };
    draft(&broken)
        .map(|_| ())
        .map_err(|faults| LoadFault::list(&faults))
}

/// Whether a toy leaves out of its saves what the players have seen.
pub fn forgets<const FLAW: u8>(_knows: &[Vec<(Seat, u8)>]) -> bool {
    FLAW == FORGETFUL
}
