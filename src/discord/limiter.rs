//! How fast we may ask: one pace for everything that Discord counts together, and a bucket for each route.
//!
//! Discord takes 50 requests a second of a bot. Answers to interactions don't count. All else is let through a little
//! slower than that, the most urgent first. Nobody waits for ever: every eighth goes to whoever has waited longest.
//!
//! On their way requests may bunch up, so when they are sent tells little of when Discord counts them. But one that is
//! answered was counted before, and the next one arrives no sooner than the quickest of late. So a place is free again a
//! second after its request was answered, less the shortest time that any took there and back: no second of Discord's
//! has more than there are places, and however far away Discord is, the pace is the same as long as it answers within a
//! second.
//!
//! How much a route takes is known only from its last answer. Into a bucket of which nothing is known, one goes ahead, and
//! the others wait for what it is told. Whoever waits for a bucket stands in a line of its own, and is in nobody's way elsewhere.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serenity::http::{LightMethod, RatelimitingBucket};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

/// What goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// The answer to somebody who waits for it. Discord counts it apart.
    #[default]
    Answer,
    /// A turn that has passed to somebody.
    Turn,
    /// Whatever else a room is told.
    News,
    /// What one player alone is told.
    Private,
    /// Old buttons.
    Tidying,
}

/// How many kinds of urgency there are.
const URGENCIES: usize = 5;

/// How many may pass at once after a silence, and the time between two from then on.
const BURST: u32 = 3;
const APART: Duration = Duration::from_micros(22_000);

/// How many may be under way, or may have been counted within the last second.
const PLACES: usize = 48;
const SECOND: Duration = Duration::from_secs(1);

/// For how long at least the quickest answer is remembered.
const LATELY: Duration = Duration::from_secs(10);

/// How often we look whether one has been answered while all are under way.
const LOOK: Duration = Duration::from_millis(10);

/// So often whoever has waited longest goes first.
const LONGEST_FIRST: u64 = 8;

/// Discord's clock and ours differ a little.
const MARGIN: Duration = Duration::from_millis(20);

/// As many buckets are remembered before those of which nothing is known any more are thrown out.
const BUCKETS: usize = 1000;

/// How long one waits for a bucket to be whole again; whoever would have to wait longer is told how long.
const BUCKET_PATIENCE: Duration = Duration::from_secs(15);

/// As many wait in line for one bucket; whoever comes then is to come again.
const LONGEST_LINE: usize = 50;
const COME_AGAIN: Duration = Duration::from_secs(10);

/// For so long a bucket is without a limit of which Discord says nothing.
const SAYS_NOTHING: Duration = Duration::from_secs(60);

/// Discord's windows are longer than this: two that end within it are one.
const SAME_WINDOW: Duration = Duration::from_millis(500);

/// Old buttons leave so much of a bucket to whatever else comes.
const LEFT_BY_TIDYING: u32 = 1;

/// Those who wait, each for something to be handed to them.
struct Line<T> {
    waiting: [VecDeque<(u64, oneshot::Sender<T>)>; URGENCIES],
    arrived: u64,
    served: u64,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self {
            waiting: std::array::from_fn(|_| VecDeque::new()),
            arrived: 0,
            served: 0,
        }
    }
}

impl<T> Line<T> {
    fn join(&mut self, urgency: Urgency) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        self.arrived += 1;
        if let Some(queue) = self.waiting.get_mut(urgency as usize) {
            queue.push_back((self.arrived, sender));
        }
        receiver
    }

    fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    fn len(&self) -> usize {
        self.waiting.iter().map(VecDeque::len).sum()
    }

    /// Whose turn it is, among those who still wait.
    fn next(&mut self) -> Option<oneshot::Sender<T>> {
        for queue in &mut self.waiting {
            queue.retain(|(_, sender)| !sender.is_closed());
        }
        self.served += 1;
        let mut queues = self.waiting.iter_mut().filter(|queue| !queue.is_empty());
        let queue = if self.served.is_multiple_of(LONGEST_FIRST) {
            queues.min_by_key(|queue| queue.front().map(|(arrived, _)| *arrived))
        } else {
            queues.next()
        };
        queue?.pop_front().map(|(_, sender)| sender)
    }
}

/// The pace of everything that Discord counts together.
#[derive(Default)]
pub struct RequestPace(Arc<Mutex<PaceState>>);

#[derive(Default)]
struct PaceState {
    line: Line<Pass>,
    /// How many are under way.
    under_way: usize,
    /// When the places of those that were answered are free again, the first one first.
    answered: VecDeque<Instant>,
    shortest: ShortestTrip,
    /// When the burst would be whole again.
    rested: Option<Instant>,
    /// Discord wants to hear nothing until then.
    shut: Option<Instant>,
    /// Whether somebody lets those in the line through.
    attended: bool,
}

impl PaceState {
    /// When the next may pass.
    fn next_pass(&mut self, now: Instant) -> Instant {
        while self.answered.front().is_some_and(|free| *free <= now) {
            self.answered.pop_front();
        }
        let rested = self.rested.unwrap_or(now).max(now);
        let soonest = rested.checked_sub(APART * (BURST - 1)).unwrap_or(now);
        let free = if self.under_way + self.answered.len() < PLACES {
            now
        } else {
            self.answered.front().copied().unwrap_or(now + LOOK)
        };
        soonest.max(free).max(self.shut.unwrap_or(now)).max(now)
    }
}

/// The shortest time that a request took of late, there and back.
#[derive(Clone, Copy, Debug, Default)]
struct ShortestTrip {
    /// Since when `latest` is counted.
    since: Option<Instant>,
    latest: Option<Duration>,
    /// The shortest in the time before.
    before: Option<Duration>,
}

impl ShortestTrip {
    /// Notes one that has just ended; the shortest of late.
    fn note(&mut self, took: Duration, now: Instant) -> Duration {
        if self.since.is_none_or(|since| since + LATELY <= now) {
            *self = Self {
                since: Some(now),
                latest: None,
                before: self.latest,
            };
        }
        let latest = self.latest.map_or(took, |latest| latest.min(took));
        self.latest = Some(latest);
        self.before.map_or(latest, |before| before.min(latest))
    }
}

/// Held while a request is under way.
#[must_use]
pub struct Pass {
    pace: Arc<Mutex<PaceState>>,
    since: Instant,
    trip: Trip,
}

/// What is known of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trip {
    /// It may have arrived or not, at any moment until now.
    Unknown,
    Answered,
}

impl Pass {
    /// The answer is there.
    pub fn answered(mut self) {
        self.trip = Trip::Answered;
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut state = lock(&self.pace);
        state.under_way = state.under_way.saturating_sub(1);
        let surely_apart = match self.trip {
            Trip::Unknown => Duration::ZERO,
            Trip::Answered => state.shortest.note(now - self.since, now),
        };
        let free = now + SECOND.saturating_sub(surely_apart);
        let at = state.answered.partition_point(|other| *other <= free);
        state.answered.insert(at, free);
    }
}

/// Lets everybody through who may pass now. When the next may, if somebody still waits; otherwise the line is attended no
/// longer.
fn let_through(pace: &Arc<Mutex<PaceState>>) -> Option<Instant> {
    loop {
        let (waiting, since) = {
            let mut state = lock(pace);
            let now = Instant::now();
            if state.line.is_empty() {
                state.attended = false;
                return None;
            }
            let next = state.next_pass(now);
            if next > now {
                return Some(next);
            }
            let Some(waiting) = state.line.next() else {
                state.attended = false;
                return None;
            };
            state.rested = Some(state.rested.unwrap_or(now).max(now) + APART);
            state.under_way += 1;
            (waiting, now)
        };
        // Whoever went away at this very moment gives it back, outside the lock.
        let _ = waiting.send(Pass {
            pace: Arc::clone(pace),
            since,
            trip: Trip::Unknown,
        });
    }
}

impl RequestPace {
    /// Waits until a request may be made. What it gives back is held until the request is answered; none if nobody attends
    /// the line any more, and then nobody has to wait.
    pub async fn pass(&self, urgency: Urgency) -> Option<Pass> {
        let (passed, attended) = {
            let mut state = lock(&self.0);
            let passed = state.line.join(urgency);
            (passed, std::mem::replace(&mut state.attended, true))
        };
        if !attended && let Some(next) = let_through(&self.0) {
            tokio::spawn(let_all_through(Arc::clone(&self.0), next));
        }
        passed.await.ok()
    }

    /// Discord wants to hear nothing for a while.
    pub fn shut(&self, wait: Duration) {
        let until = Instant::now() + wait + MARGIN;
        let mut state = lock(&self.0);
        state.shut = Some(state.shut.map_or(until, |shut| shut.max(until)));
    }
}

/// Lets those in the line through until nobody waits.
async fn let_all_through(pace: Arc<Mutex<PaceState>>, first: Instant) {
    let mut next = first;
    loop {
        tokio::time::sleep_until(next).await;
        match let_through(&pace) {
            Some(later) => next = later,
            None => return,
        }
    }
}

/// Places for drawing, which keeps processors busy; the most urgent work gets the next free one.
pub struct DrawingPlaces(Arc<Mutex<PlacesState>>);

struct PlacesState {
    free: usize,
    line: Line<DrawingPlace>,
}

/// Held while something is drawn.
pub struct DrawingPlace(Arc<Mutex<PlacesState>>);

impl DrawingPlaces {
    pub fn new(count: usize) -> Self {
        let line = Line::default();
        Self(Arc::new(Mutex::new(PlacesState { free: count, line })))
    }

    pub async fn take(&self, urgency: Urgency) -> Option<DrawingPlace> {
        let waiting = {
            let mut state = lock(&self.0);
            if state.free > 0 {
                state.free -= 1;
                return Some(DrawingPlace(Arc::clone(&self.0)));
            }
            state.line.join(urgency)
        };
        waiting.await.ok()
    }
}

impl Drop for DrawingPlace {
    fn drop(&mut self) {
        let next = {
            let mut state = lock(&self.0);
            let next = state.line.next();
            if next.is_none() {
                state.free += 1;
            }
            next
        };
        if let Some(next) = next {
            // If they went away at this very moment, it comes back and is handed on.
            let _ = next.send(Self(Arc::clone(&self.0)));
        }
    }
}

/// What Discord counts together, of one route.
pub type BucketKey = (LightMethod, RatelimitingBucket);

/// How much each route takes, as Discord told with its last answer.
#[derive(Default)]
pub struct Buckets(BucketMap);

type BucketMap = Arc<Mutex<HashMap<BucketKey, Bucket>>>;

#[derive(Default)]
struct Bucket {
    standing: BucketStanding,
    line: Line<BucketPass>,
    /// Rings for those in the line when more is known.
    news: Arc<Notify>,
}

/// What is known of a bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BucketStanding {
    /// Nothing, or nothing any more.
    #[default]
    Unknown,
    /// One has gone ahead; what it is told will be known.
    Scouted,
    Known {
        /// How much it takes before it is whole again; none if there is no limit.
        left: Option<u32>,
        whole: Instant,
    },
}

/// When a bucket takes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Now,
    /// Not before then.
    At(Instant),
    /// When whoever has gone ahead is back.
    AfterScout,
}

impl Bucket {
    fn opening(&mut self, now: Instant) -> Opening {
        match self.standing {
            BucketStanding::Known { whole, .. } if whole <= now => {
                self.standing = BucketStanding::Unknown;
                Opening::Now
            }
            BucketStanding::Known { left: Some(0), whole } => Opening::At(whole),
            BucketStanding::Unknown | BucketStanding::Known { .. } => Opening::Now,
            BucketStanding::Scouted => Opening::AfterScout,
        }
    }

    /// Counts one that goes in.
    fn take(&mut self) -> BucketRole {
        match &mut self.standing {
            BucketStanding::Unknown | BucketStanding::Scouted => {
                self.standing = BucketStanding::Scouted;
                BucketRole::Scout
            }
            BucketStanding::Known { left, .. } => {
                *left = left.map(|left| left.saturating_sub(1));
                BucketRole::Follower
            }
        }
    }

    /// The same for old buttons, which wait for nothing, and for which nobody waits: how long until they may come again, if
    /// there is no room for them.
    fn take_tidying(&mut self, now: Instant) -> Result<(), Duration> {
        let opening = self.opening(now);
        if !self.line.is_empty() {
            return Err(SECOND);
        }
        match (opening, &mut self.standing) {
            (
                Opening::Now,
                BucketStanding::Known {
                    left: Some(left),
                    whole,
                },
            ) => {
                if *left <= LEFT_BY_TIDYING {
                    return Err(*whole - now);
                }
                *left -= 1;
                Ok(())
            }
            (Opening::Now, _) => Ok(()),
            (Opening::At(whole), _) => Err(whole - now),
            (Opening::AfterScout, _) => Err(SECOND),
        }
    }

    /// Discord told how it stands.
    fn note(&mut self, left: Option<u32>, whole: Instant, now: Instant) {
        let left = match self.standing {
            // Of what is still under way Discord did not know yet.
            BucketStanding::Known {
                left: Some(known),
                whole: before,
            } if before > now && whole < before + SAME_WINDOW => {
                Some(left.map_or(known, |left| left.min(known)))
            }
            BucketStanding::Known { .. } | BucketStanding::Scouted | BucketStanding::Unknown => left,
        };
        self.standing = BucketStanding::Known { left, whole };
    }

    /// Whether it need not be remembered.
    fn is_forgettable(&self, now: Instant) -> bool {
        let known = match self.standing {
            BucketStanding::Unknown => false,
            BucketStanding::Scouted => true,
            BucketStanding::Known { whole, .. } => whole > now,
        };
        !known && self.line.is_empty()
    }
}

/// What a request into a bucket does for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BucketRole {
    /// The others wait for what it is told.
    Scout,
    Follower,
}

/// Held until a request into a bucket is answered.
#[must_use]
pub struct BucketPass {
    buckets: BucketMap,
    key: BucketKey,
    role: BucketRole,
}

impl BucketPass {
    /// Discord told how much the bucket takes until it is whole again, so long after.
    pub fn told(self, left: u32, whole_after: Duration) {
        self.note(Some(left), whole_after + MARGIN);
    }

    /// It was answered, and nothing was said of a limit.
    pub fn told_nothing(self) {
        if self.role == BucketRole::Scout {
            self.note(None, SAYS_NOTHING);
        }
    }

    fn note(mut self, left: Option<u32>, whole_after: Duration) {
        self.role = BucketRole::Follower;
        let now = Instant::now();
        change(&self.buckets, self.key, |bucket| {
            bucket.note(left, now + whole_after, now);
        });
    }
}

impl Drop for BucketPass {
    fn drop(&mut self) {
        if self.role == BucketRole::Scout {
            // Nothing was learnt: another goes ahead.
            change(&self.buckets, self.key, |bucket| {
                bucket.standing = BucketStanding::Unknown;
            });
        }
    }
}

/// Changes what is known of a bucket, and tells those who wait for it.
fn change(buckets: &BucketMap, key: BucketKey, change: impl FnOnce(&mut Bucket)) {
    if let Some(bucket) = lock(buckets).get_mut(&key) {
        change(bucket);
        bucket.news.notify_waiters();
    }
}

/// Lets into a bucket whoever may go; when the next may, if somebody still waits.
fn let_into(buckets: &BucketMap, key: BucketKey) -> Option<Opening> {
    loop {
        let (waiting, role) = {
            let mut buckets = lock(buckets);
            let bucket = buckets.get_mut(&key)?;
            let opening = bucket.opening(Instant::now());
            if bucket.line.is_empty() || opening != Opening::Now {
                return (!bucket.line.is_empty()).then_some(opening);
            }
            (bucket.line.next()?, bucket.take())
        };
        // Whoever went away at this very moment gives it back, outside the lock.
        let _ = waiting.send(BucketPass {
            buckets: Arc::clone(buckets),
            key,
            role,
        });
    }
}

/// A place in the line for a bucket.
struct BucketPlace {
    passed: oneshot::Receiver<BucketPass>,
    news: Arc<Notify>,
}

impl Buckets {
    /// Waits until a bucket takes another; how long to wait, if that is long. Old buttons don't wait.
    pub async fn take(&self, key: BucketKey, urgency: Urgency) -> Result<BucketPass, Duration> {
        if urgency == Urgency::Tidying {
            return self.take_tidying(key);
        }
        let BucketPlace { mut passed, news } = self.join(key, urgency)?;
        loop {
            let mut told = std::pin::pin!(news.notified());
            told.as_mut().enable();
            // The first to look lets in whoever is first in the line.
            let whole = match let_into(&self.0, key) {
                Some(Opening::At(whole)) => Some(whole),
                Some(Opening::Now | Opening::AfterScout) | None => None,
            };
            let wait = whole.map(|whole| whole.duration_since(Instant::now()));
            if let Some(wait) = wait.filter(|wait| *wait > BUCKET_PATIENCE) {
                return Err(wait);
            }
            let is_whole = async {
                match whole {
                    Some(whole) => tokio::time::sleep_until(whole).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                pass = &mut passed => return pass.map_err(|_| COME_AGAIN),
                () = told => {}
                () = is_whole => {}
            }
        }
    }

    /// Joins the line for a bucket.
    fn join(&self, key: BucketKey, urgency: Urgency) -> Result<BucketPlace, Duration> {
        let mut buckets = lock(&self.0);
        let bucket = known(&mut buckets, key);
        if bucket.line.len() >= LONGEST_LINE {
            return Err(COME_AGAIN);
        }
        Ok(BucketPlace {
            passed: bucket.line.join(urgency),
            news: Arc::clone(&bucket.news),
        })
    }

    fn take_tidying(&self, key: BucketKey) -> Result<BucketPass, Duration> {
        let mut buckets = lock(&self.0);
        known(&mut buckets, key).take_tidying(Instant::now())?;
        Ok(BucketPass {
            buckets: Arc::clone(&self.0),
            key,
            role: BucketRole::Follower,
        })
    }
}

/// A bucket; room is made for it first.
fn known(buckets: &mut HashMap<BucketKey, Bucket>, key: BucketKey) -> &mut Bucket {
    if buckets.len() >= BUCKETS {
        let now = Instant::now();
        buckets.retain(|_, bucket| !bucket.is_forgettable(now));
    }
    buckets.entry(key).or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use serenity::http::Route;
    use serenity::model::id::ChannelId;

    use super::*;

    /// Lets many pass; when each did, in the order in which they did.
    async fn passes(pace: &Arc<RequestPace>, urgencies: &[Urgency]) -> Vec<(Urgency, Instant)> {
        let passed = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for urgency in urgencies.iter().copied() {
            let (pace, passed) = (Arc::clone(pace), Arc::clone(&passed));
            tasks.push(tokio::spawn(async move {
                let pass = pace.pass(urgency).await;
                lock(&passed).push((urgency, Instant::now()));
                drop(pass);
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        let passed = lock(&passed);
        passed.clone()
    }

    #[tokio::test(start_paused = true)]
    async fn no_second_has_fifty() {
        let pace = Arc::new(RequestPace::default());
        let passed = passes(&pace, &[Urgency::News; 300]).await;
        for window in passed.windows(PLACES + 1) {
            let took = window[PLACES].1 - window[0].1;
            assert!(took >= SECOND, "{} within {took:?}", window.len());
        }
        // And not much slower than that.
        let took = passed[299].1 - passed[0].1;
        assert!(took < Duration::from_millis(7500), "{took:?}");
    }

    /// Sends many requests, each of which arrives so long after it was sent, and is answered so long after it has arrived;
    /// when they arrived, in that order.
    async fn arrivals(count: u32, ways: impl Fn(u32, Duration) -> (Duration, Duration)) -> Vec<Instant> {
        let pace = Arc::new(RequestPace::default());
        let begun = Instant::now();
        let mut passing = Vec::new();
        for _ in 0..count {
            let pace = Arc::clone(&pace);
            passing.push(tokio::spawn(async move {
                (pace.pass(Urgency::News).await, Instant::now())
            }));
        }
        let mut under_way = Vec::new();
        for (number, passing) in (0..count).zip(passing) {
            let (pass, sent) = passing.await.unwrap();
            let (there, back) = ways(number, sent - begun);
            under_way.push(tokio::spawn(async move {
                tokio::time::sleep_until(sent + there).await;
                let arrived = Instant::now();
                tokio::time::sleep(back).await;
                pass.unwrap().answered();
                arrived
            }));
        }
        let mut arrived = Vec::new();
        for task in under_way {
            arrived.push(task.await.unwrap());
        }
        arrived.sort_unstable();
        arrived
    }

    #[track_caller]
    fn check_seconds(arrived: &[Instant]) {
        for window in arrived.windows(50) {
            assert!(window[49] - window[0] >= SECOND, "fifty within a second");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn no_second_has_fifty_however_they_bunch_up_on_their_way() {
        // The network delivers whatever has been sent twice a second.
        let half = Duration::from_millis(500);
        let arrived = arrivals(300, |_, sent| {
            let next = half * u32::try_from(sent.as_millis() / 500 + 1).unwrap();
            (next - sent, Duration::ZERO)
        });
        check_seconds(&arrived.await);
        // Or some are quick, and some take long either way.
        let millis = |number: u32, most: u32| {
            let mixed = number.wrapping_mul(0x9e37_79b9) >> 8;
            Duration::from_millis(u64::from(20 + mixed % most))
        };
        let arrived = arrivals(600, |number, _| (millis(number, 700), millis(number + 7, 200)));
        check_seconds(&arrived.await);
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_is_the_same_however_far_away_discord_is() {
        for way in [5, 50, 250, 450].map(Duration::from_millis) {
            let arrived = arrivals(300, |_, _| (way, way)).await;
            check_seconds(&arrived);
            let took = arrived[299] - arrived[0];
            // 300 requests, 22 ms apart.
            assert!(
                took < Duration::from_millis(6700),
                "{way:?} there and back: {took:?}"
            );
        }
        // One that takes longer than a second to answer is not pressed.
        let way = Duration::from_secs(1);
        let arrived = arrivals(100, |_, _| (way, way)).await;
        assert!(arrived[99] - arrived[0] >= 4 * way);
    }

    #[tokio::test(start_paused = true)]
    async fn the_most_urgent_goes_first_and_nobody_waits_for_ever() {
        let pace = Arc::new(RequestPace::default());
        let mut crowd = vec![Urgency::Tidying; 20];
        crowd.extend([Urgency::Private; 20]);
        crowd.extend([Urgency::Turn; 100]);
        let passed = passes(&pace, &crowd).await;
        let early = |urgency| passed[..60].iter().filter(|(which, _)| *which == urgency).count();
        assert!(early(Urgency::Turn) > 40, "{passed:?}");
        // The burst, and every eighth.
        assert!((6..=14).contains(&early(Urgency::Tidying)), "{passed:?}");
        let last_turn = passed.iter().rposition(|(which, _)| *which == Urgency::Turn);
        assert!(last_turn < Some(120), "{passed:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn boards_go_before_news_and_hands_and_each_in_their_order() {
        let pace = Arc::new(RequestPace::default());
        // All stand in line before the first may pass.
        pace.shut(Duration::from_secs(1));
        let kinds = [Urgency::Tidying, Urgency::Private, Urgency::News, Urgency::Turn];
        let crowd: Vec<Urgency> = (0..40).map(|number| kinds[number % 4]).collect();
        let passed = passes(&pace, &crowd).await;
        // Every eighth is whoever has waited longest.
        let ranked: Vec<usize> = (1..)
            .zip(&passed)
            .filter(|(number, _)| number % 8 != 0)
            .map(|(_, (urgency, _))| *urgency as usize)
            .collect();
        assert!(ranked.is_sorted(), "{passed:?}");
        assert_eq!((passed[7].0, passed[15].0), (Urgency::Tidying, Urgency::Private));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_passes_while_discord_wants_to_hear_nothing() {
        let pace = Arc::new(RequestPace::default());
        pace.shut(Duration::from_secs(3));
        let begun = Instant::now();
        let passed = passes(&pace, &[Urgency::Turn; 10]).await;
        assert!(passed.iter().all(|(_, at)| *at - begun >= Duration::from_secs(3)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_place_is_handed_on_even_if_somebody_goes_away() {
        let places = Arc::new(DrawingPlaces::new(1));
        let held = places.take(Urgency::News).await.unwrap();
        let gone = tokio::spawn({
            let places = Arc::clone(&places);
            async move { places.take(Urgency::Answer).await.is_some() }
        });
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(held);
        assert!(places.take(Urgency::Tidying).await.is_some());
    }

    fn bucket(channel: u64) -> BucketKey {
        let channel_id = ChannelId::new(channel);
        let route = Route::ChannelMessages { channel_id };
        (LightMethod::Post, route.ratelimiting_bucket())
    }

    const WINDOW: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn an_empty_bucket_is_waited_for_and_in_nobodys_way() {
        let buckets = Buckets::default();
        let begun = Instant::now();
        let first = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        first.told(1, WINDOW);
        let second = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        assert_eq!(begun.elapsed(), Duration::ZERO);
        let other = buckets.take(bucket(2), Urgency::Turn).await;
        assert!(other.is_ok(), "another channel");
        assert_eq!(begun.elapsed(), Duration::ZERO);
        let third = buckets.take(bucket(1), Urgency::Turn).await;
        assert!(third.is_ok() && begun.elapsed() >= WINDOW && begun.elapsed() < 2 * WINDOW);
        drop(second);
        // One that is empty for long is not waited for.
        third.unwrap().told(0, Duration::from_secs(60));
        let waited = Instant::now();
        let long = buckets.take(bucket(1), Urgency::Turn).await.err();
        assert!(long.is_some_and(|wait| wait > Duration::from_secs(59)));
        assert_eq!(waited.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn one_goes_ahead_into_a_bucket_of_which_nothing_is_known() {
        const CROWD: u32 = 40;
        let buckets = Arc::new(Buckets::default());
        let begun = Instant::now();
        let went: Arc<Mutex<Vec<Instant>>> = Arc::default();
        // A Discord that takes five in five seconds, and is a tenth of a second away.
        let taken: Arc<Mutex<Vec<Instant>>> = Arc::default();
        let crowd: Vec<_> = (0..CROWD)
            .map(|_| {
                let (buckets, went, taken) = (Arc::clone(&buckets), Arc::clone(&went), Arc::clone(&taken));
                tokio::spawn(async move {
                    let pass = buckets.take(bucket(1), Urgency::News).await.unwrap();
                    lock(&went).push(Instant::now());
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let now = Instant::now();
                    let (left, ends) = {
                        let mut taken = lock(&taken);
                        let open = taken.first().is_some_and(|first| *first + WINDOW > now);
                        if !open {
                            taken.clear();
                        }
                        taken.push(now);
                        assert!(taken.len() <= 5, "one too many");
                        (5 - u32::try_from(taken.len()).unwrap(), taken[0] + WINDOW)
                    };
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    pass.told(left, ends - Instant::now());
                })
            })
            .collect();
        for one in crowd {
            one.await.unwrap();
        }
        let went = lock(&went);
        let at_once = went.iter().filter(|at| **at == begun).count();
        assert_eq!(at_once, 1);
        // And none waits without need: eight windows, of which the last is not waited for.
        let took = went[went.len() - 1] - begun;
        assert!(
            took < 7 * (WINDOW + Duration::from_millis(200)) + SECOND,
            "{took:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn where_nothing_is_said_of_limits_there_is_none() {
        let buckets = Buckets::default();
        let ahead = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        let mut second = std::pin::pin!(buckets.take(bucket(1), Urgency::Turn));
        let early = tokio::time::timeout(SECOND, &mut second).await;
        assert!(early.is_err(), "it did not wait for the one ahead");
        ahead.told_nothing();
        let held = second.await.unwrap();
        for _ in 0..100 {
            buckets
                .take(bucket(1), Urgency::Turn)
                .await
                .unwrap()
                .told_nothing();
        }
        drop(held);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_goes_ahead_and_learns_nothing_lets_the_next_go_ahead() {
        let buckets = Buckets::default();
        let ahead = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        let mut second = std::pin::pin!(buckets.take(bucket(1), Urgency::Turn));
        let early = tokio::time::timeout(SECOND, &mut second).await;
        assert!(early.is_err());
        drop(ahead);
        let second = second.await.unwrap();
        let third = tokio::time::timeout(SECOND, buckets.take(bucket(1), Urgency::Turn)).await;
        assert!(third.is_err());
        drop(second);
        // Whoever gave up waiting is in nobody's way.
        assert!(buckets.take(bucket(1), Urgency::Turn).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn boards_go_first_into_a_bucket_and_old_buttons_leave_some_of_it() {
        let buckets = Arc::new(Buckets::default());
        let ahead = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        let went: Arc<Mutex<Vec<Urgency>>> = Arc::default();
        let mut crowd = Vec::new();
        for urgency in [Urgency::Private, Urgency::News, Urgency::Turn] {
            let (buckets, went) = (Arc::clone(&buckets), Arc::clone(&went));
            crowd.push(tokio::spawn(async move {
                let pass = buckets.take(bucket(1), urgency).await.unwrap();
                lock(&went).push(urgency);
                drop(pass);
            }));
            tokio::task::yield_now().await;
        }
        // From then on one goes after the other.
        ahead.told(1, WINDOW);
        for one in crowd {
            one.await.unwrap();
        }
        assert_eq!(*lock(&went), [Urgency::Turn, Urgency::News, Urgency::Private]);
        // One is left, and not for old buttons.
        let last = buckets.take(bucket(1), Urgency::Turn).await.unwrap();
        last.told(1, WINDOW);
        let tidying = buckets.take(bucket(1), Urgency::Tidying).await.err();
        assert!(tidying.is_some_and(|wait| wait > Duration::ZERO && wait <= WINDOW + MARGIN));
        assert!(buckets.take(bucket(1), Urgency::Turn).await.is_ok());
    }
}
