//! A store whose commits are timed.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

use super::metrics::Metrics;
use crate::matches::port::{Batch, Fault, Health, Row, Saving, Space, Store, StoreFigures};

/// Another store, with a stopwatch.
pub struct MeasuredStore {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

impl std::fmt::Debug for MeasuredStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MeasuredStore")
    }
}

impl MeasuredStore {
    pub const fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { store, metrics }
    }
}

impl Store for MeasuredStore {
    fn get(&self, space: Space, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        self.store.get(space, key)
    }

    fn scan(&self, space: Space, range: RangeInclusive<&[u8]>, limit: usize) -> Result<Vec<Row>, Fault> {
        self.store.scan(space, range, limit)
    }

    fn commit(&self, batch: Batch) -> Saving<'_> {
        let begun = Instant::now();
        // Batches are applied in the order in which this is called, so it is called at once.
        let saving = self.store.commit(batch);
        Box::pin(async move {
            let saved = saving.await;
            self.metrics.committed(begun.elapsed(), saved.is_ok());
            saved
        })
    }

    fn flush(&self) -> Saving<'_> {
        self.store.flush()
    }

    fn health(&self) -> Health {
        self.store.health()
    }

    fn figures(&self) -> StoreFigures {
        self.store.figures()
    }
}
