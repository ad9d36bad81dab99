//! Whether everything in a store is whole: its files, its rows, and every match, which is replayed.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use super::Failure;
use super::serve::{broken, failure_of};
use crate::matches::code::Code;
use crate::matches::entropy::OsEntropy;
use crate::matches::port::{Batch, Fault, Row, Space, Store};
use crate::matches::refusal::Failure as MatchFailure;
use crate::matches::repository;
use crate::matches::service::Service;
use crate::matches::time::SystemClock;
use crate::store::SledStore;
use crate::text;

/// How many rows are read at once.
const PAGE: usize = 500;

/// A match may be played while it is looked at, so what is wrong with it is looked at again.
const LOOKS: usize = 3;

/// Reads everything, replays every match, and says what is not whole. The store may be in use.
pub fn check(
    store: &Arc<SledStore>,
    say: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut rows: u64 = 0;
    store.check(|_, _, _| rows += 1).map_err(failure_of)?;
    let Checked { matches, broken } = check_matches(store)?;
    for line in &broken {
        say(line)?;
    }
    say(&format!(
        "{} read, {} replayed, {} not whole",
        text::counted(rows, "row", "rows"),
        text::counted(matches, "match", "matches"),
        broken.len()
    ))?;
    match broken.len() {
        0 => Ok(()),
        _ => Err(io::Error::other("some matches are not whole").into()),
    }
}

/// What a look at every match has shown.
#[derive(Debug)]
pub struct Checked {
    pub matches: usize,
    /// A line for each match that is not whole.
    pub broken: Vec<String>,
}

/// Replays every match that has begun from its record.
pub fn check_matches(store: &Arc<SledStore>) -> Result<Checked, Failure> {
    let codes = codes(store.as_ref()).map_err(broken)?;
    let store: Arc<dyn Store> = Arc::<SledStore>::clone(store);
    let service = Service::new(store, Arc::new(SystemClock), Arc::new(OsEntropy)).map_err(broken)?;
    let mut checked = Checked {
        matches: codes.len(),
        broken: Vec::new(),
    };
    for code in codes {
        let mut looks = std::iter::repeat_with(|| problem(&service, &code)).take(LOOKS);
        // The last look holds, unless one before it found nothing.
        let found = looks.try_fold(None, |_, problem| problem.map(Some));
        checked
            .broken
            .extend(found.flatten().map(|problem| format!("#{code}: {problem}")));
    }
    Ok(checked)
}

/// What is wrong with a match, in words; nothing if it is whole.
fn problem(service: &Service, code: &Code) -> Option<String> {
    match service.find(code) {
        Ok(the_match) => match service.record(&the_match) {
            Ok(record) => record.verify().err().map(|error| error.to_string()),
            // It has not begun, so there is nothing to replay.
            Err(MatchFailure::Refused(_)) => None,
            Err(MatchFailure::Broken(fault)) => Some(fault.to_string()),
        },
        Err(MatchFailure::Refused(_)) => Some("the match itself is missing".to_owned()),
        Err(MatchFailure::Broken(fault)) => Some(fault.to_string()),
    }
}

/// Writes anew the rows by which matches are found: they may be among what could not be read.
pub async fn mend_index(store: &dyn Store) -> Result<(), Fault> {
    for code in codes(store)? {
        let mut batch = Batch::new();
        // One that can't be read is named by the check.
        if let Ok(Some(the_match)) = repository::Repository(store).find(&code) {
            repository::reindex(&mut batch, &the_match);
        }
        if !batch.is_empty() {
            store.commit(batch).await?;
        }
    }
    Ok(())
}

/// The codes of all matches of which anything is kept: in what was salvaged there may be a log without its match, or nothing
/// but rows that say whose it was. A table that was called off long ago has left its code alone, which is no match.
fn codes(store: &dyn Store) -> Result<BTreeSet<Code>, Fault> {
    let (mut codes, mut forgotten) = (BTreeSet::new(), BTreeSet::new());
    for space in [Space::Matches, Space::Archive] {
        each(store, space, |(key, value)| {
            let known = if repository::is_forgotten(value) {
                &mut forgotten
            } else {
                &mut codes
            };
            known.extend(code(key));
        })?;
    }
    // A code, a zero and a number.
    each(store, Space::Log, |(key, _)| {
        codes.extend(key.split(|byte| *byte == 0).next().and_then(code));
    })?;
    // Whose it is, some more, a zero and a code.
    for space in [Space::ByPlayer, Space::ByRoom] {
        each(store, space, |(key, _)| {
            codes.extend(key.rsplit(|byte| *byte == 0).next().and_then(code));
        })?;
    }
    codes.retain(|code| !forgotten.contains(code));
    Ok(codes)
}

fn code(name: &[u8]) -> Option<Code> {
    std::str::from_utf8(name).ok()?.parse().ok()
}

/// Hands over every row of a space.
fn each(store: &dyn Store, space: Space, mut take: impl FnMut(&Row)) -> Result<(), Fault> {
    let mut next = Vec::new();
    loop {
        let rows = store.scan(space, &next..=&[0xFF; 16], PAGE)?;
        let Some((last, _)) = rows.last() else {
            return Ok(());
        };
        next = [&last[..], &[0]].concat();
        rows.iter().for_each(&mut take);
    }
}
