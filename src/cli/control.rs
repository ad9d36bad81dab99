//! How tools ask the running bot to do something with its store, which only one process can have open: by a line over a socket in
//! the store's folder, which nobody else may look into. The answer is lines, too: what there is to say of it, and at the end how it
//! went, so that the tool ends as if it had done it itself.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::Failure;
use super::arguments::UsageError;
use super::check_store;
use super::serve::failure_of;
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
    /// Read everything, replay every match, and say what is not whole.
    Check,
}

impl Order {
    /// Does it with an open store. `say` is told what there is to say.
    pub fn carry_out(
        &self,
        store: &Arc<SledStore>,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Backup(file) => store.backup(file).map_err(failure_of),
            Self::Compact => store.compact().map_err(failure_of),
            Self::Check => check_store::check(store, say),
        }
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

/// A line of an answer.
#[derive(Debug)]
enum Line {
    /// Something about what was asked for; more lines follow.
    Said(String),
    /// How it went; nothing follows.
    Ended(Result<(), Failure>),
}

impl Line {
    fn to_text(&self) -> String {
        let (word, rest) = match self {
            Self::Said(what) => ("said", what.clone()),
            Self::Ended(Ok(())) => ("done", String::new()),
            Self::Ended(Err(Failure::Usage(error))) => ("refused", error.to_string()),
            Self::Ended(Err(Failure::StoreFailing(why))) => ("failing", why.clone()),
            Self::Ended(Err(Failure::Io(error))) => ("failed", error.to_string()),
        };
        format!("{word} {}\n", rest.replace('\n', " "))
    }

    /// Nothing, if the other side has gone.
    fn read(text: &str) -> Option<Self> {
        let (word, rest) = text.strip_suffix('\n')?.split_once(' ')?;
        let rest = rest.to_owned();
        Some(match word {
            "said" => Self::Said(rest),
            "done" => Self::Ended(Ok(())),
            "refused" => Self::Ended(Err(UsageError(rest).into())),
            "failing" => Self::Ended(Err(Failure::StoreFailing(rest))),
            "failed" => Self::Ended(Err(io::Error::other(rest).into())),
            _ => return None,
        })
    }
}

/// Asks the bot that has a store open; nothing if none does. `say` is told what there is to say.
#[cfg(unix)]
pub fn ask(
    store: &Path,
    order: &Order,
    say: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<Option<()>, Failure> {
    use std::os::unix::net::UnixStream;
    let Ok(mut stream) = UnixStream::connect(store.join(SOCKET)) else {
        return Ok(None);
    };
    let gone =
        |why: &str| Failure::StoreFailing(format!("the running bot went away before it answered{why}"));
    let broken_off = |error: io::Error| gone(&format!(": {error}"));
    stream
        .write_all(order.to_line()?.as_bytes())
        .map_err(broken_off)?;
    let mut answer = BufReader::new(stream);
    loop {
        let mut text = String::new();
        (&mut answer)
            .take(LONGEST)
            .read_line(&mut text)
            .map_err(broken_off)?;
        match Line::read(&text) {
            Some(Line::Said(what)) => say(&what)?,
            Some(Line::Ended(ended)) => return ended.map(Some),
            None => return Err(gone("")),
        }
    }
}

#[cfg(not(unix))]
pub fn ask(_: &Path, _: &Order, _: &mut dyn FnMut(&str) -> io::Result<()>) -> Result<Option<()>, Failure> {
    Ok(None)
}

/// Listens for orders until it is dropped.
#[derive(Debug)]
pub struct Control {
    socket: PathBuf,
}

impl Control {
    /// Starts to listen in the folder of a store that this process has open.
    #[cfg(unix)]
    pub fn start(store: &Arc<SledStore>, folder: &Path) -> io::Result<Self> {
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
        let store = Arc::downgrade(store);
        thread("store-control").spawn(move || {
            for stream in listener.incoming() {
                let Some(store) = store.upgrade() else { return };
                // A long order must not keep others waiting.
                let begun =
                    stream.and_then(|stream| thread("store-order").spawn(move || carry_out(stream, &store)));
                if let Err(error) = begun {
                    // There is no file or no thread left: that passes, but not by asking again at once.
                    tracing::warn!(%error, "store: could not take an order");
                    std::thread::sleep(AGAIN);
                }
            }
        })?;
        Ok(Self { socket })
    }

    #[cfg(not(unix))]
    pub fn start(_: &Arc<SledStore>, _: &Path) -> io::Result<Self> {
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

/// How long to wait after an order that could not be taken.
#[cfg(unix)]
const AGAIN: std::time::Duration = std::time::Duration::from_millis(500);

#[cfg(unix)]
fn thread(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned())
}

#[cfg(unix)]
fn carry_out(stream: std::os::unix::net::UnixStream, store: &Arc<SledStore>) {
    if let Err(error) = answer(stream, store) {
        tracing::debug!(%error, "store: could not answer an order");
    }
}

#[cfg(unix)]
fn answer(mut stream: std::os::unix::net::UnixStream, store: &Arc<SledStore>) -> io::Result<()> {
    // Whoever says nothing, or takes nothing in, is not waited for.
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(std::time::Duration::from_secs(60)))?;
    let mut line = String::new();
    BufReader::new(&stream).take(LONGEST).read_line(&mut line)?;
    let mut say = |what: &str| stream.write_all(Line::Said(what.to_owned()).to_text().as_bytes());
    let ended = line
        .trim_end_matches('\n')
        .parse::<Order>()
        .map_err(Failure::from)
        .and_then(|order| order.carry_out(store, &mut say));
    stream.write_all(Line::Ended(ended).to_text().as_bytes())
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

    #[test]
    fn an_answer_tells_how_it_went() {
        let failing = || Failure::StoreFailing("the disk\nis full".to_owned());
        let read = |failure: Failure| match Line::read(&Line::Ended(Err(failure)).to_text()) {
            Some(Line::Ended(Err(failure))) => failure,
            other => panic!("{other:?}"),
        };
        assert!(matches!(read(failing()), Failure::StoreFailing(why) if why == "the disk is full"));
        assert!(matches!(read(UsageError::new("no").into()), Failure::Usage(_)));
        assert!(matches!(read(io::Error::other("torn").into()), Failure::Io(_)));
        let said = Line::Said("#K7QF: its log is gone".to_owned());
        assert!(
            matches!(Line::read(&said.to_text()), Some(Line::Said(what)) if what == "#K7QF: its log is gone")
        );
        for half in ["", "done", "said \u{e4}", "dance on\n"] {
            assert!(Line::read(half).is_none(), "{half:?}");
        }
    }
}
