//! The gateway: who is let in, what is replayed, who is sent away.

use std::io::Read;

use flate2::read::ZlibDecoder;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::Client;
use crate::driver::town::TOKEN;
use crate::standin::gateway::Out;

/// A connection to the gateway.
struct Line<'c> {
    client: &'c Client,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// What is heard.
#[derive(Debug, PartialEq)]
enum Heard {
    Payload(Value),
    Closed(Option<u16>),
}

impl<'c> Line<'c> {
    fn open(client: &'c Client) -> Self {
        let url = client.standin.shared.with(|model| model.gateway_url.clone());
        let connecting = tokio_tungstenite::connect_async(format!("{url}/?v=10"));
        let (socket, _) = client.runtime.block_on(connecting).unwrap();
        let mut line = Self { client, socket };
        assert_eq!(line.payload()["op"], 10, "HELLO comes first");
        line
    }

    fn send(&mut self, payload: &Value) {
        let frame = Frame::Text(payload.to_string().into());
        self.client.runtime.block_on(self.socket.send(frame)).unwrap();
    }

    fn hear(&mut self) -> Heard {
        let frame = self.client.runtime.block_on(self.socket.next());
        match frame {
            Some(Ok(Frame::Text(text))) => Heard::Payload(serde_json::from_str(text.as_str()).unwrap()),
            Some(Ok(Frame::Binary(bytes))) => {
                let mut text = String::new();
                ZlibDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
                Heard::Payload(serde_json::from_str(&text).unwrap())
            }
            Some(Ok(Frame::Close(frame))) => Heard::Closed(frame.map(|frame| frame.code.into())),
            other => {
                assert!(matches!(other, None | Some(Err(_))), "{other:?}");
                Heard::Closed(None)
            }
        }
    }

    fn payload(&mut self) -> Value {
        match self.hear() {
            Heard::Payload(payload) => payload,
            Heard::Closed(code) => panic!("closed with {code:?}"),
        }
    }

    fn identify(&mut self, more: &Value) {
        let mut wish =
            json!({ "token": TOKEN, "intents": 1, "properties": { "os": "linux" }, "compress": true });
        for (key, value) in more.as_object().unwrap() {
            wish[key] = value.clone();
        }
        self.send(&json!({ "op": 2, "d": wish }));
    }
}

#[test]
fn whoever_identifies_is_told_of_everything_and_of_what_they_missed() {
    let client = Client::new();
    let mut line = Line::open(&client);
    line.identify(&json!({}));
    let ready = line.payload();
    assert_eq!((&ready["t"], &ready["s"]), (&json!("READY"), &json!(1)));
    assert_eq!(line.payload()["t"], "GUILD_CREATE");
    line.send(&json!({ "op": 1, "d": 2 }));
    assert_eq!(line.payload()["op"], 11);
    client
        .standin
        .shared
        .with(|model| model.sessions.tell_all(|| Out::Close(4000)));
    assert_eq!(line.hear(), Heard::Closed(Some(4000)));
    drop(line);
    client.standin.shared.wait("the line to be down", |model| {
        (!model.sessions.is_connected()).then_some(())
    });
    client.begin(crate::standin::model::InteractionKind::Command, None);
    let mut line = Line::open(&client);
    let session = &ready["d"]["session_id"];
    line.send(&json!({ "op": 6, "d": { "token": TOKEN, "session_id": session, "seq": 2 } }));
    let missed = line.payload();
    assert_eq!(
        (&missed["t"], &missed["s"]),
        (&json!("INTERACTION_CREATE"), &json!(3))
    );
    assert_eq!(line.payload()["t"], "RESUMED");
    // A session that nobody knows is begun anew.
    let mut other = Line::open(&client);
    other.send(&json!({ "op": 6, "d": { "token": TOKEN, "session_id": "x", "seq": 2 } }));
    assert_eq!(other.payload(), json!({ "op": 9, "d": false }));
    assert!(client.standin.problems(&[]).is_empty());
}

#[test]
fn without_guilds_in_the_intents_no_guild_is_told_of() {
    let client = Client::new();
    let mut line = Line::open(&client);
    line.identify(&json!({ "intents": 0 }));
    assert_eq!(line.payload()["t"], "READY");
    line.send(&json!({ "op": 1, "d": 1 }));
    assert_eq!(line.payload()["op"], 11);
}

#[test]
fn mute_heartbeats_are_not_acknowledged() {
    let client = Client::new();
    client.standin.shared.with(|model| model.sessions.mute = true);
    let mut line = Line::open(&client);
    line.send(&json!({ "op": 1, "d": null }));
    line.identify(&json!({}));
    assert_eq!(line.payload()["t"], "READY");
    assert_eq!(client.standin.shared.with(|model| model.sessions.heartbeats), 1);
}

#[test]
fn mistakes_close_the_line_with_their_codes() {
    type Mistake = fn(&mut Line<'_>);
    let mistakes: [(u16, bool, Mistake); 8] = [
        (4001, true, |line| line.send(&json!({ "op": 77 }))),
        (4002, true, |line| {
            let frame = Frame::Text("{".into());
            line.client.runtime.block_on(line.socket.send(frame)).unwrap();
        }),
        (4003, true, |line| line.send(&json!({ "op": 3, "d": {} }))),
        (4004, false, |line| line.identify(&json!({ "token": "no" }))),
        (4005, true, |line| {
            line.identify(&json!({ "intents": 0 }));
            assert_eq!(line.payload()["t"], "READY");
            line.identify(&json!({}));
        }),
        (4008, true, |line| {
            line.identify(&json!({ "intents": 0 }));
            assert_eq!(line.payload()["t"], "READY");
            for _ in 0..120 {
                line.send(&json!({ "op": 3, "d": {} }));
            }
        }),
        (4010, false, |line| line.identify(&json!({ "shard": [2, 2] }))),
        (4014, true, |line| line.identify(&json!({ "intents": 1 << 15 }))),
    ];
    for (code, is_problem, mistake) in mistakes {
        let client = Client::new();
        let mut line = Line::open(&client);
        mistake(&mut line);
        assert_eq!(line.hear(), Heard::Closed(Some(code)));
        assert_eq!(!client.standin.problems(&[]).is_empty(), is_problem, "{code}");
    }
}
