//! What is asked of Discord over HTTPS.
//!
//! Requests go through serenity's limiter. Of the answers only what is needed is read: Discord adds to them all the
//! time, and a board that was posted must not be posted again because of a field that nobody here looks at.

use reqwest::{Client, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serenity::builder::CreateAttachment;
use serenity::http::{Http, HttpBuilder, LightMethod, Multipart, MultipartUpload, Request, Route};
use serenity::model::id::{ApplicationId, ChannelId, InteractionId, MessageId, UserId};

use super::errors::{DiscordError, code};
use crate::config::Secret;

/// A message ready to be sent.
#[derive(Clone)]
pub struct OutgoingMessage {
    /// An object of JSON.
    pub body: Value,
    pub upload: Option<Upload>,
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

/// The way to Discord.
pub struct RestClient {
    client: Client,
    token: Secret,
    http: Http,
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
        ask(&self.http, route, LightMethod::Put, commands).await?;
        Ok(())
    }

    /// Posts a message; tells its id if Discord told it.
    pub async fn post(
        &self,
        channel: ChannelId,
        outgoing: OutgoingMessage,
    ) -> Result<Option<MessageId>, DiscordError> {
        let route = Route::ChannelMessages { channel_id: channel };
        let answer = send(&self.http, route, LightMethod::Post, outgoing).await?;
        Ok(read::<Made<MessageId>>(answer).await.map(|made| made.id))
    }

    /// Takes the buttons off a message. What is not named stays: words, picture and all.
    pub async fn strip(&self, channel: ChannelId, message: MessageId) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: channel,
            message_id: message,
        };
        let body = json!({ "components": [], "allowed_mentions": { "parse": [] } });
        ask(&self.http, route, LightMethod::Patch, &body).await?;
        Ok(())
    }

    /// The channel in which to talk to a user alone.
    pub async fn open_dm(&self, user: UserId) -> Result<ChannelId, DiscordError> {
        let body = json!({ "recipient_id": user });
        let answer = ask(&self.http, Route::UserMeDmChannels, LightMethod::Post, &body).await?;
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
        match ask(&self.http, route, LightMethod::Post, &body).await {
            Err(error) if error.code() != Some(code::THREAD_EXISTS) => Err(error),
            _ => Ok(ChannelId::new(message.get())),
        }
    }

    pub async fn unarchive(&self, thread: ChannelId) -> Result<(), DiscordError> {
        let route = Route::Channel { channel_id: thread };
        let body = json!({ "archived": false });
        ask(&self.http, route, LightMethod::Patch, &body).await?;
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
    pub id: InteractionId,
    token: String,
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
        let data = json!({ "flags": flags });
        self.call_back(&json!({ "type": DEFERRED_MESSAGE, "data": data }))
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
        ask(&self.http, route, LightMethod::Post, body).await?;
        Ok(())
    }

    /// Fills in the answer that was deferred.
    pub async fn fill(&self, outgoing: OutgoingMessage) -> Result<(), DiscordError> {
        let route = Route::WebhookOriginalInteractionResponse {
            application_id: self.application,
            token: &self.token,
        };
        send(&self.http, route, LightMethod::Patch, outgoing).await?;
        Ok(())
    }
}

fn limited(client: &Client, token: &Secret) -> Http {
    HttpBuilder::new(token.expose().trim())
        .client(client.clone())
        .build()
}

/// Asks something of Discord.
async fn ask(
    http: &Http,
    route: Route<'_>,
    method: LightMethod,
    body: &impl Serialize,
) -> Result<Response, DiscordError> {
    Ok(http
        .request(Request::new(route, method).body(Some(encode(body)?)))
        .await?)
}

/// Sends a message, with its file if it has one.
async fn send(
    http: &Http,
    route: Route<'_>,
    method: LightMethod,
    outgoing: OutgoingMessage,
) -> Result<Response, DiscordError> {
    let Some(upload) = outgoing.upload else {
        return ask(http, route, method, &outgoing.body).await;
    };
    let parts = Multipart {
        upload: MultipartUpload::Attachments(vec![CreateAttachment::bytes(upload.bytes, upload.name)]),
        fields: Vec::new(),
        payload_json: Some(outgoing.body.to_string()),
    };
    Ok(http
        .request(Request::new(route, method).multipart(Some(parts)))
        .await?)
}

fn encode(body: &impl Serialize) -> Result<Vec<u8>, DiscordError> {
    serde_json::to_vec(body).map_err(|error| DiscordError::later(error.to_string()))
}

async fn read<T: for<'de> Deserialize<'de>>(answer: Response) -> Option<T> {
    let bytes = answer.bytes().await.ok()?;
    serde_json::from_slice(&bytes).ok()
}
