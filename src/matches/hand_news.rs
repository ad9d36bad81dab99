//! Hands: what only one player may see, and when they hear of it.
//!
//! A hand is one private message a match, which is written anew without a sound. It is heard only where it matters: the
//! player is to move, the hand has changed by somebody else's doing, and nothing else calls them.

use super::change::{Change, Context};
use super::delivery::{Draft, Notice, Sheet, Sound, To};
use super::people::{HandMessages, PlayerId};
use super::state::Play;
use crate::game::SeatSet;

/// What hands changed by.
#[derive(Clone, Copy, Debug)]
pub struct HandNews<'a> {
    /// Whose hands have changed.
    pub seats: SeatSet,
    /// Who has acted.
    pub acted: SeatSet,
    /// Who is to move now.
    pub awaited: SeatSet,
    /// Who is called already.
    pub called: &'a [PlayerId],
}

/// Sends these their hands, as each of them likes it.
pub fn tell_hands(change: &mut Change, play: &Play, news: HandNews<'_>, context: &Context<'_>) {
    for seat in news.seats.iter() {
        let Some(player) = play.players.get(seat.index()) else {
            continue;
        };
        let matters =
            news.awaited.contains(seat) && !news.acted.contains(seat) && !news.called.contains(player);
        let sound = match context.settings(player).hands {
            HandMessages::Asked => continue,
            HandMessages::Quiet if matters => Sound::Usual,
            HandMessages::Quiet => Sound::Silent,
            HandMessages::Always => Sound::Usual,
        };
        let notice = Notice::Hand {
            seat,
            players: play.players.clone(),
            entries: play.entries,
        };
        change.deliveries.push(Draft {
            sheet: Some(Sheet::Hand { seat }),
            sound,
            ..Draft::new(To::Player(player.clone()), notice)
        });
    }
}
