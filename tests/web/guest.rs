//! Somebody who uses the API.

use std::net::SocketAddr;

use parlor::catalog::{Frame, Table, games};
use parlor::game::{OptionKind, OptionValues, Seat, Seed, Viewer};
use serde_json::{Value, json};

use super::http::{Answer, Events, ask};
use super::wait_for;

/// A guest with a token.
#[derive(Clone, Debug)]
pub struct Guest {
    pub address: SocketAddr,
    pub id: String,
    pub name: String,
    pub token: String,
}

/// Posts JSON without a token.
pub fn post(address: SocketAddr, path: &str, body: &Value) -> Answer {
    let body = body.to_string();
    ask(
        address,
        "POST",
        path,
        &[("Content-Type", "application/json")],
        body.as_bytes(),
    )
    .unwrap()
}

pub fn get(address: SocketAddr, path: &str) -> Answer {
    ask(address, "GET", path, &[], b"").unwrap()
}

impl Guest {
    pub fn come(address: SocketAddr, name: &str) -> Self {
        let answer = post(address, "/api/guests", &json!({ "name": name }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let said = answer.json();
        let word = |key: &str| said[key].as_str().unwrap().to_owned();
        Self {
            address,
            id: word("id"),
            name: word("name"),
            token: word("token"),
        }
    }

    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub fn get(&self, path: &str) -> Answer {
        ask(
            self.address,
            "GET",
            path,
            &[("Authorization", &self.bearer())],
            b"",
        )
        .unwrap()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.try_post(path, body).unwrap()
    }

    pub fn try_post(&self, path: &str, body: &Value) -> std::io::Result<Answer> {
        let headers = [
            ("Content-Type", "application/json"),
            ("Authorization", &self.bearer()),
        ];
        ask(self.address, "POST", path, &headers, body.to_string().as_bytes())
    }

    pub fn events(&self, path: &str) -> Events {
        Events::open(self.address, path, &[("Authorization", &self.bearer())]).unwrap()
    }

    /// Says something in the first room; the answer as it came.
    pub fn say(&self, text: &str) -> Value {
        let answer = self.post("/api/say", &json!({ "room": "parlor", "text": text }));
        assert_eq!(answer.status, 200, "{text}: {}", answer.text());
        answer.json()
    }

    /// The words of the parlor's answer.
    pub fn hear(&self, text: &str) -> String {
        self.say(text)["reply"]["plain"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Everything this guest can read, from the beginning.
    pub fn everything(&self) -> Vec<Value> {
        read_all(|after| self.get(&format!("/api/messages?after={after}&limit=50")).json())
    }

    /// Waits for a message that fits, from the beginning.
    pub fn wait(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, || self.everything().into_iter().find(&fits))
    }
}

/// Reads page after page.
pub fn read_all(mut page: impl FnMut(u64) -> Value) -> Vec<Value> {
    let mut all = Vec::new();
    let mut after = 0;
    loop {
        let read = page(after);
        all.extend(read["messages"].as_array().unwrap().iter().cloned());
        after = read["cursor"].as_u64().unwrap();
        if !read["more"].as_bool().unwrap() {
            return all;
        }
    }
}

/// Two guests sit down at a match; its code.
pub fn sit_down(host: &Guest, other: &Guest, game: &str) -> String {
    let reply = host.hear(&format!("open {game} 2"));
    let code = reply
        .split('#')
        .nth(1)
        .unwrap_or_else(|| panic!("no table: {reply}"));
    let code: String = code.chars().take_while(char::is_ascii_alphanumeric).collect();
    other.say(&format!("join {code}"));
    let board = format!("moves #{code}@");
    host.wait("the first board", |message| {
        let buttons = message["buttons"].as_array().unwrap();
        buttons
            .iter()
            .any(|button| button["command"].as_str().unwrap().starts_with(&board))
    });
    code
}

/// The actions in a match's record, as they were played.
pub fn actions_in(record: &Value) -> Vec<&str> {
    let actions = record["actions"].as_array().unwrap().iter();
    actions.map(|step| step["action"].as_str().unwrap()).collect()
}

/// A game, with an option if need be, in which two players have hands from the start: as it is typed.
pub fn game_with_hands() -> String {
    let names = ["Ann".to_owned(), "Bea".to_owned()];
    let frame = Frame::new(Viewer::Seat(Seat::new(0)), &names);
    for entry in games() {
        let choices = entry.meta.options.iter().flat_map(|spec| match spec.kind {
            OptionKind::Choice { values, .. } => values.iter().map(|value| (spec.name, *value)).collect(),
            OptionKind::Switch { .. } | OptionKind::Whole { .. } | OptionKind::Text { .. } => Vec::new(),
        });
        for wish in choices.map(Some).chain([None]) {
            let options = OptionValues::choose(entry.meta.options, wish).unwrap();
            let table = entry.open(&options, 2, &Seed::from_text("any"));
            let hidden = |table: &dyn Table| table.hand(&frame).is_some_and(|hand| !hand.is_open);
            if table.is_ok_and(|table| hidden(table.as_ref())) {
                let option = wish
                    .map(|(name, value)| format!(" {name}={value}"))
                    .unwrap_or_default();
                return format!("{}{option}", entry.meta.id);
            }
        }
    }
    panic!("no game has hands")
}
