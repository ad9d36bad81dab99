//! What is asked of Discord over HTTPS.
//!
//! Requests go through serenity's limiter. Of the answers only what is needed is read: Discord adds to them all the
//! time, and a board that was posted must not be posted again because of a field that nobody here looks at.

use std::fmt;

use reqwest::Client;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use serenity::http::{Http, HttpBuilder, LightMethod, Multipart, MultipartUpload, Request, Route};
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, UserId};

use super::errors::{DiscordError, code};
use crate::config::Secret;

/// A message ready to be sent.
#[derive(Clone, Debug, Default)]
pub struct OutgoingMessage {
    pub body: serde_json::Map<String, Value>,
    pub upload: Option<Upload>,
}

/// A file that goes with a message.
#[derive(Clone)]
pub struct Upload {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Upload").field(&self.name).finish()
    }
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

/// The way to Discord.
pub struct RestClient {
    client: Client,
    token: Secret,
    http: Http,
}

impl fmt::Debug for RestClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RestClient")
    }
}

impl RestClient {
    pub fn new(client: Client, token: Secret) -> Self {
        let http = limited(&client, &token);
        Self { client, token, http }
    }

    /// A way of its own, for serenity's client, which wants one.
    pub fn http(&self) -> Http {
        limited(&self.client, &self.token)
    }

    /// Asks where to listen; also the first proof that the token is good.
    pub async fn gateway(&self) -> Result<Gateway, DiscordError> {
        let request = Request::new(Route::GatewayBot, LightMethod::Get);
        let answer = self.http.request(request).await?;
        let gateway: Gateway = read(answer)
            .await
            .ok_or_else(|| DiscordError::later("Discord does not say where to listen"))?;
        Ok(Gateway {
            shards: gateway.shards.max(1),
            ..gateway
        })
    }

    pub async fn register(
        &self,
        application: ApplicationId,
        commands: &impl Serialize,
    ) -> Result<(), DiscordError> {
        let route = Route::Commands {
            application_id: application,
        };
        let request = Request::new(route, LightMethod::Put).body(Some(encode(commands)?));
        self.http.request(request).await?;
        Ok(())
    }

    /// Posts a message; tells its id if Discord told it.
    pub async fn post(
        &self,
        channel: ChannelId,
        letter: OutgoingMessage,
    ) -> Result<Option<MessageId>, DiscordError> {
        let route = Route::ChannelMessages { channel_id: channel };
        let answer = self
            .http
            .request(sending(route, LightMethod::Post, letter)?)
            .await?;
        Ok(read::<Made<MessageId>>(answer).await.map(|made| made.id))
    }

    /// Takes the buttons off a message. What is not named stays: words, picture and all.
    pub async fn strip(&self, channel: ChannelId, message: MessageId) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: channel,
            message_id: message,
        };
        let body = json!({ "components": [], "allowed_mentions": { "parse": [] } });
        let request = Request::new(route, LightMethod::Patch).body(Some(encode(&body)?));
        self.http.request(request).await?;
        Ok(())
    }

    /// The channel in which to talk to a user alone.
    pub async fn open_dm(&self, user: UserId) -> Result<ChannelId, DiscordError> {
        let body = json!({ "recipient_id": user.to_string() });
        let request = Request::new(Route::UserMeDmChannels, LightMethod::Post).body(Some(encode(&body)?));
        let answer = self.http.request(request).await?;
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
        let request = Request::new(route, LightMethod::Post).body(Some(encode(&body)?));
        match self.http.request(request).await.map_err(DiscordError::from) {
            Ok(_) => Ok(ChannelId::new(message.get())),
            Err(trouble) if trouble.code() == Some(code::THREAD_EXISTS) => Ok(ChannelId::new(message.get())),
            Err(trouble) => Err(trouble),
        }
    }

    pub async fn unarchive(&self, thread: ChannelId) -> Result<(), DiscordError> {
        let route = Route::Channel { channel_id: thread };
        let body = json!({ "archived": false });
        let request = Request::new(route, LightMethod::Patch).body(Some(encode(&body)?));
        self.http.request(request).await?;
        Ok(())
    }

    /// The way to answer one interaction. Discord counts these requests by interaction, serenity by application: with
    /// a limiter of its own, nobody's answer waits for everybody else's.
    pub fn answering(&self, application: ApplicationId, id: InteractionId, token: &str) -> InteractionReply {
        InteractionReply {
            http: self.http(),
            application,
            id,
            token: token.to_owned(),
        }
    }
}

/// The way to answer one interaction.
pub struct InteractionReply {
    http: Http,
    application: ApplicationId,
    id: InteractionId,
    token: String,
}

impl fmt::Debug for InteractionReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InteractionReply").field(&self.id).finish()
    }
}

/// Kinds of first answers.
const DEFERRED_MESSAGE: u8 = 5;
const DEFERRED_UPDATE: u8 = 6;
const CHOICES: u8 = 8;

/// Only the asker sees it.
const EPHEMERAL: u64 = 1 << 6;

impl InteractionReply {
    /// Says that an answer will come, as a message of its own.
    pub async fn defer(&self, ephemeral: bool) -> Result<(), DiscordError> {
        let flags = if ephemeral { EPHEMERAL } else { 0 };
        self.call_back(&json!({ "type": DEFERRED_MESSAGE, "data": { "flags": flags } }))
            .await
    }

    /// Says that an answer will come in place of the message whose button was pressed.
    pub async fn defer_update(&self) -> Result<(), DiscordError> {
        self.call_back(&json!({ "type": DEFERRED_UPDATE })).await
    }

    /// Suggests what may stand in a field.
    pub async fn suggest(&self, choices: &Value) -> Result<(), DiscordError> {
        self.call_back(&json!({ "type": CHOICES, "data": { "choices": choices } }))
            .await
    }

    async fn call_back(&self, body: &Value) -> Result<(), DiscordError> {
        let route = Route::InteractionResponse {
            interaction_id: self.id,
            token: &self.token,
        };
        let request = Request::new(route, LightMethod::Post).body(Some(encode(body)?));
        self.http.request(request).await?;
        Ok(())
    }

    /// Fills in the answer that was deferred.
    pub async fn fill(&self, letter: OutgoingMessage) -> Result<(), DiscordError> {
        let route = Route::WebhookOriginalInteractionResponse {
            application_id: self.application,
            token: &self.token,
        };
        self.http
            .request(sending(route, LightMethod::Patch, letter)?)
            .await?;
        Ok(())
    }
}

fn limited(client: &Client, token: &Secret) -> Http {
    HttpBuilder::new(token.expose().trim())
        .client(client.clone())
        .build()
}

fn sending(
    route: Route<'_>,
    method: LightMethod,
    letter: OutgoingMessage,
) -> Result<Request<'_>, DiscordError> {
    let body = encode(&letter.body)?;
    let request = Request::new(route, method);
    Ok(match letter.upload {
        None => request.body(Some(body)),
        Some(upload) => request.multipart(Some(Multipart {
            upload: MultipartUpload::Attachments(vec![CreateAttachment::bytes(upload.bytes, upload.name)]),
            fields: Vec::new(),
            payload_json: Some(String::from_utf8_lossy(&body).into_owned()),
        })),
    })
}

fn encode(body: &impl Serialize) -> Result<Vec<u8>, DiscordError> {
    serde_json::to_vec(body).map_err(|error| DiscordError::later(error.to_string()))
}

async fn read<T: for<'de> Deserialize<'de>>(answer: reqwest::Response) -> Option<T> {
    let bytes = answer.bytes().await.ok()?;
    serde_json::from_slice(&bytes).ok()
}
