//! What happens though nobody says anything: time runs out, reminders fall due, challenges expire. And
//! what those who wait may do about it: claim, abort.

use std::cmp::Reverse;

use super::change::{Change, Context, Decision, finish, running, seat_of};
use super::clock::{CLAIM_AFTER, SeatClock};
use super::delivery::Notice;
use super::gather::expire;
use super::loaded::Loaded;
use super::moves::{lapse, leave};
use super::people::PlayerId;
use super::refusal::{Failure, Refusal};
use super::state::{Ending, How, Leaving, LogEntry, Logged, Match, Play, Stage};
use super::time::Time;
use crate::draw::Prose;
use crate::game::{Seat, SeatSet, Viewer};

/// Looks after a match whose time has come; nothing if there is nothing to do.
pub fn decide_due(the_match: &Loaded, context: &Context<'_>) -> Result<Option<Change>, Failure> {
    match &the_match.stage {
        Stage::Open(gathering) if gathering.expires <= context.table_now(&the_match.host) => {
            Ok(Some(expire(the_match)))
        }
        Stage::Running(play) if play.paused.is_none() => {
            if let Some(change) = respite(the_match, context)? {
                return Ok(Some(change));
            }
            let late = Seat::all(play.players.len() as u8)
                .filter_map(|seat| {
                    let now = context.table_now(&play.players[seat.index()]);
                    let over = now.since(play.clocks[seat.index()].deadline().filter(|at| *at <= now)?);
                    Some((Reverse(over), seat))
                })
                .min();
            if let Some((_, seat)) = late {
                return lapse(the_match, seat, context).map(Some);
            }
            remind(the_match, context)
        }
        Stage::Open(_) | Stage::Running(_) | Stage::Over(..) | Stage::CalledOff(_) => Ok(None),
    }
}

/// What comes of looking at one player's clock.
enum Attention {
    Nothing,
    /// The clock was changed, and nobody need hear of it.
    Quiet,
    /// The clock was changed, and the player is told how much time is left.
    Reminder,
}

/// Looks at every player's clock. Nobody has moved by that: buttons made before it still fit.
fn look_at_clocks(
    the_match: &Loaded,
    context: &Context<'_>,
    look: impl Fn(&PlayerId, &mut SeatClock) -> Attention,
) -> Result<Option<Change>, Failure> {
    let mut change = Change::of(the_match);
    change.after.version = the_match.version;
    let Stage::Running(play) = &mut change.after.stage else {
        return Ok(None);
    };
    let mut reminders = Vec::new();
    let mut touched = false;
    for seat in Seat::all(play.players.len() as u8) {
        match look(&play.players[seat.index()], &mut play.clocks[seat.index()]) {
            Attention::Nothing => continue,
            Attention::Quiet => {}
            Attention::Reminder => {
                let question = the_match.table()?.ask(Viewer::Public);
                reminders.extend(reminder(play, seat, question, context));
            }
        }
        touched = true;
    }
    for (player, notice) in reminders {
        change.tell(&player, notice);
    }
    Ok(touched.then_some(change))
}

fn remind(the_match: &Loaded, context: &Context<'_>) -> Result<Option<Change>, Failure> {
    look_at_clocks(the_match, context, |player, clock| {
        let now = context.table_now(player);
        let due = clock.next_reminder().is_some_and(|at| at <= now);
        let (true, Some(deadline)) = (due, clock.deadline()) else {
            return Attention::Nothing;
        };
        let settings = context.settings(player);
        let speak_at = settings
            .quiet
            .map_or(context.now, |quiet| quiet.after(context.now));
        let morning = now + speak_at.since(context.now);
        if settings.reminders && morning > now && morning < deadline {
            // It waits for the morning: until then nothing else is due for this player.
            clock.put_off(morning);
            return Attention::Quiet;
        }
        clock.take_reminders(now);
        if settings.reminders && morning <= now {
            Attention::Reminder
        } else {
            Attention::Quiet
        }
    })
}

/// Gives those more time who had to wait for us, and would have next to none left. They are reminded of it.
pub fn respite(the_match: &Loaded, context: &Context<'_>) -> Result<Option<Change>, Failure> {
    look_at_clocks(the_match, context, |player, clock| {
        let now = context.table_now(player);
        let (Some(since), Some(deadline)) = (clock.running, clock.deadline()) else {
            return Attention::Nothing;
        };
        let Some(returned) = context.hours.waited_through(player.platform(), since) else {
            return Attention::Nothing;
        };
        let until = returned.respite(the_match.clock);
        if deadline >= until || until <= now {
            return Attention::Nothing;
        }
        clock.last_until(until, now);
        let settings = context.settings(player);
        let quiet = settings
            .quiet
            .is_some_and(|quiet| quiet.after(context.now) > context.now);
        if settings.reminders && !quiet {
            Attention::Reminder
        } else {
            Attention::Quiet
        }
    })
}

/// Tells somebody what is asked, and how much time is left for it.
fn reminder(play: &Play, seat: Seat, question: Prose, context: &Context<'_>) -> Option<(PlayerId, Notice)> {
    let player = play.players.get(seat.index())?;
    let clock = play.clocks.get(seat.index())?;
    let deadline = clock.deadline()?;
    let away = context.hours.waited_through(player.platform(), clock.running?);
    let notice = Notice::Reminder {
        players: play.players.clone(),
        seat,
        question,
        left: deadline.since(context.table_now(player)),
        deadline: context.on_the_wall(player, deadline),
        away: away.cloned(),
    };
    Some((player.clone(), notice))
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
    match silent {
        Some(seat) if the_match.clock.bank().is_none() && play.paused.is_none() => {
            let from = silent_since(play, seat, context) + CLAIM_AFTER;
            if context.now < from {
                return Err(Refusal::NothingToClaim { from: Some(from) }.into());
            }
            leave(the_match, seat, Leaving::Absent, context)
        }
        Some(_) | None => Err(Refusal::NothingToClaim { from: None }.into()),
    }
}

/// Since when a player who is awaited has been silent while they could have spoken, as the wall would show it.
fn silent_since(play: &Play, seat: Seat, context: &Context<'_>) -> Time {
    let nothing_done = context.hours.on_the_wall("", play.active, context.now);
    let awaited = play.clocks[seat.index()].running;
    let awaited = awaited.map(|since| context.on_the_wall(&play.players[seat.index()], since));
    awaited.map_or(nothing_done, |awaited| awaited.max(nothing_done))
}

/// Breaks a match off; nobody has won. Among people that is possible before the second move: bots reply at once, so their
/// moves don't count. Whoever plays alone or against bots takes nothing from anybody by it, and may do it at any time.
pub fn abort(the_match: &Match, player: &PlayerId, log: &[LogEntry], context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    let by = seat_of(the_match, play, player, SeatSet::EMPTY)?;
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
        told: Prose::new(),
        at: context.now,
    };
    Ok(finish(
        Change::of(the_match),
        play.clone(),
        Vec::new(),
        Some(by),
        ending,
        context,
    ))
}
