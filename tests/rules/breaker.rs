//! Breaker Blocks: worked examples for every rule, refusals, hidden commands, and a second generator.

mod desk;
mod slow;

mod actions;
mod commands;
mod ending;
mod hidden;
mod notation;
mod saves;
mod table;
