//! Communities: rooms that the same people run, and what those people have decided for them.
//!
//! A Discord server is a community. Where a platform has no such thing, a room is a community of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::people::{CommunityId, RoomId, ThemeName};
use super::port::{Batch, Fault};
use super::refusal::{Failure, Refusal};
use super::repository;
use super::service::{Service, Wakes};
use crate::catalog;
use crate::game::{Meta, OptionValues};

/// What is known of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomCommunity {
    #[serde(rename = "house")]
    pub community: CommunityId,
    /// The room in which this one is: what is allowed there is allowed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<RoomId>,
}

/// What holds in all rooms of a community.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommunitySettings {
    /// Options that hold where nobody chooses otherwise, by game.
    pub options: BTreeMap<String, BTreeMap<String, String>>,
    /// The rooms in which matches may be opened; all of them if none is named.
    pub rooms: Vec<RoomId>,
    /// Which matches get a thread of their own, where there are threads.
    pub threads: Threads,
    /// In how many messages a turn is told.
    #[serde(skip_serializing_if = "TurnMessages::is_usual")]
    pub turn: TurnMessages,
    /// In which theme boards are drawn that several people read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<ThemeName>,
    #[serde(skip_serializing_if = "BoardSide::is_usual")]
    pub side: BoardSide,
    /// Whether anybody may watch a match of these rooms, without its players being asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub watch: bool,
}

/// In how many messages a turn is told, where a picture may have words under it but not everybody is shown them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnMessages {
    /// The picture, with all words under it.
    #[default]
    One,
    /// The picture, and then the call as a text of its own.
    Two,
}

impl TurnMessages {
    const fn is_usual(&self) -> bool {
        matches!(self, Self::One)
    }
}

/// Which matches get a thread of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredThreads", into = "StoredThreads")]
pub enum Threads {
    /// Nobody has decided: where threads cost nothing, those of games that have much to tell.
    #[default]
    ByGame,
    All,
    None,
}

/// How that is kept. Earlier versions had a switch, which was off unless somebody turned it on.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredThreads {
    Switch(bool),
    Word(String),
}

const NO_THREADS: &str = "none";

impl From<StoredThreads> for Threads {
    fn from(stored: StoredThreads) -> Self {
        match stored {
            StoredThreads::Switch(true) => Self::All,
            StoredThreads::Word(word) if word == NO_THREADS => Self::None,
            StoredThreads::Switch(false) | StoredThreads::Word(_) => Self::ByGame,
        }
    }
}

impl From<Threads> for StoredThreads {
    fn from(threads: Threads) -> Self {
        match threads {
            Threads::ByGame => Self::Switch(false),
            Threads::All => Self::Switch(true),
            Threads::None => Self::Word(NO_THREADS.to_owned()),
        }
    }
}

impl Threads {
    /// Whether a match of this game gets one.
    pub fn for_game(self, game: &Meta) -> bool {
        match self {
            Self::ByGame => game.tells_much(),
            Self::All => true,
            Self::None => false,
        }
    }
}

/// From which side boards are drawn that several people read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardSide {
    /// From the first seat's, always.
    #[default]
    First,
    /// From the side of whoever is to move.
    Mover,
}

impl BoardSide {
    const fn is_usual(&self) -> bool {
        matches!(self, Self::First)
    }
}

impl RoomId {
    /// A room as a community of its own, for platforms that have no others.
    pub fn own_community(&self) -> CommunityId {
        let (platform, id) = self.parts();
        CommunityId::new(platform, id)
    }
}

impl CommunitySettings {
    /// Whether matches may be opened in this room.
    pub fn admit(&self, room: &RoomId) -> bool {
        self.rooms.is_empty() || self.rooms.contains(room)
    }

    /// What somebody chose, and beneath it what the community has chosen. A choice that the game no longer knows is
    /// left out: it must not keep anybody from playing.
    pub fn options_for(&self, game: &str, chosen: &[(String, String)]) -> Vec<(String, String)> {
        let mut options = chosen.to_vec();
        let Ok(entry) = catalog::find(game) else {
            return options;
        };
        for (name, value) in self.options.get(entry.meta.id).into_iter().flatten() {
            let taken = chosen.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
            let known = OptionValues::choose(entry.meta.options, [(name.as_str(), value.as_str())]).is_ok();
            if !taken && known {
                options.push((name.clone(), value.clone()));
            }
        }
        options
    }
}

impl Service {
    /// Notes to which community a room belongs.
    pub async fn meet_room(&self, room: &RoomId, room_community: &RoomCommunity) -> Result<(), Fault> {
        if self.repository().room_community(room)?.as_ref() == Some(room_community) {
            return Ok(());
        }
        let mut batch = Batch::new();
        repository::put_room_community(&mut batch, room, room_community)?;
        self.store().commit(batch).await
    }

    pub fn community_settings(&self, community: &CommunityId) -> Result<CommunitySettings, Fault> {
        Ok(self
            .repository()
            .community_settings(community)?
            .unwrap_or_default())
    }

    /// What holds in a room.
    pub fn rules_in(&self, room: &RoomId) -> Result<CommunitySettings, Fault> {
        match self.repository().room_community(room)? {
            Some(room_community) => self.community_settings(&room_community.community),
            None => self.community_settings(&room.own_community()),
        }
    }

    /// What holds in a room in which matches may be opened.
    pub fn rules_for_opening(&self, room: &RoomId) -> Result<CommunitySettings, Failure> {
        let rules = self.rules_in(room)?;
        let outer = self
            .repository()
            .room_community(room)?
            .and_then(|room_community| room_community.within);
        if rules.admit(room) || outer.is_some_and(|outer| rules.admit(&outer)) {
            Ok(rules)
        } else {
            Err(Refusal::RoomClosed { open: rules.rooms }.into())
        }
    }

    /// Changes what holds in a community; returns it as it is then.
    pub async fn set_community_settings(
        &self,
        community: &CommunityId,
        change: impl FnOnce(&mut CommunitySettings),
    ) -> Result<CommunitySettings, Fault> {
        let held = vec![self.players.lock(community.as_str()).await];
        let mut rules = self.community_settings(community)?;
        change(&mut rules);
        let mut batch = Batch::new();
        repository::put_community_settings(&mut batch, community, &rules)?;
        self.commit(held, batch, Wakes::default()).await?;
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn what_a_player_chooses_goes_before_the_house() {
        let entry = catalog::games()
            .find(|entry| !entry.meta.options.is_empty())
            .unwrap();
        let spec = &entry.meta.options[0];
        let (name, value) = pair(spec.name, &spec.default_text());
        let mut rules = CommunitySettings::default();
        let of_game = rules.options.entry(entry.meta.id.to_owned()).or_default();
        of_game.insert(name.clone(), value.clone());
        of_game.insert("long-forgotten".to_owned(), "1".to_owned());
        assert_eq!(rules.options_for(entry.meta.id, &[]), [pair(&name, &value)]);
        let chosen = [pair(&name.to_uppercase(), "other")];
        assert_eq!(rules.options_for(entry.meta.id, &chosen), chosen);
    }

    #[test]
    fn a_house_that_names_no_room_admits_all() {
        let (hall, attic) = (RoomId::new("x", "hall"), RoomId::new("x", "attic"));
        let mut rules = CommunitySettings::default();
        assert!(rules.admit(&hall));
        rules.rooms.push(hall.clone());
        assert!(rules.admit(&hall) && !rules.admit(&attic));
    }
}
