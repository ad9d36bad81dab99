//! What there is on the stand-in: users, servers, channels, messages, interactions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::clock::Clock;
use super::faults::Faults;
use super::gateway::Sessions;
use super::permissions;
use super::ratelimit::RateLimits;

/// A snowflake.
pub type Id = u64;

/// Everything, behind one lock.
#[derive(Debug)]
pub struct Model {
    pub clock: Clock,
    pub faults: Faults,
    pub sessions: Sessions,
    pub rates: RateLimits,
    /// Private talks are opened faster than Discord likes, whatever the limits of routes say: none is opened.
    pub too_many_talks: bool,
    /// The token that is let in; none if it has been revoked.
    pub token: Option<String>,
    pub gateway_url: String,
    pub shards: u64,
    pub heartbeat_interval: Duration,
    pub bot: Id,
    pub application: Id,
    pub users: BTreeMap<Id, User>,
    pub guilds: BTreeMap<Id, Guild>,
    pub channels: BTreeMap<Id, Channel>,
    pub messages: BTreeMap<Id, Message>,
    pub interactions: BTreeMap<Id, Interaction>,
    /// The commands as they were registered, with their ids.
    pub commands: Vec<Value>,
    /// How often commands were written.
    pub registrations: usize,
    /// The message of each nonce, and when it was sent.
    pub nonces: HashMap<String, (Id, Duration)>,
    /// What was asked and how it was answered, for whoever reads a failed test.
    pub journal: Vec<String>,
    /// What the bot must never do; a test with one of these has failed.
    pub problems: Vec<String>,
    /// Answers with 401, 403 and 429: too many of them get a bot banned.
    pub invalid_requests: usize,
    /// Requests that were refused by a limit or a rule, by error code.
    pub refusals: Vec<i64>,
    last_id: u64,
}

#[derive(Clone, Debug)]
pub struct User {
    pub id: Id,
    pub username: String,
    pub global_name: Option<String>,
    pub bot: bool,
    pub dms_open: bool,
}

#[derive(Clone, Debug)]
pub struct Guild {
    pub id: Id,
    pub name: String,
    pub owner: Id,
    /// Permissions by role; the one with the guild's own id is everybody's.
    pub roles: BTreeMap<Id, u64>,
    pub members: BTreeMap<Id, Member>,
}

#[derive(Clone, Debug, Default)]
pub struct Member {
    pub nick: Option<String>,
    pub roles: Vec<Id>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    Text,
    Dm,
    PublicThread,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub id: Id,
    pub kind: ChannelKind,
    pub guild: Option<Id>,
    pub parent: Option<Id>,
    pub name: String,
    pub overwrites: Vec<Overwrite>,
    /// With whom the bot talks, in a private channel.
    pub recipient: Option<Id>,
    pub archived: bool,
    pub locked: bool,
    pub thread_members: BTreeSet<Id>,
}

/// What a role or a member may do in one channel.
#[derive(Clone, Debug)]
pub struct Overwrite {
    pub id: Id,
    pub allow: u64,
    pub deny: u64,
}

#[derive(Clone, Debug)]
pub struct Attachment {
    pub id: Id,
    pub name: String,
    pub alt: Option<String>,
    pub bytes: Arc<[u8]>,
}

/// A message, as it is now and as it has been.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: Id,
    pub channel: Id,
    pub author: Id,
    /// When it was posted in a channel, on the stand-in's clock.
    pub at: Duration,
    pub content: String,
    pub embeds: Vec<Value>,
    pub attachments: Vec<Attachment>,
    pub components: Vec<Value>,
    pub flags: u64,
    pub nonce: Option<String>,
    /// Who was notified when it came.
    pub pinged: Vec<Id>,
    pub pinged_everyone: bool,
    /// The only one who sees it.
    pub only_for: Option<Id>,
    pub interaction: Option<Id>,
    /// "The bot is thinking …"
    pub loading: bool,
    pub deleted: bool,
    /// Everything that it ever said, one entry for each edit.
    pub revisions: Vec<String>,
}

/// The ways to use a command or a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InteractionKind {
    Command,
    Component,
    Autocomplete,
    Modal,
}

#[derive(Clone, Debug)]
pub struct Interaction {
    pub id: Id,
    pub token: String,
    pub kind: InteractionKind,
    pub user: Id,
    pub channel: Id,
    /// The message whose component was used.
    pub message: Option<Id>,
    pub at: Duration,
    /// When the first answer came, on the stand-in's clock, and of which type.
    pub first: Option<(Duration, u64)>,
    pub ephemeral: bool,
    pub original: Option<Id>,
    /// Messages written or edited with its token, in order.
    pub answers: Vec<Id>,
    pub choices: Vec<Value>,
    pub modal: Option<Value>,
    /// What the bot was told.
    pub told: Value,
}

/// How long a first answer may take.
pub const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// How long an interaction's token lives.
pub const TOKEN_LIFE: Duration = Duration::from_secs(15 * 60);
/// How long a nonce is remembered.
pub const NONCE_LIFE: Duration = Duration::from_secs(5 * 60);
/// Seen by one user only.
pub const EPHEMERAL: u64 = 1 << 6;
const LOADING: u64 = 1 << 7;
/// Kinds of components.
const ROW: u64 = 1;
const CONTAINER: u64 = 17;

impl Model {
    pub fn new(token: &str) -> Self {
        let mut model = Self {
            clock: Clock::new(),
            faults: Faults::default(),
            sessions: Sessions::default(),
            rates: RateLimits::default(),
            too_many_talks: false,
            token: Some(token.to_owned()),
            gateway_url: String::new(),
            shards: 1,
            heartbeat_interval: Duration::from_millis(41_250),
            bot: 0,
            application: 0,
            users: BTreeMap::new(),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            messages: BTreeMap::new(),
            interactions: BTreeMap::new(),
            commands: Vec::new(),
            registrations: 0,
            nonces: HashMap::new(),
            journal: Vec::new(),
            problems: Vec::new(),
            invalid_requests: 0,
            refusals: Vec::new(),
            last_id: 0,
        };
        model.application = model.new_id();
        model.bot = model.add_user("phase-parlor", None);
        if let Some(bot) = model.users.get_mut(&model.bot) {
            bot.bot = true;
        }
        model
    }

    /// A snowflake that sorts after all earlier ones, and falls on one shard after the other.
    pub fn new_id(&mut self) -> Id {
        self.last_id += 1;
        ((262_144_000_000 + self.last_id) << 22) | self.last_id
    }

    pub fn add_user(&mut self, username: &str, global_name: Option<&str>) -> Id {
        let id = self.new_id();
        let user = User {
            id,
            username: username.to_owned(),
            global_name: global_name.map(str::to_owned),
            bot: false,
            dms_open: true,
        };
        self.users.insert(id, user);
        id
    }

    /// A server with the bot in it, which may do there what is asked for when it is invited.
    pub fn add_guild(&mut self, name: &str, bot_permissions: u64) -> Id {
        let id = self.new_id();
        let owner = self.add_user(&format!("owner-of-{}", name.to_lowercase()), None);
        let role = self.new_id();
        let bot = Member {
            nick: None,
            roles: vec![role],
        };
        let guild = Guild {
            id,
            name: name.to_owned(),
            owner,
            roles: BTreeMap::from([(id, permissions::EVERYONE), (role, bot_permissions)]),
            members: BTreeMap::from([(self.bot, bot), (owner, Member::default())]),
        };
        self.guilds.insert(id, guild);
        id
    }

    pub fn add_channel(&mut self, guild: Id, name: &str) -> Id {
        let id = self.new_id();
        self.put_channel(Channel {
            guild: Some(guild),
            name: name.to_owned(),
            ..Channel::new(id, ChannelKind::Text)
        })
    }

    pub fn put_channel(&mut self, channel: Channel) -> Id {
        let id = channel.id;
        self.channels.insert(id, channel);
        id
    }

    /// The private channel between the bot and a user.
    pub fn dm(&mut self, user: Id) -> Id {
        let known = self
            .channels
            .values()
            .find(|channel| channel.recipient == Some(user));
        if let Some(channel) = known {
            return channel.id;
        }
        let id = self.new_id();
        self.put_channel(Channel {
            recipient: Some(user),
            ..Channel::new(id, ChannelKind::Dm)
        })
    }

    /// Notes what the bot must not do.
    pub fn problem(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.journal.push(format!("PROBLEM: {what}"));
        self.problems.push(what);
    }
}

impl Channel {
    pub const fn new(id: Id, kind: ChannelKind) -> Self {
        Self {
            id,
            kind,
            guild: None,
            parent: None,
            name: String::new(),
            overwrites: Vec::new(),
            recipient: None,
            archived: false,
            locked: false,
            thread_members: BTreeSet::new(),
        }
    }
}

impl ChannelKind {
    pub const fn number(self) -> u64 {
        match self {
            Self::Text => 0,
            Self::Dm => 1,
            Self::PublicThread => 11,
        }
    }
}

impl InteractionKind {
    pub const fn number(self) -> u64 {
        match self {
            Self::Command => 2,
            Self::Component => 3,
            Self::Autocomplete => 4,
            Self::Modal => 5,
        }
    }
}

impl Message {
    pub const fn new(id: Id, channel: Id, author: Id) -> Self {
        Self {
            id,
            channel,
            author,
            at: Duration::ZERO,
            content: String::new(),
            embeds: Vec::new(),
            attachments: Vec::new(),
            components: Vec::new(),
            flags: 0,
            nonce: None,
            pinged: Vec::new(),
            pinged_everyone: false,
            only_for: None,
            interaction: None,
            loading: false,
            deleted: false,
            revisions: Vec::new(),
        }
    }

    /// "The bot is thinking …", or the end of it.
    pub const fn set_loading(&mut self, loading: bool) {
        self.loading = loading;
        self.flags = if loading {
            self.flags | LOADING
        } else {
            self.flags & !LOADING
        };
    }

    /// The words in which a mention rings.
    pub fn ringing(&self) -> String {
        let words = self.parts().filter_map(|part| part["content"].as_str());
        let mut ringing = self.content.clone();
        for words in words {
            if !ringing.is_empty() {
                ringing.push('\n');
            }
            ringing.push_str(words);
        }
        ringing
    }

    /// The components, those in a container one by one.
    fn parts(&self) -> impl Iterator<Item = &Value> {
        self.components
            .iter()
            .flat_map(|part| match part["type"].as_u64() {
                Some(CONTAINER) => part["components"]
                    .as_array()
                    .map_or(&[][..], Vec::as_slice)
                    .iter(),
                _ => std::slice::from_ref(part).iter(),
            })
    }

    /// The pictures that it shows, each with its address and what is read aloud instead.
    pub fn pictures(&self) -> Vec<(String, String)> {
        let items = self
            .parts()
            .flat_map(|part| part["items"].as_array().into_iter().flatten());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        items
            .map(|item| (text(&item["media"]["url"]), text(&item["description"])))
            .collect()
    }

    /// Whether there is anything to press or to choose from.
    pub fn has_widgets(&self) -> bool {
        self.widgets().next().is_some()
    }

    /// All that can be read in it, by eye or by screen reader, as it is now.
    pub fn text(&self) -> String {
        let mut text = self.ringing();
        let mut add = |value: &Value| {
            if let Some(words) = value.as_str() {
                text.push('\n');
                text.push_str(words);
            }
        };
        for embed in &self.embeds {
            add(&embed["title"]);
            add(&embed["description"]);
            for field in embed["fields"].as_array().into_iter().flatten() {
                add(&field["name"]);
                add(&field["value"]);
            }
            add(&embed["footer"]["text"]);
        }
        text
    }

    /// Everything in it: what it says, its pictures' alt texts and names, its buttons and menus.
    pub fn everything(&self) -> String {
        let mut all = self.text();
        for (_, alt) in self.pictures() {
            all.push('\n');
            all.push_str(&alt);
        }
        for attachment in &self.attachments {
            all.push('\n');
            all.push_str(&attachment.name);
            all.push('\n');
            all.push_str(attachment.alt.as_deref().unwrap_or_default());
        }
        for row in &self.components {
            all.push('\n');
            all.push_str(&row.to_string());
        }
        all
    }

    /// The buttons and selects, row after row.
    pub fn widgets(&self) -> impl Iterator<Item = &Value> {
        let rows = self.parts().filter(|part| part["type"] == ROW);
        rows.flat_map(|row| row["components"].as_array().into_iter().flatten())
    }

    /// The labels of the buttons that can be pressed.
    pub fn buttons(&self) -> Vec<String> {
        self.widgets()
            .filter(|widget| widget["type"] == 2 && widget["disabled"] != true)
            .map(|widget| widget["label"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// The labels in its selects.
    pub fn choices(&self) -> Vec<String> {
        self.widgets()
            .filter(|widget| widget["type"] == 3)
            .flat_map(|select| select["options"].as_array().into_iter().flatten())
            .map(|option| option["label"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}
