//! Which queues wait, which are being served, and which are left alone for a while.
//!
//! What is done at every delivery costs no more where many places are away: those that rest are found by when they wake.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::backoff::Backoff;

/// The name of a queue, as the store has it.
pub type QueueName = Arc<str>;

/// No place is tried again sooner than this, even if it asks for it.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
/// The longest waiting time after the first failure; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// Where a queue stands after some of its deliveries.
pub struct QueueRound {
    pub queue: QueueName,
    pub trouble: Option<Delay>,
}

/// Why a place could not be reached, and when to go on, if that is known.
pub struct Delay {
    pub why: String,
    pub after: Option<Duration>,
}

impl Delay {
    pub fn of(why: &dyn std::fmt::Display) -> Self {
        Self {
            why: why.to_string(),
            after: None,
        }
    }
}

/// Whether what waits for a place could be brought when it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    OnTime,
    /// The place takes only so much, or could not be reached for long ([`LATE_AFTER`]).
    Late,
}

/// What waited for less than this, because its place could not be reached, is news still.
const LATE_AFTER: Duration = Duration::from_secs(60);

/// A place that could not be reached, until it takes something again.
struct Pause {
    /// Since when it could not be reached.
    since: Instant,
    /// None while it is tried again, or waits for that.
    until: Option<Instant>,
    cause: PauseCause,
    /// How long the next pauses are.
    backoff: Backoff,
}

impl Pause {
    /// Whether what waits there may have passed.
    fn lateness(&self) -> Lateness {
        match self.cause {
            PauseCause::Asked => Lateness::Late,
            PauseCause::Trouble if self.since.elapsed() >= LATE_AFTER => Lateness::Late,
            PauseCause::Trouble => Lateness::OnTime,
        }
    }
}

/// Why a place is left alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PauseCause {
    /// It could not be reached.
    Trouble,
    /// It said when to come again, and must not be asked sooner.
    Asked,
}

/// What has come into a queue while it was being served.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gained {
    Nothing,
    Something,
}

/// The queues of everything that is to be said.
#[derive(Default)]
pub struct Queues {
    /// By kind: rooms and players of each platform have places of their own. Whatever holds up the ones takes no place from
    /// the others.
    kinds: BTreeMap<String, Kind>,
    /// Those that are being served.
    busy: HashMap<QueueName, Gained>,
    /// When pauses are over, the first one first.
    wakes: BTreeSet<(Instant, QueueName)>,
}

/// The queues of one kind.
#[derive(Default)]
struct Kind {
    /// Those in which something may wait, in the order in which they came.
    ready: VecDeque<QueueName>,
    /// The same, to be looked up.
    known: HashSet<QueueName>,
    /// How many are being served.
    served: usize,
    paused: BTreeMap<QueueName, Pause>,
}

impl Kind {
    fn put_ready(&mut self, queue: QueueName) {
        if self.known.insert(Arc::clone(&queue)) {
            self.ready.push_back(queue);
        }
    }

    fn take_ready(&mut self) -> Option<QueueName> {
        let queue = self.ready.pop_front()?;
        self.known.remove(&queue);
        Some(queue)
    }
}

impl Queues {
    /// Something waits in a queue.
    pub fn add(&mut self, queue: QueueName) {
        if let Some(gained) = self.busy.get_mut(&queue) {
            *gained = Gained::Something;
            return;
        }
        let kind = kind_mut(&mut self.kinds, &queue);
        if kind.paused.get(&queue).is_none_or(|pause| pause.until.is_none()) {
            kind.put_ready(queue);
        }
    }

    /// A place can be reached again: its queues are tried at once, and their next trouble starts small.
    pub fn reach(&mut self, place: &str) {
        let Some(kind) = self.kinds.get_mut(kind_of(place)) else {
            return;
        };
        let behind = (Bound::Included(place), Bound::Unbounded);
        let from = kind.paused.range_mut::<str, _>(behind);
        let begin_so = from.take_while(|(queue, _)| queue.starts_with(place));
        let here = begin_so.filter(|(queue, _)| is_of(queue, place));
        let here: Vec<QueueName> = here
            .map(|(queue, pause)| {
                pause.backoff.reset();
                Arc::clone(queue)
            })
            .collect();
        for queue in here {
            wake_up(kind, &mut self.wakes, queue);
        }
    }

    /// A platform can be reached again: nobody waits there any longer who was not told to. Each is tried once; where that
    /// is in vain, it is left alone for as long as it would have been.
    pub fn wake_platform(&mut self, platform: &str) {
        for (_, kind) in (self.kinds.iter_mut()).filter(|(kind, _)| platform_of(kind) == Some(platform)) {
            let resting = kind
                .paused
                .iter()
                .filter(|(_, pause)| pause.cause == PauseCause::Trouble && pause.until.is_some());
            let resting: Vec<QueueName> = resting.map(|(queue, _)| Arc::clone(queue)).collect();
            for queue in resting {
                wake_up(kind, &mut self.wakes, queue);
            }
        }
    }

    /// Makes those ready whose pause is over.
    pub fn wake(&mut self) {
        let now = Instant::now();
        while let Some((until, _)) = self.wakes.first()
            && *until <= now
            && let Some((_, queue)) = self.wakes.pop_first()
        {
            let kind = kind_mut(&mut self.kinds, &queue);
            if let Some(pause) = kind.paused.get_mut(&queue) {
                pause.until = None;
            }
            kind.put_ready(queue);
        }
    }

    /// When the next pause is over.
    pub fn next_wake(&self) -> Instant {
        let next = self.wakes.first().map(|(until, _)| *until);
        next.unwrap_or_else(|| Instant::now() + LONGEST_PAUSE)
    }

    /// The next queue to serve, where there is a place for it.
    pub fn start(&mut self, places: impl Fn(&str) -> usize) -> Option<(QueueName, Lateness)> {
        let mut free = (self.kinds.iter_mut())
            .filter(|(name, kind)| kind.served < places(platform_of(name).unwrap_or_default()));
        let (queue, kind) = free.find_map(|(_, kind)| Some((kind.take_ready()?, kind)))?;
        kind.served += 1;
        let lateness = kind.paused.get(&queue).map_or(Lateness::OnTime, Pause::lateness);
        self.busy.insert(Arc::clone(&queue), Gained::Nothing);
        Some((queue, lateness))
    }

    /// A queue is served no more, for the moment.
    pub fn note(&mut self, QueueRound { queue, trouble }: QueueRound) {
        let gained = self.busy.remove(&queue).unwrap_or(Gained::Nothing);
        let kind = kind_mut(&mut self.kinds, &queue);
        kind.served = kind.served.saturating_sub(1);
        let Some(Delay { why, after }) = trouble else {
            kind.paused.remove(&queue);
            if gained == Gained::Something {
                kind.put_ready(queue);
            }
            return;
        };
        // Said once, however often it is tried. A place that says when to come again is not in trouble.
        let before = kind.paused.get(&queue);
        let known = before.map(|pause| pause.backoff);
        let since = before.map_or_else(Instant::now, |pause| pause.since);
        if known.is_some() {
            tracing::debug!(%queue, %why, "outbox: still could not deliver");
        } else if after.is_some() {
            tracing::info!(%queue, %why, "outbox: delivery put off");
        } else {
            tracing::warn!(%queue, %why, "outbox: could not deliver, will try again");
        }
        let mut backoff = known.unwrap_or(Backoff::new(FIRST_PAUSE, LONGEST_PAUSE));
        let (length, cause) = match after {
            Some(after) => (after.max(SHORTEST_PAUSE), PauseCause::Asked),
            None => (backoff.pause(), PauseCause::Trouble),
        };
        let until = Instant::now() + length;
        self.wakes.insert((until, Arc::clone(&queue)));
        let pause = Pause {
            since,
            until: Some(until),
            cause,
            backoff,
        };
        kind.paused.insert(queue, pause);
    }
}

/// Ends a pause before its time.
fn wake_up(kind: &mut Kind, wakes: &mut BTreeSet<(Instant, QueueName)>, queue: QueueName) {
    let until = kind.paused.get_mut(&queue).and_then(|pause| pause.until.take());
    if let Some(until) = until {
        wakes.remove(&(until, Arc::clone(&queue)));
        kind.put_ready(queue);
    }
}

fn kind_mut<'k>(kinds: &'k mut BTreeMap<String, Kind>, queue: &str) -> &'k mut Kind {
    kinds.entry(kind_of(queue).to_owned()).or_default()
}

/// What shares places: the rooms of a platform, or its players.
fn kind_of(queue: &str) -> &str {
    queue.split_once(':').map_or(queue, |(kind, _)| kind)
}

/// The platform of a queue, or of all queues of a kind.
pub fn platform_of(queue: &str) -> Option<&str> {
    let (_, platform) = kind_of(queue).split_once(' ')?;
    Some(platform)
}

/// Whether a queue belongs to a place: alone, or with what tells it from others there.
fn is_of(queue: &str, place: &str) -> bool {
    let rest = queue.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(name: &str) -> QueueName {
        Arc::from(name)
    }

    /// All that can be served now.
    fn started(queues: &mut Queues) -> Vec<String> {
        std::iter::from_fn(|| queues.start(|_| usize::MAX))
            .map(|(queue, _)| queue.to_string())
            .collect()
    }

    fn fail(queues: &mut Queues, name: &str, after: Option<Duration>) {
        let why = "as the test wants".to_owned();
        queues.note(QueueRound {
            queue: queue(name),
            trouble: Some(Delay { why, after }),
        });
    }

    #[test]
    fn a_queue_tells_its_platform() {
        for (name, platform) in [
            ("room discord:7 K7QF", Some("discord")),
            ("room matrix:!hall:x.org K7QF", Some("matrix")),
            ("player local:Ann Lee", Some("local")),
            ("room discord", Some("discord")),
            ("unreadable", None),
        ] {
            assert_eq!(platform_of(name), platform, "{name}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_place_that_is_reached_has_all_its_queues_tried_and_no_other() {
        let mut queues = Queues::default();
        let names = [
            "room discord:7",
            "room discord:7 K7QF",
            "room discord:7 WXYZ",
            "room discord:70 K7QF",
            "player discord:7",
        ];
        names.iter().for_each(|name| queues.add(queue(name)));
        assert_eq!(started(&mut queues).len(), names.len());
        names
            .iter()
            .for_each(|name| fail(&mut queues, name, Some(Duration::from_secs(60))));
        // What comes for one that rests wakes nobody.
        queues.add(queue(names[1]));
        assert!(started(&mut queues).is_empty());
        queues.reach("room discord:7");
        assert_eq!(started(&mut queues), names[..3]);
        tokio::time::advance(Duration::from_secs(60)).await;
        queues.wake();
        assert_eq!(started(&mut queues), [names[4], names[3]]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_platform_that_is_back_is_tried_once_and_keeps_its_pauses() {
        let mut queues = Queues::default();
        let [broken, asked] = ["room discord:7 K7QF", "room discord:8 K7QF"];
        queues.add(queue(broken));
        queues.add(queue(asked));
        started(&mut queues);
        fail(&mut queues, asked, Some(Duration::from_secs(3600)));
        for _ in 0..8 {
            fail(&mut queues, broken, None);
            queues.wake_platform("matrix");
            assert!(started(&mut queues).is_empty());
            queues.wake_platform("discord");
            assert_eq!(started(&mut queues), [broken]);
        }
        fail(&mut queues, broken, None);
        // The ninth pause: 128 seconds, or half of that.
        assert!(queues.next_wake() - Instant::now() >= Duration::from_secs(64));
    }

    #[tokio::test(start_paused = true)]
    async fn what_waited_is_late_until_its_place_takes_it() {
        let mut queues = Queues::default();
        let name = "room discord:7 K7QF";
        let lateness = |queues: &mut Queues| queues.start(|_| 1).map(|(_, lateness)| lateness);
        queues.add(queue(name));
        assert_eq!(lateness(&mut queues), Some(Lateness::OnTime));
        fail(&mut queues, name, None);
        queues.wake_platform("discord");
        assert_eq!(lateness(&mut queues), Some(Lateness::OnTime), "it is news still");
        fail(&mut queues, name, None);
        tokio::time::advance(LATE_AFTER).await;
        queues.wake();
        assert_eq!(lateness(&mut queues), Some(Lateness::Late));
        // Something comes while it is served.
        queues.add(queue(name));
        assert_eq!(lateness(&mut queues), None);
        queues.note(QueueRound {
            queue: queue(name),
            trouble: None,
        });
        assert_eq!(lateness(&mut queues), Some(Lateness::OnTime));
    }
}
