//! Breaker Blocks: worked examples for every rule, refusals, hidden commands, and a second generator.

#[path = "breaker/desk.rs"]
mod desk;
#[path = "breaker/slow.rs"]
mod slow;

#[path = "breaker/actions.rs"]
mod actions;
#[path = "breaker/commands.rs"]
mod commands;
#[path = "breaker/ending.rs"]
mod ending;
#[path = "breaker/hidden.rs"]
mod hidden;
#[path = "breaker/notation.rs"]
mod notation;
#[path = "breaker/saves.rs"]
mod saves;
#[path = "breaker/table.rs"]
mod table;
