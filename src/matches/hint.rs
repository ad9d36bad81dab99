//! A hint for somebody who plays against bots, or alone: what a strong player would do in their place.
//!
//! Among people a hint would be help from outside, so it is refused. It is found from what the asker's seat knows, and what
//! the move does is tried out in imagined worlds: nothing that is hidden or left to chance can come to light by it.

use std::time::Duration;

use super::change::{running, seat_of};
use super::loaded::Loaded;
use super::people::PlayerId;
use super::port::Fault;
use super::refusal::{Failure, Refusal};
use super::service::Service;
use super::think_pool::{CancelOnDrop, Length};
use crate::ai::{Errand, Level, Thought};
use crate::catalog::Foresight;
use crate::game::Seat;

/// How strong a player is who gives hints: the strongest that answers at once.
const ADVISER: Level = Level::ALL[3];

/// How soon a hint is wanted.
const SOON: Duration = Duration::from_millis(800);

/// What somebody might do. It may be a secret: it is for the asker alone.
#[derive(Clone, PartialEq)]
pub struct Hint {
    pub seat: Seat,
    /// In canonical notation.
    pub action: String,
    /// What it does, as far as that can be known before.
    pub effect: Option<Foresight>,
    /// What the asker may expect, from 0 to 1.
    pub chances: Option<f32>,
}

impl std::fmt::Debug for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hint")
            .field("seat", &self.seat)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// What a player might do now.
    pub async fn hint(&self, the_match: &Loaded, player: &PlayerId) -> Result<Hint, Failure> {
        let play = running(the_match)?;
        let table = the_match.table()?.copy();
        let awaited = table.awaiting().seats();
        let seat = seat_of(the_match, play, player, awaited)?;
        if !play.is_private(player) || self.helps_in(the_match)?.is_some() {
            return Err(Refusal::NoHintsAmongPeople(the_match.code.clone()).into());
        }
        if play.paused.is_some() {
            return Err(Refusal::Paused(the_match.code.clone()).into());
        }
        if !awaited.contains(seat) {
            let players = awaited.iter().map(|seat| play.players[seat.index()].clone());
            return Err(Refusal::NotYourTurn {
                code: the_match.code.clone(),
                awaited: players.collect(),
            }
            .into());
        }
        let chance = self.chance()?;
        // Whoever hangs up wants no hint any more.
        let wanted = CancelOnDrop::default();
        let stop = wanted.stop();
        let thinking = self.think_pool().run(Length::Short, SOON, move |thinker, time| {
            let errand = Errand {
                level: ADVISER,
                seed: chance,
                stop: &stop,
            };
            let Thought { action, chances, .. } =
                thinker.think(table.as_ref(), seat, &errand, time.left())?;
            Some(Hint {
                effect: table.foresee(seat, &action, chance),
                seat,
                action,
                chances,
            })
        });
        let hint = thinking.await.flatten();
        Ok(hint.ok_or_else(|| Fault::new("thinking of a hint", "nothing came of it"))?)
    }
}
