//! How tools ask the running bot to do something with its store, which only one process can have open: by a line over a socket in
//! the store's folder, which nobody else may look into. The answer is a line, too: `done`, or `failed` and why.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::arguments::UsageError;
use crate::store::SledStore;

/// The socket in the store's folder.
const SOCKET: &str = "control";

/// The longest line.
const LONGEST: u64 = 8 << 10;

/// What a tool can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Write everything into a new file.
    Backup(PathBuf),
    /// Make the store as small as can be.
    Compact,
    /// Read everything, and say what can't be.
    Check,
}

impl Order {
    /// Does it with an open store.
    pub fn carry_out(&self, store: &SledStore) -> Result<(), UsageError> {
        let done = match self {
            Self::Backup(file) => store.backup(file),
            Self::Compact => store.compact(),
            Self::Check => store.check(|_, _, _| {}),
        };
        done.map_err(UsageError::new)
    }

    fn to_line(&self) -> Result<String, UsageError> {
        match self {
            Self::Backup(file) => {
                let file = std::path::absolute(file).map_err(UsageError::new)?;
                match file.to_str() {
                    Some(file) if !file.contains('\n') => Ok(format!("backup {file}\n")),
                    _ => Err(UsageError("give the backup a file name in plain text".to_owned())),
                }
            }
            Self::Compact => Ok("compact\n".to_owned()),
            Self::Check => Ok("check\n".to_owned()),
        }
    }
}

impl FromStr for Order {
    type Err = UsageError;

    fn from_str(line: &str) -> Result<Self, UsageError> {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("backup", file) if !file.is_empty() => Ok(Self::Backup(file.into())),
            ("compact", "") => Ok(Self::Compact),
            ("check", "") => Ok(Self::Check),
            _ => Err(UsageError(
                "the running bot doesn't know this order; is it of the same version?".to_owned(),
            )),
        }
    }
}

/// Asks the bot that has a store open; nothing if none does.
#[cfg(unix)]
pub fn ask(store: &Path, order: &Order) -> Result<Option<()>, UsageError> {
    use std::os::unix::net::UnixStream;
    let Ok(mut stream) = UnixStream::connect(store.join(SOCKET)) else {
        return Ok(None);
    };
    let line = order.to_line()?;
    let mut answer = String::new();
    stream
        .write_all(line.as_bytes())
        .and_then(|()| BufReader::new(stream).take(LONGEST).read_line(&mut answer))
        .map_err(|error| UsageError(format!("the running bot could not be asked: {error}")))?;
    match answer
        .trim_end()
        .split_once(' ')
        .unwrap_or((answer.trim_end(), ""))
    {
        ("done", _) => Ok(Some(())),
        ("failed", why) => Err(UsageError(why.to_owned())),
        _ => Err(UsageError(
            "the running bot went away before it answered".to_owned(),
        )),
    }
}

#[cfg(not(unix))]
pub fn ask(_: &Path, _: &Order) -> Result<Option<()>, UsageError> {
    Ok(None)
}

/// Listens for orders until it is dropped. One is carried out after the other.
#[derive(Debug)]
pub struct Control {
    socket: PathBuf,
}

impl Control {
    /// Starts to listen in the folder of a store that this process has open.
    #[cfg(unix)]
    pub fn start(store: &std::sync::Arc<SledStore>, folder: &Path) -> io::Result<Self> {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::net::UnixListener;
        let socket = folder.join(SOCKET);
        // What an earlier process has left; it can't be alive, since the store is ours.
        match std::fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&socket)?;
        std::fs::set_permissions(&socket, PermissionsExt::from_mode(0o600))?;
        let store = std::sync::Arc::downgrade(store);
        std::thread::Builder::new()
            .name("store-control".into())
            .spawn(move || {
                for stream in listener.incoming().flatten() {
                    let Some(store) = store.upgrade() else { return };
                    if let Err(error) = answer(stream, &store) {
                        tracing::debug!(%error, "store: could not answer an order");
                    }
                }
            })?;
        Ok(Self { socket })
    }

    #[cfg(not(unix))]
    pub fn start(_: &std::sync::Arc<SledStore>, _: &Path) -> io::Result<Self> {
        Ok(Self {
            socket: PathBuf::new(),
        })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // The next start removes it, too.
        _ = std::fs::remove_file(&self.socket);
    }
}

#[cfg(unix)]
fn answer(mut stream: std::os::unix::net::UnixStream, store: &SledStore) -> io::Result<()> {
    // Whoever says nothing must not keep others waiting.
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5)))?;
    let mut line = String::new();
    BufReader::new(&stream).take(LONGEST).read_line(&mut line)?;
    let done = line
        .trim_end_matches('\n')
        .parse::<Order>()
        .and_then(|order| order.carry_out(store));
    match done {
        Ok(()) => stream.write_all(b"done\n"),
        Err(error) => {
            let why = error.to_string().replace('\n', " ");
            stream.write_all(format!("failed {why}\n").as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reads_back() {
        let orders = [
            Order::Backup("/a folder/file".into()),
            Order::Compact,
            Order::Check,
        ];
        for order in orders {
            let line = order.to_line().unwrap();
            assert_eq!(line.trim_end().parse::<Order>().unwrap(), order);
        }
        assert!(Order::Backup("/a\nb".into()).to_line().is_err());
        assert!("backup".parse::<Order>().is_err());
        assert!("dance".parse::<Order>().is_err());
    }
}
