//! Bots at the tables: they think when it is their turn, and reply.
//!
//! Every change of a match in which bots play calls [`Service::keep_bots`]. If a bot is awaited, the whole reply is thought
//! out on a thread of the [`ThinkPool`](super::think_pool::ThinkPool), over a copy of the match: all small decisions of all bots, until it
//! is a person's turn. Then it is played through the service like any other move, in one change, if the match still
//! stands where it stood; otherwise it is thrown away. A reply that was not played when the program ended is thought out
//! again at the next start.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::Notify;

use super::bot::Bot;
use super::change::{Change, Context, Decision, entry_of, running};
use super::code::Code;
use super::loaded::Loaded;
use super::moves::make_move;
use super::people::{Person, PlayerId};
use super::port::{Entropy, Fault};
use super::refusal::{Failure, Refusal};
use super::service::{Caller, Moment, Service};
use super::state::{Match, Play, Stage};
use super::think_pool::{self, CancelOnDrop, Length, Thinker};
use super::time::{Span, Time};
use super::time_budget::{TimeBudget, sketch};
use crate::ai::{Agent, Errand, Level, Thought};
use crate::catalog::Table;
use crate::game::{Information, Seat};

/// The most decisions that are thought out before they are played. No turn of any game is so long.
const MOST_DECISIONS: usize = 300;

/// A decision that may take longer than this begins with a look.
const WORTH_A_LOOK: Duration = Duration::from_millis(2_500);

/// How long that look is.
const LOOK: Duration = Duration::from_millis(600);

/// How long we wait before something that went wrong is tried again.
const PAUSE: Duration = Duration::from_secs(5);

/// Matches that have changed and in which bots play, and not yet been looked at.
#[derive(Debug, Default)]
pub(super) struct Calls {
    codes: Mutex<Vec<Code>>,
    news: Notify,
}

impl Calls {
    pub(super) fn add(&self, code: Code) {
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.push(code);
        drop(codes);
        self.news.notify_one();
    }

    fn take(&self) -> Vec<Code> {
        std::mem::take(&mut self.codes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One small decision of a reply. Not to be printed: it may be a secret.
struct Decided {
    player: PlayerId,
    seat: Seat,
    action: String,
    /// What the bot expects, in hundredths.
    hope: Option<u8>,
}

/// How a reply is paced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    length: Length,
    allowed: Duration,
    /// Where players have secrets, replies come on a beat.
    beat: Option<Span>,
}

impl Pace {
    /// By public facts alone: how strong the bots are, and whether the game has secrets.
    ///
    /// How long a bot thinks may depend on what it holds, so where hands are hidden the time that passes must not: every
    /// reply comes on a beat, counted from the move that it answers. A reply that is ready earlier waits for it. There the
    /// strongest have less time than elsewhere: a turn has many replies, and each of them takes all the time there is.
    fn of(level: Level, information: Information) -> Self {
        let length = Length::of(level, information);
        let (allowed, beat) = match (length, information) {
            (Length::Short, Information::Perfect) => (800, None),
            (Length::Short, Information::Hidden) => (600, Some(750)),
            (Length::Medium, _) => (3_400, Some(4_000)),
            (Length::Long, _) => (9_000, None),
        };
        Self {
            length,
            allowed: Duration::from_millis(allowed),
            beat: beat.map(Span),
        }
    }

    /// When a reply to what happened at `since` that is ready `now` may be made known.
    fn next_beat(self, since: Time, now: Time) -> Time {
        match self.beat {
            None => now,
            Some(beat) => since + Span(beat.0 * now.since(since).0.div_ceil(beat.0.max(1)).max(1)),
        }
    }
}

/// Where a match stands, for those who think about it.
#[derive(Clone, Copy, Debug)]
struct Standing {
    version: u64,
    /// How many entries its log has.
    entries: u32,
}

impl Standing {
    fn of(the_match: &Match) -> Self {
        Self {
            version: the_match.version,
            entries: the_match.play().map_or(0, |play| play.entries),
        }
    }

    /// Whether a thought about the one is good for the other. A proposal changes the version and nothing else. A private
    /// wish is an entry that leaves the version as it is: were it thought about anew, the pause would tell the others
    /// that somebody has made one.
    const fn is_as_good_as(self, other: Self) -> bool {
        self.entries == other.entries || self.version == other.version
    }
}

/// A reply that is being thought out.
struct UnderWay {
    standing: Standing,
    number: u64,
    /// Dropped when the reply is no longer wanted.
    _wanted: CancelOnDrop,
}

impl Service {
    /// Lets the bots play until `stop` is ready.
    pub async fn keep_bots(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut replies = FuturesUnordered::new();
        let mut under_way: HashMap<Code, UnderWay> = HashMap::new();
        let mut number = 0;
        if let Err(fault) = self.call_bots() {
            tracing::error!(%fault, "bots: could not list the matches of the bots");
        }
        loop {
            for code in self.calls.take() {
                let standing = match self.awaits_bots(&code) {
                    Ok(standing) => standing,
                    Err(fault) => {
                        tracing::error!(%fault, %code, "bots: could not read a match");
                        continue;
                    }
                };
                let Some(the_match) = standing else {
                    under_way.remove(&code);
                    continue;
                };
                let standing = Standing::of(&the_match);
                let begun = under_way.get(&code);
                if begun.is_some_and(|begun| begun.standing.is_as_good_as(standing)) {
                    continue;
                }
                number += 1;
                let wanted = CancelOnDrop::default();
                let unwanted = wanted.stop();
                let own = UnderWay {
                    standing,
                    number,
                    _wanted: wanted,
                };
                under_way.insert(code.clone(), own);
                replies.push(async move {
                    self.reply(the_match, unwanted).await;
                    (code, number)
                });
            }
            tokio::select! {
                () = &mut stop => return,
                () = self.calls.news.notified() => {}
                Some((code, number)) = replies.next() => {
                    if under_way.get(&code).is_some_and(|own| own.number == number) {
                        under_way.remove(&code);
                    }
                    // Another bot may be awaited, or the same again.
                    self.calls.add(code);
                }
            }
        }
    }

    /// Calls the bots of every match that may wait for one.
    fn call_bots(&self) -> Result<(), Fault> {
        for bot in Bot::all() {
            for code in self.repository().alive_of(&bot.player())? {
                self.calls.add(code);
            }
        }
        Ok(())
    }

    /// The match, if a bot is to move in it.
    fn awaits_bots(&self, code: &Code) -> Result<Option<Match>, Fault> {
        let found = self.repository().find(code)?;
        Ok(found.filter(|the_match| match &the_match.stage {
            Stage::Running(play) => !play.awaited_bots().is_empty(),
            Stage::Open(_) | Stage::Over(..) | Stage::CalledOff(_) => false,
        }))
    }

    /// Thinks out a reply and plays it. Whatever goes wrong, the match goes on: the next try takes whatever is legal.
    async fn reply(&self, the_match: Match, stop: Arc<AtomicBool>) {
        let code = the_match.code.clone();
        let mut how = How::Thinking;
        while !stop.load(Ordering::Relaxed) {
            match self.try_reply(the_match.clone().into(), how, &stop).await {
                // Played; or the match has gone on without it.
                Ok(()) | Err(Failure::Refused(Refusal::Stale { .. })) => return,
                // What was refused may be a secret.
                Err(Failure::Refused(_)) => tracing::error!(%code, "bots: the rules refused a bot's move"),
                Err(Failure::Broken(fault)) => {
                    tracing::error!(%fault, %code, "bots: could not play a bot's move");
                }
            }
            if how == How::AtOnce {
                tokio::time::sleep(PAUSE).await;
            }
            how = How::AtOnce;
        }
    }

    async fn try_reply(&self, the_match: Loaded, how: How, stop: &Arc<AtomicBool>) -> Result<(), Failure> {
        let play = running(&the_match)?;
        let (code, standing) = (the_match.code.clone(), Standing::of(&the_match));
        let moment = self.moment();
        let since = waiting_since(play, &moment);
        let pace = Pace::of(strongest(play), entry_of(&the_match.game)?.meta.information);
        let task = Task {
            people: self.people(the_match.people())?,
            entropy: self.shared_entropy(),
            moment,
            seed: self.chance()?,
            stop: Arc::clone(stop),
            the_match,
            how,
        };
        let composing = self
            .think_pool()
            .run(pace.length, pace.allowed, move |thinker, time| {
                task.compose(thinker, &time)
            });
        let broken_off = || Fault::new("thinking", "it broke off");
        let Some(decided) = composing.await.ok_or_else(broken_off)?? else {
            return Ok(());
        };
        let wait = pace
            .next_beat(since.unwrap_or(self.now()), self.now())
            .since(self.now());
        if wait > Span::ZERO {
            tokio::time::sleep(wait.into()).await;
        }
        let Some(first) = decided.first() else {
            return Ok(());
        };
        let caller = Caller {
            player: first.player.clone(),
            event: None,
        };
        self.change(&caller, self.find(&code)?.into(), |the_match, context| {
            play_reply(the_match, standing, &decided, context)
        })
        .await?;
        Ok(())
    }

    /// Chance for thinking; it has nothing to do with the match's own.
    pub(super) fn chance(&self) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.entropy().fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// How a reply is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Thinking,
    /// By taking the first thing that is legal, after thinking has failed.
    AtOnce,
}

/// Since when a bot is awaited.
fn waiting_since(play: &Play, moment: &Moment) -> Option<Time> {
    let since = play.awaited_bots().iter().filter_map(|seat| {
        let (clock, player) = (play.clocks.get(seat.index())?, play.players.get(seat.index())?);
        let since = moment
            .hours
            .on_the_wall(player.platform(), clock.running?, moment.now);
        Some(since)
    });
    since.min()
}

/// The level of the strongest bot at the table.
fn strongest(play: &Play) -> Level {
    let bots = play.bots();
    let levels = bots
        .iter()
        .filter_map(|seat| play.bot_in(seat))
        .map(|bot| bot.level);
    levels.max().unwrap_or(super::bot::USUAL_LEVEL)
}

/// All that a reply is thought out from.
struct Task {
    the_match: Loaded,
    people: BTreeMap<PlayerId, Person>,
    entropy: Arc<dyn Entropy>,
    moment: Moment,
    seed: u64,
    stop: Arc<AtomicBool>,
    how: How,
}

impl Task {
    /// How the time is shared. Only those who think as long as they may have to be told how long that is.
    fn time_budget(&self) -> Result<TimeBudget, Failure> {
        let play = running(&self.the_match)?;
        let table = self.the_match.table()?;
        let information = table.meta().information;
        let takes_time = |seat: Seat| {
            let bot = play.bot_in(seat);
            bot.is_some_and(|bot| Length::of(bot.level, information) != Length::Short)
        };
        let expected = match self.how {
            How::Thinking if play.bots().iter().any(takes_time) => {
                let is_bot = |seat: Seat| play.bot_in(seat).is_some();
                sketch(table, is_bot, takes_time, self.seed)
            }
            How::Thinking | How::AtOnce => 1,
        };
        Ok(TimeBudget::new(expected, information))
    }

    /// Decides for the bots until a person is to move. Nothing, if it is not wanted any more.
    fn compose(
        &self,
        thinker: &dyn Thinker,
        time: &think_pool::ThinkTime,
    ) -> Result<Option<Vec<Decided>>, Failure> {
        let context = Context {
            now: self.moment.now,
            hours: Arc::clone(&self.moment.hours),
            people: &self.people,
            entropy: self.entropy.as_ref(),
        };
        let mut time_budget = self.time_budget()?;
        let mut latest: Option<Loaded> = None;
        let mut decided: Vec<Decided> = Vec::new();
        while decided.len() < MOST_DECISIONS {
            let the_match = latest.as_ref().unwrap_or(&self.the_match);
            let Stage::Running(play) = &the_match.stage else {
                break;
            };
            let next = play.awaited_bots().iter().next();
            let Some((seat, bot)) = next.and_then(|seat| Some((seat, play.bot_in(seat)?))) else {
                break;
            };
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let table = the_match.table()?;
            let errand = Errand {
                level: bot.level,
                seed: self.seed.wrapping_add(decided.len() as u64),
                stop: &self.stop,
            };
            let thought = match self.how {
                How::Thinking => decide(thinker, table, seat, &errand, time, &time_budget),
                How::AtOnce => None,
            };
            if thought.as_ref().is_some_and(|thought| thought.simulations > 0) {
                time_budget.decided();
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let hope = thought
                .as_ref()
                .and_then(|thought| thought.chances)
                .map(hundredths);
            let action = thought
                .map(|thought| thought.action)
                .or_else(|| table.legal(seat).into_iter().next())
                .ok_or_else(|| Fault::new("thinking", "there is nothing to do"))?;
            let player = bot.player();
            let change = make_move(the_match, &player, &action, &context)?;
            latest = Some(Loaded::with_table(change.after, change.table));
            decided.push(Decided {
                player,
                seat,
                action,
                hope,
            });
        }
        Ok(Some(decided))
    }
}

/// One decision. A long one begins with a short look: whoever comes meanwhile is seen before all the time is spent.
fn decide(
    thinker: &dyn Thinker,
    table: &dyn Table,
    seat: Seat,
    errand: &Errand<'_>,
    time: &think_pool::ThinkTime,
    time_budget: &TimeBudget,
) -> Option<Thought<String>> {
    if time.is_over() {
        // Whoever is late plays what looks best at a glance: the beat is not to be missed.
        return table.act(seat, &Agent::GREEDY, errand.seed, errand.stop);
    }
    let portion = time_budget.portion(time.left());
    if portion < WORTH_A_LOOK {
        return thinker.think(table, seat, errand, portion);
    }
    let glimpse = thinker.think(table, seat, errand, LOOK)?;
    let portion = time_budget.portion(time.left());
    // Where there was nothing to search for, more time finds nothing either.
    if portion <= LOOK || glimpse.simulations <= 1 {
        return Some(glimpse);
    }
    thinker.think(table, seat, errand, portion)
}

fn hundredths(chances: f32) -> u8 {
    // In range by the clamp; what is no number becomes zero.
    (chances.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// Plays what was decided, all of it in one change, if the match stands where it stood.
fn play_reply(
    the_match: &Loaded,
    standing: Standing,
    decided: &[Decided],
    context: &Context<'_>,
) -> Decision {
    let stale = || Refusal::Stale {
        code: the_match.code.clone(),
    };
    let play = running(the_match).map_err(|_| stale())?;
    if !standing.is_as_good_as(Standing::of(the_match)) || play.paused.is_some() {
        return Err(stale().into());
    }
    let (mut log, mut deliveries) = (Vec::new(), Vec::new());
    let mut latest: Option<Loaded> = None;
    for one in decided {
        let before = latest.as_ref().unwrap_or(the_match);
        // By a private wish somebody may have come in between; the rest is then thought about again.
        let awaited = |play: &Play| play.awaited_bots().contains(one.seat);
        if latest.is_some() && !before.play().is_some_and(awaited) {
            break;
        }
        let mut change = make_move(before, &one.player, &one.action, context)?;
        if let (Stage::Running(play), Some(hope)) = (&mut change.after.stage, one.hope) {
            play.hopes.insert(one.seat.number(), hope);
        }
        log.append(&mut change.log);
        deliveries.append(&mut change.deliveries);
        latest = Some(Loaded::with_table(change.after, change.table));
    }
    let (after, table) = latest.ok_or_else(stale)?.into_parts();
    Ok(Change {
        table,
        log,
        deliveries,
        ..Change::new(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_hands_are_hidden_replies_come_on_a_beat() {
        let since = Time(1_000_000);
        for level in Level::ALL {
            let pace = Pace::of(level, Information::Hidden);
            let beat = pace.beat.unwrap();
            for thought in [0, 1, beat.0 / 2, beat.0 - 1, beat.0] {
                assert_eq!(pace.next_beat(since, since + Span(thought)), since + beat);
            }
            assert_eq!(
                pace.next_beat(since, since + Span(beat.0 + 1)),
                since + beat + beat
            );
            assert!(
                pace.allowed < Duration::from(beat),
                "what is thought out in time is on the first beat"
            );
        }
    }

    #[test]
    fn where_nothing_is_hidden_nobody_waits() {
        for level in Level::ALL {
            let pace = Pace::of(level, Information::Perfect);
            assert_eq!(pace.next_beat(Time(5), Time(9)), Time(9));
        }
    }
}
