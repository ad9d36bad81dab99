//! The guests of the local room: a name, and a token that proves it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::PLATFORM;
use super::names::{self, fold, looks};
use super::problem::RoomProblem;
use crate::chat::command::People;
use crate::matches::people::PlayerId;
use crate::matches::port::{Batch, Entropy, Fault, Space, Store};
use crate::matches::repository::{decode, encode};
use crate::matches::time::{Span, Time};
use crate::text::hex;

/// Under which keys guests are kept in [`Space::Adapters`]. The rest of the key is the folded name.
const PREFIX: &[u8] = b"local\0guest\0";

/// So many guests are taken in. Those of an older store who are more than that stay.
pub const MOST_GUESTS: usize = 100_000;

/// How many guests are read at once.
const PAGE: usize = 1000;

/// When somebody was last here is written down once in so long a time.
const NOTED_EVERY: Span = Span::hours(24);

/// Somebody at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    pub id: PlayerId,
    pub name: String,
}

/// What is kept of a guest: never the token itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    /// SHA-256 of the token, as hexadecimal digits.
    token: String,
    since: Time,
    /// When they were last here, to a day. Older stores don't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<Time>,
}

impl Kept {
    fn row(&self) -> Result<(Vec<u8>, Vec<u8>), Fault> {
        Ok((key(&self.name), encode(self)?))
    }
}

/// A guest with the token that was just made for them.
#[derive(Debug)]
pub struct Admitted {
    pub guest: Guest,
    pub token: String,
}

/// Everybody who has a name here.
pub struct Guests {
    store: Arc<dyn Store>,
    known: RwLock<Known>,
    /// One newcomer after the other, so that a name is given once.
    door: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Known {
    by_name: BTreeMap<String, Kept>,
    /// From the digest of a token to the folded name.
    by_token: HashMap<String, String>,
    /// From what a name looks like to the folded name. Guests of older stores may look alike; the first one counts.
    by_look: HashMap<String, String>,
}

impl Known {
    fn insert(&mut self, kept: Kept) {
        let folded = fold(&kept.name);
        self.by_token.insert(kept.token.clone(), folded.clone());
        for look in looks(&kept.name) {
            self.by_look.entry(look).or_insert_with(|| folded.clone());
        }
        self.by_name.insert(folded, kept);
    }

    fn remove(&mut self, folded: &str) {
        let Some(kept) = self.by_name.remove(folded) else {
            return;
        };
        self.by_token.remove(&kept.token);
        for look in looks(&kept.name) {
            if self.by_look.get(&look).is_some_and(|known| known == folded) {
                self.by_look.remove(&look);
            }
        }
    }

    /// The guest of this name, in any case and however its letters are composed.
    fn named(&self, name: &str) -> Option<&Kept> {
        let composed = || self.by_name.get(&fold(&names::composed(name)));
        self.by_name.get(&fold(name)).or_else(composed)
    }

    /// A guest whose name looks like this one.
    fn looking_like(&self, name: &str) -> Option<&Kept> {
        let folded = looks(name).into_iter().find_map(|look| self.by_look.get(&look))?;
        self.by_name.get(folded)
    }
}

impl Guests {
    /// Reads all guests there are, however many.
    pub fn open(store: Arc<dyn Store>) -> Result<Self, Fault> {
        let last = [PREFIX, &[0xff; 4]].concat();
        let mut known = Known::default();
        let mut first = PREFIX.to_vec();
        loop {
            let rows = store.scan(Space::Adapters, &first..=&last, PAGE)?;
            for (_, value) in &rows {
                known.insert(decode(value)?);
            }
            match rows.into_iter().last() {
                // The smallest key behind the last one.
                Some((key, _)) => first = [&key[..], &[0]].concat(),
                None => break,
            }
        }
        Ok(Self {
            store,
            known: RwLock::new(known),
            door: tokio::sync::Mutex::default(),
        })
    }

    pub fn count(&self) -> usize {
        self.read(|known| known.by_name.len())
    }

    /// Lets a known guest in who has the token. Nothing, if nobody has the name.
    pub fn welcome_back(&self, name: &str, token: Option<&str>) -> Result<Option<Admitted>, RoomProblem> {
        self.read(|known| match known.named(name) {
            None => Ok(None),
            Some(kept) => match token {
                Some(token) if same(&digest(token), &kept.token) => Ok(Some(Admitted {
                    guest: guest(&kept.name),
                    token: token.to_owned(),
                })),
                _ => Err(RoomProblem::NameTaken(kept.name.clone())),
            },
        })
    }

    /// Gives a name to a newcomer.
    pub async fn admit(&self, name: &str, entropy: &dyn Entropy, now: Time) -> Result<Admitted, RoomProblem> {
        let name = names::check(name)?;
        let _door = self.door.lock().await;
        self.read(|known| match (known.named(&name), known.looking_like(&name)) {
            (Some(kept), _) => Err(RoomProblem::NameTaken(kept.name.clone())),
            (None, Some(kept)) => Err(RoomProblem::NameAlike(kept.name.clone())),
            (None, None) if known.by_name.len() >= MOST_GUESTS => Err(RoomProblem::TooManyGuests),
            (None, None) => Ok(()),
        })?;
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes)?;
        let token = hex(&bytes);
        let kept = Kept {
            name: name.clone(),
            token: digest(&token),
            since: now,
            seen: Some(now),
        };
        let mut batch = Batch::new();
        let (key, value) = kept.row()?;
        batch.put(Space::Adapters, key, value);
        self.store.commit(batch).await?;
        self.write(|known| known.insert(kept));
        Ok(Admitted {
            guest: guest(&name),
            token,
        })
    }

    /// Whether it has to be written down that a guest is here, which is at most once a day.
    pub fn is_news(&self, guest: &Guest, now: Time) -> bool {
        let is_news = |kept: &Kept| kept.seen.is_none_or(|seen| now.since(seen) >= NOTED_EVERY);
        self.read(|known| known.by_name.get(&fold(&guest.name)).is_some_and(is_news))
    }

    /// Writes down that guests are here.
    pub async fn note(&self, guests: &[Guest], now: Time) -> Result<(), Fault> {
        let mut batch = Batch::new();
        let rows: Vec<_> = self.write(|known| {
            let folded = guests.iter().map(|guest| fold(&guest.name));
            let note = |folded: String| {
                let kept = known.by_name.get_mut(&folded)?;
                kept.seen = Some(now);
                Some(kept.row())
            };
            folded.filter_map(note).collect()
        });
        for row in rows {
            let (key, value) = row?;
            batch.put(Space::Adapters, key, value);
        }
        if batch.is_empty() {
            return Ok(());
        }
        self.store.commit(batch).await
    }

    /// Guests who have not been here since a moment.
    pub fn away_since(&self, moment: Time) -> Vec<Guest> {
        let is_away = |kept: &&Kept| kept.seen.is_some_and(|seen| seen < moment);
        self.read(|known| {
            let away = known.by_name.values().filter(is_away);
            away.map(|kept| guest(&kept.name)).collect()
        })
    }

    /// Guests of whom nobody has written down when they were here: their time away begins now.
    pub fn never_noted(&self) -> Vec<Guest> {
        self.read(|known| {
            let unknown = known.by_name.values().filter(|kept| kept.seen.is_none());
            unknown.map(|kept| guest(&kept.name)).collect()
        })
    }

    /// Forgets guests, but for those who have come back since a moment.
    pub async fn forget(&self, guests: &[Guest], moment: Time) -> Result<usize, Fault> {
        let _door = self.door.lock().await;
        let mut batch = Batch::new();
        // Whoever comes in with their token from here on is a stranger.
        let forgotten = self.write(|known| {
            let is_away = |kept: &Kept| kept.seen.is_some_and(|seen| seen < moment);
            let gone = guests.iter().map(|guest| fold(&guest.name));
            let gone: Vec<String> = gone
                .filter(|folded| known.by_name.get(folded).is_some_and(is_away))
                .collect();
            for folded in &gone {
                known.remove(folded);
            }
            gone
        });
        for folded in &forgotten {
            batch.delete(Space::Adapters, [PREFIX, folded.as_bytes()].concat());
        }
        if !forgotten.is_empty() {
            self.store.commit(batch).await?;
        }
        Ok(forgotten.len())
    }

    /// Whose token this is.
    pub fn of_token(&self, token: &str) -> Option<Guest> {
        let digest = digest(token);
        self.read(|known| {
            let kept = known.by_name.get(known.by_token.get(&digest)?)?;
            same(&digest, &kept.token).then(|| guest(&kept.name))
        })
    }

    /// The guest of this name, in any case, with or without `@`.
    pub fn find(&self, name: &str) -> Option<Guest> {
        let name = name.strip_prefix('@').unwrap_or(name);
        self.read(|known| known.named(name).map(|kept| guest(&kept.name)))
    }

    /// Names that begin so, in order.
    pub fn names(&self, start: &str, most: usize) -> Vec<String> {
        let start = fold(start);
        self.read(|known| {
            let from = known.by_name.range(start.clone()..);
            let fitting = from.take_while(|(name, _)| name.starts_with(&start));
            fitting.take(most).map(|(_, kept)| kept.name.clone()).collect()
        })
    }

    fn read<T>(&self, look: impl FnOnce(&Known) -> T) -> T {
        look(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<T>(&self, change: impl FnOnce(&mut Known) -> T) -> T {
        change(&mut self.known.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl People for Guests {
    fn find(&self, word: &str) -> Option<PlayerId> {
        Self::find(self, word).map(|guest| guest.id)
    }
}

fn guest(name: &str) -> Guest {
    Guest {
        id: PlayerId::new(PLATFORM, name),
        name: name.to_owned(),
    }
}

fn key(name: &str) -> Vec<u8> {
    [PREFIX, fold(name).as_bytes()].concat()
}

fn digest(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Whether two digests are the same, in a time that does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    let differing = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_compared_as_a_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd"));
        assert!(!same("abc", "abcd"));
        assert!(!same("abc", ""));
    }
}
