//! What players have missed: how much has happened since each of them acted.
//!
//! Decisions see no log, so it is counted in the match, for people alone. Whoever is called to a turn after two moves that
//! they have not seen, or after more than a day, is told what has happened meanwhile.

use serde::{Deserialize, Serialize};

use super::state::Play;
use super::time::{Span, Time};
use crate::game::{Seat, SeatSet};

/// From so many moves on somebody may have lost the thread.
const MANY: u32 = 2;

/// After this time, too.
const LONG: Span = Span::days(1);

/// Where everybody sees the board, nobody is sent a second film within this time: moves that come so fast are followed as they
/// come.
const FILM_PAUSE: Span = Span::hours(1);

/// What has happened since a player acted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// Moves of others; what one of them does in one go is one.
    pub moves: u32,
    /// When the player acted.
    pub since: Time,
    /// Whose move was the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Seat>,
    /// When the player was last sent a film of what the room was told in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filmed: Option<Time>,
}

impl Play {
    /// Somebody has acted, and has seen everything until then.
    pub(super) fn note_seen(&mut self, seat: Seat, now: Time) {
        self.note_unseen(seat);
        if self.bot_in(seat).is_none() {
            let unseen = self.unseen.entry(seat.number()).or_default();
            *unseen = Unseen {
                since: now,
                filmed: unseen.filmed,
                ..Unseen::default()
            };
        }
    }

    /// Something happened to a seat, or by it, that the others have not seen.
    pub(super) fn note_unseen(&mut self, by: Seat) {
        let started = self.started;
        for seat in Seat::all(self.players.len() as u8).filter(|seat| *seat != by) {
            if self.bot_in(seat).is_some() {
                continue;
            }
            let unseen = self.unseen.entry(seat.number()).or_insert(Unseen {
                since: started,
                ..Unseen::default()
            });
            if unseen.last != Some(by) {
                unseen.moves += 1;
            }
            unseen.last = Some(by);
        }
    }

    /// Who of some seats may have lost the thread by now. Whoever plays with bots alone is told all of it anyway.
    pub(super) fn out_of_touch(&self, seats: SeatSet, now: Time) -> SeatSet {
        if !self.has_several_people() {
            return SeatSet::EMPTY;
        }
        let lost = |seat: &Seat| {
            let unseen = self.unseen.get(&seat.number());
            unseen.is_some_and(|unseen| {
                unseen.moves >= MANY || (unseen.moves > 0 && now.since(unseen.since) > LONG)
            })
        };
        seats.iter().filter(lost).collect()
    }

    /// Who of some seats is sent a film beside the words for all, and has not been sent one a short while ago.
    pub(super) fn take_films(&mut self, seats: SeatSet, now: Time) -> SeatSet {
        let mut filmed = SeatSet::EMPTY;
        for seat in seats.iter() {
            if let Some(unseen) = self.unseen.get_mut(&seat.number())
                && unseen.filmed.is_none_or(|last| now.since(last) >= FILM_PAUSE)
            {
                unseen.filmed = Some(now);
                filmed.insert(seat);
            }
        }
        filmed
    }
}
