//! A browser and its driver.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::web::http::{Answer, ask};

/// A browser. It closes when it is dropped.
#[derive(Debug)]
pub struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
}

impl Browser {
    pub fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (tests/run does it)");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse().ok()
        });
        // Whatever else it says has to go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Self {
            driver,
            address: SocketAddr::from(([127, 0, 0, 1], port.expect("chromedriver tells its port"))),
            session: String::new(),
        };
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--window-size=1280,800", "--disable-background-timer-throttling",
                "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"],
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let session = browser.command("POST", "/session", &wanted);
        browser.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        browser
    }

    /// A command of this session.
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.command(method, &format!("{}{path}", self.session), body)
    }

    /// The same about an element; nothing if the page has replaced or hidden that meanwhile, or something lies over it.
    pub fn ask_if_there(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let path = format!("{}{path}", self.session);
        let answer = self.answer(method, &path, body);
        let value = answer.json()["value"].clone();
        let gone = [
            "stale element reference",
            "no such element",
            "element not interactable",
            "element click intercepted",
        ];
        if gone.iter().any(|error| value["error"] == *error) {
            return None;
        }
        assert_eq!(answer.status, 200, "{path}: {value}");
        Some(value)
    }

    fn answer(&self, method: &str, path: &str, body: &Value) -> Answer {
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let headers = [("Content-Type", "application/json; charset=utf-8")];
        ask(self.address, method, path, &headers, body.as_bytes()).unwrap()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.answer(method, path, body);
        let value = answer.json()["value"].clone();
        assert_eq!(
            answer.status, 200,
            "{path}: {} {}",
            value["error"], value["message"]
        );
        value
    }

    /// Makes the pages so large.
    pub fn resize(&self, width: u32, height: u32) {
        self.ask(
            "POST",
            "/window/rect",
            &json!({ "width": width, "height": height, "x": 0, "y": 0 }),
        );
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
        self.tell("Emulation.setDeviceMetricsOverride", &screen);
    }
}

impl Browser {
    /// Makes the pages believe that they are touched by fingers.
    pub fn use_touch(&self) {
        self.tell("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    }

    /// Makes them a phone, held by fingers.
    pub fn become_phone(&self) {
        self.resize(390, 844);
        self.use_touch();
    }

    /// Runs no script of any page from here on.
    pub fn forbid_scripts(&self) {
        self.tell("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    }

    /// Runs a script in every page from here on, before those of the page.
    pub fn run_first(&self, script: &str) {
        self.tell(
            "Page.addScriptToEvaluateOnNewDocument",
            &json!({ "source": script }),
        );
    }

    /// Tells the page that is at the front something by its developer tools.
    fn tell(&self, command: &str, params: &Value) {
        self.ask(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": command, "params": params }),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver closes its browser when the session ends; a driver that is gone can't.
        let path = self.session.clone();
        let _ = ask(self.address, "DELETE", &path, &[], b"");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
