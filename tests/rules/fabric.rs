//! Phase-Fabric: every rule by a position of its own, the notation, saves, and a second engine.

mod board;
mod slow;

mod notation;
mod replay;
mod rules;
mod saves;
mod shown;
