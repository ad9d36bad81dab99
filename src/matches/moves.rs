//! Playing: a move, a preview, a leaving.

use super::change::{
    Change, Context, Decision, finish, hands, running, seat_of, seed_of, settle, table_of, tell_hands,
};
use super::delivery::Notice;
use super::people::PlayerId;
use super::record::{Deed, RecordedOutcome};
use super::refusal::{Failure, Refusal};
use super::state::{Ending, How, Leaving, Logged, Match, Phase, Play, Wish};
use crate::catalog::Table;
use crate::game::{Seat, Viewer};
use crate::prose;

/// What a sentence would do, tried on a copy.
pub struct Trial {
    pub seat: Seat,
    pub table: Box<dyn Table>,
    pub actions: Vec<String>,
    pub revealed: bool,
    pub taught: bool,
}

/// Without the table: it holds secrets.
impl std::fmt::Debug for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial")
            .field("seat", &self.seat)
            .finish_non_exhaustive()
    }
}

/// Tries a sentence without playing it.
pub fn attempt(the_match: &Match, player: &PlayerId, sentence: &str) -> Result<Trial, Failure> {
    let play = running(the_match)?;
    let mut table = table_of(the_match, play)?;
    let awaited = table.awaiting().seats();
    let seat = seat_of(the_match, play, player, awaited)?;
    if play.paused.is_some() {
        return Err(Refusal::Paused(the_match.code.clone()).into());
    }
    if !awaited.contains(seat) {
        return Err(Refusal::NotYourTurn {
            code: the_match.code.clone(),
            awaited: awaited
                .iter()
                .map(|seat| play.players[seat.index()].clone())
                .collect(),
        }
        .into());
    }
    let step = u64::from(play.steps) + 1;
    let played = table
        .play(seat, sentence, &seed_of(play)?, step)
        .map_err(|error| Refusal::Move {
            code: the_match.code.clone(),
            error,
        })?;
    Ok(Trial {
        seat,
        table,
        actions: played.actions,
        revealed: played.revealed,
        taught: played.taught,
    })
}

/// Shows what a sentence would do. What brings something new to light can't be tried.
pub fn preview(the_match: &Match, player: &PlayerId, sentence: &str) -> Result<Trial, Failure> {
    let trial = attempt(the_match, player, sentence)?;
    if trial.taught {
        return Err(Refusal::CantPreview.into());
    }
    Ok(trial)
}

/// Plays a sentence.
pub fn make_move(the_match: &Match, player: &PlayerId, sentence: &str, context: &Context<'_>) -> Decision {
    let trial = attempt(the_match, player, sentence)?;
    let mut play = running(the_match)?.clone();
    let hands_before = hands(table_of(the_match, &play)?.as_ref());
    let mut change = Change::of(the_match);
    let deeds: Vec<Deed> = trial.actions.into_iter().map(Deed::Action).collect();
    play.steps += deeds.len() as u32;
    play.entries += 1;
    play.active = context.now;
    // What was proposed in another position is off; an offered draw stands until the other side moves.
    play.proposals
        .retain(|proposal| proposal.what == Wish::Draw && proposal.by == trial.seat);
    change.log(
        context.now,
        Logged::Did {
            seat: trial.seat,
            deeds,
            revealed: trial.revealed,
        },
    );
    conclude(
        change,
        play,
        trial.table.as_ref(),
        Deciding::Move(trial.seat),
        &hands_before,
        context,
    )
}

/// A player leaves: resigns, runs out of time, is claimed against.
pub fn leave(the_match: &Match, seat: Seat, why: Leaving, context: &Context<'_>) -> Decision {
    let mut play = running(the_match)?.clone();
    let mut table = table_of(the_match, &play)?;
    let hands_before = hands(table.as_ref());
    let mut change = Change::of(the_match);
    play.steps += 1;
    play.entries += 1;
    play.left.insert(seat);
    play.proposals.clear();
    // The next player has not been silent yet.
    play.active = context.now;
    table.withdraw(seat, &seed_of(&play)?, u64::from(play.steps));
    change.log(
        context.now,
        Logged::Did {
            seat,
            deeds: vec![Deed::Leaves(why.word().to_owned())],
            revealed: true,
        },
    );
    conclude(
        change,
        play,
        table.as_ref(),
        Deciding::Leaving(seat, why),
        &hands_before,
        context,
    )
}

/// Resigns the seat of a player.
pub fn resign(the_match: &Match, player: &PlayerId, context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    let awaited = table_of(the_match, play)?.awaiting().seats();
    let seat = seat_of(the_match, play, player, awaited)?;
    leave(the_match, seat, Leaving::Resigned, context)
}

/// What has just been done.
#[derive(Clone, Copy)]
enum Deciding {
    Move(Seat),
    Leaving(Seat, Leaving),
}

/// Saves the position and tells what happened, or ends the match if that was the end.
fn conclude(
    mut change: Change,
    mut play: Play,
    table: &dyn Table,
    done: Deciding,
    hands_before: &[Option<String>],
    context: &Context<'_>,
) -> Decision {
    let (acted, how) = match done {
        Deciding::Move(seat) => (Some(seat), How::Rules),
        Deciding::Leaving(_, why) => (None, why.how()),
    };
    let turn = settle(&mut play, change.after.clock, table, acted, context)?;
    let mut narration = table.narration(Viewer::Public);
    if let Some(outcome) = table.outcome() {
        let mut outcome = RecordedOutcome::from(&outcome);
        match how {
            How::Resignation => outcome.reason = "resignation".to_owned(),
            How::Time => outcome.reason = "time ran out".to_owned(),
            How::Absence => outcome.reason = "absence".to_owned(),
            How::Rules | How::Agreement | How::Abort => {}
        }
        let ending = Ending {
            how,
            outcome: Some(outcome),
            at: context.now,
        };
        return Ok(finish(change, play, narration, ending));
    }
    if let Deciding::Leaving(seat, why) = done {
        // The game tells what leaving does; only the match knows why.
        let mut reason = prose![
            seat,
            match why {
                Leaving::Resigned => " resigns.",
                Leaving::OutOfTime => " has run out of time.",
                Leaving::Absent => " has been silent for 14 days.",
            }
        ];
        reason.sentence(narration);
        narration = reason;
    }
    let notice = Notice::Moved {
        players: play.players.clone(),
        narration,
        turn,
    };
    change.announce(&notice);
    tell_hands(&mut change, &play, hands_before, table);
    change.after.phase = Phase::Running(play);
    Ok(change)
}
