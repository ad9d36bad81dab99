//! Where matches are kept: on disk ([`SledStore`]), or in memory for tests ([`MemoryStore`]).
//!
//! Both stand behind [`matches::port::Store`](crate::matches::port::Store), and one suite of tests
//! (`tests/store/contract.rs`) holds them to the same contract.
//!
//! What is written goes down through layers, and reading looks at them from the top:
//!
//! ```text
//! journal     the files to which groups of batches are appended and synced: only then is a batch acknowledged
//! tables      the same in memory, for reading
//! sled        takes up many groups at a time, behind (a checkpoint): all that was written since rows last settled
//! runs        what has settled, sorted and compressed, in files that never change
//! ```
//!
//! So a start after a crash checks what was written since rows last settled, and not the whole store; and what was
//! replaced or deleted leaves the disk when runs are merged. The modules:
//!
//! ```text
//! committer   one thread that owns all writes, answers when they are on disk, and tries again after a fault
//! health      whether the store can write at this moment
//! writer      what the committer does: into the journal, synced, and behind it into sled
//! journal     its files
//! keeper      hands work to the one thread that owns sled
//! upkeep      what that thread does: checkpoints, settling, merging, opening sled again after a fault
//! tables      the layers of a store, for reading
//! below       sled and runs, and how rows of all layers become one sequence
//! tree        how sled is written: one atomic write, flush, fdatasync
//! settle      how rows settle and runs are merged, step by step
//! settled     the runs, and the manifest that names them
//! run         a file of settled rows
//! blocks      pieces of runs that were read of late
//! rows        rows as bytes
//! sled        opening, reading, closing
//! sled_files  how sled is opened and let go of, and what its failures mean
//! layout      the files of a store's directory, the lock, and the watermark of what was acknowledged
//! files       modes of files, free space
//! seal        checksums of the files of a store that was closed well
//! totals      a running sum over all rows in sled, by which lost ones are found after a crash
//! recovery    after a crash, on a copy first
//! migrate     formats, and the steps from one to the next
//! backup      a store as one checksummed file, and back
//! salvage     what can still be read of a damaged store, as a new one
//! memory      the twin
//! error       why a store can't be opened, backed up or restored
//! ```

pub mod backup;
mod below;
mod blocks;
mod committer;
mod error;
mod files;
mod health;
mod journal;
mod keeper;
mod layout;
pub mod memory;
pub mod migrate;
mod recovery;
mod rows;
mod run;
mod salvage;
mod seal;
mod settle;
mod settled;
pub mod sled;
mod sled_files;
mod tables;
mod totals;
mod tree;
mod upkeep;
mod writer;

pub use backup::{NewBackup, WriteFailure, may_back_up, restore};
pub use error::StoreError;
pub use memory::MemoryStore;
pub use salvage::{Salvaged, salvage};
pub use sled::{SettledRows, SledOptions, SledStore};
