//! A match under way: moves, proposals, leaving.

use super::{Caller, Changed, Service, TargetMatch};
use crate::ai::Level;
use crate::matches::loaded::Loaded;
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::matches::refusal::Failure;
use crate::matches::state::{Match, ProposalKind, Stage};
use crate::matches::{consent, deadlines, home, moves, stand_in};

/// What a player proposes.
#[derive(Clone, Debug)]
pub enum Proposed {
    Takeback,
    /// That a bot plays on for whoever proposes it.
    StandIn(Level),
    /// That a bot plays on for whoever has left last, or has gone away.
    Replacement {
        level: Level,
        gone: Vec<PlayerId>,
    },
    Other(ProposalKind),
}

impl Service {
    /// Plays a sentence.
    pub async fn play(
        &self,
        caller: &Caller,
        target: TargetMatch,
        sentence: &str,
    ) -> Result<Changed, Failure> {
        self.change(caller, target, |the_match, context| {
            moves::make_move(the_match, &caller.player, sentence, context)
        })
        .await
    }

    pub async fn resign(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            moves::resign(the_match, &caller.player, context)
        });
        Ok(changed.await?.after)
    }

    pub async fn abort(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            let log = self.log_of(the_match)?;
            deadlines::abort(the_match, &caller.player, &log, context)
        });
        Ok(changed.await?.after)
    }

    pub async fn claim(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            deadlines::claim(the_match, &caller.player, context)
        });
        Ok(changed.await?.after)
    }

    /// Proposes something or agrees to it. A takeback needs no position: it is the caller's last move.
    pub async fn propose(
        &self,
        caller: &Caller,
        target: TargetMatch,
        wish: Proposed,
    ) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            let log = self.log_of(the_match)?;
            let wish = match &wish {
                Proposed::Takeback => match standing_takeback(the_match) {
                    Some(standing) => standing,
                    None => consent::takeback_target(the_match, &caller.player, &log)?,
                },
                Proposed::StandIn(level) => stand_in::for_oneself(the_match, &caller.player, *level)?,
                Proposed::Replacement { level, gone } => stand_in::for_leaver(the_match, &log, *level, gone)?,
                Proposed::Other(wish) => *wish,
            };
            consent::propose(the_match, &caller.player, wish, &log, context)
        });
        Ok(changed.await?.after)
    }

    /// Agrees to what somebody else has proposed. The target's version names the proposal that it made.
    pub async fn agree(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let TargetMatch { found, version } = target;
        let changed = self.change(caller, found.into(), |the_match, context| {
            let log = self.log_of(the_match)?;
            consent::agree(the_match, &caller.player, version, &log, context)
        });
        Ok(changed.await?.after)
    }

    /// Lets anybody watch a match.
    pub async fn let_watch(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            consent::let_watch(the_match, &caller.player, context)
        });
        let after = changed.await?.after;
        self.tell_changed(&after.code);
        Ok(after)
    }

    /// Lets nobody watch a match any more, whether or not it is over.
    pub async fn end_watching(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, _| {
            consent::end_watching(the_match, &caller.player)
        });
        let after = changed.await?.after;
        self.tell_changed(&after.code);
        Ok(after)
    }

    /// Whether the rooms in which a match is played let anybody watch without asking its players. Whoever plays in no room
    /// has to be asked.
    pub fn is_watched_by_default(&self, the_match: &Match) -> Result<bool, Fault> {
        for room in &the_match.rooms {
            if !self.rules_in(room)?.watch {
                return Ok(false);
            }
        }
        Ok(!the_match.rooms.is_empty() && home::homeless(the_match).is_empty())
    }

    pub async fn resume(&self, caller: &Caller, target: TargetMatch) -> Result<Loaded, Failure> {
        let changed = self.change(caller, target, |the_match, context| {
            consent::resume(the_match, &caller.player, context)
        });
        Ok(changed.await?.after)
    }
}

fn standing_takeback(the_match: &Match) -> Option<ProposalKind> {
    let Stage::Running(play) = &the_match.stage else {
        return None;
    };
    play.proposals
        .iter()
        .map(|proposal| proposal.what)
        .find(|wish| matches!(wish, ProposalKind::Takeback { .. }))
}
