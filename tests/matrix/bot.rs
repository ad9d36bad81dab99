//! The real program, as an operator runs it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::synapse::{Account, Synapse};
use crate::web::PATIENCE;

/// A bot with its store. It is killed when it is dropped; its store stays until then.
pub struct Bot {
    folder: tempfile::TempDir,
    homeserver: String,
    pub account: Account,
    token: Option<String>,
    allow: Option<String>,
    /// What its log is to tell.
    log: Option<&'static str>,
    /// Whether it shows matches on pages.
    pages: bool,
    running: Option<Running>,
}

struct Running {
    child: Child,
    complaints: JoinHandle<String>,
}

impl Bot {
    /// Starts a bot with an account of its own.
    pub fn start(synapse: &Synapse, name: &str) -> Self {
        let mut bot = Self::ready(synapse, name);
        bot.rise();
        bot
    }

    /// A bot that has not been started yet.
    pub fn ready(synapse: &Synapse, name: &str) -> Self {
        Self::of(synapse, synapse.register(name))
    }

    /// A bot with this account.
    pub fn of(synapse: &Synapse, account: Account) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            homeserver: synapse.url(),
            account,
            token: None,
            allow: None,
            log: None,
            pages: false,
            running: None,
        }
    }

    /// Logs in by a token instead of the password.
    pub fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub fn allowing(mut self, allow: &str) -> Self {
        self.allow = Some(allow.to_owned());
        self
    }

    /// Tells more in its log.
    pub fn logging(mut self, log: &'static str) -> Self {
        self.log = Some(log);
        self
    }

    /// Shows matches on pages of their own.
    pub fn with_pages(mut self) -> Self {
        self.pages = true;
        self
    }

    /// Reaches its homeserver another way.
    pub fn at(mut self, url: &str) -> Self {
        url.clone_into(&mut self.homeserver);
        self
    }

    pub fn id(&self) -> &str {
        &self.account.id
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self) -> Command {
        let mut command = program(self.folder.path());
        command
            .env("PARLOR_STORE_PATH", self.data())
            .env("PARLOR_MATRIX_HOMESERVER", &self.homeserver)
            .env("PARLOR_MATRIX_USER", &self.account.id)
            .envs(self.allow.iter().map(|allow| ("PARLOR_MATRIX_ALLOW", allow)))
            .envs(self.log.iter().map(|log| ("RUST_LOG", log)))
            .envs(self.pages.then_some(("PARLOR_WEB_LISTEN", "127.0.0.1:0")));
        match &self.token {
            Some(token) => command.env("PARLOR_MATRIX_ACCESS_TOKEN", token),
            None => command.env("PARLOR_MATRIX_PASSWORD", &self.account.password),
        };
        command
    }

    /// Starts it, again, and waits until it is there.
    pub fn rise(&mut self) {
        let mut child = self
            .command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = child.stderr.take().unwrap();
        let complaints = std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let open = lines.any(|line| line.unwrap().contains("open on Matrix"));
        let running = Running { child, complaints };
        if !open {
            panic!("the bot did not start: {}", running.complaints.join().unwrap());
        }
        self.running = Some(running);
    }

    /// Kills it, as a crash would. What it has complained of.
    pub fn fall(&mut self) -> String {
        let Some(Running {
            mut child,
            complaints,
        }) = self.running.take()
        else {
            return String::new();
        };
        child.kill().unwrap();
        child.wait().unwrap();
        complaints.join().unwrap()
    }

    /// Lets it end on its own.
    #[cfg(unix)]
    pub fn stop(&mut self) -> (ExitStatus, String) {
        let id = self.running.as_ref().unwrap().child.id();
        let told = Command::new("kill").arg(id.to_string()).status().unwrap();
        assert!(told.success());
        self.end()
    }

    /// Waits until it ends.
    pub fn end(&mut self) -> (ExitStatus, String) {
        let Running {
            mut child,
            complaints,
        } = self.running.take().unwrap();
        (child.wait().unwrap(), complaints.join().unwrap())
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let complaints = self.fall();
        if std::thread::panicking() {
            eprintln!("{} complained: {complaints}", self.account.id);
        }
    }
}

/// Runs the program, which is to end on its own: one that goes on is stopped, and that is a failure.
pub fn run_to_end(command: &mut Command) -> Output {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the program goes on: {:?}", child.wait_with_output().unwrap());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// The program, with nothing configured.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    command.current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PARLOR_") {
            command.env_remove(name);
        }
    }
    command
}
