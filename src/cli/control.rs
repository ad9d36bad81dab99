//! How tools ask the running bot to do something with its store, which only one process can have open: by a line over a socket in
//! the store's folder, which nobody else may look into. The answer is lines, too: what there is to say of it, what was asked for
//! piece by piece, and at the end how it went, so that the tool ends as if it had done it itself. Files are written by the tool:
//! it alone knows what its user calls by their names.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::Failure;
use super::arguments::UsageError;
use super::check_store;
use super::serve::{broken, failure_of};
use crate::matches::code::Code;
use crate::matches::entropy::OsEntropy;
use crate::matches::port::Store;
use crate::matches::refusal::Failure as MatchFailure;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store::SledStore;

/// The socket in the store's folder.
const SOCKET: &str = "control";

/// The longest line.
const LONGEST: u64 = 8 << 10;

/// What a tool can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Send everything, as a backup. The tool writes it where its user wants it: what the bot would call by the same name may be
    /// another place, such as a /tmp of its own, or one where it may not write.
    Backup,
    /// Send the record of a match, secrets and all.
    Export(Code),
    /// Make the store as small as can be.
    Compact,
    /// Read everything, replay every match, and say what is not whole.
    Check,
}

/// What comes of an order before it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported<'a> {
    /// Something to say about it.
    Said(&'a str),
    /// How many bytes are to come, at most.
    Expect(u64),
    /// A piece of what was asked for.
    Data(&'a [u8]),
}

/// Takes in what is told.
pub type Hear<'a> = &'a mut dyn FnMut(Reported<'_>) -> Result<(), Failure>;

impl Order {
    /// Does it with an open store.
    pub fn carry_out(&self, store: &Arc<SledStore>, hear: Hear<'_>) -> Result<(), Failure> {
        match self {
            Self::Backup => back_up(store, hear),
            Self::Export(code) => hear(Reported::Data(record(store, code)?.as_bytes())),
            Self::Compact => store.compact().map_err(failure_of),
            Self::Check => check_store::check(store, &mut |what| hear(Reported::Said(what))),
        }
    }

    fn to_line(&self) -> String {
        match self {
            Self::Backup => "backup\n".to_owned(),
            Self::Export(code) => format!("export {code}\n"),
            Self::Compact => "compact\n".to_owned(),
            Self::Check => "check\n".to_owned(),
        }
    }
}

impl FromStr for Order {
    type Err = UsageError;

    fn from_str(line: &str) -> Result<Self, UsageError> {
        let unknown = "the running bot doesn't know this order; is it of the same version?";
        let order = match line.split_once(' ').unwrap_or((line, "")) {
            ("backup", "") => Some(Self::Backup),
            ("export", code) => code.parse().ok().map(Self::Export),
            ("compact", "") => Some(Self::Compact),
            ("check", "") => Some(Self::Check),
            _ => None,
        };
        order.ok_or_else(|| UsageError(unknown.to_owned()))
    }
}

fn back_up(store: &SledStore, hear: Hear<'_>) -> Result<(), Failure> {
    let rows = store.settled_rows().map_err(failure_of)?;
    hear(Reported::Expect(rows.most_bytes()))?;
    let mut pieces = Pieces { hear, failure: None };
    let written = {
        let mut out = BufWriter::with_capacity(PIECE, &mut pieces);
        rows.write(&mut out)
    };
    match (pieces.failure, written) {
        (Some(failure), _) => Err(failure),
        (None, Ok(())) => Ok(()),
        (None, Err(failure)) => Err(Failure::StoreFailing(failure.to_string())),
    }
}

/// The most bytes of a piece.
const PIECE: usize = 64 << 10;

/// Tells what is written, piece by piece.
struct Pieces<'a> {
    hear: Hear<'a>,
    /// Why nobody hears any more.
    failure: Option<Failure>,
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = bytes.get(..PIECE).unwrap_or(bytes);
        (self.hear)(Reported::Data(piece)).map_err(|failure| {
            self.failure = Some(failure);
            io::Error::other("nobody takes it in")
        })?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The record of a match.
fn record(store: &Arc<SledStore>, code: &Code) -> Result<String, Failure> {
    let store: Arc<dyn Store> = Arc::<SledStore>::clone(store);
    let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?;
    let record = service.find(code).and_then(|the_match| {
        let mut record = service.record(&the_match)?;
        // None before the match is over: until then they are their writers' secrets.
        record.notes = service.opened_notes(&the_match)?;
        Ok(record)
    });
    let record = record.map_err(|failure| match failure {
        MatchFailure::Refused(_) => {
            Failure::Usage(UsageError(format!("there is no match #{code} that has begun")))
        }
        MatchFailure::Broken(fault) => Failure::Io(broken(fault)),
    })?;
    Ok(record.to_json().map_err(io::Error::from)? + "\n")
}

/// A line of an answer.
#[derive(Debug)]
enum Line {
    /// Something about what was asked for; more lines follow.
    Said(String),
    /// How many bytes are to come, at most.
    Expect(u64),
    /// A piece of what was asked for follows, of so many bytes.
    Data(usize),
    /// How it went; nothing follows.
    Ended(Result<(), Failure>),
}

impl Line {
    fn to_text(&self) -> String {
        let (word, rest) = match self {
            Self::Said(what) => ("said", what.clone()),
            Self::Expect(bytes) => ("expect", bytes.to_string()),
            Self::Data(bytes) => ("data", bytes.to_string()),
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
            "expect" => Self::Expect(rest.parse().ok()?),
            "data" => Self::Data(rest.parse().ok().filter(|bytes| *bytes <= PIECE)?),
            "done" => Self::Ended(Ok(())),
            "refused" => Self::Ended(Err(UsageError(rest).into())),
            "failing" => Self::Ended(Err(Failure::StoreFailing(rest))),
            "failed" => Self::Ended(Err(io::Error::other(rest).into())),
            _ => return None,
        })
    }
}

/// Asks the bot that has a store open; nothing if none does.
#[cfg(unix)]
pub fn ask(store: &Path, order: &Order, hear: Hear<'_>) -> Result<Option<()>, Failure> {
    use std::os::unix::net::UnixStream;
    let Ok(mut stream) = UnixStream::connect(store.join(SOCKET)) else {
        return Ok(None);
    };
    let gone =
        |why: &str| Failure::StoreFailing(format!("the running bot went away before it answered{why}"));
    let broken_off = |error: io::Error| gone(&format!(": {error}"));
    stream.write_all(order.to_line().as_bytes()).map_err(broken_off)?;
    let mut answer = BufReader::new(stream);
    let mut piece = vec![0; PIECE];
    loop {
        let mut text = String::new();
        (&mut answer)
            .take(LONGEST)
            .read_line(&mut text)
            .map_err(broken_off)?;
        match Line::read(&text) {
            Some(Line::Said(what)) => hear(Reported::Said(&what))?,
            Some(Line::Expect(bytes)) => hear(Reported::Expect(bytes))?,
            Some(Line::Data(bytes)) => {
                let piece = piece.get_mut(..bytes).ok_or_else(|| gone(""))?;
                answer.read_exact(piece).map_err(broken_off)?;
                hear(Reported::Data(piece))?;
            }
            Some(Line::Ended(ended)) => return ended.map(Some),
            None => return Err(gone("")),
        }
    }
}

#[cfg(not(unix))]
pub fn ask(_: &Path, _: &Order, _: Hear<'_>) -> Result<Option<()>, Failure> {
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
    let mut hear = |told: Reported<'_>| -> Result<(), Failure> {
        let (line, data) = match told {
            Reported::Said(what) => (Line::Said(what.to_owned()), &[][..]),
            Reported::Expect(bytes) => (Line::Expect(bytes), &[][..]),
            Reported::Data(piece) => (Line::Data(piece.len()), piece),
        };
        stream.write_all(line.to_text().as_bytes())?;
        Ok(stream.write_all(data)?)
    };
    let ended = line
        .trim_end_matches('\n')
        .parse::<Order>()
        .map_err(Failure::from)
        .and_then(|order| order.carry_out(store, &mut hear));
    stream.write_all(Line::Ended(ended).to_text().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_reads_back() {
        let export = Order::Export("K7QF".parse().unwrap());
        for order in [Order::Backup, export, Order::Compact, Order::Check] {
            let line = order.to_line();
            assert_eq!(line.trim_end().parse::<Order>().unwrap(), order);
        }
        for line in ["backup /a/file", "export", "export K", "check it", "dance"] {
            assert!(line.parse::<Order>().is_err(), "{line}");
        }
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
        assert!(matches!(
            Line::read(&Line::Data(77).to_text()),
            Some(Line::Data(77))
        ));
        assert!(
            matches!(Line::read(&Line::Expect(1 << 40).to_text()), Some(Line::Expect(bytes)) if bytes == 1 << 40)
        );
        // Whoever promises too much is not believed.
        for half in [
            "",
            "done",
            "said \u{e4}",
            "dance on\n",
            "data 65537\n",
            "data -1\n",
        ] {
            assert!(Line::read(half).is_none(), "{half:?}");
        }
    }
}
