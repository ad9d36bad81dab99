//! What if: a practice match that goes on from a position of another match.
//!
//! The steps that led there are copied, so a copy is a match like any other: it is replayed, checked and exported from its
//! own log. What was copied can't be taken back. Nothing here can reach the original.

use super::bot::Bot;
use super::change::{Change, Context, Decision, entry_of, hides, options_of};
use super::clock::{ClockKind, SeatClock};
use super::code::Code;
use super::consent::rebuild;
use super::gather::{begin_play, new_play};
use super::people::{PlayerId, RoomId};
use super::record::{Deed, RecordedStep};
use super::refusal::{Failure, Refusal};
use super::state::{CalledOff, Logged, Match, Play, PracticeOrigin, Seating, Stage};
use crate::ai::Level;
use crate::game::{Seat, SeatSet, Seed};

/// Which position is copied, and who plays on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copying {
    /// The position after this turn; the latest from which the game goes on, if none is named.
    pub turn: Option<u32>,
    /// The bot plays the other sides, at this level; otherwise whoever asks plays all.
    pub level: Option<Level>,
}

/// What of a match is copied.
#[derive(Debug)]
pub struct PracticeSource<'a> {
    pub the_match: &'a Match,
    pub play: &'a Play,
    pub turn: u32,
    /// The steps that led to the position.
    pub steps: Vec<RecordedStep>,
}

/// Whether positions of a match may be copied as things stand: of one that still runs only if nothing in it is hidden or
/// left to chance, so that nobody learns by it what they would not know.
pub fn may_copy(source: &Match) -> Result<(), Failure> {
    match &source.stage {
        Stage::Over(..) => Ok(()),
        Stage::Running(_) => {
            let chance = entry_of(&source.game)?.has_chance(&options_of(source)?);
            if chance || hides(source) {
                return Err(Refusal::NoPracticeYet(source.code.clone()).into());
            }
            Ok(())
        }
        Stage::Open(_) => Err(Refusal::NotBegun(source.code.clone()).into()),
        Stage::CalledOff(_) => Err(Refusal::CalledOff(source.code.clone()).into()),
    }
}

/// Begins the practice match.
pub fn begin(
    player: &PlayerId,
    room: RoomId,
    source: &PracticeSource<'_>,
    level: Option<Level>,
    code: Code,
    context: &Context<'_>,
) -> Decision {
    let (old, before) = (source.the_match, source.play);
    may_copy(old)?;
    let seed = match &old.stage {
        // What chance would have brought is known by now, and is what could have come.
        Stage::Over(..) => before.seed.clone(),
        // The seed of a running match is a secret even where it decides nothing.
        Stage::Running(_) | Stage::Open(_) | Stage::CalledOff(_) => {
            let mut bytes = [0; 32];
            context.entropy.fill(&mut bytes)?;
            Seed::new(bytes).reveal()
        }
    };
    let mut left = SeatSet::EMPTY;
    for step in &source.steps {
        if matches!(step.deed, Deed::Leaves(_)) {
            left.insert(step.seat);
        }
    }
    let mut change = Change::new(Match {
        code,
        version: 1,
        game: old.game.clone(),
        options: old.options.clone(),
        clock: ClockKind::None,
        seating: Seating::AsChallenged,
        rooms: vec![room],
        lost_rooms: Vec::new(),
        host: player.clone(),
        created: context.now,
        rematch_of: None,
        practice_of: Some(PracticeOrigin {
            code: old.code.clone(),
            turn: source.turn,
        }),
        // It begins at once, below.
        stage: Stage::CalledOff(CalledOff::Expired),
    });
    for step in &source.steps {
        change.log(
            context.now,
            Logged::Did {
                seat: step.seat,
                deeds: vec![step.deed.clone()],
                revealed: true,
            },
        );
    }
    let steps = source.steps.len() as u32;
    let mut play = Play {
        players: before.players.clone(),
        entries: steps,
        steps,
        left,
        ..new_play(before.rules_version, seed, context)
    };
    let table = rebuild(&change.after, &play, &change.log, u32::MAX)?;
    let awaited = table.awaiting().seats();
    play.players = seated(player, before, awaited, level);
    play.clocks = (play.players.iter())
        .map(|player| SeatClock::of(player, ClockKind::None))
        .collect();
    let mut change = begin_play(change, play, ClockKind::None, table.as_ref(), context)?;
    change.table = Some(table);
    Ok(change)
}

/// Who sits where: all seats are the player's, or their own seat is and bots have the others. Whoever watched takes the
/// seat that is to move.
fn seated(player: &PlayerId, before: &Play, awaited: SeatSet, level: Option<Level>) -> Vec<PlayerId> {
    let seats = before.players.len() as u8;
    let Some(level) = level else {
        return vec![player.clone(); usize::from(seats)];
    };
    let own = before.seats_of(player).iter().next();
    let own = own.or_else(|| awaited.iter().next()).unwrap_or(Seat::new(0));
    let mut players: Vec<PlayerId> = Vec::new();
    for seat in Seat::all(seats) {
        players.push(if seat == own {
            player.clone()
        } else {
            Bot::beside(level, &players).player()
        });
    }
    players
}
