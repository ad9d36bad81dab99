//! `parlor export`, `backup`, `restore`: what an operator does with the store while the bot is off.

use std::fs;
use std::io::{self, Write};
use std::sync::Arc;

use crate::matches::code::Code;
use crate::matches::entropy::OsEntropy;
use crate::matches::refusal::Failure as MatchFailure;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store;

use super::Failure;
use super::arguments::{Arguments, UsageError};
use super::serve::{configuration, open_store};

/// Writes the record of a match, secrets and all.
pub fn export(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--config", "--out"])?;
    let name = arguments.operand("which match? give its table code, such as K7QF")?;
    let code: Code = name.to_string_lossy().parse().map_err(|_| {
        UsageError(format!(
            "`{}` is no table code; a code looks like K7QF",
            name.display()
        ))
    })?;
    let store = existing_store(arguments)?;
    let broken = |fault: crate::matches::port::Fault| io::Error::other(fault.to_string());
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
    match &arguments.out {
        Some(path) => fs::write(path, json)
            .map_err(|error| UsageError(format!("can't write {}: {error}", path.display())))?,
        None => write!(io::stdout(), "{json}")?,
    }
    Ok(())
}

/// Writes everything that is kept into one file.
pub fn backup(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--config"])?;
    let file = arguments.operand("where to? give the file for the backup")?;
    let store = existing_store(arguments)?;
    store
        .backup(&file)
        .map_err(|error| UsageError(error.to_string()))?;
    Ok(writeln!(
        io::stdout(),
        "everything is in {}; it holds secrets, keep it to yourself",
        file.display()
    )?)
}

/// Makes a store from a backup.
pub fn restore(arguments: &Arguments) -> Result<(), Failure> {
    arguments.allow(&["--config"])?;
    let file = arguments.operand("from what? give the backup's file")?;
    let path = configuration(arguments)?.store.path;
    store::restore(&file, &path).map_err(|error| UsageError(error.to_string()))?;
    Ok(writeln!(io::stdout(), "restored into {}", path.display())?)
}

/// The store, if there is one: looking for something must not make an empty one.
fn existing_store(arguments: &Arguments) -> Result<store::SledStore, UsageError> {
    let path = configuration(arguments)?.store.path;
    if !path.exists() {
        return Err(UsageError(format!("there is no store at {}", path.display())));
    }
    open_store(&path)
}
