//! Somebody who opens the page of a match by a link.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::guest::Guest;
use super::http::{Answer, Events, ask};

/// A browser that has opened a link.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub address: SocketAddr,
    /// What the addresses of the page begin with.
    pub base: String,
    pub cookie: Option<String>,
}

/// The link in an answer.
#[track_caller]
pub fn link_in(text: &str) -> String {
    let start = text
        .find("http://")
        .unwrap_or_else(|| panic!("no link in: {text}"));
    text[start..].split_whitespace().next().unwrap().to_owned()
}

/// A guest's personal link to a match.
pub fn personal_link(guest: &Guest, code: &str) -> String {
    link_in(&guest.hear(&format!("link #{code}")))
}

/// The address, the path and the key of a link.
pub fn parts(link: &str) -> (SocketAddr, String, Option<String>) {
    let (address, path) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (path, key) = match path.split_once("#k=") {
        Some((path, key)) => (path, Some(key.to_owned())),
        None => (path, None),
    };
    (address.parse().unwrap(), format!("/{path}"), key)
}

impl Visitor {
    /// Opens a link, as the page's script does.
    pub fn open(link: &str) -> Self {
        let (address, base, key) = parts(link);
        let mut visitor = Self {
            address,
            base,
            cookie: None,
        };
        if let Some(key) = key {
            let answer = visitor.post("/key", &json!({ "key": key }));
            assert_eq!(answer.status, 200, "{}", answer.text());
            visitor.base = answer.json()["base"].as_str().expect("its page").to_owned();
            let cookie = answer.header("set-cookie").expect("a cookie");
            visitor.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        }
        visitor
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    pub fn get_with(&self, path: &str, more: &[(&str, &str)]) -> Answer {
        let mut headers = more.to_vec();
        headers.extend(self.cookie.as_deref().map(|cookie| ("Cookie", cookie)));
        let path = if path.starts_with("/m/") {
            path.to_owned()
        } else {
            format!("{}{path}", self.base)
        };
        ask(self.address, "GET", &path, &headers, b"").unwrap()
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let origin = format!("http://{}", self.address);
        self.post_with(path, body, &[("Origin", &origin)])
    }

    pub fn post_with(&self, path: &str, body: &Value, more: &[(&str, &str)]) -> Answer {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(more);
        headers.extend(self.cookie.as_deref().map(|cookie| ("Cookie", cookie)));
        let path = format!("{}{path}", self.base);
        ask(self.address, "POST", &path, &headers, body.to_string().as_bytes()).unwrap()
    }

    pub fn press(&self, command: &str) -> Value {
        let answer = self.post("/press", &json!({ "command": command }));
        assert_eq!(answer.status, 200, "{command}: {}", answer.text());
        answer.json()
    }

    /// Plays a move by touching what can be touched, by chance; or tells that it is not this player's turn.
    pub fn play_by_touch(&self, chance: &mut u32) -> bool {
        let version = self.version();
        let mut touches: Vec<Value> = Vec::new();
        loop {
            let asked = json!({ "version": version, "touches": touches });
            let answer = self.post("/touch", &asked).json();
            if answer["refused"].is_string() {
                assert!(touches.is_empty(), "{touches:?}: {answer}");
                return false;
            }
            let list = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
            let spots = list("spots").into_iter().filter(|spot| spot["next"] == true);
            let spots = spots.map(|spot| (json!({ "spot": spot["word"] }), spot["command"].clone()));
            let choices = list("choices").into_iter();
            let choices =
                choices.map(|choice| (json!({ "word": choice["word"] }), choice["command"].clone()));
            let all: Vec<(Value, Value)> = spots.chain(choices).collect();
            *chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let picked = all.get((*chance >> 8) as usize % all.len().max(1));
            let (touch, command) = picked.map_or((Value::Null, answer["command"].clone()), Clone::clone);
            if let Some(command) = command.as_str() {
                let reply = self.press(command);
                assert_eq!(reply["done"], true, "{command}: {reply}");
                return true;
            }
            assert!(
                touches.len() < 64 && !touch.is_null(),
                "nothing leads on: {answer}"
            );
            touches.push(touch);
        }
    }

    pub fn events(&self) -> Events {
        let cookie = self.cookie.clone().unwrap_or_default();
        Events::open(
            self.address,
            &format!("{}/events", self.base),
            &[("Cookie", &cookie)],
        )
        .unwrap()
    }

    /// The page as it is now.
    pub fn page(&self) -> String {
        let answer = self.get("");
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    }

    /// What an element of the page, found by what it begins with, says in an attribute.
    #[track_caller]
    pub fn says(&self, element: &str, attribute: &str) -> String {
        said(&self.page(), element, attribute)
    }

    pub fn version(&self) -> u64 {
        self.says("<main id=\"match\"", "data-version").parse().unwrap()
    }
}

#[track_caller]
pub fn said(page: &str, element: &str, attribute: &str) -> String {
    let tag = page
        .split_once(element)
        .unwrap_or_else(|| panic!("no {element} in {page}"))
        .1;
    let tag = tag.split_once('>').unwrap().0;
    let value = tag
        .split_once(&format!("{attribute}=\""))
        .unwrap_or_else(|| panic!("no {attribute} in {tag}"))
        .1;
    value.split('"').next().unwrap().to_owned()
}
