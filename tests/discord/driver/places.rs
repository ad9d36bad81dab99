//! Where messages are read.

use crate::standin::Shared;
use crate::standin::model::{Channel, Id, Message};

/// A channel, a thread or a private channel.
#[derive(Clone, Debug)]
pub struct Place {
    shared: Shared,
    pub id: Id,
}

impl Place {
    pub const fn new(shared: Shared, id: Id) -> Self {
        Self { shared, id }
    }

    /// What everybody there can read now, oldest first.
    pub fn messages(&self) -> Vec<Message> {
        self.shared.with(|model| {
            model
                .messages
                .values()
                .filter(|message| message.channel == self.id && message.only_for.is_none())
                .filter(|message| !message.deleted && !message.loading)
                .cloned()
                .collect()
        })
    }

    /// Waits for a message that fits.
    pub fn wait_for(&self, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
        self.wait_after(0, what, fits)
    }

    /// Waits for one that fits and came after another.
    pub fn wait_after(&self, after: Id, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
        self.shared.wait(what, |model| {
            model
                .messages
                .values()
                .filter(|message| message.channel == self.id && message.only_for.is_none())
                .filter(|message| !message.deleted && !message.loading && message.id > after)
                .find(|message| fits(message))
                .cloned()
        })
    }

    /// Waits until a message has become what fits, by an edit or from the beginning.
    pub fn wait_until(&self, message: &Message, what: &str, fits: impl Fn(&Message) -> bool) -> Message {
        self.shared.wait(what, |model| {
            let now = model.messages.get(&message.id)?;
            fits(now).then(|| now.clone())
        })
    }

    /// The threads below it.
    pub fn threads(&self) -> Vec<Place> {
        self.shared.with(|model| {
            let below = |channel: &&Channel| channel.parent == Some(self.id);
            let below = model.channels.values().filter(below);
            below
                .map(|channel| Self::new(self.shared.clone(), channel.id))
                .collect()
        })
    }

    /// Waits for a thread below it.
    pub fn wait_for_thread(&self) -> Place {
        let id = self.shared.wait("a thread", |model| {
            let mut channels = model.channels.values();
            channels
                .find(|channel| channel.parent == Some(self.id))
                .map(|channel| channel.id)
        });
        Self::new(self.shared.clone(), id)
    }

    pub fn channel(&self) -> Channel {
        self.shared.with(|model| model.channels[&self.id].clone())
    }

    pub fn change(&self, change: impl FnOnce(&mut Channel)) {
        self.shared.with(|model| {
            if let Some(channel) = model.channels.get_mut(&self.id) {
                change(channel);
            }
        });
    }

    /// Somebody deletes it.
    pub fn delete(&self) {
        self.shared.with(|model| {
            if let Some(channel) = model.channels.remove(&self.id) {
                let shown = model.channel_json(&channel);
                model.sessions.dispatch(channel.guild, "CHANNEL_DELETE", &shown);
            }
        });
    }
}
