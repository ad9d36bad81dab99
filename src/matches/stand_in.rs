//! A bot plays on for somebody who has to go, or has gone.
//!
//! The log knows seats and no players, so a match replays whoever sits in them; that somebody else plays on is written
//! down all the same. It takes the consent of everybody who remains. Somebody who has resigned or run out of time is out
//! of the game by its rules; as long as none but bots have moved since, that leaving is taken back.

use super::bot::Bot;
use super::change::{Change, Context, Decision, changed_hands, hands, running, seat_of, settle};
use super::clock::SeatClock;
use super::consent::rebuild;
use super::delivery::Notice;
use super::hand_news::{HandNews, tell_hands};
use super::loaded::Loaded;
use super::pending_news;
use super::people::PlayerId;
use super::record::Deed;
use super::refusal::{Failure, Refusal};
use super::state::{LogEntry, Logged, Match, Play, ProposalKind, Stage, steps_of};
use crate::ai::Level;
use crate::game::{Seat, SeatSet};

/// What somebody wishes who has to go.
pub fn for_oneself(the_match: &Match, player: &PlayerId, level: Level) -> Result<ProposalKind, Failure> {
    let play = running(the_match)?;
    let seat = seat_of(the_match, play, player, SeatSet::EMPTY)?;
    let others = play
        .people()
        .iter()
        .any(|seat| &play.players[seat.index()] != player);
    if !others {
        return Err(Refusal::NobodyElsePlays(the_match.code.clone()).into());
    }
    Ok(ProposalKind::StandIn { seat, level })
}

/// What those wish who remain, for whoever left last. Of those who are `gone` from where the match is played, and have not
/// left it, the one to move comes first.
pub fn for_leaver(
    the_match: &Match,
    log: &[LogEntry],
    level: Level,
    gone: &[PlayerId],
) -> Result<ProposalKind, Failure> {
    let play = running(the_match)?;
    let awaited = play.awaited_players();
    let mut empty: Vec<Seat> = (play.staying().iter())
        .filter(|seat| gone.contains(&play.players[seat.index()]))
        .collect();
    empty.sort_by_key(|seat| !awaited.contains(&play.players[seat.index()]));
    let left = leaver(play, log).map(|(seat, _)| seat);
    match left.or(empty.first().copied()) {
        Some(seat) => Ok(ProposalKind::StandIn { seat, level }),
        None => Err(Refusal::NobodyToStandInFor(the_match.code.clone()).into()),
    }
}

/// Whoever left last, unless other people have moved since; and how many steps were made before that.
fn leaver(play: &Play, log: &[LogEntry]) -> Option<(Seat, u32)> {
    let steps = steps_of(log);
    let by_bot = |(seat, deed): &&(Seat, Deed)| match deed {
        Deed::Action(_) => play.bot_in(*seat).is_some(),
        Deed::Leaves(_) | Deed::Lapses(_) => false,
    };
    let since = steps.iter().rev().take_while(by_bot).count();
    let before = steps.len().checked_sub(since + 1)?;
    match steps.get(before)? {
        (seat, Deed::Leaves(_)) if play.left.contains(*seat) => Some((*seat, u32::try_from(before).ok()?)),
        (_, Deed::Leaves(_) | Deed::Action(_) | Deed::Lapses(_)) => None,
    }
}

/// All agree: the bot takes the seat.
pub(super) fn take_over(
    the_match: &Loaded,
    mut play: Play,
    seat: Seat,
    level: Level,
    log: &[LogEntry],
    context: &Context<'_>,
) -> Decision {
    let mut change = Change::of(the_match);
    let mut table = the_match.table()?.copy();
    let hands_before = hands(&play, table.as_ref());
    if play.left.contains(seat) {
        let steps = match leaver(&play, log) {
            Some((left, steps)) if left == seat => steps,
            _ => return Err(Refusal::NobodyToStandInFor(change.after.code.clone()).into()),
        };
        play.steps = steps;
        play.entries += 1;
        pending_news::close_board(&mut change, &play);
        play.pending_news = None;
        play.turn_sheet.told.clear();
        play.hopes.clear();
        play.queues.clear();
        change.log(context.now, Logged::TookBack { steps });
        table = rebuild(&change.after, &play, log, steps)?;
        play.left = (play.left.iter()).filter(|left| *left != seat).collect();
    }
    let bot = Bot::beside(level, &play.players).player();
    let was = std::mem::replace(&mut play.players[seat.index()], bot.clone());
    play.clocks[seat.index()] = SeatClock::of(&bot, change.after.clock);
    play.entries += 1;
    play.queues.remove(&seat.number());
    play.proposals.clear();
    play.active = context.hours.table(context.now);
    change.log(
        context.now,
        Logged::Replaced {
            seat,
            was: was.clone(),
            by: bot,
        },
    );
    let clock = change.after.clock;
    let turn = settle(&mut play, clock, table.as_ref(), None, context)?;
    let notice = Notice::StoodIn {
        players: play.players.clone(),
        seat,
        was,
        turn: play.awaited_bots().is_empty().then_some(turn),
    };
    let changed = changed_hands(&play, &hands_before, table.as_ref());
    let news = HandNews {
        seats: changed,
        acted: SeatSet::EMPTY,
        awaited: table.awaiting().seats(),
        called: &[],
    };
    tell_hands(&mut change, &play, news, context);
    let sheet = pending_news::fresh_sheet(&mut change, &mut play, table.as_ref());
    change.after.stage = Stage::Running(play);
    change.announce_on(Some(sheet), &notice, &[]);
    Ok(change)
}
