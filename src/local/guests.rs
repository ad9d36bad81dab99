//! The guests of the local room: a name, and a token that proves it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::PLATFORM;
use super::problem::Problem;
use crate::chat::command::People;
use crate::matches::people::PlayerId;
use crate::matches::port::{Batch, Entropy, Fault, Space, Store};
use crate::matches::repository::{decode, encode};
use crate::matches::time::Time;
use crate::text::{hex, is_invisible};

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 24;

/// Under which keys guests are kept in [`Space::Adapters`]. The rest of the key is the folded name.
const PREFIX: &[u8] = b"local\0guest\0";

/// The most guests that are read at the start.
const MOST_GUESTS: usize = 100_000;

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
    by_name: HashMap<String, Kept>,
    /// From the digest of a token to the folded name.
    by_token: HashMap<String, String>,
}

impl Known {
    fn insert(&mut self, kept: Kept) {
        let folded = fold(&kept.name);
        self.by_token.insert(kept.token.clone(), folded.clone());
        self.by_name.insert(folded, kept);
    }
}

impl Guests {
    pub fn open(store: Arc<dyn Store>) -> Result<Self, Fault> {
        let last = [PREFIX, &[0xff; 4]].concat();
        let mut known = Known::default();
        for (_, value) in store.scan(Space::Adapters, PREFIX..=&last, MOST_GUESTS)? {
            known.insert(decode(&value)?);
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

    /// Gives a name to a newcomer, or lets a known guest in who has the token.
    pub async fn admit(
        &self,
        name: &str,
        token: Option<&str>,
        entropy: &dyn Entropy,
        now: Time,
    ) -> Result<Admitted, Problem> {
        check_name(name)?;
        let _door = self.door.lock().await;
        if let Some(kept) = self.read(|known| known.by_name.get(&fold(name)).cloned()) {
            return match token {
                Some(token) if same(&digest(token), &kept.token) => Ok(Admitted {
                    guest: guest(&kept.name),
                    token: token.to_owned(),
                }),
                _ => Err(Problem::name_taken(&kept.name)),
            };
        }
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes)?;
        let token = hex(&bytes);
        let kept = Kept {
            name: name.to_owned(),
            token: digest(&token),
            since: now,
        };
        let mut batch = Batch::new();
        let key = [PREFIX, fold(name).as_bytes()].concat();
        batch.put(Space::Adapters, key, encode(&kept)?);
        self.store.commit(batch).await?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(kept);
        Ok(Admitted {
            guest: guest(name),
            token,
        })
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
        let folded = fold(name.strip_prefix('@').unwrap_or(name));
        self.read(|known| known.by_name.get(&folded).map(|kept| guest(&kept.name)))
    }

    /// Names that begin so, in order.
    pub fn names(&self, start: &str, most: usize) -> Vec<String> {
        let start = fold(start);
        let mut names: Vec<String> = self.read(|known| {
            let fitting = known.by_name.iter().filter(|(name, _)| name.starts_with(&start));
            fitting.map(|(_, kept)| kept.name.clone()).collect()
        });
        names.sort_unstable();
        names.truncate(most);
        names
    }

    fn read<T>(&self, look: impl FnOnce(&Known) -> T) -> T {
        look(&self.known.read().unwrap_or_else(PoisonError::into_inner))
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

/// Names differ by more than case.
fn fold(name: &str) -> String {
    name.to_lowercase()
}

fn check_name(name: &str) -> Result<(), Problem> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(Problem::name_length());
    }
    // A leading `@` or `#` would read as something else in a command, and so would `me`.
    let misread = name.starts_with(['@', '#', '/', '!']) || name.eq_ignore_ascii_case("me");
    if misread || name.chars().any(is_unseen) {
        return Err(Problem::name_letters());
    }
    Ok(())
}

/// With what can't be seen, two names could look alike; what is for private use looks like anything.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || is_invisible(c) || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{ffff}')
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
    fn names_can_be_seen_and_typed() {
        for good in ["Ann", "Zoë", "李雷", "ann-2", "<b>x</b>", "O'Neil", "🙂"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "two words",
            "tab\t",
            "nul\0",
            "@ann",
            "#ann",
            "me",
            "Me",
            "a\u{200b}nn",
            "\u{202e}nna",
            "abcdefghijklmnopqrstuvwxy",
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn digests_are_compared_as_a_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd"));
        assert!(!same("abc", "abcd"));
        assert!(!same("abc", ""));
    }
}
