//! Those who use the bot, and what they are answered.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::places::Place;
use crate::standin::Shared;
use crate::standin::interactions;
use crate::standin::model::{Id, Interaction, InteractionKind, Message, Model};
use crate::standin::permissions;

/// Somebody with a client.
#[derive(Clone, Debug)]
pub struct User {
    shared: Shared,
    pub id: Id,
    /// The channel that they look at.
    pub channel: Id,
}

const SUBCOMMAND: u64 = 1;
const USER: u64 = 6;
const CHANNEL: u64 = 7;

impl User {
    pub const fn new(shared: Shared, id: Id, channel: Id) -> Self {
        Self { shared, id, channel }
    }

    /// The same person, looking at another channel.
    #[must_use]
    pub fn at(&self, place: &Place) -> Self {
        Self {
            channel: place.id,
            ..self.clone()
        }
    }

    /// How they are written in an option, or in a message.
    pub fn id_text(&self) -> String {
        self.id.to_string()
    }

    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Where the bot talks to them alone.
    pub fn dm(&self) -> Place {
        let id = self.shared.with(|model| model.dm(self.id));
        Place::new(self.shared.clone(), id)
    }

    pub fn close_dms(&self) {
        self.set_dms(false);
    }

    pub fn open_dms(&self) {
        self.set_dms(true);
    }

    fn set_dms(&self, open: bool) {
        self.shared.with(|model| {
            if let Some(user) = model.users.get_mut(&self.id) {
                user.dms_open = open;
            }
        });
    }

    /// Whether Discord shows them the command at all.
    pub fn may_use(&self, name: &str) -> bool {
        self.shared.with(|model| {
            let Some(command) = command(model, name) else {
                return false;
            };
            let needed = command["default_member_permissions"].as_u64();
            let needed = needed.unwrap_or(0);
            permissions::of(model, self.id, self.channel) & needed == needed
        })
    }

    /// Uses a command, with options by name. Several words are a subcommand.
    pub fn slash(&self, name: &str, options: &Value) -> Asked {
        assert!(
            self.may_use(name.split(' ').next().unwrap_or_default()),
            "{name} is not shown to them"
        );
        self.slash_unshown(name, options)
    }

    /// The same for a command that is not shown to them as a rule: a server may show commands to whom it likes.
    pub fn slash_unshown(&self, name: &str, options: &Value) -> Asked {
        self.begin(InteractionKind::Command, None, |model| {
            (command_data(model, name, options, None), self.channel)
        })
    }

    /// Types into an option; what is offered, as name and value.
    pub fn autocomplete(&self, name: &str, options: &Value, focused: &str) -> Vec<(String, Value)> {
        let asked = self.begin(InteractionKind::Autocomplete, None, |model| {
            (command_data(model, name, options, Some(focused)), self.channel)
        });
        let answered = self.shared.wait("suggestions", |model| {
            let interaction = &model.interactions[&asked.id];
            interaction.first.map(|_| interaction.choices.clone())
        });
        let pair = |choice: Value| {
            (
                choice["name"].as_str().unwrap().to_owned(),
                choice["value"].clone(),
            )
        };
        answered.into_iter().map(pair).collect()
    }

    /// Presses a button of a message, as it is now.
    pub fn press(&self, message: &Message, label: &str) -> Asked {
        let now = self.sees(message);
        let button = now
            .widgets()
            .find(|widget| widget["type"] == 2 && widget["label"] == label && widget["disabled"] != true)
            .unwrap_or_else(|| panic!("no button {label:?} in {}", now.everything()));
        self.use_widget(
            &now,
            json!({ "custom_id": button["custom_id"], "component_type": 2 }),
        )
    }

    /// Presses a button of a message as it once was: a client may be behind.
    pub fn press_as_it_was(&self, message: &Message, label: &str) -> Asked {
        let button = message
            .widgets()
            .find(|widget| widget["type"] == 2 && widget["label"] == label)
            .unwrap_or_else(|| panic!("no button {label:?} in {}", message.everything()));
        self.use_widget(
            message,
            json!({ "custom_id": button["custom_id"], "component_type": 2 }),
        )
    }

    /// Chooses an entry of a menu by its label.
    pub fn pick(&self, message: &Message, label: &str) -> Asked {
        self.pick_as_it_was(&self.sees(message), label)
    }

    /// Chooses an entry of a menu as it once was.
    pub fn pick_as_it_was(&self, now: &Message, label: &str) -> Asked {
        let (select, option) = now
            .widgets()
            .filter(|widget| widget["type"] == 3 && widget["disabled"] != true)
            .find_map(|select| {
                let options = select["options"].as_array()?;
                let option = options.iter().find(|option| option["label"] == label)?;
                Some((select, option))
            })
            .unwrap_or_else(|| panic!("no entry {label:?} in {}", now.everything()));
        let data = json!({
            "custom_id": select["custom_id"],
            "component_type": 3,
            "values": [option["value"]],
            "resolved": {},
        });
        self.use_widget(now, data)
    }

    fn use_widget(&self, message: &Message, data: Value) -> Asked {
        self.begin(InteractionKind::Component, Some(message.id), |_| {
            (data, message.channel)
        })
    }

    /// A message as this user sees it now.
    fn sees(&self, message: &Message) -> Message {
        self.shared.with(|model| {
            let now = &model.messages[&message.id];
            assert!(
                !now.deleted && model.can_see(self.id, now),
                "they don't see it: {}",
                now.text()
            );
            now.clone()
        })
    }

    /// Everything that they can read, anywhere, as it is and as it was.
    pub fn everything_seen(&self) -> Vec<Message> {
        self.shared.with(|model| {
            let seen = |message: &&Message| model.can_see(self.id, message);
            model.messages.values().filter(seen).cloned().collect()
        })
    }

    fn begin(
        &self,
        kind: InteractionKind,
        message: Option<Id>,
        data: impl FnOnce(&Model) -> (Value, Id),
    ) -> Asked {
        let id = self.shared.with(|model| {
            let (data, channel) = data(model);
            interactions::begin(model, kind, self.id, channel, &data, message)
        });
        Asked {
            shared: self.shared.clone(),
            id,
        }
    }
}

impl Model {
    /// Whether a user can read a message.
    pub fn can_see(&self, user: Id, message: &Message) -> bool {
        if message.only_for.is_some_and(|only| only != user) {
            return false;
        }
        match self.channels.get(&message.channel) {
            Some(channel) => match channel.recipient {
                Some(recipient) => recipient == user,
                None => permissions::of(self, user, channel.id) & permissions::VIEW_CHANNEL != 0,
            },
            None => false,
        }
    }
}

fn command<'m>(model: &'m Model, name: &str) -> Option<&'m Value> {
    model.commands.iter().find(|command| command["name"] == name)
}

/// What Discord tells of a command that is used, or being typed.
fn command_data(model: &Model, name: &str, options: &Value, focused: Option<&str>) -> Value {
    let mut words = name.split(' ');
    let word = words.next().unwrap_or_default();
    let command = command(model, word).unwrap_or_else(|| panic!("there is no command {word}"));
    let (mut spec, mut path) = (command, Vec::new());
    for word in words {
        let below = spec["options"].as_array().into_iter().flatten();
        spec = below
            .into_iter()
            .find(|option| option["name"] == word && option["type"].as_u64() <= Some(2))
            .unwrap_or_else(|| panic!("{name} has no {word}"));
        path.push((word, spec["type"].clone()));
    }
    let empty = Map::new();
    let given = options.as_object().unwrap_or(&empty);
    let (mut filled, mut resolved) = (Vec::new(), json!({}));
    for (key, value) in given {
        let known = spec["options"].as_array().into_iter().flatten();
        let option = known
            .into_iter()
            .find(|option| option["name"] == key.as_str())
            .unwrap_or_else(|| panic!("/{name} has no option {key}: {spec}"));
        let kind = option["type"].as_u64().unwrap();
        let is_focused = focused == Some(key.as_str());
        if is_focused {
            assert_eq!(option["autocomplete"], true, "/{name} {key} suggests nothing");
        }
        if let Some(choices) = option["choices"].as_array() {
            let fits = choices.iter().any(|choice| choice["value"] == *value);
            assert!(fits, "/{name} {key} does not take {value}: {choices:?}");
        }
        resolve(model, kind, value, &mut resolved);
        let mut one = json!({ "name": key, "type": kind, "value": value });
        if is_focused {
            one["focused"] = json!(true);
        }
        filled.push(one);
    }
    if focused.is_none() {
        for option in spec["options"].as_array().into_iter().flatten() {
            let key = option["name"].as_str().unwrap();
            let missing = option["required"] == true && !given.contains_key(key);
            assert!(!missing, "/{name} needs {key}");
        }
    }
    let mut filled = Value::Array(filled);
    for (word, kind) in path.into_iter().rev() {
        filled = json!([{ "name": word, "type": kind, "options": filled }]);
    }
    let mut data = json!({ "id": command["id"], "name": word, "type": 1, "options": filled });
    if resolved != json!({}) {
        data["resolved"] = resolved;
    }
    data
}

/// Adds what Discord tells of whoever is named in an option.
fn resolve(model: &Model, kind: u64, value: &Value, resolved: &mut Value) {
    let Some(id) = value.as_str() else {
        return;
    };
    match kind {
        USER => {
            let user = id.parse::<Id>().expect("a user is named by id");
            resolved["users"][id] = model.user_json(user);
            let guild = model
                .guilds
                .values()
                .find(|guild| guild.members.contains_key(&user));
            if let Some(guild) = guild {
                let mut member = model.member_json(guild, user);
                member.as_object_mut().unwrap().remove("user");
                member["permissions"] = json!(permissions::EVERYONE.to_string());
                resolved["members"][id] = member;
            }
        }
        CHANNEL => {
            let channel = id.parse::<Id>().expect("a channel is named by id");
            let mut shown = model.channel_json(&model.channels[&channel]);
            shown["permissions"] = json!("0");
            resolved["channels"][id] = shown;
        }
        SUBCOMMAND => panic!("a subcommand is named in the command"),
        _ => {}
    }
}

/// Something that was asked of the bot.
#[derive(Clone, Debug)]
pub struct Asked {
    shared: Shared,
    pub id: Id,
}

impl Asked {
    pub fn interaction(&self) -> Interaction {
        self.shared.with(|model| model.interactions[&self.id].clone())
    }

    /// Waits for the first answer; how long it took on the stand-in's clock.
    pub fn first(&self) -> Duration {
        self.shared.wait("a first answer", |model| {
            let interaction = &model.interactions[&self.id];
            let (at, _) = interaction.first?;
            Some(at - interaction.at)
        })
    }

    /// Waits for the first answer with words in it.
    pub fn answer(&self) -> Message {
        self.shared.wait("an answer", |model| {
            let id = model.interactions[&self.id].answers.first()?;
            model.messages.get(id).cloned()
        })
    }

    /// The words of the answer.
    pub fn words(&self) -> String {
        self.answer().text().trim_start().to_owned()
    }
}
