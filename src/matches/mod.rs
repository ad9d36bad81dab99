//! The life of a match.
//!
//! ```text
//! state, record       a match as it is kept, and as it is written out
//! archive, retention  matches that are over, folded; how long things are kept
//! loaded              a match with its position, read once a request
//! gather, practice, moves, consent, stand_in, deadlines, home
//!                     what may be done to it: pure functions from a match and a command to a change
//! change, delivery    what such a function decides, and what that makes known
//! pending_news, turn_sheet, hand_news
//!                     what is held back until a bot has replied, the message on which a turn is shown, and hands
//! plans               what players have said in advance
//! refusal             why a command was not carried out
//! service             the one way to change a match: locks, decides, writes
//! bot, bots, think_pool, time_budget, hint
//!                     players made of code: who they are, when they move, where and how long they think, what they advise
//! people, lists, notes, community, keys
//!                     players, their lists, what they write down, the rooms that the same people run, and keys to a seat
//! catch_up            what players have missed since they acted
//! hours, clock, time  which time counts, how much of it players have
//! code, lock, export, notation, replay, deflate
//!                     smaller parts
//! port, repository, entropy
//!                     what is needed of the world, and where things lie in the store
//! ```

pub mod archive;
pub mod bot;
pub mod bots;
pub mod catch_up;
pub mod change;
pub mod clock;
pub mod code;
pub mod community;
pub mod consent;
pub mod deadlines;
pub mod deflate;
pub mod delivery;
pub mod entropy;
pub mod export;
pub mod gather;
pub mod hand_news;
pub mod hint;
pub mod home;
pub mod hours;
pub mod keys;
pub mod lists;
pub mod loaded;
pub mod lock;
pub mod moves;
pub mod notation;
pub mod notes;
pub mod observer;
pub mod pending_news;
pub mod people;
mod plans;
pub mod port;
pub mod practice;
pub mod record;
pub mod refusal;
pub mod replay;
pub mod repository;
pub mod retention;
pub mod service;
pub mod stand_in;
pub mod state;
pub mod think_pool;
pub mod time;
mod time_budget;
pub mod turn_sheet;
