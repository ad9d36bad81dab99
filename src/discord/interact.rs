//! Interactions: slash commands, buttons, menus, and suggestions while somebody types.
//!
//! Discord wants a first answer within three seconds, so every command is acknowledged before anything else is done.
//! Whether others see the answer is settled by that. What a command changes is told to the room by deliveries; the
//! answer itself is for the asker alone.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use serenity::async_trait;
use serenity::client::{Context, EventHandler};
use serenity::gateway::{ConnectionStage, ShardStageUpdateEvent};
use serenity::model::application::{CommandDataOption, CommandInteraction, Interaction};
use serenity::model::gateway::Ready;
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, UserId};

use super::asked::{AnswerVisibility, Asked, NamedUser, What, opens};
use super::commands::{self, SETTINGS};
use super::context::{DiscordContext, MessageStyle, Press, backoff};
use super::errors::{DiscordError, code};
use super::ids::{self, Mentions};
use super::invocation::{EventOrigin, InvocationContext};
use super::options;
use super::past_answers::GivenAnswer;
use super::rest::{InteractionReply, Promise};
use super::settings::settings;
use super::storage::{ClosedDms, Missed};
use super::write::{label, length};
use crate::chat::command::Command;
use crate::chat::fields::FormField;
use crate::chat::grammar::{self, Verb};
use crate::chat::message::Message;
use crate::chat::parlor::{Input, Lifetime, Reply, Request};
use crate::chat::refusals;
use crate::matches::people::PlayerId;
use crate::matches::port::Fault;
use crate::matches::service::MatchRef;
use crate::matches::time::Time;

/// How often we try to send an answer while Discord fails.
const TRIES: u32 = 5;

/// How long the first answer may be tried; after three seconds Discord no longer listens.
const FIRST_ANSWER: Duration = Duration::from_millis(2500);

/// The pause between two tries of it, unless Discord says how long.
const AGAIN: Duration = Duration::from_millis(200);

/// How long we wait for what was asked to be on disk before Discord is told that an answer will come.
const KEEPING: Duration = Duration::from_millis(500);

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

/// What shows that somebody may take private messages again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// They use the bot.
    There,
    /// They talk to it in private, or choose what is sent to them.
    Wants,
}

/// An answer that is ready to be given.
struct Prepared {
    caller: InvocationContext,
    reply: Reply,
    style: MessageStyle,
    shown: AnswerVisibility,
}

#[async_trait]
impl EventHandler for InteractionHandler {
    async fn ready(&self, _context: Context, ready: Ready) {
        let application = self.application.unwrap_or(ready.application.id);
        // Said anew with every connection, and always the same.
        let _ = self.own.set(ready.user.id);
        tracing::info!(%application, shard = ?ready.shard, "discord: gateway ready");
        let shard = ready.shard.map_or(0, |shard| shard.id.0);
        self.context.connection.up(shard);
        tokio::join!(self.answer_all_late(), self.register(application));
    }

    async fn shard_stage_update(&self, _context: Context, update: ShardStageUpdateEvent) {
        let (connection, shard) = (&self.context.connection, update.shard_id.0);
        if update.new == ConnectionStage::Connected {
            connection.up(shard);
        } else {
            connection.down(shard);
        }
    }

    async fn interaction_create(&self, _context: Context, interaction: Interaction) {
        let Some(_under_way) = self.context.begin().await else {
            return;
        };
        match interaction {
            Interaction::Command(event) => {
                let asked = Asked::command(&event, self.context.parlor.service.now());
                self.answer_to(&asked).await;
            }
            Interaction::Component(event) => {
                let asked = Asked::component(&event, self.context.parlor.service.now());
                self.answer_to(&asked).await;
            }
            Interaction::Autocomplete(event) => self.autocomplete(event).await,
            _ => {}
        }
    }
}

impl InteractionHandler {
    /// The bot as a user. All but the oldest have the number of their application.
    fn own(&self, application: ApplicationId) -> UserId {
        self.own.get().copied().unwrap_or(UserId::new(application.get()))
    }

    /// Keeps what was asked, says that an answer will come, and gives it.
    async fn answer_to(&self, asked: &Asked) {
        let storage = &self.context.storage;
        // Discord waits for three seconds; a disk that is slower than that is not waited for.
        match tokio::time::timeout(KEEPING, storage.keep(asked)).await {
            Ok(Ok(())) | Err(_) => {}
            Ok(Err(error)) => {
                tracing::error!(interaction = %asked.id, %error, "discord: could not keep what was asked");
            }
        }
        let answering = self.answering(asked);
        if acknowledged(&answering, asked.shown).await
            && let Some(prepared) = self.carry_out(&answering, asked).await
        {
            self.answer(&answering, prepared).await;
        }
        self.forget(asked.id).await;
    }

    async fn register(&self, application: ApplicationId) {
        let mut registered = self.registered.lock().await;
        if !*registered {
            commands::register_surely(&self.context, application, self.own(application)).await;
            *registered = true;
        }
    }

    /// Carries out what was asked before the bot died, in the order in which it was asked, and answers it.
    async fn answer_all_late(&self) {
        let mut unanswered = self.context.take_unanswered();
        unanswered.sort_by_key(|asked| asked.id);
        let _under_way = self.context.begin().await;
        let promised =
            futures_util::future::join_all(unanswered.iter().map(|asked| self.was_promised(asked)));
        let mut answers = Vec::new();
        for (asked, promised) in unanswered.iter().zip(promised.await) {
            let mut prepared = None;
            if promised {
                tracing::info!(interaction = %asked.id, "discord: answering what was asked before the start");
                prepared = self.carry_out(&self.answering(asked), asked).await;
            }
            answers.push(async move {
                if let Some(prepared) = prepared {
                    self.answer(&self.answering(asked), prepared).await;
                }
                self.forget(asked.id).await;
            });
        }
        futures_util::future::join_all(answers).await;
    }

    /// Whether somebody still waits for the answer to what they asked before the bot died.
    async fn was_promised(&self, asked: &Asked) -> bool {
        let answering = self.answering(asked);
        let mut pauses = backoff();
        while !asked.is_over(self.context.parlor.service.now()) {
            match answering.promise(asked.shown).await {
                Ok(Promise::Made) => return true,
                // If Discord never heard that an answer would come, whoever asked was told so, and asks again.
                Ok(Promise::Kept | Promise::Unheard) => return false,
                Err(DiscordError::Later { after, .. }) => {
                    tokio::time::sleep(after.unwrap_or_else(|| pauses.pause())).await;
                }
                Err(error) => {
                    tracing::warn!(interaction = %asked.id, %error, "discord: could not answer what was asked before the start");
                    return false;
                }
            }
        }
        false
    }

    async fn forget(&self, asked: InteractionId) {
        if let Err(error) = self.context.storage.forget(asked).await {
            tracing::error!(interaction = %asked, %error, "discord: could not forget what was asked");
        }
    }

    fn answering(&self, asked: &Asked) -> InteractionReply {
        self.context
            .rest
            .answering(asked.application, asked.id, &asked.token)
    }

    /// Does what was asked; what to answer, unless the answer to the same stands already.
    async fn carry_out(&self, answering: &InteractionReply, asked: &Asked) -> Option<Prepared> {
        let caller = self.caller(&asked.origin, answering).await?;
        let sign = match asked.origin.talk() {
            Some((user, channel)) => {
                self.note_talk(user, channel).await;
                Sign::Wants
            }
            None => Sign::There,
        };
        self.note_sign(caller.user, sign).await;
        let (input, style) = match &asked.what {
            What::Line { line, page } => {
                let style = MessageStyle {
                    line: Some(line.clone()),
                    page: *page,
                    ..MessageStyle::default()
                };
                (Input::line(line, &Mentions), style)
            }
            What::Form { name, options, named } => {
                let own = self.own(asked.application);
                if let Some(reply) = self
                    .stopped_at(&caller, &asked.origin, name, options, named, own)
                    .await
                {
                    return Some(Prepared {
                        caller,
                        reply,
                        style: MessageStyle::default(),
                        shown: asked.shown,
                    });
                }
                let input = Input::form(name, options::fields(options, own), &Mentions);
                let style = MessageStyle {
                    line: input.command().map(ToString::to_string),
                    ..MessageStyle::default()
                };
                (input, style)
            }
        };
        let again = match (&asked.what, asked.shown) {
            (What::Line { line, .. }, AnswerVisibility::InPlace) => {
                self.context.note_press(caller.user, line)
            }
            (What::Line { .. } | What::Form { .. }, _) => Press::First,
        };
        // Whoever chooses what is sent to them wants it to come.
        if input.verb() == Some(Verb::Settings) {
            self.note_sign(caller.user, Sign::Wants).await;
        }
        let reply = self.reply(&caller, asked, input).await;
        match again {
            // What was done the first time is told, and its answer stays.
            Press::Again if reply.passing => return None,
            Press::First if reply.passing => self.context.forget_press(caller.user),
            Press::Again | Press::First => {}
        }
        Some(Prepared {
            caller,
            reply,
            style,
            shown: asked.shown,
        })
    }

    /// The answer to a form that is no command of the parlor's, or names somebody who can't play.
    async fn stopped_at(
        &self,
        caller: &InvocationContext,
        origin: &EventOrigin,
        name: &str,
        options: &[CommandDataOption],
        named: &[NamedUser],
        own: UserId,
    ) -> Option<Reply> {
        if name == SETTINGS {
            return Some(settings(&self.context.parlor, caller, origin.allowed, options).await);
        }
        if let Some(bot) = named.iter().find(|named| named.is_bot && named.id != own) {
            return Some(Reply::open(refusals::no_bots(&ids::player(bot.id))));
        }
        for named in named.iter().filter(|named| !named.is_bot) {
            let player = ids::player(named.id);
            let met = self.context.parlor.service.meet(&player, &named.name);
            if let Err(error) = met.await {
                tracing::error!(%error, "discord: could not store the names of users");
            }
        }
        None
    }

    /// Those of somebody's opponents who have left the servers in which their match is played, if somebody else is to play
    /// on for them. Discord tells so only if it is asked.
    async fn gone(&self, caller: &InvocationContext, input: &Input) -> Vec<PlayerId> {
        let Some(Command::Replace { about, .. }) = input.command() else {
            return Vec::new();
        };
        let about = about.as_ref().map(|about| &about.code).or(caller.code.as_ref());
        self.context
            .gone(&caller.who, about)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(room = %caller.room, %error, "discord: could not find out who has left the server");
                Vec::new()
            })
    }

    async fn reply(&self, caller: &InvocationContext, asked: &Asked, input: Input) -> Reply {
        if !caller.lacking.is_empty() && input.verb().is_some_and(shows_boards) {
            return Reply::open(Message::text(refusals::lacking(&caller.lacking)));
        }
        let service = &self.context.parlor.service;
        if let Some(room_community) = &caller.room_community
            && let Err(error) = service.meet_room(&caller.room, room_community).await
        {
            tracing::error!(room = %caller.room, %error, "discord: could not store the room's server");
        }
        let request = Request {
            who: caller.who.clone(),
            name: caller.name.clone(),
            room: Some(caller.room.clone()),
            about: caller.code.clone().map(MatchRef::from),
            locale: Some(asked.locale.clone()),
            event: Some(asked.id.to_string()),
            gone: self.gone(caller, &input).await,
            input,
        };
        let mut reply = self.context.parlor.handle(&request).await;
        // Whoever plays on where nothing is missing any more shows that we may speak there again.
        if caller.lacking.is_empty()
            && let Some(code) = &reply.changed
            && let Err(failure) = service.room_works(code, &caller.room).await
        {
            tracing::error!(room = %caller.room, ?failure, "discord: could not show a match in its room again");
        }
        if !caller.lacking.is_empty() {
            reply.message.text.line(refusals::lacking(&caller.lacking));
        }
        reply
    }

    /// Somebody uses the bot in their private talk: that is where to write to them.
    async fn note_talk(&self, user: UserId, channel: ChannelId) {
        let storage = &self.context.storage;
        let noted = async {
            if storage.talk(user)? != Some(channel) {
                storage.note_talk(user, Some(channel)).await?;
            }
            Ok::<_, Fault>(())
        };
        if let Err(error) = noted.await {
            tracing::error!(%user, %error, "discord: could not store the private talk with a user");
        }
    }

    /// Somebody is there. If they take no private messages, the next one is tried sooner; at once, if what they do shows
    /// that they want it.
    async fn note_sign(&self, user: UserId, sign: Sign) {
        let storage = &self.context.storage;
        let noted = async {
            let Some(closed) = storage.closed(user)? else {
                return Ok(());
            };
            let again = match sign {
                Sign::There => ClosedDms { seen: true, ..closed },
                Sign::Wants => ClosedDms {
                    tried: Time(0),
                    ..closed
                },
            };
            if again != closed {
                storage.note_closed(user, Some(again)).await?;
            }
            Ok::<_, Fault>(())
        };
        if let Err(error) = noted.await {
            tracing::error!(%user, %error, "discord: could not store that a user may take private messages");
        }
    }

    /// Where we are. If that can't be found out, the asker is told that something broke.
    async fn caller(&self, origin: &EventOrigin, answering: &InteractionReply) -> Option<InvocationContext> {
        let error = match InvocationContext::new(origin, &self.context.storage) {
            Ok(caller) => return Some(caller),
            Err(error) => error,
        };
        tracing::error!(interaction = %answering.id, %error, "discord: could not look up the thread's match");
        let sorry = Message::text(self.context.parlor.apology());
        self.fill(answering, &sorry, MessageStyle::default()).await;
        None
    }

    /// Gives the answer.
    async fn answer(&self, answering: &InteractionReply, prepared: Prepared) {
        let Prepared {
            caller,
            mut reply,
            style,
            shown,
        } = prepared;
        if shown != AnswerVisibility::ToAll {
            self.add_closed_dms_note(&caller, &mut reply.message).await;
        } else if reply.secret {
            // Can't happen as long as only open answers are deferred openly; a secret must not hang on that.
            tracing::error!(room = %caller.room, "discord: a secret answer was withheld from an open reply");
            reply.message = Message::text(refusals::BROKEN);
        } else {
            reply.message = self.context.parlor.open_answer(reply.clone());
        }
        let lifetime = reply.lifetime();
        let message = self.fill(answering, &reply.message, style).await;
        if shown != AnswerVisibility::ToAll {
            let given = GivenAnswer {
                answering: answering.clone(),
                message,
                lifetime,
                at: Instant::now(),
            };
            self.take_past_away(caller.user, given).await;
        }
    }

    /// Takes those earlier answers away that have nothing more to say.
    async fn take_past_away(&self, user: UserId, given: GivenAnswer) {
        let context = &self.context;
        let is_past = |lifetime: &Lifetime| context.parlor.is_past(lifetime);
        for past in context.past_answers.note(user, given, is_past) {
            if let Err(error) = past.take_away().await {
                tracing::debug!(interaction = %past.id, %error, "discord: could not take an answer away");
            }
        }
    }

    /// Fills in the answer, trying again while Discord fails.
    async fn fill(
        &self,
        answering: &InteractionReply,
        message: &Message,
        style: MessageStyle,
    ) -> Option<MessageId> {
        let outgoing = self.context.outgoing(message, style).await;
        let mut pauses = backoff();
        let interaction = answering.id;
        for _ in 0..TRIES {
            match answering.fill(outgoing.clone()).await {
                Ok(message) => return message,
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
                    return None;
                }
                Err(error) => {
                    tracing::warn!(%interaction, %error, "discord: could not send the answer");
                    return None;
                }
            }
        }
        tracing::warn!(%interaction, tries = TRIES, "discord: could not send the answer");
        None
    }

    /// Tells somebody who takes no private messages what to do instead; once.
    async fn add_closed_dms_note(&self, caller: &InvocationContext, message: &mut Message) {
        let told = async {
            let closed = self.context.storage.closed(caller.user)?;
            if let Some(closed) = closed.filter(|closed| !closed.told) {
                let told = ClosedDms { told: true, ..closed };
                self.context.storage.note_closed(caller.user, Some(told)).await?;
                message.text.line(match closed.missed {
                    Missed::Hand => refusals::closed_door(),
                    Missed::News => refusals::closed_to_news(),
                });
            }
            Ok::<_, Fault>(())
        };
        if let Err(error) = told.await {
            tracing::error!(user = %caller.user, %error, "discord: could not add the note on closed DMs");
        }
    }

    async fn autocomplete(&self, event: CommandInteraction) {
        let (application, id, token) = (event.application_id, event.id, event.token.clone());
        let answering = self.context.rest.answering(application, id, &token);
        let context = Arc::clone(&self.context);
        // Legal moves may take a while to find.
        let found = tokio::task::spawn_blocking(move || choices(&context, &event)).await;
        let choices = found.unwrap_or_default();
        if let Err(error) = answering.suggest(&choices).await {
            tracing::debug!(interaction = %answering.id, %error, "discord: could not send the suggestions");
        }
    }
}

/// Says that an answer will come. If Discord does not hear it, nothing is done: whoever asked is told so by Discord and
/// asks again.
async fn acknowledged(answering: &InteractionReply, shown: AnswerVisibility) -> bool {
    let interaction = answering.id;
    let trying = async {
        let mut unheard = false;
        loop {
            let told = match shown {
                AnswerVisibility::Privately => answering.defer(true).await,
                AnswerVisibility::ToAll => answering.defer(false).await,
                AnswerVisibility::InPlace => answering.defer_update().await,
            };
            match told {
                Ok(()) => return true,
                // A try that seemed to fail was heard after all.
                Err(error) if unheard && error.code() == Some(code::ANSWERED) => return true,
                Err(DiscordError::Later { why: error, after }) => {
                    tracing::warn!(%interaction, %error, "discord: could not acknowledge; trying again");
                    unheard = true;
                    tokio::time::sleep(after.unwrap_or(AGAIN)).await;
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
        InvocationContext::new(&EventOrigin::from(event), &context.storage),
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

/// Whether a command makes a match be shown where it is said.
const fn shows_boards(verb: Verb) -> bool {
    opens(verb) || matches!(verb, Verb::Join | Verb::Fill | Verb::Rematch)
}
