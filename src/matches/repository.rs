//! Where everything lies in the store: keys, and values as JSON.
//!
//! Keys of several parts put a zero byte between them; no part holds one.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::code::Code;
use super::community::{CommunitySettings, RoomCommunity};
use super::delivery::{Delivery, To};
use super::lists::Lists;
use super::people::{CommunityId, Person, PlayerId, RoomId};
use super::port::{Batch, Fault, Row, Space, Store};
use super::state::{LogEntry, Match, Stage};
use super::time::{Span, Time};

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
        self.read(Space::Matches, code.as_str().as_bytes())
    }

    pub fn log(self, code: &Code, entries: u32) -> Result<Vec<LogEntry>, Fault> {
        if entries == 0 {
            return Ok(Vec::new());
        }
        let (first, last) = (log_key(code, 0), log_key(code, entries - 1));
        let rows = self.0.scan(Space::Log, &first..=&last, entries as usize)?;
        rows.iter().map(|(_, value)| decode(value)).collect()
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

    /// Codes of the matches of a player that are open or running.
    pub fn alive_of(self, player: &PlayerId) -> Result<Vec<Code>, Fault> {
        self.codes(Space::ByPlayer, player.as_str(), ALIVE, MOST_ROWS)
    }

    /// Codes of the matches of a player that are over, the latest first; at most `limit`.
    pub fn finished_of(self, player: &PlayerId, limit: usize) -> Result<Vec<Code>, Fault> {
        self.codes(Space::ByPlayer, player.as_str(), DONE, limit)
    }

    /// Codes of the matches of a room that are open or running.
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

    /// Matches that need attention by `now`, the most urgent first.
    pub fn due(self, now: Time) -> Result<Vec<Code>, Fault> {
        let last = joined(&[&now.0.to_be_bytes()[..], b"\xff"]);
        let rows = self.0.scan(Space::Deadlines, &b""[..]..=&last[..], MOST_ROWS)?;
        let code = |(key, _): &Row| std::str::from_utf8(key.get(9..)?).ok()?.parse().ok();
        Ok(rows.iter().filter_map(code).collect())
    }

    /// When the next match needs attention, of those that don't need it by `now`.
    pub fn next_wake(self, now: Time) -> Result<Option<Time>, Fault> {
        let first = joined(&[&now.0.to_be_bytes()[..], b"\xff"]);
        let rows = self.0.scan(Space::Deadlines, &first[..]..=&[0xff; 9][..], 1)?;
        let time = |(key, _): &Row| Some(Time(u64::from_be_bytes(key.get(..8)?.try_into().ok()?)));
        Ok(rows.first().and_then(time))
    }

    /// Whether an event that somebody caused has been handled.
    pub fn was_handled(self, who: &PlayerId, event: &str) -> Result<bool, Fault> {
        Ok(self.0.get(Space::Handled, &event_key(who, event))?.is_some())
    }

    /// What was handled before a moment, oldest first; at most `limit`. Each with the keys to forget it.
    pub fn handled_before(self, moment: Time, limit: usize) -> Result<Vec<[Vec<u8>; 2]>, Fault> {
        let last = joined(&[BY_TIME, &moment.0.to_be_bytes()]);
        let rows = self.0.scan(Space::Handled, BY_TIME..=&last[..], limit)?;
        Ok(rows.into_iter().map(|(key, event)| [key, event]).collect())
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

    /// Deliveries of earlier versions, which had no queues: their keys are their numbers.
    pub(super) fn unsorted_deliveries(self, limit: usize) -> Result<Vec<Row>, Fault> {
        self.0.scan(Space::Outbox, &b""[..]..=&[0, 0xff, 0xff][..], limit)
    }

    fn read<T: DeserializeOwned>(self, space: Space, key: &[u8]) -> Result<Option<T>, Fault> {
        self.0.get(space, key)?.map(|value| decode(&value)).transpose()
    }

    fn under(self, space: Space, prefix: &[u8], limit: usize) -> Result<Vec<Row>, Fault> {
        let mut last = prefix.to_vec();
        last.extend([0xff; 16]);
        self.0.scan(space, prefix..=&last, limit)
    }
}

/// What lies under a player or a room comes in two lots, so that those who have played a thousand matches
/// find their running ones at once.
const ALIVE: &[u8] = b"alive";
const DONE: &[u8] = b"done";

/// Writes a match with all that finds it again. `before` is what stood there.
pub fn put_match(batch: &mut Batch, before: Option<&Match>, after: &Match) -> Result<(), Fault> {
    batch.put(Space::Matches, after.code.as_str().as_bytes(), encode(after)?);
    let old = before.map(index_of).unwrap_or_default();
    let new = index_of(after);
    for (space, key) in old.iter().filter(|row| !new.contains(row)) {
        batch.delete(*space, key.clone());
    }
    for (space, key) in new.iter().filter(|row| !old.contains(row)) {
        batch.put(*space, key.clone(), b"");
    }
    Ok(())
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
    let rooms = the_match
        .rooms
        .iter()
        .map(|room| (Space::ByRoom, key(room.as_str())));
    let wake = the_match
        .wakes()
        .map(|wake| (Space::Deadlines, wake_key(wake, &the_match.code)));
    people.chain(rooms).chain(wake).collect()
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

/// Notes that an event has been handled: once to be asked, once to be forgotten in time.
pub fn put_handled(batch: &mut Batch, who: &PlayerId, event: &str, now: Time) {
    let key = event_key(who, event);
    let by_time = joined(&[BY_TIME, &now.0.to_be_bytes(), &key]);
    batch.put(Space::Handled, key.clone(), b"");
    batch.put(Space::Handled, by_time, key);
}

/// Keys of the second kind begin with this; those of the first kind with a player, which has a colon in
/// it and so never begins so.
const BY_TIME: &[u8] = b"\0";

/// Platforms name their events as they like, so those of one player are kept apart from all others'.
fn event_key(who: &PlayerId, event: &str) -> Vec<u8> {
    joined(&[who.as_str().as_bytes(), event.as_bytes()])
}

/// Puts a delivery last in its queue. `number` grows with every delivery of this store.
pub fn put_delivery(batch: &mut Batch, number: u64, delivery: &Delivery) -> Result<(), Fault> {
    let key = delivery_key(&queue(&delivery.to), number.to_be_bytes());
    batch.put(Space::Outbox, key, encode(delivery)?);
    Ok(())
}

/// Moves a delivery that was kept under its number alone to its queue. One that can't be read is put out of the way, as
/// it is.
pub(super) fn sort_delivery(batch: &mut Batch, key: &[u8], written: &[u8]) {
    let queue = decode::<Delivery>(written).map_or_else(|_| UNREADABLE.to_owned(), |old| queue(&old.to));
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

/// What deliveries must keep their order among themselves.
pub fn queue(to: &To) -> String {
    match to {
        To::Room(room) => format!("{ROOM_QUEUE} {room}"),
        To::Player(player) => format!("{PLAYER_QUEUE} {player}"),
    }
}

fn log_key(code: &Code, number: u32) -> Vec<u8> {
    joined(&[code.as_str().as_bytes(), &number.to_be_bytes()])
}

fn wake_key(wake: Time, code: &Code) -> Vec<u8> {
    joined(&[&wake.0.to_be_bytes(), code.as_str().as_bytes()])
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
