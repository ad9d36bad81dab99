//! `parlor export`, `backup`, `restore`, `compact`, `check`, `salvage`: what an operator does with the store.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::matches::code::Code;
use crate::store::{self, NewBackup};
use crate::text;

use super::Failure;
use super::arguments::{ConfigFile, UsageError, write_private_file};
use super::check_store::{self, Checked};
use super::control::{Hear, Order, Reported, ask};
use super::serve::{broken, configuration, failure_of, open_store};

/// Writes the record of a match, secrets and all.
pub fn export(code: &str, out: Option<&Path>, config: &ConfigFile) -> Result<(), Failure> {
    let code: Code = code
        .parse()
        .map_err(|_| UsageError(format!("`{code}` isn't a table code; a code looks like #K7QF")))?;
    let mut record = Vec::new();
    carry_out(&Order::Export(code), config, &mut |told| {
        match told {
            Reported::Data(piece) => record.extend_from_slice(piece),
            Reported::Said(_) | Reported::Expect(_) => {}
        }
        Ok(())
    })?;
    match out {
        Some(path) => write_private_file(path, record)?,
        None => io::stdout().write_all(&record)?,
    }
    Ok(())
}

/// Writes everything that is kept into one file. This process writes it, whoever has the store: what the bot would call by the
/// file's name may be another place.
pub fn backup(file: &Path, config: &ConfigFile) -> Result<(), Failure> {
    let root = configuration(config)?.store.path;
    store::may_back_up(file, &root).map_err(failure_of)?;
    let mut new = None;
    carry_out(&Order::Backup, config, &mut |told| {
        match told {
            Reported::Expect(bytes) => new = Some(NewBackup::begin(file, bytes).map_err(failure_of)?),
            Reported::Data(piece) => {
                let strange = || io::Error::other("the running bot sent more than it said");
                let new = new.as_mut().ok_or_else(strange)?;
                new.write_all(piece).map_err(|error| {
                    let file = file.display();
                    Failure::StoreFailing(format!("writing {file} failed: {error}"))
                })?;
            }
            Reported::Said(_) => {}
        }
        Ok(())
    })?;
    let new = new.ok_or_else(|| io::Error::other("the running bot sent nothing"))?;
    new.finish().map_err(failure_of)?;
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
    carry_out(&Order::Compact, config, &mut say)?;
    let after = megabytes(&path);
    Ok(writeln!(
        io::stdout(),
        "the store had {before:.1} MB and has {after:.1} MB now"
    )?)
}

/// Makes a store from a backup.
pub fn restore(backup: &Path, config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    store::restore(backup, &path).map_err(failure_of)?;
    Ok(writeln!(io::stdout(), "restored into {}", path.display())?)
}

/// Reads everything that is kept, and replays every match.
pub fn check(config: &ConfigFile) -> Result<(), Failure> {
    carry_out(&Order::Check, config, &mut say)
}

/// Reads what can be read of a damaged store into a new one.
pub fn salvage(from: &Path, to: &Path) -> Result<(), Failure> {
    let salvaged = store::salvage(from, to).map_err(failure_of)?;
    let mut out = io::stdout().lock();
    for what in &salvaged.unreadable {
        writeln!(out, "not readable: {what}")?;
    }
    let store = Arc::new(open_store(to)?);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime
        .block_on(check_store::mend_index(store.as_ref()))
        .map_err(broken)?;
    let Checked { matches, broken } = check_store::check_matches(&store)?;
    for line in &broken {
        writeln!(out, "{line}")?;
    }
    close(store)?;
    writeln!(
        out,
        "saved in {}: {} and {}, {} not whole",
        to.display(),
        text::counted(salvaged.rows, "row", "rows"),
        text::counted(matches, "match", "matches"),
        broken.len()
    )?;
    Ok(())
}

/// Has the bot that runs carry out an order, or does so here if none runs.
fn carry_out(order: &Order, config: &ConfigFile, hear: Hear<'_>) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    match ask(&path, order, hear)? {
        Some(()) => Ok(()),
        None => {
            let store = Arc::new(existing_store(config)?);
            order.carry_out(&store, hear)?;
            close(store)
        }
    }
}

/// Passes on what there is to say.
fn say(told: Reported<'_>) -> Result<(), Failure> {
    match told {
        Reported::Said(what) => Ok(writeln!(io::stdout(), "{what}")?),
        Reported::Expect(_) | Reported::Data(_) => Ok(()),
    }
}

/// Closes a store, unless somebody still has it; then it is closed by them.
fn close(store: Arc<store::SledStore>) -> Result<(), Failure> {
    Arc::into_inner(store).map_or(Ok(()), |store| store.close().map_err(failure_of))
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
