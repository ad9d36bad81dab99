//! How fast the games are played, searched and drawn. A part alone: `cargo bench --bench games -- phwar`.

#[path = "../parts.rs"]
mod parts;

mod ai;
mod breaker;
mod fabric;
mod glyphgrid;
mod outsider;
mod phase;
mod phwar;
mod setups;
mod share;

fn main() {
    parts::run(&[
        ("ai", ai::run),
        ("breaker", breaker::run),
        ("fabric", fabric::run),
        ("glyphgrid", glyphgrid::run),
        ("outsider", outsider::run),
        ("phase", phase::run),
        ("phwar", phwar::run),
        ("setups", setups::run),
    ]);
}
