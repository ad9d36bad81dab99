//! `parlor export`, `backup`, `restore`: what an operator does with the store while the bot is off.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::matches::code::Code;
use crate::matches::entropy::OsEntropy;
use crate::matches::refusal::Failure as MatchFailure;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store;

use super::Failure;
use super::arguments::{ConfigFile, UsageError, write_file};
use super::serve::{broken, configuration, open_store};

/// Writes the record of a match, secrets and all.
pub fn export(code: &str, out: Option<&Path>, config: &ConfigFile) -> Result<(), Failure> {
    let code: Code = code
        .parse()
        .map_err(|_| UsageError(format!("`{code}` is no table code; a code looks like K7QF")))?;
    let store = existing_store(config)?;
    let service =
        Service::new(Arc::new(store), Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?;
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
        Some(path) => write_file(path, json)?,
        None => write!(io::stdout(), "{json}")?,
    }
    Ok(())
}

/// Writes everything that is kept into one file.
pub fn backup(file: &Path, config: &ConfigFile) -> Result<(), Failure> {
    existing_store(config)?.backup(file).map_err(UsageError::new)?;
    Ok(writeln!(
        io::stdout(),
        "everything is in {}; it holds secrets, keep it to yourself",
        file.display()
    )?)
}

/// Makes a store from a backup.
pub fn restore(backup: &Path, config: &ConfigFile) -> Result<(), Failure> {
    let path = configuration(config)?.store.path;
    store::restore(backup, &path).map_err(UsageError::new)?;
    Ok(writeln!(io::stdout(), "restored into {}", path.display())?)
}

/// The store, if there is one: looking for something must not make an empty one.
fn existing_store(config: &ConfigFile) -> Result<store::SledStore, UsageError> {
    let path = configuration(config)?.store.path;
    if !path.exists() {
        return Err(UsageError(format!("there is no store at {}", path.display())));
    }
    open_store(&path)
}
