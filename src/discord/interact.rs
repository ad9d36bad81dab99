//! Interactions: slash commands, buttons, menus, and suggestions while somebody types.
//!
//! Discord wants a first answer within three seconds, so every command is acknowledged before anything else is done.
//! Whether others see the answer is settled by that. What a command changes is told to the room by deliveries; the
//! answer itself is for the asker alone.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use serenity::async_trait;
use serenity::client::{Context, EventHandler};
use serenity::model::application::{
    CommandInteraction, ComponentInteraction, ComponentInteractionDataKind, Interaction,
};
use serenity::model::channel::MessageFlags;
use serenity::model::gateway::Ready;
use serenity::model::id::{ApplicationId, InteractionId, UserId};

use super::commands::{self, SETTINGS};
use super::component_id::ComponentId;
use super::context::{DiscordContext, MessageStyle, backoff};
use super::errors::{DiscordError, code};
use super::ids::{self, Mentions};
use super::invocation::{InvocationContext, Origin, name_of};
use super::options;
use super::rest::InteractionReply;
use super::settings::settings;
use super::storage::ClosedDms;
use super::write::{label, length};
use crate::chat::fields::FormField;
use crate::chat::grammar::{self, Verb};
use crate::chat::message::Message;
use crate::chat::parlor::{Input, Reply, Request};
use crate::chat::refusals;
use crate::matches::port::Fault;
use crate::matches::service::MatchRef;

/// How often we try to send an answer while Discord fails.
const TRIES: u32 = 5;

/// How long the first answer may be tried; after three seconds Discord no longer listens.
const FIRST_ANSWER: Duration = Duration::from_millis(2500);

/// Discord's limits for suggestions.
const CHOICES: usize = 25;
const CHOICE: usize = 100;

/// Listens to Discord.
pub struct InteractionHandler {
    pub context: Arc<DiscordContext>,
    /// The application, if the operator named it.
    pub application: Option<ApplicationId>,
    /// Whether the commands have been looked after.
    pub registered: tokio::sync::Mutex<bool>,
    /// The bot as a user, once Discord has said so.
    pub own: OnceLock<UserId>,
}

#[async_trait]
impl EventHandler for InteractionHandler {
    async fn ready(&self, _context: Context, ready: Ready) {
        let application = self.application.unwrap_or(ready.application.id);
        // Said anew with every connection, and always the same.
        let _ = self.own.set(ready.user.id);
        tracing::info!(%application, shard = ?ready.shard, "discord: gateway ready");
        let mut registered = self.registered.lock().await;
        if !*registered {
            commands::register_surely(&self.context, application).await;
            *registered = true;
        }
    }

    async fn interaction_create(&self, _context: Context, interaction: Interaction) {
        let Some(_under_way) = self.context.begin().await else {
            return;
        };
        match interaction {
            Interaction::Command(event) => self.command(event).await,
            Interaction::Component(event) => self.component(event).await,
            Interaction::Autocomplete(event) => self.autocomplete(event).await,
            _ => {}
        }
    }
}

/// What was said, and how the answer is shown.
struct Invocation {
    id: InteractionId,
    caller: InvocationContext,
    input: Input,
    style: MessageStyle,
    locale: String,
    ephemeral: bool,
}

impl InteractionHandler {
    /// The bot as a user. All but the oldest have the number of their application.
    fn own(&self, application: ApplicationId) -> UserId {
        self.own.get().copied().unwrap_or(UserId::new(application.get()))
    }

    fn answering(&self, application: ApplicationId, id: InteractionId, token: &str) -> InteractionReply {
        self.context.rest.answering(application, id, token)
    }

    async fn command(&self, event: CommandInteraction) {
        let answering = self.answering(event.application_id, event.id, &event.token);
        let origin = Origin::from(&event);
        let name = event.data.name.as_str();
        let verb = grammar::find(name).map(|spec| spec.verb);
        // Where the bot itself can't speak, its answer is how the others hear of a table.
        let ephemeral = origin.is_present() || !verb.is_some_and(opens);
        if !acknowledged(&answering, || answering.defer(ephemeral)).await {
            return;
        }
        let Some(caller) = self.caller(origin, &answering).await else {
            return;
        };
        let own = self.own(event.application_id);
        if name == SETTINGS {
            let options = &event.data.options;
            let reply = settings(&self.context.parlor, &caller, event.app_permissions, options).await;
            self.answer(&answering, &caller, reply, MessageStyle::default(), true)
                .await;
            return;
        }
        let mut named = event.data.resolved.users.values();
        let bot = named.find(|user| user.bot && user.id != own);
        if let Some(bot) = bot {
            let reply = Reply::open(refusals::no_bots(&ids::player(bot.id)));
            self.answer(&answering, &caller, reply, MessageStyle::default(), ephemeral)
                .await;
            return;
        }
        if let Err(error) = self.meet(&event).await {
            tracing::error!(interaction = %event.id, %error, "discord: could not store the names of users");
        }
        let input = Input::form(name, options::fields(&event.data.options, own), &Mentions);
        let invocation = Invocation {
            id: event.id,
            style: MessageStyle {
                line: input.command().map(ToString::to_string),
                ..MessageStyle::default()
            },
            input,
            caller,
            locale: event.locale.clone(),
            ephemeral,
        };
        self.carry_out(&answering, invocation).await;
    }

    async fn component(&self, event: ComponentInteraction) {
        let answering = self.answering(event.application_id, event.id, &event.token);
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
        let own = event
            .message
            .flags
            .is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL));
        let acknowledged = if own {
            acknowledged(&answering, || answering.defer_update()).await
        } else {
            acknowledged(&answering, || answering.defer(true)).await
        };
        if !acknowledged {
            return;
        }
        let Some(caller) = self.caller(Origin::from(&event), &answering).await else {
            return;
        };
        let invocation = Invocation {
            id: event.id,
            caller,
            input: Input::line(&line, &Mentions),
            locale: event.locale.clone(),
            style: MessageStyle {
                line: Some(line),
                page,
                ..MessageStyle::default()
            },
            ephemeral: true,
        };
        self.carry_out(&answering, invocation).await;
    }

    /// Where we are. If that can't be found out, the asker is told that something broke.
    async fn caller(&self, origin: Origin<'_>, answering: &InteractionReply) -> Option<InvocationContext> {
        let error = match InvocationContext::new(origin, &self.context.storage) {
            Ok(caller) => return Some(caller),
            Err(error) => error,
        };
        tracing::error!(interaction = %answering.id, %error, "discord: could not look up the thread's match");
        let sorry = Message::text(refusals::BROKEN);
        self.fill(answering, &sorry, MessageStyle::default()).await;
        None
    }

    async fn carry_out(&self, answering: &InteractionReply, invocation: Invocation) {
        let (caller, ephemeral) = (invocation.caller, invocation.ephemeral);
        if !caller.lacking.is_empty() && invocation.input.verb().is_some_and(shows_boards) {
            let reply = Reply::open(Message::text(refusals::lacking(&caller.lacking)));
            self.answer(answering, &caller, reply, invocation.style, ephemeral)
                .await;
            return;
        }
        if let Some(room_community) = &caller.room_community
            && let Err(error) = self
                .context
                .parlor
                .service
                .meet_room(&caller.room, room_community)
                .await
        {
            tracing::error!(room = %caller.room, %error, "discord: could not store the room's server");
        }
        let request = Request {
            who: caller.who.clone(),
            name: caller.name.clone(),
            room: Some(caller.room.clone()),
            about: caller.code.clone().map(MatchRef::from),
            locale: Some(invocation.locale),
            event: Some(invocation.id.to_string()),
            input: invocation.input,
        };
        let mut reply = self.context.parlor.handle(&request).await;
        if !caller.lacking.is_empty() {
            reply.message.text.line(refusals::lacking(&caller.lacking));
        }
        self.answer(answering, &caller, reply, invocation.style, ephemeral)
            .await;
    }

    /// Notes what those are called who were named.
    async fn meet(&self, event: &CommandInteraction) -> Result<(), Fault> {
        let resolved = &event.data.resolved;
        for (id, user) in resolved.users.iter().filter(|(_, user)| !user.bot) {
            let nick = resolved.members.get(id).and_then(|member| member.nick.as_deref());
            let name = name_of(user, nick);
            self.context.parlor.service.meet(&ids::player(*id), &name).await?;
        }
        Ok(())
    }

    /// Gives the answer. `ephemeral` tells whether only the asker will see it.
    async fn answer(
        &self,
        answering: &InteractionReply,
        caller: &InvocationContext,
        mut reply: Reply,
        style: MessageStyle,
        ephemeral: bool,
    ) {
        if ephemeral {
            self.add_closed_dms_note(caller, &mut reply.message).await;
        } else if reply.secret {
            // Can't happen as long as only open answers are deferred openly; a secret must not hang on that.
            tracing::error!(room = %caller.room, "discord: a secret answer was withheld from an open reply");
            reply.message = Message::text(refusals::BROKEN);
        } else {
            reply.message = self.context.parlor.open_answer(reply.clone());
        }
        self.fill(answering, &reply.message, style).await;
    }

    /// Fills in the answer, trying again while Discord fails.
    async fn fill(&self, answering: &InteractionReply, message: &Message, style: MessageStyle) {
        let outgoing = self.context.outgoing(message, style).await;
        let mut pauses = backoff();
        let interaction = answering.id;
        for _ in 0..TRIES {
            match answering.fill(outgoing.clone()).await {
                Ok(()) => return,
                Err(DiscordError::Later { why: error, after }) => {
                    tracing::warn!(%interaction, %error, "discord: could not send the answer; trying again");
                    tokio::time::sleep(after.unwrap_or_else(|| pauses.pause())).await;
                }
                Err(error @ DiscordError::Refused { .. }) => {
                    tracing::error!(%interaction, %error, "discord: the answer was refused");
                    let sorry = Message::text(refusals::BROKEN);
                    let outgoing = self.context.outgoing(&sorry, MessageStyle::default()).await;
                    if let Err(error) = answering.fill(outgoing).await {
                        tracing::error!(%interaction, %error, "discord: could not send the apology");
                    }
                    return;
                }
                Err(error) => {
                    tracing::warn!(%interaction, %error, "discord: could not send the answer");
                    return;
                }
            }
        }
        tracing::warn!(%interaction, tries = TRIES, "discord: could not send the answer");
    }

    /// Tells somebody who takes no private messages what to do instead; once.
    async fn add_closed_dms_note(&self, caller: &InvocationContext, message: &mut Message) {
        let told = async {
            let untold = self.context.storage.closed(caller.user)? == Some(ClosedDms { told: false });
            if untold {
                let told = Some(ClosedDms { told: true });
                self.context.storage.note_closed(caller.user, told).await?;
                message.text.line(refusals::closed_door());
            }
            Ok::<_, Fault>(())
        };
        if let Err(error) = told.await {
            tracing::error!(user = %caller.user, %error, "discord: could not add the note on closed DMs");
        }
    }

    async fn autocomplete(&self, event: CommandInteraction) {
        let answering = self.answering(event.application_id, event.id, &event.token);
        let context = Arc::clone(&self.context);
        // Legal moves may take a while to find.
        let found = tokio::task::spawn_blocking(move || choices(&context, &event)).await;
        let choices = found.unwrap_or_default();
        if let Err(error) = answering.suggest(&json!(choices)).await {
            tracing::debug!(interaction = %answering.id, %error, "discord: could not send the suggestions");
        }
    }
}

/// Says that an answer will come. If Discord does not hear it, nothing is done: whoever asked is told so by Discord and
/// asks again.
async fn acknowledged<F: Future<Output = Result<(), DiscordError>>>(
    answering: &InteractionReply,
    acknowledge: impl Fn() -> F,
) -> bool {
    let interaction = answering.id;
    let trying = async {
        let mut unheard = false;
        loop {
            match acknowledge().await {
                Ok(()) => return true,
                // A try that seemed to fail was heard after all.
                Err(error) if unheard && error.code() == Some(code::ANSWERED) => return true,
                Err(DiscordError::Later { why: error, .. }) => {
                    tracing::warn!(%interaction, %error, "discord: could not acknowledge; trying again");
                    unheard = true;
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                Err(error) if matches!(error.code(), Some(code::ANSWERED | code::UNKNOWN_INTERACTION)) => {
                    tracing::debug!(%interaction, %error, "discord: interaction already answered or expired");
                    return false;
                }
                Err(error) => {
                    tracing::warn!(%interaction, %error, "discord: could not acknowledge");
                    return false;
                }
            }
        }
    };
    tokio::time::timeout(FIRST_ANSWER, trying).await.unwrap_or(false)
}

/// What may stand in the field that somebody fills in.
fn choices(context: &DiscordContext, event: &CommandInteraction) -> Vec<Value> {
    let (Some(focused), Ok(caller)) = (
        event.data.autocomplete(),
        InvocationContext::new(Origin::from(event), &context.storage),
    ) else {
        return Vec::new();
    };
    let others = options::texts(&event.data.options)
        .filter(|(name, _)| *name != focused.name)
        .collect();
    // A server's settings ask for games and options as a table does.
    let command = match event.data.name.as_str() {
        SETTINGS => grammar::spec(Verb::Open).name,
        name => name,
    };
    let field = FormField {
        command,
        name: focused.name,
        typed: focused.value,
        others,
        about: caller.code.clone().map(MatchRef::from),
    };
    let found = context.parlor.choices(&caller.who, Some(&caller.room), &field);
    found
        .into_iter()
        .filter(|choice| (1..=CHOICE).contains(&length(&choice.value)))
        .take(CHOICES)
        .map(|choice| json!({ "name": label(&choice.label, CHOICE), "value": choice.value }))
        .collect()
}

/// Whether a command opens a table.
const fn opens(verb: Verb) -> bool {
    matches!(verb, Verb::Challenge | Verb::Open | Verb::Practice)
}

/// Whether a command makes a match be shown where it is said.
const fn shows_boards(verb: Verb) -> bool {
    opens(verb) || matches!(verb, Verb::Join | Verb::Fill | Verb::Rematch)
}
