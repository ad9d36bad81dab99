//! The program, and what it uses.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::synapse::{Account, Synapse};

/// A running bot, which ends with this value.
pub struct Process {
    child: Child,
    account: Account,
    _folder: tempfile::TempDir,
}

impl Process {
    pub fn start(synapse: &Synapse) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let account = synapse.register("parlor");
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        let mut child = command
            .current_dir(folder.path())
            .env("PARLOR_STORE_PATH", folder.path().join("data"))
            .env("PARLOR_MATRIX_HOMESERVER", synapse.url())
            .env("PARLOR_MATRIX_USER", &account.id)
            .env("PARLOR_MATRIX_PASSWORD", &account.password)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        assert!(line.contains("open on Matrix"), "the bot did not start: {line}");
        Self {
            child,
            account,
            _folder: folder,
        }
    }

    pub fn id(&self) -> &str {
        &self.account.id
    }

    /// Its memory, as the system counts it.
    pub fn used(&self) -> String {
        format!(
            "{} MB of memory, {} MB of it its own, {} MB at most so far",
            self.counted("VmRSS:"),
            self.counted("RssAnon:"),
            self.counted("VmHWM:")
        )
    }

    /// The same as a number.
    pub fn megabytes(&self) -> u64 {
        self.counted("VmRSS:")
    }

    fn counted(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or_default() / 1024
    }

    /// How long processors have worked for it.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let ticks = after_name.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|number| number.parse::<u64>().ok()).sum();
        Duration::from_millis(10 * ticks)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
