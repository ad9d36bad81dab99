//! What is asked of Discord over HTTPS.
//!
//! Requests go at a pace of our own ([`super::limiter`]). Of the answers only what is needed is read: Discord adds to them all the
//! time, and a board that was posted must not be posted again because of a field that nobody here looks at.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use serenity::http::{
    ErrorResponse, Http, HttpBuilder, LightMethod, Multipart, MultipartUpload, Request, Route,
};
use serenity::model::id::{ApplicationId, ChannelId, CommandId, GuildId, InteractionId, MessageId, UserId};

use super::asked::AnswerVisibility;
use super::card;
use super::errors::{DiscordError, code};
use super::limiter::{BucketKey, BucketPass, Buckets, Pass, RequestPace, Urgency};
use super::storage::{LiveMessage, PostedMessage};
use crate::config::Secret;

/// A message ready to be sent.
#[derive(Clone)]
pub struct OutgoingMessage {
    /// An object of JSON.
    pub body: Value,
    pub upload: Option<Upload>,
    pub urgency: Urgency,
}

/// A file that goes with a message.
#[derive(Clone)]
pub struct Upload {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Gateway {
    pub url: String,
    /// How many connections Discord wants for a bot of this size.
    #[serde(default = "one")]
    pub shards: u32,
}

const fn one() -> u32 {
    1
}

/// Something that was made.
#[derive(Deserialize)]
struct Made<T> {
    id: T,
}

/// A command as Discord knows it.
#[derive(Deserialize)]
pub struct RegisteredCommand {
    pub id: CommandId,
    pub name: String,
}

/// How it stands with the answer to an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Discord has heard that an answer will come.
    Made,
    /// The answer is there.
    Kept,
    /// Discord has heard nothing.
    Unheard,
}

/// The answer to an interaction as it stands.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Original {
    content: String,
    embeds: Vec<Value>,
    components: Vec<Value>,
    attachments: Vec<Value>,
}

impl Original {
    fn is_blank(&self) -> bool {
        self.content.is_empty()
            && self.embeds.is_empty()
            && self.components.is_empty()
            && self.attachments.is_empty()
    }
}

/// The way to Discord.
pub struct RestClient {
    client: Client,
    /// As it stands in the head of a request.
    authorization: Secret,
    pace: RequestPace,
    buckets: Buckets,
}

/// What goes with a request.
enum Body {
    Nothing,
    Json(Value),
    Message(OutgoingMessage),
}

/// The body of an answer that says to come again later.
#[derive(Deserialize)]
struct TooMany {
    retry_after: f64,
    #[serde(default)]
    global: bool,
}

/// How long to wait if Discord says to wait and not how long.
const USUAL_WAIT: Duration = Duration::from_secs(5);

impl RestClient {
    pub fn new(client: Client, token: &Secret) -> Self {
        Self {
            client,
            authorization: token.with_prefix("Bot "),
            pace: RequestPace::default(),
            buckets: Buckets::default(),
        }
    }

    /// A way of its own, for serenity's client, which wants one.
    pub fn http(&self) -> Http {
        HttpBuilder::new(self.authorization.expose())
            .client(self.client.clone())
            .build()
    }

    /// Asks something of Discord, as soon as it may be asked.
    async fn ask(
        &self,
        urgency: Urgency,
        method: LightMethod,
        route: Route<'_>,
        body: Body,
    ) -> Result<Response, DiscordError> {
        // Each interaction has buckets of its own, and is counted apart.
        let (bucket, pass) = match urgency {
            Urgency::Answer => (None, None),
            Urgency::Turn | Urgency::News | Urgency::Private | Urgency::Tidying => {
                let (bucket, pass) = self.wait(urgency, (method, route.ratelimiting_bucket())).await?;
                (Some(bucket), pass)
            }
        };
        let request = Request::new(route, method);
        let request = match body {
            Body::Nothing => request,
            Body::Json(body) => request.body(Some(body.to_string().into_bytes())),
            Body::Message(OutgoingMessage { body, upload, .. }) => match upload {
                None => request.body(Some(body.to_string().into_bytes())),
                Some(Upload { name, bytes }) => request.multipart(Some(Multipart {
                    upload: MultipartUpload::Attachments(vec![CreateAttachment::bytes(bytes, name)]),
                    fields: Vec::new(),
                    payload_json: Some(body.to_string()),
                })),
            },
        };
        let request = request.build(&self.client, self.authorization.expose(), None)?;
        let answer = request.send().await?;
        if let Some(pass) = pass {
            pass.answered();
        }
        let status = answer.status();
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(self.too_many(bucket, answer).await);
        }
        if let Some(bucket) = bucket {
            match standing(&answer) {
                Some((left, whole_after)) => bucket.told(left, whole_after),
                None if status.is_success() => bucket.told_nothing(),
                None => {}
            }
        }
        if status.is_success() {
            Ok(answer)
        } else {
            let error = ErrorResponse::from_response(answer, method.reqwest_method()).await;
            Err(DiscordError::answered(error))
        }
    }

    /// Waits for the bucket of a route and for the common pace. Whoever would have to wait long is told how long.
    async fn wait(
        &self,
        urgency: Urgency,
        bucket: BucketKey,
    ) -> Result<(BucketPass, Option<Pass>), DiscordError> {
        let bucket = self.buckets.take(bucket, urgency).await;
        let bucket = bucket.map_err(DiscordError::put_off)?;
        Ok((bucket, self.pace.pass(urgency).await))
    }

    /// `bucket` is what was asked of, unless it has no bucket of its own.
    async fn too_many(&self, bucket: Option<BucketPass>, answer: Response) -> DiscordError {
        let seconds = |text: &str| text.parse::<f64>().ok();
        let told = header(&answer, "retry-after", seconds);
        let known = header(&answer, "x-ratelimit-global", |_| Some(())).is_some();
        let body = read::<TooMany>(answer).await;
        // What comes without Discord's own words comes from whoever guards its door, and is meant for all of us.
        let global = known || body.as_ref().is_none_or(|body| body.global);
        let told = body.map(|body| body.retry_after).or(told);
        let wait = told.and_then(|told| Duration::try_from_secs_f64(told).ok());
        let wait = wait.unwrap_or(USUAL_WAIT);
        if global {
            tracing::warn!(?wait, "discord: too many requests in all");
            self.pace.shut(wait);
        } else if let Some(bucket) = bucket {
            tracing::info!(?wait, "discord: too many requests for a route");
            bucket.told(0, wait);
        }
        DiscordError::put_off(wait)
    }

    /// Asks where to listen; also the first proof that the token is good.
    pub async fn gateway(&self) -> Result<Gateway, DiscordError> {
        let asked = self.ask(Urgency::Turn, LightMethod::Get, Route::GatewayBot, Body::Nothing);
        let answer = asked.await?;
        let gateway: Gateway = read(answer)
            .await
            .ok_or_else(|| DiscordError::later("Discord does not say where to listen"))?;
        Ok(Gateway {
            shards: gateway.shards.max(1),
            ..gateway
        })
    }

    /// Registers the commands; tells their ids if Discord told them.
    pub async fn register(
        &self,
        application: ApplicationId,
        commands: &[Value],
    ) -> Result<Vec<RegisteredCommand>, DiscordError> {
        let route = Route::Commands {
            application_id: application,
        };
        let asked = self.ask(
            Urgency::News,
            LightMethod::Put,
            route,
            Body::Json(json!(commands)),
        );
        Ok(read(asked.await?).await.unwrap_or_default())
    }

    /// Whether somebody is in a server.
    pub async fn is_member(&self, guild: GuildId, user: UserId) -> Result<bool, DiscordError> {
        let route = Route::GuildMember {
            guild_id: guild,
            user_id: user,
        };
        match self
            .ask(Urgency::Turn, LightMethod::Get, route, Body::Nothing)
            .await
        {
            Ok(_) => Ok(true),
            Err(error) if error.code() == Some(code::UNKNOWN_MEMBER) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Posts a message; tells its id if Discord told it.
    pub async fn post(
        &self,
        channel: ChannelId,
        outgoing: OutgoingMessage,
    ) -> Result<Option<MessageId>, DiscordError> {
        let route = Route::ChannelMessages { channel_id: channel };
        let answer = self.send(LightMethod::Post, route, outgoing).await?;
        Ok(read::<Made<MessageId>>(answer).await.map(|made| made.id))
    }

    /// Writes a message of ours anew. Nobody is called by that.
    pub async fn edit(&self, at: PostedMessage, mut outgoing: OutgoingMessage) -> Result<(), DiscordError> {
        // These are for new messages; only what kind of message it is has to be said again.
        if let Some(body) = outgoing.body.as_object_mut() {
            for field in ["nonce", "enforce_nonce", "flags"] {
                let value = body.remove(field);
                let flags = value.and_then(|value| value.as_u64()).unwrap_or_default();
                if field == "flags" && flags & card::FLAG != 0 {
                    body.insert(field.to_owned(), json!(card::FLAG));
                }
            }
        }
        self.send(LightMethod::Patch, at.route(), outgoing).await?;
        Ok(())
    }

    pub async fn delete(&self, at: PostedMessage) -> Result<(), DiscordError> {
        self.ask(Urgency::Tidying, LightMethod::Delete, at.route(), Body::Nothing)
            .await?;
        Ok(())
    }

    /// Takes the buttons off a message. What is not named stays: words, picture and all. Of a card, all that is to stay is
    /// named.
    pub async fn strip(&self, message: &LiveMessage) -> Result<(), DiscordError> {
        let mut body = json!({ "components": [], "allowed_mentions": { "parse": [] } });
        if let Some(card) = &message.card {
            body["components"] = json!([card]);
            body["flags"] = json!(card::FLAG);
        }
        let route = message.at.route();
        self.ask(Urgency::Tidying, LightMethod::Patch, route, Body::Json(body))
            .await?;
        Ok(())
    }

    /// The channel in which to talk to a user alone.
    pub async fn open_dm(&self, user: UserId) -> Result<ChannelId, DiscordError> {
        let body = json!({ "recipient_id": user });
        let asked = self.ask(
            Urgency::Private,
            LightMethod::Post,
            Route::UserMeDmChannels,
            Body::Json(body),
        );
        let answer = asked.await?;
        let made = read::<Made<ChannelId>>(answer).await.map(|made| made.id);
        made.ok_or_else(|| DiscordError::later("Discord does not say where to write to a user"))
    }

    /// Starts a thread under a message. It has the message's id, also if it was there already.
    pub async fn start_thread(
        &self,
        channel: ChannelId,
        message: MessageId,
        name: &str,
    ) -> Result<ChannelId, DiscordError> {
        /// A week of silence: the longest there is.
        const ARCHIVED_AFTER_MINUTES: u32 = 10_080;
        let route = Route::ChannelMessageThreads {
            channel_id: channel,
            message_id: message,
        };
        let body = json!({ "name": name, "auto_archive_duration": ARCHIVED_AFTER_MINUTES });
        match self
            .ask(Urgency::News, LightMethod::Post, route, Body::Json(body))
            .await
        {
            Err(error) if error.code() != Some(code::THREAD_EXISTS) => Err(error),
            _ => Ok(ChannelId::new(message.get())),
        }
    }

    pub async fn unarchive(&self, thread: ChannelId) -> Result<(), DiscordError> {
        let route = Route::Channel { channel_id: thread };
        let body = json!({ "archived": false });
        self.ask(Urgency::Turn, LightMethod::Patch, route, Body::Json(body))
            .await?;
        Ok(())
    }

    /// Sends a message, with its file if it has one.
    async fn send(
        &self,
        method: LightMethod,
        route: Route<'_>,
        outgoing: OutgoingMessage,
    ) -> Result<Response, DiscordError> {
        self.ask(outgoing.urgency, method, route, Body::Message(outgoing))
            .await
    }

    /// The way to answer one interaction.
    pub fn answering(
        self: &Arc<Self>,
        application: ApplicationId,
        id: InteractionId,
        token: &str,
    ) -> InteractionReply {
        InteractionReply {
            rest: Arc::clone(self),
            application,
            id,
            token: token.to_owned(),
        }
    }
}

/// The way to answer one interaction. Discord counts these requests by interaction, and not among all others.
#[derive(Clone)]
pub struct InteractionReply {
    rest: Arc<RestClient>,
    application: ApplicationId,
    pub id: InteractionId,
    token: String,
}

/// Kinds of first answers.
const DEFERRED_MESSAGE: u8 = 5;
const DEFERRED_UPDATE: u8 = 6;
const CHOICES: u8 = 8;

/// Only the asker sees it.
const EPHEMERAL: u64 = 1 << 6;

/// Nobody's phone makes a sound for it.
pub const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;

impl PostedMessage {
    const fn route(self) -> Route<'static> {
        Route::ChannelMessage {
            channel_id: self.channel,
            message_id: self.message,
        }
    }
}

impl InteractionReply {
    /// Says that an answer will come, as a message of its own.
    pub async fn defer(&self, ephemeral: bool) -> Result<(), DiscordError> {
        let flags = if ephemeral { EPHEMERAL } else { 0 };
        let data = json!({ "flags": flags });
        self.call_back(json!({ "type": DEFERRED_MESSAGE, "data": data }))
            .await
    }

    /// Says that an answer will come in place of the message whose button was pressed.
    pub async fn defer_update(&self) -> Result<(), DiscordError> {
        self.call_back(json!({ "type": DEFERRED_UPDATE })).await
    }

    /// Suggests what may stand in a field.
    pub async fn suggest(&self, choices: &[Value]) -> Result<(), DiscordError> {
        self.call_back(json!({ "type": CHOICES, "data": { "choices": choices } }))
            .await
    }

    async fn call_back(&self, body: Value) -> Result<(), DiscordError> {
        let route = Route::InteractionResponse {
            interaction_id: self.id,
            token: &self.token,
        };
        self.rest
            .ask(Urgency::Answer, LightMethod::Post, route, Body::Json(body))
            .await?;
        Ok(())
    }

    /// Fills in the answer that was deferred; tells its id if Discord told it.
    pub async fn fill(&self, outgoing: OutgoingMessage) -> Result<Option<MessageId>, DiscordError> {
        let answer = self
            .rest
            .send(LightMethod::Patch, self.original(), outgoing)
            .await?;
        Ok(read::<Made<MessageId>>(answer).await.map(|made| made.id))
    }

    /// Takes the answer away.
    pub async fn take_away(&self) -> Result<(), DiscordError> {
        self.rest
            .ask(
                Urgency::Answer,
                LightMethod::Delete,
                self.original(),
                Body::Nothing,
            )
            .await?;
        Ok(())
    }

    /// How it stands with an answer that was to be shown so.
    pub async fn promise(&self, shown: AnswerVisibility) -> Result<Promise, DiscordError> {
        let asked = self
            .rest
            .ask(Urgency::Answer, LightMethod::Get, self.original(), Body::Nothing);
        let answer = match asked.await {
            Ok(answer) => answer,
            Err(DiscordError::Gone { .. }) => return Ok(Promise::Unheard),
            Err(error) => return Err(error),
        };
        let original = read::<Original>(answer).await;
        let waits = original.is_none_or(|original| original.is_blank());
        // What is written in place of another message stands there from the beginning.
        Ok(if waits || shown == AnswerVisibility::InPlace {
            Promise::Made
        } else {
            Promise::Kept
        })
    }

    fn original(&self) -> Route<'_> {
        Route::WebhookOriginalInteractionResponse {
            application_id: self.application,
            token: &self.token,
        }
    }
}

/// How the bucket of a route stands, as an answer tells.
fn standing(answer: &Response) -> Option<(u32, Duration)> {
    let left = header(answer, "x-ratelimit-remaining", |text| text.parse().ok())?;
    let seconds = header(answer, "x-ratelimit-reset-after", |text| text.parse().ok())?;
    Some((left, Duration::try_from_secs_f64(seconds).ok()?))
}

fn header<T>(answer: &Response, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    read(answer.headers().get(name)?.to_str().ok()?)
}

async fn read<T: for<'de> Deserialize<'de>>(answer: Response) -> Option<T> {
    let bytes = answer.bytes().await.ok()?;
    serde_json::from_slice(&bytes).ok()
}
