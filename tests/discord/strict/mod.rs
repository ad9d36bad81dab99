//! The stand-in itself: each of its refusals refuses, and what is right is let through.

mod answers;
mod forms;
mod line;
mod wire;

use serde_json::{Value, json};

use crate::driver::town::TOKEN;
use crate::standin::Standin;
use crate::standin::model::{Id, InteractionKind};
use crate::standin::{interactions, permissions};

/// Somebody who talks to the stand-in as a bot would.
struct Client {
    standin: Standin,
    runtime: tokio::runtime::Runtime,
    http: reqwest::Client,
    channel: Id,
    user: Id,
}

/// A status, an error code, and what was answered.
type Answer = (u16, i64, Value);

impl Client {
    fn new() -> Self {
        let standin = Standin::open(TOKEN);
        let (channel, user) = standin.shared.with(|model| {
            let guild = model.add_guild("Town", permissions::INVITED);
            let user = model.add_user("ann", Some("Ann"));
            if let Some(guild) = model.guilds.get_mut(&guild) {
                guild.members.insert(user, Default::default());
            }
            (model.add_channel(guild, "square"), user)
        });
        let ca = reqwest::Certificate::from_pem(standin.ca_pem.as_bytes()).unwrap();
        let http = reqwest::Client::builder()
            .add_root_certificate(ca)
            .resolve("discord.com", standin.address)
            .user_agent("DiscordBot (https://example.org, 1)")
            .no_proxy()
            .build()
            .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            standin,
            runtime,
            http,
            channel,
            user,
        }
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.try_ask(method, path, body).unwrap()
    }

    fn try_ask(&self, method: &str, path: &str, body: Option<&Value>) -> reqwest::Result<Answer> {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        self.send(request)
    }

    fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let port = self.standin.address.port();
        let url = format!("https://discord.com:{port}/api/v10{path}");
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        self.http
            .request(method, url)
            .header("host", "discord.com")
            .header("authorization", format!("Bot {TOKEN}"))
    }

    fn send(&self, request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
        self.runtime.block_on(async {
            let response = request.send().await?;
            let status = response.status().as_u16();
            let text = response.text().await?;
            let body: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
            Ok((status, body["code"].as_i64().unwrap_or_default(), body))
        })
    }

    /// Sends a message to the channel.
    fn say(&self, body: &Value) -> Answer {
        self.ask(
            "POST",
            &format!("/channels/{}/messages", self.channel),
            Some(body),
        )
    }

    /// The user does something; its id and token.
    fn begin(&self, kind: InteractionKind, message: Option<Id>) -> (Id, String) {
        self.standin.shared.with(|model| {
            let id = interactions::begin(model, kind, self.user, self.channel, &json!({}), message);
            (id, model.interactions[&id].token.clone())
        })
    }

    fn call_back(&self, id: Id, token: &str, body: &Value) -> Answer {
        self.ask(
            "POST",
            &format!("/interactions/{id}/{token}/callback"),
            Some(body),
        )
    }

    fn webhook(&self, method: &str, token: &str, rest: &str, body: Option<&Value>) -> Answer {
        let application = self.standin.shared.with(|model| model.application);
        self.ask(method, &format!("/webhooks/{application}/{token}{rest}"), body)
    }
}

/// A message that nobody can object to.
fn words(content: &str) -> Value {
    json!({ "content": content, "allowed_mentions": { "parse": [] } })
}

/// The same with something more.
fn with(more: Value) -> Value {
    let mut body = words("Hello");
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}
