//! The gateway: one WebSocket a shard, compressed as the bot asks for.

use std::io::Write;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Shared;
use super::model::{Id, Model};

/// Intents that need Discord's permission: members, presences, what is written in messages.
const PRIVILEGED: u64 = (1 << 1) | (1 << 8) | (1 << 15);
const GUILDS: u64 = 1;
/// How many messages a bot may send through one connection in a minute.
const MOST_SENT: usize = 120;

/// The sessions that can be resumed, and how the gateway misbehaves.
#[derive(Debug, Default)]
pub struct Sessions {
    pub all: Vec<Session>,
    /// Whether heartbeats go unanswered.
    pub mute: bool,
    /// How often somebody connected, identified, resumed.
    pub connections: usize,
    pub identifies: usize,
    pub resumes: usize,
    pub heartbeats: usize,
    /// Everybody who identifies is sent away with this code.
    pub turn_away: Option<u16>,
    /// The bot has grown since it asked how many shards it needs.
    pub outgrown: Option<Outgrown>,
    names: usize,
}

/// Everybody who identifies with another number of shards is sent away with this code.
#[derive(Clone, Copy, Debug)]
pub struct Outgrown {
    pub code: u16,
    pub shards: u64,
}

#[derive(Debug)]
pub struct Session {
    pub id: String,
    pub shard: (u64, u64),
    pub seq: u64,
    /// Everything that was dispatched, for whoever resumes.
    log: Vec<(u64, Value)>,
    line: Option<UnboundedSender<Out>>,
}

/// What goes out through a connection.
#[derive(Debug)]
pub enum Out {
    Payload(Value),
    Close(u16),
    /// The line goes dead without a word.
    Cut,
}

impl Session {
    pub const fn is_connected(&self) -> bool {
        self.line.is_some()
    }

    fn hears_of(&self, guild: Option<Id>) -> bool {
        let shard = guild.map_or(0, |guild| (guild >> 22) % self.shard.1);
        shard == self.shard.0
    }

    fn send(&self, out: Out) {
        if let Some(line) = &self.line {
            // A line that has just gone dead is noticed by its own task.
            let _ = line.send(out);
        }
    }

    fn dispatch(&mut self, event: &str, data: &Value) {
        self.seq += 1;
        let payload = json!({ "op": 0, "s": self.seq, "t": event, "d": data });
        self.log.push((self.seq, payload.clone()));
        self.send(Out::Payload(payload));
    }
}

impl Sessions {
    /// Tells an event to the shard that it belongs to.
    pub fn dispatch(&mut self, guild: Option<Id>, event: &str, data: &Value) {
        for session in self.all.iter_mut().filter(|session| session.hears_of(guild)) {
            session.dispatch(event, data);
        }
    }

    /// Sends something through every connection.
    pub fn tell_all(&self, out: impl Fn() -> Out) {
        for session in &self.all {
            session.send(out());
        }
    }

    pub fn is_connected(&self) -> bool {
        self.all.iter().any(Session::is_connected)
    }
}

pub async fn connect(
    State(shared): State<Shared>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.on_upgrade(async move |socket| {
        let version = query.unwrap_or_default().contains("v=10");
        shared.with(|model| {
            model.sessions.connections += 1;
            if !version {
                model.problem("the gateway was asked for without v=10");
            }
        });
        Connection::new(shared, socket).serve().await;
    })
}

struct Connection {
    shared: Shared,
    socket: WebSocket,
    line: UnboundedSender<Out>,
    waiting: UnboundedReceiver<Out>,
    /// The session, once there is one.
    session: Option<String>,
    compress: bool,
    sent: Vec<Duration>,
}

/// Why a connection ends.
enum End {
    Close(u16),
    Cut,
}

impl Connection {
    fn new(shared: Shared, socket: WebSocket) -> Self {
        let (line, waiting) = unbounded_channel();
        Self {
            shared,
            socket,
            line,
            waiting,
            session: None,
            compress: false,
            sent: Vec::new(),
        }
    }

    async fn serve(mut self) {
        let interval = self.shared.with(|model| model.heartbeat_interval);
        let hello = json!({ "op": 10, "d": { "heartbeat_interval": interval.as_millis() as u64 } });
        let end = match self.write(&hello).await {
            Ok(()) => self.talk().await,
            Err(end) => end,
        };
        if let Some(id) = &self.session {
            let line = self.line.clone();
            self.shared.with(|model| {
                for session in model.sessions.all.iter_mut().filter(|session| session.id == *id) {
                    // Somebody may have resumed through another connection meanwhile.
                    if session.line.as_ref().is_some_and(|own| own.same_channel(&line)) {
                        session.line = None;
                    }
                }
                model.journal.push("the gateway connection ends".to_owned());
            });
        }
        if let End::Close(code) = end {
            let frame = CloseFrame {
                code,
                reason: "".into(),
            };
            // The other side may be gone already.
            let _ = self.socket.send(Frame::Close(Some(frame))).await;
            while let Some(Ok(_)) = self.socket.recv().await {}
        }
    }

    async fn talk(&mut self) -> End {
        loop {
            let done = tokio::select! {
                Some(out) = self.waiting.recv() => match out {
                    Out::Payload(payload) => self.write(&payload).await,
                    Out::Close(code) => Err(End::Close(code)),
                    Out::Cut => Err(End::Cut),
                },
                frame = self.socket.recv() => match frame {
                    Some(Ok(Frame::Text(text))) => self.hear(text.as_str()).await,
                    Some(Ok(Frame::Binary(bytes))) => self.hear(&String::from_utf8_lossy(&bytes)).await,
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => Ok(()),
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => Err(End::Cut),
                },
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn write(&mut self, payload: &Value) -> Result<(), End> {
        let text = payload.to_string();
        let frame = if self.compress {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text.as_bytes()).expect("memory takes it");
            Frame::Binary(encoder.finish().expect("memory takes it").into())
        } else {
            Frame::Text(text.into())
        };
        self.socket.send(frame).await.map_err(|_| End::Cut)
    }

    async fn hear(&mut self, text: &str) -> Result<(), End> {
        let now = self.shared.with(|model| model.clock.now());
        self.sent.retain(|at| *at + Duration::from_secs(60) > now);
        self.sent.push(now);
        let Ok(heard) = serde_json::from_str::<Value>(text) else {
            return Err(self.mistake(4002, "what was sent to the gateway is no JSON"));
        };
        match heard["op"].as_u64() {
            Some(1) => self.heartbeat().await,
            _ if self.sent.len() > MOST_SENT => Err(self.mistake(4008, "more than 120 messages in a minute")),
            Some(2) => self.identify(&heard["d"]).await,
            Some(6) => self.resume(&heard["d"]).await,
            Some(3) if self.session.is_some() => Ok(()),
            Some(3 | 4 | 8) => {
                Err(self.mistake(4003, "something was sent before identifying, or never allowed"))
            }
            _ => Err(self.mistake(4001, "no such opcode")),
        }
    }

    fn mistake(&self, code: u16, what: &str) -> End {
        self.shared.with(|model| model.problem(what));
        End::Close(code)
    }

    async fn heartbeat(&mut self) -> Result<(), End> {
        let muted = self.shared.with(|model| {
            model.sessions.heartbeats += 1;
            model.sessions.mute
        });
        if muted {
            return Ok(());
        }
        self.write(&json!({ "op": 11 })).await
    }

    async fn identify(&mut self, wish: &Value) -> Result<(), End> {
        if self.session.is_some() {
            return Err(self.mistake(4005, "identified twice"));
        }
        self.compress = wish["compress"] == true;
        let line = self.line.clone();
        let id = self.shared.with(|model| {
            model.sessions.identifies += 1;
            let shard = match (wish["shard"][0].as_u64(), wish["shard"][1].as_u64()) {
                (Some(index), Some(count)) if index < count => (index, count),
                (None, None) => (0, 1),
                _ => return Err(4010),
            };
            if !is_token(wish, model.token.as_deref()) {
                return Err(4004);
            }
            if let Some(code) = model.sessions.turn_away {
                return Err(code);
            }
            if let Some(Outgrown { code, shards }) = model.sessions.outgrown
                && shard.1 != shards
            {
                // Whoever asks from now on is told how many there have to be.
                model.shards = shards;
                return Err(code);
            }
            let intents = wish["intents"].as_u64().unwrap_or_default();
            if intents & PRIVILEGED != 0 {
                model.problem("privileged intents were asked for");
                return Err(4014);
            }
            if wish["properties"]["os"].is_null() {
                model.problem("identified without properties");
            }
            Ok(open_session(model, line, shard, intents))
        });
        match id {
            Ok(id) => {
                self.session = Some(id);
                Ok(())
            }
            Err(code) => Err(End::Close(code)),
        }
    }

    async fn resume(&mut self, wish: &Value) -> Result<(), End> {
        self.compress = true;
        let line = self.line.clone();
        let resumed = self.shared.with(|model| {
            model.sessions.resumes += 1;
            if !is_token(wish, model.token.as_deref()) {
                return Err(End::Close(4004));
            }
            let seq = wish["seq"].as_u64().unwrap_or_default();
            let sessions = &mut model.sessions.all;
            let Some(session) = sessions
                .iter_mut()
                .find(|session| wish["session_id"] == session.id.as_str() && seq <= session.seq)
            else {
                return Ok(None);
            };
            session.line = Some(line);
            let missed: Vec<Value> = (session.log.iter())
                .filter(|(number, _)| *number > seq)
                .map(|(_, payload)| payload.clone())
                .collect();
            for payload in missed {
                session.send(Out::Payload(payload));
            }
            session.dispatch("RESUMED", &json!({}));
            Ok(Some(session.id.clone()))
        })?;
        match resumed {
            Some(id) => {
                self.session = Some(id);
                Ok(())
            }
            // The session is gone; the bot has to identify anew.
            None => self.write(&json!({ "op": 9, "d": false })).await,
        }
    }
}

/// A new session: READY, and then the servers one after the other.
fn open_session(model: &mut Model, line: UnboundedSender<Out>, shard: (u64, u64), intents: u64) -> String {
    model.sessions.names += 1;
    let id = format!("session-{}", model.sessions.names);
    // Whoever identifies anew does not come back for the old session.
    model.sessions.all.retain(|session| session.shard.0 != shard.0);
    let mut session = Session {
        id: id.clone(),
        shard,
        seq: 0,
        log: Vec::new(),
        line: Some(line),
    };
    let guilds: Vec<Id> = model
        .guilds
        .values()
        .filter(|guild| guild.members.contains_key(&model.bot) && session.hears_of(Some(guild.id)))
        .map(|guild| guild.id)
        .collect();
    let unavailable = guilds
        .iter()
        .map(|guild| json!({ "id": guild.to_string(), "unavailable": true }));
    let ready = json!({
        "v": 10,
        "user": model.user_json(model.bot),
        "guilds": unavailable.collect::<Vec<_>>(),
        "session_id": id,
        "resume_gateway_url": "wss://gateway-resume.invalid",
        "shard": [shard.0, shard.1],
        "application": { "id": model.application.to_string(), "flags": 0 },
    });
    session.dispatch("READY", &ready);
    if intents & GUILDS != 0 {
        for guild in guilds {
            session.dispatch("GUILD_CREATE", &model.guild_json(&model.guilds[&guild]));
        }
    }
    model.journal.push(format!("identified: shard {shard:?}, {id}"));
    model.sessions.all.push(session);
    id
}

/// Whether a bot shows its token; Discord takes it with the word `Bot` before it too, as serenity sends it.
fn is_token(wish: &Value, token: Option<&str>) -> bool {
    let shown = wish["token"].as_str();
    shown.map(|shown| shown.strip_prefix("Bot ").unwrap_or(shown)) == token
}
