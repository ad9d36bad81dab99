//! What happens though nobody says anything: time runs out, reminders fall due, challenges expire. And
//! what those who wait may do about it: claim, abort.

use super::change::{Change, Context, Decision, finish, running, seat_of};
use super::clock::CLAIM_AFTER;
use super::delivery::Notice;
use super::gather::expire;
use super::loaded::Loaded;
use super::moves::{lapse, leave};
use super::people::PlayerId;
use super::refusal::Refusal;
use super::state::{Ending, How, Leaving, LogEntry, Logged, Match, Stage};
use crate::game::{Seat, SeatSet};

/// Looks after a match whose time has come; nothing if there is nothing to do.
pub fn decide_due(
    the_match: &Loaded,
    context: &Context<'_>,
) -> Result<Option<Change>, super::refusal::Failure> {
    match &the_match.stage {
        Stage::Open(gathering) if gathering.expires <= context.now => Ok(Some(expire(the_match))),
        Stage::Running(play) if play.paused.is_none() => {
            let late = Seat::all(play.players.len() as u8)
                .filter_map(|seat| Some((play.clocks[seat.index()].deadline()?, seat)))
                .filter(|(deadline, _)| *deadline <= context.now)
                .min();
            if let Some((_, seat)) = late {
                return lapse(the_match, seat, context).map(Some);
            }
            Ok(remind(the_match, context))
        }
        Stage::Open(_) | Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => Ok(None),
    }
}

fn remind(the_match: &Match, context: &Context<'_>) -> Option<Change> {
    let mut change = Change::of(the_match);
    // A reminder is no move: buttons made before it still fit.
    change.after.version = the_match.version;
    let Stage::Running(play) = &mut change.after.stage else {
        return None;
    };
    let mut reminders = Vec::new();
    let mut touched = false;
    for seat in Seat::all(play.players.len() as u8) {
        let player = play.players[seat.index()].clone();
        let settings = context.settings(&player);
        let clock = &mut play.clocks[seat.index()];
        let due = clock.next_reminder().is_some_and(|at| at <= context.now);
        if !due {
            continue;
        }
        let Some(deadline) = clock.deadline() else {
            continue;
        };
        let speak_at = settings
            .quiet
            .map_or(context.now, |quiet| quiet.after(context.now));
        if settings.reminders && speak_at > context.now && speak_at < deadline {
            // It waits for the morning: until then nothing else is due for this player.
            clock.put_off(speak_at);
            touched = true;
            continue;
        }
        clock.take_reminders(context.now);
        touched = true;
        if settings.reminders && speak_at <= context.now {
            let notice = Notice::Reminder {
                players: play.players.clone(),
                seat,
                left: deadline.since(context.now),
                deadline,
            };
            reminders.push((player, notice));
        }
    }
    for (player, notice) in reminders {
        change.tell(&player, notice);
    }
    touched.then_some(change)
}

/// Claims a match without a clock against whoever has been silent for too long.
pub fn claim(the_match: &Loaded, player: &PlayerId, context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    seat_of(the_match, play, player, SeatSet::EMPTY)?;
    let own = play.seats_of(player);
    let awaited = the_match.table()?.awaiting().seats();
    // Whoever could move themselves has no cause to complain.
    let silent = (awaited.iter().all(|seat| !own.contains(seat)))
        .then(|| awaited.iter().find(|seat| play.bot_in(*seat).is_none()))
        .flatten();
    let from = play.active + CLAIM_AFTER;
    match silent {
        Some(seat) if the_match.clock.bank().is_none() && play.paused.is_none() => {
            if context.now < from {
                return Err(Refusal::NothingToClaim { from: Some(from) }.into());
            }
            leave(the_match, seat, Leaving::Absent, context)
        }
        Some(_) | None => Err(Refusal::NothingToClaim { from: None }.into()),
    }
}

/// Breaks a match off; nobody has won. Among people that is possible before the second move: bots reply at once, so their
/// moves don't count. Whoever plays alone or against bots takes nothing from anybody by it, and may do it at any time.
pub fn abort(the_match: &Match, player: &PlayerId, log: &[LogEntry], context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    seat_of(the_match, play, player, SeatSet::EMPTY)?;
    let by_people = |entry: &&LogEntry| match &entry.what {
        Logged::Did { seat, .. } => play.bot_in(*seat).is_none(),
        Logged::TookBack { .. } | Logged::Replaced { .. } => false,
    };
    if !play.is_private(player) && log.iter().filter(by_people).count() > 1 {
        return Err(Refusal::TooLateToAbort.into());
    }
    let ending = Ending {
        how: How::Abort,
        outcome: None,
        at: context.now,
    };
    Ok(finish(Change::of(the_match), play.clone(), Vec::new(), ending))
}
