//! For whoever looks after the bot: figures, health, logs.
//!
//! ```text
//! metrics         what is counted as it happens, and gauges that are read when somebody asks
//! bot_status      whether the bot is alive and ready, and why not
//! listener        /metrics, /healthz and /readyz
//! asking          asks a running bot how it is
//! measured_store  a store whose commits are timed
//! process         what the system says of this process
//! log             what is logged, how, and how often
//! repeats         says what repeats itself once a minute
//! ```
//! Nothing here knows anybody: no names, codes, rooms, hands or moves.

pub mod asking;
pub mod bot_status;
pub mod listener;
pub mod log;
pub mod measured_store;
pub mod metrics;
mod process;
mod repeats;
