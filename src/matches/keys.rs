//! Keys to matches: whoever has one looks at a match through one player's eyes, and acts for that player in that match
//! alone. Pages take them ([`crate::chat::pages`]).
//!
//! A key is 256 random bits. It is shown once, to the player who asked for it; what is kept is its SHA-256, so whoever
//! reads the store can't play with it. A key ends with the match, or when its player says so ([`Service::drop_keys`]). Only how
//! the match ended can still be looked at with it, for [`SHOWN_AFTER`].

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::code::Code;
use super::people::PlayerId;
use super::port::{Batch, Entropy, Fault, Space};
use super::repository::{Repository, encode};
use super::service::{Service, Wakes};
use super::state::{Match, Stage};
use super::time::{Span, Time};
use crate::text::hex;

/// How many keys a player may have to one match; a new one takes the place of the oldest.
const MOST_KEYS: usize = 5;

/// For so long after the end of a match its keys still show it: whoever plays on its page is to see the end there.
pub const SHOWN_AFTER: Span = Span::days(1);

/// How many keys are looked at in one portion.
const PORTION: usize = 200;

/// What a key opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatKey {
    pub code: Code,
    pub player: PlayerId,
    pub made: Time,
}

impl SeatKey {
    /// Whether it still opens its match, if there is one.
    fn opens(&self, found: Option<&Match>, now: Time) -> bool {
        match found.map(|found| &found.stage) {
            Some(Stage::Running(_) | Stage::Open(_)) => true,
            Some(Stage::Over(_, ending)) => ending.at + SHOWN_AFTER > now,
            Some(Stage::CalledOff(_)) | None => false,
        }
    }
}

/// What stands for a key in the store, in counters and in caches. The key can't be told from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key).into())
    }
}

impl KeyDigest {
    /// What tells a player's keys to a match apart, where it may be seen: no key is found by it.
    pub fn short(&self) -> String {
        hex(&self.0[..4])
    }
}

impl std::fmt::Display for KeyDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Random letters that nobody guesses.
pub(super) fn unguessable<const BYTES: usize>(entropy: &dyn Entropy) -> Result<String, Fault> {
    let mut bytes = [0; BYTES];
    entropy.fill(&mut bytes)?;
    Ok(hex(&bytes))
}

impl Match {
    /// Whether somebody may act for this player in the match, here and now.
    pub fn is_played_by(&self, player: &PlayerId) -> bool {
        let plays = |play: &super::state::Play| {
            let own = play.seats_of(player);
            own.iter().any(|seat| !play.left.contains(seat))
        };
        self.running().is_some_and(plays)
    }
}

impl Service {
    /// A new key for a player to a match.
    pub async fn make_key(&self, player: &PlayerId, code: &Code) -> Result<String, Fault> {
        let held = vec![self.players.lock(player.as_str()).await];
        let key = unguessable::<32>(self.entropy())?;
        let mut batch = Batch::new();
        let mut known = self.repository().keys_of(player, code)?;
        known.sort_by_key(|(_, made)| *made);
        let surplus = (known.len() + 1).saturating_sub(MOST_KEYS);
        for (digest, _) in known.into_iter().take(surplus) {
            delete(&mut batch, player, code, &digest);
        }
        let made = SeatKey {
            code: code.clone(),
            player: player.clone(),
            made: self.now(),
        };
        let KeyDigest(digest) = KeyDigest::of(&key);
        batch.put(Space::People, key_row(&digest), encode(&made)?);
        batch.put(
            Space::People,
            list_row(player, code, &digest),
            encode(&made.made)?,
        );
        self.commit(held, batch, Wakes::default()).await?;
        Ok(key)
    }

    /// The match that a key opens, and for whom, if it still opens one and that player still sits there.
    pub fn open_with(&self, key: &str) -> Result<Option<(Match, PlayerId)>, Fault> {
        let KeyDigest(digest) = KeyDigest::of(key);
        let known: Option<SeatKey> = self.repository().read(Space::People, &key_row(&digest))?;
        let Some(known) = known else {
            return Ok(None);
        };
        let found = self.repository().find(&known.code)?;
        let opened = found.filter(|found| known.opens(Some(found), self.now()) && found.seats(&known.player));
        Ok(opened.map(|found| (found, known.player)))
    }

    /// Ends all keys of a player to a match. How many there were.
    pub async fn drop_keys(&self, player: &PlayerId, code: &Code) -> Result<usize, Fault> {
        let held = vec![self.players.lock(player.as_str()).await];
        let known = self.repository().keys_of(player, code)?;
        let mut batch = Batch::new();
        for (digest, _) in &known {
            delete(&mut batch, player, code, digest);
        }
        if !batch.is_empty() {
            self.commit(held, batch, Wakes::default()).await?;
            // Whoever looks with one of them is to see that it is over.
            self.tell_changed(code);
        }
        Ok(known.len())
    }

    /// Forgets keys to matches that were over long ago, or are gone; a portion from one of them on. With the row from which
    /// to go on, unless that was all.
    pub(super) async fn forget_keys(&self, from: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, Fault> {
        let from = from.unwrap_or_else(|| KEYS.to_vec());
        let last = [KEYS, &[0xff; 33]].concat();
        let rows = self.store().scan(Space::People, &from..=&last, PORTION)?;
        let next = rows.last().filter(|_| rows.len() == PORTION);
        let next = next.map(|(key, _)| [key, &[0][..]].concat());
        let mut batch = Batch::new();
        for (row, value) in &rows {
            let key: SeatKey = super::repository::decode(value)?;
            let found = self.repository().find(&key.code)?;
            if !key.opens(found.as_ref(), self.now())
                && let Some(digest) = row.get(KEYS.len()..)
            {
                delete(&mut batch, &key.player, &key.code, digest);
            }
        }
        if !batch.is_empty() {
            self.store().commit(batch).await?;
        }
        Ok(next)
    }
}

impl Repository<'_> {
    /// The digests of a player's keys to a match, and when each was made.
    fn keys_of(self, player: &PlayerId, code: &Code) -> Result<Vec<(Vec<u8>, Time)>, Fault> {
        let prefix = list_row(player, code, b"");
        let last = [&prefix[..], &[0xff; 33]].concat();
        let rows = self.0.scan(Space::People, &prefix..=&last, usize::MAX)?;
        let read = |(row, value): (Vec<u8>, Vec<u8>)| {
            let digest = row.get(prefix.len()..).unwrap_or_default().to_vec();
            Ok((digest, super::repository::decode(&value)?))
        };
        rows.into_iter().map(read).collect()
    }
}

/// Before all players, none of whom is called by nothing.
const KEYS: &[u8] = b"\0key\0";

fn key_row(digest: &[u8]) -> Vec<u8> {
    [KEYS, digest].concat()
}

/// Beside the player, as their lists are.
fn list_row(player: &PlayerId, code: &Code, digest: &[u8]) -> Vec<u8> {
    [
        player.as_str().as_bytes(),
        b"keys",
        code.as_str().as_bytes(),
        digest,
    ]
    .join(&0)
}

fn delete(batch: &mut Batch, player: &PlayerId, code: &Code, digest: &[u8]) {
    batch.delete(Space::People, key_row(digest));
    batch.delete(Space::People, list_row(player, code, digest));
}
