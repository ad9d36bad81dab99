//! The built program at work, with its operator's listener.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

/// A running bot. It is killed when it is dropped.
pub struct Bot {
    child: Child,
    /// Kept open, so that the bot can go on to write.
    _out: BufReader<ChildStdout>,
    pub operate: SocketAddr,
    pub room: SocketAddr,
}

impl Bot {
    /// Starts a bot over a store, and waits until it is open.
    pub fn start(store: &Path) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_parlor")), store)
    }

    /// The same by another command, which runs the program.
    pub fn run(command: Command, store: &Path) -> Self {
        let (child, mut out) = begin(command, store);
        let operate = address(&mut out, "Metrics and health: http://");
        let room = address(&mut out, "Phase Parlor is open: http://");
        Self {
            child,
            _out: out,
            operate,
            room,
        }
    }

    /// Waits until it ends by itself: how, and what it logged.
    pub fn wait(mut self) -> (ExitStatus, String) {
        wait(&mut self.child)
    }

    /// Asks it to end, as systemd does, and waits until it has: how it ended, and what it logged.
    pub fn end(mut self) -> (ExitStatus, String) {
        end(&mut self.child)
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a bot, and ends it as soon as it can be asked how it is, which is before its store is open.
pub fn end_early(store: &Path) -> (ExitStatus, String) {
    let (mut child, mut out) = begin(Command::new(env!("CARGO_BIN_EXE_parlor")), store);
    address(&mut out, "Metrics and health: http://");
    end(&mut child)
}

fn begin(mut command: Command, store: &Path) -> (Child, BufReader<ChildStdout>) {
    let mut child = command
        .env("PARLOR_STORE_PATH", store)
        .env("PARLOR_LOCAL_LISTEN", "127.0.0.1:0")
        .env("PARLOR_OPERATE_LISTEN", "127.0.0.1:0")
        .env("PARLOR_LOG_FORMAT", "json")
        .current_dir(store.parent().unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

/// The address in the next line that a bot says.
fn address(out: &mut impl BufRead, before: &str) -> SocketAddr {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix(before);
    address
        .unwrap_or_else(|| panic!("{before}, not {line:?}"))
        .parse()
        .unwrap()
}

fn end(child: &mut Child) -> (ExitStatus, String) {
    let told = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(told.unwrap().success());
    wait(child)
}

fn wait(child: &mut Child) -> (ExitStatus, String) {
    let mut logged = String::new();
    let mut log = child.stderr.take().unwrap();
    log.read_to_string(&mut logged).unwrap();
    (child.wait().unwrap(), logged)
}
