//! A decision about a match: what it becomes, what the log gains, what is made known.
//!
//! Everything in the verb-named files beside this one is pure: a match and a command go in, a
//! [`Change`] or a refusal comes out. Only the service writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bot::is_bot;
use super::clock::ClockKind;
use super::delivery::{Draft, Notice, Sheet, To, Turn, Writing};
use super::home;
use super::hours::Hours;
use super::pending_news::{self, narration};
use super::people::{Person, PlayerId, PlayerSettings};
use super::port::{Entropy, Fault};
use super::refusal::{Failure, Refusal};
use super::state::{Ending, LogEntry, Logged, Match, Play, Stage};
use super::time::{TableTime, Time};
use crate::catalog::{self, Entry, Frame, Table};
use crate::draw::Prose;
use crate::game::{Information, OptionValues, Seat, SeatSet, Seed, Viewer};

/// What a decision may look at besides the match.
pub struct Context<'a> {
    /// On the wall.
    pub now: Time,
    /// Which time counts.
    pub hours: Arc<Hours>,
    pub people: &'a BTreeMap<PlayerId, Person>,
    pub entropy: &'a dyn Entropy,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// The time on a player's clock.
    pub fn table_now(&self, player: &PlayerId) -> TableTime {
        self.hours.now_at(player.platform(), self.now)
    }

    /// When the wall will show a moment on a player's clock.
    pub fn on_the_wall(&self, player: &PlayerId, moment: TableTime) -> Time {
        self.hours.on_the_wall(player.platform(), moment, self.now)
    }

    pub fn settings(&self, player: &PlayerId) -> PlayerSettings {
        self.people
            .get(player)
            .map(|person| person.settings.clone())
            .unwrap_or_default()
    }
}

/// A match after a decision.
pub struct Change {
    pub after: Match,
    /// The position, where the decision has it at hand.
    pub table: Option<Box<dyn Table>>,
    /// What was noted, if it was a private wish that nobody else hears of.
    pub aside: Option<Prose>,
    /// What whoever decided has learnt by it, for them alone.
    pub learnt: Option<Prose>,
    pub log: Vec<LogEntry>,
    pub deliveries: Vec<Draft>,
}

/// Without the position: it holds secrets.
impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Change")
            .field("after", &self.after)
            .finish_non_exhaustive()
    }
}

impl Change {
    pub fn of(before: &Match) -> Self {
        let mut after = before.clone();
        after.version += 1;
        Self::new(after)
    }

    pub const fn new(after: Match) -> Self {
        Self {
            after,
            table: None,
            aside: None,
            learnt: None,
            log: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    /// Says something in every home room, and to those whom no such room reaches.
    pub fn announce(&mut self, notice: &Notice) {
        self.announce_on(None, notice, &[]);
    }

    /// The same, on a message that may be written anew, and calls people by it.
    pub fn announce_on(&mut self, sheet: Option<Sheet>, notice: &Notice, ping: &[PlayerId]) {
        let rooms = self.after.rooms.iter().cloned().map(To::Room);
        let alone = home::homeless(&self.after).into_iter().map(To::Player);
        self.deliveries.extend(rooms.chain(alone).map(|to| Draft {
            sheet,
            ping: ping.to_vec(),
            ..Draft::new(to, notice.clone())
        }));
    }

    /// Says something to one player alone.
    pub fn tell(&mut self, player: &PlayerId, notice: Notice) {
        self.deliveries
            .push(Draft::new(To::Player(player.clone()), notice));
    }

    pub fn log(&mut self, at: Time, what: Logged) {
        self.log.push(LogEntry { at, what });
    }
}

/// The game of a match.
pub fn entry_of(game: &str) -> Result<&'static Entry, Fault> {
    catalog::find(game).map_err(|error| Fault::new("looking for the game of a match", error))
}

/// Whether players of a match hold what others must not see. Where that can't be told, nothing is shown around.
pub fn hides(the_match: &Match) -> bool {
    entry_of(&the_match.game)
        .and_then(|entry| Ok(entry.hides(&options_of(the_match)?)))
        .unwrap_or(true)
}

/// The seed that the end of a match opens; nothing where nothing was left to chance.
pub(super) fn opened_seed(the_match: &Match, play: &Play) -> String {
    let chance = entry_of(&the_match.game)
        .and_then(|entry| Ok(entry.has_chance(&options_of(the_match)?)))
        .unwrap_or(true);
    if chance { play.seed.clone() } else { String::new() }
}

/// The options of a match as the game reads them.
pub fn options_of(the_match: &Match) -> Result<OptionValues, Fault> {
    let entry = entry_of(&the_match.game)?;
    let pairs = the_match
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    OptionValues::choose(entry.meta.options, pairs)
        .map_err(|error| Fault::new("reading the options of a match", error))
}

/// The table of a match that has begun.
pub fn table_of(the_match: &Match, play: &Play) -> Result<Box<dyn Table>, Fault> {
    entry_of(&the_match.game)?
        .load(&play.table)
        .map_err(|error| Fault::new("setting up the table of a match", error))
}

pub fn seed_of(play: &Play) -> Result<Seed, Fault> {
    Seed::from_hex(&play.seed)
        .ok_or_else(|| Fault::new("reading the seed of a match", "it is not 64 hexadecimal digits"))
}

/// The running part of a match, or why there is none.
pub fn running(the_match: &Match) -> Result<&Play, Refusal> {
    match &the_match.stage {
        Stage::Running(play) => Ok(play),
        Stage::Open(_) => Err(Refusal::NotBegun(the_match.code.clone())),
        Stage::Over(..) => Err(Refusal::Over(the_match.code.clone())),
        Stage::CalledOff(_) => Err(Refusal::CalledOff(the_match.code.clone())),
    }
}

/// The part of a match that has been played, whether or not it is over, or why there is none.
pub fn begun(the_match: &Match) -> Result<&Play, Refusal> {
    match &the_match.stage {
        Stage::Running(play) | Stage::Over(play, _) => Ok(play),
        Stage::Open(_) => Err(Refusal::NotBegun(the_match.code.clone())),
        Stage::CalledOff(_) => Err(Refusal::CalledOff(the_match.code.clone())),
    }
}

/// The seat that a player acts for: of several, the one that is awaited. Whoever has left acts for none.
pub fn seat_of(the_match: &Match, play: &Play, player: &PlayerId, awaited: SeatSet) -> Result<Seat, Refusal> {
    let own = play.seats_of(player);
    own.iter()
        .find(|seat| awaited.contains(*seat))
        .or_else(|| own.iter().find(|seat| !play.left.contains(*seat)))
        .ok_or_else(|| {
            let code = the_match.code.clone();
            if own.is_empty() {
                Refusal::NotYourMatch(code)
            } else {
                Refusal::YouLeft(code)
            }
        })
}

/// Saves the table into the running part of a match, sets the clocks and tells who is awaited now.
/// `acted` is the seat that has just made a move.
pub fn settle(
    play: &mut Play,
    kind: ClockKind,
    table: &dyn Table,
    acted: Option<Seat>,
    context: &Context<'_>,
) -> Result<Turn, Fault> {
    play.table = table
        .save()
        .map_err(|error| Fault::new("saving a table", error))?;
    let awaited = table.awaiting().seats();
    let mut fresh = SeatSet::EMPTY;
    // Those whose clocks stop now are told why they have more time than they thought.
    let away = play.waited_through(&context.hours).cloned();
    for (clock, seat) in play.clocks.iter_mut().zip(Seat::all(table.seats())) {
        let now = context.table_now(&play.players[seat.index()]);
        match (
            awaited.contains(seat) && play.paused.is_none(),
            clock.running.is_some(),
        ) {
            (true, false) => {
                clock.start(now);
                fresh.insert(seat);
            }
            (false, true) if acted == Some(seat) => clock.press(now, kind),
            (false, true) => clock.stop(now),
            (true, true) | (false, false) => {}
        }
    }
    let ping = fresh
        .iter()
        .map(|seat| play.players[seat.index()].clone())
        .filter(|player| !is_bot(player) && context.settings(player).ping)
        .filter(|player| acted.is_none_or(|seat| play.players[seat.index()] != *player))
        .collect();
    Ok(Turn {
        away,
        ..turn(play, table, ping, context)
    })
}

/// Where a running match stands.
pub fn turn(play: &Play, table: &dyn Table, ping: Vec<PlayerId>, context: &Context<'_>) -> Turn {
    Turn {
        entries: play.entries,
        awaited: table.awaiting().seats().iter().collect(),
        question: table.ask(Viewer::Public),
        deadline: play.deadline(&context.hours, context.now),
        away: None,
        ping,
        out_of_touch: Vec::new(),
    }
}

/// What people hold in private, by seat; nothing in a game without secrets. A bot's hand is sent to nobody.
pub fn hands(play: &Play, table: &dyn Table) -> BTreeMap<Seat, String> {
    if table.meta().information == Information::Perfect {
        return BTreeMap::new();
    }
    let names: Vec<String> = Seat::all(table.seats())
        .map(|seat| format!("Player {seat}"))
        .collect();
    let people = Seat::all(table.seats()).filter(|seat| play.bot_in(*seat).is_none());
    let hand = |seat: Seat| {
        let frame = Frame::new(Viewer::Seat(seat), &names);
        let hand = table.hand(&frame).filter(|hand| !hand.is_open)?;
        Some((seat, hand.text))
    };
    people.filter_map(hand).collect()
}

/// The people whose hands are other ones than before.
pub fn changed_hands(play: &Play, before: &BTreeMap<Seat, String>, table: &dyn Table) -> SeatSet {
    let hands = hands(play, table).into_iter();
    let changed = hands.filter(|(seat, hand)| before.get(seat) != Some(hand));
    changed.map(|(seat, _)| seat).collect()
}

/// Ends a match by the doing of `by`, if it was anybody's; the others are called.
pub fn finish(
    mut change: Change,
    mut play: Play,
    told: Vec<Prose>,
    by: Option<Seat>,
    ending: Ending,
    context: &Context<'_>,
) -> Change {
    for (clock, player) in play.clocks.iter_mut().zip(&play.players) {
        clock.stop(context.table_now(player));
    }
    play.proposals.clear();
    pending_news::close_board(&mut change, &play);
    let mut whole = std::mem::take(&mut play.turn_sheet.told);
    whole.extend(play.pending_news.take().into_iter().flat_map(|open| open.told));
    whole.extend(told);
    let notice = Notice::Ended {
        players: play.players.clone(),
        narration: narration(&whole, pending_news::LONGEST_NARRATION),
        entries: play.entries,
        ending: ending.clone(),
        seed: opened_seed(&change.after, &play),
    };
    let mut called: Vec<PlayerId> = Vec::new();
    for player in play.players.iter().filter(|player| !is_bot(player)) {
        let own_doing = by.is_some_and(|seat| play.players.get(seat.index()) == Some(player));
        if !own_doing && !called.contains(player) {
            called.push(player.clone());
        }
    }
    let sheet = play.turn_sheet.next(Writing::Lasting);
    change.after.stage = Stage::Over(play, ending);
    change.announce_on(Some(sheet), &notice, &called);
    change
}

/// A decision: a change, a refusal, or a fault.
pub type Decision = Result<Change, Failure>;
