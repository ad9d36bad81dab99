//! `parlor export`, `backup`, `restore`, `compact`, `check`, `salvage`: what an operator does with the store.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::matches::code::Code;
use crate::matches::entropy::OsEntropy;
use crate::matches::port::{Space, Store};
use crate::matches::refusal::Failure as MatchFailure;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store;

use super::Failure;
use super::arguments::{ConfigFile, UsageError, write_private_file};
use super::control::{Order, ask};
use super::serve::{broken, configuration, failure_of, open_store};

/// Writes the record of a match, secrets and all.
pub fn export(code: &str, out: Option<&Path>, config: &ConfigFile) -> Result<(), Failure> {
    let code: Code = code
        .parse()
        .map_err(|_| UsageError(format!("`{code}` isn't a table code; a code looks like K7QF")))?;
    let store = existing_store(config)?;
    let service = service(Arc::new(store))?;
    let record = service
        .find(&code)
        .and_then(|the_match| service.record(&the_match));
    let record = record.map_err(|failure| match failure {
        MatchFailure::Refused(_) => {
            Failure::Usage(UsageError(format!("there is no match {code} that has begun")))
        }
        MatchFailure::Broken(fault) => Failure::Io(broken(fault)),
    })?;
    let json = record.to_json().map_err(io::Error::from)? + "\n";
    match out {
        Some(path) => write_private_file(path, json)?,
        None => write!(io::stdout(), "{json}")?,
    }
    Ok(())
}

/// Writes everything that is kept into one file.
pub fn backup(file: &Path, config: &ConfigFile) -> Result<(), Failure> {
    carry_out(&Order::Backup(file.to_owned()), config)?;
    Ok(writeln!(
        io::stdout(),
        "everything is in {}; it holds secrets, keep it to yourself",
        file.display()
    )?)
}

/// Makes the store as small as can be.
pub fn compact(config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    let before = megabytes(&path);
    carry_out(&Order::Compact, config)?;
    let after = megabytes(&path);
    Ok(writeln!(
        io::stdout(),
        "the store had {before:.1} MB and has {after:.1} MB now"
    )?)
}

/// Makes a store from a backup.
pub fn restore(backup: &Path, config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    store::restore(backup, &path).map_err(UsageError::new)?;
    Ok(writeln!(io::stdout(), "restored into {}", path.display())?)
}

/// Reads everything that is kept, and replays every match.
pub fn check(config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    if ask(&path, &Order::Check)?.is_some() {
        return Ok(writeln!(
            io::stdout(),
            "all files are whole; to replay every match as well, stop the bot first"
        )?);
    }
    let store = existing_store(config)?;
    let mut rows: u64 = 0;
    store.check(|_, _, _| rows += 1).map_err(UsageError::new)?;
    let Checked { matches, broken } = check_matches(Arc::new(store))?;
    let mut out = io::stdout().lock();
    for line in &broken {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "{rows} rows read, {matches} matches replayed, {} not whole",
        broken.len()
    )?;
    if broken.is_empty() {
        Ok(())
    } else {
        Err(io::Error::other("some matches are not whole").into())
    }
}

/// Reads what can be read of a damaged store into a new one.
pub fn salvage(from: &Path, to: &Path) -> Result<(), Failure> {
    let salvaged = store::salvage(from, to).map_err(UsageError::new)?;
    let mut out = io::stdout().lock();
    for what in &salvaged.unreadable {
        writeln!(out, "not readable: {what}")?;
    }
    let store = open_store(to)?;
    let Checked { matches, broken } = check_matches(Arc::new(store))?;
    for line in &broken {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "{} rows and {matches} matches are in {}; {} of the matches are not whole",
        salvaged.rows,
        to.display(),
        broken.len()
    )?;
    Ok(())
}

/// What a look at every match has shown.
struct Checked {
    matches: usize,
    /// A line for each match that is not whole.
    broken: Vec<String>,
}

/// Replays every match that has begun from its record.
fn check_matches(store: Arc<store::SledStore>) -> Result<Checked, Failure> {
    let codes = codes(&*store).map_err(broken)?;
    let service = service(store)?;
    let mut checked = Checked {
        matches: codes.len(),
        broken: Vec::new(),
    };
    for code in codes {
        let problem = match service.find(&code) {
            Ok(the_match) => match service.record(&the_match) {
                Ok(record) => record.verify().err().map(|error| error.to_string()),
                // It has not begun, so there is nothing to replay.
                Err(MatchFailure::Refused(_)) => None,
                Err(MatchFailure::Broken(fault)) => Some(fault.to_string()),
            },
            Err(MatchFailure::Refused(_)) => Some("only its log is left".to_owned()),
            Err(MatchFailure::Broken(fault)) => Some(fault.to_string()),
        };
        checked
            .broken
            .extend(problem.map(|problem| format!("#{code}: {problem}")));
    }
    Ok(checked)
}

/// The codes of all matches that a log or a match is kept of: one may be there without the other in what was salvaged. A
/// table that was called off long ago has left nothing but its code.
fn codes(store: &impl Store) -> Result<Vec<Code>, crate::matches::port::Fault> {
    let mut codes = std::collections::BTreeSet::new();
    for space in [Space::Matches, Space::Archive, Space::Log] {
        let mut next = Vec::new();
        loop {
            let rows = store.scan(space, &next..=&[0xFF; 16], 500)?;
            let Some((last, _)) = rows.last() else { break };
            next = [&last[..], &[0]].concat();
            // A code, and in the log a zero and a number.
            let kept = rows.iter().filter(|(_, value)| !value.is_empty());
            let names = kept.filter_map(|(key, _)| {
                let name = key.split(|byte| *byte == 0).next()?;
                std::str::from_utf8(name).ok()
            });
            codes.extend(names.filter_map(|name| name.parse::<Code>().ok()));
        }
    }
    Ok(codes.into_iter().collect())
}

fn service(store: Arc<store::SledStore>) -> Result<Service, Failure> {
    Ok(Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?)
}

/// Has the bot that runs carry out an order, or does so here if none runs.
fn carry_out(order: &Order, config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    match ask(&path, order)? {
        Some(()) => Ok(()),
        None => {
            let store = existing_store(config)?;
            order.carry_out(&store)?;
            store.close().map_err(failure_of)
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn megabytes(path: &Path) -> f64 {
    fn bytes(path: &Path) -> u64 {
        match std::fs::read_dir(path) {
            Ok(entries) => entries.flatten().map(|entry| bytes(&entry.path())).sum(),
            Err(_) => std::fs::symlink_metadata(path).map_or(0, |file| file.len()),
        }
    }
    bytes(path) as f64 / 1e6
}

/// The store, if there is one: looking for something must not make an empty one.
fn existing_store(config: &ConfigFile) -> Result<store::SledStore, Failure> {
    let path = configuration(config)?.store.path;
    if !path.exists() {
        return Err(UsageError(format!("there is no store at {}", path.display())).into());
    }
    open_store(&path)
}
