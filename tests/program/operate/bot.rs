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
    pub fn run(mut command: Command, store: &Path) -> Self {
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
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut address = |before: &str| {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            let address = line.trim_end().strip_prefix(before);
            address
                .unwrap_or_else(|| panic!("{before}, not {line:?}"))
                .parse()
                .unwrap()
        };
        let operate = address("Metrics and health: http://");
        let room = address("Phase Parlor is open: http://");
        Self {
            child,
            _out: out,
            operate,
            room,
        }
    }

    /// Asks it to end, as systemd does, and waits until it has: how it ended, and what it logged.
    pub fn end(mut self) -> (ExitStatus, String) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        let mut logged = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut logged)
            .unwrap();
        (self.child.wait().unwrap(), logged)
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
