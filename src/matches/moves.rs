//! Playing: a move, a preview, a leaving, and whatever was said in advance for what comes of them.

use std::collections::BTreeMap;

use super::change::{
    Change, Context, Decision, changed_hands, finish, hands, hides, running, seat_of, seed_of, settle,
};
use super::hand_news::{HandNews, tell_hands};
use super::loaded::Loaded;
use super::pending_news::{News, make_known};
use super::people::PlayerId;
use super::plans::{drop_plan, goes_on, plan_of, play_on};
use super::port::Fault;
use super::record::{Deed, RecordedOutcome};
use super::refusal::{Failure, Refusal};
use super::state::{Ending, How, Leaving, Logged, Match, Play, ProposalKind, Stage};
use crate::catalog::{Played, Reading, Table};
use crate::draw::Prose;
use crate::game::sentence::SentenceError;
use crate::game::{Lapse, Seat, SeatSet, Viewer};
use crate::tell;

/// What a sentence would do, tried on a copy.
pub struct Trial {
    pub seat: Seat,
    pub table: Box<dyn Table>,
    pub actions: Vec<String>,
    pub revealed: bool,
    /// The player has learnt something by it.
    pub taught: bool,
    /// What was noted, if nobody else is to hear of it.
    pub aside: Option<Prose>,
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
pub fn attempt(the_match: &Loaded, player: &PlayerId, sentence: &str) -> Result<Trial, Failure> {
    let play = running(the_match)?;
    let (seat, mut table) = sit_down(the_match, play, player)?;
    let step = u64::from(play.steps) + 1;
    let played = table
        .play(seat, sentence, &seed_of(play)?, step)
        .map_err(|error| refusal(the_match, play, table.as_ref(), error))?;
    Ok(Trial {
        seat,
        table,
        actions: played.actions,
        revealed: played.revealed,
        taught: played.taught,
        aside: played.aside,
    })
}

/// What a sentence is for a player, whether or not it is legal. Nothing is played.
pub fn reads(the_match: &Loaded, player: &PlayerId, sentence: &str) -> Reading {
    match place_of(the_match, player) {
        Ok((seat, table, play)) if play.paused.is_none() => table.reads(seat, sentence),
        Ok(_) | Err(_) => Reading::Nothing,
    }
}

/// Whether a line may be meant as something of this match, be it legal or not, this player's turn or not, or is a slip away
/// from it.
pub fn resembles(the_match: &Loaded, player: &PlayerId, line: &str) -> bool {
    place_of(the_match, player).is_ok_and(|(seat, table, _)| table.resembles(seat, line))
}

/// The seat at which a player would say something, with the table as it stands.
fn place_of<'m>(
    the_match: &'m Loaded,
    player: &PlayerId,
) -> Result<(Seat, &'m dyn Table, &'m Play), Failure> {
    let play = running(the_match)?;
    let table = the_match.table()?;
    let seat = seat_of(the_match, play, player, table.awaiting().seats())?;
    Ok((seat, table, play))
}

/// The table, and the seat at which a player is to say something.
fn sit_down(the_match: &Loaded, play: &Play, player: &PlayerId) -> Result<(Seat, Box<dyn Table>), Failure> {
    let (seat, table, _) = place_of(the_match, player)?;
    if play.paused.is_some() {
        return Err(Refusal::Paused(the_match.code.clone()).into());
    }
    Ok((seat, table.copy()))
}

fn refusal(the_match: &Match, play: &Play, table: &dyn Table, error: SentenceError) -> Refusal {
    let code = the_match.code.clone();
    if error == SentenceError::NotAwaited {
        let awaited = table.awaiting().seats();
        let player = |seat: Seat| play.players[seat.index()].clone();
        return Refusal::NotYourTurn {
            code,
            awaited: awaited.iter().map(player).collect(),
        };
    }
    Refusal::Move {
        code,
        error,
        hidden: hides(the_match),
    }
}

/// Shows what a sentence would do. What brings something new to light can't be tried.
pub fn preview(the_match: &Loaded, player: &PlayerId, sentence: &str) -> Result<Trial, Failure> {
    let trial = attempt(the_match, player, sentence)?;
    if trial.taught {
        return Err(Refusal::CantPreview.into());
    }
    Ok(trial)
}

/// Plays a sentence, and whatever players have said in advance for what comes of it.
pub fn make_move(the_match: &Loaded, player: &PlayerId, sentence: &str, context: &Context<'_>) -> Decision {
    let mut play = running(the_match)?.clone();
    let (seat, mut table) = sit_down(the_match, &play, player)?;
    let seed = seed_of(&play)?;
    let hands_before = hands(&play, table.as_ref());
    let mut change = Change::of(the_match);
    let mut played = table
        .begin(seat, sentence, &seed, u64::from(play.steps) + 1)
        .map_err(|error| refusal(the_match, &play, table.as_ref(), error))?;
    if played.aside.is_some() {
        return set_aside(change, play, seat, played, table, &hands_before, context);
    }
    change.learnt = played.learnt.take();
    play.active = context.hours.table(context.now);
    outdate_proposals(&mut play, seat);
    let mut told = vec![table.narration(Viewer::Public)];
    note(&mut change, &mut play, seat, played, table.as_ref(), context);
    play.note_seen(seat, context.now);
    told.extend(play_on(&mut change, &mut play, table.as_mut(), context)?);
    conclude(
        change,
        play,
        table,
        Deciding::Move(seat),
        told,
        &hands_before,
        context,
    )
}

/// What was proposed in another position is off; an offered draw stands until the other side moves, and whoever has to go
/// still has to go.
fn outdate_proposals(play: &mut Play, moved: Seat) {
    let left = play.left;
    play.proposals.retain(|proposal| match proposal.what {
        ProposalKind::Draw => proposal.by == moved,
        ProposalKind::StandIn { seat, .. } => !left.contains(seat),
        ProposalKind::Watch => true,
        ProposalKind::Takeback { .. } | ProposalKind::Pause | ProposalKind::Extend { .. } => false,
    });
}

/// Writes down what a seat has played. What it left for later waits; what others have said in advance is void
/// if they may want to answer.
pub(super) fn note(
    change: &mut Change,
    play: &mut Play,
    seat: Seat,
    played: Played,
    table: &dyn Table,
    context: &Context<'_>,
) {
    if played.stirs {
        for other in Seat::all(play.players.len() as u8).filter(|other| *other != seat) {
            let plan = plan_of(play, table, other);
            play.queues.remove(&other.number());
            if let Some(plan) = plan {
                drop_plan(change, play, other, plan, None);
            }
        }
    }
    match played.rest {
        Some(rest) => play.queues.insert(seat.number(), rest),
        None => play.queues.remove(&seat.number()),
    };
    if let (Some(clock), Some(player)) = (play.clocks.get_mut(seat.index()), play.players.get(seat.index())) {
        clock.acted = Some(context.table_now(player));
    }
    let deeds: Vec<Deed> = played.actions.into_iter().map(Deed::Action).collect();
    play.steps += deeds.len() as u32;
    play.entries += 1;
    change.log(
        context.now,
        Logged::Did {
            seat,
            deeds,
            revealed: played.revealed,
        },
    );
}

/// A private wish: it is written down, and nobody else hears of it. Buttons made before it still fit. Only if it answers
/// what its player is asked just now, the match goes on.
fn set_aside(
    mut change: Change,
    mut play: Play,
    seat: Seat,
    mut played: Played,
    mut table: Box<dyn Table>,
    hands_before: &BTreeMap<Seat, String>,
    context: &Context<'_>,
) -> Decision {
    change.aside = played.aside.take();
    let queue = play.queues.get(&seat.number()).cloned();
    note(&mut change, &mut play, seat, played, table.as_ref(), context);
    if let Some(queue) = queue {
        play.queues.insert(seat.number(), queue);
    }
    if goes_on(&play, table.as_ref()) {
        play.active = context.hours.table(context.now);
        outdate_proposals(&mut play, seat);
        let told = play_on(&mut change, &mut play, table.as_mut(), context)?;
        play.note_seen(seat, context.now);
        let done = Deciding::Move(seat);
        return conclude(change, play, table, done, told, hands_before, context);
    }
    change.after.version -= 1;
    play.table = table
        .save()
        .map_err(|error| Fault::new("saving a table", error))?;
    let changed = changed_hands(&play, hands_before, table.as_ref());
    let news = HandNews {
        seats: changed,
        acted: SeatSet::one(seat),
        awaited: table.awaiting().seats(),
        called: &[],
    };
    tell_hands(&mut change, &play, news, context);
    change.after.stage = Stage::Running(play);
    change.table = Some(table);
    Ok(change)
}

/// The clock of a seat has run out: the game goes on as it can, and if it can't the player leaves.
pub fn lapse(the_match: &Loaded, seat: Seat, context: &Context<'_>) -> Decision {
    let mut play = running(the_match)?.clone();
    let mut table = the_match.table()?.copy();
    let hands_before = hands(&play, table.as_ref());
    if table.lapse(seat, &seed_of(&play)?, u64::from(play.steps) + 1) == Lapse::Left {
        return leave(the_match, seat, Leaving::OutOfTime, context);
    }
    let mut change = Change::of(the_match);
    play.steps += 1;
    play.entries += 1;
    play.queues.remove(&seat.number());
    play.note_unseen(seat);
    // The silence counts as a move: what comes next has its own time.
    if let (Some(clock), Some(player)) = (play.clocks.get_mut(seat.index()), play.players.get(seat.index())) {
        clock.press(context.table_now(player), the_match.clock);
    }
    change.log(
        context.now,
        Logged::Did {
            seat,
            deeds: vec![Deed::Lapses(Leaving::OutOfTime.word().to_owned())],
            revealed: true,
        },
    );
    let mut told = vec![table.narration(Viewer::Public)];
    told.extend(play_on(&mut change, &mut play, table.as_mut(), context)?);
    carry_on(change, play, table, told, &hands_before, context)
}

/// A player leaves: resigns, runs out of time, is claimed against.
pub fn leave(the_match: &Loaded, seat: Seat, why: Leaving, context: &Context<'_>) -> Decision {
    let mut play = running(the_match)?.clone();
    let mut table = the_match.table()?.copy();
    let hands_before = hands(&play, table.as_ref());
    let mut change = Change::of(the_match);
    play.steps += 1;
    play.entries += 1;
    play.left.insert(seat);
    play.note_unseen(seat);
    play.proposals.clear();
    play.queues.remove(&seat.number());
    // The next player has not been silent yet.
    play.active = context.hours.table(context.now);
    let seed = seed_of(&play)?;
    table.withdraw(seat, &seed, u64::from(play.steps));
    let leaves = |seat: Seat| Logged::Did {
        seat,
        deeds: vec![Deed::Leaves(why.word().to_owned())],
        revealed: true,
    };
    change.log(context.now, leaves(seat));
    let mut told = vec![table.narration(Viewer::Public)];
    // Bots don't play on among themselves when the last person has gone: they get up as well, one after the other,
    // until the game is decided.
    while play.people().is_empty() && table.outcome().is_none() {
        let Some(bot) = play.bots().iter().next() else {
            break;
        };
        play.steps += 1;
        play.entries += 1;
        play.left.insert(bot);
        table.withdraw(bot, &seed, u64::from(play.steps));
        change.log(context.now, leaves(bot));
        told.push(table.narration(Viewer::Public));
    }
    let mut done = Deciding::Leaving(seat, why);
    if table.outcome().is_none() {
        // The game tells what leaving does; only the match knows why.
        let reason = match why {
            Leaving::Resigned => tell!("{player} resigns.", player = seat),
            Leaving::OutOfTime => tell!("{player} has run out of time.", player = seat),
            Leaving::Absent => tell!("{player} has been silent for 14 days.", player = seat),
        };
        told.insert(0, reason);
        told.extend(play_on(&mut change, &mut play, table.as_mut(), context)?);
        done = Deciding::Nothing;
    }
    conclude(change, play, table, done, told, &hands_before, context)
}

/// Resigns the seat of a player.
pub fn resign(the_match: &Loaded, player: &PlayerId, context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    let awaited = the_match.table()?.awaiting().seats();
    let seat = seat_of(the_match, play, player, awaited)?;
    leave(the_match, seat, Leaving::Resigned, context)
}

/// Who has just decided something.
#[derive(Clone, Copy)]
enum Deciding {
    Move(Seat),
    /// With this the match is over.
    Leaving(Seat, Leaving),
    /// Nobody did: a clock has run out, or somebody has left, and the others play on.
    Nothing,
}

/// Ends a change in which nobody has moved who was waited for.
pub(super) fn carry_on(
    change: Change,
    play: Play,
    table: Box<dyn Table>,
    told: Vec<Prose>,
    hands_before: &BTreeMap<Seat, String>,
    context: &Context<'_>,
) -> Decision {
    conclude(
        change,
        play,
        table,
        Deciding::Nothing,
        told,
        hands_before,
        context,
    )
}

/// Saves the position and tells what happened, or ends the match if that was the end.
fn conclude(
    mut change: Change,
    mut play: Play,
    table: Box<dyn Table>,
    done: Deciding,
    told: Vec<Prose>,
    hands_before: &BTreeMap<Seat, String>,
    context: &Context<'_>,
) -> Decision {
    let (acted, how) = match done {
        Deciding::Move(seat) => (Some(seat), How::Rules),
        Deciding::Leaving(_, why) => (None, why.how()),
        Deciding::Nothing => (None, How::Rules),
    };
    let turn = settle(&mut play, change.after.clock, table.as_ref(), acted, context)?;
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
            told: match how {
                How::Rules => table.result(),
                How::Resignation | How::Time | How::Absence | How::Agreement | How::Abort => Prose::new(),
            },
            at: context.now,
        };
        let by = match done {
            Deciding::Move(seat) | Deciding::Leaving(seat, Leaving::Resigned) => Some(seat),
            Deciding::Leaving(_, Leaving::OutOfTime | Leaving::Absent) | Deciding::Nothing => None,
        };
        return Ok(finish(change, play, told, by, ending, context));
    }
    let news = News {
        opening: false,
        told,
        hands: changed_hands(&play, hands_before, table.as_ref()),
        acted,
        turn,
    };
    make_known(&mut change, &mut play, news, context)?;
    change.after.stage = Stage::Running(play);
    change.table = Some(table);
    Ok(change)
}
