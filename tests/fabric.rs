//! Phase-Fabric: every rule by a position of its own, the notation, saves, and a second engine.

#[path = "fabric/board.rs"]
mod board;
#[path = "fabric/slow.rs"]
mod slow;

#[path = "fabric/notation.rs"]
mod notation;
#[path = "fabric/replay.rs"]
mod replay;
#[path = "fabric/rules.rs"]
mod rules;
#[path = "fabric/saves.rs"]
mod saves;
#[path = "fabric/shown.rs"]
mod shown;
