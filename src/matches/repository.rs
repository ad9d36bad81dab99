//! Where everything lies in the store: keys, and values as JSON.
//!
//! Keys of several parts put a zero byte between them; no part holds one.
//!
//! A match that is over is folded into one value ([`super::archive`]). Whoever reads a match or its log does not see
//! where it lies.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::archive::{self, Folded};
use super::code::Code;
use super::community::{CommunitySettings, RoomCommunity};
use super::delivery::{Delivery, To};
use super::hours::Hours;
use super::lists::Lists;
use super::notes::{Notes, NotesOf};
use super::people::{CommunityId, Person, PlayerId, RoomId};
use super::port::{Batch, Fault, Row, Space, Store};
use super::state::{LogEntry, Match, Stage};
use super::time::{Span, TableTime, Time};

/// The most rows that one listing reads.
const MOST_ROWS: usize = 10_000;

/// How long an event of a platform is remembered as handled. Platforms repeat within minutes.
pub const HANDLED_FOR: Span = Span::days(8);

/// Typed access to a store.
#[derive(Clone, Copy)]
pub struct Repository<'a>(pub &'a dyn Store);

impl std::fmt::Debug for Repository<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Repository")
    }
}

impl Repository<'_> {
    pub fn find(self, code: &Code) -> Result<Option<Match>, Fault> {
        let row = self.0.get(Space::Matches, code.as_str().as_bytes())?;
        match row {
            Some(row) if row == FORGOTTEN => Ok(None),
            Some(row) => decode(&row).map(Some),
            None => {
                let folded = self.0.get(Space::Archive, code.as_str().as_bytes())?;
                folded.map(|folded| archive::unpack_match(&folded)).transpose()
            }
        }
    }

    /// The first entries of a match's log.
    pub fn log(self, code: &Code, entries: u32) -> Result<Vec<LogEntry>, Fault> {
        self.log_part(code, 0..entries)
    }

    /// Some entries of a match's log, by their numbers.
    pub fn log_part(self, code: &Code, part: Range<u32>) -> Result<Vec<LogEntry>, Fault> {
        if part.is_empty() {
            return Ok(Vec::new());
        }
        let (first, last) = (log_key(code, part.start), log_key(code, part.end - 1));
        let rows = self.0.scan(Space::Log, &first..=&last, part.len())?;
        // Whoever has read the match before it ended may ask for its log when it is folded.
        if rows.is_empty()
            && let Some(folded) = self.folded(code)?
        {
            let log = folded.log.into_owned().into_iter();
            return Ok(log.skip(part.start as usize).take(part.len()).collect());
        }
        rows.iter().map(|(_, value)| decode(value)).collect()
    }

    fn folded(self, code: &Code) -> Result<Option<Folded<'static>>, Fault> {
        let value = self.0.get(Space::Archive, code.as_str().as_bytes())?;
        value.map(|value| Folded::unpack(&value)).transpose()
    }

    /// Whether a code stands for a match, or ever stood for one.
    pub fn is_used(self, code: &Code) -> Result<bool, Fault> {
        for space in [Space::Matches, Space::Archive] {
            if self.0.get(space, code.as_str().as_bytes())?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tables from this code on, in the order of their codes, that may have to be put away: matches that are over and
    /// lie where running ones do, and tables that were called off. With the code from which to go on, unless that was
    /// all. At most `limit` are looked at.
    pub fn to_put_away(self, from: &[u8], limit: usize) -> Result<(Vec<Code>, Option<Vec<u8>>), Fault> {
        let rows = self.0.scan(Space::Matches, from..=&[0xff; 16], limit)?;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|(key, _)| [key, &[0][..]].concat());
        let mut codes = Vec::new();
        for (key, row) in rows.iter().filter(|(_, row)| row != FORGOTTEN) {
            // What can't be read is left as it is.
            let done = match decode::<Glance>(row).map(|glance| glance.stage) {
                Ok(StageName::Over(_) | StageName::CalledOff(_)) => true,
                Ok(StageName::Open(_) | StageName::Running(_)) | Err(_) => false,
            };
            let code = std::str::from_utf8(key).ok().and_then(|code| code.parse().ok());
            codes.extend(code.filter(|_| done));
        }
        Ok((codes, next))
    }

    /// Writes a match that is over, with all that finds it again, as one value; what lay elsewhere goes. `before` is what
    /// stood there, `news` what its log gains.
    pub fn fold(
        self,
        batch: &mut Batch,
        before: Option<&Match>,
        after: &Match,
        news: &[LogEntry],
    ) -> Result<(), Fault> {
        let code = after.code.as_str().as_bytes();
        let entries = before.and_then(Match::play).map_or(0, |play| play.entries);
        let mut log = self.log(&after.code, entries)?;
        log.extend_from_slice(news);
        let folded = Folded {
            the_match: Cow::Borrowed(after),
            log: Cow::Owned(log),
        };
        batch.put(Space::Archive, code, folded.pack()?);
        batch.delete(Space::Matches, code);
        let (first, last) = (log_key(&after.code, 0), log_key(&after.code, u32::MAX));
        for (key, _) in self.0.scan(Space::Log, &first..=&last, usize::MAX)? {
            batch.delete(Space::Log, key);
        }
        put_index(batch, before, after);
        Ok(())
    }

    pub fn person(self, player: &PlayerId) -> Result<Option<Person>, Fault> {
        self.read(Space::People, player.as_str().as_bytes())
    }

    /// The community to which a room belongs, if anybody said so.
    pub fn room_community(self, room: &RoomId) -> Result<Option<RoomCommunity>, Fault> {
        self.read(Space::Rooms, &joined(&[ROOM, room.as_str().as_bytes()]))
    }

    pub fn community_settings(self, community: &CommunityId) -> Result<Option<CommunitySettings>, Fault> {
        self.read(Space::Rooms, &joined(&[COMMUNITY, community.as_str().as_bytes()]))
    }

    /// The lists that a player has built for a game.
    pub fn lists(self, player: &PlayerId, game: &str) -> Result<Lists, Fault> {
        Ok(self
            .read(Space::People, &lists_key(player, game))?
            .unwrap_or_default())
    }

    /// What is kept of the review of a match, as it is written; see [`decode`].
    pub fn review(self, code: &Code) -> Result<Option<Vec<u8>>, Fault> {
        self.0.get(Space::Archive, &review_key(code))
    }

    /// What a player has noted on a match.
    pub fn notes(self, of: NotesOf<'_>) -> Result<Notes, Fault> {
        Ok(self.read(Space::People, &notes_key(of))?.unwrap_or_default())
    }

    /// Codes of the matches of a player that are open or running.
    pub fn alive_of(self, player: &PlayerId) -> Result<Vec<Code>, Fault> {
        self.codes(Space::ByPlayer, player.as_str(), ALIVE, MOST_ROWS)
    }

    /// Codes of the matches of a player that are over, the latest first; at most `limit`.
    pub fn finished_of(self, player: &PlayerId, limit: usize) -> Result<Vec<Code>, Fault> {
        self.codes(Space::ByPlayer, player.as_str(), DONE, limit)
    }

    /// Codes of the matches of a room that are open or running, or were until it could no longer be reached.
    pub fn alive_in(self, room: &RoomId) -> Result<Vec<Code>, Fault> {
        self.codes(Space::ByRoom, room.as_str(), ALIVE, MOST_ROWS)
    }

    fn codes(self, space: Space, owner: &str, wanted: &[u8], limit: usize) -> Result<Vec<Code>, Fault> {
        let rows = self.under(space, &joined(&[owner.as_bytes(), wanted, b""]), limit)?;
        let code = |(key, _): &Row| {
            let code = key
                .rsplit(|&byte| byte == 0)
                .next()
                .and_then(|code| std::str::from_utf8(code).ok());
            code.and_then(|code| code.parse().ok())
        };
        Ok(rows.iter().filter_map(code).collect())
    }

    /// Matches that need attention by now, platform by platform, the most urgent first. `now` tells the table time of a
    /// platform.
    pub fn due(self, now: impl Fn(&str) -> TableTime) -> Result<Vec<DueRow>, Fault> {
        let mut due = Vec::new();
        for platform in self.timed_platforms()? {
            let first = wake_prefix(&platform);
            let last = [&first[..], &now(&platform).0.to_be_bytes(), &[0xff]].concat();
            let rows = self.0.scan(Space::Deadlines, &first..=&last, MOST_ROWS)?;
            let row = |(key, _): Row| {
                let code = key.get(first.len() + 9..)?;
                let code = std::str::from_utf8(code).ok()?.parse().ok()?;
                Some(DueRow { key, code })
            };
            due.extend(rows.into_iter().filter_map(row));
        }
        Ok(due)
    }

    /// How long it takes until the next match needs attention, of those that don't need it now.
    pub fn next_wake(self, hours: &Hours, now: Time) -> Result<Option<Span>, Fault> {
        let mut soonest = None;
        for platform in self.timed_platforms()? {
            if hours.is_lost(&platform) {
                continue;
            }
            let prefix = wake_prefix(&platform);
            let now = hours.now_at(&platform, now);
            let first = [&prefix[..], &now.0.to_be_bytes(), &[0xff]].concat();
            // The first byte of a moment is zero, for the next two million years.
            let last = [&prefix[..], &[0], &[0xff; 8]].concat();
            let rows = self.0.scan(Space::Deadlines, &first..=&last, 1)?;
            let wake = rows.first().and_then(|(key, _)| {
                let moment = key.get(prefix.len()..prefix.len() + 8)?.try_into().ok()?;
                Some(TableTime(u64::from_be_bytes(moment)).since(now))
            });
            soonest = [soonest, wake].into_iter().flatten().min();
        }
        Ok(soonest)
    }

    /// The platforms on which a match will need attention. The first, without a name, holds the rows of earlier versions,
    /// which had one table time for all.
    fn timed_platforms(self) -> Result<Vec<String>, Fault> {
        let mut platforms = vec![String::new()];
        let mut first = vec![1];
        while let Some((key, _)) = self
            .0
            .scan(Space::Deadlines, &first[..]..=&[0xff; 9][..], 1)?
            .pop()
        {
            let Some(platform) = queue_of_key(&key) else { break };
            platforms.push(platform.to_owned());
            first = [platform.as_bytes(), &[1]].concat();
        }
        Ok(platforms)
    }

    /// Whether an event that somebody caused has been handled.
    pub fn was_handled(self, who: &PlayerId, event: &str) -> Result<bool, Fault> {
        for key in [event_key(who, event), old_event_key(who, event)] {
            if self.0.get(Space::Handled, &key)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What was handled before a moment, oldest first; at most `limit`. Each with the keys to forget it.
    pub fn handled_before(self, moment: Time, limit: usize) -> Result<Vec<[Vec<u8>; 2]>, Fault> {
        let last = joined(&[BY_TIME, &moment.0.to_be_bytes()]);
        let rows = self.0.scan(Space::Handled, BY_TIME..=&last[..], limit)?;
        let keys = |(by_time, old): Row| {
            let named = by_time.get(BY_TIME.len() + 10..).unwrap_or_default().to_vec();
            let event = if old.is_empty() { named } else { old };
            [by_time, event]
        };
        Ok(rows.into_iter().map(keys).collect())
    }

    /// How many events are noted as handled, from one of them on; with the one from which to go on, unless that was all.
    /// At most `limit` are counted.
    pub fn count_handled(
        self,
        from: Option<Vec<u8>>,
        limit: usize,
    ) -> Result<(usize, Option<Vec<u8>>), Fault> {
        let from = from.unwrap_or_else(|| BY_TIME.to_vec());
        let rows = self
            .0
            .scan(Space::Handled, &from..=&joined(&[BY_TIME, &[0xff; 16]]), limit)?;
        let next = rows.last().filter(|_| rows.len() == limit);
        Ok((rows.len(), next.map(|(key, _)| [key, &[0][..]].concat())))
    }

    /// The first deliveries of a queue that are not done, in the order in which they were made, as they are written;
    /// see [`decode`].
    pub fn undelivered(self, queue: &str, limit: usize) -> Result<Vec<Row>, Fault> {
        self.under(Space::Outbox, &joined(&[queue.as_bytes(), b""]), limit)
    }

    /// The queues of a platform in which something waits. It costs as much as there are queues, however much waits.
    pub fn queues(self, platform: &str) -> Result<Vec<String>, Fault> {
        let mut queues = Vec::new();
        for kind in [ROOM_QUEUE, PLAYER_QUEUE] {
            let mut first = format!("{kind} {platform}:").into_bytes();
            let last = [&first[..], &[0xff; 16]].concat();
            while let Some((key, _)) = self.0.scan(Space::Outbox, &first..=&last, 1)?.pop() {
                let Some(name) = queue_of_key(&key) else { break };
                queues.push(name.to_owned());
                // Past everything that waits in this queue.
                first = [name.as_bytes(), &[1]].concat();
            }
        }
        Ok(queues)
    }

    /// Everything that is not delivered, in the order in which it was made; at most `limit`. For those who look after
    /// the bot, and for tests: it costs as much as there is.
    pub fn all_undelivered(self, limit: usize) -> Result<Vec<Row>, Fault> {
        let mut rows = self.0.scan(Space::Outbox, &b""[..]..=&[0xff; 16][..], limit)?;
        rows.sort_by_key(|(key, _)| key.last_chunk::<8>().copied());
        Ok(rows)
    }

    /// What waits to be delivered, by platform. Beyond `most` a platform's deliveries are not counted: so one that is away
    /// for long makes this no slower, and hides nothing of the others. It costs as much as there are queues, besides.
    pub fn backlog(self, most: usize) -> Result<BTreeMap<String, Backlog>, Fault> {
        let mut backlogs = BTreeMap::new();
        for platform in self.platforms_waited_for()? {
            let mut backlog = Backlog::default();
            for queue in self.queues(&platform)? {
                let left = most.saturating_sub(backlog.waiting);
                // The first of a queue is its oldest, counted or not.
                let rows = self.undelivered(&queue, left.max(1))?;
                backlog.waiting += rows.len().min(left);
                let first = rows.first().and_then(|(_, written)| decode(written).ok());
                let oldest = first.map(|Delivery { at, .. }| at);
                backlog.oldest = [backlog.oldest, oldest].into_iter().flatten().min();
            }
            backlogs.insert(platform, backlog);
        }
        Ok(backlogs)
    }

    /// The platforms to which something is to be delivered.
    fn platforms_waited_for(self) -> Result<BTreeSet<String>, Fault> {
        let mut platforms = BTreeSet::new();
        for kind in [ROOM_QUEUE, PLAYER_QUEUE] {
            let mut first = format!("{kind} ").into_bytes();
            let last = [&first[..], &[0xff; 16]].concat();
            while let Some((key, _)) = self.0.scan(Space::Outbox, &first..=&last, 1)?.pop() {
                let place = queue_of_key(&key).and_then(|queue| queue.split_once(' '));
                let Some((platform, _)) = place.and_then(|(_, place)| place.split_once(':')) else {
                    break;
                };
                platforms.insert(platform.to_owned());
                // Past everything that waits for this platform: the sign after a colon.
                first = format!("{kind} {platform};").into_bytes();
            }
        }
        Ok(platforms)
    }

    /// How many matches gather players or are played. It costs as much as there are players.
    pub fn count_alive(self) -> Result<usize, Fault> {
        let mut alive: HashSet<Vec<u8>> = HashSet::new();
        let mut first = Vec::new();
        while let Some((key, _)) = self.0.scan(Space::ByPlayer, &first..=&[0xff; 16][..], 1)?.pop() {
            let end = key.iter().position(|byte| *byte == 0).unwrap_or(key.len());
            let player = key.get(..end).unwrap_or_default();
            let rows = self.under(Space::ByPlayer, &joined(&[player, ALIVE, b""]), MOST_ROWS)?;
            let codes = rows
                .iter()
                .filter_map(|(key, _)| key.rsplit(|&byte| byte == 0).next());
            alive.extend(codes.map(<[u8]>::to_vec));
            // Past everything of this player.
            first = [player, &[1]].concat();
        }
        Ok(alive.len())
    }

    /// Deliveries of earlier versions that lie elsewhere than those of today, at most about so many: those that had no
    /// queues, whose keys are their numbers, and those of rooms whose matches shared one queue. It costs as much as there are
    /// queues of rooms.
    pub(super) fn unsorted_deliveries(self, limit: usize) -> Result<Vec<Row>, Fault> {
        let mut unsorted = self
            .0
            .scan(Space::Outbox, &b""[..]..=&[0, 0xff, 0xff][..], limit)?;
        let mut first = format!("{ROOM_QUEUE} ").into_bytes();
        let last = [&first[..], &[0xff; 16]].concat();
        while unsorted.len() < limit
            && let Some((key, written)) = self.0.scan(Space::Outbox, &first..=&last, 1)?.pop()
            && let Some(name) = queue_of_key(&key)
        {
            // All that lies in a queue came there in the same way.
            let sorted = decode::<Delivery>(&written)
                .is_ok_and(|delivery| queue(&delivery.to, &delivery.code) == name);
            if !sorted {
                unsorted.extend(self.undelivered(name, limit - unsorted.len())?);
            }
            first = [name.as_bytes(), &[1]].concat();
        }
        Ok(unsorted)
    }

    pub(super) fn read<T: DeserializeOwned>(self, space: Space, key: &[u8]) -> Result<Option<T>, Fault> {
        self.0.get(space, key)?.map(|value| decode(&value)).transpose()
    }

    fn under(self, space: Space, prefix: &[u8], limit: usize) -> Result<Vec<Row>, Fault> {
        let mut last = prefix.to_vec();
        last.extend([0xff; 16]);
        self.0.scan(space, prefix..=&last, limit)
    }
}

/// What waits to be delivered to a platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    pub waiting: usize,
    /// When the oldest of it was made.
    pub oldest: Option<Time>,
}

/// What lies under a player or a room comes in two lots, so that those who have played a thousand matches
/// find their running ones at once.
const ALIVE: &[u8] = b"alive";
const DONE: &[u8] = b"done";

/// What is left of a table that was called off and forgotten: its code, which is given to no other.
const FORGOTTEN: &[u8] = b"";

/// Whether a row of a match says no more than that its code was used.
pub fn is_forgotten(row: &[u8]) -> bool {
    row == FORGOTTEN
}

/// As much of a match as tells where in its life it is.
#[derive(Deserialize)]
struct Glance {
    #[serde(rename = "phase")]
    stage: StageName,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum StageName {
    Open(IgnoredAny),
    Running(IgnoredAny),
    Over(IgnoredAny),
    CalledOff(IgnoredAny),
}

/// Forgets a table that was called off, but for its code.
pub fn forget_called_off(batch: &mut Batch, code: &Code) {
    batch.put(Space::Matches, code.as_str().as_bytes(), FORGOTTEN);
}

/// Writes a match that is not over, with all that finds it again. `before` is what stood there.
pub fn put_match(batch: &mut Batch, before: Option<&Match>, after: &Match) -> Result<(), Fault> {
    batch.put(Space::Matches, after.code.as_str().as_bytes(), encode(after)?);
    put_index(batch, before, after);
    Ok(())
}

/// Writes all rows by which a match is found, whatever there is of them.
pub fn reindex(batch: &mut Batch, the_match: &Match) {
    put_index(batch, None, the_match);
}

fn put_index(batch: &mut Batch, before: Option<&Match>, after: &Match) {
    let old = before.map(index_of).unwrap_or_default();
    let new = index_of(after);
    for (space, key) in old.iter().filter(|row| !new.contains(row)) {
        batch.delete(*space, key.clone());
    }
    for (space, key) in new.iter().filter(|row| !old.contains(row)) {
        batch.put(*space, key.clone(), b"");
    }
}

/// The rows by which a match is found: when it needs attention, whose it is, where it is played. One that
/// never began is found by its code alone.
fn index_of(the_match: &Match) -> Vec<(Space, Vec<u8>)> {
    let code = the_match.code.as_str().as_bytes();
    let latest_first;
    let lot: &[&[u8]] = match &the_match.stage {
        Stage::Open(_) | Stage::Running(_) => &[ALIVE, code],
        Stage::Over(_, ending) => {
            latest_first = (u64::MAX - ending.at.0).to_be_bytes();
            &[DONE, &latest_first, code]
        }
        Stage::CalledOff(_) => return Vec::new(),
    };
    let key = |owner: &str| joined(&[&[owner.as_bytes()], lot].concat());
    let people = the_match.people();
    let people = people
        .iter()
        .map(|player| (Space::ByPlayer, key(player.as_str())));
    // A room that can't be reached for the moment has to find its matches when it is back.
    let rooms = (the_match.rooms.iter())
        .chain(&the_match.lost_rooms)
        .map(|room| (Space::ByRoom, key(room.as_str())));
    let wakes = wake_keys(the_match)
        .into_iter()
        .map(|key| (Space::Deadlines, key));
    people.chain(rooms).chain(wakes).collect()
}

/// A match that needs attention, and the row that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRow {
    key: Vec<u8>,
    pub code: Code,
}

/// Replaces a row that was due by those that its match has now. Nothing, if it is one of them.
///
/// Rows of earlier versions are no longer written, and come here when they are due.
pub(super) fn mend_wakes(row: &DueRow, the_match: &Match) -> Option<Batch> {
    let keys = wake_keys(the_match);
    if keys.contains(&row.key) {
        return None;
    }
    let mut batch = Batch::new();
    batch.delete(Space::Deadlines, row.key.clone());
    for key in keys {
        batch.put(Space::Deadlines, key, b"");
    }
    Some(batch)
}

fn wake_keys(the_match: &Match) -> Vec<Vec<u8>> {
    let wakes = the_match.wakes().into_iter();
    let key = |(platform, wake): (&str, TableTime)| {
        let code = the_match.code.as_str().as_bytes();
        [&wake_prefix(platform)[..], &wake.0.to_be_bytes(), &[0], code].concat()
    };
    wakes.map(key).collect()
}

/// What the rows of a platform begin with. Those of earlier versions began with the moment, whose first byte is zero.
fn wake_prefix(platform: &str) -> Vec<u8> {
    match platform {
        "" => Vec::new(),
        platform => joined(&[platform.as_bytes(), b""]),
    }
}

pub fn put_log(batch: &mut Batch, code: &Code, number: u32, entry: &LogEntry) -> Result<(), Fault> {
    batch.put(Space::Log, log_key(code, number), encode(entry)?);
    Ok(())
}

pub fn put_person(batch: &mut Batch, player: &PlayerId, person: &Person) -> Result<(), Fault> {
    batch.put(Space::People, player.as_str().as_bytes(), encode(person)?);
    Ok(())
}

/// What is kept of rooms lies beside the local room's messages, which have a prefix of their own.
const ROOM: &[u8] = b"room";
/// A community, under the name that it had when the first store was written.
const COMMUNITY: &[u8] = b"house";

pub fn put_room_community(
    batch: &mut Batch,
    room: &RoomId,
    room_community: &RoomCommunity,
) -> Result<(), Fault> {
    let key = joined(&[ROOM, room.as_str().as_bytes()]);
    batch.put(Space::Rooms, key, encode(room_community)?);
    Ok(())
}

pub fn put_community_settings(
    batch: &mut Batch,
    community: &CommunityId,
    rules: &CommunitySettings,
) -> Result<(), Fault> {
    let key = joined(&[COMMUNITY, community.as_str().as_bytes()]);
    batch.put(Space::Rooms, key, encode(rules)?);
    Ok(())
}

pub fn put_lists(batch: &mut Batch, player: &PlayerId, game: &str, lists: &Lists) -> Result<(), Fault> {
    batch.put(Space::People, lists_key(player, game), encode(lists)?);
    Ok(())
}

/// Beside the player, whose own key has no zero byte in it.
fn lists_key(player: &PlayerId, game: &str) -> Vec<u8> {
    joined(&[player.as_str().as_bytes(), b"lists", game.as_bytes()])
}

pub fn put_review(batch: &mut Batch, code: &Code, review: &impl Serialize) -> Result<(), Fault> {
    batch.put(Space::Archive, review_key(code), encode(review)?);
    Ok(())
}

/// Beside the match, whose own key has no zero byte in it.
fn review_key(code: &Code) -> Vec<u8> {
    joined(&[code.as_str().as_bytes(), b"review"])
}

pub fn put_notes(batch: &mut Batch, of: NotesOf<'_>, notes: &Notes) -> Result<(), Fault> {
    batch.put(Space::People, notes_key(of), encode(notes)?);
    Ok(())
}

/// Beside the player's lists.
fn notes_key(of: NotesOf<'_>) -> Vec<u8> {
    joined(&[
        of.player.as_str().as_bytes(),
        b"notes",
        of.code.as_str().as_bytes(),
    ])
}

/// Notes that an event has been handled: once to be asked, once to be forgotten in time.
pub fn put_handled(batch: &mut Batch, who: &PlayerId, event: &str, now: Time) {
    let key = event_key(who, event);
    let by_time = joined(&[BY_TIME, &now.0.to_be_bytes(), &key]);
    batch.put(Space::Handled, key, b"");
    batch.put(Space::Handled, by_time, b"");
}

/// Keys of the second kind begin with this.
const BY_TIME: &[u8] = b"\0";

/// Keys of the first kind begin with this.
const BY_NAME: u8 = 1;

/// Platforms name their events as they like, so those of one player are kept apart from all others'. Names are long and
/// looked up only, so the first half of their SHA-256 stands for them.
fn event_key(who: &PlayerId, event: &str) -> Vec<u8> {
    let digest = Sha256::digest(old_event_key(who, event));
    [&[BY_NAME], &digest[..16]].concat()
}

/// Earlier versions wrote names out: beginning with a player, whose colon no key of ours has there, and once more as the
/// value of the second kind.
fn old_event_key(who: &PlayerId, event: &str) -> Vec<u8> {
    joined(&[who.as_str().as_bytes(), event.as_bytes()])
}

/// Puts a delivery last in its queue. `number` grows with every delivery of this store.
pub fn put_delivery(batch: &mut Batch, number: u64, delivery: &Delivery) -> Result<(), Fault> {
    let key = delivery_key(&queue(&delivery.to, &delivery.code), number.to_be_bytes());
    batch.put(Space::Outbox, key, encode(delivery)?);
    Ok(())
}

/// Moves a delivery to its queue, in its order there. One that can't be read is put out of the way, as it is.
pub(super) fn sort_delivery(batch: &mut Batch, key: &[u8], written: &[u8]) {
    let queue =
        decode::<Delivery>(written).map_or_else(|_| UNREADABLE.to_owned(), |old| queue(&old.to, &old.code));
    let number = key.last_chunk().copied().unwrap_or_default();
    batch.delete(Space::Outbox, key);
    batch.put(Space::Outbox, delivery_key(&queue, number), written);
}

/// Numbers hold zero bytes, so the queue comes first: nothing in its name is one.
fn delivery_key(queue: &str, number: [u8; 8]) -> Vec<u8> {
    joined(&[queue.as_bytes(), &number])
}

fn queue_of_key(key: &[u8]) -> Option<&str> {
    let end = key.iter().position(|byte| *byte == 0)?;
    std::str::from_utf8(&key[..end]).ok()
}

/// What the names of queues begin with.
const ROOM_QUEUE: &str = "room";
const PLAYER_QUEUE: &str = "player";
const UNREADABLE: &str = "unreadable";

/// What deliveries must keep their order among themselves: those of a match in a room, and those to a player.
pub fn queue(to: &To, code: &Code) -> String {
    match to {
        To::Room(_) => format!("{} {code}", place(to)),
        To::Player(_) => place(to),
    }
}

/// What the names of all queues of a place begin with, behind which comes nothing or a space.
pub fn place(to: &To) -> String {
    match to {
        To::Room(room) => format!("{ROOM_QUEUE} {room}"),
        To::Player(player) => format!("{PLAYER_QUEUE} {player}"),
    }
}

fn log_key(code: &Code, number: u32) -> Vec<u8> {
    joined(&[code.as_str().as_bytes(), &number.to_be_bytes()])
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(&0)
}

pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::new("writing a value for the store", error))
}

pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(bytes).map_err(|error| Fault::new("reading a value from the store", error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::port::Write;

    /// What is in stores stays where it was.
    #[test]
    fn rooms_and_communities_are_kept_where_they_always_were() {
        let community = CommunityId::new("discord", "7");
        let room = RoomId::new("discord", "8");
        let mut batch = Batch::new();
        put_community_settings(&mut batch, &community, &CommunitySettings::default()).unwrap();
        let belongs = RoomCommunity {
            community,
            within: None,
        };
        put_room_community(&mut batch, &room, &belongs).unwrap();
        let kept: Vec<(String, String)> = batch
            .0
            .into_iter()
            .map(|write| match write {
                Write::Put { key, value, .. } => {
                    (String::from_utf8(key).unwrap(), String::from_utf8(value).unwrap())
                }
                Write::Delete { .. } => panic!("nothing is deleted"),
            })
            .collect();
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            kept,
            [
                pair("house\0discord:7", r#"{"options":{},"rooms":[],"threads":false}"#),
                pair("room\0discord:8", r#"{"house":"discord:7"}"#),
            ]
        );
    }
}
