//! What if: practice matches from positions of other matches.

use super::{Caller, Service};
use crate::ai::Level;
use crate::matches::change::begun;
use crate::matches::code::Code;
use crate::matches::loaded::Loaded;
use crate::matches::people::RoomId;
use crate::matches::port::Fault;
use crate::matches::practice::{self, Copying, PracticeSource};
use crate::matches::record::Record;
use crate::matches::refusal::{Failure, Refusal};
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
        let record = self.record(source)?;
        let (turn, steps) = position(source, &record, wish.turn)?;
        let source = PracticeSource {
            the_match: source,
            play,
            turn,
            steps: record.actions.into_iter().take(steps).collect(),
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
fn position(source: &Match, record: &Record, wanted: Option<u32>) -> Result<(u32, usize), Failure> {
    let unplayable = |error| Fault::new("looking for a position of a match", error);
    let turns = record.turns_of_steps().map_err(unplayable)?;
    let has = turns.last().copied().unwrap_or_default();
    let steps = |turn: u32| turns.iter().take_while(|of| **of <= turn).count();
    let end = record.replay(None).map_err(unplayable)?;
    // All steps are played before the game is over.
    let last = if end.outcome().is_some() {
        has.saturating_sub(1)
    } else {
        has
    };
    let turn = wanted.unwrap_or(last);
    let ends = |steps: usize| -> Result<bool, Fault> {
        let table = record.replay(Some(steps)).map_err(unplayable)?;
        Ok(table.outcome().is_some())
    };
    if turn > last || ends(steps(turn))? {
        let code = source.code.clone();
        return Err(Refusal::NoPracticeThere { code, last }.into());
    }
    Ok((turn, steps(turn)))
}
