//! What matches need of the world: a place to keep things, the time, and chance.
//!
//! The store is a handful of sorted key spaces. What is kept in them, and under which keys, is decided
//! by the repository ([`super::repository`]); a store knows bytes only. That keeps the two stores (sled on disk, memory in
//! tests) small enough to be shown alike by one suite of tests.

use std::future::Future;
use std::ops::RangeInclusive;
use std::pin::Pin;

use super::time::{Span, Time};

/// A sorted key space of the store.
///
/// The numbers are part of the format on disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Space {
    /// The store's own notes: format version, counters.
    Meta = 0,
    /// The present state of each match that is not over, by code.
    Matches = 1,
    /// Everything that happened in such a match, by code and number.
    Log = 2,
    /// Which matches a player has.
    ByPlayer = 3,
    /// Which matches a room has.
    ByRoom = 4,
    /// When a match needs attention.
    Deadlines = 5,
    /// Deliveries that are not done.
    Outbox = 6,
    /// Players: names and settings.
    People = 7,
    /// Rooms and communities: names, rules, and the messages of the local room.
    Rooms = 8,
    /// Events of the platforms that have been handled.
    Handled = 9,
    /// What the adapters keep for themselves.
    Adapters = 10,
    /// Matches that are over, each folded into one value. Large, written once, seldom read.
    Archive = 11,
}

impl Space {
    pub const ALL: [Self; 12] = [
        Self::Meta,
        Self::Matches,
        Self::Log,
        Self::ByPlayer,
        Self::ByRoom,
        Self::Deadlines,
        Self::Outbox,
        Self::People,
        Self::Rooms,
        Self::Handled,
        Self::Adapters,
        Self::Archive,
    ];

    /// The space with a number.
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|space| *space as u8 == number)
    }
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    Put {
        space: Space,
        key: Vec<u8>,
        value: Vec<u8>,
    },
    Delete {
        space: Space,
        key: Vec<u8>,
    },
}

/// Writes that happen together or not at all. Of two writes to one key the later one holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch(pub Vec<Write>);

impl Batch {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn put(&mut self, space: Space, key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) {
        self.0.push(Write::Put {
            space,
            key: key.into(),
            value: value.into(),
        });
    }

    pub fn delete(&mut self, space: Space, key: impl Into<Vec<u8>>) {
        self.0.push(Write::Delete {
            space,
            key: key.into(),
        });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A key with its value.
pub type Row = (Vec<u8>, Vec<u8>);

/// A future that the store hands out.
pub type Saving<'a> = Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>>;

/// Where matches are kept. [`crate::store`] has one on disk and one in memory; `tests/store` holds every one to this
/// contract.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::ops::RangeInclusive;
/// use std::sync::Mutex;
///
/// use parlor::matches::port::{Batch, Fault, Row, Saving, Space, Store, Write};
///
/// #[derive(Default)]
/// struct InMemory(Mutex<BTreeMap<(Space, Vec<u8>), Vec<u8>>>);
///
/// impl Store for InMemory {
///     fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
///         Ok(self.0.lock().unwrap().get(&(space, key.to_vec())).cloned())
///     }
///
///     fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
///         let rows = self.0.lock().unwrap();
///         let rows = rows.iter().filter(|((of, key), _)| *of == space && range.contains(&key.as_slice()));
///         Ok(rows.map(|((_, key), value)| (key.clone(), value.clone())).take(limit).collect())
///     }
///
///     fn commit(&self, batch: Batch) -> Saving<'_> {
///         let mut rows = self.0.lock().unwrap();
///         for write in batch.0 {
///             match write {
///                 Write::Put { space, key, value } => rows.insert((space, key), value),
///                 Write::Delete { space, key } => rows.remove(&(space, key)),
///             };
///         }
///         Box::pin(std::future::ready(Ok(())))
///     }
///
///     fn flush(&self) -> Saving<'_> {
///         Box::pin(std::future::ready(Ok(())))
///     }
/// }
/// ```
pub trait Store: Send + Sync + 'static {
    /// The value of a key.
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault>;

    /// The first rows, in order of their keys, whose keys lie in a range; at most `limit`.
    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault>;

    /// Writes a batch, all or nothing. When the future is ready with `Ok`, the batch is on disk, against
    /// loss of power too, and every later read sees it. Batches are applied in the order in which
    /// `commit` was called. Dropping the future does not take the batch back.
    fn commit(&self, batch: Batch) -> Saving<'_>;

    /// Waits until everything committed is on disk.
    fn flush(&self) -> Saving<'_>;

    /// Whether what is committed can be kept at this moment. It costs next to nothing: it is asked often.
    fn health(&self) -> Health {
        Health::Good
    }

    /// How large the store is and what has been done to keep it small, as far as it knows. Asked seldom.
    fn figures(&self) -> StoreFigures {
        StoreFigures::default()
    }
}

/// Whether a store can be written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    Good,
    /// Nothing can be written, since this moment; the reason is for the operator, and holds nothing of anybody's match.
    Failing {
        since: Time,
        reason: String,
    },
}

/// What an operator may want to watch of a store. What a store does not know stays out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreFigures {
    pub bytes_on_disk: Option<u64>,
    /// How often the store has been made smaller since it was opened.
    pub compactions: Option<u64>,
}

/// The time.
///
/// ```
/// use parlor::matches::port::Clock;
/// use parlor::matches::time::Time;
///
/// /// For tests: it stands still.
/// struct Noon;
///
/// impl Clock for Noon {
///     fn now(&self) -> Time {
///         Time(12 * 3_600_000)
///     }
/// }
///
/// assert_eq!(Noon.now().unix_seconds(), 43_200);
/// ```
pub trait Clock: Send + Sync + 'static {
    /// What the clock on the wall shows. An operator may set it.
    fn now(&self) -> Time;

    /// How much time has passed since some moment before, which nobody can set. By default the wall is believed.
    fn steady(&self) -> Span {
        Span(self.now().0)
    }
}

/// Chance from outside: seeds, codes, seats by lot.
///
/// ```
/// use parlor::matches::port::{Entropy, Fault};
///
/// /// For tests: always the same.
/// struct Sevens;
///
/// impl Entropy for Sevens {
///     fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault> {
///         bytes.fill(7);
///         Ok(())
///     }
/// }
///
/// let mut bytes = [0; 4];
/// Sevens.fill(&mut bytes).unwrap();
/// assert_eq!(bytes, [7; 4]);
/// ```
pub trait Entropy: Send + Sync + 'static {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Fault>;
}

/// Something broke that is nobody's fault at the table. It is logged with its context; players are told
/// one line.
#[derive(Debug, thiserror::Error)]
#[error("{context}: {cause}")]
pub struct Fault {
    /// What was being done.
    pub context: &'static str,
    pub cause: Box<dyn std::error::Error + Send + Sync>,
}

impl Fault {
    pub fn new(context: &'static str, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self {
            context,
            cause: cause.into(),
        }
    }
}
