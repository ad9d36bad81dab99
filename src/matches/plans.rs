//! What players have said in advance: plans that wait until they are asked, and standing orders of the game.
//!
//! However a match moves on, by a move, a clock that has run out, a leaving or the end of a pause, whoever is asked next
//! and has answered already is not waited for ([`play_on`]). What of a plan the rules have answered themselves is forgotten, and
//! nobody hears of it.

use super::change::{Change, Context, seed_of};
use super::delivery::Notice;
use super::moves::note;
use super::port::Fault;
use super::state::Play;
use crate::catalog::Table;
use crate::draw::Prose;
use crate::game::{Seat, Viewer};

/// More than anybody says in advance for what comes of one move.
const MOST_SAID: usize = 200;

/// Plays what those have said in advance who are awaited, one after the other, until somebody has to be waited for. What
/// everybody is told of it.
pub(super) fn play_on(
    change: &mut Change,
    play: &mut Play,
    table: &mut dyn Table,
    context: &Context<'_>,
) -> Result<Vec<Prose>, Fault> {
    let mut told = Vec::new();
    if play.paused.is_some() {
        return Ok(told);
    }
    let seed = seed_of(play)?;
    for _ in 0..MOST_SAID {
        let Some((seat, text)) = next_said(play, table) else {
            break;
        };
        let played = match table.begin(seat, &text, &seed, u64::from(play.steps) + 1) {
            Ok(played) => played,
            Err(error) => {
                drop_plan(change, play, seat, text, Some(error.to_string()));
                continue;
            }
        };
        if played.aside.is_none() {
            told.push(table.narration(Viewer::Public));
            // Whoever said it in advance need not be looking.
            play.note_unseen(seat);
        }
        note(change, play, seat, played, table, context);
    }
    Ok(told)
}

/// Whether somebody who is awaited has answered already.
pub(super) fn goes_on(play: &Play, table: &dyn Table) -> bool {
    let awaited = table.awaiting().seats();
    play.paused.is_none()
        && awaited
            .iter()
            .any(|seat| plan_of(play, table, seat).is_some() || standing_order(play, table, seat).is_some())
}

/// What somebody who is awaited has said in advance: for this once, which is taken off the queue, or as a standing order.
fn next_said(play: &mut Play, table: &dyn Table) -> Option<(Seat, String)> {
    let awaited = table.awaiting().seats();
    for seat in awaited.iter() {
        let plan = plan_of(play, table, seat);
        play.queues.remove(&seat.number());
        if let Some(plan) = plan {
            return Some((seat, plan));
        }
    }
    awaited
        .iter()
        .find_map(|seat| Some((seat, standing_order(play, table, seat)?)))
}

/// What somebody has said for this once and has still to say.
pub(super) fn plan_of(play: &Play, table: &dyn Table, seat: Seat) -> Option<String> {
    table.still_to_say(seat, play.queues.get(&seat.number())?)
}

/// What a standing order says now. A bot that plays on for somebody decides for itself.
fn standing_order(play: &Play, table: &dyn Table, seat: Seat) -> Option<String> {
    match play.bot_in(seat) {
        Some(_) => None,
        None => table.foresaid(seat),
    }
}

/// What somebody had said in advance is void, and they alone are told.
pub(super) fn drop_plan(change: &mut Change, play: &Play, seat: Seat, plan: String, why: Option<String>) {
    if let Some(player) = play.players.get(seat.index()) {
        change.tell(player, Notice::PlanDropped { plan, why });
    }
}
