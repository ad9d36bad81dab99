//! What the thread that keeps sled does: it takes up what the journal holds (a checkpoint), lets rows settle in runs when sled has
//! grown, and opens sled again after a fault.
//!
//! Runs are merged in a thread of their own, which reads files that never change; so neither answers nor checkpoints
//! wait for it.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};

use super::below::{Below, Delta};
use super::committer::WriteError;
use super::error::StoreError;
use super::files::size_of;
use super::journal;
use super::keeper::{Checkpoint, Waiter, Work};
use super::layout::StorePaths;
use super::run::Run;
use super::settle::{self, Merge, Stop};
use super::settled::{self, Named, Runs};
use super::sled::SledOptions;
use super::tables::SharedTables;
use super::totals::Totals;
use super::tree::SledTree;
use super::{files, recovery, sled_files};
use crate::matches::port::Fault;

/// When nobody wants anything else, rows settle as soon as sled has this share of the size at which they settle anyway.
const WORTH_A_RUN: u64 = 8;

/// What came of a rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rested {
    Settled,
    AsItWas,
}

/// How the thread is heard, and hears.
pub(super) struct Wiring {
    /// A message for each checkpoint that was made, or could not be.
    pub(super) tell: Sender<Result<(), String>>,
    /// For the thread that merges.
    pub(super) back: Sender<Work>,
    pub(super) stop: Stop,
    pub(super) compactions: Arc<AtomicU64>,
}

/// What the thread works with.
pub(super) struct Upkeep {
    layout: StorePaths,
    settings: SledOptions,
    tables: SharedTables,
    /// Nothing after a fault, until sled is open again.
    tree: Option<SledTree>,
    /// The last group that sled is known to hold.
    groups: u64,
    /// What sled has to take up, the oldest first.
    undone: VecDeque<Checkpoint>,
    wiring: Wiring,
    /// Numbers of runs are never used twice.
    next_run: u64,
    merging: Option<JoinHandle<()>>,
    /// Those who wait until all is one run.
    compacting: Vec<Waiter<()>>,
    /// After a failure to settle: how many checkpoints are made before it is tried again.
    postponed: u32,
    /// The last run that was made of what sled held, and what that was: if sled could not begin anew after that, the same rows
    /// need no other run.
    settled: Option<(u64, Totals)>,
}

impl Upkeep {
    pub(super) fn new(
        layout: &StorePaths,
        settings: &SledOptions,
        tree: SledTree,
        tables: SharedTables,
        wiring: Wiring,
    ) -> Self {
        Self {
            layout: layout.clone(),
            settings: *settings,
            tables,
            next_run: tree.runs.newest() + 1,
            groups: tree.groups(),
            tree: Some(tree),
            undone: VecDeque::new(),
            wiring,
            merging: None,
            compacting: Vec::new(),
            postponed: 0,
            settled: None,
        }
    }

    pub(super) fn work(mut self, waiting: &Receiver<Work>) {
        let mut work = Work::Look;
        loop {
            match catch_unwind(AssertUnwindSafe(|| self.handle(work))) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                // A fault like others: sled is opened again, and takes up what waits.
                Err(_) => self.fail("the thread that writes to sled panicked".into()),
            }
            work = match waiting.recv_timeout(self.settings.idle) {
                Ok(work) => work,
                Err(RecvTimeoutError::Timeout) => Work::Rest(None),
                Err(RecvTimeoutError::Disconnected) => break,
            };
        }
        _ = self.merging.take().map(JoinHandle::join);
    }

    fn handle(&mut self, work: Work) -> ControlFlow<()> {
        match work {
            Work::Look => {
                self.settle_if_due();
                self.merge_if_due();
            }
            Work::Checkpoint(checkpoint) => {
                self.undone.push_back(checkpoint);
                if self.tree.is_some() {
                    self.take_up();
                    self.settle_if_due();
                }
            }
            // Whoever has stopped waiting needs no answer.
            Work::Retry(reply) => _ = reply.send(self.retry()),
            Work::Settle(reply) => _ = reply.send(self.settle()),
            Work::Compact(reply) => match self.settle() {
                Ok(_) => {
                    self.compacting.push(reply);
                    self.merge_if_due();
                }
                Err(error) => _ = reply.send(Err(error)),
            },
            Work::Rest(reply) => {
                let rested = self.rest();
                match (reply, rested) {
                    // Whoever closes the store has no time for a merge.
                    (Some(reply), rested) => _ = reply.send(rested.map(|_| ())),
                    (None, Ok(Rested::Settled)) => self.merge_if_due(),
                    (None, Ok(Rested::AsItWas) | Err(_)) => {}
                }
            }
            Work::Merged { of, run } => self.install(&of, run),
            Work::Close => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    /// Has sled take up everything that waits.
    fn take_up(&mut self) {
        while let (Some(tree), Some(checkpoint)) = (&mut self.tree, self.undone.front()) {
            match write(tree, checkpoint) {
                Ok(()) => self.note_taken_up(),
                Err(error) => return self.fail(error.to_string()),
            }
        }
    }

    /// The oldest checkpoint that waited is on disk, and what held it until then can go.
    fn note_taken_up(&mut self) {
        let Some(checkpoint) = self.undone.pop_front() else {
            return;
        };
        self.groups = checkpoint.groups;
        self.tables.write().waiting.pop_back();
        for file in &checkpoint.journal {
            if let Err(error) = journal::remove(file) {
                // It is passed over when the store is opened.
                tracing::warn!(%error, "store: could not remove a file of the journal");
            }
        }
        _ = self.wiring.tell.send(Ok(()));
    }

    /// After a fault sled's handle is of no use for writing. Readers keep theirs until it is opened again.
    fn fail(&mut self, reason: String) {
        self.tree = None;
        _ = self.wiring.tell.send(Err(reason));
    }

    /// Opens sled again if need be, and has it take up what waits. Why that failed is told to the one who asked for it alone.
    fn retry(&mut self) -> Result<(), StoreError> {
        if self.tree.is_some() {
            return Ok(());
        }
        let needed = self.settings.room + size_of(&self.layout.sled);
        files::has_room(&self.layout.root, "open the store again", needed)?;
        let tree = self.reopen()?;
        self.tables.write().below = tree.below();
        self.next_run = self.next_run.max(tree.runs.newest() + 1);
        self.tree = Some(tree);
        let caught_up = self.catch_up();
        if caught_up.is_err() {
            self.tree = None;
        }
        caught_up
    }

    /// Has sled take up what waits, and lets all of it settle at once. What was written when a sync failed may be in memory
    /// alone, and no later sync of the same file tells: so it goes into files that are new, before the journal that holds
    /// it is removed.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        if let Some(tree) = &mut self.tree {
            for checkpoint in &self.undone {
                write(tree, checkpoint).map_err(|error| {
                    let fault = Fault::new("saving to the store", error);
                    StoreError::fault(&self.layout.root)(fault)
                })?;
            }
        }
        self.begin_anew()?;
        while !self.undone.is_empty() {
            self.note_taken_up();
        }
        Ok(())
    }

    fn reopen(&self) -> Result<SledTree, StoreError> {
        // sled's files can't be opened twice, so nobody reads meanwhile.
        let before = std::mem::take(&mut self.tables.write().below.delta);
        drop(before);
        if self.layout.database.is_file() {
            sled_files::wait_until_closed(&self.layout.sled)?;
        }
        settle::put_back(&self.layout)?;
        let runs = Runs::open(&self.layout)?;
        if self.merging.is_none() {
            // A run that was written and not named yet, when the fault came.
            runs.remove_others(&self.layout)?;
        }
        recovery::check_a_copy(&self.layout, &runs, &self.settings)?;
        let sled = recovery::open_sled(&self.layout, &self.settings)?;
        let tree = SledTree::new(sled, runs, &self.layout)?;
        // It may hold more than is known of: what was written whole, and could not be synced.
        if tree.groups() >= self.groups {
            Ok(tree)
        } else {
            let what = "sled lost what it had written before a fault";
            Err(StoreError::damaged(&self.layout.root, what))
        }
    }

    fn settle_if_due(&mut self) {
        if self.postponed > 0 {
            self.postponed -= 1;
            return;
        }
        if size_of(&self.layout.sled) < self.settings.settle {
            return;
        }
        if let Err(error) = self.settle() {
            self.postpone(&error);
        }
        self.merge_if_due();
    }

    fn postpone(&mut self, error: &StoreError) {
        let path = self.layout.root.display();
        tracing::warn!(%path, %error, "store: could not let rows settle; this is tried again later");
        self.postponed = 8;
    }

    /// Lets rows settle where nobody waits for anything, if sled has grown by enough to be worth a run. A fault of sled's is
    /// told like any other.
    fn rest(&mut self) -> Result<Rested, StoreError> {
        let grown = size_of(&self.layout.sled) >= self.settings.settle / WORTH_A_RUN;
        let at_leisure = self.undone.is_empty() && self.tree.as_ref().is_some_and(|tree| tree.rows() > 0);
        if !grown || !at_leisure {
            return Ok(Rested::AsItWas);
        }
        match self.settle() {
            Err(error) if self.tree.is_none() => Err(error),
            Err(error) => {
                self.postpone(&error);
                Ok(Rested::AsItWas)
            }
            Ok(_) => Ok(Rested::Settled),
        }
    }

    /// Makes a run of what sled holds, if it holds anything. A fault before anything was replaced costs nothing.
    fn settle(&mut self) -> Result<Runs, StoreError> {
        match &self.tree {
            Some(tree) if tree.rows() == 0 => Ok(tree.runs.clone()),
            Some(_) => self.begin_anew().inspect_err(|error| {
                if self.tree.is_none() {
                    self.fail(error.to_string());
                }
            }),
            None => Err(self.failing()),
        }
    }

    fn failing(&self) -> StoreError {
        let fault = Fault::new("settling the store", "it can't be written at this moment");
        StoreError::fault(&self.layout.root)(fault)
    }

    /// Makes a run of what sled holds, and sled's files anew. If that fails when they were already being replaced, sled has
    /// to be opened again.
    fn begin_anew(&mut self) -> Result<Runs, StoreError> {
        let tree = self.tree.as_ref().ok_or_else(|| self.failing())?;
        let needed = self.settings.room + size_of(&self.layout.sled);
        files::has_room(&self.layout.root, "let rows settle", needed)?;
        if !self.layout.manifest.exists() {
            // A store from before there were runs: without a manifest a run would be taken for one that has lost its own.
            tree.runs.write_manifest(&self.layout)?;
        }
        let runs = if self.settled == Some((tree.runs.newest(), tree.totals())) {
            tree.runs.clone()
        } else {
            let number = self.next_run;
            self.next_run += 1;
            let run = settle::write_delta(tree, &self.layout, number, &self.wiring.stop)?;
            self.settled = Some((number, tree.totals()));
            let newest = run.into_iter().map(Arc::new);
            let list = newest.chain(tree.runs.list().iter().map(Arc::clone)).collect();
            tree.runs.with(list)
        };
        let groups = tree.groups();
        self.tree = None;
        // Whoever reads now finds all in the runs.
        let before = std::mem::replace(
            &mut self.tables.write().below,
            Below {
                delta: Delta::Nothing,
                runs: runs.clone(),
            },
        );
        drop(before);
        let tree = settle::begin_anew(&self.layout, self.settings.cache, groups, runs.clone())?;
        self.tables.write().below = tree.below();
        self.tree = Some(tree);
        Ok(runs)
    }

    /// Begins to merge runs, if that is worth it or asked for, and nobody does so already.
    fn merge_if_due(&mut self) {
        if self.merging.is_some() {
            return;
        }
        let runs = self.tables.read().below.runs.clone();
        let all = runs.list().len();
        let count = match Merge::due(&runs) {
            _ if !self.compacting.is_empty() => all,
            due => due,
        };
        if count < 2 {
            for reply in self.compacting.drain(..) {
                self.wiring.compactions.fetch_add(1, Ordering::Relaxed);
                _ = reply.send(Ok(()));
            }
            return;
        }
        let merge = Merge {
            runs: runs.list()[..count].to_vec(),
            to_the_ground: count == all,
            number: self.next_run,
        };
        let needed = self.settings.room + merge.most_bytes();
        if let Err(error) = files::has_room(&self.layout.root, "make the store smaller", needed) {
            return self.give_up_merging(error);
        }
        self.next_run += 1;
        let (layout, stop, back) = (
            self.layout.clone(),
            Arc::clone(&self.wiring.stop),
            self.wiring.back.clone(),
        );
        let started = Builder::new().name("store-merger".into()).spawn(move || {
            // Whoever waits for it is to hear of a panic, too.
            let run = catch_unwind(AssertUnwindSafe(|| merge.write(&layout, &stop))).unwrap_or_else(|_| {
                let fault = Fault::new("merging runs", "the thread that merges panicked");
                Err(StoreError::fault(&layout.root)(fault))
            });
            let of = merge.runs.iter().map(|run| run.number).collect();
            // Nobody listens only when the store is closed.
            _ = back.send(Work::Merged { of, run });
        });
        match started {
            Ok(thread) => self.merging = Some(thread),
            Err(error) => self.give_up_merging(StoreError::io("merging", &self.layout.runs)(error)),
        }
    }

    /// Puts a merged run in the place of those that it was made of.
    fn install(&mut self, of: &[u64], run: Result<Option<Run>, StoreError>) {
        _ = self.merging.take().map(JoinHandle::join);
        let merged = run.as_ref().ok().and_then(Option::as_ref).map(|run| run.number);
        let replaced = run.and_then(|run| {
            let before = self.tables.read().below.runs.clone();
            let newer = before.list().iter().take_while(|run| !of.contains(&run.number));
            let older = before.list().iter().skip_while(|run| !of.contains(&run.number));
            let older = older.filter(|run| !of.contains(&run.number)).map(Arc::clone);
            let list = newer
                .map(Arc::clone)
                .chain(run.map(Arc::new))
                .chain(older)
                .collect();
            let runs = before.with(list);
            runs.write_manifest(&self.layout)?;
            Ok(runs)
        });
        match replaced {
            Ok(runs) => {
                self.tables.write().below.runs = runs.clone();
                if let Some(tree) = &mut self.tree {
                    tree.runs = runs.clone();
                }
                self.wiring.compactions.fetch_add(1, Ordering::Relaxed);
                if let Err(error) = runs.remove_others(&self.layout) {
                    tracing::warn!(%error, "store: could not remove runs that were merged");
                }
                self.merge_if_due();
            }
            Err(error) => {
                if let Some(number) = merged {
                    self.remove_unnamed(number);
                }
                self.give_up_merging(error);
            }
        }
    }

    /// Removes a run that was to replace others and did not: it would take as much room as they do. It stays if the
    /// manifest names it, which may be though writing that has failed.
    fn remove_unnamed(&self, number: u64) {
        let unnamed = |named: &[Named]| named.iter().all(|run| run.number != number);
        if settled::named(&self.layout).is_ok_and(|named| unnamed(&named)) {
            // If it stays, the next merge or the next start removes it.
            _ = std::fs::remove_file(self.layout.run(number));
        }
    }

    /// Nothing is lost by that: the runs are as they were, and it is tried again when there is one more.
    fn give_up_merging(&mut self, error: StoreError) {
        let path = self.layout.root.display();
        tracing::warn!(%path, %error, "store: could not merge runs; this is tried again later");
        let again = |words: String| {
            let fault = Fault::new("making the store smaller", words);
            StoreError::fault(&self.layout.root)(fault)
        };
        let words = error.to_string();
        let mut error = Some(error);
        for reply in self.compacting.drain(..) {
            _ = reply.send(Err(error.take().unwrap_or_else(|| again(words.clone()))));
        }
    }
}

/// Has sled take up a checkpoint, and syncs it. A panic is a fault like others.
fn write(tree: &mut SledTree, checkpoint: &Checkpoint) -> Result<(), WriteError> {
    let work = || tree.write(&checkpoint.table, checkpoint.groups);
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("sled panicked while it wrote".into()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::store::SledStore;
    use crate::store::tables::RowTable;

    /// What the thread works with, over a store that was closed well.
    fn upkeep(root: &std::path::Path) -> Upkeep {
        SledStore::open(root).unwrap().close().unwrap();
        let (layout, settings) = (StorePaths::new(root), SledOptions::default());
        let runs = Runs::open(&layout).unwrap();
        let sled = recovery::open_sled(&layout, &settings).unwrap();
        let tree = SledTree::new(sled, runs, &layout).unwrap();
        let tables = SharedTables::default();
        tables.write().below = tree.below();
        let wiring = Wiring {
            tell: channel().0,
            back: channel().0,
            stop: Stop::default(),
            compactions: Arc::default(),
        };
        Upkeep::new(&layout, &settings, tree, tables, wiring)
    }

    fn row(number: u8) -> Vec<u8> {
        vec![2, number]
    }

    /// Hands over a checkpoint of one group: its file in the journal.
    fn hand_over(upkeep: &mut Upkeep, table: RowTable) -> PathBuf {
        let table = Arc::new(table);
        upkeep.tables.write().waiting.push_front(Arc::clone(&table));
        let groups = upkeep.groups + 1;
        fs::create_dir_all(&upkeep.layout.journal).unwrap();
        let file = upkeep.layout.journal.join(format!("{groups:020}"));
        fs::write(&file, "").unwrap();
        upkeep.undone.push_back(Checkpoint {
            table,
            groups,
            journal: vec![file.clone()],
        });
        file
    }

    fn runs(upkeep: &Upkeep) -> usize {
        fs::read_dir(&upkeep.layout.runs).unwrap().count()
    }

    /// The sync failed: sled's file holds what the disk may not have.
    #[test]
    fn what_could_not_be_synced_goes_into_new_files_before_the_journal_goes() {
        let home = tempfile::tempdir().unwrap();
        let mut upkeep = upkeep(&home.path().join("store"));
        hand_over(
            &mut upkeep,
            [(row(1), Some(vec![1; 9])), (row(2), Some(vec![2; 9]))].into(),
        );
        upkeep.take_up();
        upkeep.settle().unwrap();
        let table = [(row(1), None), (row(3), Some(vec![3; 9]))].into();
        let journal = hand_over(&mut upkeep, table);
        let before = runs(&upkeep);
        if let (Some(tree), Some(checkpoint)) = (&mut upkeep.tree, upkeep.undone.front()) {
            write(tree, checkpoint).unwrap();
        }
        upkeep.fail("Input/output error (os error 5)".to_owned());
        // At first nothing new can be put in place. However often that is tried, it costs no more upkeep.
        fs::write(&upkeep.layout.replaced, "in the way").unwrap();
        for _ in 0..5 {
            let why = upkeep.retry().unwrap_err().to_string();
            assert!(!why.contains("damaged"), "{why}");
            assert!(journal.exists(), "what holds the rows is gone");
        }
        assert!(runs(&upkeep) <= before + 2, "{} runs", runs(&upkeep));
        fs::remove_file(&upkeep.layout.replaced).unwrap();
        upkeep.retry().unwrap();
        assert!(!journal.exists());
        assert_eq!((upkeep.groups, upkeep.undone.len()), (2, 0));
        let tree = upkeep.tree.take().unwrap();
        assert_eq!((tree.groups(), tree.rows()), (2, 0), "sled begins anew");
        let below = tree.below();
        for (number, value) in [(1, None), (2, Some(vec![2; 9])), (3, Some(vec![3; 9]))] {
            assert_eq!(below.get(&row(number)).unwrap(), value, "{number}");
        }
    }

    #[test]
    fn fewer_groups_than_were_synced_are_damage() {
        let home = tempfile::tempdir().unwrap();
        let mut upkeep = upkeep(&home.path().join("store"));
        upkeep.fail("Input/output error (os error 5)".to_owned());
        upkeep.groups += 1;
        let why = upkeep.retry().unwrap_err().to_string();
        assert!(
            why.contains("is damaged") && why.contains("`parlor salvage`"),
            "{why}"
        );
    }
}
