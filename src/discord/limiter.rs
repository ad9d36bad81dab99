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

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serenity::http::{LightMethod, RatelimitingBucket};
use tokio::sync::oneshot;
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

/// As many buckets are remembered before those that are full again are thrown out.
const BUCKETS: usize = 1000;

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
pub struct Buckets(Mutex<HashMap<BucketKey, Bucket>>);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: u32,
    whole: Instant,
}

impl Buckets {
    /// Takes one from a bucket; how long to wait, if it is empty.
    pub fn take(&self, key: BucketKey) -> Result<(), Duration> {
        let now = Instant::now();
        let mut buckets = lock(&self.0);
        match buckets.get_mut(&key) {
            Some(bucket) if bucket.whole <= now => {
                buckets.remove(&key);
                Ok(())
            }
            Some(bucket) if bucket.left == 0 => Err(bucket.whole - now),
            Some(bucket) => {
                bucket.left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Discord told how a bucket stands.
    pub fn note(&self, key: BucketKey, left: u32, whole_after: Duration) {
        let now = Instant::now();
        let mut buckets = lock(&self.0);
        if buckets.len() >= BUCKETS {
            buckets.retain(|_, bucket| bucket.whole > now);
        }
        // Of what is still under way Discord did not know yet.
        let known = buckets.get(&key).filter(|bucket| bucket.whole > now);
        let left = known.map_or(left, |bucket| bucket.left.min(left));
        let whole = now + whole_after + MARGIN;
        buckets.insert(key, Bucket { left, whole });
    }
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

    #[tokio::test(start_paused = true)]
    async fn an_empty_bucket_says_how_long_to_wait_and_is_whole_again_then() {
        let buckets = Buckets::default();
        let key = |id| {
            let channel_id = ChannelId::new(id);
            let route = Route::ChannelMessages { channel_id };
            (LightMethod::Post, route.ratelimiting_bucket())
        };
        assert_eq!(buckets.take(key(1)), Ok(()));
        buckets.note(key(1), 1, Duration::from_secs(5));
        assert_eq!(buckets.take(key(1)), Ok(()));
        assert!(
            buckets
                .take(key(1))
                .is_err_and(|wait| wait > Duration::from_secs(4))
        );
        assert_eq!(buckets.take(key(2)), Ok(()), "another channel");
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(buckets.take(key(1)), Ok(()));
    }
}
