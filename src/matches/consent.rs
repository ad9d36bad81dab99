//! What needs the others' consent: a draw, a takeback, a pause, more time, a stand-in.

use super::bot::is_bot;
use super::change::{Change, Context, Decision, begun, finish, hands, running, seat_of, seed_of, settle};
use super::change::{entry_of, options_of, turn};
use super::delivery::{Notice, ProposalAnswer};
use super::keys::unguessable;
use super::loaded::Loaded;
use super::moves::carry_on;
use super::pending_news;
use super::people::PlayerId;
use super::plans::play_on;
use super::port::Fault;
use super::record::{Deed, RecordedOutcome};
use super::refusal::{Failure, Refusal};
use super::stand_in;
use super::state::{Ending, How, LogEntry, Logged, Match, Play, Proposal, ProposalKind, Stage, steps_of};
use super::time::Span;
use crate::catalog::Table;
use crate::draw::Prose;
use crate::game::{Information, Seat, SeatSet};

/// Proposes something, or agrees to it if somebody else has.
pub fn propose(
    the_match: &Loaded,
    player: &PlayerId,
    wish: ProposalKind,
    log: &[LogEntry],
    context: &Context<'_>,
) -> Decision {
    let mut play = running(the_match)?.clone();
    let seat = own_seat(the_match, &play, player)?;
    let standing = play
        .proposals
        .iter()
        .position(|standing| same_kind(standing.what, wish));
    if let Some(index) = standing {
        return give_consent(the_match, player, index, log, context);
    }
    check(the_match, &play, wish)?;
    let information = entry_of(&the_match.game)?.meta.information;
    let against = |bot: &Seat| !bot_agrees(&play, *bot, wish, information);
    if let Some(bot) = play.bots().iter().find(against) {
        return turned_down(the_match, play, wish, ProposalAnswer::DeclinedBy(bot), context);
    }
    // Somebody who plays all seats agrees with themselves, and bots answer at once. Whoever is replaced is not asked.
    let own = play.seats_of(player).iter();
    let agreed: SeatSet = own.chain(play.bots().iter()).chain(replaced(wish)).collect();
    play.proposals.push(Proposal {
        what: wish,
        by: seat,
        agreed,
        made: the_match.version + 1,
    });
    let index = play.proposals.len() - 1;
    if all_agree(&play, index) {
        return carry_out(the_match, play, index, log, context);
    }
    let mut change = Change::of(the_match);
    let own = &play.players[seat.index()];
    let mut asked: Vec<PlayerId> = (play.staying().iter())
        .filter(|seat| !agreed.contains(*seat))
        .map(|seat| play.players[seat.index()].clone())
        .filter(|player| player != own && !is_bot(player))
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let notice = Notice::Proposed {
        players: play.players.clone(),
        by: seat,
        what: wish,
        asked,
    };
    change.after.stage = Stage::Running(play);
    change.announce(&notice);
    Ok(change)
}

/// The seat that a bot is to take.
const fn replaced(wish: ProposalKind) -> Option<Seat> {
    match wish {
        ProposalKind::StandIn { seat, .. } => Some(seat),
        ProposalKind::Draw
        | ProposalKind::Takeback { .. }
        | ProposalKind::Pause
        | ProposalKind::Extend { .. }
        | ProposalKind::Watch => None,
    }
}

/// Whether a bot agrees to what a person proposes. It has no life outside the match, and grants its opponents
/// whatever makes theirs easier; only a draw it declines where it hopes for more.
///
/// Where hands are hidden, what it hopes for tells what it holds. There it goes by what everybody sees: it keeps a
/// single person company to the end, and stands in the way of several who agree among themselves no more.
fn bot_agrees(play: &Play, bot: Seat, wish: ProposalKind, information: Information) -> bool {
    match (wish, information) {
        (ProposalKind::Draw, Information::Hidden) => play.has_several_people(),
        (ProposalKind::Draw, Information::Perfect) => {
            let even = 100 / play.staying().len().max(1);
            let hope = play.hopes.get(&bot.number());
            hope.is_none_or(|hope| usize::from(*hope) <= even)
        }
        (
            ProposalKind::Takeback { .. }
            | ProposalKind::Pause
            | ProposalKind::Extend { .. }
            | ProposalKind::StandIn { .. }
            | ProposalKind::Watch,
            _,
        ) => true,
    }
}

/// Agrees to what somebody else has proposed: to the proposal that a button names by its version, or to
/// the oldest that this player has not answered. Never proposes anything.
pub fn agree(
    the_match: &Loaded,
    player: &PlayerId,
    made: Option<u64>,
    log: &[LogEntry],
    context: &Context<'_>,
) -> Decision {
    let play = running(the_match)?;
    own_seat(the_match, play, player)?;
    let index = meant(the_match, play, player, made)?;
    give_consent(the_match, player, index, log, context)
}

/// Which proposal an answer is to: of several, one by somebody else.
fn meant(the_match: &Match, play: &Play, player: &PlayerId, made: Option<u64>) -> Result<usize, Refusal> {
    if let Some(made) = made {
        let named = play.proposals.iter().position(|proposal| proposal.made == made);
        return named.ok_or_else(|| Refusal::Stale {
            code: the_match.code.clone(),
        });
    }
    let open = |proposal: &Proposal| !has_agreed(play, player, proposal);
    play.proposals
        .iter()
        .position(open)
        .or_else(|| (!play.proposals.is_empty()).then_some(0))
        .ok_or_else(|| Refusal::NothingProposed(the_match.code.clone()))
}

/// Whether nothing more is asked of a player about a proposal.
pub fn has_agreed(play: &Play, player: &PlayerId, proposal: &Proposal) -> bool {
    play.seats_of(player)
        .iter()
        .filter(|seat| !play.left.contains(*seat))
        .all(|seat| proposal.agreed.contains(seat))
}

fn give_consent(
    the_match: &Loaded,
    player: &PlayerId,
    index: usize,
    log: &[LogEntry],
    context: &Context<'_>,
) -> Decision {
    let mut play = running(the_match)?.clone();
    if has_agreed(&play, player, &play.proposals[index]) {
        return Err(Refusal::AlreadyProposed(play.proposals[index].what).into());
    }
    for seat in play.seats_of(player).iter() {
        play.proposals[index].agreed.insert(seat);
    }
    if all_agree(&play, index) {
        return carry_out(the_match, play, index, log, context);
    }
    let mut change = Change::of(the_match);
    // With more than two players others are still to answer.
    change.after.stage = Stage::Running(play);
    Ok(change)
}

/// Turns down what others have proposed, or withdraws one's own.
pub fn turn_down(
    the_match: &Loaded,
    player: &PlayerId,
    made: Option<u64>,
    context: &Context<'_>,
) -> Decision {
    let mut play = running(the_match)?.clone();
    let seat = own_seat(the_match, &play, player)?;
    let index = meant(the_match, &play, player, made)?;
    let proposal = play.proposals.remove(index);
    let answer = if play.seats_of(player).contains(proposal.by) {
        ProposalAnswer::WithdrawnBy(seat)
    } else {
        ProposalAnswer::DeclinedBy(seat)
    };
    turned_down(the_match, play, proposal.what, answer, context)
}

/// Nothing comes of a proposal.
fn turned_down(
    the_match: &Loaded,
    play: Play,
    what: ProposalKind,
    answer: ProposalAnswer,
    context: &Context<'_>,
) -> Decision {
    let mut change = Change::of(the_match);
    let notice = Notice::Settled {
        players: play.players.clone(),
        what,
        answer,
        turn: turn(&play, the_match.table()?, Vec::new(), context),
    };
    change.after.stage = Stage::Running(play);
    change.announce(&notice);
    Ok(change)
}

/// Goes on after a pause; anybody may. Somebody may have left meanwhile, so that those are awaited who have said in advance
/// what they do.
pub fn resume(the_match: &Loaded, player: &PlayerId, context: &Context<'_>) -> Decision {
    let mut play = running(the_match)?.clone();
    let seat = own_seat(the_match, &play, player)?;
    if play.paused.take().is_none() {
        return Err(Refusal::NotPaused(the_match.code.clone()).into());
    }
    play.active = context.hours.table(context.now);
    let mut change = Change::of(the_match);
    let mut table = the_match.table()?.copy();
    let hands_before = hands(&play, table.as_ref());
    let told = play_on(&mut change, &mut play, table.as_mut(), context)?;
    if !told.is_empty() {
        let notice = Notice::Resumed {
            players: play.players.clone(),
            by: seat,
            turn: turn(&play, table.as_ref(), Vec::new(), context),
        };
        change.announce(&notice);
        return carry_on(change, play, table, told, &hands_before, context);
    }
    let turn = settle(&mut play, the_match.clock, table.as_ref(), None, context)?;
    let notice = Notice::Resumed {
        players: play.players.clone(),
        by: seat,
        turn,
    };
    let sheet = pending_news::fresh_sheet(&mut change, &mut play, table.as_ref());
    change.after.stage = Stage::Running(play);
    change.announce_on(Some(sheet), &notice, &[]);
    Ok(change)
}

/// The position to which a takeback by this player would lead: before their last move.
pub fn takeback_target(
    the_match: &Match,
    player: &PlayerId,
    log: &[LogEntry],
) -> Result<ProposalKind, Failure> {
    let play = running(the_match)?;
    own_seat(the_match, play, player)?;
    let own = play.seats_of(player);
    // Which entries still hold, each with the number of steps before it.
    let mut standing: Vec<(u32, Seat, bool)> = Vec::new();
    let mut steps = 0;
    for entry in log {
        match &entry.what {
            Logged::Did {
                seat,
                deeds,
                revealed,
            } => {
                standing.push((steps, *seat, *revealed));
                steps += deeds.len() as u32;
            }
            Logged::TookBack { steps: to } => {
                standing.retain(|(before, ..)| before < to);
                steps = *to;
            }
            Logged::Replaced { .. } => {}
        }
    }
    let last = standing
        .iter()
        .rposition(|(_, seat, _)| own.contains(*seat))
        .ok_or(Refusal::NothingToTakeBack)?;
    if standing[last..].iter().any(|(_, _, revealed)| *revealed) {
        return Err(Refusal::CantUnsee.into());
    }
    Ok(ProposalKind::Takeback {
        steps: standing[last].0,
    })
}

fn own_seat(the_match: &Match, play: &Play, player: &PlayerId) -> Result<Seat, Refusal> {
    seat_of(the_match, play, player, SeatSet::EMPTY)
}

/// Whether two wishes can't stand beside each other.
const fn same_kind(a: ProposalKind, b: ProposalKind) -> bool {
    matches!(
        (a, b),
        (ProposalKind::Draw, ProposalKind::Draw)
            | (ProposalKind::Takeback { .. }, ProposalKind::Takeback { .. })
            | (ProposalKind::Pause, ProposalKind::Pause)
            | (ProposalKind::Extend { .. }, ProposalKind::Extend { .. })
            | (ProposalKind::StandIn { .. }, ProposalKind::StandIn { .. })
            | (ProposalKind::Watch, ProposalKind::Watch)
    )
}

fn check(the_match: &Match, play: &Play, wish: ProposalKind) -> Result<(), Refusal> {
    match wish {
        ProposalKind::Pause if play.paused.is_some() => Err(Refusal::Paused(the_match.code.clone())),
        ProposalKind::Extend { .. } if the_match.clock.bank().is_none() => Err(Refusal::NoClock),
        ProposalKind::Draw
        | ProposalKind::Takeback { .. }
        | ProposalKind::Pause
        | ProposalKind::Extend { .. }
        | ProposalKind::StandIn { .. }
        | ProposalKind::Watch => Ok(()),
    }
}

fn all_agree(play: &Play, index: usize) -> bool {
    play.staying()
        .iter()
        .all(|seat| play.proposals[index].agreed.contains(seat))
}

fn carry_out(
    the_match: &Loaded,
    mut play: Play,
    index: usize,
    log: &[LogEntry],
    context: &Context<'_>,
) -> Decision {
    let wish = play.proposals.remove(index).what;
    let mut change = Change::of(the_match);
    let table = match wish {
        ProposalKind::Takeback { steps } => {
            play.queues.clear();
            let table = rebuild(&change.after, &play, log, steps)?;
            play.steps = steps;
            play.entries += 1;
            play.proposals.clear();
            // What was not made known is undone, and need not be told any more; nor does what a bot hoped for count.
            pending_news::close_board(&mut change, &play);
            play.pending_news = None;
            play.turn_sheet.told.clear();
            play.hopes.clear();
            play.unseen.clear();
            change.log(context.now, Logged::TookBack { steps });
            table
        }
        ProposalKind::Draw => return draw(change, play, context),
        ProposalKind::StandIn { seat, level } => {
            return stand_in::take_over(the_match, play, seat, level, log, context);
        }
        ProposalKind::Pause => {
            play.paused = Some(context.now);
            the_match.table()?.copy()
        }
        ProposalKind::Extend { by } => {
            extend(&mut play, by, context);
            the_match.table()?.copy()
        }
        ProposalKind::Watch => {
            play.watch = Some(watch_token(context)?);
            the_match.table()?.copy()
        }
    };
    play.active = context.hours.table(context.now);
    let clock = change.after.clock;
    let turn = settle(&mut play, clock, table.as_ref(), None, context)?;
    let notice = Notice::Settled {
        players: play.players.clone(),
        what: wish,
        answer: ProposalAnswer::Agreed,
        turn,
    };
    let sheet = pending_news::fresh_sheet(&mut change, &mut play, table.as_ref());
    change.after.stage = Stage::Running(play);
    change.announce_on(Some(sheet), &notice, &[]);
    Ok(change)
}

/// Lets anybody watch a match that runs. It is no news for the match: what was offered to be pressed still fits.
pub fn let_watch(the_match: &Loaded, player: &PlayerId, context: &Context<'_>) -> Decision {
    let play = running(the_match)?;
    own_seat(the_match, play, player)?;
    set_watching(the_match, Some(watch_token(context)?))
}

/// Lets nobody watch any more, nor look at what was played. Even who has left may want that.
pub fn end_watching(the_match: &Loaded, player: &PlayerId) -> Decision {
    let play = begun(the_match)?;
    if play.seats_of(player).is_empty() {
        return Err(Refusal::NotYourMatch(the_match.code.clone()).into());
    }
    set_watching(the_match, None)
}

fn set_watching(the_match: &Loaded, token: Option<String>) -> Decision {
    let mut change = Change::of(the_match);
    change.after.version -= 1;
    if let Stage::Running(play) | Stage::Over(play, _) = &mut change.after.stage {
        play.watch = token;
    }
    Ok(change)
}

/// What nobody guesses who was not given the link.
fn watch_token(context: &Context<'_>) -> Result<String, Fault> {
    unguessable::<16>(context.entropy)
}

fn extend(play: &mut Play, by: Span, context: &Context<'_>) {
    for (clock, player) in play.clocks.iter_mut().zip(&play.players) {
        clock.extend(by, context.table_now(player));
    }
}

fn draw(change: Change, play: Play, context: &Context<'_>) -> Decision {
    let staying = play.staying();
    // Those who left before share the place after the ones who drew.
    let ranks = Seat::all(play.players.len() as u8)
        .map(|seat| {
            if staying.contains(seat) {
                1
            } else {
                staying.len() as u8 + 1
            }
        })
        .collect();
    let outcome = RecordedOutcome {
        ranks,
        reason: "draw agreed".to_owned(),
    };
    let ending = Ending {
        how: How::Agreement,
        outcome: Some(outcome),
        told: Prose::new(),
        at: context.now,
    };
    Ok(finish(change, play, Vec::new(), None, ending, context))
}

/// The table after so many steps of a log.
pub fn rebuild(
    the_match: &Match,
    play: &Play,
    log: &[LogEntry],
    steps: u32,
) -> Result<Box<dyn Table>, Failure> {
    let seed = seed_of(play)?;
    let options = options_of(the_match)?;
    let mut table = entry_of(&the_match.game)?
        .open_under(play.rules_version, &options, play.players.len() as u8, &seed)
        .map_err(|error| Fault::new("opening the table of a match anew", error))?;
    for (number, (seat, deed)) in (1..).zip(steps_of(log).into_iter().take(steps as usize)) {
        match deed {
            Deed::Action(action) => {
                // The error is left out: it quotes the action, which may be a secret.
                table.play(seat, &action, &seed, number).map_err(|_| {
                    Fault::new(
                        "replaying the log of a match",
                        format!("step {number} of {} can't be played again", the_match.code),
                    )
                })?;
            }
            Deed::Leaves(_) => table.withdraw(seat, &seed, number),
            Deed::Lapses(_) => {
                table.lapse(seat, &seed, number);
            }
        }
    }
    Ok(table)
}
