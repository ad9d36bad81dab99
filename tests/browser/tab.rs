//! A tab with a guest in it.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::Instant;

use serde_json::{Value, json};

use crate::chromium::Browser;
use crate::web::{PATIENCE, wait_for};

thread_local! {
    /// Whether the first tab of the browser is taken. Each test has its own thread and browser.
    static FIRST_TAKEN: Cell<bool> = const { Cell::new(false) };
}

/// A tab. Asking it something brings it to the front.
#[derive(Debug)]
pub struct Tab<'b> {
    browser: &'b Browser,
    handle: String,
}

impl<'b> Tab<'b> {
    /// Opens the page in a tab of its own and comes in by this name.
    pub fn enter(browser: &'b Browser, address: SocketAddr, name: &str) -> Self {
        let tab = Self::open(browser, &format!("http://{address}/"));
        tab.wait("the door", "document.querySelector('#door-name')?.offsetParent");
        tab.type_text("#door-name", &format!("{name}\u{e007}"));
        tab.wait("the room", "document.querySelector('.welcome')");
        tab
    }

    /// Opens an address in a tab of its own.
    pub fn open(browser: &'b Browser, url: &str) -> Self {
        let handle = if FIRST_TAKEN.replace(true) {
            let new = browser.ask("POST", "/window/new", &json!({ "type": "tab" }));
            new["handle"].clone()
        } else {
            browser.ask("GET", "/window", &Value::Null)
        };
        let tab = Self {
            browser,
            handle: handle.as_str().unwrap().to_owned(),
        };
        tab.go(url);
        tab
    }

    /// Opens another address in this tab.
    pub fn go(&self, url: &str) {
        self.ask("POST", "/url", &json!({ "url": url }));
    }

    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.browser
            .ask("POST", "/window", &json!({ "handle": self.handle }));
        self.browser.ask(method, path, body)
    }

    /// Runs a script.
    pub fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Lets the system prefer something, and nothing else.
    pub fn prefer(&self, what: &str, value: &str) {
        let features = json!([{ "name": what, "value": value }]);
        let asked = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
        self.ask("POST", "/goog/cdp/execute", &asked);
    }

    pub fn is(&self, condition: &str) -> bool {
        self.run(&format!("return Boolean({condition})")) == true
    }

    #[track_caller]
    pub fn check(&self, what: &str, condition: &str) {
        assert!(self.is(condition), "{what}; the page says:\n{}", self.text());
    }

    #[track_caller]
    pub fn wait(&self, what: &str, condition: &str) {
        wait_for(what, || self.is(condition).then_some(()));
    }

    /// Waits for a message that says exactly this.
    #[track_caller]
    pub fn wait_text(&self, text: &str) {
        let text = json!(text);
        self.wait(
            "a message",
            &format!(
                "[...document.querySelectorAll('#messages .text')].some((one) => one.textContent === {text})"
            ),
        );
    }

    /// Waits until the room shows so many boards.
    pub fn wait_boards(&self, count: usize) {
        self.wait(
            &format!("board {count}"),
            &format!("document.querySelectorAll('#messages [data-board]').length === {count}"),
        );
    }

    pub fn text(&self) -> String {
        self.run("return document.body.innerText")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn value(&self, place: &str) -> Value {
        self.run(&format!("return document.querySelector('{place}').value"))
    }

    fn element(&self, place: &str) -> String {
        let found = self.ask(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": place }),
        );
        let id = found.as_object().unwrap().values().next().unwrap();
        id.as_str().unwrap().to_owned()
    }

    /// Types with real keys.
    pub fn type_text(&self, place: &str, text: &str) {
        let element = self.element(place);
        self.ask(
            "POST",
            &format!("/element/{element}/value"),
            &json!({ "text": text }),
        );
    }

    /// Types a line and sends it.
    pub fn say(&self, line: &str) {
        self.type_text("#line", &format!("{line}\u{e00c}\u{e007}"));
        self.wait(
            "the line to be sent",
            "document.querySelector('#line').value === ''",
        );
    }

    /// Clicks the last button that says this, once it is there.
    pub fn click_button(&self, label: &str) {
        let label = json!(label);
        self.click(&format!(
            "[...document.querySelectorAll('button')].filter((one) => one.textContent === {label} && one.offsetParent).at(-1)"
        ));
    }

    /// Whether a button says this.
    pub fn has_button(&self, label: &str) -> bool {
        let label = json!(label);
        self.is(&format!(
            "[...document.querySelectorAll('button')].some((one) => one.textContent === {label} && one.offsetParent)"
        ))
    }

    /// Waits for a match of this game on the table, with its board; its code.
    pub fn wait_table(&self, game: &str) -> String {
        self.wait(
            &format!("{game} on the table"),
            &format!(
                "document.querySelector('#table-name').textContent === {} && document.querySelector('#table-board img.loaded')",
                json!(game)
            ),
        );
        let code = self.run("return document.querySelector('#table-code').textContent.slice(1)");
        code.as_str().unwrap().to_owned()
    }

    /// Waits until the table tells what the room told last.
    pub fn wait_told(&self) {
        self.wait(
            "the table to be up to date",
            "document.querySelector('#table-said').textContent \
             === [...document.querySelectorAll('#messages [data-board]')].at(-1)?.querySelector('.text').textContent",
        );
    }

    /// Loads the page anew, as the same guest.
    pub fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
        self.wait("the room", "document.querySelector('#room-name')?.textContent");
    }

    /// Clicks what an expression finds, with the mouse, once it is drawn.
    pub fn click(&self, finder: &str) {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "something lies over {finder}");
            self.wait(finder, &format!("({finder})?.getClientRects().length"));
            self.run(&format!(
                "document.querySelector('[data-here]')?.removeAttribute('data-here'); ({finder})?.setAttribute('data-here', '')"
            ));
            if self.click_marked().is_some() {
                return;
            }
            // Whoever finds it behind something else scrolls.
            self.run(&format!("({finder})?.scrollIntoView({{ block: 'center' }})"));
        }
    }

    /// Clicks what was marked, unless the page has replaced it meanwhile.
    fn click_marked(&self) -> Option<()> {
        let marked = json!({ "using": "css selector", "value": "[data-here]" });
        let found = self.browser.ask_if_there("POST", "/element", &marked)?;
        let element = found.as_object()?.values().next()?.as_str()?.to_owned();
        let click = format!("/element/{element}/click");
        self.browser.ask_if_there("POST", &click, &json!({}))?;
        Some(())
    }

    /// Plays an action by choosing word by word from lists, for which there is a button.
    pub fn move_by_buttons(&self, action: &str) {
        let action = json!(action);
        let chip = |test: &str| {
            format!(
                "[...document.querySelectorAll('.only-you .chip')].filter((one) => one.offsetParent).find((one) => {{ const [verb, , ...words] = one.dataset.command.split(' '); return {test}; }})"
            )
        };
        let whole = chip(&format!("verb === 'move' && words.join(' ') === {action}"));
        let part = chip(&format!(
            "verb === 'moves' && {action}.startsWith(words.join('')) && words.length > 0"
        ));
        self.click_button("Move");
        loop {
            self.wait("a choice", &format!("({whole}) ?? ({part})"));
            if self.is(&whole) {
                return self.click(&whole);
            }
            let before = self.run(&format!("return ({part}).dataset.command"));
            self.click(&part);
            self.wait(
                "the next choice",
                &format!("!document.querySelector('.only-you .chip[data-command=' + CSS.escape({before}) + ']') || true"),
            );
            self.wait(
                "another question",
                &format!("({part})?.dataset.command !== {before}"),
            );
        }
    }

    /// What the tab looks like, as a file, for whoever wants to look at it.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("PARLOR_SCREENSHOTS") else {
            return;
        };
        let shot = self.ask("GET", "/screenshot", &Value::Null);
        let shot = decoded(shot.as_str().unwrap());
        std::fs::write(std::path::Path::new(&folder).join(name), shot).unwrap();
    }

    /// Nothing has gone wrong on the page that nobody saw.
    #[track_caller]
    pub fn check_console(&self) {
        let log = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let bad: Vec<&Value> = log
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

/// Base64, as the driver sends pictures.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let group = |four: &[u8]| {
        let bits = four.iter().fold(0_u32, |bits, six| bits << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(group).collect()
}
