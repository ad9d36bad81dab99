//! What if: practice matches from positions of other matches.

use super::{Caller, Service};
use crate::ai::Level;
use crate::matches::change::begun;
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::people::RoomId;
use crate::matches::port::Fault;
use crate::matches::practice::{self, Copying, PracticeSource};
use crate::matches::refusal::{Failure, Refusal};
use crate::matches::replay::TurnsOfSteps;
use crate::matches::state::{Match, Play, Stage};

impl Service {
    /// Begins a practice match from a position of another match.
    pub async fn practice_from(
        &self,
        caller: &Caller,
        room: &RoomId,
        source: &Loaded,
        wish: Copying,
    ) -> Result<Loaded, Failure> {
        practice::may_copy(source)?;
        let play = begun(source)?;
        let is_helped = matches!(source.stage, Stage::Running(_)) && play.has_several_people();
        if wish.level.is_some() && (is_helped || self.helps_in(source)?.is_some()) {
            // A bot that shows how it would go on is help from outside.
            return Err(Refusal::NoHintsAmongPeople(source.code.clone()).into());
        }
        let looked_for = self.record(source)?.replayed(|record| {
            let found = record.turns_of_steps();
            found.map(|turns| (turns, record.actions))
        });
        let found = looked_for.await?;
        let (turns, mut steps) =
            found.map_err(|error| Fault::new("looking for a position of a match", error))?;
        let (turn, count) = position(source, &turns, wish.turn)?;
        steps.truncate(count);
        let source = PracticeSource {
            the_match: source,
            play,
            turn,
            steps,
        };
        self.begin_practice(caller, room, &source, wish.level).await
    }

    async fn begin_practice(
        &self,
        caller: &Caller,
        room: &RoomId,
        source: &PracticeSource<'_>,
        level: Option<Level>,
    ) -> Result<Loaded, Failure> {
        let mut held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_fresh(caller)?;
        self.check_limit(&caller.player, None)?;
        let (code, guard) = self.free_code().await?;
        held.push(guard);
        let people = self.people([&caller.player])?;
        let context = self.context(&people);
        let change = practice::begin(&caller.player, room.clone(), source, level, code, &context)?;
        let (opened, _) = self.write(held, None, change, Some(caller)).await?;
        Ok(opened.after)
    }

    /// A match that several people still play, and in which it would help somebody what the bot says of this one.
    pub fn helps_in(&self, the_match: &Match) -> Result<Option<Code>, Fault> {
        let Some(origin) = &the_match.practice_of else {
            return Ok(None);
        };
        let Some(found) = self.repository().find(&origin.code)? else {
            return Ok(None);
        };
        if found.running().is_some_and(Play::has_several_people) {
            return Ok(Some(found.code));
        }
        self.helps_in(&found)
    }
}

/// The turn that is meant, and how many steps lead to it; a refusal, if there is no such turn or the game is over there.
fn position(
    source: &Match,
    TurnsOfSteps { turns, over_after }: &TurnsOfSteps,
    wanted: Option<u32>,
) -> Result<(u32, usize), Failure> {
    let has = turns.last().copied().unwrap_or_default();
    let steps = |turn: u32| turns.iter().take_while(|of| **of <= turn).count();
    // The game goes on from every turn but the last one, and from that too, unless it is over by then.
    let last = match over_after {
        Some(_) => has.saturating_sub(1),
        None => has,
    };
    let turn = wanted.unwrap_or(last);
    let is_over = over_after.is_some_and(|over| over <= steps(turn));
    if turn > last || is_over {
        let code = source.code.clone();
        return Err(Refusal::NoPracticeThere { code, last }.into());
    }
    Ok((turn, steps(turn)))
}
