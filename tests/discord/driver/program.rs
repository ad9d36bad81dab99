//! The real program, driven from outside.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::standin::{Shared, Standin};

/// The program while it runs. It is killed when it is dropped.
#[derive(Debug)]
pub struct Program {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    readers: Vec<JoinHandle<()>>,
    /// Whom it reached past the stand-in, as far as anybody looked.
    past: BTreeSet<String>,
}

impl Program {
    /// Starts it with its things in `folder`.
    pub fn start(standin: &Standin, folder: &Path, settings: &[(&str, &str)]) -> Self {
        let ca = folder.join("ca.pem");
        std::fs::write(&ca, &standin.ca_pem).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command
            .current_dir(folder)
            .env("PARLOR_STORE_PATH", folder.join("data"))
            .env("PARLOR_DISCORD_TOKEN", super::town::TOKEN)
            .env("PARLOR_DISCORD_API_ADDRESS", standin.address.to_string())
            .env("PARLOR_DISCORD_API_CA_FILE", &ca)
            .env("RUST_LOG", "parlor=trace,warn")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, value) in settings {
            if value.is_empty() {
                command.env_remove(name);
            } else {
                command.env(name, value);
            }
        }
        let mut child = command.spawn().unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let outputs: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        let readers = outputs.map(|output| read(output, Arc::clone(&lines), standin.shared.clone()));
        Self {
            child,
            lines,
            readers: readers.into(),
            past: BTreeSet::new(),
        }
    }

    /// Everything that it has said to its operator.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Ends it at once, whatever it is doing.
    pub fn kill(&mut self) {
        self.look_past();
        self.child.kill().unwrap();
        self.wait();
    }

    /// Asks it to end, as an operator does, and waits until it has.
    pub fn stop(&mut self) -> ExitStatus {
        self.look_past();
        let told = Command::new("kill")
            .args(["-TERM", &self.id().to_string()])
            .status()
            .unwrap();
        assert!(told.success());
        self.wait()
    }

    /// Waits until it has ended by itself and all its words are read.
    pub fn wait(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        status
    }

    /// The addresses that it is connected to now, where the system tells.
    pub fn peers(&self) -> BTreeSet<String> {
        let id = self.id();
        let mut own = BTreeSet::new();
        for entry in std::fs::read_dir(format!("/proc/{id}/fd"))
            .into_iter()
            .flatten()
            .flatten()
        {
            if let Ok(target) = std::fs::read_link(entry.path())
                && let Some(inode) = target.to_string_lossy().strip_prefix("socket:[")
            {
                own.insert(inode.trim_end_matches(']').to_owned());
            }
        }
        let mut peers = BTreeSet::new();
        for table in ["tcp", "tcp6", "udp", "udp6"] {
            let table = std::fs::read_to_string(format!("/proc/{id}/net/{table}")).unwrap_or_default();
            for line in table.lines().skip(1) {
                let fields: Vec<&str> = line.split_whitespace().collect();
                if let (Some(remote), Some(inode)) = (fields.get(2), fields.get(9))
                    && own.contains(*inode)
                {
                    peers.insert((*remote).to_owned());
                }
            }
        }
        peers
    }

    /// Notes peers that are not on this machine: connections are kept open for a while, so whoever was reached past
    /// the stand-in is still among them.
    fn look_past(&mut self) {
        let strangers = self.peers().into_iter().filter(|peer| !is_here(peer));
        self.past.extend(strangers);
    }

    /// Whom it reached past the stand-in.
    pub fn strangers(&mut self) -> Vec<String> {
        self.look_past();
        self.past.iter().cloned().collect()
    }
}

/// Whether an address, as the kernel writes it, is on this machine or nowhere at all.
pub fn is_here(peer: &str) -> bool {
    let address = peer.split(':').next().unwrap_or_default();
    let four = address
        .strip_prefix("0000000000000000FFFF0000")
        .unwrap_or(address);
    let is_loopback = four.len() == 8 && four.ends_with("7F");
    is_loopback || address == "00000000000000000000000001000000" || address.bytes().all(|b| b == b'0')
}

fn read(output: Box<dyn Read + Send>, lines: Arc<Mutex<Vec<String>>>, shared: Shared) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            shared.with(|model| model.journal.push(format!("the program: {line}")));
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
    })
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
