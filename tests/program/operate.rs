//! What whoever looks after the bot meets: figures, health, exit codes, and the files for systemd and containers.

mod backups;
mod bot;
pub mod checking;
mod container;
#[cfg(feature = "external-tests")]
mod container_run;
mod crowd;
mod failing;
mod figures;
mod unit;
