//! A real homeserver, and who lives there.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{LazyLock, Mutex};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::web::http::ask;

#[path = "../support/python.rs"]
mod python;

pub use self::python::python;

/// A file of this folder.
pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/matrix")
        .join(name)
}

/// A homeserver. It ends with this value, or with the test's process.
pub struct Synapse {
    folder: tempfile::TempDir,
    port: u16,
    limits: Limits,
    running: Mutex<Option<(Child, ChildStdin)>>,
}

/// How much may be said on a homeserver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    None,
    /// Three messages at once, and one a second.
    Few,
    /// As Synapse does it if nobody says anything else: ten messages at once, and one in five seconds.
    Usual,
}

/// The homeserver that most tests share.
static SHARED: LazyLock<Synapse> = LazyLock::new(|| Synapse::start(Limits::None));

impl Synapse {
    pub fn shared() -> &'static Self {
        &SHARED
    }

    /// A homeserver of one's own.
    pub fn start(limits: Limits) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let synapse = Self {
            folder: tempfile::tempdir().unwrap(),
            port: free.local_addr().unwrap().port(),
            limits,
            running: Mutex::default(),
        };
        drop(free);
        synapse.rise();
        synapse
    }

    /// Starts it, again.
    pub fn rise(&self) {
        let mut command = Command::new(python());
        command
            .arg(script("synapse.py"))
            .arg(self.folder.path())
            .arg(self.port.to_string())
            .args(match self.limits {
                Limits::None => None,
                Limits::Few => Some("few"),
                Limits::Usual => Some("usual"),
            })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line.trim(), "ready", "the homeserver did not start");
        *self.running.lock().unwrap() = Some((child, input));
    }

    /// Kills it, as a crash would.
    pub fn fall(&self) {
        if let Some((mut child, input)) = self.running.lock().unwrap().take() {
            drop(input);
            child.wait().unwrap();
        }
    }

    /// Lets somebody say as much as they like.
    pub fn unlimit(&self, who: &str) {
        let database = Connection::open(self.folder.path().join("homeserver.db")).unwrap();
        database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
        let set =
            "INSERT INTO ratelimit_override (user_id, messages_per_second, burst_count) VALUES (?1, 0, 0)";
        database.execute(set, [who]).unwrap();
    }

    /// Lets every session of somebody expire. It has to be down.
    pub fn expire(&self, who: &str) {
        assert!(
            self.running.lock().unwrap().is_none(),
            "it knows its sessions by heart"
        );
        let database = Connection::open(self.folder.path().join("homeserver.db")).unwrap();
        let expired = database
            .execute(
                "UPDATE access_tokens SET valid_until_ms = 1 WHERE user_id = ?1",
                [who],
            )
            .unwrap();
        assert!(expired > 0, "{who} has no session");
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Makes an account; the password is known.
    pub fn register(&self, name: &str) -> Account {
        let body = json!({
            "auth": { "type": "m.login.dummy" }, "username": name, "password": password(name), "inhibit_login": true,
        });
        let answer = self.post("/_matrix/client/v3/register", &body);
        Account {
            id: answer["user_id"]
                .as_str()
                .unwrap_or_else(|| panic!("{answer}"))
                .to_owned(),
            password: password(name),
        }
    }

    /// Posts JSON without a session.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let address = format!("127.0.0.1:{}", self.port).parse().unwrap();
        let headers = [("Content-Type", "application/json")];
        ask(address, "POST", path, &headers, body.to_string().as_bytes())
            .unwrap()
            .json()
    }

    /// Does something with a session.
    pub fn with_token(&self, token: &str, method: &str, path: &str, body: &Value) -> Value {
        let address = format!("127.0.0.1:{}", self.port).parse().unwrap();
        let bearer = format!("Bearer {token}");
        let headers = [
            ("Content-Type", "application/json"),
            ("Authorization", bearer.as_str()),
        ];
        ask(address, method, path, &headers, body.to_string().as_bytes())
            .unwrap()
            .json()
    }
}

impl Drop for Synapse {
    fn drop(&mut self) {
        self.fall();
    }
}

/// Somebody who may log in.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub password: String,
}

/// Logs somebody in, as a new device; what the homeserver says.
pub fn log_in(synapse: &Synapse, account: &Account) -> Value {
    let identifier = json!({ "type": "m.id.user", "user": account.id });
    let login = json!({ "type": "m.login.password", "identifier": identifier, "password": account.password });
    synapse.post("/_matrix/client/v3/login", &login)
}

fn password(name: &str) -> String {
    format!("the password of {name}")
}
