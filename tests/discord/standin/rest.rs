//! The REST API: one door for all requests, where they are read, checked, delayed, counted and answered.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::faults::Trouble;
use super::model::{Id, Model};
use super::ratelimit::Standing;
use super::refusal::Refusal;
use super::{Shared, commands, interactions, messages, openapi, places};

/// A request, as it was read.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: String,
    /// What comes after `/api/v10`.
    pub route: String,
    parts: Vec<String>,
    pub query: HashMap<String, String>,
    pub body: Option<Value>,
    pub files: Vec<File>,
    authorization: String,
}

/// A file that came with a request.
#[derive(Clone, Debug)]
pub struct File {
    /// Its number among the files.
    pub number: String,
    pub name: String,
    pub bytes: Arc<[u8]>,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: Option<Value>,
}

impl Answer {
    pub const NOTHING: Self = Self {
        status: 204,
        body: None,
    };

    pub const fn ok(body: Value) -> Self {
        Self {
            status: 200,
            body: Some(body),
        }
    }
}

pub type Answered = Result<Answer, Refusal>;

impl Call {
    /// The parts of the path.
    pub fn path(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).collect()
    }

    pub fn is(&self, method: &str, beginning: &[&str]) -> bool {
        self.method == method && self.path().starts_with(beginning)
    }

    /// A message that is sent to this channel.
    pub fn posts_to(&self, channel: Id) -> bool {
        self.method == "POST" && self.path() == ["channels", &channel.to_string(), "messages"]
    }

    /// The first answer to an interaction.
    pub fn answers_first(&self) -> bool {
        self.is("POST", &["interactions"])
    }

    /// The body, or nothing if there was none.
    pub fn said(&self) -> Value {
        self.body.clone().unwrap_or(Value::Null)
    }

    pub async fn read(request: Request) -> Result<Self, String> {
        let (parts, body) = request.into_parts();
        let text = |name: header::HeaderName| {
            let value = parts.headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let whole = parts.uri.path().to_owned();
        let route = whole
            .strip_prefix("/api/v10")
            .ok_or_else(|| format!("{whole} is not below /api/v10"))?
            .to_owned();
        if !text(header::USER_AGENT).starts_with("DiscordBot (") {
            return Err(format!("{route}: without the User-Agent that Discord wants"));
        }
        let host = text(header::HOST);
        if host != "discord.com" {
            return Err(format!("{route}: meant for the host {host:?}"));
        }
        let mut call = Self {
            method: parts.method.to_string(),
            parts: route.split('/').skip(1).map(str::to_owned).collect(),
            query: pairs(parts.uri.query().unwrap_or_default()),
            body: None,
            files: Vec::new(),
            authorization: text(header::AUTHORIZATION),
            route,
        };
        let kind = text(header::CONTENT_TYPE);
        let request = Request::from_parts(parts, body);
        if kind.starts_with("multipart/form-data") {
            call.read_parts(request).await?;
        } else {
            let bytes = Bytes::from_request(request, &())
                .await
                .map_err(|error| format!("{}: {error}", call.route))?;
            if !bytes.is_empty() {
                let read = serde_json::from_slice(&bytes);
                call.body = Some(read.map_err(|error| format!("{}: no JSON: {error}", call.route))?);
            }
        }
        Ok(call)
    }

    async fn read_parts(&mut self, request: Request) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| format!("a body in parts can't be read: {error}");
        let mut parts = Multipart::from_request(request, &())
            .await
            .map_err(|error| wrong(&error))?;
        while let Some(part) = parts.next_field().await.map_err(|error| wrong(&error))? {
            let name = part.name().unwrap_or_default().to_owned();
            let file = part.file_name().map(str::to_owned);
            let bytes = part.bytes().await.map_err(|error| wrong(&error))?;
            if name == "payload_json" {
                let read = serde_json::from_slice(&bytes);
                self.body = Some(read.map_err(|error| wrong(&error))?);
                continue;
            }
            let number = name
                .strip_prefix("files[")
                .and_then(|rest| rest.strip_suffix(']'))
                .ok_or_else(|| format!("a part called {name:?}"))?;
            self.files.push(File {
                number: number.to_owned(),
                name: file.ok_or("a file without a name")?,
                bytes: bytes.as_ref().into(),
            });
        }
        Ok(())
    }
}

fn pairs(query: &str) -> HashMap<String, String> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Answers a request.
pub async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let call = match Call::read(request).await {
        Ok(call) => call,
        Err(why) => {
            shared.with(|model| model.problem(why));
            return respond(&Err(Refusal::NOT_FOUND.into()), None);
        }
    };
    let trouble = shared.with(|model| {
        let trouble = model.faults.meet(&call);
        if let Some(trouble) = &trouble {
            model
                .journal
                .push(format!("{} {}: {trouble:?}", call.method, call.route));
        }
        trouble
    });
    match trouble {
        None => {}
        Some(Trouble::Status(status)) => return plain(status),
        Some(Trouble::Code(status, code)) => {
            let refusal = Refusal {
                status,
                code,
                message: "on demand".to_owned(),
            };
            shared.with(|model| note(model, &call, &Err(refusal.clone())));
            return respond(&Err(refusal), None);
        }
        Some(Trouble::TooMany { after, global }) => {
            shared.with(|model| model.invalid_requests += 1);
            return too_many(after, global);
        }
        Some(Trouble::Drop) => return cut(),
        Some(Trouble::DropAnswer) => {
            // Whatever it was, nobody hears of it.
            let _ = perform(&shared, &call);
            return cut();
        }
        Some(Trouble::HoldBefore(gate)) => gate.pass().await,
        Some(Trouble::HoldAfter(gate)) => {
            let (answered, standing) = perform(&shared, &call);
            gate.pass().await;
            return respond(&answered, standing.as_ref());
        }
    }
    let (answered, standing) = perform(&shared, &call);
    match &standing {
        Some(standing) if standing.exceeded => too_many(standing.reset_after.as_secs_f64(), standing.global),
        standing => respond(&answered, standing.as_ref()),
    }
}

fn perform(shared: &Shared, call: &Call) -> (Answered, Option<Standing>) {
    shared.with(|model| {
        let standing = model.rates.count(call, model.clock.now());
        if standing.as_ref().is_some_and(|standing| standing.exceeded) {
            model.invalid_requests += 1;
            model
                .journal
                .push(format!("{} {} -> 429", call.method, call.route));
            return (Ok(Answer::NOTHING), standing);
        }
        let answered = admit(model, call).and_then(|()| dispatch(model, call));
        note(model, call, &answered);
        (answered, standing)
    })
}

/// The token, and what Discord's own description says of the body.
fn admit(model: &mut Model, call: &Call) -> Result<(), Refusal> {
    let has_own_token = matches!(call.path()[..], ["interactions" | "webhooks", ..]);
    let wanted = model.token.as_ref().map(|token| format!("Bot {token}"));
    if !has_own_token && wanted.as_ref() != Some(&call.authorization) {
        return Err(Refusal::UNAUTHORIZED.into());
    }
    if let Err(why) = openapi::check(call) {
        model.problem(format!("the body does not fit Discord's description: {why}"));
        return Err(Refusal::form("body", why));
    }
    Ok(())
}

fn dispatch(model: &mut Model, call: &Call) -> Answered {
    let path = call.path();
    let id = |part: &str| {
        part.parse::<Id>()
            .map_err(|_| Refusal::form("id", "is not snowflake"))
    };
    match (call.method.as_str(), &path[..]) {
        (_, ["gateway" | "users" | "guilds" | "oauth2", ..]) => places::answer(model, call),
        (_, ["applications", "@me"]) => places::answer(model, call),
        (_, ["applications", application, rest @ ..]) if *application == model.application.to_string() => {
            commands::answer(model, call, rest)
        }
        ("POST", ["interactions", interaction, token, "callback"]) => {
            interactions::callback(model, id(interaction)?, token, call)
        }
        (_, ["webhooks", application, token, rest @ ..]) if *application == model.application.to_string() => {
            interactions::webhook(model, token, rest, call)
        }
        (_, ["channels", channel, "messages", rest @ ..]) => {
            messages::answer(model, id(channel)?, rest, call)
        }
        (_, ["channels", channel, rest @ ..]) => places::channel(model, id(channel)?, rest, call),
        _ => unknown(model, call),
    }
}

/// A request that no bot of ours has a reason to make fails the test.
pub fn unknown(model: &mut Model, call: &Call) -> Answered {
    model.problem(format!("no such route: {} {}", call.method, call.route));
    Err(Refusal::NOT_FOUND.into())
}

fn note(model: &mut Model, call: &Call, answered: &Answered) {
    let (method, route) = (&call.method, &call.route);
    match answered {
        Ok(answer) => model
            .journal
            .push(format!("{method} {route} -> {}", answer.status)),
        Err(refusal) => {
            if matches!(refusal.status, 401 | 403) {
                model.invalid_requests += 1;
            }
            model.refusals.push(refusal.code);
            model.journal.push(format!(
                "{method} {route} -> {} {} {}: {}",
                refusal.status,
                refusal.code,
                refusal.message,
                call.said()
            ));
        }
    }
}

fn respond(answered: &Answered, standing: Option<&Standing>) -> Response {
    let (status, body) = match answered {
        Ok(answer) => (answer.status, answer.body.clone()),
        Err(refusal) => (refusal.status, Some(refusal.json())),
    };
    let mut headers = HeaderMap::new();
    if let Some(standing) = standing {
        let mut set = |name: &'static str, value: String| {
            headers.insert(name, value.parse().expect("plain letters"));
        };
        set("x-ratelimit-bucket", standing.bucket.clone());
        set("x-ratelimit-limit", standing.limit.to_string());
        set("x-ratelimit-remaining", standing.remaining.to_string());
        set(
            "x-ratelimit-reset-after",
            format!("{:.3}", standing.reset_after.as_secs_f64()),
        );
    }
    let mut response = match body {
        Some(body) => {
            headers.insert(
                header::CONTENT_TYPE,
                "application/json".parse().expect("plain letters"),
            );
            Response::new(Body::from(body.to_string()))
        }
        None => Response::new(Body::empty()),
    };
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
    response.headers_mut().extend(headers);
    response
}

fn plain(status: u16) -> Response {
    let mut response = Response::new(Body::from("upstream connect error"));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    response
}

fn too_many(after: f64, global: bool) -> Response {
    let body = json!({ "message": "You are being rate limited.", "retry_after": after, "global": global });
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    let headers = response.headers_mut();
    headers.insert(
        "retry-after",
        format!("{after:.3}").parse().expect("plain letters"),
    );
    headers.insert(
        "x-ratelimit-reset-after",
        format!("{after:.3}").parse().expect("plain letters"),
    );
    let scope = if global { "global" } else { "user" };
    headers.insert("x-ratelimit-scope", scope.parse().expect("plain letters"));
    if global {
        headers.insert("x-ratelimit-global", "true".parse().expect("plain letters"));
    }
    response
}

/// An answer that breaks off before its first letter.
fn cut() -> Response {
    let broken = futures_util::stream::once(async { Err::<Bytes, _>(std::io::Error::other("cut off")) });
    let mut response = Response::new(Body::from_stream(broken));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, "1000".parse().expect("plain letters"));
    response
}
