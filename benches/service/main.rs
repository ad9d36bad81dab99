//! How long people wait for the whole bot, with what is wanted and whether it is met. A part alone: `cargo bench --bench service -- room`.

#[path = "../parts.rs"]
mod parts;
#[path = "../wanted.rs"]
mod wanted;
#[path = "../../tests/web/mod.rs"]
mod web;

mod bots;
mod growth;
mod history;
mod moves;
mod room;

fn main() {
    parts::run(&[
        ("bots", bots::run),
        ("growth", growth::run),
        ("history", history::run),
        ("moves", moves::run),
        ("room", room::run),
    ]);
}
