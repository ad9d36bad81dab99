//! What somebody asked, as it is kept until it has been answered.
//!
//! It is on disk before Discord is told that an answer will come: if the bot dies in between, it is carried out and
//! answered at the next start. With it goes the key to answering, which is good for a quarter of an hour and no longer.

use std::fmt;

use serde::{Deserialize, Serialize};
use serenity::model::application::{
    CommandDataOption, CommandInteraction, ComponentInteraction, ComponentInteractionDataKind,
};
use serenity::model::channel::MessageFlags;
use serenity::model::id::{ApplicationId, InteractionId, UserId};

use super::component_id::ComponentId;
use super::invocation::{EventOrigin, name_of};
use crate::chat::grammar::{self, Verb};
use crate::matches::time::{Span, Time};

/// How long Discord takes answers; a little less, so that nothing is begun that can't be told.
const LIFE: Span = Span::minutes(14);

/// An interaction that is to be answered.
#[derive(Clone, Serialize, Deserialize)]
pub struct Asked {
    pub application: ApplicationId,
    pub id: InteractionId,
    /// With it anybody could answer in our place.
    pub token: String,
    pub at: Time,
    pub shown: AnswerVisibility,
    pub origin: EventOrigin,
    pub what: What,
    pub locale: String,
}

/// Where the answer is shown. That is settled when we say that one will come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerVisibility {
    /// To the asker alone.
    Privately,
    ToAll,
    /// In place of the message whose button was pressed, which only the asker sees.
    InPlace,
}

/// What was said.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Form {
        name: String,
        options: Vec<CommandDataOption>,
        named: Vec<NamedUser>,
    },
    Line {
        line: String,
        page: usize,
    },
}

/// Somebody who was named in a form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NamedUser {
    pub id: UserId,
    pub name: String,
    pub is_bot: bool,
}

/// Without what was said, and without the key.
impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Asked").field(&self.id).finish()
    }
}

impl Asked {
    pub fn command(event: &CommandInteraction, at: Time) -> Self {
        let origin = EventOrigin::from(event);
        let verb = grammar::find(&event.data.name).map(|spec| spec.verb);
        // Where the bot itself can't speak, its answer is how the others hear of a table.
        let shown = if origin.is_present() || !verb.is_some_and(opens) {
            AnswerVisibility::Privately
        } else {
            AnswerVisibility::ToAll
        };
        let resolved = &event.data.resolved;
        let named = resolved.users.iter().map(|(id, user)| {
            let nick = resolved.members.get(id).and_then(|member| member.nick.as_deref());
            NamedUser {
                id: *id,
                name: name_of(user, nick),
                is_bot: user.bot,
            }
        });
        Self {
            application: event.application_id,
            id: event.id,
            token: event.token.clone(),
            at,
            shown,
            origin,
            what: What::Form {
                name: event.data.name.clone(),
                options: event.data.options.clone(),
                named: named.collect(),
            },
            locale: event.locale.clone(),
        }
    }

    pub fn component(event: &ComponentInteraction, at: Time) -> Self {
        let chosen = match &event.data.kind {
            ComponentInteractionDataKind::StringSelect { values } => values.first(),
            _ => None,
        };
        let (line, page) = match (ComponentId::read(&event.data.custom_id), chosen) {
            (_, Some(chosen)) => (chosen.clone(), 0),
            (ComponentId::Say(line), None) => (line, 0),
            (ComponentId::Turn { page, line }, None) => (line, page),
            (ComponentId::Choose, None) => (String::new(), 0),
        };
        // What only the asker sees is changed in place: a move is picked in one message, step by step.
        let flags = event.message.flags;
        let own = flags.is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL));
        Self {
            application: event.application_id,
            id: event.id,
            token: event.token.clone(),
            at,
            shown: if own {
                AnswerVisibility::InPlace
            } else {
                AnswerVisibility::Privately
            },
            origin: EventOrigin::from(event),
            what: What::Line { line, page },
            locale: event.locale.clone(),
        }
    }

    /// Whether Discord takes no answer any more.
    pub fn is_over(&self, now: Time) -> bool {
        now.since(self.at) >= LIFE
    }
}

/// Whether a command opens a table.
pub const fn opens(verb: Verb) -> bool {
    matches!(verb, Verb::Challenge | Verb::Open | Verb::Practice)
}
