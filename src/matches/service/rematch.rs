//! The same players, once more.

use super::{Caller, Service};
use crate::ai::Level;
use crate::matches::bot::Bot;
use crate::matches::change::begun;
use crate::matches::code::Code;
use crate::matches::gather::{Rematch, Wishes};
use crate::matches::loaded::Loaded;
use crate::matches::people::{PlayerId, RoomId};
use crate::matches::port::Fault;
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::state::{Match, Seating, Stage};

impl Service {
    /// Offers the same players the same game with seats swapped, and bots at another level if one is named.
    pub async fn rematch(
        &self,
        caller: &Caller,
        old: Loaded,
        room: Option<&RoomId>,
        level: Option<Level>,
    ) -> Result<Loaded, Failure> {
        let code = &old.code;
        // Two players who press the button at once are to meet at one table.
        let _one_at_a_time = self.rematches.lock(code.as_str()).await;
        let play = begun(&old)?;
        if matches!(old.stage, Stage::Running(_)) {
            return Err(Refusal::StillRuns(code.clone()).into());
        }
        if play.seats_of(&caller.player).is_empty() {
            return Err(Refusal::NotYourMatch(code.clone()).into());
        }
        if let Some(standing) = self.standing_rematch(&caller.player, code)? {
            if standing.seats(&caller.player) {
                self.check_fresh(caller)?;
                return Err(Refusal::RematchStands(standing.code).into());
            }
            let standing = self.find(&standing.code)?;
            return self.join(caller, standing.into(), room).await;
        }
        let mut order: Vec<PlayerId> = play
            .players
            .iter()
            .map(|player| at_level(player, level))
            .collect();
        order.rotate_left(1);
        let mut others = order.clone();
        if let Some(own) = others.iter().position(|player| player == &caller.player) {
            others.remove(own);
        }
        let wishes = Wishes {
            game: old.game.clone(),
            seats: None,
            challenged: others,
            options: old.options.clone().into_iter().collect(),
            clock: old.clock,
            seating: Seating::AsChallenged,
            rematch: Some(Rematch {
                of: code.clone(),
                order,
                rooms: old.rooms.clone(),
            }),
        };
        let home = room.or_else(|| old.rooms.first());
        let Some(home) = home else {
            return Err(Refusal::NoMatchHere.into());
        };
        self.open(caller, home, &wishes).await
    }

    /// The rematch of a match that is on offer or being played.
    fn standing_rematch(&self, player: &PlayerId, old: &Code) -> Result<Option<Match>, Fault> {
        for code in self.repository().alive_of(player)? {
            let found = self.repository().find(&code)?;
            if let Some(the_match) = found.filter(|found| found.rematch_of.as_ref() == Some(old)) {
                return Ok(Some(the_match));
            }
        }
        Ok(None)
    }
}

/// The same player; a bot at this level.
fn at_level(player: &PlayerId, level: Option<Level>) -> PlayerId {
    match (Bot::of(player), level) {
        (Some(bot), Some(level)) => bot.at(level).player(),
        _ => player.clone(),
    }
}
