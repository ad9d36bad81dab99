//! Where matches are kept: on disk ([`SledStore`]), or in memory for tests ([`MemoryStore`]).
//!
//! Both stand behind [`matches::port::Store`](crate::matches::port::Store), and one suite of tests
//! (`tests/store/contract.rs`) holds them to the same contract.
//!
//! ```text
//! committer   one thread that owns all writes and answers when they are on disk
//! writer      what the committer does: into the journal, synced, and behind it into sled (a checkpoint)
//! journal     the files that hold what was acknowledged and is not in sled yet
//! tables      the same in memory, above sled, for reading
//! tree        how sled is written: one atomic write, flush, fdatasync
//! sled        opening, reading, closing
//! layout      the files of a store's directory, the lock, and the watermark of what was acknowledged
//! seal        checksums of the files of a store that was closed well
//! totals      a running sum over all rows, by which lost ones are found after a crash
//! recovery    after a crash, on a copy first
//! migrate     formats, and the steps from one to the next
//! backup      a store as one checksummed file, and back
//! memory      the twin
//! error       why a store can't be opened, backed up or restored
//! ```

pub mod backup;
mod committer;
mod error;
mod journal;
mod layout;
pub mod memory;
pub mod migrate;
mod recovery;
mod seal;
pub mod sled;
mod tables;
mod totals;
mod tree;
mod writer;

pub use backup::restore;
pub use error::StoreError;
pub use memory::MemoryStore;
pub use sled::{SledOptions, SledStore};
