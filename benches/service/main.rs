//! How long people wait for the whole bot. A part alone: `cargo bench --bench service -- room`.

#[path = "../parts.rs"]
mod parts;
#[path = "../../tests/web/mod.rs"]
mod web;

mod bots;
mod moves;
mod room;

fn main() {
    parts::run(&[("bots", bots::run), ("moves", moves::run), ("room", room::run)]);
}
