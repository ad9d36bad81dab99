//! The one way to change a match.
//!
//! A command takes the match's lock, reads the match, lets a pure function decide, and writes what was
//! decided in one batch: log, match, indexes, deliveries. Only when that is on disk does the answer
//! leave.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedMutexGuard};

use super::attend;
use super::bot::Bot;
use super::bots::Calls;
use super::change::{Change, Context, Decision, begun, table_of};
use super::code::Code;
use super::consent::{self, rebuild};
use super::delivery::{Delivery, To};
use super::gather::{self, Rematch, Wishes};
use super::home;
use super::lists::{ListRefusal, Lists};
use super::lock::Locks;
use super::mind::{Mind, Search, Thinker};
use super::moves;
use super::people::{Person, PlayerId, RoomId, Settings};
use super::port::{Batch, Clock, Entropy, Fault, Space, Store};
use super::refusal::{Failure, Refusal};
use super::shelf::{self, Shelf};
use super::stand_in;
use super::state::{LogEntry, MOST_MATCHES, Match, Phase, Seating, Wish};
use super::time::Time;
use crate::ai::Level;
use crate::catalog::Table;

/// Who asks for something, and by which event of their platform.
#[derive(Clone, Debug)]
pub struct Caller {
    pub player: PlayerId,
    /// The platform's own name for the event, if it has one: the same event is not handled twice.
    pub event: Option<String>,
}

/// Which match is meant, and the version that the caller saw, if they saw one.
#[derive(Clone, Debug)]
pub struct Target {
    pub code: Code,
    pub version: Option<u64>,
}

impl Target {
    /// The same match at whatever version.
    fn unversioned(&self) -> Self {
        Self {
            code: self.code.clone(),
            version: None,
        }
    }
}

/// The matches of this bot.
pub struct Service {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    matches: Locks,
    pub(super) players: Locks,
    rematches: Locks,
    next_delivery: AtomicU64,
    /// Something is waiting in the outbox.
    pub outbox: Arc<Notify>,
    /// Places that could not be reached and now can.
    reachable: Mutex<Vec<To>>,
    /// A match may need attention earlier than was thought.
    rescheduled: Arc<Notify>,
    /// Matches in which a bot may have to move.
    pub(super) calls: Arc<Calls>,
    mind: Mind,
}

/// The locks under which something is decided. They are held until what was decided is on disk, even if
/// whoever asked has hung up by then: nobody else may decide on what is no longer so.
pub(super) type Held = Vec<OwnedMutexGuard<()>>;

/// Who is to be woken when a batch is on disk.
#[derive(Clone, Default)]
pub(super) struct Wakes {
    outbox: bool,
    clocks: bool,
    /// The bots of this match.
    bots: Option<Code>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Service")
    }
}

/// Where the last number of a delivery is kept.
const DELIVERY_NUMBER: &[u8] = b"delivery";

/// How far numbers jump at a start, past any that were given out but not noted down.
const NUMBER_GAP: u64 = 1 << 16;

impl Service {
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, Fault> {
        let number = |bytes: &[u8]| bytes.try_into().map(u64::from_be_bytes).unwrap_or_default();
        let noted = store.get(Space::Meta, DELIVERY_NUMBER)?;
        let noted = noted.map_or(0, |bytes| number(&bytes));
        Ok(Self {
            store,
            clock,
            entropy,
            matches: Locks::default(),
            players: Locks::default(),
            rematches: Locks::default(),
            next_delivery: AtomicU64::new(noted + NUMBER_GAP),
            outbox: Arc::default(),
            reachable: Mutex::default(),
            rescheduled: Arc::default(),
            calls: Arc::default(),
            mind: Mind::new(Arc::new(Search)),
        })
    }

    /// Lets somebody else think for the bots.
    #[must_use]
    pub fn with_thinker(mut self, thinker: Arc<dyn Thinker>) -> Self {
        self.mind = Mind::new(thinker);
        self
    }

    pub(super) fn mind(&self) -> &Mind {
        &self.mind
    }

    pub fn now(&self) -> Time {
        self.clock.now()
    }

    pub fn shelf(&self) -> Shelf<'_> {
        Shelf(self.store.as_ref())
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub fn entropy(&self) -> &dyn Entropy {
        self.entropy.as_ref()
    }

    pub(super) fn shared_entropy(&self) -> Arc<dyn Entropy> {
        Arc::clone(&self.entropy)
    }

    /// The match of this code.
    pub fn find(&self, code: &Code) -> Result<Match, Failure> {
        self.shelf()
            .find(code)?
            .ok_or_else(|| Refusal::NoSuchMatch(code.clone()).into())
    }

    /// The table as it was after so many entries of the log.
    pub fn table_at(&self, the_match: &Match, entries: u32) -> Result<Box<dyn Table>, Failure> {
        let play = begun(the_match)?;
        if entries >= play.entries {
            return Ok(table_of(the_match, play)?);
        }
        let log = self.shelf().log(&the_match.code, entries)?;
        rebuild(the_match, play, &log, u32::MAX)
    }

    pub fn person(&self, player: &PlayerId) -> Result<Person, Fault> {
        if let Some(bot) = Bot::of(player) {
            return Ok(bot.person());
        }
        let name = player.parts().1;
        Ok(self
            .shelf()
            .person(player)?
            .unwrap_or_else(|| Person::called(name)))
    }

    /// Notes what a player is called now.
    pub async fn meet(&self, player: &PlayerId, name: &str) -> Result<(), Fault> {
        let called = Person::called(name).name;
        let known = self.shelf().person(player)?;
        if called.is_empty() || known.is_some_and(|person| person.name == called) {
            return Ok(());
        }
        self.change_person(player, |person| person.name = called).await?;
        Ok(())
    }

    /// Changes a player's settings; returns them as they are then.
    pub async fn set(
        &self,
        player: &PlayerId,
        change: impl FnOnce(&mut Settings),
    ) -> Result<Settings, Fault> {
        let person = self
            .change_person(player, |person| change(&mut person.settings))
            .await?;
        Ok(person.settings)
    }

    async fn change_person(
        &self,
        player: &PlayerId,
        change: impl FnOnce(&mut Person),
    ) -> Result<Person, Fault> {
        let held = vec![self.players.lock(player.as_str()).await];
        let mut person = self.person(player)?;
        change(&mut person);
        let mut batch = Batch::new();
        shelf::put_person(&mut batch, player, &person)?;
        self.commit(held, batch, Wakes::default()).await?;
        Ok(person)
    }

    /// The lists that a player has built for a game.
    pub fn lists(&self, player: &PlayerId, game: &str) -> Result<Lists, Fault> {
        self.shelf().lists(player, game)
    }

    /// Changes a player's lists, unless the change is refused; returns what came of it and the lists as they are then.
    pub async fn change_lists<T>(
        &self,
        player: &PlayerId,
        game: &str,
        change: impl FnOnce(&mut Lists) -> Result<T, ListRefusal>,
    ) -> Result<(T, Lists), Failure> {
        let held = vec![self.players.lock(player.as_str()).await];
        let mut lists = self.lists(player, game)?;
        let done = change(&mut lists).map_err(Refusal::List)?;
        let mut batch = Batch::new();
        shelf::put_lists(&mut batch, player, game, &lists)?;
        self.commit(held, batch, Wakes::default()).await?;
        Ok((done, lists))
    }

    /// Writes a batch and gives the locks back when it is on disk. It is written to the end even if the
    /// caller is dropped meanwhile.
    pub(super) async fn commit(&self, held: Held, batch: Batch, wakes: Wakes) -> Result<Held, Fault> {
        let store = Arc::clone(&self.store);
        let (outbox, clocks) = (Arc::clone(&self.outbox), Arc::clone(&self.rescheduled));
        let calls = Arc::clone(&self.calls);
        let saving = tokio::spawn(async move {
            store.commit(batch).await?;
            if wakes.outbox {
                outbox.notify_one();
            }
            if wakes.clocks {
                clocks.notify_one();
            }
            if let Some(code) = wakes.bots {
                calls.add(code);
            }
            Ok(held)
        });
        saving
            .await
            .map_err(|error| Fault::new("waiting for the store", error))?
    }

    /// Opens a table in a room.
    pub async fn open(&self, caller: &Caller, room: &RoomId, wishes: &Wishes) -> Result<Match, Failure> {
        let mut held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_fresh(caller)?;
        self.check_limit(&caller.player, None)?;
        let (code, guard) = self.free_code().await?;
        held.push(guard);
        let people = self.people(std::iter::once(&caller.player).chain(&wishes.challenged))?;
        let change = gather::open(&caller.player, room.clone(), wishes, code, &self.context(&people))?;
        let (opened, _) = self.write(held, None, change, Some(caller)).await?;
        Ok(opened)
    }

    /// Takes a seat; `room` becomes a home room of the match. Whoever sits at it already brings it to `room`.
    pub async fn join(
        &self,
        caller: &Caller,
        target: &Target,
        room: Option<&RoomId>,
    ) -> Result<Match, Failure> {
        let held = vec![self.players.lock(caller.player.as_str()).await];
        self.check_limit(&caller.player, Some(&target.code))?;
        self.change_holding(held, caller, target, |the_match, context| {
            match (&the_match.phase, room) {
                (Phase::Running(_), Some(room)) => home::bring(the_match, &caller.player, room),
                _ => gather::join(the_match, &caller.player, room, context),
            }
        })
        .await
    }

    /// Takes a room that is gone, or in which we may not speak, from the homes of a match.
    pub async fn lose_room(&self, code: &Code, room: &RoomId) -> Result<(), Failure> {
        let held = vec![self.matches.lock(code.as_str()).await];
        if let Some(the_match) = self.shelf().find(code)?
            && let Some(change) = home::lose(&the_match, room)
        {
            self.write(held, Some(&the_match), change, None).await?;
        }
        Ok(())
    }

    /// Shows a match that has no home left on a player's platform where that player is.
    pub async fn settle_in(&self, code: &Code, player: &PlayerId, room: &RoomId) -> Result<(), Failure> {
        let held = vec![self.matches.lock(code.as_str()).await];
        if let Some(the_match) = self.shelf().find(code)?
            && let Some(change) = home::settle_in(&the_match, player, room)
        {
            self.write(held, Some(&the_match), change, None).await?;
        }
        Ok(())
    }

    /// Lets bots take every free seat.
    pub async fn fill(&self, caller: &Caller, target: &Target, level: Level) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            gather::fill(the_match, &caller.player, level, context)
        })
        .await
    }

    pub async fn decline(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        let whole = target.unversioned();
        self.change(caller, &whole, |the_match, _| match &the_match.phase {
            Phase::Running(_) => consent::turn_down(the_match, &caller.player, target.version),
            Phase::Open(_) | Phase::Over(..) | Phase::CalledOff(_) => {
                gather::decline(the_match, &caller.player)
            }
        })
        .await
    }

    pub async fn cancel(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, _| {
            gather::cancel(the_match, &caller.player)
        })
        .await
    }

    /// Plays a sentence.
    pub async fn play(&self, caller: &Caller, target: &Target, sentence: &str) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            moves::make_move(the_match, &caller.player, sentence, context)
        })
        .await
    }

    pub async fn resign(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            moves::resign(the_match, &caller.player, context)
        })
        .await
    }

    pub async fn abort(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            let log = self.log_of(the_match)?;
            attend::abort(the_match, &caller.player, &log, context)
        })
        .await
    }

    pub async fn claim(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            attend::claim(the_match, &caller.player, context)
        })
        .await
    }

    /// Proposes something or agrees to it. A takeback needs no position: it is the caller's last move.
    pub async fn propose(&self, caller: &Caller, target: &Target, wish: Proposed) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            let log = self.log_of(the_match)?;
            let wish = match wish {
                Proposed::Takeback => match standing_takeback(the_match) {
                    Some(standing) => standing,
                    None => consent::takeback_target(the_match, &caller.player, &log)?,
                },
                Proposed::StandIn(level) => stand_in::for_oneself(the_match, &caller.player, level)?,
                Proposed::Replacement(level) => stand_in::for_leaver(the_match, &log, level)?,
                Proposed::Other(wish) => wish,
            };
            consent::propose(the_match, &caller.player, wish, &log, context)
        })
        .await
    }

    /// Agrees to what somebody else has proposed. The target's version names the proposal that it made.
    pub async fn agree(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        let whole = target.unversioned();
        self.change(caller, &whole, |the_match, context| {
            let log = self.log_of(the_match)?;
            consent::agree(the_match, &caller.player, target.version, &log, context)
        })
        .await
    }

    pub async fn resume(&self, caller: &Caller, target: &Target) -> Result<Match, Failure> {
        self.change(caller, target, |the_match, context| {
            consent::resume(the_match, &caller.player, context)
        })
        .await
    }

    /// Offers the same players the same game with seats swapped.
    pub async fn rematch(
        &self,
        caller: &Caller,
        code: &Code,
        room: Option<&RoomId>,
    ) -> Result<Match, Failure> {
        // Two players who press the button at once are to meet at one table.
        let _one_at_a_time = self.rematches.lock(code.as_str()).await;
        let old = self.find(code)?;
        let play = begun(&old)?;
        if matches!(old.phase, Phase::Running(_)) {
            return Err(Refusal::StillRuns(code.clone()).into());
        }
        if play.seats_of(&caller.player).is_empty() {
            return Err(Refusal::NotYourMatch(code.clone()).into());
        }
        if let Some(standing) = self.standing_rematch(&caller.player, code)? {
            if standing.seats(&caller.player) {
                self.check_fresh(caller)?;
                return Err(Refusal::RematchStands(standing.code).into());
            }
            let target = Target {
                code: standing.code,
                version: None,
            };
            return self.join(caller, &target, room).await;
        }
        let mut order = play.players.clone();
        order.rotate_left(1);
        let mut others = order.clone();
        if let Some(own) = others.iter().position(|player| player == &caller.player) {
            others.remove(own);
        }
        let wishes = Wishes {
            game: old.game.clone(),
            seats: None,
            challenged: others,
            options: old.options.clone().into_iter().collect(),
            clock: old.clock,
            seating: Seating::AsChallenged,
            rematch: Some(Rematch {
                of: code.clone(),
                order,
                rooms: old.rooms.clone(),
            }),
        };
        let home = room.or_else(|| old.rooms.first());
        let Some(home) = home else {
            return Err(Refusal::NoMatchHere.into());
        };
        self.open(caller, home, &wishes).await
    }

    /// The rematch of a match that is on offer or being played.
    fn standing_rematch(&self, player: &PlayerId, old: &Code) -> Result<Option<Match>, Fault> {
        for code in self.shelf().alive_of(player)? {
            let found = self.shelf().find(&code)?;
            if let Some(the_match) = found.filter(|found| found.rematch_of.as_ref() == Some(old)) {
                return Ok(Some(the_match));
            }
        }
        Ok(None)
    }

    /// Changes a match by a decision made under its lock.
    pub(super) async fn change(
        &self,
        caller: &Caller,
        target: &Target,
        decide: impl FnOnce(&Match, &Context<'_>) -> Decision,
    ) -> Result<Match, Failure> {
        self.change_holding(Held::new(), caller, target, decide).await
    }

    /// The same, under locks that are held already.
    async fn change_holding(
        &self,
        mut held: Held,
        caller: &Caller,
        target: &Target,
        decide: impl FnOnce(&Match, &Context<'_>) -> Decision,
    ) -> Result<Match, Failure> {
        held.push(self.matches.lock(target.code.as_str()).await);
        self.check_fresh(caller)?;
        let (before, held) = self.attend_locked(held, self.find(&target.code)?).await?;
        if target.version.is_some_and(|version| version != before.version) {
            return Err(Refusal::Stale {
                code: target.code.clone(),
            }
            .into());
        }
        let people = self.people(before.people().into_iter().chain([&caller.player]))?;
        let change = decide(&before, &self.context(&people))?;
        let (after, _) = self.write(held, Some(&before), change, Some(caller)).await?;
        Ok(after)
    }

    /// Does first what time has already decided: a move that comes after the deadline is too late, even
    /// if nobody has noticed yet.
    async fn attend_locked(&self, mut held: Held, mut the_match: Match) -> Result<(Match, Held), Failure> {
        while the_match.wakes().is_some_and(|wake| wake <= self.now()) {
            let people = self.people(the_match.people())?;
            let Some(change) = attend::attend(&the_match, &self.context(&people))? else {
                break;
            };
            (the_match, held) = self.write(held, Some(&the_match), change, None).await?;
        }
        Ok((the_match, held))
    }

    async fn write(
        &self,
        held: Held,
        before: Option<&Match>,
        change: Change,
        caller: Option<&Caller>,
    ) -> Result<(Match, Held), Failure> {
        let now = self.now();
        let mut batch = Batch::new();
        let after = change.after;
        shelf::put_match(&mut batch, before, &after)?;
        let first = before.and_then(Match::play).map_or(0, |play| play.entries);
        for (number, entry) in (first..).zip(&change.log) {
            shelf::put_log(&mut batch, &after.code, number, entry)?;
        }
        let wakes = Wakes {
            outbox: !change.deliveries.is_empty(),
            clocks: after.wakes() != before.and_then(Match::wakes),
            bots: after.has_bots().then(|| after.code.clone()),
        };
        for (to, notice) in change.deliveries {
            let number = self.next_delivery.fetch_add(1, Ordering::Relaxed);
            let delivery = Delivery {
                key: format!("{}-{number}", after.code),
                to,
                at: now,
                code: after.code.clone(),
                version: after.version,
                game: after.game.clone(),
                notice,
            };
            shelf::put_delivery(&mut batch, number, &delivery)?;
            batch.put(Space::Meta, DELIVERY_NUMBER, number.to_be_bytes());
        }
        if let Some(caller) = caller
            && let Some(event) = &caller.event
        {
            shelf::put_handled(&mut batch, &caller.player, event, now);
        }
        let held = self.commit(held, batch, wakes).await?;
        Ok((after, held))
    }

    /// Looks after every match whose time has come, up to the moment that is returned. A match that can't
    /// be looked after holds up no other; it is tried again the next time.
    pub async fn attend_due(&self) -> Result<Time, Fault> {
        let now = self.now();
        for code in self.shelf().due(now)? {
            if let Err(failure) = self.attend(&code).await {
                tracing::error!(%code, ?failure, "a match can't be looked after");
            }
        }
        Ok(now)
    }

    async fn attend(&self, code: &Code) -> Result<(), Failure> {
        let held = vec![self.matches.lock(code.as_str()).await];
        if let Some(the_match) = self.shelf().find(code)? {
            self.attend_locked(held, the_match).await?;
        }
        Ok(())
    }

    /// Forgets events of the platforms that are too old to come again. How many there were.
    pub async fn forget_events(&self) -> Result<usize, Fault> {
        const AT_ONCE: usize = 1000;
        let moment = self.now() - shelf::HANDLED_FOR;
        let old = self.shelf().handled_before(moment, AT_ONCE)?;
        if old.is_empty() {
            return Ok(0);
        }
        let mut batch = Batch::new();
        for key in old.iter().flatten() {
            batch.delete(Space::Handled, key.clone());
        }
        self.store.commit(batch).await?;
        Ok(old.len())
    }

    /// Keeps the clocks until `stop` is ready.
    pub async fn keep_clocks(&self, stop: impl Future<Output = ()>) {
        /// The machine's clock may be set while we sleep, so never for long.
        const LONGEST: Duration = Duration::from_secs(20);
        let mut stop = std::pin::pin!(stop);
        loop {
            let attended = self.attend_due().await;
            let pause = match attended.and_then(|until| self.shelf().next_wake(until)) {
                Ok(None) => LONGEST,
                Ok(Some(wake)) => LONGEST.min(wake.since(self.now()).into()),
                Err(fault) => {
                    tracing::error!(%fault, "the clocks can't be kept");
                    Duration::from_secs(5)
                }
            };
            if let Err(fault) = self.forget_events().await {
                tracing::error!(%fault, "old events can't be forgotten");
            }
            tokio::select! {
                () = &mut stop => return,
                () = self.rescheduled.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Says that a place can be reached now: what waits for it is tried at once.
    pub fn reachable(&self, place: &To) {
        let mut places = self.reachable.lock().unwrap_or_else(PoisonError::into_inner);
        places.push(place.clone());
        drop(places);
        self.outbox.notify_one();
    }

    /// The places of which that has been said since this was last asked.
    pub fn take_reachable(&self) -> Vec<To> {
        std::mem::take(&mut self.reachable.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Forgets a delivery that is done.
    pub async fn delivered(&self, key: &[u8]) -> Result<(), Fault> {
        let mut batch = Batch::new();
        batch.delete(Space::Outbox, key);
        self.store.commit(batch).await
    }

    pub(super) fn context<'a>(&'a self, people: &'a BTreeMap<PlayerId, Person>) -> Context<'a> {
        Context {
            now: self.now(),
            people,
            entropy: self.entropy.as_ref(),
        }
    }

    pub(super) fn people<'p>(
        &self,
        players: impl IntoIterator<Item = &'p PlayerId>,
    ) -> Result<BTreeMap<PlayerId, Person>, Fault> {
        players
            .into_iter()
            .map(|player| Ok((player.clone(), self.person(player)?)))
            .collect()
    }

    /// The whole log of a match.
    pub fn log_of(&self, the_match: &Match) -> Result<Vec<LogEntry>, Fault> {
        self.shelf()
            .log(&the_match.code, the_match.play().map_or(0, |play| play.entries))
    }

    fn check_fresh(&self, caller: &Caller) -> Result<(), Failure> {
        match &caller.event {
            Some(event) if self.shelf().was_handled(&caller.player, event)? => {
                Err(Refusal::AlreadyHandled.into())
            }
            _ => Ok(()),
        }
    }

    /// Whether a player may sit down at one more table. Invitations don't count: anybody can send them.
    fn check_limit(&self, player: &PlayerId, except: Option<&Code>) -> Result<(), Failure> {
        let mut seated = 0;
        for code in self.shelf().alive_of(player)? {
            let sits = |the_match: Match| the_match.is_alive() && the_match.seats(player);
            if Some(&code) != except && self.shelf().find(&code)?.is_some_and(sits) {
                seated += 1;
            }
        }
        if seated >= MOST_MATCHES {
            return Err(Refusal::TooManyMatches { most: MOST_MATCHES }.into());
        }
        Ok(())
    }

    /// A code that no match has or ever had, with its lock: two tables that are opened at once must not
    /// both find it free.
    async fn free_code(&self) -> Result<(Code, OwnedMutexGuard<()>), Fault> {
        for attempt in 0..64 {
            let code = Code::random(self.entropy.as_ref(), 4 + attempt / 8)?;
            let guard = self.matches.lock(code.as_str()).await;
            if self.shelf().find(&code)?.is_none() {
                return Ok((code, guard));
            }
        }
        Err(Fault::new("looking for a free table code", "none was found"))
    }
}

/// What a player proposes.
#[derive(Clone, Copy, Debug)]
pub enum Proposed {
    Takeback,
    /// That a bot plays on for whoever proposes it.
    StandIn(Level),
    /// That a bot plays on for whoever has left last.
    Replacement(Level),
    Other(Wish),
}

fn standing_takeback(the_match: &Match) -> Option<Wish> {
    let Phase::Running(play) = &the_match.phase else {
        return None;
    };
    play.proposals
        .iter()
        .map(|proposal| proposal.what)
        .find(|wish| matches!(wish, Wish::Takeback { .. }))
}
